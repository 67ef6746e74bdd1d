"""Find the spans of a source in which no comment can be added, by kind: strings, links, markup, code, scalars."""

import bisect
import re
from collections.abc import Iterator

from urlscan.documents.comments.layout import Layout, SpanList, UnreadableError, layout_of
from urlscan.documents.comments.shell import layout_of_shell
from urlscan.documents.comments.syntax import SYNTAXES
from urlscan.documents.html import exact_regions
from urlscan.documents.regions import reader_of

_BLOCK = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SPECIAL_BLOCK = re.compile(r"<!--(?:\[|#|<!|>)")
# Matches: `<pre>a</pre>`, `<title>a\n</TITLE >`, `<svg`, `<![CDATA[<a>]]>`, `<!DOCTYPE html [<!ENTITY a "b">]>`
# Does not match: `<p>a</p>`, `<pres>`, `<!-- a -->`
_OPAQUE_ELEMENT = re.compile(
    r"""
    <(?P<name> script | style | textarea | title | pre | xmp | svg | math
      | screen | programlisting | literallayout | synopsis | verbatim )\b .*? (?: </(?P=name)\s*> | \Z )
  | <!\[CDATA\[ .*? (?: \]\]> | \Z )
  | <!DOCTYPE [^>\[]{0,2000} (?: \[[^\]]{0,4000}\] )? [^>]{0,2000} >
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_TEMPLATES = (("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<%", "%>"), ("<?", "?>"), ("[%", "%]"))
_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(?:.*\r?\n)*?\1[ \t]*(?:\r?\n|\Z)")
# Matches: `\begin{verbatim}\na\end{verbatim}`, `\begin{lstlisting*}a\end{lstlisting*}`, `\begin{minted}{c}`
# Does not match: `\begin{center}a\end{center}`, `\end{verbatim}`
_CODE_ENVIRONMENT = re.compile(
    r"""
    \\begin\{(?P<name> [A-Za-z]* (?: [Vv]erb | listing | [Cc]ode | minted | alltt | comment | filecontents )
    [A-Za-z]*\*? )\} .*? (?: \\end\{(?P=name)\} | \Z )
    """,
    re.DOTALL | re.VERBOSE,
)
_DEFINE = re.compile(r"(?ms)^[ \t]*(?:override[ \t]+|export[ \t]+)*define\b.*?(?:^[ \t]*endef\b[^\n]*|\Z)")
_BLOCK_SCALAR = re.compile(r"(?:^|[:?-])[ \t]+(?:[&!]\S*[ \t]+)*[|>][-+0-9]*[ \t]*(?:#.*)?$")
_ENTRY = re.compile(r"[ ]*(?:(?:-|\?)(?:\s|$)|[#\]}]|(?:\"[^\"]*\"|'[^']*'|[^\s#:][^:#]*):(?:\s|$)|---|\.\.\.)")
_YAML_INDENT = re.compile(r"[ ]*(?:-[ ]+)*")
_LONGEST = 1000  # characters of a line that are examined


def layout_of_kind(text: str, kind: str, language: str) -> Layout:
    """Return the spans that no comment can be written into, and the existing comments.

    Raises:
        UnreadableError: strings and comments cannot be distinguished.
    """
    if language:
        return layout_of(text, SYNTAXES[language])
    if kind == "shell":
        return layout_of_shell(text)
    if kind == "python":
        return _python(text)
    if kind == "yaml":
        return _yaml(text)
    opaque = list[tuple[int, int]]()
    if kind == "makefile":
        opaque = [match.span() for match in _DEFINE.finditer(text)]
    elif kind in ("dockerfile", "vim") and "<<" in text:
        raise UnreadableError
    elif kind not in ("ini", "properties", "dockerfile", "vim"):
        return _document(text, kind)
    return Layout(opaque, [], [])


def _document(text: str, kind: str) -> Layout:
    """Return the layout of a document: the spans of its links, markup, code and comments."""
    reader = exact_regions if kind in ("html", "xml") else reader_of(kind)
    opaque = [(p.start, p.end) for p in reader(text, kind) if p.kind or p.role not in ("prose", "comment")]
    if kind == "latex":
        opaque += [match.span() for match in _CODE_ENVIRONMENT.finditer(text)]
    if kind not in ("html", "xml", "markdown"):
        return Layout(opaque, [], [])
    blocks = [match.span() for match in _BLOCK.finditer(text)]
    opaque = [span for span in opaque if holding(blocks, span[0] + 1) is None]
    opaque += [span for span in blocks if _SPECIAL_BLOCK.match(text, span[0])]
    opaque += [match.span() for match in _OPAQUE_ELEMENT.finditer(text) if holding(blocks, match.start()) is None]
    opaque += _templates(text)
    if kind == "markdown" and (matter := _MATTER.match(text)) is not None:
        opaque = [span for span in opaque if span[0] >= matter.end()]
        opaque.append((-1, matter.end()))
    return Layout(opaque, [(start + 4, end - 3) for start, end in blocks], [])


def _templates(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of template expressions."""
    for opening, closing in _TEMPLATES:
        at = text.find(opening)
        while at >= 0 and (end := text.find(closing, at + 2)) >= 0:
            yield at, end + 2
            at = text.find(opening, end + 2)


def _python(text: str) -> Layout:
    """Return the layout of a Python program, from the tokens of the standard library."""
    import io
    import tokenize

    if "\r" in text.replace("\r\n", "\n") or "\f" in text:
        raise UnreadableError
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    layout, opened = Layout([], [], []), list[int]()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            start, end = (starts[row - 1] + column for row, column in (token.start, token.end))
            name = tokenize.tok_name[token.type]
            if name == "COMMENT":
                layout.lines.append((start, end))
            elif name == "STRING":
                layout.opaque.append((start, end))
            elif name in ("FSTRING_START", "TSTRING_START"):
                opened.append(start)
            elif name in ("FSTRING_END", "TSTRING_END"):
                layout.opaque.append((opened.pop(), end))
            elif name == "ERRORTOKEN" and token.string.strip():
                raise UnreadableError
    except (tokenize.TokenError, SyntaxError, IndexError):
        raise UnreadableError from None
    return layout


def _yaml(text: str) -> Layout:
    """Return the layout of YAML, with scalars that span lines, quoted or not."""
    scalars = list(_scalars(text))
    rest = list(text)
    for start, end in scalars:
        rest[start + 1 : end - 1] = re.sub(r"[^\n]", " ", text[start + 1 : end - 1])
    layout = layout_of("".join(rest), SYNTAXES["yaml"])
    return layout._replace(opaque=[*layout.opaque, *scalars])


def _scalars(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the block scalars of YAML, and of the plain scalars that span lines."""
    at, block, opened = 0, -1, 0
    before: tuple[int, int] | None = None  # the end of the previous line, and its indentation
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        indent = len(line) - len(line.lstrip(" "))
        if block >= 0 and bare and indent <= block:
            yield opened, at
            block, before = -1, None
        if block < 0 and bare:
            dashes = _YAML_INDENT.match(line)
            deep = dashes.end() if dashes is not None else 0
            if before is not None and indent > before[1] and not _ENTRY.match(line):
                yield before[0] - 1, at + 1
                indent = before[1]
            if _BLOCK_SCALAR.search(bare, max(0, len(bare) - _LONGEST)):
                block = deep if ":" in bare else max(bare.rfind("-", 0, deep), 0)
                opened = at + len(bare) - 1
            before = (at + len(bare), indent)
        at += len(line)
    if block >= 0:
        yield opened, len(text) + 1


def holding(spans: SpanList, at: int) -> tuple[int, int] | None:
    """Return the span that begins before an offset and ends after it, or None."""
    number = bisect.bisect_left(spans, (at,)) - 1
    return spans[number] if number >= 0 and spans[number][0] < at < spans[number][1] else None
