"""Escaping and unescaping, by component and profile.

RFC 2396 section 2.4.2: "Implementers should be careful not to escape or unescape the same string more
than once, since unescaping an already unescaped string might lead to misinterpreting a percent data
character as another escaped character, or vice versa in the case of escaping an already escaped
string."  Text that contains escapes therefore keeps them, unless it is declared to be data, and partial unescaping
keeps "%25".
"""

import functools
import re
from collections.abc import Callable

from urlscan.core.errors import ConfigError
from urlscan.uri.grammar.characters import ESCAPE, UCSCHAR, class_of

# By component: the production whose characters are allowed unescaped, for RFC 3986 and for RFC 1738; and the delimiters
# inside it and "%", whose escapes are data and are kept when the entire component is unescaped.
# "segment" and "parameter" are single values, which contain no delimiters.
_COMPONENTS = {
    "userinfo": ("userinfo", "user", ":%"),
    "user": ("reg-name", "user", ""),
    "password": ("userinfo", "password", ""),
    "host": ("reg-name", None, ""),
    "path": ("pchar", "hsegment", "/%"),
    "segment": ("pchar", "hsegment", ""),
    "query": ("query", "hsegment", "&=+;%"),
    "parameter": ("query", "uchar", ""),
    "fragment": ("fragment", None, ""),
}
COMPONENTS = tuple(_COMPONENTS)
# RFC 2396 appendix A and the BNF of RFC 1630 use other names.
_OTHER_NAMES = {
    "rfc2396": {
        "userinfo": "userinfo", "user": "userinfo", "password": "userinfo", "host": "reg_name",
        "path": "path_segments", "segment": "pchar", "query": "uric", "parameter": "uric", "fragment": "uric",
    },
    "rfc1630": dict.fromkeys(_COMPONENTS, "xalpha"),
}  # fmt: skip
# Characters that would end or divide a single value are escaped, although the production includes them.
_NOT_IN = {"user": ":", "segment": "/", "parameter": "&=+;", "host": ":@"}


def quote(data: str | bytes, component: str, profile: str, *, raw: bool) -> str:
    """Return `data` escaped for `component`; raise ConfigError if it is unknown."""
    pattern = f"(?!{_allowed(component, profile)})."
    if isinstance(data, bytes):
        data = data.decode("ascii", "surrogateescape")
    elif not raw:
        pattern = f"{ESCAPE}|{pattern}"
    return re.sub(pattern, escape_match, data, flags=re.DOTALL)


def escape_match(match: re.Match[str]) -> str:
    """Return the escapes of the octets of a character, or an escape as it is."""
    if len(match[0]) > 1:  # an escape, which is kept
        return match[0]
    return "".join(f"%{octet:02X}" for octet in _octets(match[0]))


def _octets(text: str) -> bytes:
    """Return `text` in UTF-8; the surrogates of surrogateescape become the octets that they represent."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another surrogate, which is half of a character
        return b"".join(
            character.encode("utf-8", "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass")
            for character in text
        )


def unquote(text: str, component: str | None) -> str:
    """Return `text` with its escapes decoded once, but those of octets that are not UTF-8."""
    excluded = ""
    if component is not None:
        _check(component)
        excluded = _COMPONENTS[component][2]
    return decode_escapes(text, lambda characters: not set(characters) & set(excluded))


def unquote_to_bytes(text: str) -> bytes:
    """Return the octets that `text` represents: escapes decoded once, other characters in UTF-8."""
    octets = _octets(text)
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), octets)


# A "%", or a "%" and one digit, before an escape without being one.
_STRAY = re.compile("%[0-9A-Fa-f]?\\Z")


def decode_escapes(text: str, is_decoded: Callable[[str], bool]) -> str:
    """Return `text` with the escapes decoded whose character is `is_decoded`; others are kept."""

    def of_run(match: re.Match[str]) -> str:
        run = match[0]
        if _STRAY.search(text, max(match.start() - 2, 0), match.start()):
            return run  # "%%341": the decoded "4" would complete another escape
        pieces, position = [], 0
        for character in bytes.fromhex(run.replace("%", "")).decode("utf-8", "surrogateescape"):
            # A surrogate is an octet that is not UTF-8.
            is_valid = character < "\udc80" or character > "\udcff"
            end = position + 3 * len(character.encode("utf-8", "surrogateescape"))
            if is_valid and is_decoded(character):
                pieces.append(character)
            else:
                pieces.append(run[position:end])
            position = end
        return "".join(pieces)

    return re.sub(f"(?:{ESCAPE})+", of_run, text)


def _check(component: str) -> None:
    if component not in _COMPONENTS:
        raise ConfigError(f'unknown component "{component}"', hint=f"choose one of {', '.join(COMPONENTS)}")


@functools.lru_cache(maxsize=64)
def _allowed(component: str, profile: str) -> str:
    """Return the character class that is allowed unescaped in a component."""
    _check(component)
    modern, old, _ = _COMPONENTS[component]
    if profile in _OTHER_NAMES:
        inside = class_of(profile, _OTHER_NAMES[profile][component])
    elif profile == "rfc1738":
        inside = class_of(profile, old or "unreserved")
    else:
        inside = class_of(profile, modern)
    if component == "path":
        inside = inside[:-1] + "/]"
    if component in _NOT_IN:
        return f"(?![{re.escape(_NOT_IN[component])}]){inside}"
    return inside


@functools.cache
def unreserved(profile: str) -> re.Pattern[str]:
    """Return the pattern of characters that are equivalent to their escapes, by profile.

    RFC 3986 section 2.3; RFC 2396 section 2.3 includes the marks.  In RFC 1738 and RFC 1630 only letters, digits and
    "-", "_", "." mean the same to every reader: "+" and similar characters have other uses in queries.  RFC 3987
    section 3.2 includes letters of all scripts, except bidi controls.
    """
    if profile == "rfc2396":
        return re.compile(class_of("rfc2396", "unreserved"))
    if profile in ("rfc1738", "rfc1630"):
        return re.compile("[A-Za-z0-9._-]")
    if profile == "rfc3987":
        ascii_class = class_of("rfc3986", "unreserved")[:-1]
        return re.compile(f"(?![\u200e\u200f\u202a-\u202e]){ascii_class}{UCSCHAR}]")
    return re.compile(class_of("rfc3986", "unreserved"))
