"""Test the commands for single URLs: `urlscan parse`, `urlscan resolve` and `urlscan normalize`."""

import json
import re
import subprocess
import sys
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

import urlscan as library
from tests.command import clean_environment, urlscan
from tests.formats.test_secrets import CASES, run_here
from tests.test_startup import loaded
from urlscan.uri.schemes import REGISTRY

SCHEMA = Draft202012Validator(json.loads(files("urlscan").joinpath("data/url.schema.json").read_text()))
# Arguments of each command before the URLs.
BEFORE = {"parse": [], "resolve": ["http://h.example/a/b"], "normalize": []}
COMMANDS = [[name, *before] for name, before in BEFORE.items()]
GOOD, BAD = "http://h.example/ok", "http://h.example/%zz"

by_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


def record(*arguments: str) -> dict[str, object]:
    (line,) = urlscan(*arguments, "--format", "jsonl").lines
    found: dict[str, object] = json.loads(line)
    return found


# --- all three commands


@by_command
def test_syntax_error_has_status_1_and_all_urls_are_processed(command: list[str]) -> None:
    assert urlscan(*command, GOOD).status == 0
    done = urlscan(*command, BAD, GOOD)
    assert done.status == 1
    assert BAD in done.text
    assert GOOD in done.text


@by_command
def test_advice_does_not_affect_the_status(command: list[str]) -> None:
    assert urlscan(*command, "http://h.example/%2e%2e/x", "ftp://jo:pw@h.example/").status == 0


@by_command
def test_status_depends_on_the_profile(command: list[str]) -> None:
    tilde = "http://h.example/~jo"
    assert urlscan(*command, tilde).status == 0
    assert urlscan(*command, "--profile", "rfc1738", tilde).status == 1


@by_command
@pytest.mark.parametrize("format", ["text", "json", "jsonl"])
def test_standard_input_contains_one_url_per_line(command: list[str], format: str) -> None:
    lines = b"\xef\xbb\xbfhttp://h.example/a b\r\n\n  \t\nhttp://h.example/%zz\n<URL:http://h.example/c>\n \nhttp://h.example/d"
    given = ["http://h.example/a b", BAD, "<URL:http://h.example/c>", "http://h.example/d"]
    expected = urlscan(*command, "--format", format, *given)
    assert urlscan(*command, "--format", format, stdin=lines) == expected
    assert urlscan(*command, "--format", format, "-", stdin=lines) == expected


@by_command
def test_standard_input_may_be_mixed_with_arguments(command: list[str]) -> None:
    assert urlscan(*command, "a:1", "-", "a:3", stdin=b"a:2\n") == urlscan(*command, "a:1", "a:2", "a:3")


@by_command
def test_options_may_be_anywhere_before_two_hyphens(command: list[str]) -> None:
    expected = urlscan(*command, "--format", "jsonl", "a:1", "a:2")
    assert expected.status == 0
    assert urlscan(*command, "a:1", "--format=jsonl", "a:2") == expected
    assert urlscan(*command, "a:1", "--format=jsonl", "--", "a:2") == expected
    assert "--color" in urlscan(*command, "--", "--color").text


@by_command
def test_json_is_an_array_of_the_records_of_jsonl(command: list[str]) -> None:
    array = json.loads(urlscan(*command, "--format", "json", GOOD, BAD).out)
    assert array == [json.loads(line) for line in urlscan(*command, "--format", "jsonl", GOOD, BAD).lines]
    assert len(array) == 2
    assert urlscan(*command, "--format", "json", stdin=b"\n") == (0, b"[]\n", "")


@by_command
@pytest.mark.parametrize(
    "arguments",
    [
        ["--format", "xml", "a"], ["--profile", "rfc1", "a"], ["--frobnicate", "a"], ["-", "-"], ["--level", "x", "a"],
        ["--dots", "x", "a"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_usage_error_is_one_line_with_status_2(command: list[str], arguments: list[str]) -> None:
    done = urlscan(*command, *arguments, stdin=b"")
    assert (done.status, done.out) == (2, b"")
    (line,) = done.err.splitlines()
    assert line.startswith("urlscan: ")


@by_command
def test_missing_urls_are_a_usage_error(command: list[str]) -> None:
    done = urlscan(*command, stdin=None)
    assert (done.status, done.out) == (2, b"")
    assert "one per line" in done.err


def test_base_must_be_an_argument() -> None:
    for arguments in ([], ["-"], ["-", "x"]):
        done = urlscan("resolve", *arguments, stdin=b"http://h.example/\n")
        assert (done.status, done.out) == (2, b"")
        assert "BASE" in done.err


@by_command
def test_argument_may_be_empty(command: list[str]) -> None:
    assert urlscan(*command, "").status == 0


@by_command
def test_each_line_is_answered_immediately(command: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "urlscan", *command, "--format", "jsonl"],
        env=clean_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for path in ("a", "b", "c"):
        process.stdin.write(f"/{path}\n".encode())
        process.stdin.flush()
        assert f"/{path}" in process.stdout.readline().decode()
    process.stdin.close()
    process.stdout.close()
    assert process.wait() == 0


@by_command
def test_too_long_line_is_skipped(command: list[str]) -> None:
    done = urlscan(*command, "--format", "jsonl", stdin=b"a:1\nb:" + b"x" * 300_000 + b"\na:2\n")
    assert (done.status, len(done.lines)) == (2, 2)
    (line,) = done.err.splitlines()
    assert line.startswith("urlscan: -: line 2 is longer than")


@by_command
@pytest.mark.parametrize("format", ["text", "json", "jsonl"])
def test_output_is_printable(command: list[str], format: str) -> None:
    hostile = [
        "\x1b]0;title\x07", "http://h.example/\x9b31m\u202e", "ftp://h.example/%1b[31m/%0D%0Ax", "h\ti\x7f", "a\nb",
        "http://\x1b[2J@h\x1b/\u2028?\x1b#\x1b", "sip:\x1b@h\u202e;a=%1b", "\x1bx:y", "../../\x1b[1m", "\x1b:\u2066",
    ]  # fmt: skip
    done = urlscan(*command, "--format", format, "--dots" if command[0] == "resolve" else "--profile",
                   "refuse" if command[0] == "resolve" else "rfc3987", *hostile)  # fmt: skip
    assert done.status == 1
    assert all(line.isprintable() for line in done.text.split("\n")), done.text
    assert all(line.isprintable() for line in done.err.split("\n")), done.err


@by_command
def test_bytes_that_are_not_utf_8_are_read_as_windows_1252(command: list[str]) -> None:
    assert "/café" in urlscan(*command, b"http://h.example/caf\xe9").text
    assert "/café" in urlscan(*command, stdin=b"http://h.example/caf\xe9\n").text


@by_command
def test_unneeded_modules_are_not_loaded(command: list[str]) -> None:
    modules = loaded(*command, "http://h.example/a")
    assert not modules & {
        "urlscan.pipeline.read", "urlscan.linter.suppressions", "urlscan.linter.edits", "urlscan.files.atomic_write",
        "urlscan.files.decode",
        "urlscan.formats.excerpt", "json", "subprocess", "csv", "multiprocessing", "inspect", "dataclasses", "idna",
    }  # fmt: skip


# --- parse


def rows(*arguments: str) -> dict[str, str]:
    """Return the table of one URL by name: the span and the value, separated by a blank."""
    lines = urlscan("parse", *arguments).text.split("\n\n")[0].splitlines()[1:]
    pairs = [line.strip().partition(" ") for line in lines]
    return {name: re.sub(r"^(\d+-\d+) +", r"\1 ", value.strip()) for name, _, value in pairs}


def test_empty_components_are_shown_and_missing_ones_are_not() -> None:
    table = rows("http://:@h.example:?#")
    assert [table[name] for name in ("user", "password", "port", "path", "query", "fragment")] == [
        "7-7 (empty)", "8-8 (empty)", "19-19 (empty)", "19-19 (empty)", "20-20 (empty)", "21-21 (empty)",
    ]  # fmt: skip
    assert not rows("http://h.example/").keys() & {"user", "password", "port", "query", "fragment", "left"}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("<URL:http://h.example/>", "out delimiters <URL:>"),
        ("< http://h.example/\n  a >", "out delimiters <>, 5 characters of white space"),
        (" http://h.example/", "out 1 character of white space"),
        ('"http://h.example/"', 'out delimiters ""'),
    ],
)
def test_removed_delimiters_and_white_space_are_reported(given: str, shown: str) -> None:
    assert re.sub(" +", " ", rows(given)["left"]) == shown


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("http://h.example/", ["registered"]),
        ("nfs://h.example/a", ["registered", "reserved"]),
        ("x-foo:a", ["experimental"]),
        ("frob:a", ["unknown"]),
        ("//h.example/", []),
    ],
)
def test_status_of_a_scheme(url: str, status: list[str]) -> None:
    assert record("parse", url)["scheme_status"] == status


def test_number_of_shown_problems_is_limited() -> None:
    text = urlscan("parse", "http://h.example/" + "%zz" * 150).text
    assert text.count("U201") == 100
    assert text.endswith("\n... and 50 more problems; --format json shows all of them\n")
    assert len(urlscan("normalize", "http://h.example/" + "%zz" * 150).err.splitlines()) == 21


def test_color_is_optional_and_changes_nothing_else() -> None:
    plain = urlscan("parse", BAD, GOOD).text
    assert "\x1b[" not in plain
    colored = urlscan("parse", "--color", "always", BAD, GOOD).text
    assert "\x1b[1;31m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain
    assert urlscan("parse", BAD, GOOD, FORCE_COLOR="1").text == colored
    assert urlscan("parse", BAD, GOOD, FORCE_COLOR="1", NO_COLOR="1").text == plain


# URLs of each scheme but nntp, whose URLs have no host by RFC 1630 only.
SCHEMES = (
    "tel:+1-816-555-1212",
    "tel:7042;phone-context=h.example",
    "sip:jo@h.example",
    "sip:+1-212-555-1212:1234@gateway.h.example;user=phone",
    "sips:jo@h.example?subject=project%20x&priority=urgent",
    "file:///etc/motd",
    "file://h.example/a/b",
    "ftp://h.example/a/b",
    "ftp://jo@h.example/%2Fetc/motd",
    "data:,A%20brief%20note",
    "data:image/gif;base64,R0lGODdhMAAw",
    "geo:48.2010,16.3695,183",
    "geo:66,30;u=6.500;FOo=this%2dthat",
    "mailto:jo@h.example",
    "mailto:jo.doe+x@mail.h.example",
    "mid:960830.1639@h.example",
    "cid:foo4.foo1@h.example",
    "urn:example:animal:ferret",
    "urn:ietf:rfc:3986",
    "doi:10.1000/182",
    "doi:10.1000.10/123456",
    "magnet:?xt=urn:sha1:YNCKHTQCWBTRNJIV4WNAE52SJUQCZO5C&dn=letter.txt",
    "gopher://h.example",
    "gopher://h.example:70/",
    "gopher://h.example/00/weather%09rain",
    "wais://h.example/db",
    "wais://h.example:210/db?word",
    "prospero://h.example//pros/name",
    "prospero://h.example:1525/name",
    "ldap://h.example/c=GB?objectClass?one",
    "ldap:///o=University%20of%20Michigan,c=US",
    "ldaps://h.example/c=GB",
    "telnet://h.example",
    "telnet://jo@h.example:2323",
    "tn3270://h.example/",
    "rlogin://h.example",
    "ssh://jo@h.example:2222/",
    "sftp://jo@h.example/a/b.txt",
    "irc://h.example/urlscan",
    "irc://h.example/jo,isnick",
    "ircs://h.example/urlscan",
    "irc6://h.example/urlscan",
    "news:*",
    "news:comp.lang.misc",
    "news:1994.12a@h.example",
    "snews:comp.lang.misc",
    "http://h.example",
    "http://h.example:8080/a/b?c",
    "https://h.example",
    "https://h.example:8080/a/b?c",
    "ws://h.example",
    "ws://h.example:8080/chat?room=1",
    "wss://h.example/chat",
)


@pytest.mark.parametrize("profile", ["rfc3986", "rfc3987", "rfc2396", "rfc1738", "rfc1630"])
def test_records_match_the_schema_and_the_library(profile: str) -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
    assert {url.partition(":")[0] for url in SCHEMES} == set(REGISTRY) - {"nntp"}
    examples = [
        *SCHEMES,
        "",
        "?",
        "#",
        "//",
        "http://[v1.x]/",
        "http://[::1",
        "x:",
        "geo:1e9,2",
        f"geo:{'9' * 400},1",
        *CASES.values(),
    ]
    output = run_here("parse", "--format", "jsonl", "--profile", profile, "--", *examples)
    records = [json.loads(line) for line in output.splitlines()]
    assert len(records) == len(examples)
    for given, found in zip(examples, records, strict=True):
        SCHEMA.validate(found)
        url = library.parse(given, profile=profile)
        assert found["valid"] == (not any(problem.syntax for problem in url.problems))
        if "redacted" in found:
            continue
        assert found["url"] == url.text
        for name in (
            "scheme",
            "authority",
            "userinfo",
            "user",
            "password",
            "host",
            "port",
            "path",
            "query",
            "fragment",
        ):
            part = found[name]
            assert (part and part["text"]) == getattr(url, name)
            assert part is None or url.text[part["start"] : part["end"]] == part["text"]


# --- resolve


def test_resolve_prints_one_target_per_line() -> None:
    base = "http://a/b/c/d;p?q"  # RFC 3986 section 5.4
    assert urlscan("resolve", base, "g:h", "g", "?y", "", "../../g", "#s").lines == [
        "g:h", "http://a/b/c/g", "http://a/b/c/d;p?y", base, "http://a/g", f"{base}#s",
    ]  # fmt: skip


def test_dots_above_the_root() -> None:
    reference = "../../../g"
    note = 'urlscan: ../../../g: ".." leads above the root (RFC 3986 section 5.2.4)\n'
    base = "http://a/b/c/d"
    assert urlscan("resolve", base, reference) == (0, b"http://a/g\n", note)
    assert urlscan("resolve", "--dots", "keep", base, reference) == (0, b"http://a/../g\n", note)
    done = urlscan("resolve", "--dots", "refuse", base, reference, "g")
    assert done == (1, b"http://a/b/c/g\n", note.replace('".."', 'refused: ".."'))
    done = urlscan("resolve", "--dots", "refuse", "--format", "jsonl", base, reference, "g")
    assert [json.loads(line)["target"] for line in done.lines] == [None, "http://a/b/c/g"]
    assert (done.status, done.err.count("\n")) == (1, 1)
    # RFC 2396 section 5.2 step 6g calls it an error and keeps the dots in its examples.
    done = urlscan("resolve", "--profile", "rfc2396", base, reference)
    assert (done.status, done.out) == (1, b"http://a/../g\n")


def test_problems_of_the_base_are_reported_once() -> None:
    done = urlscan("resolve", "a/b", "c", "d")
    assert (done.status, done.out) == (1, b"a/c\na/d\n")
    (line,) = done.err.splitlines()
    assert line.startswith("urlscan: a/b: ")
    problems = record("resolve", "a/b", "c")["problems"]
    assert isinstance(problems, list)
    assert [problem["argument"] for problem in problems] == ["base"]
    assert urlscan("resolve", "http://h.example/%zz", "c").status == 1


# --- normalize


def test_record_of_normalize() -> None:
    found = record("normalize", "HTTP://h.example/%zz")
    problems = found.pop("problems")
    assert found == {"schema_version": 1, "url": "HTTP://h.example/%zz", "normal": "http://h.example/%zz"}
    assert isinstance(problems, list)
    assert [problem["code"] for problem in problems] == ["U201"]
