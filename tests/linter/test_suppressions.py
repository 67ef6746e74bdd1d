"""Test suppression comments."""

import pytest

import urlscan
from tests.linear_time import FACTOR, assert_linear
from urlscan.core.document import Document
from urlscan.core.records import Finding
from urlscan.core.settings import Settings
from urlscan.finder import find
from urlscan.linter.locate import findings_of
from urlscan.linter.suppressions import (
    UNTRUSTED_KINDS,
    SuppressionComment,
    apply_suppressions,
    are_honored,
    malformed_suppressions,
    suppression_comments,
)

BAD = "http://h.example/%zz/a"


def remaining_codes(text: str) -> list[str]:
    document = Document(text)
    found: list[Finding] = list(findings_of(document, find(text), Settings()))
    assert found, "the text must contain a finding"
    return [finding.code for finding in apply_suppressions(Document(text), found)[0]]


@pytest.mark.parametrize(
    "comment",
    [
        "# urlscan: ignore[U201]",
        "// urlscan: ignore[bad-escape]",
        "<!-- urlscan: ignore[U101, bad-escape] -->",
        "/* urlscan:ignore[U201] */",
        "urlscan: ignore[U101,U201]",
        ".. urlscan:  ignore[U101 U201]",
    ],
)
def test_comment_on_the_line_suppresses_the_named_rules(comment: str) -> None:
    assert remaining_codes(f"{BAD}  {comment}\n") == []


@pytest.mark.parametrize(
    "comment",
    [
        "# urlscan: ignore",
        "# urlscan: ignore[]",
        "# urlscan: ignore[U101]",
        "# urlscan: ignore[U2]",
        "# urlscan: ignore[ALL]",
        "# urlscan: ignore[u201]",
        "# urlscan ignore[U201]",
        "# urlscan: ignore [U201]",
        "# urlscan: ignored[U201]",
        "\n# urlscan: ignore[U201]",
    ],
)
def test_other_comments_suppress_nothing(comment: str) -> None:
    assert remaining_codes(f"{BAD}  {comment}\n") == ["U201"]


def test_comment_applies_to_its_line_only() -> None:
    assert remaining_codes(f"{BAD} urlscan: ignore[U201]\n{BAD}\n") == ["U201"]
    assert remaining_codes(f"{BAD}\r{BAD} urlscan: ignore[U201]\r{BAD}\r\n{BAD}") == ["U201"] * 3


def test_finding_on_several_lines_is_suppressed_from_any_of_them() -> None:
    def finding(line: int, end_line: int) -> Finding:
        return Finding("U1", "a", 3, "", "", "", line, 1, end_line, 1, 0, 0)  # type: ignore[arg-type]

    text = "1\n2 urlscan: ignore[a]\n3\n"
    spans = [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)]
    kept = apply_suppressions(Document(text), [finding(*span) for span in spans])[0]
    assert [(one.line, one.end_line) for one in kept] == [(1, 1), (3, 3)]


def test_comments_are_records() -> None:
    document = Document("a\nurlscan: ignore[b, c]")
    assert suppression_comments(document) == [SuppressionComment("ignore", 2, ("b", "c"), 18, 22)]


@pytest.mark.slow
def test_many_comments_take_linear_time() -> None:
    def read(count: int) -> None:
        text = "urlscan: ignore[x" * count + "\n" + "urlscan: ignore[x]\n" * count
        assert len(suppression_comments(Document(text))) == count

    assert_linear(read, 50_000)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("{0}\nurlscan: ignore-next-line[U201]\n{0}\n{0}", [1, 4]),
        ("{0}\n# urlscan: disable[U201]\n{0}\n{0}\n# urlscan: enable[U201]\n{0}", [1, 6]),
        ("{0}\nurlscan: disable[U201]\n{0}", [1]),
        ("{0}\nurlscan: disable[U101]\n{0}", [1, 3]),
        ("urlscan: disable[U201]\n{0}\nurlscan: enable[bad-escape]\n{0}", []),
        ("{0}\nurlscan: enable[U201]\n{0}", [1, 3]),
        ("{0}\n{0}\n// urlscan: ignore-file[bad-escape]", []),
        ("{0}\nurlscan: ignore-everything[U201]", [1]),
    ],
)
def test_comments_for_several_lines(text: str, lines: list[int]) -> None:
    text = text.format(BAD)
    found = list(findings_of(Document(text), find(text), Settings()))
    assert [finding.line for finding in apply_suppressions(Document(text), found)[0]] == lines


def test_unused_comment_is_reported() -> None:
    text = f"{BAD} urlscan: ignore[U201, U101]\nurlscan: disable[U102]\nurlscan: ignore-file[U605]\n"
    reported = urlscan.lint(text)
    assert [(f.code, f.line, f.message.rpartition(": ")[2]) for f in reported] == [
        ("U901", 1, "U101 is not reported here"),
        ("U901", 2, "U102 is not reported here"),
    ]
    assert urlscan.lint(text, settings=Settings(ignore=("U901",))) == []


@pytest.mark.slow
def test_many_findings_and_comments_take_linear_time() -> None:
    def comments_and_findings(count: int) -> tuple[Document, list[Finding]]:
        text = "".join(f"urlscan: disable[U201]\n{BAD}\nurlscan: enable[U201]\n{BAD}\n" for _ in range(count))
        document = Document(text)
        return document, list(findings_of(document, find(text), Settings()))

    inputs = {count: comments_and_findings(count) for count in (20_000, 20_000 // FACTOR)}
    assert_linear(lambda count: apply_suppressions(*inputs[count]), 20_000)
    assert len(apply_suppressions(*inputs[20_000])[0]) == 20_000


# --- untrusted text


@pytest.mark.parametrize("kind", sorted(UNTRUSTED_KINDS))
def test_comments_in_untrusted_kinds_are_not_honored(kind: str) -> None:
    text = f"{BAD} urlscan: ignore[U201] urlscan: ignore-file[U101]\n"
    trusted, untrusted = Document(text), Document(text, kind=kind)
    found = list(findings_of(trusted, find(text), Settings()))
    assert [finding.code for finding in found] == ["U201"]
    assert apply_suppressions(trusted, found)[0] == []
    findings, unused = apply_suppressions(untrusted, found)
    assert findings == found
    assert unused == [], "their comments are not reported as unused"


def test_comments_in_archives_are_not_honored() -> None:
    document = Document("", kind="html")
    assert are_honored(document)
    document.packed = True
    assert not are_honored(document)


def test_every_kind_is_trusted_or_untrusted() -> None:
    """A new kind must be added to one of the two lists."""
    from urlscan.documents import KINDS

    trusted = set(
        "plain html xml markdown rst ipynb csv tsv ics vcf asciidoc css latex org roff texinfo source c dockerfile go"
        " haskell ini java javascript json jsonl lisp lua makefile perl php po powershell properties python r ruby rust"
        " shell sql toml vim yaml".split()
    )
    assert set(KINDS) == trusted | (set(KINDS) & UNTRUSTED_KINDS), "add the new kind to one of the two lists"


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("urlscan: ignore", "add a rule in brackets: ignore[U201]"),
        ("urlscan:ignore \r", "add a rule in brackets"),
        ("urlscan: ignore-file[ ]", "add a rule in brackets: ignore-file[U201]"),
        ("/* urlscan: disable */", "add a rule in brackets"),
        ("<!-- urlscan: ignore-next-line -->", "add a rule in brackets"),
        ("{# urlscan: ignore #}", "add a rule in brackets"),
        ("urlscan: ignore U101 for now", "add a rule in brackets"),
        ("urlscan: ignore: U101", "add a rule in brackets"),
        ("urlscan: ingore[U101]", 'unknown directive "ingore" (did you mean "ignore"?)'),
        ("urlscan: Ignore_File[bad-escape, U101]", 'unknown directive "Ignore_File" (did you mean "ignore-file"?)'),
        ("urlscan: noqa[U101]", 'unknown directive "noqa" (choose one of ignore-next-line, ignore-file, ignore, '),
        ("urlscan: ignore[U1]", '"U1" selects several rules; name each of them'),
        ("urlscan: ignore[ALL]", '"ALL" selects several rules; name each of them'),
    ],
)
def test_malformed_comment_is_reported(comment: str, message: str) -> None:
    (finding,) = urlscan.lint(f"text\n  {comment}\ntext\n")
    assert (finding.code, finding.line) == ("U901", 2)
    assert finding.message.startswith(f"unused suppression comment: {message}")
    assert finding.column == 3 + comment.index("urlscan") or "several" in message


@pytest.mark.parametrize(
    "text",
    [
        "A bare `urlscan: ignore` suppresses nothing.",
        "the comments urlscan: ignore and urlscan: disable are examples",
        "urlscan: ignore[...] is a comment",
        "urlscan: version[1.2]",
        "urlscan: check the documentation",
        "urlscan: list[str]",
        "our-urlscan: ",
    ],
)
def test_prose_about_comments_is_not_reported(text: str) -> None:
    assert urlscan.lint(text + "\n") == []


def test_malformed_comment_in_mail_is_not_reported() -> None:
    assert urlscan.lint("From: jo@h.example\nSubject: a\n\nurlscan: ignore\n", path="a.eml") == []


@pytest.mark.slow
def test_malformed_comments_are_found_in_linear_time() -> None:
    def read(count: int) -> None:
        assert malformed_suppressions(("urlscan: " + " " * 50 + "ignore" + " " * 50 + "[" + " " * 50) * count) == []

    assert_linear(read, 20_000)
