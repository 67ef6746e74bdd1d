"""The table of the rules, with the properties by which they are selected.

A check loads only the modules whose rules are on. To add a rule, read the others of its theme, write it below them, and
register it here.
"""

from urlscan.core.record import NamedTuple


class Entry(NamedTuple):
    """The properties by which a rule is selected.

    Attributes:
        code, name: such as U201 and bad-escape.
        module: the module of this package that contains the rule.
        default: whether the rule is on by default.
        profiles: profiles in which the rule is on although `default` is false.
    """

    code: str
    name: str
    module: str
    default: bool = True
    profiles: tuple[str, ...] = ()


REGISTRY: tuple[Entry, ...] = (
    Entry("U101", "unsafe-character", "characters"),
    Entry("U102", "space-in-url", "characters"),
    Entry("U103", "control-character", "characters"),
    Entry("U104", "non-ascii-character", "characters", default=False, profiles=("rfc3987",)),
    Entry("U105", "unencoded-tilde", "characters", default=False, profiles=("rfc1738", "rfc1630")),
    Entry("U106", "unencoded-hash", "paths"),
    Entry("U107", "bracket-in-query", "characters", default=False, profiles=("rfc1738", "rfc2396", "rfc1630")),
    Entry("U201", "bad-escape", "escapes"),
    Entry("U202", "double-encoding", "decoding"),
    Entry("U203", "encoded-control", "escapes"),
    Entry("U204", "not-utf-8-escape", "escapes", default=False),
    Entry("U205", "lowercase-hex", "escapes", default=False),
    Entry("U206", "needless-escape", "escapes", default=False),
    Entry("U207", "encoded-dot-segment", "paths"),
    Entry("U208", "undecoded-text", "decoding"),
    Entry("U209", "dots-above-root", "paths"),
    Entry("U301", "password-in-url", "credentials"),
    Entry("U302", "userinfo-not-allowed", "credentials"),
    Entry("U303", "misleading-userinfo", "authority"),
    Entry("U304", "secret-in-query", "credentials"),
    Entry("U401", "invalid-for-scheme", "scheme_syntax"),
    Entry("U402", "invalid-host", "host_syntax"),
    Entry("U403", "invalid-port", "authority"),
    Entry("U404", "empty-port", "authority", default=False, profiles=("rfc1738", "rfc1630")),
    Entry("U405", "unknown-scheme", "schemes"),
    Entry("U406", "malformed-authority", "authority"),
    Entry("U407", "same-scheme-relative", "schemes"),
    Entry("U501", "reserved-port", "policy"),
    Entry("U502", "explicit-default-port", "policy", default=False),
    Entry("U503", "local-resource", "policy", default=False),
    Entry("U504", "insecure-scheme", "policy", default=False),
    Entry("U505", "internal-host", "policy", default=False),
    Entry("U506", "tracking-parameter", "policy", default=False),
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
    Entry("U701", "mixed-script-host", "host_names"),
    Entry("U702", "invisible-character", "host_names"),
    Entry("U801", "scheme-case", "schemes", default=False),
    Entry("U802", "host-case", "host_names", default=False),
    Entry("U803", "dot-segments", "paths", default=False),
    Entry("U804", "empty-path", "paths", default=False),
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
    Entry("U951", "dead-link", "statuses", default=False),
)


def entry_of(code_or_name: str) -> Entry | None:
    """Return the entry with that code or name, or None."""
    return next((entry for entry in REGISTRY if code_or_name in (entry.code, entry.name)), None)


def registered(code: str) -> tuple[str, str, bool, tuple[str, ...]]:
    """Return the first attributes of a rule: its code and name, whether it is on by default, and its profiles."""
    entry = next(entry for entry in REGISTRY if entry.code == code)
    return entry.code, entry.name, entry.default, entry.profiles
