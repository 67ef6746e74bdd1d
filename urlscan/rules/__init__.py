"""The rules, one file each. A rule exists only if it is in REGISTRY.

To add a rule, read an existing one, write its file and register it here. The registry contains the properties that
the selection of rules needs, so that rules that are off or cannot apply are never loaded. A test compares them with
the attributes of the rules.
"""

import functools
import importlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from urlscan.rules.base import Rule


class Entry(NamedTuple):
    """The properties of a rule that are needed before it is loaded.

    Attributes:
        code, name: such as U201 and bad-escape.
        where: "module:object", relative to this package.
        default: whether the rule is on by default.
        profiles: profiles in which the rule is on although `default` is false.
        checks_urls: whether the rule has a `check`.
        checks_fast_accepted: whether `check` may report a URL that the fast check accepts.
        checks_text: whether the rule has a `check_text`, for occurrences with breaks or faults.
        needs_continuations: whether the rule must know if a bare URL continues on the next line.
        reports_suppressions: whether the rule reports suppression comments and not URLs.
        triggers: substrings for which `check` runs even if the fast check accepts the URL.
        checks_every_occurrence: whether `check_text` runs for every occurrence.
        needs: a substring without which `check` reports nothing.
    """

    code: str
    name: str
    where: str
    default: bool = True
    profiles: tuple[str, ...] = ()
    checks_urls: bool = True
    checks_fast_accepted: bool = False
    checks_text: bool = False
    checks_every_occurrence: bool = False
    needs_continuations: bool = False
    reports_suppressions: bool = False
    triggers: tuple[str, ...] = ()
    needs: str = ""


REGISTRY: tuple[Entry, ...] = (
    Entry("U101", "unsafe-character", "u101_unsafe_character:RULE"),
    Entry("U102", "space-in-url", "u102_space_in_url:RULE", checks_text=True, needs=" "),
    Entry("U103", "control-character", "u103_control_character:RULE"),
    Entry("U104", "non-ascii-character", "u104_non_ascii_character:RULE", default=False, profiles=("rfc3987",)),
    Entry(
        "U105",
        "unencoded-tilde",
        "u105_unencoded_tilde:RULE",
        default=False,
        profiles=("rfc1738", "rfc1630"),
        checks_fast_accepted=True,
    ),
    Entry("U106", "unencoded-hash", "u106_unencoded_hash:RULE", needs="#"),
    Entry(
        "U107",
        "bracket-in-query",
        "u107_bracket_in_query:RULE",
        default=False,
        profiles=("rfc1738", "rfc2396", "rfc1630"),
    ),
    Entry("U201", "bad-escape", "u201_bad_escape:RULE", needs="%"),
    Entry("U202", "double-encoding", "u202_double_encoding:RULE", needs="%25"),
    Entry("U203", "encoded-control", "u203_encoded_control:RULE", needs="%"),
    Entry("U204", "not-utf-8-escape", "u204_not_utf_8_escape:RULE", default=False, checks_fast_accepted=True),
    Entry("U205", "lowercase-hex", "u205_lowercase_hex:RULE", default=False, checks_fast_accepted=True),
    Entry("U206", "needless-escape", "u206_needless_escape:RULE", default=False, checks_fast_accepted=True),
    Entry("U207", "encoded-dot-segment", "u207_encoded_dot_segment:RULE", needs="%2"),
    Entry("U208", "undecoded-text", "u208_undecoded_text:RULE", triggers=("&amp;", "=3D")),
    Entry("U209", "dots-above-root", "u209_dots_above_root:RULE", needs="/.."),
    Entry("U301", "password-in-url", "u301_password_in_url:RULE", needs="@"),
    Entry("U302", "userinfo-not-allowed", "u302_userinfo_not_allowed:RULE", needs="@"),
    Entry("U303", "misleading-userinfo", "u303_misleading_userinfo:RULE", needs="@"),
    Entry("U304", "secret-in-query", "u304_secret_in_query:RULE"),
    Entry("U401", "invalid-for-scheme", "u401_invalid_for_scheme:RULE"),
    Entry("U402", "invalid-host", "u402_invalid_host:RULE"),
    Entry("U403", "invalid-port", "u403_invalid_port:RULE", needs=":"),
    Entry("U404", "empty-port", "u404_empty_port:RULE", default=False, profiles=("rfc1738", "rfc1630")),
    Entry("U405", "unknown-scheme", "u405_unknown_scheme:RULE", checks_text=True),
    Entry("U406", "malformed-authority", "u406_malformed_authority:RULE"),
    Entry("U407", "same-scheme-relative", "u407_same_scheme_relative:RULE"),
    Entry("U501", "reserved-port", "u501_reserved_port:RULE"),
    Entry("U502", "explicit-default-port", "u502_explicit_default_port:RULE", default=False),
    Entry("U503", "local-resource", "u503_local_resource:RULE", default=False),
    Entry("U601", "hyphen-at-break", "u601_hyphen_at_break:RULE", checks_urls=False, checks_text=True),
    Entry(
        "U602",
        "broken-bare-url",
        "u602_broken_bare_url:RULE",
        checks_urls=False,
        checks_text=True,
        needs_continuations=True,
    ),
    Entry("U603", "unclosed-wrapper", "u603_unclosed_wrapper:RULE", checks_urls=False, checks_text=True),
    Entry("U604", "prose-in-wrapper", "u604_prose_in_wrapper:RULE", checks_urls=False, checks_text=True),
    Entry(
        "U605",
        "unwrapped-url",
        "u605_unwrapped_url:RULE",
        default=False,
        checks_urls=False,
        checks_text=True,
        checks_every_occurrence=True,
    ),
    Entry(
        "U606",
        "missing-url-prefix",
        "u606_missing_url_prefix:RULE",
        default=False,
        checks_urls=False,
        checks_text=True,
        checks_every_occurrence=True,
    ),
    Entry("U607", "break-in-escape", "u607_break_in_escape:RULE", checks_urls=False, checks_text=True),
    Entry("U608", "missing-scheme", "u608_missing_scheme:RULE", checks_urls=False, checks_text=True),
    Entry("U609", "punctuation-in-wrapper", "u609_punctuation_in_wrapper:RULE", checks_urls=False, checks_text=True),
    Entry("U610", "too-long", "u610_too_long:RULE", checks_urls=False, checks_text=True),
    Entry("U611", "needless-wrapper", "u611_needless_wrapper:RULE", checks_urls=False, checks_text=True),
    Entry(
        "U612", "fragment-outside-wrapper", "u612_fragment_outside_wrapper:RULE", checks_urls=False, checks_text=True
    ),
    Entry("U701", "mixed-script-host", "u701_mixed_script_host:RULE", triggers=("xn--", "XN--")),
    Entry("U702", "invisible-character", "u702_invisible_character:RULE"),
    Entry("U801", "scheme-case", "u801_scheme_case:RULE", default=False, checks_fast_accepted=True),
    Entry("U802", "host-case", "u802_host_case:RULE", default=False, checks_fast_accepted=True),
    Entry("U803", "dot-segments", "u803_dot_segments:RULE", default=False),
    Entry("U804", "empty-path", "u804_empty_path:RULE", default=False, checks_fast_accepted=True),
    Entry("U901", "unused-suppression", "u901_unused_suppression:RULE", checks_urls=False, reports_suppressions=True),
)


def load(entry: Entry) -> "Rule":
    """Return the rule of an entry, loading its file."""
    return _loaded(entry.where)


@functools.cache
def _loaded(where: str) -> "Rule":
    module, name = where.split(":")
    rule: Rule = getattr(importlib.import_module(f"urlscan.rules.{module}"), name)
    return rule


def entry_of(code_or_name: str) -> Entry | None:
    """Return the entry with that code or name, or None."""
    return next((entry for entry in REGISTRY if code_or_name in (entry.code, entry.name)), None)
