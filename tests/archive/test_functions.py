"""Functions of columns return what the library returns for each value, with secrets masked, in Arrow and DuckDB."""

import sys
from pathlib import Path

import duckdb
import pyarrow
import pytest

import urlscan
from tests.archive.databases import archive
from tests.command import urlscan as command
from urlscan.archive.functions import FUNCTIONS, FunctionOptions, register_functions
from urlscan.core.errors import ConfigError

SECRET = "hidden7q4Z"
TEXT = f"""See <URL:ftp://jo:{SECRET}@h.example/a-
b> or http://h.example/x?access_token={SECRET}&y=^ and 一http://bücher.example/."""
URLS = [
    "HTTP://H.example:80/%7ejo",
    f"<URL:http://jo:{SECRET}@h.example/%zz>",
    "",
    "http://[::1",
    "//",
    "\x00\ufffd%",
    "x" * 100_000,
    None,
]
BY_NAME = {function.name: function for function in FUNCTIONS}


def results(name: str, values: list[str | None], options: FunctionOptions = FunctionOptions()) -> list[object]:  # noqa: B008
    found = BY_NAME[name].apply(pyarrow.array(values, pyarrow.string()), options)
    assert found.type == BY_NAME[name].arrow_type()
    return found.to_pylist()


def test_occurrences_are_those_of_scan() -> None:
    first, none, null, again = results("urlscan_occurrences", [TEXT, "nothing", None, TEXT])
    assert (none, null, again) == ([], None, first)
    assert isinstance(first, list)
    expected = list(urlscan.scan(TEXT))
    assert [(row["start"], row["end"], row["style"]) for row in first] == [(o.start, o.end, o.style) for o in expected]
    assert [row["url"] for row in first] == [urlscan.mask(o.url) for o in expected]
    assert (first[0]["line"], first[0]["joined"], len(first[0]["breaks"])) == (1, "delimited", 1)
    assert TEXT[first[2]["start"] : first[2]["end"]] == first[2]["raw"] == "http://bücher.example/"


def test_problems_are_those_of_check() -> None:
    *found, null = results("urlscan_problems", URLS)
    assert null is None
    for url, rows in zip(URLS, found, strict=False):
        expected = [(p.code, p.start, p.end, p.syntax) for p in urlscan.check(str(url))]
        assert isinstance(rows, list)
        assert [(row["code"], row["start"], row["end"], row["syntax"]) for row in rows] == expected


def test_normal_form_and_host_are_those_of_the_library() -> None:
    normal, host = results("urlscan_normalize", URLS), results("urlscan_host", URLS)
    assert normal[:4] == ["http://h.example/~jo", "http://jo:***@h.example/%zz", "", "http://[::1/"]
    assert host == ["h.example", "h.example", None, "[::1", None, None, None, None]
    assert results("urlscan_host", ["http://XN--bcher-kva.example/"]) == ["bücher.example"]
    assert normal[4:6] == [urlscan.normalize(str(url)) for url in URLS[4:6]]


@pytest.mark.parametrize("name", BY_NAME)
def test_no_result_holds_a_secret(name: str) -> None:
    texts: list[str | None] = [TEXT, *TEXT.split(), *URLS, f"http://jo:{SECRET}@[::1/^"]
    assert SECRET not in repr(results(name, texts))


def test_options_select_kind_and_profile() -> None:
    html = '<a href="http://h.example/a&amp;b">x</a>'
    (found,) = results("urlscan_occurrences", [html], FunctionOptions(kind="html"))
    assert [row["url"] for row in found] == ["http://h.example/a&b"]  # type: ignore[attr-defined]
    (problems,) = results("urlscan_problems", ["http://h.example/~jo"], FunctionOptions(profile="rfc1738"))
    assert problems
    with pytest.raises(ConfigError, match="kind"):
        results("urlscan_occurrences", ["x"], FunctionOptions(kind="mbox"))  # type: ignore[arg-type]


def test_text_that_utf_8_cannot_encode_is_replaced() -> None:
    (found,) = results("urlscan_occurrences", [r'["http://h.example/\ud800x"]'], FunctionOptions(kind="json"))
    assert len(found) == 1  # type: ignore[arg-type]


def test_columns_of_other_types_are_refused_without_their_values() -> None:
    function = BY_NAME["urlscan_host"]
    large = pyarrow.array(["http://h.example/", None], pyarrow.large_string())
    options = FunctionOptions()
    for values in (large, large.dictionary_encode(), pyarrow.chunked_array([large])):
        assert function.apply(values, options).to_pylist() == ["h.example", None]
    assert function.apply(pyarrow.nulls(2), options).to_pylist() == [None, None]
    for wrong in (pyarrow.array([1]), pyarrow.array([SECRET.encode()]), pyarrow.array([[SECRET]])):
        with pytest.raises(TypeError, match="takes a column of strings") as raised:
            function.apply(wrong, options)
        assert SECRET not in str(raised.value)


def test_duckdb_has_the_functions_after_one_call() -> None:
    with duckdb.connect() as connection:
        register_functions(connection)
        for name in BY_NAME:
            query = f"SELECT {name}(value) FROM (SELECT unnest($values) AS value)"
            found = connection.execute(query, {"values": [*URLS, TEXT]}).fetchall()
            assert [row for (row,) in found] == results(name, [*URLS, TEXT])
        with pytest.raises(duckdb.Error):
            connection.execute("SELECT urlscan_host(1)")


def test_duckdb_needs_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with duckdb.connect() as connection, pytest.raises(ConfigError, match="numpy is not installed"):
        register_functions(connection)


def test_statements_of_query_have_the_functions_and_read_no_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    archive(tmp_path / "a.duckdb", tmp_path / "a.txt")
    sql = "SELECT urlscan_normalize(url) AS n FROM url WHERE urlscan_host(url) = 'bücher.example'"
    done = command("query", str(tmp_path / "a.duckdb"), "--sql", sql, "--format", "csv")
    assert (done.status, done.lines) == (0, ["n", "http://bücher.example/"])
    done = command("query", str(tmp_path / "a.duckdb"), "--sql", "SELECT urlscan_host(content) FROM read_text('a.txt')")
    assert (done.status, "disabled" in done.err) == (2, True)
