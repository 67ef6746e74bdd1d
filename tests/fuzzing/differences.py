"""Differences from the reference readers that are meant, each with its reason; such inputs are not compared.

A condition is as narrow as the difference allows, since the inputs for which it holds are not compared.
"""

import re
from collections.abc import Callable
from html.entities import html5
from typing import NamedTuple


class Difference(NamedTuple):
    """A known difference.

    Attributes:
        kinds: the kinds of document it occurs in.
        occurs: returns something true for a text in which it may occur.
        reason: why it is meant.
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
    """Return whether there may be a `:target:` that is no option of an image."""
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
        "the source of a template is no document yet; its expressions are read as units",
    ),
    Difference(
        ("html",),
        re.compile(rf"&(?:{_LEGACY})(?![;=A-Za-z0-9])|&#(?:[0-9]+(?![0-9;])|[xX][0-9A-Fa-f]+(?![0-9A-Fa-f;]))").search,
        "a reference without a semicolon is more often a parameter of a query: ?a=1&copy",
    ),
    Difference(
        ("html",),
        _repeats_attribute,
        "every URL is listed, also that of a second attribute of the same name, which browsers ignore",
    ),
    Difference(
        ("html",),
        re.compile(r"</[A-Za-z][^>]*=").search,
        "every URL is listed, also that of an attribute of an end tag, which browsers ignore",
    ),
    Difference(
        ("html",),
        re.compile(r"=\s*(?:\"[^\"]*?|'[^']*?|[^\s\"'>]*?)</?[A-Za-z]").search,
        "an element in the value of an attribute is a placeholder, or of a tag library",
    ),
    Difference(
        ("html",),
        re.compile(rf"(?i)<(?:{_RAW})\b[^>]*/>").search,
        "HTML ignores the slash of <script/>; libxml2 takes it for the end of the element",
    ),
    Difference(
        ("html",),
        re.compile(r"(?is)\bcontent\b.*&(?:quot;|#)").search,
        "a quotation mark of a refresh is not looked for behind an escape",
    ),
    Difference(
        ("xml",),
        re.compile(r"(?is)<(?:script|style)\b(?:(?!</(?:script|style)).)*<[a-z]").search,
        "in XML, script and style hold another language by convention, not by the grammar",
    ),
    Difference(
        ("markdown",),
        re.compile(r"\]:[ \t]*\r?\n[ \t>]*(?:[-*_=+#>]|[0-9]+[.)]|```|~~~)").search,
        "a definition may have its destination on the next line, whatever block that could begin",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?s)<!--(?!.*-->)").search,
        "a comment without an end hides nothing",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t>]*(?:(?:[-+*]|[0-9]+[.)])[ \t]+)*</?[A-Za-z!?][^\n]*\n[^\n]*\S").search,
        "what is written in Markdown inside a block of HTML is listed, though it is shown as it is",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[^\n]*\S[^\n]*\n(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])[ \t])*\[(?:[^\]\n]|\\.)+\]:").search,
        "a definition directly after a paragraph is listed, though it is shown as it is",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?s)<!--(?:(?!-->).)*\n").search,
        "a comment of several lines hides what is in it, whatever blocks begin there",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[^\n]*\S[^\n]*\n[ \t>]*(?: {4}|\t)|(?:[-+*>]|[0-9][.)])[ \t]*(?: {4}|\t)").search,
        "indented code begins after a blank line; other lines may continue a paragraph",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t>]*(?: {4}|\t)[ \t]*(?:```|~~~)").search,
        "a fence may be indented as deep as the list item that holds it, which is not looked for",
    ),
    Difference(("markdown",), re.compile(r"\[\^").search, "footnotes of GitHub, which markdown-it-py does not know"),
    Difference(
        ("markdown",),
        re.compile(r"\]\([ \t]*\r?\n").search,
        "a destination on a line of its own is read, whatever block that could begin",
    ),
    Difference(
        ("markdown",),
        re.compile(r"\]:.*\n[ \t]*(?:\(\)|\"\"|'')|\\\s|\]:[^\n]*\|[^\n]*\n[ \t>]*[-:|]").search,
        "an empty title, a backslash at the end or a bar in a definition, of which markdown-it-py makes something else",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t]*>[^\n]*(?:`|\]\([^\n)]*)[^\n]*\n[ \t]*>").search,
        "a code span or a link does not go on in the next line of a block quote",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)^[ \t>]*(?:[-+*]|[0-9]+[.)])[ \t]*\r?$").search,
        "the first line of a list item is not empty",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?m)\|[^\n]*\n[ \t>]*[-:|][-:| \t]*$").search,
        "every cell of a table is read, also where a row has more than the head",
    ),
    Difference(
        ("rst",),
        re.compile(r"(?m)^(?! |\.\. |__ )[^\n]*\S[^\n]*\n[ \t]*(?:\.\. |__ )").search,
        "explicit markup directly after a paragraph is listed",
    ),
    Difference(("rst",), re.compile(r"\\(?:\s|\Z)").search, "an escaped blank in a URI is a mistake, which is listed"),
    Difference(
        ("rst",),
        re.compile(r"`__?[^\s'\")\]}>\-/\\:.,;!?_]|\*\S[^\n]*`|:target:[ \t]*\r?\n[ \t]+:|<\r?\n").search,
        "inline markup in other inline markup, and a link that goes on behind its end, are found all the same",
    ),
    Difference(
        ("rst",),
        re.compile(r"[^\x00-\x7f\w]`|`_{1,2}[^\x00-\x7f\w]").search,
        "any character but letters and digits may surround inline markup, not only punctuation",
    ),
    Difference(("rst",), _has_odd_backquote, "a backquote that delimits nothing is passed over"),
    Difference(("rst",), _has_stray_option, "the target option is listed, whatever directive or field list it is in"),
    Difference(
        ("rst",),
        re.compile(r"::[ \t]*\r?\n(?:[ \t]*\r?\n)*[!-/:-@\[-`{-~]").search,
        "a literal block that is quoted instead of indented is read as text",
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
        "a link next to another one, with a role or over a line block, and an option that ends with two colons",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\w(?:mailto|link|image|xref):|//\S*(?:image|link|xref|mailto|pass):").search,
        "a macro begins at the beginning of a word, and not in a URL",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?m)^[ \t]+\S").search,
        "an indented paragraph is read as text",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?m)^\[[^\n]*\][ \t]*$|\]::").search,
        "what a block attribute says of a paragraph is not read",
    ),
    Difference(
        ("asciidoc",),
        re.compile(
            r"[^\s<>()\[\];\"'\\](?:https?|ftp|irc|mailto):|(?:link|xref|image):[^\[]*(?:https?|mailto|image|xref|link):"
        ).search,
        "a URL with a text in brackets is a link after any punctuation",
    ),
    Difference(("asciidoc",), re.compile(r"(?m)^= |<(?:http|mailto)").search, "the title of a document is listed"),
    Difference(("asciidoc",), re.compile(r"<<[^>]*[#.]").search, "cross references in angle brackets are not read"),
    Difference(
        ("asciidoc",),
        re.compile(r"\n[^\n]+\n[-~=^+]{3,}\n(?s:.*)\n[-~=^+]{3,}(?:\n|\Z)").search,
        "a line under a title is one, also where Asciidoctor reads a block that it delimits",
    ),
    Difference(("asciidoc",), re.compile(r"\+(?!\n)|pass:").search, "passthroughs are read as text"),
    Difference(
        ("asciidoc",),
        re.compile(r"``|`[^`]*\n[^`]*`|(?:http|mailto)[^\s\[]*[<>()\"'`]").search,
        "code spans of one backtick and one line are read, and a URL before brackets is all up to a blank",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\[\^\]|\[\w+\](?:\S|$)").search,
        "what Asciidoctor takes for an attribute of the text that follows",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?:link|https?|mailto)[^\[\s]*\[\s*\]").search,
        "a link without a text is not told from a bare URL in the output",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\[[^\]]*\n[^\w\s\]]").search,
        "the text of a link may go on in the next line, whatever block could begin there",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"(?m)^\.\S|^=+[ \t]*$").search,
        "the title of a block is read as text, and a line of equals signs begins no section",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\[[^\]]*(?:https?|mailto|xref|link|image):").search,
        "a link in the text of another one is listed",
    ),
    Difference(
        ("asciidoc",),
        re.compile(r"\b(?:xref|link|image):{1,2}[^\w./#-]").search,
        "a target that begins with punctuation",
    ),
    Difference(
        ("markdown",),
        re.compile(
            r"\]\([^\n)]*\n[ \t]*>|<[A-Za-z/][^>]*\n[ \t]*[>#*+=-]|`[^`]*\n[ \t>]*\||\[[^\]]*\n[ \t]*>|-->[^\n]*\S"
            r"|(?m:^[ \t]*(?:>|[-+*]|[0-9]+[.)])[^\n]*\n[ \t]*(?:=+|-+)[ \t]*$)"
        ).search,
        "a tag goes over any line, a code span over no row of a table nor underline, and text follows a comment",
    ),
    Difference(
        ("markdown",),
        re.compile(r"(?ms)^[ \t>]*(?:[-+*]|[0-9]+[.)])\s.*^ {0,3}(?:```|~~~)").search,
        "a fence further left closes a block in a list item, as its author meant, instead of beginning another",
    ),
    Difference(
        ("markdown",),
        _refers_to_no_character,
        "CommonMark 2.5 replaces a reference to no valid character by U+FFFD, markdown-it-py leaves it",
    ),
    Difference(
        ("html",),
        re.compile(r"[\x0b\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]").search,
        "any white space of Unicode separates attributes and URLs, not only that of HTML",
    ),
    Difference(("mail",), re.compile("-----BEGIN PGP").search, "signatures and keys are not read"),
    Difference(("mail",), re.compile("(?i)flowed").search, "flowed text is joined, which email leaves to its users"),
    Difference(
        ("mail",),
        re.compile(r"(?m)^begin [0-7]{3,4} ").search,
        "uuencoded files in plain text are decoded, which email leaves to its users",
    ),
    Difference(
        ("mail",),
        re.compile(r"(?is)quoted-printable.*==").search,
        "binascii reads == of quoted-printable as =, which RFC 2045 does not know",
    ),
    Difference(
        ("mail",),
        re.compile(r"(?i)rfc822(?:.*\n)+From ").search,
        "what follows From at the beginning of a message in a message is listed",
    ),
    Difference(
        ("mail",),
        re.compile(r"(?m)^--[!-9;-~]*:").search,
        "a line that begins with two hyphens is no header field, for it may be a delimiter",
    ),
)


def reason_to_set_aside(kind: str, text: str) -> str:
    """Return why a text is not compared; "" if it is."""
    for difference in DIFFERENCES:
        if kind in difference.kinds and difference.occurs(text):
            return difference.reason
    return ""
