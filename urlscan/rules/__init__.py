"""The rules, one file each. A rule exists only if it is in REGISTRY.

To add a rule, read an existing one, write its file, which is named after its code and name, and register it here. The
registry contains the properties that the selection of rules needs, so that rules that are off or cannot apply are
never loaded. A test compares them with the attributes of the rules.
"""

import functools
import importlib
import sys
import types
from typing import TYPE_CHECKING

from urlscan.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from urlscan.rules.base import Rule


class Entry(NamedTuple):
    """The properties of a rule that are needed before it is loaded.

    Attributes:
        code, name: such as U201 and bad-escape.
        default: whether the rule is on by default.
        profiles: profiles in which the rule is on although `default` is false.
        checks_urls: whether the rule has a `check`.
        checks_fast_accepted: whether `check` may report a URL that the fast check accepts.
        checks_text: whether the rule has a `check_text`, for occurrences with breaks or faults.
        checks_breaks: whether `check_text` may report an occurrence with breaks and without faults.
        faults: the faults that `check_text` may report.
        needs_continuations: whether the rule must know if a bare URL continues on the next line.
        reports_suppressions: whether the rule reports suppression comments and not URLs.
        triggers: substrings for which `check` runs even if the fast check accepts the URL.
        checks_every_occurrence: whether `check_text` runs for every occurrence.
        needs: a substring without which `check` reports nothing.
        checks_targets: whether the rule reports the targets of relative references, or link references.
    """

    code: str
    name: str
    default: bool = True
    profiles: tuple[str, ...] = ()
    checks_urls: bool = True
    checks_fast_accepted: bool = False
    checks_text: bool = False
    checks_breaks: bool = False
    faults: tuple[str, ...] = ()
    checks_every_occurrence: bool = False
    needs_continuations: bool = False
    reports_suppressions: bool = False
    triggers: tuple[str, ...] = ()
    needs: str = ""
    checks_targets: bool = False


REGISTRY: tuple[Entry, ...] = (
    Entry("U101", "unsafe-character"),
    Entry("U102", "space-in-url", checks_text=True, checks_breaks=True, needs=" "),
    Entry("U103", "control-character"),
    Entry("U104", "non-ascii-character", default=False, profiles=("rfc3987",)),
    Entry("U105", "unencoded-tilde", default=False, profiles=("rfc1738", "rfc1630"), checks_fast_accepted=True),
    Entry("U106", "unencoded-hash", needs="#"),
    Entry("U107", "bracket-in-query", default=False, profiles=("rfc1738", "rfc2396", "rfc1630")),
    Entry("U201", "bad-escape", needs="%"),
    Entry("U202", "double-encoding", needs="%25"),
    Entry("U203", "encoded-control", needs="%"),
    Entry("U204", "not-utf-8-escape", default=False, checks_fast_accepted=True),
    Entry("U205", "lowercase-hex", default=False, checks_fast_accepted=True),
    Entry("U206", "needless-escape", default=False, checks_fast_accepted=True),
    Entry("U207", "encoded-dot-segment", needs="%2"),
    Entry("U208", "undecoded-text", triggers=("&amp;", "=3D")),
    Entry("U209", "dots-above-root", needs="/.."),
    Entry("U301", "password-in-url", needs="@"),
    Entry("U302", "userinfo-not-allowed", needs="@"),
    Entry("U303", "misleading-userinfo", needs="@"),
    Entry("U304", "secret-in-query"),
    Entry("U401", "invalid-for-scheme"),
    Entry("U402", "invalid-host"),
    Entry("U403", "invalid-port", needs=":"),
    Entry("U404", "empty-port", default=False, profiles=("rfc1738", "rfc1630")),
    Entry("U405", "unknown-scheme", checks_text=True, faults=("look-alike",)),
    Entry("U406", "malformed-authority"),
    Entry("U407", "same-scheme-relative"),
    Entry("U501", "reserved-port"),
    Entry("U502", "explicit-default-port", default=False),
    Entry("U503", "local-resource", default=False),
    Entry("U504", "insecure-scheme", default=False, checks_fast_accepted=True),
    Entry("U505", "internal-host", default=False, checks_fast_accepted=True),
    Entry("U506", "tracking-parameter", default=False, checks_fast_accepted=True),
    Entry("U601", "hyphen-at-break", checks_urls=False, checks_text=True, checks_breaks=True),
    Entry(
        "U602", "broken-bare-url", checks_urls=False, checks_text=True, faults=("goes-on",), needs_continuations=True
    ),
    Entry("U603", "unclosed-wrapper", checks_urls=False, checks_text=True, faults=("unclosed-wrapper",)),
    Entry("U604", "prose-in-wrapper", checks_urls=False, checks_text=True, faults=("prose-in-wrapper",)),
    Entry("U605", "unwrapped-url", default=False, checks_urls=False, checks_text=True, checks_every_occurrence=True),
    Entry(
        "U606", "missing-url-prefix", default=False, checks_urls=False, checks_text=True, checks_every_occurrence=True
    ),
    Entry(
        "U607", "break-in-escape", checks_urls=False, checks_text=True, checks_breaks=True, faults=("break-in-escape",)
    ),
    Entry("U608", "missing-scheme", checks_urls=False, checks_text=True, faults=("missing-scheme",)),
    Entry("U609", "punctuation-in-wrapper", checks_urls=False, checks_text=True, faults=("punctuation-in-wrapper",)),
    Entry("U610", "too-long", checks_urls=False, checks_text=True, faults=("too-long",)),
    Entry("U611", "needless-wrapper", checks_urls=False, checks_text=True, faults=("needless-wrapper",)),
    Entry("U612", "fragment-outside-wrapper", checks_urls=False, checks_text=True, faults=("fragment-outside",)),
    Entry("U701", "mixed-script-host", triggers=("xn--", "XN--")),
    Entry("U702", "invisible-character"),
    Entry("U801", "scheme-case", default=False, checks_fast_accepted=True),
    Entry("U802", "host-case", default=False, checks_fast_accepted=True),
    Entry("U803", "dot-segments", default=False),
    Entry("U804", "empty-path", default=False, checks_fast_accepted=True),
    Entry("U901", "unused-suppression", checks_urls=False, reports_suppressions=True),
    Entry("U911", "missing-fragment", checks_urls=False, checks_targets=True),
    Entry("U912", "missing-file", checks_urls=False, checks_targets=True),
    Entry("U913", "wrong-case", checks_urls=False, checks_targets=True),
    Entry("U914", "fragment-case", checks_urls=False, checks_targets=True),
    Entry("U915", "undefined-reference", checks_urls=False, checks_targets=True),
    Entry("U916", "duplicate-definition", checks_urls=False, checks_targets=True),
    Entry("U917", "unused-definition", default=False, checks_urls=False, checks_targets=True),
    Entry("U918", "leaves-root", default=False, checks_urls=False, checks_targets=True),
    Entry("U919", "missing-label", default=False, checks_urls=False, checks_targets=True),
)


class _Rules(types.ModuleType):
    """The module of this package, which is also the public function `urlscan.rules`.

    Importing the package replaces a function of the same name, so that the module itself must be callable.
    """

    def __call__(self) -> "tuple[Rule, ...]":
        """Return all rules, in order of their codes.

        >>> import urlscan
        >>> for rule in urlscan.rules()[:2]:
        ...     print(rule.code, rule.name, rule.severity.label, rule.default, rule.summary, sep="; ")
        U101; unsafe-character; error; True; URL contains a character that must be escaped
        U102; space-in-url; error; True; URL contains a space
        """
        return tuple(load(entry) for entry in REGISTRY)


def load(entry: Entry) -> "Rule":
    """Return the rule of an entry, loading its file."""
    return _loaded(f"{entry.code.lower()}_{entry.name.replace('-', '_')}")


@functools.cache
def _loaded(module: str) -> "Rule":
    rule: Rule = importlib.import_module(f"urlscan.rules.{module}").RULE
    return rule


def entry_of(code_or_name: str) -> Entry | None:
    """Return the entry with that code or name, or None."""
    return next((entry for entry in REGISTRY if code_or_name in (entry.code, entry.name)), None)


sys.modules[__name__].__class__ = _Rules
rules = sys.modules[__name__]
