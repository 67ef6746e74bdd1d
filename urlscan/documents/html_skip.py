"""Skip the parts of an HTML page in which no URL is searched, from tag to tag, in one match of one pattern.

HTML standard, section 13.2.5:  "<" and a letter begin a tag; in a tag, quotation marks after "=" delimit a value, which
                                may hold ">"; "<!--" begins a comment and "&" a character reference.

How much is skipped depends on the search. If hosts and addresses are searched, text without full stops and attributes
with other names are skipped. If they are not, so is text whose colons and slashes belong to no URL, which saves 12 % of
`check` of pages. If only URLs with a scheme are searched, everything is skipped that has no colon after the name of a
scheme: another 13 % of `extract`.
"""

import functools
import re
from collections.abc import Iterable

from urlscan.core.lazy import repeat
from urlscan.documents.kinds import Scope
from urlscan.documents.vocabularies import RAW_TEXT, URL_ATTRIBUTES, WITH_HREF, WITH_SRC

# Each URL, host and address in a value holds one of these characters, and each reference in a style one of the others.
SIGNIFICANT = ":.@&"
SIGNIFICANT_IN_STYLE = r"(/@&\\"
# Character references that show neither one of these characters nor a letter.
_INERT_ENTITIES = "nbsp|amp|lt|gt|quot|copy|reg|trade|middot|bull|[lr]aquo|[lr][sd]quo|[nm]dash|hellip|#160"
# "javascript:" and similar URLs are programs.
PROGRAM = r"(?:(?i:javascript|vbscript|about|blob):)"


def _any_of(names: Iterable[str]) -> str:
    """Return a pattern for whole names in any case that compares the first letter before the rest."""
    rests: dict[str, list[str]] = {}
    for name in sorted(names):
        rests.setdefault(name[0], []).append(name[1:])
    branches = (f"[{first}{first.upper()}](?i:{'|'.join(rest)})" for first, rest in rests.items())
    return rf"(?:{'|'.join(branches)})(?![^\s=/>])"


# The usual elements with one URL, and the attribute that holds it.
_LINK_ELEMENT = f"<(?:(?P<anchor>{_any_of(WITH_HREF)})|{_any_of(WITH_SRC)})"
_LINK_ATTRIBUTE = r"(?(anchor)[hH][rR][eE][fF]|[sS][rR][cC])"


def _inert_attributes() -> str:
    name = rf"(?!{_any_of([*URL_ATTRIBUTES, 'http-equiv', 'content'])})[A-Za-z][\w:-]*+"
    value = rf"(?:\"[^\"{SIGNIFICANT}]*+\"|'[^'{SIGNIFICANT}]*+'|[^\s\"'>{SIGNIFICANT}]++)(?=[\s/>])"
    quoted_style = rf"(?:\"[^\"{SIGNIFICANT_IN_STYLE}]*+\"|'[^'{SIGNIFICANT_IN_STYLE}]*+')"
    style = rf"(?i:style)\s*+=\s*+{quoted_style}(?=[\s/>])"
    return repeat(rf"\s++(?:{name}(?:\s*+=\s*+{value}|(?=[\s>])(?!\s*=))|{style})")


# The attributes of a tag, each with the white space before it, up to one whose value may hold a URL.
# Matches: ` width="1"`, ` nowrap align = left`, ` style="a: b" id=c`
# Does not match: ` href="b"`, ` title=jo@h.example`, ` style="b: url(c)"`
@functools.cache
def inert_attributes() -> re.Pattern[str]:
    """Return the pattern of attributes without URLs, including the white space before each."""
    return re.compile(_inert_attributes())


@functools.cache
def skip_pattern(scope: Scope) -> re.Pattern[str]:
    """Return the pattern of text and tags without URLs, and of one tag with a single URL after them.

    The group `url` is that URL if it is written without character references.
    """
    patterns = {"hosts": _skip_to_hosts, "links": _skip_to_links, "schemes": _skip_to_schemes}
    return re.compile(patterns[scope]())


# Text, tags and comments in which nothing is searched.
# Matches: `<p>text: a. b</p>`, `a <b class="c">d</b>&nbsp;`, `<!-- a -->`
# Does not match: `a.b`, `jo@h.example`, `<a href="c">`, `<p title="h.example">`, `<!-- a.b -->`
def _skip_to_hosts() -> str:
    # A full stop or a colon is skipped at the end of a word, "&" if it does not begin a reference to a letter.
    inert_mark = r"\.(?!\w)|:(?=\s++[^/\s])"
    entity = rf"&(?:(?:{_INERT_ENTITIES});|(?![#A-Za-z]))"
    characters = repeat(rf"[^<:.@&]++|{inert_mark}|:(?=<)|{entity}", 1)
    text = rf"(?>(?:{characters}(?=<|\Z))?)"
    comment = f"<!--(?!-?>){repeat(f'[^:.@-]++|-(?!-!?>)|{inert_mark}')}-->"
    name = rf"(?:/|(?!{_any_of([*RAW_TEXT, 'base', 'meta'])}))[A-Za-z][^\s/>]*+"
    tags = repeat(rf"(?:<{name}(?:>|{_inert_attributes()}\s*+/?+>)|{comment}){text}")
    return f"{text}{tags}"


# A colon that ends no scheme: white space or "<" follows it, and it is not that of "mailto: jo@h.example"; or no letter
# precedes it. Also "&" that begins no reference to a colon.
_NO_COLON = r"(?<![oO]):(?=\s++[^/\s]|<)|(?<![A-Za-z]):(?=[^\s/\\])|&(?!#|colon;)|&#(?!0*58;|[xX]0*3[aA];)"
# The same where look-alikes are searched: also not the colon of "<URL: h.example>", nor "&" that begins a slash.
_NO_MARK = (
    r"(?<![oOlL]):(?=\s++[^/\s]|<)|(?<![A-Za-z;]):(?=[^\s/\\])|/(?!/)|&(?!#|colon;|sol;)"
    r"|&#(?!0*(?:58|47);|[xX]0*(?:3[aA]|2[fF]);)"
)


def _inert_style() -> str:
    """Return the pattern of a quoted style without references; those are "url(...)" and "src(...)"."""
    in_double, in_single = (rf"[^{end}{SIGNIFICANT_IN_STYLE}]*+" for end in "\"'")
    double, single = (inside + repeat(rf"(?<![lLcC])\({inside}") for inside in (in_double, in_single))
    return rf"(?:\"{double}\"|'{single}')"


def _other_name() -> str:
    """Return the pattern of the name of an attribute that holds neither a URL nor a style."""
    return rf"(?!{_any_of([*URL_ATTRIBUTES, 'http-equiv', 'style'])})[A-Za-z][\w:.-]*+"


# Text, tags and comments in which neither links nor URLs are searched, and a tag with one URL.
# Matches: `<p>text: a.b</p>`, `jo@h.example a/b`, `<meta content="1.0">`, `<!-- a.b -->`, `<a id=b href="c/d?e&f">`
# Does not match: `http:a`, `//h.example`, `<a href="c" src=d>`, `<p title="http:a">`, `<meta http-equiv=a>`, `&#58;`
def _skip_to_links() -> str:
    # Attributes without URLs, where neither hosts nor addresses are searched.
    in_double, in_single = (rf"[^{end}:&/\\]*+" for end in "\"'")
    double, single = (inside + repeat(rf"(?:{_NO_MARK}){inside}") for inside in (in_double, in_single))
    value = rf"(?:\"{double}\"|'{single}'|[^\s\"'>:&/\\]++)(?=[\s/>])"
    named = rf"(?i:style)\s*+=\s*+{_inert_style()}(?=[\s/>])|(?i:xmlns)(?::[\w.-]++)?=\"[^\"<{{\[]*+\"(?=[\s/>])"
    attributes = repeat(rf"\s++(?:{_other_name()}(?:\s*+=\s*+{value}|(?=[\s>])(?!\s*=))|{named})")
    in_text = repeat(rf"(?:{_NO_MARK})[^<:&/]*+", 1)
    text = rf"(?:(?=<)|[^<:&/]++(?=<)|[^<:&/]*+(?:{in_text})?(?=<|\Z)|)"
    commented = repeat(f"[^:&/-]++|-(?!-!?>)|{_NO_MARK}")
    other = rf"!(?:--(?!-?>){commented}-->|(?!--|\[CDATA\[)[^>:&/]*+>)"
    name = rf"(?:/|(?!{_any_of([*RAW_TEXT, 'base'])}))[A-Za-z][^\s/>]*+"
    tags = repeat(rf"<(?:{name}(?:>|{attributes}\s*+/?+>)|{other}){text}")
    # Each copy of all attributes takes 0.8 ms to compile.
    double = r"[^\":&/\\]*+" + repeat(rf"(?:{_NO_MARK})[^\":&/\\]*+")
    usual = repeat(rf"\s++{_other_name()}(?:=(?:\"{double}\"|[^\s\"'>:&/\\]++))?(?=[\s/>])(?!\s*+=)")
    link = rf"(?:{_LINK_ELEMENT}{usual}\s++{_LINK_ATTRIBUTE}\s*+{_unquoted_url()}{usual}\s*+/?+>)?"
    return f"{text}{tags}{link}"


# Not at a scheme.
_NO_SCHEME = r"(?!\s*+[A-Za-z][A-Za-z0-9+.-]*+:)"


def _unquoted_url() -> str:
    """Return the pattern of "=" and a URL without character references and expressions of templates."""
    characters = r"[^\"'\s&<>{\[]++" + repeat(r"&(?!#|[A-Za-z][A-Za-z0-9]{1,31};)[^\"'\s&<>{\[]*+")
    return rf"=\s*+(?P<mark>[\"']?)(?!{PROGRAM})(?P<url>{characters})(?P=mark)(?=[\s/>])"


# Text, tags and comments without a scheme, and a tag with one URL.
# Matches: `<p>text: a.b</p>`, `jo@h.example`, `<td nowrap align=left>`, `<!DOCTYPE a>`, `<a href="http://h.example/">`
# Does not match: `http://h.example/`, `<a title="http://h.example/">`, `<!-- http:a -->`, `&#58;`, `<script>`
def _skip_to_schemes() -> str:
    # A value without a scheme: the usual forms precede those with a repeated group.
    in_double, in_single = (repeat(rf"(?:{_NO_COLON})[^{end}:&]*+", 1) for end in (r'"\\', r"'\\"))
    value = (
        rf"(?:\"(?:[^\":&\\]*+\"|{_NO_SCHEME}[^\":&\\]*+{in_double}\")|[^\s\"'>:&]++(?=[\s>])"
        rf"|'(?:[^':&\\]*+'|{_NO_SCHEME}[^':&\\]*+{in_single}')"
        rf"|(?<=[tT][iI][tT][lL][eE]=)\"[^\":&\\]*+{in_double}\"|(?<=[sS][tT][yY][lL][eE]=){_inert_style()})"
    )
    # Everything in a tag that is neither "=" nor quoted is not a value.
    attribute = rf"(?<![\s/\"'])=\s*+{value}[^>\"'=]*+"
    usual = repeat(r"(?<![\s/\"'])=\s*+(?:\"[^\":&\\]*+\"|[^\s\"'>:&]++(?=[\s>]))[^>\"'=]*+")  # in a link
    in_text = repeat(rf"(?:{_NO_COLON})[^<:&]*+", 1)
    text = rf"(?:(?=<)|[^<:&]++(?=<)|[^<:&]*+(?:{in_text})?(?=<|\Z)|)"
    name = rf"(?:/|(?!{_any_of([*RAW_TEXT, 'base'])}))[A-Za-z][^\s/>\"'=]*+"
    tag = rf"{name}(?:>|(?=[\s/])[^>\"'=]*+(?:>|{repeat(attribute, 1)}>))"
    commented = repeat(f"[^:&-]++|-(?!-!?>)|{_NO_COLON}")
    other = rf"!(?:--(?!-?>){commented}-->|(?!--|\[CDATA\[)[^>:&]*+>)"
    tags = repeat(rf"<(?:{tag}|{other}){text}")
    # The name of the attribute has been read before.
    named = r"(?(anchor)(?<=[\s\"'/][hH][rR][eE][fF])|(?<=[\s\"'/][sS][rR][cC]))"
    link = rf"{_LINK_ELEMENT}(?=[\s/])[^>\"'=]*+{usual}{named}{_unquoted_url()}[^>\"'=]*+{usual}>"
    return f"{text}{tags}(?:{link})?"
