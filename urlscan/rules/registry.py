"""The table of the rules, with the properties by which they are selected.

A check loads only the modules whose rules are on and may report a URL. To add a rule, read the others of its theme,
write it below them, and register it here.
"""

from collections.abc import Callable

from urlscan.core.lazy import lazy_search
from urlscan.core.record import NamedTuple
from urlscan.core.secrets import url_may_hold_secret
from urlscan.uri.grammar.simple import GLUED, PLAIN_HEAD


class Entry(NamedTuple):
    """The properties by which a rule is selected.

    Attributes:
        code, name: such as U201 and bad-escape.
        module: the module of this package that contains the rule.
        default: whether the rule is on by default.
        profiles: profiles in which the rule is on although `default` is false.
        may_report: returns whether a URL contains what the rule reports, in a check of references by RFC 2396, 3986 or
            3987; true for other URLs, too. None if the rule does not check URLs, but the text around them or their
            targets.
    """

    code: str
    name: str
    module: str
    default: bool = True
    profiles: tuple[str, ...] = ()
    may_report: Callable[[str], object] | None = None


# A scheme and an authority that are not those of nearly all absolute URLs.
_ODD_HEAD = lazy_search(rf"\A(?!{PLAIN_HEAD}(?:[/?#]|\Z))")
_ANY = lazy_search("")
_USERINFO = lazy_search("@")
_ESCAPE = lazy_search("%")
_UPPERCASE = lazy_search("[A-Z]")
_NON_ASCII = lazy_search(r"[^\x00-\x7f]")
_OLD = ("rfc1738", "rfc1630")
_BEFORE_3986 = ("rfc1738", "rfc2396", "rfc1630")

REGISTRY: tuple[Entry, ...] = (
    Entry("U101", "unsafe-character", "characters", may_report=lazy_search(r'[][<>"{}|\\^`]|\u2026\Z')),
    Entry("U102", "space-in-url", "characters", may_report=lazy_search(" ")),
    Entry("U103", "control-character", "characters", may_report=lazy_search(r"[\x00-\x1f\x7f-\x9f]")),
    Entry("U104", "non-ascii-character", "characters", default=False, profiles=("rfc3987",), may_report=_NON_ASCII),
    Entry("U105", "unencoded-tilde", "characters", default=False, profiles=_OLD, may_report=lazy_search("~")),
    Entry("U106", "unencoded-hash", "paths", may_report=lazy_search("#[^#]*#")),
    Entry(
        "U107", "bracket-in-query", "characters", default=False, profiles=_BEFORE_3986, may_report=lazy_search("[][]")
    ),
    Entry("U201", "bad-escape", "escapes", may_report=_ESCAPE),
    Entry("U202", "double-encoding", "decoding", may_report=lazy_search("%25")),
    Entry("U203", "encoded-control", "escapes", may_report=lazy_search("%(?:[01]|7[Ff])")),
    Entry("U204", "not-utf-8-escape", "escapes", default=False, may_report=lazy_search("%[89A-Fa-f]")),
    Entry("U205", "lowercase-hex", "escapes", default=False, may_report=lazy_search("%.?[a-f]")),
    Entry("U206", "needless-escape", "escapes", default=False, may_report=_ESCAPE),
    Entry("U207", "encoded-dot-segment", "paths", may_report=lazy_search("%2[Ee]")),
    Entry("U208", "undecoded-text", "decoding", may_report=lazy_search("&amp;|=3D")),
    Entry("U209", "dots-above-root", "paths", may_report=lazy_search(r"/\.\.")),
    Entry("U301", "password-in-url", "credentials", may_report=_USERINFO),
    Entry("U302", "userinfo-not-allowed", "credentials", may_report=_USERINFO),
    Entry("U303", "misleading-userinfo", "authority", may_report=_USERINFO),
    Entry("U304", "secret-in-query", "credentials", may_report=url_may_hold_secret),
    Entry("U401", "invalid-for-scheme", "scheme_syntax", may_report=_ODD_HEAD),
    Entry("U402", "invalid-host", "host_syntax", may_report=_ODD_HEAD),
    Entry("U403", "invalid-port", "authority", may_report=_ODD_HEAD),
    Entry("U404", "empty-port", "authority", default=False, profiles=_OLD, may_report=_ODD_HEAD),
    Entry("U405", "unknown-scheme", "schemes", may_report=_ODD_HEAD),
    Entry("U406", "malformed-authority", "authority", may_report=lambda url: _ODD_HEAD(url) or GLUED.search(url)),
    Entry("U407", "same-scheme-relative", "schemes", may_report=_ODD_HEAD),
    Entry("U501", "reserved-port", "policy", may_report=_ODD_HEAD),
    Entry("U502", "explicit-default-port", "policy", default=False, may_report=_ODD_HEAD),
    Entry("U503", "local-resource", "policy", default=False, may_report=_ODD_HEAD),
    Entry("U504", "insecure-scheme", "policy", default=False, may_report=_ANY),
    Entry("U505", "internal-host", "policy", default=False, may_report=_ANY),
    Entry("U506", "tracking-parameter", "policy", default=False, may_report=lazy_search(r"\?")),
    Entry("U601", "hyphen-at-break", "wrappers"),
    Entry("U602", "broken-bare-url", "wrappers"),
    Entry("U603", "unclosed-wrapper", "wrappers"),
    Entry("U604", "prose-in-wrapper", "wrappers"),
    Entry("U605", "unwrapped-url", "wrappers", default=False),
    Entry("U606", "missing-url-prefix", "wrappers", default=False),
    Entry("U607", "break-in-escape", "wrappers"),
    Entry("U608", "missing-scheme", "schemes"),
    Entry("U609", "punctuation-in-wrapper", "wrappers"),
    Entry("U610", "too-long", "wrappers"),
    Entry("U611", "needless-wrapper", "wrappers"),
    Entry("U612", "fragment-outside-wrapper", "wrappers"),
    Entry("U701", "mixed-script-host", "host_names", may_report=lazy_search(r"(?i:xn--)|[^\x00-\x7f]")),
    Entry("U702", "invisible-character", "host_names", may_report=_NON_ASCII),
    Entry("U801", "scheme-case", "schemes", default=False, may_report=_UPPERCASE),
    Entry("U802", "host-case", "host_names", default=False, may_report=_UPPERCASE),
    Entry("U803", "dot-segments", "paths", default=False, may_report=lazy_search(r"/\.")),
    Entry("U804", "empty-path", "paths", default=False, may_report=_ANY),
    Entry("U901", "unused-suppression", "targets"),
    Entry("U911", "missing-fragment", "targets"),
    Entry("U912", "missing-file", "targets"),
    Entry("U913", "wrong-case", "targets"),
    Entry("U914", "fragment-case", "targets"),
    Entry("U915", "undefined-reference", "targets"),
    Entry("U916", "duplicate-definition", "targets"),
    Entry("U917", "unused-definition", "targets", default=False),
    Entry("U918", "leaves-root", "targets", default=False),
    Entry("U919", "missing-label", "targets"),
    Entry("U920", "missing-id", "targets", default=False),
    Entry("U921", "malformed-link", "targets"),
    Entry("U922", "incomplete-link", "targets"),
    Entry("U951", "dead-link", "policy", default=False, may_report=_ANY),
)


# The entries by code and by name.
ENTRIES = {key: entry for entry in REGISTRY for key in (entry.code, entry.name)}
