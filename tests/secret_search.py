"""Search for leaked secrets: random secrets in random documents, through every command and format.

`python -m tests.secret_search --minutes 20 --seed 1` prints the number of outputs searched, and one example of each
leak by place, writing, kind and command. All runs are in this process.
"""

import argparse
import base64
import html
import json
import quopri
import random
import re
import shutil
import string
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, quote_plus, unquote

from tests.command import urlscan
from urlscan.api.texts import lint
from urlscan.core.secrets.known import PARAMETERS
from urlscan.core.settings import Settings
from urlscan.finder import find
from urlscan.formats import FORMATS

LETTERS = string.ascii_letters + string.digits
SHOWN = 5  # number of consecutive characters of a secret in an output that count as a leak

# --- secrets in URLs


def core(rng: random.Random) -> str:
    """Return a secret with digits and letters near its beginning."""
    return "".join(rng.choice(LETTERS) for _ in range(8)) + "7q4Z" + "".join(rng.choices(LETTERS, k=rng.randint(8, 28)))


SCHEMES = (
    "http:// https:// ftp:// ssh:// postgres:// mysql:// amqp:// redis:// mongodb+srv:// foo:// HTTPS:// //".split()
)
HOSTS = "ftp.dominion.org dominion.org:8080 [2001:db8::1] localhost h.example".split()
PLACEHOLDERS = [*"{host} {host}:{port} $HOST ${HOST} %s <host> <host>:<port> %(host)s ***".split(), "{{ host }}"]
TAILS = ["", "/", "/a|b", "/%zz", "?q=%zz", "/a?b=c&d=^", "/x.", "/a#b#c", "/~jo/A%2fb", "/a/../..", ";type=q"]
SPECIALS = [*"!$'(,;=+:@/#^|é中[<>?\"\\\x07", "%21", "%3A", "%40", "%2F", "%zz", "%2e", "/../", "//"]


def password(rng: random.Random, secret: str) -> str:
    """Return a URL with a password, sometimes with a special character in it."""
    if rng.random() < 0.4:
        at = rng.randint(6, len(secret) - 6)
        secret = secret[:at] + rng.choice(SPECIALS) + secret[at:]
    user = rng.choice(["jo", "", "j.d", "x-access-token", "oauth2", "user", "j%40h.example"])
    if user and rng.random() < 0.1 and not set(secret) & set("/#@"):
        return f"http://{rng.choice(HOSTS)}/x/{user}:{secret}@ftp.dominion.org{rng.choice(TAILS)}"
    return f"{rng.choice(SCHEMES)}{user}:{secret}@{rng.choice(HOSTS)}{rng.choice(TAILS)}"


def password_at_placeholder(rng: random.Random, secret: str) -> str:
    """Return a URL with a password and a placeholder as host."""
    return f"{rng.choice(SCHEMES)}jo:{secret}@{rng.choice(PLACEHOLDERS)}{rng.choice(TAILS)}"


def parameter(rng: random.Random, secret: str) -> str:
    """Return a URL with the secret as a parameter."""
    row = rng.choice(PARAMETERS)
    words = [*(["reset"] if row.is_ending and rng.random() < 0.5 else []), *row.name.split()]
    words = [rng.choice([word, word.lower(), word.upper(), word.title()]) for word in words]
    name = rng.choice(["_", "-", "", "."]).join(words)
    before = rng.choice(["?", "?a=b&", "?a=%zz&", "#", "?a;"])
    return (
        f"http://{rng.choice(HOSTS)}/x{before}{name}={secret}{rng.choice(['', '&c=d', '&c=%zz', '#a', '#a#b', ';e=f'])}"
    )


def token(rng: random.Random, secret: str) -> str:
    """Return a URL with a token of a known format."""
    prefix = rng.choice(["ghp_", "github_pat_", "glpat-", "xoxb-", "npm_", "hf_", "sk_live_", "dckr_pat_", "whsec_"])
    secret = prefix + (secret * 3)[:36]
    host = rng.choice(HOSTS)
    form = rng.choice(
        ["{0}@{1}/%zz", "user:{0}@{1}", "{0}:x-oauth-basic@{1}/a|b", "{1}/{0}/x", "{1}/a?b={0}", "{1}/#{0}"]
    )
    return f"{rng.choice(['http', 'https'])}://{form.format(secret, host)}"


def user(rng: random.Random, secret: str) -> str:
    """Return a URL with a token as user name."""
    return f"https://{secret[:40]}{rng.choice(['', ':x-oauth-basic', ':'])}@{rng.choice(HOSTS)}{rng.choice(TAILS)}"


def escaped(rng: random.Random, secret: str) -> str:
    """Return a URL that contains another one, escaped by `quote` with a random set of safe characters."""
    url = rng.choice([password, password, parameter, token, user])(rng, secret)
    for _ in range(rng.choice([1, 1, 2, 3])):
        safe = "".join(character for character in ":/?=&@#;+,~!" if rng.random() < 0.4)
        url = rng.choice([quote, quote_plus])(url, safe=safe)
        if rng.random() < 0.3:
            url = re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), url)
    before = rng.choice(["?u=", "?a=%zz&redirect=", "#", "web/2001/", "?x=1;u="])
    return f"http://{rng.choice(HOSTS)}/{before}{url}{rng.choice(['', '&x=%zz', '|'])}"


PLACES = [password, password_at_placeholder, parameter, token, user, escaped]

# --- how a URL is written in a text


def at_break(rng: random.Random, url: str, secret: str) -> int:
    """Return an offset within the secret in the URL."""
    start = url.find(secret[:6])
    return max(start, 8) + rng.randint(1, 8)


def broken(gap: str, before: str, after: str) -> Callable[[random.Random, str, str], str]:
    """Return a function that writes a URL between delimiters, broken within its secret."""

    def written(rng: random.Random, url: str, secret: str) -> str:
        at = at_break(rng, url, secret)
        return f"{before}{url[:at]}{gap}{url[at:]}{after}"

    return written


WRITINGS: dict[str, Callable[[random.Random, str, str], str]] = {
    "bare": lambda _rng, url, _secret: f"see {url} there",
    "in angles": lambda _rng, url, _secret: f"<{url}>",
    "in a wrapper": lambda _rng, url, _secret: f"<URL:{url}>",
    "in quotation marks": lambda _rng, url, _secret: f'"{url}"',
    "in parentheses": lambda _rng, url, _secret: f"({url}).",
    "in a list": lambda _rng, url, _secret: f"http://h.example/,{url},http://h.example/b%zz",
    "twice": lambda _rng, url, _secret: f"{url} {url}",
    "over a line": broken("\n", "<URL:", ">"),
    "over a line, indented": broken("\n    ", "<", ">"),
    "over a quote mark": broken("\n> ", "> <URL:", ">"),
    "over a comment leader": broken("\n# ", "# <URL:", ">"),
    "over a hyphen": broken("-\n", "<URL:", ">"),
    "over a line in quotation marks": broken("\n", '"', '"'),
}
SINGLE_LINE_WRITINGS = [name for name in WRITINGS if "over" not in name]

# --- documents


def u_escapes(text: str) -> str:
    """Return JSON in which letters and digits are escaped."""
    return "".join(f"\\u{ord(character):04x}" if character.isalnum() else character for character in text)


def folded(rng: random.Random, line: str) -> str:
    """Return a content line of a calendar, folded anywhere (RFC 5545 section 3.1)."""
    pieces = []
    while line:
        at = rng.randint(6, 40)
        pieces.append(line[:at])
        line = line[at:]
    return "\r\n ".join(pieces) + "\r\n"


def flowed(rng: random.Random, text: str, delsp: bool) -> str:
    """Return a message of flowed text (RFC 3676), broken inside words if `delsp` allows it."""
    header = f"MIME-Version: 1.0\nContent-Type: text/plain; format=flowed; delsp={'yes' if delsp else 'no'}\n\n"
    lines = []
    for line in text.split("\n"):
        while delsp and len(line) > 30:
            at = rng.randint(12, 30)
            lines.append(line[:at] + " ")
            line = line[at:]
        lines.append(line)
    return "From: jo@h.example\nSubject: x\n" + header + "\n".join(lines) + "\n"


def encoded(rng: random.Random, text: str) -> str:
    """Return a message with an encoded body."""
    head = "From: jo@h.example\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    if rng.random() < 0.5:
        body = quopri.encodestring(text.encode()).decode()
        return f"{head}Content-Transfer-Encoding: quoted-printable\n\n{body}\n"
    return f"{head}Content-Transfer-Encoding: base64\n\n{base64.encodebytes(text.encode()).decode()}\n"


Document = Callable[[random.Random, str], str]


def one_of(*forms: str, write: Callable[[str], str] = str) -> Document:
    """Return a function that writes the text in one of some forms, with the escapes of the kind."""
    return lambda rng, text: rng.choice(forms).format(write(text))


KINDS: dict[str, Document] = {
    "plain": lambda _rng, text: f"{text}\n",
    "markdown": one_of("{0}\n\n[x](<{0}>)\n", "[x]({0})\n\n`{0}`\n", "[y]: {0}\n\n* {0}\n"),
    "rst": one_of("{0}\n\n`x <{0}>`_\n", ".. _y: {0}\n", "``{0}``\n"),
    "html": one_of('<a href="{0}">{0}</a>\n', "<!-- {0} -->\n", "<p>{0}</p><img src='{0}'>", write=html.escape),
    "html numeric": lambda _rng, text: f"<a href='{''.join(f'&#{ord(c)};' for c in text)}'>x</a>\n",
    "xml": lambda _rng, text: f"<a b='{html.escape(text)}'>{html.escape(text)}</a>\n",
    "python": lambda rng, text: rng.choice(["x = {0!r}\n", "# {0}\n", '"""\n{0}\n"""\n', "f({0!r}, 1)\n"]).format(text),
    "c": lambda _rng, text: f"char *x = {json.dumps(text)};\n/* {text} */\n// {text}\n",
    "javascript": lambda _rng, text: f"x = {json.dumps(text)};\n".replace("/", "\\/") + f"// {text}\n",
    "json": lambda _rng, text: json.dumps({"a": [text, 1]}) + "\n",
    "json escapes": lambda _rng, text: '{"a": "' + u_escapes(text.replace('"', "")) + '"}\n',
    "yaml": lambda rng, text: rng.choice(["- {0}\n", "a: {1}\n", "# {0}\n"]).format(text, json.dumps(text)),
    "csv": one_of('1,"{0}",x\n', "1,{0},x\n", "{0},{0}\n", write=lambda text: text.replace('"', '""')),
    "tsv": lambda _rng, text: f"1\t{text}\tx\n",
    "latex": one_of("\\url{{{0}}} x\n", "\\href{{{0}}}{{x}}\n", "% {0}\n"),
    "ini": lambda _rng, text: f"[s]\na = {text}\n; {text}\n",
    "toml": lambda _rng, text: f"a = {json.dumps(text)}\n# {text}\n",
    "shell": lambda _rng, text: f"curl '{text}' {text}\n# {text}\n",
    "sql": lambda _rng, text: f"select '{text}';\n-- {text}\n",
    "makefile": lambda _rng, text: f"a:\n\tcurl {text}\nU = {text}\n",
    "dockerfile": lambda _rng, text: f"RUN curl {text}\nENV U={text}\n",
    "ruby": lambda _rng, text: f"x = {json.dumps(text)}\n# {text}\n",
    "go": lambda _rng, text: f"x := `{text}`\n// {text}\n",
    "java": lambda _rng, text: f"x = {json.dumps(text)};\n/** {text} */\n",
    "powershell": lambda _rng, text: f'$x = "{text}"\n# {text}\n',
    "po": lambda _rng, text: f"msgid {json.dumps(text)}\n#. {text}\n",
    "properties": lambda _rng, text: f"a={text}\n# {text}\n",
    "css": lambda _rng, text: f"a {{ b: url({text}) }}\n/* {text} */\n",
    "asciidoc": lambda _rng, text: f"{text}[x]\n\nlink:{text}[y]\n",
    "org": lambda _rng, text: f"[[{text}][x]]\n{text}\n",
    "roff": lambda _rng, text: f".UR {text}\nx\n.UE\n",
    "texinfo": lambda _rng, text: "@uref{" + text.replace("@", "@@") + ", x}\n",
    "ipynb": lambda _rng, text: json.dumps({"cells": [{"cell_type": "markdown", "source": [text]}]}) + "\n",
    "ics": lambda rng, text: "BEGIN:VCALENDAR\r\n" + folded(rng, f"DESCRIPTION:{text}") + folded(rng, f"URL:{text}"),
    "vcf": lambda rng, text: "BEGIN:VCARD\r\n" + folded(rng, f"URL:{text}") + folded(rng, f"NOTE:{text}"),
    "mail flowed": lambda rng, text: flowed(rng, text, delsp=False),
    "mail delsp": lambda rng, text: flowed(rng, text, delsp=True),
    "mail encoded": encoded,
    "mbox": lambda rng, text: "From jo@h.example Thu Jan  1 00:00:00 2004\n" + encoded(rng, text),
}  # fmt: skip
# Kinds in which a line end is no break in a URL, or ends the element that contains the URL.
SINGLE_LINE_KINDS = set(
    "markdown rst python c javascript html xml csv tsv latex ini toml shell sql makefile dockerfile ruby go".split()
)
SINGLE_LINE_KINDS |= set(
    "java powershell po properties css asciidoc org roff texinfo yaml ics vcf ipynb json".split()
) | {"json escapes"}

TABLES = ("text", "json", "jsonl", "csv", "tsv")
CHECK = ["check", "--isolated", "-v"]
EXTRACT = ["extract", "--isolated", "-v"]
COMMANDS: list[list[str]] = [
    *([*CHECK, "--select", "ALL", "--format", name] for name in FORMATS),
    *([*CHECK, "--profile", profile] for profile in ("rfc1738", "rfc3987", "rfc2396", "rfc1630")),
    [*CHECK, "--rejoin", "never", "--select", "ALL"],
    [*CHECK, "--rejoin", "guess", "--color", "always"],
    [*CHECK, "--select", "ALL", "--statistics"],
    [*CHECK, "--select", "ALL", "--diff"],
    [*CHECK, "--select", "ALL", "--diff", "--unsafe-fixes"],
    [*CHECK, "--select", "ALL", "--fix", "--diff", "--unsafe-fixes", "--profile", "rfc1738"],
    [*CHECK, "--select", "ALL", "--fix", "--unsafe-fixes"],
    [*CHECK, "--select", "ALL", "--add-ignore"],
    *([*EXTRACT, "--schemeless", "--emails", "--relative", "--format", name] for name in TABLES),
    [*EXTRACT, "--rejoin", "guess", "--count"],
    [*EXTRACT, "--rejoin", "never", "--unique"],
    [*EXTRACT, "--resolve", "--base", "http://h.example/"],
]  # fmt: skip
URL_COMMANDS = [
    *([name, "--format", form, "--"] for name in ("parse", "normalize") for form in ("text", "json", "jsonl")),
    ["parse", "--color=always", "--profile=rfc1738"],
    ["normalize", "--profile=rfc1630", "--level=dot"],
    ["resolve", "http://h.example/a/b"],
    ["resolve", "--profile=rfc1630", "--dots=refuse", "../../../x"],
    ["resolve", "--profile=rfc2396", "--legacy-scheme", "--format=jsonl", "http://h.example/a"],
]


class Probe(NamedTuple):
    """A document with a secret.

    Attributes:
        secret: its characters.
        url: the URL that contains it.
        document: the text.
        labels: place, writing and kind.
    """

    secret: str
    url: str
    document: str
    labels: tuple[str, str, str]

    @property
    def kind(self) -> str:
        """Return the kind as named on the command line."""
        return self.labels[2].partition(" ")[0]


def probe(rng: random.Random) -> Probe:
    """Return a random document."""
    secret = core(rng)
    place, kind = rng.choice(PLACES), rng.choice(list(KINDS))
    writing = rng.choice(SINGLE_LINE_WRITINGS if kind in SINGLE_LINE_KINDS or "numeric" in kind else list(WRITINGS))
    url = place(rng, secret)
    text = WRITINGS[writing](rng, url, secret)
    if kind in ("html", "html numeric", "xml", "markdown", "rst", "latex", "css", "asciidoc", "org", "roff", "texinfo"):
        text = url if rng.random() < 0.7 else text
    return Probe(secret, url, KINDS[kind](rng, text), (place.__name__, writing, kind))


# --- outputs


def leak(secret: str, output: str) -> str:
    """Return the part of a secret that an output contains, escaped or not, or ""."""
    forms = {output, output.replace("\\", ""), html.unescape(output), unquote(output), unquote(unquote(output))}
    if "\\u" in output:
        forms.add(re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), output.replace("\\\\", "\\")))
    for at in range(len(secret) - SHOWN + 1):
        if any(secret[at : at + SHOWN] in form for form in forms):
            return secret[at : at + SHOWN]
    return ""


def outputs(rng: random.Random, one: Probe, directory: Path, count: int) -> Iterator[tuple[str, str]]:
    """Run random commands on a document; yield each command and all its output except the document itself."""
    path = directory / "document"
    place, writing, kind = one.labels
    is_broken = "over" in writing or kind == "mail delsp"
    for command in rng.sample(COMMANDS, count):
        if "never" in command and is_broken and not place.startswith("password"):
            continue  # without rejoining, only a password is known to continue after a break
        path.write_text(one.document, encoding="utf-8", newline="")
        done = urlscan(*command, "--as", one.kind, str(path))
        yield " ".join(command), done.text + done.err
    chance = rng.random()
    if chance < 0.1:
        known = directory / "known.json"
        done = urlscan(*CHECK, "--select", "ALL", "--as", one.kind, "--write-baseline", str(known), str(path))
        written = known.read_text(encoding="utf-8") if known.exists() else ""
        done2 = urlscan(*CHECK, "--as", one.kind, "--baseline", str(known), str(path))
        known.unlink(missing_ok=True)
        yield "baseline", done.text + done.err + written + done2.text + done2.err
    elif chance < 0.25:
        command = rng.choice(URL_COMMANDS)
        done = urlscan(*command, one.url)
        yield " ".join(command), done.text + done.err
    elif chance < 0.3:
        arguments = rng.choice([[one.url], ["--select", one.url], [f"--format={one.url}"], ["--config", one.url]])
        done = urlscan("check", *arguments)
        yield "an error", done.text + done.err
    elif place.startswith("password") and one.kind == "plain":
        findings = lint(one.document, settings=Settings(profile="rfc1738", select=("ALL",)))
        yield "repr", repr([*find(one.document, rejoin="never"), *findings, *(found.message for found in findings)])


class Leak(NamedTuple):
    """An output that shows a secret."""

    probe: Probe
    command: str
    output: str
    piece: str


def search(rng: random.Random, directory: Path, commands: int = 4) -> Iterator[Leak | None]:
    """Search outputs without end; yield the leak in each, or None."""
    while True:
        one = probe(rng)
        for command, output in outputs(rng, one, directory, commands):
            piece = leak(one.secret, output)
            yield Leak(one, command, output, piece) if piece else None


def main() -> int:
    """Search for the given time and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="leaks that are printed")
    options = parser.parse_args()
    directory = Path(tempfile.mkdtemp())
    probes, leaks, seen = 0, 0, Counter[tuple[str, ...]]()
    ends = time.monotonic() + 60 * options.minutes
    try:
        for found in search(random.Random(options.seed), directory):
            probes += 1
            if found is not None:
                leaks += 1
                key = (*found.probe.labels, found.command)
                seen[key] += 1
                if seen[key] == 1 and len(seen) <= options.show:
                    lines = [line for line in found.output.splitlines() if found.piece in line][:2]
                    print(f"{key}\n  {found.probe.document!r}\n  {found.piece}: {lines}", flush=True)
            if time.monotonic() > ends:
                break
    finally:
        shutil.rmtree(directory)
    print(f"seed {options.seed}: {probes} outputs searched, {leaks} with a secret")
    for at, name in enumerate(("place", "writing", "kind", "command")):
        counts = Counter[str]()
        for key, number in seen.items():
            counts[key[at]] += number
        print(f"  by {name}: {dict(counts.most_common(12))}")
    return 1 if leaks else 0


if __name__ == "__main__":
    raise SystemExit(main())
