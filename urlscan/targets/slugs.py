"""Slug algorithms: from the text of a heading to its anchor, by the program that writes it.

Each section names the program and version that it follows; `docs/slugs.md` describes them, and `benchmarks/slugs.py`
compares them with the programs.
"""

import functools
import operator
import re
import unicodedata
from collections.abc import Callable

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.typing import TYPE_CHECKING, Literal

# Python's `\w` keeps superscripts and drops marks, so it cannot be used; most headings are ASCII and do not need it.
if TYPE_CHECKING:
    import regex

MARKDOWN = ("markdown", "ipynb")


class Part(NamedTuple):
    """A part of a heading: its role, its text as rendered, and an entity as written.

    The text of an image is the alternative one; "<br>" is a break.
    """

    role: Literal["text", "entity", "code", "image", "break"]
    text: str
    source: str = ""


class Heading(NamedTuple):
    """A heading as written, without its markers, and its parts, which are the text between tags of HTML."""

    source: str
    parts: tuple[Part, ...]


Unique = Callable[[str, dict[str, int]], str]
source_text = operator.attrgetter("source")


class Preset(NamedTuple):
    """A slug algorithm.

    Attributes:
        name: its name in `PRESETS`.
        kinds: the kinds of documents that it applies to.
        text: the text of a heading that the algorithm starts from.
        slug: returns the slug of that text.
        unique: returns the anchor for a slug, given the state of the document, which it updates.
        attributes: whether "{#id}" at the end of a heading is its id and not part of its text.
        tight: whether "#Heading" without a space is a heading.
    """

    name: str
    kinds: tuple[str, ...]
    text: Callable[[Heading], str]
    slug: Callable[[str], str]
    unique: Unique
    attributes: bool = False
    tight: bool = False


# --- shared by several programs


def rendered_text(heading: Heading) -> str:
    """Return the text of the rendered heading, as the DOM property `textContent` does: images have none."""
    return "".join([part.text for part in heading.parts if part.role != "image"])


def text_with_alternatives(heading: Heading) -> str:
    """Return the text of the rendered heading, with the alternative texts of images."""
    return "".join([part.text for part in heading.parts])


def first_free(slug: str, used: dict[str, int]) -> str:
    """Return the slug, or with "-1", "-2", ... the first one that no heading of the document has."""
    anchor = slug
    while anchor in used:
        used[slug] += 1
        anchor = f"{slug}-{used[slug]}"
    used[anchor] = 0
    return anchor


def numbered(slug: str, used: dict[str, int]) -> str:
    """Return the slug for the first heading that has it, and "-1", "-2", ... for the next ones, even if in use."""
    count = used.get(slug, 0)
    used[slug] = count + 1
    return f"{slug}-{count}" if count else slug


# Classes of letters and digits; of ASCII, each has the letters, the digits and "_".
_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
# Dashes, quotation marks and ellipses, which are in none of them.
_TYPOGRAPHIC = lazy("[\u2010-\u2027]+")
_HYPHENED = str.maketrans(" \t", "--")
_BLANKS = " \t\n\v\f\r"
# The ASCII characters that are neither letters, digits nor "_"; `bytes.translate` takes a third of the time of `re`.
_OTHER_ASCII = bytes(code for code in range(128) if not (chr(code).isalnum() or chr(code) == "_"))
_TO_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def _keep(text: str, letters: str, others: str) -> str:
    """Return a text without the characters that are in neither of two classes of characters."""
    if not text.isascii():
        text = _TYPOGRAPHIC.sub("", text)
    if text.isascii():
        return text.encode().translate(None, _OTHER_ASCII.translate(None, others.encode())).decode()
    return _pattern(rf"[^{letters}{others}]+").sub("", text)


@functools.cache
def _pattern(pattern: str) -> "regex.Pattern[str]":
    """Return a pattern with properties of Unicode; the import takes 20 ms."""
    import regex

    return regex.compile(pattern)


def _lower_each(text: str) -> str:
    """Return a text in lower case, character by character as in Ruby and Haskell: no sigma is a final one."""
    return text.lower() if text.isascii() else "".join([character.lower() for character in text])


def _last_line(source: str) -> str:
    return source.rpartition("\n")[2].strip(_BLANKS)


# --- GitHub, and the programs that use github-slugger: Docusaurus, Astro, rehype-slug, MyST, marked-gfm-heading-id
# Source: github-slugger 2.0.0 (2022), whose table of characters is that of GitHub; @docusaurus/utils 3.10.2
# (`parseMarkdownHeadingId`): "{#id}" at the end of a heading is its id; org-ruby 0.9, the renderer of GitHub, whose
# headings get the slugs of the host. Org itself has only the anchors of `CUSTOM_ID`.
def github_slug(text: str) -> str:
    """Return the slug of the text of a heading. Nothing is trimmed, and hyphens are not squeezed."""
    return _keep(text.lower(), _WORD, " -").replace(" ", "-")


# --- GitLab: as GitHub, but trimmed, with hyphens squeezed, and no anchor of digits only
# Source: `lib/gitlab/utils/markdown.rb` and `table_of_contents_filter.rb` of GitLab, as of 2025. The application cannot
# be run alone, so the regular expressions are compared in Ruby.
# "**(PREMIUM ONLY)**": the tier of a feature, in the documentation of GitLab.
_TIER = lazy(r"\s*\**\((?:core|starter|premium|ultimate)(?:\s+only)?\)\**")
_HYPHENS = lazy("-{2,}")
_DIGITS = lazy("[0-9]+")


def gitlab_slug(text: str) -> str:
    """Return the slug of the first 255 characters of a heading."""
    lower = _lower_each(text[:255].strip("\0" + _BLANKS))
    anchor = _HYPHENS.sub("-", github_slug(_TIER.sub("", lower) if "(" in lower else lower))
    return f"anchor-{anchor}" if _DIGITS.fullmatch(anchor) else anchor


# --- mdBook: letters and numbers of every script, lower case for ASCII only
# Source: `id_from_content` and `unique_id` of mdbook-html 0.5 (2025). `char::is_alphanumeric` of Rust: the properties
# Alphabetic and Numeric; `char::is_whitespace`: White_Space.
_ASCII_SPACE = lazy(f"[{_BLANKS}]")


def mdbook_slug(text: str) -> str:
    """Return the slug of the text of a heading; white space at the edges is trimmed."""
    kept = _keep(text.strip(), r"\p{Alphabetic}\p{N}_\p{White_Space}", f"{_BLANKS}-")
    space = _ASCII_SPACE if kept.isascii() else _pattern(r"\p{White_Space}")
    return space.sub("-", kept).translate(_TO_LOWER)


# --- goldmark without an id factory of its own (Gitea, and programs in Go that use its defaults)
# Source: `parser.IDs` of goldmark 1.5. The slug is made from the bytes of the last line of the heading as written, so
# that the destination of a link is in it.
_NO_GOLDMARK = lazy(r"[^a-z0-9 \t\n\v\f\r_-]")
_SEPARATOR = lazy(r"[ \t\n\v\f\r_-]")


def goldmark_slug(source: str) -> str:
    """Return the slug of the source of a heading."""
    return _SEPARATOR.sub("-", _NO_GOLDMARK.sub("", _last_line(source).translate(_TO_LOWER))) or "heading"


# --- Hugo: the three values of `markup.goldmark.parser.autoHeadingIDType` (autoIDType since 0.139)
# Source: `markup/goldmark/autoid.go` of Hugo 0.111 and 0.139, and `SanitizedAnchorName` of Blackfriday 2. The slug is
# made from the last line of the heading as written (0.164: of its text), without marks; Go knows no final sigma.
def hugo_slug(source: str) -> str:
    """Return the slug of type "github"."""
    return _lower_first(_keep(_last_line(source), r"\p{L}\p{Nd}_", " \t-").translate(_HYPHENED)) or "heading"


def hugo_ascii_slug(source: str) -> str:
    """Return the slug of type "github-ascii": accents are removed, other characters are dropped."""
    text = _last_line(source)
    if not text.isascii():
        unmarked = _pattern(r"\p{Mn}+").sub("", unicodedata.normalize("NFD", text))
        text = unicodedata.normalize("NFC", unmarked).encode("ascii", "ignore").decode()
    return _lower_first(_keep(text, "", " \t-").translate(_HYPHENED)) or "heading"


def hugo_blackfriday_slug(source: str) -> str:
    """Return the slug of type "blackfriday": each other sequence of characters is one hyphen, none at the edges."""
    return _lower_first(_pattern(r"[^\p{L}\p{N}]+").sub("-", _last_line(source)).strip("-")) or "heading"


def _lower_first(text: str) -> str:
    return text.lower() if text.isascii() else "".join([character.lower()[:1] for character in text])


# --- MkDocs: the extension `toc` of Python-Markdown, and the function `slugify_unicode` of the same module
# Source: `markdown/extensions/toc.py` of Python-Markdown 3.10.
_NO_WORD = lazy(r"[^\w\s-]")
_HYPHENS_AND_SPACE = lazy(r"[-\s][-\s]*")
_NUMBERED = lazy(r"(.*)_([0-9]{1,15})\Z", re.DOTALL)


def mkdocs_text(heading: Heading) -> str:
    """Return the text of the rendered heading, with white space collapsed."""
    return " ".join(rendered_text(heading).split())


def mkdocs_slug(text: str) -> str:
    """Return the slug of the text of a heading: its ASCII characters, after compatibility decomposition."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return mkdocs_unicode_slug(text)


def mkdocs_unicode_slug(text: str) -> str:
    """Return the slug with word characters of every script."""
    return _HYPHENS_AND_SPACE.sub("-", _NO_WORD.sub("", text).strip().lower())


def mkdocs_unique(slug: str, used: dict[str, int]) -> str:
    """Return the slug, or with "_1", "_2", ... the first one that is free; a number at its end is increased.

    The state holds for each numbered anchor a later number that may be free, so that no sequence of headings takes
    quadratic time.
    """
    if slug and slug not in used:
        used[slug] = 0
        return slug
    match = _NUMBERED.match(slug)
    base, number = (match[1], int(match[2]) + 1) if match is not None else (slug, 1)
    passed = []
    while (anchor := f"{base}_{number}") in used:
        passed.append(anchor)
        number = used[anchor] or number + 1
    used.update(dict.fromkeys(passed, number))
    used[anchor] = 0
    return anchor


# --- kramdown with its own parser, and with the one for GitHub's Markdown (Jekyll and GitHub Pages)
# Source: `generate_id` in `kramdown/converter/base.rb` of kramdown 2.4: the slug is made from the heading as written;
# `generate_gfm_header_id` in `kramdown/parser/gfm.rb` of kramdown-parser-gfm 1.1.
# The beginning of every line up to its first letter.
_BEGINNING = lazy("^[^a-zA-Z]+", re.MULTILINE)
_NO_KRAMDOWN = lazy("[^a-zA-Z0-9 -]")
# Typographic symbols: "--" and "---" become dashes, which are dropped.
_DASHES = lazy("---?")


def kramdown_slug(source: str) -> str:
    """Return the slug of the source of a heading."""
    return _NO_KRAMDOWN.sub("", _BEGINNING.sub("", source)).replace(" ", "-").lower() or "section"


def jekyll_text(heading: Heading) -> str:
    """Return the text of the rendered heading after smart typography, without images."""
    parts = heading.parts
    return "".join([_DASHES.sub("", text) if role == "text" else text for role, text, _ in parts if role != "image"])


def jekyll_slug(text: str) -> str:
    """Return the slug of the text of a heading."""
    return _keep(_lower_each(text), _WORD, " \t-").translate(_HYPHENED)


# --- VitePress and VuePress: markdown-it-anchor with the slugs of @mdit-vue/shared
# Source: `slugify` of @mdit-vue/shared 3.0.2, and vitepress 1.6.4.
_CONTROL = lazy(r"[\0-\x1f]+")
_COMBINING = lazy("[\u0300-\u036f]+")
# White space (as in JavaScript) and punctuation.
_JS_SPACE = r" \t\n\v\f\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_PUNCTUATION = r"~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'<>,.?/"
_SPECIAL = lazy(f"[{_JS_SPACE}{_PUNCTUATION}\u201c\u201d\u2018\u2019]+")
_EMOJI = lazy(":[A-Za-z0-9_+-]{1,60}:")


def vitepress_text(heading: Heading) -> str:
    """Return the text of the heading: no images, no shortcodes of emoji (":tada:"), entities in a text as written."""
    parts = heading.parts
    texts = []
    for number, part in enumerate(parts):
        if part.role == "text":
            texts.append(_EMOJI.sub("", part.text))
        elif part.role == "entity":
            neighbors = parts[max(number - 1, 0) : number + 2]
            is_alone = sum(neighbor.role in ("text", "entity") for neighbor in neighbors) == 1
            texts.append(part.text if is_alone else part.source)
        elif part.role == "code":
            texts.append(part.text)
    return "".join(texts)


def vitepress_slug(text: str) -> str:
    """Return the slug of the text of a heading."""
    folded = _CONTROL.sub("", _COMBINING.sub("", unicodedata.normalize("NFKD", text)))
    anchor = _SPECIAL.sub("-", folded).strip("-")
    return (f"_{anchor}" if "0" <= anchor[:1] <= "9" else anchor).lower()


# --- Hexo: hexo-renderer-marked, with and without typographic signs (`smartypants`); the letter case is kept
# Source: `slugize` of hexo-util 3.3 and `smartypants` of marked 15.
_ASCII_SPECIAL = lazy(f"[{_JS_SPACE}{_PUNCTUATION}]+")
_ACCENTED = lazy("[\u00c0-\u024f\u1e00-\u1eff]+")
_UNACCENTED = str.maketrans("\u00d8\u00df\u00f8\u0110\u0111\u0131\u0141\u0142", "OsoDdiLl") | {0xC6: "AE", 0xE6: "ae"}
_TAG = lazy("<[^<>]*>")
_SIGNS = (
    ("---", "\u2014"), ("--", "\u2013"), (r"(^|[-\u2014/(\[{\"\s])'", "\\1\u2018"), ("'", "\u2019"),
    (r"(^|[-\u2014/(\[{\u2018\s])\"", "\\1\u201c"), ('"', "\u201d"), (r"\.\.\.", "\u2026"),
)  # fmt: skip


def hexo_text(signs: tuple[tuple[str, str], ...], heading: Heading) -> str:
    """Return the text of the heading with typographic signs; most entities are as written."""
    texts = []
    for role, text, source in heading.parts:
        for pattern, sign in signs if role == "text" else ():
            text = re.sub(pattern, sign, text)
        if role == "entity" and text not in "&<>\"'":
            text = source
        if role != "image":
            texts.append(text)
    return "".join(texts)


def hexo_slug(text: str) -> str:
    """Return the slug of the text of a heading, without tags, also in code; Latin letters lose their accents."""
    plain = _CONTROL.sub("", _TAG.sub("", text)).translate(_UNACCENTED)
    plain = _ACCENTED.sub(lambda match: _COMBINING.sub("", unicodedata.normalize("NFKD", match[0])), plain)
    return _ASCII_SPECIAL.sub("-", plain).strip("-")


# --- Pandoc: the extension `auto_identifiers` of its Markdown
# Source: the manual, section "Extension: auto_identifiers", and pandoc 2.17.
_SMART = lazy(r"---?|\.\.\.")
_LETTER = lazy("[A-Za-z]")


def pandoc_text(heading: Heading) -> str:
    """Return the text of the rendered heading after smart typography, with the alternative texts of images."""
    return "".join([_SMART.sub("", text) if role == "text" else text or " " for role, text, _ in heading.parts])


def pandoc_slug(text: str) -> str:
    """Return the slug of the text of a heading; it begins with a letter."""
    anchor = "-".join(_keep(_lower_each(text), r"\p{L}\p{N}_\s", f".{_BLANKS}-").split())
    letter = (_LETTER if anchor.isascii() else _pattern(r"\p{L}")).search(anchor)
    return anchor[letter.start() :] if letter is not None else "section"


# --- JupyterLab and nbconvert: the text of the heading with hyphens for spaces, in its own case
# Source: `add_anchor` in `nbconvert/filters/strings.py` of nbconvert 7. Duplicates have the same anchor.
def jupyter_slug(text: str) -> str:
    """Return the slug of the text of a heading."""
    return text.replace(" ", "-")


# --- Docutils: ids of section titles and targets; Sphinx: duplicates and titles without ASCII letters are "id1", "id2"
# Source: `make_id` and `document.set_id` in `docutils/nodes.py` of Docutils 0.22; Sphinx 9.0 (`auto_id_prefix = "id"`).
# The numbers of Sphinx count footnotes and other elements, too, so they are only an approximation.
# Letters that have no decomposition, and ligatures.
_PLAIN = (
    "\u00f8\u0111\u0127\u0131\u0142\u0167\u0180\u0183\u0188\u018c\u0192\u0199\u019a\u019e\u01a5\u01ab\u01ad\u01b4"
    "\u01b6\u01e5\u0225\u0234\u0235\u0236\u0237\u023c\u023f\u0240\u0247\u0249\u024b\u024d\u024f",
    "odhiltbbcdfklnpttyzgzlntjcszejqry",
)
_LIGATURES = {"\u00df": "sz", "\u00e6": "ae", "\u0153": "oe", "\u0238": "db", "\u0239": "qp"}
_LETTERS = str.maketrans(dict(zip(*_PLAIN, strict=True)) | _LIGATURES)
_NO_ID = lazy("[^a-z0-9]+")
_EDGES = lazy("^[-0-9]+|-+$")


def docutils_slug(text: str) -> str:
    """Return the id for a name: of ASCII letters, digits and single hyphens, beginning with a letter; "" for none."""
    name = text.lower()
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return _EDGES.sub("", _NO_ID.sub("-", " ".join(name.split())))


def docutils_unique(slug: str, used: dict[str, int], prefix: str = "") -> str:
    """Return the id, or with "-1", "-2", ... the first one that is free; without a name, "section-1" and so on.

    With a prefix, it is "id1", "id2" and so on.
    """
    prefix = prefix or f"{slug or 'section'}-"
    anchor, counter = slug, f"{prefix}-"  # no id ends with a hyphen
    while not anchor or anchor in used:
        used[counter] = used.get(counter, 0) + 1
        anchor = f"{prefix}{used[counter]}"
    used[anchor] = 0
    return anchor


# --- Asciidoctor, with the attributes `idprefix` and `idseparator`
# Source: `Section.generate_id` of Asciidoctor 2.0. GitHub renders AsciiDoc with an empty prefix and hyphens.
def asciidoctor(name: str, prefix: str, separator: str) -> Preset:
    """Return the preset with the values of `idprefix` and `idseparator`, of which the first character counts."""
    slug, unique = _asciidoctor_functions(prefix, separator[:1])
    return Preset(name, ("asciidoc",), rendered_text, slug, unique)


@functools.cache
def _asciidoctor_functions(prefix: str, separator: str) -> tuple[Callable[[str], str], Unique]:
    squeezed = re.compile(rf"[ .\-{re.escape(separator)}]+")

    def slug(text: str) -> str:
        anchor = prefix + _keep(_lower_each(text), _WORD, " .-")
        if not separator:
            return anchor.replace(" ", "")
        anchor = squeezed.sub(separator, anchor).removesuffix(separator)
        return anchor if prefix else anchor.removeprefix(separator)

    def unique(slug: str, used: dict[str, int]) -> str:
        """Append 2, 3, ... to the slug of another heading."""
        anchor = slug
        while anchor in used:
            used[slug] = max(used[slug], 1) + 1
            anchor = f"{slug}{separator}{used[slug]}"
        used[anchor] = 0
        return anchor

    return slug, unique


# --- the registry
_PRESETS = (
    Preset("github", (*MARKDOWN, "rst"), rendered_text, github_slug, first_free),
    Preset("docusaurus", MARKDOWN, text_with_alternatives, github_slug, first_free, attributes=True),
    Preset("gitlab", MARKDOWN, rendered_text, gitlab_slug, numbered),
    Preset("mdbook", MARKDOWN, rendered_text, mdbook_slug, first_free, attributes=True),
    Preset("goldmark", MARKDOWN, source_text, goldmark_slug, first_free, attributes=True),
    Preset("hugo", MARKDOWN, source_text, hugo_slug, first_free, attributes=True),
    Preset("hugo-rendered", MARKDOWN, text_with_alternatives, hugo_slug, first_free, attributes=True),
    Preset("hugo-ascii", MARKDOWN, source_text, hugo_ascii_slug, first_free, attributes=True),
    Preset("hugo-blackfriday", MARKDOWN, source_text, hugo_blackfriday_slug, first_free, attributes=True),
    Preset("mkdocs", MARKDOWN, mkdocs_text, mkdocs_slug, mkdocs_unique, attributes=True, tight=True),
    Preset("mkdocs-unicode", MARKDOWN, mkdocs_text, mkdocs_unicode_slug, mkdocs_unique, attributes=True, tight=True),
    Preset("kramdown", MARKDOWN, source_text, kramdown_slug, numbered, attributes=True, tight=True),
    Preset("jekyll", MARKDOWN, jekyll_text, jekyll_slug, numbered, attributes=True),
    Preset("vitepress", MARKDOWN, vitepress_text, vitepress_slug, first_free, attributes=True),
    Preset("hexo", ("markdown",), functools.partial(hexo_text, _SIGNS), hexo_slug, numbered),
    Preset("hexo-plain", ("markdown",), functools.partial(hexo_text, ()), hexo_slug, numbered),
    Preset("pandoc", MARKDOWN, pandoc_text, pandoc_slug, first_free, attributes=True),
    Preset("jupyter", ("ipynb",), rendered_text, jupyter_slug, lambda slug, _: slug),
    Preset("docutils", ("rst",), rendered_text, docutils_slug, docutils_unique),
    Preset("sphinx", ("rst",), rendered_text, docutils_slug, functools.partial(docutils_unique, prefix="id")),
    asciidoctor("asciidoctor", "_", "_"),
    asciidoctor("asciidoctor-github", "", "-"),
    Preset("org", ("org",), rendered_text, github_slug, first_free),
)
PRESETS = {preset.name: preset for preset in _PRESETS}
# Names in the configuration that mean several algorithms: the settings of the program decide which one applies, and
# they are not read. "docutils" is what Docutils and Sphinx have in common except for duplicates.
FAMILIES: dict[str, tuple[str, ...]] = {
    "github": ("github", "docusaurus", "docutils"),  # the forge keeps the names that docutils writes
    "hexo": ("hexo", "hexo-plain"),
    "hugo": ("hugo", "hugo-rendered", "hugo-ascii", "hugo-blackfriday"),
    "mkdocs": ("mkdocs", "mkdocs-unicode"),
    "kramdown": ("kramdown", "jekyll"),
    "docutils": ("docutils", "sphinx"),
    "asciidoctor": ("asciidoctor", "asciidoctor-github"),
}


@functools.cache
def presets_for(kind: str, name: str) -> tuple[Preset, ...]:
    """Return the algorithms by a name in FAMILIES or PRESETS; all of the kind for "auto" and names of other kinds."""
    if name != "auto":
        presets = tuple(preset for member in FAMILIES.get(name, (name,)) if kind in (preset := PRESETS[member]).kinds)
        if presets:
            return presets
    # Hexo alone keeps the letter case, and its sites are detected.
    return tuple(preset for preset in _PRESETS if kind in preset.kinds and preset.slug is not hexo_slug)
