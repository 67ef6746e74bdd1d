"""The table of the rules, with the properties by which they are selected.

A check loads only the modules whose rules are on and may report a URL. To add a rule, read the others of its theme,
write it below them, and register it here.
"""

import re
from typing import cast

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.secrets import url_may_hold_secret
from urlscan.uri.grammar.simple import PLAIN_HEAD


class _Secret:
    """Searches like a pattern; one for all secrets takes longer to compile than reading a small file."""

    search = staticmethod(url_may_hold_secret)


class Entry(NamedTuple):
    """The properties by which a rule is selected.

    Attributes:
        code, name: such as U201 and bad-escape.
        module: the module of this package that contains the rule.
        default: whether the rule is on by default.
        profiles: profiles in which the rule is on although `default` is false.
        needs: what a URL contains that the rule may report, in a check of references by RFC 2396, 3986 or 3987. None if
            the rule does not check URLs, but the text around them or their targets.
    """

    code: str
    name: str
    module: str
    default: bool = True
    profiles: tuple[str, ...] = ()
    needs: re.Pattern[str] | None = None


# A scheme and an authority that are not those of nearly all absolute URLs.
_ODD_HEAD = lazy(rf"\A(?!{PLAIN_HEAD}(?:[/?#]|\Z))")
_ANY = lazy("")
_USERINFO = lazy("@")
_ESCAPE = lazy("%")
_UPPERCASE = lazy("[A-Z]")
_NON_ASCII = lazy(r"[^\x00-\x7f]")
_OLD = ("rfc1738", "rfc1630")
_BEFORE_3986 = ("rfc1738", "rfc2396", "rfc1630")

REGISTRY: tuple[Entry, ...] = (
    Entry("U101", "unsafe-character", "characters", needs=lazy(r'[][<>"{}|\\^`]|\u2026\Z')),
    Entry("U102", "space-in-url", "characters", needs=lazy(" ")),
    Entry("U103", "control-character", "characters", needs=lazy(r"[\x00-\x1f\x7f-\x9f]")),
    Entry("U104", "non-ascii-character", "characters", default=False, profiles=("rfc3987",), needs=_NON_ASCII),
    Entry("U105", "unencoded-tilde", "characters", default=False, profiles=_OLD, needs=lazy("~")),
    Entry("U106", "unencoded-hash", "paths", needs=lazy("#[^#]*#")),
    Entry("U107", "bracket-in-query", "characters", default=False, profiles=_BEFORE_3986, needs=lazy(r"[][]")),
    Entry("U201", "bad-escape", "escapes", needs=_ESCAPE),
    Entry("U202", "double-encoding", "decoding", needs=lazy("%25")),
    Entry("U203", "encoded-control", "escapes", needs=lazy("%(?:[01]|7[Ff])")),
    Entry("U204", "not-utf-8-escape", "escapes", default=False, needs=lazy("%[89A-Fa-f]")),
    Entry("U205", "lowercase-hex", "escapes", default=False, needs=lazy("%.?[a-f]")),
    Entry("U206", "needless-escape", "escapes", default=False, needs=_ESCAPE),
    Entry("U207", "encoded-dot-segment", "paths", needs=lazy("%2[Ee]")),
    Entry("U208", "undecoded-text", "decoding", needs=lazy("&amp;|=3D")),
    Entry("U209", "dots-above-root", "paths", needs=lazy(r"/\.\.")),
    Entry("U301", "password-in-url", "credentials", needs=_USERINFO),
    Entry("U302", "userinfo-not-allowed", "credentials", needs=_USERINFO),
    Entry("U303", "misleading-userinfo", "authority", needs=_USERINFO),
    Entry("U304", "secret-in-query", "credentials", needs=cast("re.Pattern[str]", _Secret)),
    Entry("U401", "invalid-for-scheme", "scheme_syntax", needs=_ODD_HEAD),
    Entry("U402", "invalid-host", "host_syntax", needs=_ODD_HEAD),
    Entry("U403", "invalid-port", "authority", needs=_ODD_HEAD),
    Entry("U404", "empty-port", "authority", default=False, profiles=_OLD, needs=_ODD_HEAD),
    Entry("U405", "unknown-scheme", "schemes", needs=_ODD_HEAD),
    Entry("U406", "malformed-authority", "authority", needs=_ODD_HEAD),
    Entry("U407", "same-scheme-relative", "schemes", needs=_ODD_HEAD),
    Entry("U501", "reserved-port", "policy", needs=_ODD_HEAD),
    Entry("U502", "explicit-default-port", "policy", default=False, needs=_ODD_HEAD),
    Entry("U503", "local-resource", "policy", default=False, needs=_ODD_HEAD),
    Entry("U504", "insecure-scheme", "policy", default=False, needs=_ANY),
    Entry("U505", "internal-host", "policy", default=False, needs=_ANY),
    Entry("U506", "tracking-parameter", "policy", default=False, needs=lazy(r"\?")),
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
    Entry("U701", "mixed-script-host", "host_names", needs=lazy(r"(?i:xn--)|[^\x00-\x7f]")),
    Entry("U702", "invisible-character", "host_names", needs=_NON_ASCII),
    Entry("U801", "scheme-case", "schemes", default=False, needs=_UPPERCASE),
    Entry("U802", "host-case", "host_names", default=False, needs=_UPPERCASE),
    Entry("U803", "dot-segments", "paths", default=False, needs=lazy(r"/\.")),
    Entry("U804", "empty-path", "paths", default=False, needs=_ANY),
    Entry("U901", "unused-suppression", "targets"),
    Entry("U911", "missing-fragment", "targets"),
    Entry("U912", "missing-file", "targets"),
    Entry("U913", "wrong-case", "targets"),
    Entry("U914", "fragment-case", "targets"),
    Entry("U915", "undefined-reference", "targets"),
    Entry("U916", "duplicate-definition", "targets"),
    Entry("U917", "unused-definition", "targets", default=False),
    Entry("U918", "leaves-root", "targets", default=False),
    Entry("U919", "missing-label", "targets", default=False),
    Entry("U921", "malformed-link", "targets"),
    Entry("U922", "incomplete-link", "targets"),
    Entry("U951", "dead-link", "policy", default=False, needs=_ANY),
)


# The entries by code and by name.
ENTRIES = {key: entry for entry in REGISTRY for key in (entry.code, entry.name)}
