"""Tokens that `tests/timing_search.py` combines: they are significant to the finder, the rules or a kind of source."""

# ruff: noqa: E501 - a token is easier to find in a list without line breaks

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Iterable, Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import urlscan.documents.mail
import urlscan.finder
from urlscan.core.lazy import LazyPattern
from urlscan.documents import KINDS
from urlscan.documents.languages import LANGUAGES
from urlscan.documents.link_forms import MARKUP_LANGUAGES

_ANY = [
    *"a\" \" ' ` \\ < > ( ) [ ] { } * + - = | ~ # % & ; , . : / ? @ ! $ ^ _ 0 é 漢".split(" "),
    " ", "\t", "\n", "\n\n", "\r\n", "\r", "  ", "\u00a0", "\x00", "\x1b", "\udc80", "\u200b", "\u202e",
    "''", '""', "``", "```", "***", "---", "===", "//", "/*", "*/", "::", "..", "\\\\", "\\\"", "\\n", "\\u0026", "\\x41",
    "<URL:", "URL:", "url: ", "<url:http://h.example/a b>", "http:", "http://", "http://h", "http://h.example/",
    "http://h.example/a ", "<http://h.example/a ", "<http://h.example/a\n", "http://h.example/a-\n", "http://a:b@",
    "http://a:b@h.example/ ", "http://&a", "://", ":a@", "@h", "//a:", "//a:b ", "a@h.example ", "www.h.example ", "h.example", "mailto:",
    "mailto:a@h", "news:", "news:a@h.example ", "urn:a:b", "sip:a:b@h", "data:,", "tel:1", "file:///", "ftp://h/%2F", "geo:",
    "doi:10.1/", "ldap://h/?", "nntp://h/a/1", "wais://h/", "gopher://h/1", "prospero://h/", "cid:a", "mid:a/b",
    "%2", "%25", "%41", "%zz", "%2F", "%3A", "%c3%bc", "?a=b&", "&a=b", ";a=b", "?token=abcdefgh", "&amp;", "&#x41;", "&#", "&a",
    "/../", "/./", "//h", "/a", "?", "#a", "[::1]", "http://[", "http://h:8", "http://h:", "http://\\", "http:\\\\", "http:/h", "htp://",
    "http://h.example/{a}", "http://h.example/%s", "${a}", "{{", "%(a)s", "xn--a.", "a.", "a-", "-\n", "=\n", ">", "> ", ">>", "\n> ", "\n# ", "\n * ",
    "urlscan: ignore[U201] ", "urlscan: ignore-next-line\n", "urlscan: ignore", "IGNORE", "(see http://h.example/a)", "http://h.example/a|b ",
    "http://h.example/a|b\n", "<http://h.example/a b>\n", "http://h.example/ü ", "HTTP://H.EXAMPLE/%7e ",
]  # fmt: skip

_OWN: dict[str, str] = {
    "html": "<a|href=|<a href=\"|<a href='|<a href=http://h.example/a|\">|'>|<!--|-->|--|<!|<?|<script>|</script>|<style>|</style>|"
    "url(|<textarea>|<title>|</|/>|<base href=|<meta |http-equiv=|content=\"0;url=|srcset=\"|style=\"|&amp;|&colon;|&#58;|"
    "<![CDATA[|]]>|<img src=|=\"|='| =|\" |<a\n|<pre>|<a a=|@import |javascript:|<a href=\"http://h.example/a|b\">",
    "markdown": "!!! n\n|=== \"a\"\n|[^1]:|](|[a](|[a](<|[a]: |[a]:\n|\\]|![|***|___|~~~|```|> |- |1. |\n    a|\n\n    a|\n\n\ta|\n- a\n\n      b|<a|<!--|-->|](a \"|"
    "](a (|](a '|[^a]: |  \n|<a href=\"|` h ``\\ |`a``|\n---\n|\n+++\n|\n```\n|\n~~~\n|[a]: b \"|[a]: b\n\"|(|((|](((|](http://h.example/a|b)|\n[a]: <",
    "rst": ".. _|.. _a: |.. _http:_a::a:|.. __: |__ |`a <|>`_|>`__|``|::|::\n\n|.. image:: |.. raw:: html\n\n  |.. code::|\n  a|\n\ta|\\ |`|_|_:|"
    ":target: |.. |a| image:: |.. \\|a\\| image:: |`a <b \\| c\n\\| d>`_|\\||+---+\n\\| |\n\n  |\n  :target: |a_ |`a`_|.. _a:\n|   b\n|\n ::|.. a::",
    "csv": ",|;|\"|\"\"|\",|,\"|\",\"|\n|\r\n|a,|,\"a\"\"b\",|,http://h.example/a|b|\"http://h.example/a|b\",|:|,:|\":\"\",",
    "ics": "\n |\r\n |\r\n\t|URL:|;|ALTREP=\"|BEGIN:VEVENT\n|END:VEVENT\n|X-A;B=\"|\\,|\\n|\\;|:\n |URL;VALUE=URI:http://h.example/a\n b|\n|DESCRIPTION:",
    "latex": r"\url{|\href{|\href{a}{|\url||\begin{verbatim}|\end{verbatim}|\verb||{|}|\%|\#|\_|%|url={|url=\"|\-|\slash{}|\{|{}|\href[|\lstinline!|\nolinkurl",
    "asciidoc": "+|++|link:|link:++|link:$$|page$|[youtube]|[a]|[|----\n|....\n|```\n|`|https://h.example/[|image::|include::|mailto:a[|++++\n|\n----\n|pass:[|<<",
    "org": "[[|]]|][|#+begin_src\n|#+end_src\n|: |\n: a|~a~|=a=|~|=|[[http://h.example/|[[./|\\[|\\]|#+BEGIN_EXAMPLE\n|\n  #+end_src|~a",
    "roff": ".UR |.UE\n|.URL |\\:|\\&|\\-|\\(ti|\\[ti]|\\f[|\\fB|.Lk |.pdfhref W -D |\n.UR |\n.UR h\n|\\(|\\[|\n.|'|.\\\"|\\|\n. ",
    "texinfo": "@uref{|@url{|@|@@|@{|@}|@comma{}|,|}|@example\n|@end example\n|@-|@/|@verbatim\n|\n@lisp\n|@c |@indicateurl{",
    "css": "url(|url(\"|url('|)|@import \"|@import |/*|*/|\\(|\\)|\\|src(|;|}|{|url( |url(a |@import '|url(\"a\" ",
    "ipynb": "{|}|[|]|\"|\"a\"|:|,|\\\"|\\n|\"source\":|\"cells\": [|{\"cell_type\":\"markdown\",\"source\":[\"|\"]},|\"outputs\":|\"data\":|\\u0026|\\",
    "mail": "From a Thu Nov 24 18:22:48 1986\n|\nFrom |>From |Content-Type: multipart/mixed; boundary=a\n\n|\n--a\n|\n--a--\n|--|=\n|=3D|=?utf-8?q?a?=|=?utf-8?b?YQ==?=|"
    "Subject: |\n |\n\n|Content-Transfer-Encoding: base64\n\nYQ==\n|Content-Transfer-Encoding: quoted-printable\n\n|Content-Type: text/html\n\n|"
    "Content-Type: text/plain; format=flowed\n\n|a \n|> \n|> a \n|-- \n|YWJj\n|+AGE-|begin 644 a\n|end\n|\x01\x01\x01\x01\n|\x1f\n|\x1f\x0c\n|BABYL OPTIONS:\n|*** EOOH ***\n|"
    "#! rnews 10\n|Message-ID: <a@h>\n|Content-Type: text/plain; charset=utf-7\n\n|Content-Type: message/rfc822\n\n|boundary=\"|;a*0=|;a=|(|\\(|\"",
    "yaml": "- |a: |''|'|\"|: |\n  |- - |? |{|}|[|]|\\|\n|>\n|#| #|--- |*a|&a|''http://&a|!!|\n- a: \\|\n   b|\"\\|''a",
    "properties": "\\:|\\=|=|#| #|!|\\\n|\\ |a=b\n",
    "vim": "\"|\n\"|'|''| '|a\"| \"|a '|\\\"",
    "python": "\"\"\"|'''|r\"|f\"|b'|\" \"|' '|\"\n\"|\\\n|#|\"\\|'\\'|\"\" |\"a\" |u'",
    "powershell": "\\\"\"|<#|#>|`|\"\"|''|@\"\n|\n\"@|\"a\"\"",
    "sql": "''|--|/*|*/|\"\"|';|'a''|\"a\"\"| '|\\'",
    "lua": "--[[|]]|[[|[=[|--|\\\"",
    "haskell": "{-|-}|(*|*)|--|\\\"",
    "lisp": "#||\\|#|;|\"|#\\|?\"|\\\"",
    "perl": "=pod\n|\n=cut\n|<<A\n|q{|__END__\n|$|@|#| #|'|\\'",
    "php": "<?php |?>|//|#|/*|*/|<<<A\n|$",
    "shell": "<<A\n|\nA\n|$'|\\ |\\&|# | #|$(|`|'\\''|\"$|\\\n",
    "rust": "r#\"|\"#|//|/*|*/|'a|b'",
    "javascript": "`|${|}|//|/*|*/|/\"/|\\/|\\u{41}",
    "json": "{|}|[|]|\"|\"a\":|\\/|\\u0026|\\ud83d\\ude00|\\\"|,\"",
    "toml": "\"\"\"|'''|[a]|= \"|='|#|\\\"|= |a = \"",
    "po": "msgid \"|msgstr \"|\"\n\"|#|\"\"\n|\\n\"\n\"",
    "plain": "",
}  # fmt: skip
_LIKE = {"xml": "html", "tsv": "csv", "vcf": "ics", "mbox": "mail", "mmdf": "mail", "babyl": "mail", "rnews": "mail"}
_FENCE = "\\|"


def _split(words: str) -> list[str]:
    """Split the words at single bars; a bar within a word is written as a backslash and a bar."""
    return [word.replace("\x00", "|") for word in words.replace(_FENCE, "\x00").split("|") if word]


def _in_language(kind: str) -> list[str]:
    language = LANGUAGES.get(kind)
    if language is None:
        return []
    found = [*language.comments, *(part for block in language.blocks for part in block)]
    found += [part for quotes in language.strings for part in (quotes.opening, quotes.closing, f"{quotes.opening}a")]
    return sorted(set(found))


def _modules(kind: str) -> Iterator[str]:
    """Yield the names of the modules that read documents of a kind, and their anchors."""
    package = {"": urlscan.documents.mail, "regions": urlscan.finder}.get(KINDS[kind].reader)
    if package is not None:  # mail, and plain text, which only the finder reads
        yield from (f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__))
        return
    yield from (f"urlscan.documents.{KINDS[kind].reader}", f"urlscan.targets.kinds.{_LIKE.get(kind, kind)}")
    if kind == "html":
        yield from ("urlscan.documents.html_skip", "urlscan.documents.code_elements")
    if kind == "markdown":
        yield from ("urlscan.documents.markdown_inlines", "urlscan.targets.kinds.inline")
        yield from (
            "urlscan.targets.link_references",
            "urlscan.targets.malformed_links",
            "urlscan.targets.anchor_excuses",
        )
    if kind in ("rst", "asciidoc", "org", "markdown"):
        yield "urlscan.targets.cross_references"


def _patterns(kind: str) -> Iterator[tuple[str, int]]:
    """Yield the patterns that read documents of a kind, and their flags."""
    if kind in MARKUP_LANGUAGES:
        language = MARKUP_LANGUAGES[kind]
        words = (
            *language.links,
            *language.inline_code,
            *language.terminators,
            *language.comments,
            *sum(language.blocks, ()),
        )
        yield from ((word.replace("{}", "a").replace("{{a}}", "{a}"), 0) for word in (*words, language.escape))
    for name in _modules(kind):
        if importlib.util.find_spec(name) is None:
            continue
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, LazyPattern):
                value = re.compile(value.pattern, value._flags)
            if isinstance(value, re.Pattern):
                pattern = value.pattern
                yield pattern if isinstance(pattern, str) else pattern.decode("latin-1"), value.flags & re.VERBOSE


def _literals(sequence: Iterable[Any], word: str = "") -> Iterator[str]:
    """Yield the words of a parsed pattern, also those of its assertions; each alternative continues what precedes it."""
    for operation, argument in sequence:
        if operation is _constants.LITERAL:
            word += chr(argument)
            continue
        continued = operation in (_constants.BRANCH, _constants.SUBPATTERN, _constants.ATOMIC_GROUP)
        parts = argument if isinstance(argument, tuple) else (argument,)
        for part in (inner for outer in parts for inner in (outer if isinstance(outer, list) else [outer])):
            if isinstance(part, _parser.SubPattern):
                yield from _literals(part, word if continued else "")
        yield word
        word = ""
    yield word


def _in_patterns(kind: str) -> list[str]:
    """Return the words in the patterns that read a kind: names, openers, closers and guards."""
    words = {word for pattern, flags in _patterns(kind) for word in _literals(_parser.parse(pattern, flags))}
    return sorted(word for word in words if len(word) > 1)


TOKENS = {
    kind: [*_split(_OWN.get(_LIKE.get(kind, kind), "")), *_in_language(kind), *_in_patterns(kind)] for kind in KINDS
}


def tokens_of(kind: str) -> list[str]:
    """Return the tokens of a kind, with its own tokens as frequent as all others together."""
    own = TOKENS[kind]
    return _ANY + own * max(1, len(_ANY) // max(len(own), 1))


_CELL = '{"cells": [{"cell_type": "%s", "source": "'
_MAIL = "From: a@h.example\nSubject: b\n%s\n"
_MAILS = (
    "", _MAIL % "", _MAIL % "Content-Type: text/html\n", _MAIL % "Content-Transfer-Encoding: quoted-printable\n",
    _MAIL % "Content-Transfer-Encoding: base64\n", _MAIL % "Content-Type: text/plain; format=flowed; delsp=yes\n",
    _MAIL % "Content-Type: multipart/mixed; boundary=a\n", "From: a@h.example\nSubject: b", _MAIL % "Content-Type: text/plain; charset=utf-7\n",
)  # fmt: skip
_FROM = "From a@h.example Thu Nov 24 18:22:48 1986\n"
PREFIXES: dict[str, tuple[str, ...]] = {
    "ipynb": ("", _CELL % "markdown", _CELL % "code", '{"cells": [{"cell_type": "markdown", "source": ["', '{"cells": ['),
    # A reference to an anchor, so that the anchors of the document are read.
    "asciidoc": ("", "<<a>>\n\n", "<<a>>\n\n== ", "xref:"),
    "org": ("", "[[#a]]\n", "[[#a]]\n* "),
    "rst": ("", ":ref:`a`\n\n", ".. include:: "),
    "markdown": ("", "", "[a](#b)\n\n", "[a](#b)\n\n# ", "[a][b]\n\n# ", "---\n", "+++\n", "[a](", "<a ", "- "),
    "html": ("", "<a href='#b'>", "<script>", "<style>", "<a ", "<!--"),
    "mail": _MAILS,
    "mbox": tuple(_FROM + mail for mail in _MAILS),
    "mmdf": tuple("\x01\x01\x01\x01\n" + mail for mail in _MAILS),
    "babyl": tuple("BABYL OPTIONS:\n\x1f\x0c\n1,,\n*** EOOH ***\n" + mail for mail in _MAILS),
    "rnews": tuple(f"#! rnews {len(mail)}\n" + mail for mail in _MAILS),
    "plain": ("", "", "http://h.example/", "<URL:http://h.example/", "news:a", "mailto:a@h.example?", "http://a:b", "urn:a:"),
}  # fmt: skip
SUFFIXES = (
    " http://h.example/a|b\n",
    "\nhttp://h.example/a|b\n",
    "",
    '"http://h.example/a|b"',
    ",http://h.example/a|b\n",
    "\n\n<http://h.example/a|b>\n",
    " http://joe:pw@h.example/a\n",
)

# Units of ordinary documents by kind; the unit of C serves for other languages.
_BENIGN = {
    "plain": "See http://h.example/a/b for the details, and write to the list.\nNothing else is in this line of text.\n\n",
    "html": '<p class="a">See <a href="http://h.example/a/b">the page</a> &amp; the <b>others</b>.</p>\n',
    "markdown": "- See [the page](http://h.example/a/b \"title\"), `code` and <http://h.example/>.\n\n  ```\n  a\n  ```\n\n",
    "rst": "See `the page <http://h.example/a/b>`_ and ``code``::\n\n   $ a http://h.example/\n\n.. _b: http://h.example/\n\n",
    "csv": 'Jo,"a ""b"", c",http://h.example/a/b,12\n',
    "tsv": "Jo\ta b c\thttp://h.example/a/b\t12\n",
    "ics": "BEGIN:VEVENT\nSUMMARY:a\\, b\nURL:http://h.example/a/b\nDESCRIPTION:a long line that is fold\n ed here\nEND:VEVENT\n",
    "vcf": "BEGIN:VCARD\nFN:Jo\nURL:http://h.example/a/b\nEND:VCARD\n",
    "latex": "See \\href{http://h.example/a\\%20b}{the page} and \\url{http://h.example/}. % a comment\n\n",
    "asciidoc": "See http://h.example/a/b[the page], `code` and link:a.html[a].\n\n----\na\n----\n\n",
    "org": "See [[http://h.example/a/b][the page]] and ~code~.\n\n#+begin_src\na\n#+end_src\n\n",
    "roff": ".PP\nSee\n.UR http://h.example/a/b\nthe page\n.UE\nand \\fBcode\\fP.\n",
    "texinfo": "See @uref{http://h.example/a/b, the page} and @code{a}.\n\n@example\na\n@end example\n\n",
    "css": "a.b { background: url(\"http://h.example/a.png\") no-repeat; } /* see http://h.example/ */\n",
    "mail": "> See http://h.example/a/b for the details,\n> and write to the list.\n\nI did so.\n",
    "json": '  {"name": "a", "url": "http:\\/\\/h.example\\/a", "size": 12},\n',
    "yaml": "- name: a\n  url: 'http://h.example/a/b'  # see below\n  text: |\n    a\n",
    "toml": '[[a]]\nurl = "http://h.example/a/b"  # see below\n',
    "ini": "[a]\nurl = http://h.example/a/b\n; a comment\n",
    "shell": 'curl -s "http://h.example/a/b" | grep \'a\'  # see http://h.example/\n',
    "sql": "INSERT INTO a VALUES ('it''s', 'http://h.example/a/b'); -- see http://h.example/\n",
    "vim": "\" see http://h.example/a/b\nlet a = 'b'\n",
    "po": '#: a.c:12\nmsgid "See http://h.example/a/b"\nmsgstr ""\n"Siehe "\n"http://h.example/a/b"\n\n',
    "python": 'def a():\n    """See http://h.example/a/b."""\n    return "http://h.example/" "a"  # a comment\n\n',
    "c": '/* See http://h.example/a/b. */\nint a = f("http://h.example/a", \'b\'); // a comment\n',
    "lisp": '; see http://h.example/a/b\n(a "http://h.example/")\n',
}  # fmt: skip


def benign(kind: str) -> tuple[str, str, str]:
    """Return prefix, repeated unit and suffix of an ordinary document with one problem at its end."""
    if kind == "ipynb":
        cell = '{"cell_type": "markdown", "source": ["See [a](http://h.example/a)\\n", "and `b`.\\n"]},\n'
        return '{"cells": [\n', cell, '{"cell_type": "markdown", "source": "http://h.example/a|b"}\n]}\n'
    unit = _BENIGN.get(_LIKE.get(kind, kind)) or _BENIGN.get(kind) or _BENIGN["c"]
    return PREFIXES[kind][1] if _LIKE.get(kind, kind) == "mail" else "", unit, "\nhttp://h.example/a|b\n"
