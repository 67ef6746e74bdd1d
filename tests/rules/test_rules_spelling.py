"""Test the rules about escapes, dots, letter case and normal forms."""

import pytest

from tests.linear_time import assert_linear
from urlscan.core.records import Problem, Severity
from urlscan.core.settings import PROFILES
from urlscan.linter.judge import judge_url
from urlscan.rules import load
from urlscan.rules.base import Spec

CODES = ("U202", "U203", "U204", "U205", "U206", "U207", "U209", "U503", "U801", "U802", "U803", "U804")


def problems_of(code: str, url: str, profile: str = "rfc3986") -> tuple[Problem, ...]:
    return judge_url(url, Spec(profile, "uri-reference"), [load(code)])


def reported(code: str, url: str, profile: str = "rfc3986") -> list[str]:
    return [url[p.start : p.end] for p in problems_of(code, url, profile)]


def fixed(code: str, url: str, applicability: str = "safe") -> str:
    """Return the URL with all fixes of a rule applied; each must have the given applicability."""
    new = url
    for problem in reversed(problems_of(code, url)):
        assert problem.fix is not None
        assert problem.fix.applicability == applicability
        for edit in reversed(problem.fix.edits):
            new = new[: edit.start] + edit.text + new[edit.end :]
    return new


# --- spans


@pytest.mark.parametrize(
    ("code", "url", "expected"),
    [
        ("U202", "http://h/?a=b%2520c", ["%2520"]),
        ("U202", "http://h/?a=%253A%252F%252Fh", ["%253A%252F%252F"]),
        ("U202", "http://h/?a=x%2520y%2520z&b=%2541;c%2542=1", ["%2520y%2520", "%2541", "%2542"]),
        ("U202", "http://h/a%2520b/c", ["%2520"]),
        ("U202", "http://h/#a%2520b", ["%2520"]),
        ("U202", "http://h/?a=100%25&b=5%25x", []),
        ("U202", "http://h/?to=http%3A%2F%2Fg%2Fa%2520b", []),
        ("U202", "http://h/?prev=/groups%3Fa%3Db%2540c", []),
        ("U202", "http://h/?next=/a%2520b", []),
        ("U202", "http://h/?to=http://g/?q=a%2520b&r=%2541", []),
        ("U202", "http://h/?q=%2541&to=http://g/a%2520b", ["%2541"]),
        ("U202", "http://h/web/http://g/a%2520b?q=%2541", []),
        ("U202", "http://h/a%2Fb%2520c", []),
        ("U202", "http://[fe80::1%25ee0]/", []),
        ("U203", "http://h/%00a%0D%0Ab%7F", ["%00", "%0D%0A", "%7F"]),
        ("U203", "http://h/?a=%1b#%01", ["%1b", "%01"]),
        ("U203", "http://h/%2500%20%80%A0", []),
        ("U203", "data:,a%0Ab", []),
        ("U203", "gopher://h/7sel%09word", []),
        ("U203", "gopher://h/0sel%09%09+", []),
        ("U203", "gopher://h/0a%09b%09c%09d", ["%09"]),
        ("U203", "gopher://h/0a%0D%0Ab%09c", ["%0D%0A"]),
        ("U203", "gopher://h/0a%09%09%09%0A", ["%09%0A"]),
        ("U203", "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%20x%0D%0A.%0D%0A", []),
        ("U203", "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Aone", ["%09", "%0D%0A", "%0D%0A"]),
        (
            "U203",
            "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Aone%00%0D%0A.%0D%0A",
            ["%09", "%0D%0A", "%0D%0A", "%00%0D%0A", "%0D%0A"],
        ),
        ("U203", "mailto:jo@h?subject=x&body=a%0D%0A%0d%0ab%09c", []),
        ("U203", "mailto:jo@h?subject=x%0D%0ABcc:y&body=a", ["%0D%0A"]),
        ("U203", "mailto:jo@h?body=a%0Ab", ["%0A"]),
        ("U203", "mailto:jo%0D%0A@h", ["%0D%0A"]),
        ("U203", "imap://h/box?charset%20UTF-8%20%7B3+%7D%0D%0Aabc%0A", ["%0A"]),
        ("U203", "prospero://h/a%001", ["%00"]),
        ("U204", "http://h/M%FChle", ["%FC"]),
        ("U204", "http://h/%C3%BC%FC%FC%C3%BC%E2%82", ["%FC%FC", "%E2%82"]),
        ("U204", "http://h/%C3%BC?%E4%B8%AD#%F0%9F%98%80", []),
        ("U204", "http://h/%C3/%BC", ["%C3", "%BC"]),
        ("U204", "http://h/%ED%A0%80", ["%ED%A0%80"]),
        ("U204", "data:,%FF", []),
        ("U205", "http://h/%c3%bc%C3a%2f", ["%c3%bc", "%2f"]),
        ("U205", "http://h/%C3%BC%20ab", []),
        ("U206", "http://h/%41%42c%7e", ["%41%42", "%7e"]),
        ("U206", "http://h/%2F%2B%2a%20", []),
        ("U206", "http://h/%2E%2E/%2e/.%2E/a", []),
        ("U206", "http://h/a%2Eb/%2Ec?%2E", ["%2E", "%2E", "%2E"]),
        ("U206", "http://h/%%34%31/%4%31", []),
        ("U206", "ftp://jo:%41%42@h.net/", []),
        ("U206", "http://%77%77%77.h/", ["%77%77%77"]),
        ("U207", "http://h/a/%2e%2E/.%2e/%2E./%2e", ["%2e%2E", ".%2e", "%2E.", "%2e"]),
        ("U207", "http://h/%2e%2e%2e/%2ea/../.?/%2e", []),
        ("U207", "a/%2e%2e/b", ["%2e%2e"]),
        ("U207", "mailto:%2e%2e", []),
        ("U207", "gopher://h/%2e%2e", []),
        ("U209", "http://h/a/../../b/../..", [".."]),
        ("U209", "http://h/..", [".."]),
        ("U209", "//h/./../a", [".."]),
        ("U209", "file:/../a", [".."]),
        ("U209", "http://h/a/../b/..", []),
        ("U209", "http://h//../a", []),
        ("U209", "http://h/.../..a", []),
        ("U209", "../../a", []),
        ("U209", "/../a", []),
        ("U209", "urn:a:../..", []),
        ("U209", "http://h/?a=/../..", []),
        ("U209", "gopher://h/../a", []),
        ("U503", "file:///etc/motd", ["file"]),
        ("U503", "NNTP://h/g/1", ["NNTP"]),
        ("U503", "cid:a@h", ["cid"]),
        ("U503", "http://file/", []),
        ("U503", "news:comp.mills", []),
        ("U801", "HTTP://h/", ["HTTP"]),
        ("U801", "Mailto:jo@h", ["Mailto"]),
        ("U801", "http://H/", []),
        ("U801", "//H/", []),
        ("U802", "http://jo@WWW.h:80/A", ["WWW.h"]),
        ("U802", "http://[2001:DB8::1]/", ["[2001:DB8::1]"]),
        ("U802", "http://[fe80::1%25En0]/", []),
        ("U802", "http://a%C3%BC.h/A", []),
        ("U802", "http:///A", []),
        ("U803", "http://h/a/./b/../c", ["./b/.."]),
        ("U803", "http://h/..", [".."]),
        ("U803", "http://h/.a/..b/c...?/./#/../", []),
        ("U803", "/a/../b", []),
        ("U803", "urn:a/../b", []),
        ("U803", "x-a:/.//b", []),
        ("U804", "http://jo@h", ["h"]),
        ("U804", "wss://h:81?q#f", ["h:81"]),
        ("U804", "http://h/", []),
        ("U804", "ftp://h", []),
        ("U804", "http:", []),
        ("U804", "http://?a", []),
    ],
)
def test_problems_cover_the_offending_characters(code: str, url: str, expected: list[str]) -> None:
    assert reported(code, url) == expected


@pytest.mark.parametrize(
    ("code", "url", "profile", "expected"),
    [
        # RFC 1630: "%00" separates the version in a prospero URL.
        ("U203", "prospero://h/a%001", "rfc1630", []),
        ("U203", "prospero://h/a%001%00", "rfc1630", ["%00"]),
        # RFC 1738 section 3.2.2: CWD ".." is interpreted by the server.
        ("U209", "ftp://h/../a", "rfc1738", []),
        ("U209", "ftp://h/../a", "rfc3986", [".."]),
        ("U209", "http://h/../a", "rfc1738", [".."]),
        ("U803", "ftp://h/a/../b", "rfc1738", []),
        # The profile determines the unreserved characters.
        ("U206", "http://h/%7Ejo", "rfc1738", []),
        ("U206", "http://h/%7Ejo", "rfc2396", ["%7E"]),
        ("U206", "http://h/a%21%24b", "rfc1738", ["%21%24"]),
        ("U206", "http://h/a%21%24b", "rfc2396", ["%21"]),
        ("U206", "http://h/a%21%24b", "rfc3986", []),
        ("U206", "http://h/a%2Bb%2A", "rfc1738", []),
        ("U206", "http://h/a%40%2Db", "rfc1630", ["%2D"]),
    ],
)
def test_reported_characters_depend_on_the_profile(code: str, url: str, profile: str, expected: list[str]) -> None:
    assert reported(code, url, profile) == expected


# --- severity, messages and sections


@pytest.mark.parametrize(
    ("url", "severity"),
    [
        ("http://h/?a=%2541", Severity.WARNING),
        ("http://h/%2541", Severity.INFO),
        ("http://h/#%2541", Severity.INFO),
    ],
)
def test_double_encoding_in_a_path_is_an_info(url: str, severity: Severity) -> None:
    assert [problem.severity for problem in problems_of("U202", url)] == [severity]


@pytest.mark.parametrize(
    ("scheme", "severity"),
    [
        ("ftp", Severity.ERROR),
        ("TELNET", Severity.ERROR),
        ("gopher", Severity.ERROR),
        ("http", Severity.INFO),
        ("x-a", Severity.INFO),
    ],
)
def test_escaped_control_is_an_error_in_line_based_protocols(scheme: str, severity: Severity) -> None:
    assert [problem.severity for problem in problems_of("U203", f"{scheme}://h/a%0Ab")] == [severity]


def test_messages_name_control_characters() -> None:
    (problem,) = problems_of("U203", "http://h/a%0D%0a%0D%01")
    assert problem.message == 'escaped control character in the path: "%0D%0a%0D%01" (CR, LF)'


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("code", CODES)
def test_problems_are_advice_and_cite_a_section(code: str, profile: str) -> None:
    urls = (
        "HTTP://H.example?a=%2520",
        "http://h/%00%ff%41/%2e",
        "http://h/../b",
        "file:///a",
    )
    found = [problem for url in urls for problem in problems_of(code, url, profile)]
    assert found
    assert not any(problem.syntax for problem in found)
    assert all(problem.section.startswith("RFC ") for problem in found)


@pytest.mark.parametrize("code", CODES)
def test_messages_reveal_no_password(code: str) -> None:
    for problem in problems_of(code, "HTTP://jo:s3%2541%00%ff%41cret@H.net?a=%2541"):
        output = problem.message + problem.suggestion
        assert "s3" not in output
        assert "%00" not in output
        assert "cret" not in output


@pytest.mark.parametrize("url", ["HTTP://jo@h.example:S3CRET#x@H.net", "http://jo:a/S3CRET/../b/./c@h.net/x"])
def test_messages_reveal_no_misplaced_password(url: str) -> None:
    for code in CODES:
        for problem in problems_of(code, url):
            assert "s3cret" not in f"{problem.message}{problem.suggestion}{problem.fix}".lower()


# --- fixes


@pytest.mark.parametrize(
    ("code", "url", "new"),
    [
        ("U205", "http://h/%c3%bc/%2f", "http://h/%C3%BC/%2F"),
        ("U206", "http://h/%7Ejo/%2E%2E/%41%2541", "http://h/~jo/%2E%2E/A%2541"),
        ("U801", "HTTP://h/A", "http://h/A"),
        ("U802", "http://Jo@WWW.H%C3%9c.net/A", "http://Jo@www.h%C3%9c.net/A"),
        ("U803", "http://h/a/./b/../c/.", "http://h/a/c/"),
        ("U803", "http://h/a/b/c/./../../g?q", "http://h/a/g?q"),
        ("U803", "http://h/a//../b", "http://h/a/b"),
        ("U803", "file:/a/..//b", "file:/.//b"),
        ("U803", "http://h/a/..//b", "http://h//b"),
        ("U804", "http://h:80?q", "http://h:80/?q"),
        ("U804", "http://h#f", "http://h/#f"),
    ],
)
def test_safe_fixes(code: str, url: str, new: str) -> None:
    assert fixed(code, url) == new
    assert problems_of(code, new) == ()


def test_fix_of_double_encoding_removes_25() -> None:
    assert fixed("U202", "http://h/?a=x%2520y%252Fz&b=%2541", "unsafe") == "http://h/?a=x%20y%2Fz&b=%41"


def test_hosts_outside_the_dns_have_no_safe_fix() -> None:
    assert fixed("U802", "s3://Bucket/a", "unsafe") == "s3://bucket/a"


def test_dots_above_the_root_are_kept() -> None:
    (problem,) = problems_of("U803", "http://h/../a")
    assert problem.fix is None
    both = judge_url("http://h/../a", Spec("rfc3986", "uri"), [load("U209"), load("U803")])
    assert [problem.code for problem in both] == ["U209"]


# --- hostile input


@pytest.mark.parametrize(
    ("code", "unit"),
    [
        ("U202", "%25"),
        ("U203", "%0D%0A"),
        ("U203", "%09"),
        ("U204", "%FF"),
        ("U206", "%41"),
        ("U207", "%2e"),
        ("U209", "../"),
        ("U803", "a/../"),
    ],
)
@pytest.mark.parametrize(
    "before", ["gopher://h/", "gopher://h/%09%09+%091%0D%0A+-1%0D%0A", "http://h/", "mailto:a?body="]
)
@pytest.mark.slow
def test_time_is_linear(code: str, unit: str, before: str) -> None:
    assert_linear(lambda count: problems_of(code, before + unit * count), 100_000)
