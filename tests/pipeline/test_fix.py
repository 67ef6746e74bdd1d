"""Test that a fix is written in the syntax of its document, reads back as intended, and changes nothing else."""

import difflib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests.strategies import examples
from urlscan.core.document import Document
from urlscan.core.records import Finding
from urlscan.core.settings import Settings
from urlscan.documents import KINDS, read_documents
from urlscan.pipeline import check, fix, read
from urlscan.rules import REGISTRY, load

DEFAULT = Settings()


def fix_text(
    data: bytes, path: str, settings_: Settings = DEFAULT, *, unsafe: bool = False, encoding: str | None = None
) -> tuple[bytes, list[Finding], list[Finding]]:
    """Return the fixed bytes, the fixed findings, and the remaining ones."""
    out: list[bytes] = []
    options = read.ReadOptions(encoding=encoding)
    source = read.Source(path, data, is_stdin=True)
    results = list(fix._fixed(source, settings_, options, fix.FixOptions(unsafe, out.append)))
    (new,) = out
    checked = [one for one in results if isinstance(one, Document)]
    return new, [f for one in checked for f in one.fixed], [f for one in checked for f in one.findings]


def fix_source(text: str, path: str, *codes: str, unsafe: bool = True) -> str:
    settings_ = Settings(select=codes) if codes else DEFAULT
    return fix_text(text.encode(), path, settings_, unsafe=unsafe)[0].decode()


# file name, text before, text after
WRITTEN = [
    ("a.html", '<a href="http://h.example/?a&amp;b|c">x</a>', '<a href="http://h.example/?a&amp;b%7Cc">x</a>'),
    ("a.html", "<a href=http://h.example/a&#124;b>x</a>", "<a href=http://h.example/a%7Cb>x</a>"),
    ("a.html", '<a href="http://h.example/a\n  |b">x</a>', '<a href="http://h.example/a\n  %7Cb">x</a>'),
    ("a.html", "see http://h.example/a&#x7c;b&amp;c", "see http://h.example/a%7Cb&amp;c"),
    ("a.html", '<a href="&lt;URL:http://h.example/&gt;">a</a>', '<a href="http://h.example/">a</a>'),
    ("a.html", '<p style="background: url(&quot;http://h.example/a|b&quot;)">',
     '<p style="background: url(&quot;http://h.example/a%7Cb&quot;)">'),
    ("a.html", '<script>u = "http:\\/\\/h.example\\u003a\\/a"</script>',
     '<script>u = "http:\\/\\/h.example\\/a"</script>'),
    ("a.json", r'{"u": "http:\/\/h.example\u003a\/a"}', r'{"u": "http:\/\/h.example\/a"}'),
    ("a.json", r'{"u": "\"", "v": "http://h.example:\/a", "w": "\\"}',
     r'{"u": "\"", "v": "http://h.example\/a", "w": "\\"}'),
    ("a.py", 'u = ("http://h.example:"\n    "/b")', 'u = ("http://h.example"\n    "/b")'),
    ("a.c", r'u = "http:\x2f/h.example\x3a/a";', r'u = "http:\x2f/h.example/a";'),
    ("a.sh", "curl 'http://h.example:/a'", "curl 'http://h.example/a'"),
    ("a.md", r"[a](http://h.example/a\|b\_c)", r"[a](http://h.example/a%7Cb\_c)"),
    ("a.md", "[a]: <http://h.example/a|b&amp;c>", "[a]: <http://h.example/a%7Cb&amp;c>"),
    ("a.md", "See <http://h.example/a^b>.", "See <http://h.example/a%5Eb>."),
    ("a.rst", "`a <http://h.example/a|\n b|c>`_", "`a <http://h.example/a%7C\n b%7Cc>`_"),
    ("a.rst", ".. _a: http://h.example/a\\|b\\_", ".. _a: http://h.example/a%7Cb\\_"),
    ("a.tex", r"\url{http://h.example/a|b} http://h.example/a^b", r"\url{http://h.example/a\%7Cb} http://h.example/a\%5Eb"),
    ("a.tex", r"\href{http://h.example/\_a^}{x}", r"\href{http://h.example/\_a\%5E}{x}"),
    ("a.tex", r"\url|http://h.example/a^b|", r"\url|http://h.example/a%5Eb|"),
    ("a.bib", "url = {http://h.example/a|b},", "url = {http://h.example/a%7Cb},"),
    ("a.csv", 'a,"""http://h.example:/a""",http://h.example:/c\n', 'a,"""http://h.example/a""",http://h.example/c\n'),
    ("a.css", r'a { background: url("http://h.example/a\,b|c") }',
     r'a { background: url("http://h.example/a\,b%7Cc") }'),
    ("a.texi", "@url{http://h.example/a@{b|c}", "@url{http://h.example/a%7Bb%7Cc}"),
    ("a.xml", '<a u="http://h.example:/?utm_source=a&amp;b=c&amp;utm_medium=d"/>', '<a u="http://h.example/?b=c"/>'),
]  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after"), WRITTEN)
def test_fix_is_written_in_the_syntax_of_the_document(path: str, before: str, after: str) -> None:
    assert fix_source(before, path, "U101", "U404", "U506", "U611") == after
    assert fix_source(after, path, "U101", "U404", "U506", "U611") == after


# Texts without any fix: parts of strings, commands, code, templates, and characters in strings.
UNTOUCHED = [
    ("a.sh", "curl http://h.example:/a\\&c"),
    ("a.json", r'{"u": "say \"http://h.example:/a\" \\"}'),
    ("a.csv", 'a,"see ""http://h.example:/a"", or",b\n'),
    ("a.py", 'u = "see http://h.example:/a"'),
    ("a.py", 'u = "http://h.example/a|b"'),
    ("a.py", 'u = f"http://h.example:/{name}"'),
    ("a.md", "`http://h.example:/a|b`"),
    ("a.md", "```\nhttp://h.example:/a|b\n```\n"),
    ("a.html", "<pre>http://h.example:/a|b</pre>"),
    ("a.html", '<a href="http://h.example:/{{ name }}/a|b">x</a>'),
    ("a.rst", "::\n\n    http://h.example:/a|b\n"),
]


@pytest.mark.parametrize(("path", "text"), UNTOUCHED)
def test_code_templates_and_parts_of_strings_are_not_changed(path: str, text: str) -> None:
    assert fix_source(text, path, "U101", "U404", "U611") == text


def test_replacement_is_escaped_for_its_context() -> None:
    """Test the escaping of spans and texts, independent of rules."""
    for path, text, replaced, new, expected in [
        ("html", '<a href="http://h.org/?a">', "?", "?&", '<a href="http://h.org/?&amp;a">'),
        ("html", '<a href="http://h.org/?x">', "x", '&"<', '<a href="http://h.org/?&amp;&quot;&lt;">'),
        ("html", '<a href="http://h.org/?x">', "x", " ", None),
        ("html", "<!-- http://h.org/?x -->", "x", ">", None),
        ("html", "http://h.org/?x<b>", "x", "<", "http://h.org/?&lt;<b>"),
        ("json", '["http://h.org/?x"]', "x", '"\\', r'["http://h.org/?\"\\"]'),
        ("json", '["http://h.org/?x"]', "x", "\n", r'["http://h.org/?\n"]'),
        ("json", '["http://h.org/?x"]', "x", "\0", None),
        ("shell", "curl http://h.org/?x", "x", "a&b", r"curl http://h.org/?a\&b"),
        ("shell", 'curl "http://h.org/?x"', "x", "$", None),
        ("shell", "curl 'http://h.org/?x'", "x", "$&", "curl 'http://h.org/?$&'"),
        ("c", 'printf("%s http://h.org/?x")', "x", "%41", None),
        ("c", 'puts("http://h.org/?x")', "x", "%41", 'puts("http://h.org/?%41")'),
        ("sql", "'http://h.org/?x'", "x", "'", "'http://h.org/?'''"),
        ("go", "`http://h.org/?x`", "x", "`", None),
        ("markdown", "[a](http://h.org/?x)", "x", "&)", r"[a](http://h.org/?&amp;\))"),
        ("markdown", "http://h.org/?x", "x", "<", None),
        ("rst", "`a <http://h.org/?x>`_", "x", "\\", r"`a <http://h.org/?\\>`_"),
        ("rst", "`a <http://h.org/?x>`_", "x", ">", None),
        ("latex", r"\url{http://h.org/?x}", "x", "%#&{~", r"\url{http://h.org/?\%\#\&\{~}"),
        ("latex", r"see http://h.org/?x", "x", "%_~", r"see http://h.org/?\%\_\~{}"),
        ("latex", r"\url{http://h.org/?x}", "x", "^", None),
        ("csv", 'a,"http://h.org/?x",b', "x", 'a"b,c', 'a,"http://h.org/?a""b,c",b'),
        ("csv", "a,http://h.org/?x,b", "x", ",", None),
        ("ics", "DESCRIPTION:see http://h.org/?\n x now", "x", "a\\b", None),
        ("ics", "DESCRIPTION:see http://h.org/?\n x now", "x", "%7C", "DESCRIPTION:see http://h.org/?\n %7C now"),
        ("ics", "URL:http://h.org/?x", "x", ",", None),
        ("org", "[[http://h.org/?x]]", "x", "]", None),
        ("roff", ".UR http://h.org/?x", "x", "\\", r".UR http://h.org/?\[rs]"),
        ("texinfo", "@url{http://h.org/?x}", "x", "@,", "@url{http://h.org/?@@@comma{}}"),
        ("ipynb", json.dumps({"cells": [{"cell_type": "markdown", "source": ["<a href='http://h.org/?x'>"]}]}), "x'",
         '"', None),
        ("ipynb", json.dumps({"cells": [{"cell_type": "code", "source": ["u = 'http://h.org/?x'"]}]}), "x'", '"\\',
         None),
    ]:  # fmt: skip
        (document,) = read_documents(text.encode(), kind=path)
        at = document.text.index(replaced)
        edits = document.edits(at, at + 1, new, at)
        if edits is None:
            assert expected is None, (path, text, new)
            continue
        data = text.encode()
        for start, end, written in reversed(edits):
            data = data[:start] + written.encode() + data[end:]
        (after,) = read_documents(data, kind=path)
        assert after.text == document.text[:at] + new + document.text[at + 1 :], (path, data)
        if expected is not None:
            assert data.decode() == expected


def test_replacement_is_escaped_in_every_layer_of_a_nested_document() -> None:
    cell = {"cell_type": "markdown", "source": ["<p style=\"background: url('http://h.example/?x')\">\n", "end"]}
    text = json.dumps({"cells": [cell]})
    (document,) = read_documents(text.encode(), kind="ipynb")
    at = document.text.index("?x") + 1
    ((start, end, written),) = document.edits(at, at + 1, "(&)", at) or [(0, 0, "")]
    assert written == "\\\\(&amp;\\\\)"
    (after,) = read_documents((text[:start] + written + text[end:]).encode(), kind="ipynb")
    assert after.text == document.text.replace("?x", "?(&)")


def test_remaining_part_of_an_entity_is_written_again() -> None:
    (document,) = read_documents(b"<a href='http://h.example/&NotEqualTilde;'>", kind="html")
    at = document.text.index("\u0338")
    ((start, end, written),) = document.edits(at, at + 1, "", at) or [(0, 0, "x")]
    assert (start, end, written) == (26, 41, "≂")


# --- fixes that do not read back


def test_fix_that_would_change_another_url_is_refused() -> None:
    # The reading without a hyphen depends on its evidence, which the fix would change.
    text = "<http://h.example/a-\nb|c> http://h.example/ab|c\n"
    before = [o.url for o in urlscan.scan(text)]
    new, fixed, _ = fix_text(text.encode(), "a.txt", Settings(select=("U101",)))
    after = [o.url for o in urlscan.scan(new.decode())]
    assert after in (before, [url.replace("|", "%7C") for url in before])
    assert bool(fixed) == (after != before)


def test_fix_that_would_extend_the_url_is_refused() -> None:
    # An asterisk ends the URL after a port, but not after a path.
    text = "See http://h.example:80*"
    new, fixed, remaining = fix_text(text.encode(), "a.txt", Settings(select=("U502", "U804")), unsafe=True)
    assert new == b"See http://h.example*"
    assert [finding.code for finding in fixed] == ["U502"]
    assert [(finding.code, finding.fix) for finding in remaining] == [("U804", None)]


def test_rounds_of_fixing_do_not_grow_with_the_number_of_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def counted(*arguments: object) -> list[Document]:
        rounds.append(arguments)
        return check.check_source(*arguments)

    monkeypatch.setattr(fix, "check_source", counted)
    options = read.ReadOptions(kind="plain", max_findings=20)
    numbers = []
    for count in (10, 40):
        rounds.clear()
        source = read.Source("a.txt", b"http://h.example:80,a|b\n" * count, is_stdin=True)
        result = fix.fix_in_memory(source, Settings(select=("ALL",)), options, unsafe=True)
        assert result.data.count(b"<") == count
        numbers.append(len(rounds))
    assert numbers[0] == numbers[1] > 0


def test_contradictory_rules_reach_a_stable_state() -> None:
    both = Settings(select=("unencoded-tilde", "needless-escape"), profile="rfc1738")
    ends = {fix_text(data, "a.md", both)[0] for data in (b"<http://h.example/~jo>", b"<http://h.example/%7Ejo>")}
    assert len(ends) == 1
    (end,) = ends
    assert fix_text(end, "a.md", both)[1] == []


def test_refused_fix_is_not_called_fixable(monkeypatch: pytest.MonkeyPatch) -> None:
    from urlscan.pipeline import fix

    def refuse(*_: object) -> bool:
        return False

    monkeypatch.setattr(fix, "_reads_back", refuse)
    data = b"<http://h.example/a|b>\n<http://h.example/c|d>"
    new, fixed, remaining = fix_text(data, "a.md")
    assert (new, fixed) == (data, [])
    assert [finding.fix for finding in remaining] == [None, None]


def test_fix_that_does_not_read_back_does_not_block_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from urlscan.pipeline import fix

    reads_back = fix._reads_back

    def reject_one(before, after, number, found, done, find):
        bad = any(finding.url.endswith("/7|a") for finding in done)
        return not bad and reads_back(before, after, number, found, done, find)

    monkeypatch.setattr(fix, "_reads_back", reject_one)
    data = "\n".join(f"<http://h.example/{number}|a>" for number in range(20)).encode()
    new, fixed, remaining = fix_text(data, "a.md")
    assert len(fixed) == 19
    assert [(finding.url, finding.fix) for finding in remaining] == [("http://h.example/7|a", None)]
    assert new == data.replace(b"|", b"%7C").replace(b"/7%7C", b"/7|")


def test_many_fixes_that_do_not_read_back_do_not_block_others() -> None:
    # Each of these becomes a link when it is fixed, so that the line reads differently.
    bad = "[b](http:// h.example/a%&#124;7b)\n[b](http:// h&amp;|.example|%s/)\n"
    good = "[g](http://h.example/c|d)\n"
    text = (good + bad) * 100
    once = urlscan.fix(text, kind="markdown", unsafe=True).text
    assert once == text.replace("c|d", "c%7Cd")
    assert urlscan.fix(once, kind="markdown", unsafe=True).text == once


# --- every rule and kind

FIXABLE = [entry for entry in REGISTRY if load(entry.code).fix_note]
# A document of each kind with two URLs, and how it writes "&".
FRAMES = {
    "plain": ("a.txt", "See <{}> there.\nAnd <{}>\n", "&"),
    "python": ("a.py", "# {}\nu = '{}'\n", "&"),
    "javascript": ("a.js", "u = \"{}\"; // see {}\n", "&"),
    "markdown": ("a.md", "See [it]({}) or <{}>.\n", "&"),
    "rst": ("a.rst", "See `it <{}>`_ or <{}>.\n\n.. _a: http://h.example/\n", "&"),
    "html": ("a.html", "<p>See <a href=\"{}\">it</a>, <img alt='' src='{}'>\n", "&amp;"),
    "json": ("a.json", '{{"a": "{}", "b": ["{}"]}}\n', "\\u0026"),
    "csv": ("a.csv", 'name,url\n"a ""b""","{}"\nc,{}\n', "&"),
    "latex": ("a.tex", "See \\url{{{}}} and \\href{{{}}}{{it}}.\n", "\\&"),
}  # fmt: skip
BAD = {
    "U101": "http://h.example/a^b?c&d", "U105": "http://h.example/~jo?c&d", "U201": "http://h.example/100%?c&d",
    "U205": "http://h.example/%c3%a9?c&d", "U206": "http://h.example/%61?c&d", "U301": "ftp://jo:s3cr3t-pw@ftp.mills.zz/a?c&d",
    "U404": "http://h.example:/a?c&d", "U406": "http://http://www.mills.com/a?c&d", "U502": "http://h.example:80/a?c&d",
    "U801": "HTTP://h.example/a?c&d", "U802": "http://H.Example/a?c&d", "U803": "http://h.example/a/../b?c&d",
    "U804": "http://h.example?c&d", "U405": "htpp://www.mills.com/a?c&d", "U107": "http://h.example/?a[b]&d",
    "U104": "http://h.example/é?c&d",
}  # fmt: skip


def escaped(url: str, kind: str, ampersand: str) -> str:
    if kind == "latex":
        for character in "%#~":
            url = url.replace(character, "\\" + character)
    return url.replace("&", ampersand)


# In LaTeX "%" begins a comment, so a needless escape is necessary there.
CASES = [(code, kind) for code in BAD for kind in FRAMES if (code, kind) != ("U206", "latex")]
# Kinds whose URLs are in strings and comments, where rules about characters and escapes do not apply.
PROGRAMS = ("python", "javascript", "json", "csv")


def is_reported(code: str, kind: str) -> bool:
    return kind not in PROGRAMS or "string" in load(code).contexts


@pytest.mark.parametrize(("code", "kind"), [case for case in CASES if not is_reported(*case)])
def test_characters_and_escapes_in_programs_and_data_are_not_changed(code: str, kind: str) -> None:
    path, frame, ampersand = FRAMES[kind]
    bad = escaped(BAD[code], kind, ampersand)
    data = frame.format(bad, bad).encode()
    settings_ = Settings(select=(code,), profile="rfc1738" if code in ("U105", "U106") else "rfc3986")
    assert fix_text(data, path, settings_, unsafe=True) == (data, [], [])


@pytest.mark.parametrize("kind", PROGRAMS)
def test_passwords_in_programs_and_data_are_reported_and_not_changed(kind: str) -> None:
    path, frame, ampersand = FRAMES[kind]
    bad = escaped(BAD["U301"], kind, ampersand)
    data = frame.format(bad, bad).encode()
    new, fixed, remaining = fix_text(data, path, Settings(select=("ALL",)), unsafe=True)
    assert (new, fixed) == (data, [])
    assert [one.code for one in remaining if one.code == "U301"] == ["U301", "U301"]


FIXED = [case for case in CASES if is_reported(*case) and (case[0] != "U301" or case[1] not in PROGRAMS)]


@pytest.mark.parametrize(("code", "kind"), FIXED)
def test_fixed_document_has_no_findings(code: str, kind: str) -> None:
    path, frame, ampersand = FRAMES[kind]
    bad = escaped(BAD[code], kind, ampersand)
    text = frame.format(bad, bad)
    settings_ = Settings(select=(code,), profile="rfc1738" if code in ("U105", "U106") else "rfc3986")
    before, _, found = fix_text(text.encode(), path, settings_._replace(select=("U9",)), unsafe=True)
    assert (before, found) == (text.encode(), [])
    new, fixed, remaining = fix_text(text.encode(), path, settings_, unsafe=True)
    assert fixed, "the rule must report a finding"
    assert remaining == []
    again, more, _ = fix_text(new, path, settings_, unsafe=True)
    assert (again, more) == (new, [])
    # Bytes outside the URL are unchanged, and each "&" is written as before.
    head, between, tail = frame.format("\0", "\0").split("\0")
    after = new.decode()
    assert after.startswith(head)
    assert between in after
    assert after.endswith(tail)
    assert after.count(ampersand) == text.count(ampersand)
    first, second = [o.url for o in urlscan.scan(after, kind=kind)][:2] if kind != "rst" else [
        o.url for o in urlscan.scan(after, kind=kind) if "?" in o.url
    ]  # fmt: skip
    assert first == second


@pytest.mark.parametrize("entry", FIXABLE, ids=lambda entry: entry.code)
def test_examples_of_rules_are_fixed(entry) -> None:
    for example in load(entry.code).bad:
        settings_ = Settings(select=(entry.code,), profile=example.profile)
        data = example.text.encode()
        expected_findings = urlscan.lint(example.text, path=example.path or None, settings=settings_)
        new, fixed, _ = fix_text(data, example.path or "-", settings_, unsafe=True)
        assert bool(fixed) == any(finding.fix for finding in expected_findings), example
        again, more, remaining = fix_text(new, example.path or "-", settings_, unsafe=True)
        assert (again, more) == (new, []), example
        assert not any(finding.fix for finding in remaining)


# --- any text

PIECES = [
    "http://h.example/", "a|b", "^", "%zz", "%7e", "&amp;", "&", "&#124;", "\\u007c", "\\/", "\\", '"', "'", "<", ">",
    "<URL:", " ", "\n", "\r\n", '<a href="', "](", ")", "[a]", "\\url{", "{", "}", ",", ";", "HTTP://H.example:80",
    "ftp://jo:pw@h.zz/", "`", "`_", ":: ", "#f", "/../", "~", "é", "日", ".. _a: ", "//", "/*", "*/", "# ", "= ",
    "www.mills.com", "-\n", "> ", "$",
]  # fmt: skip
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "latin-1", "iso-2022-jp", "shift-jis", "gb18030"]


@examples(300)
@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.sampled_from(sorted(KINDS)),
    st.sampled_from(ENCODINGS),
    st.booleans(),
)
def test_fixing_any_text_changes_only_urls(text: str, kind: str, encoding: str, unsafe: bool) -> None:
    data = text.encode(encoding, "ignore")
    text = data.decode(encoding)
    out: list[bytes] = []
    options = read.ReadOptions(kind, encoding=encoding)
    settings_ = Settings(select=("ALL",), ignore=("U605", "U606"))
    source = read.Source("x", data, is_stdin=True)
    results = list(fix._fixed(source, settings_, options, fix.FixOptions(unsafe, out.append)))
    (new,) = out
    remaining = [f for one in results for f in one.findings]
    assert not any(f.fix is not None and (unsafe or f.fix.applicability == "safe") for f in remaining), (new, remaining)
    out.clear()
    again = list(fix._fixed(source._replace(content=new), settings_, options, fix.FixOptions(unsafe, out.append)))
    assert out == [new]
    assert not any(one.fixed for one in again)
    if new == data:
        return
    after = new.decode(encoding)
    # Text outside URLs and delimiters is unchanged and in order.
    spans = [(o.outer_start, o.outer_end) for o in urlscan.scan(text, kind=kind, relative=True)]
    outside, position = [], 0
    for start, end in sorted(spans):
        outside.append(text[position:start])
        position = max(position, end)
    outside.append(text[position:])
    at = 0
    for piece in outside:
        if re.search("http|ftp|www", piece.lower()):  # may be a look-alike, which scan does not list
            continue
        assert piece in after[at:], (data, new, piece)
        at = after.index(piece, at)


@pytest.mark.parametrize("encoding", [*ENCODINGS, "euc-jp", "utf-32", "big5", "hz"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_encoding_and_line_ends_are_kept(encoding: str, newline: str, last: str) -> None:
    words = "größe" if encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "gb18030") else "日本"
    words = "中文" if encoding in ("hz", "big5") else words
    text = f"{words} <http://h.example/a|b>{newline}[{words}](http://h.example/c^d) {words}"
    text = text.replace("\n", newline) + (newline if last else "")
    data = text.encode(encoding)
    new, fixed, _ = fix_text(data, "a.md", Settings(select=("U101",)), encoding=encoding)
    assert len(fixed) == 2
    assert new == text.replace("|", "%7C").replace("^", "%5E").encode(encoding)
    matcher = difflib.SequenceMatcher(None, data, new, autojunk=False)
    assert {tag for tag, *_ in matcher.get_opcodes()} <= {"equal", "replace", "insert"}
