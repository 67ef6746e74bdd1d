"""The severity of findings that differs from that of their rule."""

import pytest

import urlscan

_TOKEN = "ghp_5bu1A48An4g7Qm2Zt9LkW3xR8vB1cD6f"
_KEY = "AIzaSyB5u1A48An4g7Qm2Zt9LkW3xR8vB1cD6fE"


@pytest.mark.parametrize(
    ("url", "code", "severity"),
    [
        pytest.param(f"http://www.dominion.org/?x={_TOKEN}", "U304", "error", id="a token that a service published"),
        pytest.param("https://meet.dominion.org/j/1?pwd=a1b2c3d4", "U304", "info", id="the passcode of an invitation"),
        pytest.param("ftp://jo:k7Qm2Zt9Lk@ftp.dominion.org/", "U301", "error", id="a generated password"),
        pytest.param("ftp://jo:s3cret@ftp.dominion.org/", "U301", "warning", id="a word with a digit"),
        pytest.param("http://h.example/a#b#c", "U106", "error", id="two fragments"),
        pytest.param("http://h.example/#/rooms/#mill", "U106", "info", id="a room in a route"),
        pytest.param("http://h.example/#!/a#b", "U106", "info", id="an anchor in a route"),
        pytest.param("http://h.example/?q=%22a|b", "U101", "info", id="a bar in a query"),
        pytest.param("http://h.example/a|b", "U101", "error", id="a bar in a path"),
        pytest.param("http://h.example/a>b", "U101", "warning", id="an angle bracket in a path"),
        pytest.param("http://h.example/|version|/b", "U101", "error", id="a substitution that was not made"),
        pytest.param("http://h.example/a]", "U101", "error", id="a bracket of the text around"),
        pytest.param("http://h.example/a#ircs://h.example/#mill", "U106", "info", id="a URL in a fragment"),
        pytest.param("http://h.example/a@^1.0/b", "U101", "info", id="a range of versions in a path"),
        pytest.param("#default#mill", "U106", "info", id="two fragments of the same page"),
        pytest.param("https://mill-.h.example/", "U402", "info", id="a hyphen at the end of a label"),
        pytest.param(f"https://maps.googleapis.com/maps/api/js?key={_KEY}", "U304", "info", id="the key of a map"),
        pytest.param(f"https://www.googleapis.com/books?key={_KEY}", "U304", "error", id="a key of another service"),
    ],
)
def test_severity(url: str, code: str, severity: str) -> None:
    findings = urlscan.lint(f"See [x]({url}).", kind="markdown")
    assert [(f.code, f.severity.label) for f in findings if f.code == code] == [(code, severity)]


@pytest.mark.parametrize(
    ("query", "severity"),
    [
        pytest.param("?q=a:&quot;b&quot;", "info", id="a phrase in quotation marks"),
        pytest.param("?q=a&quot;&gt;", "error", id="the end of an attribute"),
    ],
)
def test_quotation_marks_in_queries(query: str, severity: str) -> None:
    findings = urlscan.lint(f'<a href="http://h.example/{query}">x</a>', kind="html")
    assert {f.severity.label for f in findings if f.code == "U101"} == {severity}


@pytest.mark.parametrize(
    ("code", "url"),
    [
        pytest.param("U402", "http://256.1.1.1/", id="invalid host"),
        pytest.param("U301", "ftp://jo:s3cret@ftp.dominion.org/", id="word for a password"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "severity"),
    [pytest.param("python", "info", id="a program"), pytest.param("toml", "warning", id="a configuration")],
)
def test_programs_are_graded_lower(code: str, url: str, kind: urlscan.Kind, severity: str) -> None:
    findings = urlscan.lint(f'x = "{url}"\n', kind=kind)
    assert [f.severity.label for f in findings if f.code == code] == [severity]


def test_name_of_a_scheme_as_a_link() -> None:
    findings = urlscan.lint('<a href="https://">https://</a>', kind="html")
    assert [(f.code, f.severity.label) for f in findings][:1] == [("U406", "info")]
