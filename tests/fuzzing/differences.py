"""Intended differences from the reference readers, with reasons; affected inputs are not compared.

The conditions are as narrow as possible, so that as many inputs as possible are compared.
"""

import re
from collections.abc import Callable
from html.entities import html5
from typing import NamedTuple


class Difference(NamedTuple):
    """A known difference.

    Attributes:
        kinds: the kinds of document in which it occurs.
        occurs: returns a true value for a text in which it may occur.
        reason: why it is intended.
    """

    kinds: tuple[str, ...]
    occurs: Callable[[str], object]
    reason: str


# Named character references that HTML reads without a semicolon.
_LEGACY = "|".join(sorted((name for name in html5 if not name.endswith(";")), key=len, reverse=True))
_RAW = "script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext"
_TAG = re.compile(r"<[A-Za-z][^\s/>]*")
_ATTRIBUTE = re.compile(
    r"[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|(?![\"'])[^\s>]+))?"
)  # fmt: skip


def _repeats_attribute(text: str) -> bool:
    """Return whether a tag may have two attributes of the same name."""
    for tag in _TAG.finditer(text):
        at, names = tag.end(), set()
        while (match := _ATTRIBUTE.match(text, at)) is not None:
            at, name = match.end(), match[1].lower()
            if name in names:
                return True
            names.add(name)
    return False


_TARGET_OPTION = re.compile(r":target:")
_OPTION_OF_IMAGE = re.compile(r"(?:image|figure)::[^\n]*\n(?:[ \t]+:[^\n]*\n)*[ \t]+:target:")


def _has_stray_option(text: str) -> bool:
    """Return whether the text may contain a `:target:` that is not an option of an image."""
    return len(_TARGET_OPTION.findall(text)) > len(_OPTION_OF_IMAGE.findall(text))


_NUMERIC = re.compile(r"&#(?:([0-9]{1,7})|[xX]([0-9A-Fa-f]{1,6}));")


def _refers_to_no_character(text: str) -> bool:
    codes = (int(match[1]) if match[1] else int(match[2], 16) for match in _NUMERIC.finditer(text))
    return any(code < 0x20 or 0x7F <= code < 0xA0 or code >= 0xD800 for code in codes)


def _has_odd_backquote(text: str) -> bool:
    return any(paragraph.count("`") % 2 for paragraph in text.split("\n\n"))


DIFFERENCES = (
    Difference(
        ("html", "xml", "markdown", "rst", "asciidoc"),
        re.compile(r"\{\{|\{%|<%|<\?(?!xml )|\[%|<:|\$\{|#\{|\{#").search,
        "the source of a template is not a document; its expressions are read as units",
    ),
    Difference(
        ("html",),
        re.compile(rf"&(?:{_LEGACY})(?![;=A-Za-z0-9])|&#(?:[0-9]+(?![0-9;])|[xX][0-9A-Fa-f]+(?![0-9A-Fa-f;]))").search,
        "a reference without a semicolon is usually a query parameter: ?a=1&copy",
    ),
    Difference(
        ("html",),
        _repeats_attribute,
        "a second attribute with the same name, which browsers ignore, is listed",
    ),
    Difference(
        ("html",),
        re.compile(r"</[A-Za-z][^>]*=").search,
        "an attribute of an end tag, which browsers ignore, is listed",
    ),
    Difference(
        ("html",),
        re.compile(r"=\s*(?:\"[^\"]*?|'[^']*?|[^\s\"'>]*?)</?[A-Za-z]").search,
        "an element in the value of an attribute is a placeholder or belongs to a tag library",
    ),
    Difference(
        ("html",),
        re.compile(rf"(?i)<(?:{_RAW})\b[^>]*/>").search,
        "HTML ignores the slash of <script/>; libxml2 ends the element there",
    ),
    Difference(
        ("html",),
        re.compile(r"(?is)\bcontent\b.*&(?:quot;|#)").search,
        "an escaped quotation mark in a refresh is not recognized",
    ),
    Difference(
        ("xml",),
        re.compile(r"(?is)<(?:script|style)\b(?:(?!</(?:script|style)).)*<[a-z]").search,
        "in XML, script and style contain another language by convention, not by grammar",
    ),
    Difference(
        ("markdown",),
        re.compile(r"\]:[ \t]*\r?\n[ \t>]*(?:[-*_=+#>]|[0-9]+[.)]|```|~~~)").search,
        "a definition may have its destination on the next line, even if a block could begin there",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?s)<!--(?!.*-->)").search,
        "an unclosed comment hides nothing",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t>]*(?:(?:[-+*]|[0-9]+[.)])[ \t]+)*</?[A-Za-z!?][^\n]*\n[^\n]*\S").search,
        "Markdown inside a block of HTML is listed, although it is displayed unchanged",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[^\n]*\S[^\n]*\n(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])[ \t])*\[(?:[^\]\n]|\\.)+\]:").search,
        "a definition directly after a paragraph is listed, although it is displayed unchanged",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?s)<!--(?:(?!-->).)*\n").search,
        "a comment of several lines hides its content, even if blocks begin there",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[^\n]*\S[^\n]*\n[ \t>]*(?: {4}|\t)|(?:[-+*>]|[0-9][.)])[ \t]*(?: {4}|\t)").search,
        "indented code begins after a blank line; other lines may continue a paragraph",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t>]*(?: {4}|\t)[ \t]*(?:```|~~~)").search,
        "a fence may be indented like the enclosing list item, which is not determined",
    ),
    Difference(("markdown",), re.compile(r"\[\^").search, "markdown-it-py does not support the footnotes of GitHub"),
    Difference(
        ("markdown",),
        re.compile(r"\]\([ \t]*\r?\n").search,
        "a destination on a line of its own is read, even if a block could begin there",
    ),
    Difference(
        ("markdown",),
        re.compile(r"\]:.*\n[ \t]*(?:\(\)|\"\"|'')|\\\s|\]:[^\n]*\|[^\n]*\n[ \t>]*[-:|]").search,
        "markdown-it-py reads empty titles, final backslashes and bars in definitions differently",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t]*>[^\n]*(?:`|\]\([^\n)]*)[^\n]*\n[ \t]*>").search,
        "a code span or link does not continue on the next line of a block quote",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t>]*(?:[-+*]|[0-9]+[.)])[ \t]*\r?$").search,
        "the first line of a list item is not empty",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)\|[^\n]*\n[ \t>]*[-:|][-:| \t]*$").search,
        "every cell of a table is read, even if a row has more cells than the header",
    ),
    Difference(
        ("rst",),
        re.compile(r"(?m)^(?! |\.\. |__ )[^\n]*\S[^\n]*\n[ \t]*(?:\.\. |__ )").search,
        "explicit markup directly after a paragraph is listed",
    ),
    Difference(
        ("rst",),
        re.compile(r"\\(?:\s|\Z)").search,
        "an escaped blank in a URI is a mistake to report, so the URI is listed",
    ),
    Difference(
        ("rst",),
        re.compile(r"`__?[^\s'\")\]}>\-/\\:.,;!?_]|\*\S[^\n]*`|:target:[ \t]*\r?\n[ \t]+:|<\r?\n").search,
        "nested inline markup, and a link followed directly by text, are read",
    ),
    Difference(
        ("rst",),
        re.compile(r"[^\x00-\x7f\w]`|`_{1,2}[^\x00-\x7f\w]").search,
        "any character except letters and digits may surround inline markup, not only punctuation",
    ),
    Difference(("rst",), _has_odd_backquote, "an unpaired backquote is skipped"),
    Difference(("rst",), _has_stray_option, "the target option is listed in every directive and field list"),
    Difference(
        ("rst",),
        re.compile(r"::[ \t]*\r?\n(?:[ \t]*\r?\n)*[!-/:-@\[-`{-~]").search,
        "a quoted literal block is read as text",
    ),
    Difference(
        ("rst",),
        re.compile(r"(?m)^[ \t]*\.\.[ \t]+(?![\w:.+-]+::|_|\[[\w#*]+\]|\|)\S|^[ \t]*\.\.[ \t]*\r?\n[ \t]+\S").search,
        "a comment is read as text",
    ),
    Difference(
        ("html",),
        re.compile(r"(?is)\S.*<(?:html|head|body)\b[^>]*=").search,
        "libxml2 drops the attributes of a second html, head or body",
    ),
    Difference(("rst",), re.compile(r"(?m)^[ \t]*>>> ").search, "a doctest is read as text"),
    Difference(
        ("rst",),
        re.compile(
            r"(?m)`_{1,2}`|:`|<[^>]*`|<[^<>]*<|<[^>]*\s>|<\\|<[^>`]*\n[ \t]*\||^[ \t]*:[\w-]+:[^\n]*::[ \t]*$"
        ).search,
        "adjacent links, links with a role or in line blocks, and options ending with two colons are read differently",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\w(?:mailto|link|image|xref):|//\S*(?:image|link|xref|mailto|pass):").search,
        "a macro begins at the start of a word, not within a URL",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?m)^[ \t]+\S").search,
        "an indented paragraph is read as text",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?m)^\[[^\n]*\][ \t]*$|\]::").search,
        "block attributes of paragraphs are ignored",
    ),
    Difference(
        ("asciidoc",),
        re.compile(
            r"[^\s<>()\[\];\"'\\](?:https?|ftp|irc|mailto):|(?:link|xref|image):[^\[]*(?:https?|mailto|image|xref|link):"
        ).search,
        "a URL followed by text in brackets is a link after any punctuation",
    ),
    Difference(("asciidoc",), re.compile(r"(?m)^= |<(?:http|mailto)").search, "the title of a document is listed"),
    Difference(("asciidoc",), re.compile(r"<<[^>]*[#.]").search, "cross references in angle brackets are not read"),
    Difference(
        ("asciidoc",),
        re.compile(r"\n[^\n]+\n[-~=^+]{3,}\n(?s:.*)\n[-~=^+]{3,}(?:\n|\Z)").search,
        "a line under a title is an underline, even if Asciidoctor reads it as a block delimiter",
    ),
    Difference(("asciidoc",), re.compile(r"\+(?!\n)|pass:").search, "passthroughs are read as text"),
    Difference(
        ("asciidoc",),
        re.compile(r"``|`[^`]*\n[^`]*`|(?:http|mailto)[^\s\[]*[<>()\"'`]").search,
        "code spans have one backtick and one line, and a URL before brackets begins after a blank",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\[\^\]|\[\w+\](?:\S|$)").search,
        "Asciidoctor reads the brackets as an attribute of the following text",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?:link|https?|mailto)[^\[\s]*\[\s*\]").search,
        "a link without text cannot be distinguished from a bare URL in the output",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\[[^\]]*\n[^\w\s\]]").search,
        "the text of a link may continue on the next line, even if a block could begin there",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?m)^\.\S|^=+[ \t]*$").search,
        "the title of a block is read as text, and a line of equals signs does not begin a section",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\[[^\]]*(?:https?|mailto|xref|link|image):").search,
        "a link in the text of another one is listed",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\b(?:xref|link|image):{1,2}[^\w./#-]").search,
        "a target may begin with punctuation",
    ),
    Difference(
        ("markdown",),
        re.compile(
            r"\]\([^\n)]*\n[ \t]*>|<[A-Za-z/][^>]*\n[ \t]*[>#*+=-]|`[^`]*\n[ \t>]*\||\[[^\]]*\n[ \t]*>|-->[^\n]*\S"
            r"|(?m:^[ \t]*(?:>|[-+*]|[0-9]+[.)])[^\n]*\n[ \t]*(?:=+|-+)[ \t]*$)"
        ).search,
        "a tag continues on any line, a code span on no table row or underline, and text may follow a comment",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?ms)^[ \t>]*(?:[-+*]|[0-9]+[.)])\s.*^ {0,3}(?:```|~~~)").search,
        "a fence further left closes the code block of a list item, as intended by authors",
    ),
    Difference(
        ("markdown",),
        _refers_to_no_character,
        "CommonMark 2.5 replaces a reference to an invalid character by U+FFFD, markdown-it-py keeps it",
    ),
    Difference(
        ("html",),
        re.compile(r"[\x0b\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]").search,
        "any Unicode white space separates attributes and URLs, not only that of HTML",
    ),
    Difference(("mail",), re.compile("-----BEGIN PGP").search, "signatures and keys are not read"),
    Difference(("mail",), re.compile("(?i)flowed").search, "flowed text is joined, which email leaves to the caller"),
    Difference(
        ("mail",),
        re.compile(r"(?m)^begin [0-7]{3,4} ").search,
        "uuencoded files in plain text are decoded, which email leaves to the caller",
    ),
    Difference(
        ("mail",),
        re.compile(r"(?is)quoted-printable.*==").search,
        "binascii reads == in quoted-printable as =, contrary to RFC 2045",
    ),
    Difference(
        ("mail",),
        re.compile(r"(?i)rfc822(?:.*\n)+From ").search,
        "the text after From at the start of a nested message is listed",
    ),
    Difference(
        ("mail",),
        re.compile(r"(?m)^--[!-9;-~]*:").search,
        "a line that begins with two hyphens may be a delimiter, so it is not a header field",
    ),
)


def reason_to_set_aside(kind: str, text: str) -> str:
    """Return why a text is not compared, or ""."""
    for difference in DIFFERENCES:
        if kind in difference.kinds and difference.occurs(text):
            return difference.reason
    return ""
