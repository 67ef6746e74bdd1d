"""The rules, one file each. A rule exists only if it is in REGISTRY.

To add a rule, read an existing one, write its file, which is named after its code and name, and register it here. The
registry contains the properties that the selection of rules needs, so that rules that are off are never loaded. A test
compares them with the attributes of the rules.
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
    """The properties by which a rule is selected.

    Attributes:
        code, name: such as U201 and bad-escape.
        default: whether the rule is on by default.
        profiles: profiles in which the rule is on although `default` is false.
    """

    code: str
    name: str
    default: bool = True
    profiles: tuple[str, ...] = ()


REGISTRY: tuple[Entry, ...] = (
    Entry("U101", "unsafe-character"),
    Entry("U102", "space-in-url"),
    Entry("U103", "control-character"),
    Entry("U104", "non-ascii-character", default=False, profiles=("rfc3987",)),
    Entry("U105", "unencoded-tilde", default=False, profiles=("rfc1738", "rfc1630")),
    Entry("U106", "unencoded-hash"),
    Entry("U107", "bracket-in-query", default=False, profiles=("rfc1738", "rfc2396", "rfc1630")),
    Entry("U201", "bad-escape"),
    Entry("U202", "double-encoding"),
    Entry("U203", "encoded-control"),
    Entry("U204", "not-utf-8-escape", default=False),
    Entry("U205", "lowercase-hex", default=False),
    Entry("U206", "needless-escape", default=False),
    Entry("U207", "encoded-dot-segment"),
    Entry("U208", "undecoded-text"),
    Entry("U209", "dots-above-root"),
    Entry("U301", "password-in-url"),
    Entry("U302", "userinfo-not-allowed"),
    Entry("U303", "misleading-userinfo"),
    Entry("U304", "secret-in-query"),
    Entry("U401", "invalid-for-scheme"),
    Entry("U402", "invalid-host"),
    Entry("U403", "invalid-port"),
    Entry("U404", "empty-port", default=False, profiles=("rfc1738", "rfc1630")),
    Entry("U405", "unknown-scheme"),
    Entry("U406", "malformed-authority"),
    Entry("U407", "same-scheme-relative"),
    Entry("U501", "reserved-port"),
    Entry("U502", "explicit-default-port", default=False),
    Entry("U503", "local-resource", default=False),
    Entry("U504", "insecure-scheme", default=False),
    Entry("U505", "internal-host", default=False),
    Entry("U506", "tracking-parameter", default=False),
    Entry("U601", "hyphen-at-break"),
    Entry("U602", "broken-bare-url"),
    Entry("U603", "unclosed-wrapper"),
    Entry("U604", "prose-in-wrapper"),
    Entry("U605", "unwrapped-url", default=False),
    Entry("U606", "missing-url-prefix", default=False),
    Entry("U607", "break-in-escape"),
    Entry("U608", "missing-scheme"),
    Entry("U609", "punctuation-in-wrapper"),
    Entry("U610", "too-long"),
    Entry("U611", "needless-wrapper"),
    Entry("U612", "fragment-outside-wrapper"),
    Entry("U701", "mixed-script-host"),
    Entry("U702", "invisible-character"),
    Entry("U801", "scheme-case", default=False),
    Entry("U802", "host-case", default=False),
    Entry("U803", "dot-segments", default=False),
    Entry("U804", "empty-path", default=False),
    Entry("U901", "unused-suppression"),
    Entry("U911", "missing-fragment"),
    Entry("U912", "missing-file"),
    Entry("U913", "wrong-case"),
    Entry("U914", "fragment-case"),
    Entry("U915", "undefined-reference"),
    Entry("U916", "duplicate-definition"),
    Entry("U917", "unused-definition", default=False),
    Entry("U918", "leaves-root", default=False),
    Entry("U919", "missing-label", default=False),
    Entry("U921", "malformed-link"),
    Entry("U922", "incomplete-link"),
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
