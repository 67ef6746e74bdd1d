"""The rules, in a module for each theme. A rule exists only if it is in REGISTRY (`registry.py`)."""

import functools
import importlib
import sys
import types

from urlscan.core.typing import TYPE_CHECKING
from urlscan.rules.registry import ENTRIES, REGISTRY, Entry

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
        return tuple(load(entry.code) for entry in REGISTRY)


@functools.cache
def load(code: str) -> "Rule":
    """Return the rule with a code or a name, loading its module."""
    entry = ENTRIES[code]
    module = importlib.import_module(f"urlscan.rules.{entry.module}")
    rule: Rule = getattr(module, entry.name.replace("-", "_"))
    return rule


__all__ = ["ENTRIES", "REGISTRY", "Entry", "load", "rules"]

sys.modules[__name__].__class__ = _Rules
rules = sys.modules[__name__]
