"""The rules, in a module for each theme. A rule exists only if it is in REGISTRY (`registry.py`)."""

import functools
import importlib
import sys
import types
from typing import TYPE_CHECKING

from urlscan.rules.registry import REGISTRY, Entry, entry_of

if TYPE_CHECKING:
    from urlscan.rules.base import Rule


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


@functools.cache
def load(entry: Entry) -> "Rule":
    """Return the rule of an entry, loading its module."""
    module = importlib.import_module(f"urlscan.rules.{entry.module}")
    rule: Rule = getattr(module, entry.name.upper().replace("-", "_"))
    return rule


@functools.cache
def rule_of(code: str) -> "Rule":
    """Return the rule with a code, loading its module."""
    return load(next(entry for entry in REGISTRY if entry.code == code))


__all__ = ["REGISTRY", "Entry", "entry_of", "load", "rule_of", "rules"]

sys.modules[__name__].__class__ = _Rules
rules = sys.modules[__name__]
