"""Secrets never leave: no command, no format, however broken the URL that they stand in.

Each case is a text in which the pieces of a password are written as KKKK.., so that a piece of four
characters that is seen anywhere in the output is a leak.
"""

import itertools
import re
from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan import redact
from urlscan.finder import find
from urlscan.formats import FORMATS
from urlscan.formats.masking import SECRET_NAMES, mask_reading, occurrence_secrets, shown_urls

LEAK = re.compile("K{3,}")
P = "KKKKKKKK"

CASES = {
    "well-formed": f"http://jane:{P}@ftp.dominion.org/x",
    "in a wrapper": f"<URL:ftp://jane:{P}@ftp.dominion.org/x^y>",
    "without a user": f"http://:{P}@ftp.dominion.org/",
    "without a path": f"see ftp://jane:{P}@ftp.dominion.org.",
    "with a port": f"http://jane:{P}@ftp.dominion.org:80/%zz",
    "with a bad port": f"http://jane:{P}@ftp.dominion.org:8x80/%zz",
    "escaped": f"ftp://jane:{P}%40{P}@ftp.dominion.org/",
    "with a bad escape": f"ftp://jane:{P}%zz{P}@ftp.dominion.org/",
    "with unsafe characters": f"ftp://jane:{P}^{P}|{P}@ftp.dominion.org/",
    "with an @": f"ftp://jane:{P}@{P}@ftp.dominion.org/",
    "with a colon": f"ftp://jane:{P}:{P}@ftp.dominion.org/",
    "with a slash": f"ftp://jane:{P}/{P}@ftp.dominion.org/",
    "with a question mark": f"ftp://jane:{P}?{P}@ftp.dominion.org/",
    "with a hash": f"ftp://jane:{P}#{P}@ftp.dominion.org/",
    "with a quotation mark": f'ftp://jane:{P}"{P}@ftp.dominion.org/^',
    "with a less-than": f"ftp://jane:{P}<{P}@ftp.dominion.org/^",
    "with a bracket": f"ftp://jane:{P}[{P}]{P}@ftp.dominion.org/^",
    "not ASCII": f"ftp://jane:{P}é{P}@ftp.dominion.org/^",
    "with a control character": f"ftp://jane:{P}\x07{P}@ftp.dominion.org/^",
    "without its host": f"ftp://jane:{P}@/^",
    "with a host that is none": f"ftp://jane:{P}@a..b,c/^",
    "an unknown scheme": f"hppt://jane:{P}@ftp.dominion.org/^",
    "one slash": f"http:/jane:{P}@ftp.dominion.org/^",
    "no slashes": f"http:jane:{P}@ftp.dominion.org/^",
    "three slashes": f"http:///jane:{P}@ftp.dominion.org/^",
    "backslashes": f"http:\\\\jane:{P}@ftp.dominion.org/^",
    "twice": f"http://http://jane:{P}@ftp.dominion.org/^",
    "inside another": f"http://h.example/?u=http://jane:{P}@ftp.dominion.org/%zz^",
    "in a list": f"http://h.example/,ftp://jane:{P}@ftp.dominion.org/%zz",
    "a template": f"ftp://jane:{P}@ftp.dominion.org/{{x}}/^",
    "over a line": f"<URL:ftp://jane:{P}\n{P}@ftp.dominion.org/^>",
    "over a hyphen": f"<URL:ftp://jane:{P}-\n{P}@ftp.dominion.org/^>",
    "over a quote mark": f"> <URL:ftp://jane:{P}\n> {P}@ftp.dominion.org/^>",
    "over a comment leader": f"# <URL:ftp://jane:{P}\n# {P}@ftp.dominion.org/^>",
    "over a blank": f"<URL:ftp://jane:{P} {P}@ftp.dominion.org/^>",
    "over two lines": f"<URL:ftp://jane:{P}\n  {P}\n  {P}@ftp.dominion.org/^>",
    "over CRLF": f"<URL:ftp://jane:{P}\r\n{P}@ftp.dominion.org/^>",
    "over a page break": f"<URL:ftp://jane:{P}\n\n\f\n{P}@ftp.dominion.org/^>",
    "in an escape over a line": f"<URL:ftp://jane:{P}%4\n0{P}@ftp.dominion.org/^>",
    "in quotation marks over a line": f'"ftp://jane:{P}\n{P}@ftp.dominion.org/^"',
    "bare, over a line": f"ftp://jane:{P}\n{P}@ftp.dominion.org/^",
    "in a wrapper that is not closed": f"<URL:ftp://jane:{P}@ftp.dominion.org/^ x",
    "in a wrapper that is not closed, over a line": f"<URL:ftp://jane:{P}\n{P}@ftp.dominion.org/^ x",
    "in a wrapper with prose": f"<URL:ftp://jane:{P}@ftp.dominion.org/ or ftp://jane:{P}@ftp.dominion.org/>",
    "beside a finding": f"http://h.example/%zz ftp://jane:{P}@ftp.dominion.org/ http://h.example/%zz",
    "far into a line": "x " * 400 + f"http://h.example/%zz ftp://jane:{P * 20}@ftp.dominion.org/^",
    "where a window ends": f"http://h.example/{'a' * 40}%zz{'a' * 20} ftp://jane:{P * 20}@ftp.dominion.org/^",
    "long": f"ftp://jane:{P * 100}^{P * 20}@ftp.dominion.org/^",
    "a query's secret": f"http://ftp.dominion.org/?access_token={P}{P}&x=%zz^",
    "a signature": f"http://ftp.dominion.org/?AWSAccessKeyId=x&Signature={P}%zz{P}",
    "a cloud's signature": f"http://ftp.dominion.org/?X-Amz-Signature={P}^{P}",
    "a query's secret over a line": f"<URL:http://ftp.dominion.org/?api_key={P}\n{P}&x=^>",
}
COMMANDS = [
    *(("extract", "--format", format) for format in ("text", "json", "jsonl", "csv", "tsv")),
    ("extract", "--unique"),
    ("extract", "--count"),
    *(("check", "--select", "ALL", "--format", format) for format in FORMATS),
    ("check", "--profile", "rfc1738", "--color", "always"),
]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("texts")
    for name, text in CASES.items():
        (directory / name).write_bytes(text.encode() + b"\n")
    return directory


@pytest.mark.parametrize("rejoin", ["wrapped", "never"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_secret_is_seen(texts: Path, command: tuple[str, ...], rejoin: str) -> None:
    leaks = {}
    for name in [".", *CASES]:
        if name != "." and not leaks:
            break
        done = urlscan(*command, "--rejoin", rejoin, name, cwd=texts)
        if LEAK.search(done.text) or LEAK.search(done.err):
            leaks[name] = done.text + done.err
    assert not leaks, "\n".join(f"{name}: {text}" for name, text in leaks.items() if name != ".")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_show_secrets_shows_them(texts: Path, command: tuple[str, ...]) -> None:
    done = urlscan(*command, "--show-secrets", "well-formed", "with a bad escape", cwd=texts)
    # What a rule says of a secret does not repeat it, and of some formats that is all.
    says_all = not {"concise", "github"}.intersection(command)
    assert bool(LEAK.search(done.text)) is says_all


def test_masked_records_say_so(texts: Path) -> None:
    for command in ("extract", "check"):
        done = urlscan(command, "--format", "jsonl", "well-formed", cwd=texts)
        assert done.lines
        assert all('"redacted": true' in line and "***" in line for line in done.lines)


@pytest.mark.parametrize("unsafe", [(), ("--unsafe-fixes",)], ids=["safe", "unsafe"])
def test_fixing_says_nothing_either(tmp_path: Path, unsafe: tuple[str, ...]) -> None:
    for name, text in CASES.items():
        (tmp_path / name).write_bytes(text.encode())
    done = urlscan("check", "--fix", *unsafe, ".", cwd=tmp_path)
    assert not LEAK.search(done.text + done.err)
    if not unsafe:  # the text itself keeps them
        assert all(P in (tmp_path / name).read_text() for name in CASES)


@pytest.mark.parametrize(
    "text",
    [
        "ftp://jane:@h.example/x",
        "http://h.example:8080/a@b",
        "http://h.example:8080",
        "http://h.example:8080\njoe@h.example",
        "http://h.example/a:b@c",
        "mailto:joe@h.example",
        "<URL:http://h.example:80\n80/a>",
        "http://h.example/?sig=12345678901234",
    ],
)
def test_what_is_no_secret_is_shown(text: str) -> None:
    assert "***" not in urlscan("extract", stdin=text.encode()).text
    (*_, last) = urlscan("extract", "--format", "jsonl", stdin=text.encode()).lines
    assert "redacted" not in last


def test_two_urls_that_look_alike_are_listed_once() -> None:
    text = b"http://jane:aaaaaaaa@h.example/ http://jane:bbbbbbbb@h.example/"
    assert urlscan("extract", "--unique", stdin=text).lines == ["http://jane:***@h.example/"]
    assert urlscan("extract", "--count", stdin=text).lines == ["      2 http://jane:***@h.example/"]


def test_another_reading_is_masked_where_the_url_is() -> None:
    url = "ftp://jane:KKKKKKKK@h.example/"
    spans = [(11, 19)]
    assert mask_reading("ftp://jane:KKKK", url, spans) == "ftp://jane:***"
    assert mask_reading("ftp://jane:KKKK-KKKK@h.example/", url, spans) == "ftp://jane:***@h.example/"
    assert mask_reading("ftp://h.example/", url, spans) == "ftp://h.example/"


def test_many_at_once_are_shown_as_each_by_itself() -> None:
    """The fast road leads to the same place as the slow one."""
    for one, other in itertools.product(CASES.values(), repeat=2):
        text = f"{one}\n\n{other}\n"
        occurrences = list(find(text))
        slow = [text[:0].join(shown_urls([o], text)) for o in occurrences]
        assert shown_urls(occurrences, text) == slow
        assert all(
            ("***" in url) == bool(occurrence_secrets(o, text)) for o, url in zip(occurrences, slow, strict=True)
        )


def test_the_fast_test_for_names_knows_every_name() -> None:
    pattern = redact._SECRET.pattern
    names = re.search(r"\(\?:(.*)\)=", pattern)
    assert names is not None
    for name in re.sub(r"\(\?:.*\)", "", names[1]).split("|"):
        assert any((name + "=").startswith(known) for known in SECRET_NAMES), name
