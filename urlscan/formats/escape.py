"""Escape what is unsafe to print."""

import functools
import re

from urlscan.core.lazy import lazy

# Code points that act on a terminal, change the order of a text, cannot be encoded, or are invisible: C0 and C1, line
# and paragraph separators, bidirectional and format controls, interlinear annotations, tags, surrogates, and
# Default_Ignorable_Code_Point of DerivedCoreProperties.txt, except for joiners and variation selectors.
_UNSAFE = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Not letters outside Latin-1 or emoji, which joiners and selectors modify; a large class compiles slowly.
_NO_BASE, _HIGH = "\x00-\xff\u2000-\u206f\ufb00-\ufe0d", "\ufe10-\uffff\U00020000-\U0010ffff"

# A line that runners of GitHub and Gitea interpret as a workflow command; they skip white space and colors before it. A
# "::" at the end of a line is common in reStructuredText and is not a command.
_LINE_COMMAND = lazy(r"(?<![^\r\n])((?:[^\S\r\n]|\x1b\[[\d;]*m)*)::([^\r\n]*)")
# The second "#" of a command of Azure Pipelines or of older GitHub runners, which search whole lines.
COMMAND = lazy(r"(?<=#)#(?=\[|vso\[)", re.IGNORECASE)


@functools.cache
def unsafe() -> re.Pattern[str]:
    """Return the pattern of the characters that are always escaped.

    Joiners between two non-Latin letters and variation selectors after such a letter or an emoji are shown: Persian
    words and emoji are spelled with them.
    """
    base = f"[^{_NO_BASE}\ufe0e\ufe0f{_HIGH}]"
    return re.compile(
        f"[{_UNSAFE}]|(?<![^{_NO_BASE}{_HIGH}])[{_JOINERS}]|[{_JOINERS}](?!{base})|(?<!{base})[{_SELECTORS}]"
    )


def escape(text: str) -> str:
    r"""Return `text` with unsafe characters escaped as `\x1b`, `\u202e`; bytes of file names as `\xff`.

    The second character of a command of Azure Pipelines is escaped as well: `#\x23vso[`.
    """
    if "##" in text:
        text = COMMAND.sub(r"\\x23", text)
    if text.isascii() and text.isprintable():
        return text
    return unsafe().sub(lambda match: code_escape(match[0]), text)


def escape_commands(text: str) -> str:
    r"""Return lines of output with workflow commands escaped: "::" at the start of a line becomes `\x3a:`."""
    if "::" in text:
        text = _LINE_COMMAND.sub(_escaped_command, text)
    if "##" not in text:
        return text
    return COMMAND.sub(r"\\x23", text)


def _escaped_command(match: re.Match[str]) -> str:
    before, rest = match.groups()
    if before and "::" not in rest:
        return match[0]
    return rf"{before}\x3a:{rest}"


def code_escape(character: str) -> str:
    """Return a character as an escape of its code, as Python writes it."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        code -= 0xDC00
    if code < 0x100:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"
