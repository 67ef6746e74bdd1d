"""The rules: one file each.  A rule that is not in REGISTRY does not exist.

To add one, read a neighbour, write its file and enter it here.  The registry repeats what choosing
rules needs, so that the files of rules that are off or have nothing to judge are never loaded; a test
holds the two together.
"""

import functools
import importlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from urlscan.rules.base import Rule


class Entry(NamedTuple):
    """What is known of a rule without loading it.

    Attributes:
        code, name: U201 and bad-escape.
        where: "module:object", in this folder.
        default: whether it is on by itself.
        profiles: the profiles by which it is on although `default` is false.
        judges_urls: whether it has a `check`.
        judges_ordinary: whether that may speak of a plainly good URL.
        judges_text: whether it has a `check_text`, for occurrences with breaks or faults.
    """

    code: str
    name: str
    where: str
    default: bool = True
    profiles: tuple[str, ...] = ()
    judges_urls: bool = True
    judges_ordinary: bool = False
    judges_text: bool = False


REGISTRY: tuple[Entry, ...] = (
    Entry("U101", "unsafe-character", "u101_unsafe_character:RULE"),
    Entry("U102", "space-in-url", "u102_space_in_url:RULE", judges_text=True),
    Entry("U103", "control-character", "u103_control_character:RULE"),
    Entry("U104", "non-ascii-character", "u104_non_ascii_character:RULE", default=False),
    Entry(
        "U105",
        "unencoded-tilde",
        "u105_unencoded_tilde:RULE",
        default=False,
        profiles=("rfc1738",),
        judges_ordinary=True,
    ),
    Entry(
        "U106",
        "unencoded-hash",
        "u106_unencoded_hash:RULE",
        default=False,
        profiles=("rfc1738",),
        judges_ordinary=True,
    ),
    Entry("U107", "bracket-in-query", "u107_bracket_in_query:RULE", default=False, profiles=("rfc1738",)),
    Entry("U201", "bad-escape", "u201_bad_escape:RULE"),
    Entry("U301", "password-in-url", "u301_password_in_url:RULE"),
    Entry("U401", "invalid-for-scheme", "u401_invalid_for_scheme:RULE"),
    Entry("U601", "hyphen-at-break", "u601_hyphen_at_break:RULE", judges_urls=False, judges_text=True),
    Entry("U603", "unclosed-wrapper", "u603_unclosed_wrapper:RULE", judges_urls=False, judges_text=True),
    Entry("U604", "prose-in-wrapper", "u604_prose_in_wrapper:RULE", judges_urls=False, judges_text=True),
    Entry("U607", "break-in-escape", "u607_break_in_escape:RULE", judges_urls=False, judges_text=True),
)


@functools.cache
def load(entry: Entry) -> "Rule":
    """Return the rule of an entry, loading its file."""
    module, name = entry.where.split(":")
    rule: Rule = getattr(importlib.import_module(f"urlscan.rules.{module}"), name)
    return rule


def entry_of(code_or_name: str) -> Entry | None:
    """Return the entry with that code or name, or None."""
    return next((entry for entry in REGISTRY if code_or_name in (entry.code, entry.name)), None)
