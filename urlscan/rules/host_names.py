"""Judge how a host name is spelled (U701, U702 and U802)."""

import unicodedata
from collections.abc import Iterator

from urlscan.core.choices import Applicability
from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import CONTEXTS, Match, Problem, Severity, in_text
from urlscan.rules.base import Spec, find_in_components, is_secret, replacement, url_rule
from urlscan.rules.hosts import has_authority
from urlscan.uri.grammar.characters import ESCAPE
from urlscan.uri.url import Url

# --- U701 mixed-script-host

# Scripts with letters that look like Latin letters.
_ALIKE = ("CYRILLIC", "GREEK")


def _unicode(label: str) -> str:
    """Return the label in Unicode (RFC 5890: A-label to U-label), or unchanged if it cannot be decoded."""
    if not label.lower().startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return label


def _mixed(label: str) -> list[str]:
    """Return up to four distinct letters of a similar script if the label also has Latin letters."""
    names = {character: unicodedata.name(character, "") for character in dict.fromkeys(label) if character.isalpha()}
    if not any(name.startswith("LATIN ") for name in names.values()):
        return []
    return [character for character, name in names.items() if name.startswith(_ALIKE)][:4]


@url_rule(
    "U701",
    Severity.WARNING,
    security_severity=6.5,
    bad=["See http://p\u0430ypal.zz/ now.", "See http://xn--pypal-4ve.zz/ now."],
    good=[
        "See http://\u043f\u0440\u0438\u043c\u0435\u0440.zz/ now.",
        "See http://xn--bcher-kva.zz/ now.",
        "See http://www.\u043f\u0440\u0438\u043c\u0435\u0440.zz/ now.",
    ],
    skips_allowed_hosts=True,
    skips_templates=False,
    contexts=CONTEXTS,
)
def mixed_script_host(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Host label mixes Latin letters with Cyrillic or Greek letters.

    RFC 3987 section 8 and UTS #39: letters of different scripts look alike, so a host that mixes them probably imitates
    another host. Registries do not allow such names. Labels in a single script are accepted, even next to labels in
    another script, and so is `xn--` as such.

    When to ignore: Where the text is about such hosts.
    """
    span = url.span("host")
    if span is None or not has_authority(url):
        return
    position = span[0]
    for label in (url.host or "").split("."):
        decoded = _unicode(label)
        if not decoded.isascii() and (mixed := _mixed(decoded)):
            letters = ", ".join(f"{character} (U+{ord(character):04X})" for character in mixed)
            script = unicodedata.name(mixed[0]).partition(" ")[0].title()
            message = f'"{decoded}" mixes Latin letters with {script} letters that look like them: {letters}'
            yield mixed_script_host.problem(
                message, "host", (position, position + len(label)), section="UTS #39 section 5.1", syntax=False
            )
        position += len(label) + 1


# --- U702 invisible-character

# Characters without a visible form; word processors write the spaces.
_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # directional
_JOINERS = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_FILLERS = "\u115f\u1160\u17b4\u17b5\u180b-\u180d\u3164\uffa0"
_ANNOTATIONS_AND_TAGS = "\ufff9-\ufffb\U000e0000-\U000e007f"
_INVISIBLE = lazy(f"[{_CONTROLS}{_JOINERS}{_SPACES}{_FILLERS}{_ANNOTATIONS_AND_TAGS}]+")
# RFC 5892 appendix A.1 and A.2: these two are needed between letters of some scripts, and in emoji.
_NEEDED = ("\u200c", "\u200d")


def _keep_if_invisible(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem, or None if a program writes the characters as escapes, which readers of its source see."""
    start, end = in_text(occurrence, problem.start, problem.end)
    is_escaped = document.decoded[slice(*document.to_decoded(start, end))] != document.text[start:end]
    if is_escaped and occurrence.context in ("string", "fragment", "comment"):
        return None
    return problem


@url_rule(
    "U702",
    Severity.ERROR,
    security_severity=5.0,
    bad=["See <http://h.example/a\u200bb>.", "See <http://h.example/\u202egpj.exe>."],
    good=[
        "See <http://h.example/a%E2%80%8Bb>.",
        "See <http://h.example/\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645>.",
    ],
    refine=_keep_if_invisible,
    skips_templates=False,
    contexts=CONTEXTS,
)
def invisible_character(url: Url, _spec: Spec) -> Iterator[Problem]:
    """URL contains an invisible character.

    RFC 3987 section 4.1: "IRIs MUST NOT contain bidirectional formatting characters". RFC 5892 excludes the other
    characters from hosts. They are often pasted by accident, and can hide where a URL leads.

    When to ignore: Never.
    Fix: Removes the characters, and writes "-" for a soft hyphen between words outside of the host (unsafe).
    """
    if url.text.isascii():
        return
    for component, (start, end) in find_in_components(url, _INVISIBLE):
        characters, neighbors = url.text[start:end], (url.text[start - 1 : start], url.text[end : end + 1])
        if characters in _NEEDED and not any(map(str.isascii, neighbors)):
            continue  # it may join them
        written = ""
        # A soft hyphen between words was a hyphen, which a converter replaced. In a host it is ignored (UTS #46).
        if characters == "\u00ad" and component != "host" and all(map(str.isalnum, neighbors)):
            written = "-"
        secret = is_secret(url, (start, end))
        names = ", ".join(f"U+{ord(c):04X} {unicodedata.name(c, 'tag')}" for c in dict.fromkeys(characters))
        yield invisible_character.problem(
            "invisible character in a secret" if secret else f"invisible character in the {component}: {names}",
            component,
            (start, end),
            section="RFC 3987 section 4.1",
            syntax=False,
            fix=replacement("unsafe", (start, end), written),  # the URL may need them
        )


# --- U802 host-case

# U205 covers the digits of an escape.
_UPPER = lazy(f"{ESCAPE}|([A-Z]+)")
# Schemes whose hosts are DNS names or addresses. Elsewhere a host may be a bucket or a container, whose server may
# be case-sensitive despite RFC 3986.
_DNS = frozenset(
    "acap dict finger ftp ftps git gopher http https imap imaps irc irc6 ircs ldap ldaps nfs nntp nntps pop pop3"
    " prospero rlogin rsync rtsp sftp smb smtp smtps snmp ssh svn telnet tn3270 vnc wais whois ws wss".split()
)


@url_rule("U802", Severity.INFO, bad=["See <http://Mill.Example/>."], good=["See <http://mill.example/Wheel>."])
def host_case(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Host contains uppercase letters.

    RFC 3986 sections 3.2.2 and 6.2.2.1: the host is case-insensitive, and registered names should be written in
    lowercase for uniformity. Programs that compare URLs as strings treat the two forms as different.

    When to ignore: Where capitals make the name easier to read.
    Fix: Writes the host in lowercase (unsafe where the host is not a DNS name).
    """
    span = url.span("host")
    # RFC 6874: a zone name, as in "[fe80::1%25En0]", belongs to the machine.
    if span is None or not url.host or (url.host.startswith("[") and "%" in url.host):
        return
    lower = _UPPER.sub(lambda match: match[0].lower() if match[1] else match[0], url.host)
    if lower == url.host or is_secret(url, span):
        return
    message = f'host contains uppercase letters; write "{lower[:60]}"'
    applicability: Applicability = "safe" if (url.scheme or "http").lower() in _DNS else "unsafe"
    yield host_case.problem(
        message,
        "host",
        span,
        section="RFC 3986 section 3.2.2",
        suggestion=lower,
        syntax=False,
        fix=replacement(applicability, span, lower),
    )
