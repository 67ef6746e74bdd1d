"""What of an HTML page goes by at once: what tells no URL, from tag to tag, in one match of one pattern.

HTML standard, section 13.2.5:  "<" and a letter begin a tag; in it, quotation marks behind "=" a value, in which ">"
                                is itself; "<!--" begins a comment, "&" an entity.

Most of a page is neither a URL nor may hold one.  How much of it depends on what is wanted.  Where relative
references, hosts and addresses count, it is text without a dot and attributes with other names.  Where only URLs with
a scheme do, it is whatever has no colon that one could begin with.
"""

import functools
import re
from collections.abc import Iterable
from string import ascii_letters

from urlscan.core.lazy import repeat

# Attributes whose value is a URL, on whatever element they stand (HTML standard, "Attributes"; XLink).
URL_ATTRIBUTES = frozenset(
    "action archive background cite classid codebase data formaction href icon itemid itemtype longdesc"
    " manifest poster profile src usemap xlink:href".split()
)
# Values that hold several: ping's are divided by white space, srcset's by commas.
URL_LISTS = frozenset(("ping", "srcset", "imagesrcset"))
# Elements without markup in them, and the kind of document they hold (HTML standard, section 13.2.6.4: "rawtext",
# "script data", "RCDATA" and "PLAINTEXT"); in XML only those that hold another language by convention.
RAW_TEXT_OF_XML = {"script": "javascript", "style": "css"}
ESCAPABLE_TEXT = ("textarea", "title")
RAW_TEXT = {**RAW_TEXT_OF_XML, **dict.fromkeys((*ESCAPABLE_TEXT, *"iframe noembed noframes plaintext xmp".split()), "")}

# What a value holds that is a URL, a host or an address, and what a style holds that refers to something.
SIGNIFICANT = ":.@&"
SIGNIFICANT_IN_STYLE = r"(/@&\\"
# Entities that stand for none of these, nor for a letter.
_INERT_ENTITIES = "nbsp|amp|lt|gt|quot|copy|reg|trade|middot|bull|[lr]aquo|[lr][sd]quo|[nm]dash|hellip|#160"
# The attributes that nearly all links have; the others do not go by.
_USUAL = ("href", "src", "background", "action")
# "javascript:" and its like are programs, and no references to anything.
PROGRAM = r"(?:(?i:javascript|vbscript|about|blob):)"


def _any_of(names: Iterable[str]) -> str:
    """Return a pattern for whole names in any case, which sees by the first letter that none is there."""
    behind: dict[str, list[str]] = {}
    for name in sorted(names):
        behind.setdefault(name[0], []).append(name[1:])
    branches = (f"[{first}{first.upper()}](?i:{'|'.join(rest)})" for first, rest in behind.items())
    return rf"(?:{'|'.join(branches)})(?![^\s=/>])"


def _inert_attributes() -> str:
    name = rf"(?!{_any_of([*URL_ATTRIBUTES, *URL_LISTS, 'http-equiv', 'content'])})[A-Za-z][\w:-]*+"
    value = rf"(?:\"[^\"{SIGNIFICANT}]*+\"|'[^'{SIGNIFICANT}]*+'|[^\s\"'>{SIGNIFICANT}]++)(?=[\s/>])"
    style = rf"(?i:style)\s*+=\s*+(?:\"[^\"{SIGNIFICANT_IN_STYLE}]*+\"|'[^'{SIGNIFICANT_IN_STYLE}]*+')(?=[\s/>])"
    return repeat(rf"\s++(?:{name}(?:\s*+=\s*+{value}|(?=[\s>])(?!\s*=))|{style})")


@functools.cache
def inert_attributes() -> re.Pattern[str]:
    """Return the pattern of attributes, with the white space before each, that tell nothing."""
    return re.compile(_inert_attributes())


@functools.cache
def skip_pattern(*, schemes_only: bool) -> re.Pattern[str]:
    """Return the pattern of what tells nothing, from tag to tag, and behind it a tag that has one URL.

    The URL is the group `url`, written as it is meant.

    Args:
        schemes_only: whether nothing without a scheme is wanted.
    """
    return _skip_to_schemes() if schemes_only else _skip_to_references()


def _skip_to_references() -> re.Pattern[str]:
    attributes = _inert_attributes()
    # A full stop or a colon tells something only where a host or a URL goes on behind it, "&" where an entity does.
    some = r"\.(?!\w)|:(?=\s++[^/\s])"
    entity = rf"&(?:(?:{_INERT_ENTITIES});|(?![#A-Za-z]))"
    shown = repeat(rf"[^<:.@&]++|{some}|:(?=<)|{entity}", 1)
    text = rf"(?>(?:{shown}(?=<|\Z))?)"
    comment = f"<!--(?!-?>){repeat(f'[^:.@-]++|-(?!-!?>)|{some}')}-->"
    opening = rf"<(?!{_any_of([*RAW_TEXT, 'base', 'meta'])})[A-Za-z][^\s/>]*+{attributes}"
    closing = r"</[A-Za-z][^\s/>]*+\s*+>"
    run = repeat(rf"(?:{opening}\s*+/?+>|{closing}|{comment}){text}")
    url = rf"(?P<mark>[\"']?)(?!{PROGRAM})(?P<url>[^\"'\s&<>{{\[]++)(?P=mark)(?=[\s/>])"
    link = rf"(?:{opening}\s++{_any_of(URL_ATTRIBUTES)}\s*+=\s*+{url}{attributes}\s*+/?+>)?"
    return re.compile(f"{text}{run}{link}")


def _skip_to_schemes() -> re.Pattern[str]:
    # No scheme ends here, nor a "mailto:" that goes on behind the blank; and what is escaped is no colon.
    no_colon = r"(?<![oO]):(?=\s++[^/\s]|<)|(?<![A-Za-z]):(?=[^\s/\\])|&(?!#|colon;)|&#(?!0*58;|[xX]0*3[aA];)"
    no_scheme = r"(?!\s*+[A-Za-z][A-Za-z0-9+.-]*+:)"
    in_double, in_single, in_text = (repeat(rf"(?:{no_colon})[^{end}:&]*+", 1) for end in (r'"\\', r"'\\", "<"))
    # In each of these the usual comes first, and the groups that repeat stand where it does not do.
    value = (
        rf"(?:\"(?:[^\":&\\]*+\"|{no_scheme}[^\":&\\]*+{in_double}\")|[^\s\"'>:&]++(?=[\s>])"
        rf"|'(?:[^':&\\]*+'|{no_scheme}[^':&\\]*+{in_single}')"
        rf"|(?<=[sS][tT][yY][lL][eE]=)(?:\"[^\"{SIGNIFICANT_IN_STYLE}]*+\"|'[^'{SIGNIFICANT_IN_STYLE}]*+'))"
    )
    # Whatever else stands in a tag, if it is no "=", and not quoted, is no value.
    attribute = rf"(?<![\s/\"'])=\s*+{value}[^>\"'=]*+"
    attributes = repeat(attribute)
    text = rf"(?:[^<:&]*+(?=<)|[^<:&]*+(?:{in_text})?(?=<|\Z)|)"
    excluded = {*RAW_TEXT, "base"}
    first = "".join(letter for letter in ascii_letters if letter.lower() not in {one[0] for one in excluded})
    name = rf"(?:[{first}]|/[A-Za-z]|(?!{_any_of(excluded)})[A-Za-z])[^\s/>\"'=]*+"
    tag = rf"{name}(?:>|(?=[\s/])[^>\"'=]*+(?:>|{repeat(attribute, 1)}>))"
    commented = repeat(f"[^:&-]++|-(?!-!?>)|{no_colon}")
    other = rf"!(?:--(?!-?>){commented}-->|(?!--|\[CDATA\[)[^>:&]*+>)"
    run = text + repeat(rf"<(?:{tag}|{other}){text}")
    usual = "|".join(rf"(?<=[\s\"'/]{''.join(f'[{c}{c.upper()}]' for c in one)})" for one in _USUAL)
    # "{" and "[" may begin an expression of a template.
    shown = r"[^\"'\s&<>{\[]++" + repeat(r"&(?!#|[A-Za-z][A-Za-z0-9]{1,31};)[^\"'\s&<>{\[]*+")
    url = rf"=\s*+(?P<mark>[\"']?)(?!{PROGRAM})(?P<url>{shown})(?P=mark)(?=[\s/>])"
    link = rf"<{name}(?=[\s/])[^>\"'=]*+{attributes}(?:{usual}){url}[^>\"'=]*+{attributes}>"
    return re.compile(f"{run}(?:{link})?")
