"""Test the public functions for texts, imported from `urlscan`."""

import dataclasses
import doctest
import importlib
import inspect
import pathlib
import re
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests.reference import function_of
from urlscan import ConfigError, Settings, Severity

PACKAGE = pathlib.Path(urlscan.__file__).parent
WITH_EXAMPLES = sorted(path for path in PACKAGE.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


def test_examples_are_found():
    assert {"__init__.py", "texts.py", "urls.py"} <= {path.name for path in WITH_EXAMPLES}


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_examples_in_docstrings_are_right(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize("name", [name for name in urlscan.__all__ if name[0].islower()])
def test_public_function_documents_an_example_and_its_errors(name):
    function = function_of(name)
    text = function.__doc__
    assert ">>> " in text
    takes_choices = {"profile", "kind", "component", "level"} & set(inspect.signature(function).parameters)
    assert not takes_choices or "ConfigError" in text


# --- scan


def test_scan_returns_the_url_and_the_raw_text():
    text = "See <URL:ftp://jo:x1y2@ds.inter\nnic.net/rfc>."
    (found,) = urlscan.scan(text)
    assert found.url == "ftp://jo:x1y2@ds.internic.net/rfc"
    assert text[found.start : found.end] == found.raw


def test_scan_without_rejoining_returns_the_first_line():
    (found,) = urlscan.scan("See <ftp://h.example/a\nb>.", rejoin="never")
    assert found.url == "ftp://h.example/a"


@given(st.text(st.characters(), max_size=40) | st.text("<>http:/.é\ud800\x00\n %-", max_size=40))
def test_scan_and_lint_accept_any_string(text):
    for found in urlscan.scan(text):
        assert len(text[found.start : found.end]) == len(found.raw)
    urlscan.lint(text)


def test_scan_maps_the_spans_of_faults_to_the_text():
    text = r'{"a": "\u0041\u0041 <http://h.example/a"}'
    (occurrence,) = urlscan.scan(text, kind="json")
    (fault,) = occurrence.faults
    assert text[fault.start : fault.end] == "<http://h.example/a"


def test_scan_checks_its_arguments_immediately():
    with pytest.raises(ConfigError, match='did you mean "roff"'):
        urlscan.scan("", kind="troff")
    with pytest.raises(ConfigError, match="wrapped"):
        urlscan.scan("", rejoin="always")


# --- check


def test_check_reports_character_span_section_and_suggestion():
    (problem,) = urlscan.check("http://h.example/a|b")
    assert problem == urlscan.Problem(
        code="U101",
        name="unsafe-character",
        severity=Severity.ERROR,
        syntax=True,
        message='"|" (U+007C) must be escaped in the path',
        component="path",
        start=18,
        end=19,
        section="RFC 3986 section 2",
        suggestion="%7C",
        fix=urlscan.Fix("safe", (urlscan.Edit(18, 19, "%7C"),)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "http://h/a|b",
        " http://h/a|b\n",
        "<http://h/a|b>",
        "<URL:http://h/a|b>",
        "<url: http://h/a|b >",
        '"http://h/a|b"',
        "'http://h/a|b'",
        "<http://h/\n   a|b>",
    ],
)
def test_check_unwraps_the_url_and_locates_problems_in_the_input(text):
    (problem,) = urlscan.check(text)
    assert problem.code == "U101"
    assert text[problem.start : problem.end] == "|"


@pytest.mark.parametrize("text", ["<http://h/a b>", "http://h/a b"])
def test_blank_within_a_line_is_a_problem(text):
    (problem,) = urlscan.check(text)
    assert (problem.code, problem.suggestion) == ("U102", "http://h/a%20b")


def test_line_break_outside_delimiters_is_a_control_character():
    assert [p.code for p in urlscan.check("http://h/a\nb")] == ["U103"]


@pytest.mark.parametrize("text", ["", " ", "<>", '""', "<URL:>", "<", "\x00", "\ud800"])
def test_check_accepts_any_string(text):
    for problem in urlscan.check(text, profile="rfc1738", kind="uri", select=["ALL"]):
        assert 0 <= problem.start <= problem.end <= len(text)


def test_iri_is_not_a_uri():
    iri = "http://x/wiki/Zürich"
    assert not urlscan.is_valid(iri)
    (problem,) = urlscan.check(iri)
    assert (problem.code, problem.syntax, problem.suggestion) == ("U104", True, "%C3%BC")
    # The rule is off in texts, where IRIs are accepted.
    assert urlscan.lint(f"See <{iri}>.") == []
    assert urlscan.check(iri, profile="rfc3987") == []


@pytest.mark.parametrize("url", ["http://h:80x/", "http://h:port/", "http://h/a#b#c", "http://h/?[a]"])
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3987"])
def test_invalid_url_has_a_syntax_problem_in_check_and_parse(url, profile):
    assert not urlscan.is_valid(url, profile=profile)
    assert [p.code for p in urlscan.check(url, profile=profile) if p.syntax]
    assert [p.code for p in urlscan.parse(url, profile=profile).problems if p.syntax]


def test_advice_is_not_a_syntax_problem():
    (problem,) = urlscan.check("ftp://jo:x1y2@h.net/")
    assert not problem.syntax
    assert urlscan.is_valid("ftp://jo:x1y2@h.net/")


# --- is_valid


@pytest.mark.parametrize(
    ("text", "kind", "valid"),
    [("a/b", "uri-reference", True), ("a/b", "uri", False), ("a:b#c", "uri", True), ("a:b#c", "absolute-uri", False)],
)
def test_validity_depends_on_the_kind(text, kind, valid):
    assert urlscan.is_valid(text, kind=kind) == valid


def test_is_valid_does_not_unwrap():
    assert urlscan.is_valid("http://h/")
    for text in ("<http://h/>", " http://h/", "http://h/\n", '"http://h/"'):
        assert not urlscan.is_valid(text)


@pytest.mark.parametrize("function", [urlscan.check, urlscan.is_valid])
def test_unknown_profile_or_kind_is_a_config_error(function):
    with pytest.raises(ConfigError, match="rfc1738"):
        function("http://h/", profile="rfc1737")
    with pytest.raises(ConfigError, match="absolute-uri"):
        function("http://h/", kind="path")


# --- lint


def test_lint_reports_lines_columns_and_characters():
    text = "é\nSee <http://h/a|b>."
    (finding,) = urlscan.lint(text, path="notes.txt")
    assert (finding.path, finding.line, finding.column) == ("notes.txt", 2, 16)
    assert text[finding.start : finding.end] == "|"


def test_lint_accepts_settings():
    text = "See <http://h/a|b> <http://h/~jo>."
    assert [f.code for f in urlscan.lint(text, settings=Settings(profile="rfc1738", ignore=("U101",)))] == ["U105"]


def test_lint_honors_suppression_comments():
    assert urlscan.lint("See <http://h/a|b>.  # urlscan: ignore[U101]") == []
    found = urlscan.lint("See <http://h/a|b>.  # urlscan: ignore[U201]")
    assert [finding.code for finding in found] == ["U101", "U901"]


def test_repr_of_results_masks_passwords():
    text = "<ftp://jo:x1y2@h.net/a|b>"
    assert "x1y2" not in repr(list(urlscan.scan(text)))
    assert "x1y2" not in repr(urlscan.lint(text))
    assert "x1y2" not in repr(urlscan.fix(text))


def test_hosts_and_addresses_are_found_on_request():
    text = "See www.mill.org/a, write to jo@mill.org or http://mill.org/b."
    assert [o.url for o in urlscan.scan(text)] == ["http://mill.org/b"]
    found = list(urlscan.scan(text, schemeless=True, emails=True))
    assert [(o.url, o.style, o.assumed) for o in found] == [
        ("www.mill.org/a", "schemeless", "http://www.mill.org/a"),
        ("jo@mill.org", "email", "mailto:jo@mill.org"),
        ("http://mill.org/b", "bare", ""),
    ]


@pytest.mark.parametrize(
    ("address", "assumed"),
    [
        ('"jo doe"@mill.org', "mailto:%22jo%20doe%22@mill.org"),
        ("jo#a?b%c@mill.org", "mailto:jo%23a%3Fb%25c@mill.org"),
        ("jo&co=a/b@mill.org", "mailto:jo%26co%3Da%2Fb@mill.org"),
        ("jo@[192.0.2.7]", "mailto:jo@%5B192.0.2.7%5D"),
        ("jo+old!$'(a)*,@mill.org", None),
    ],
)
def test_assumed_url_of_an_address_is_escaped(address, assumed):
    found = list(urlscan.scan(f"to {address} now", emails=True))
    assert [o.assumed for o in found if o.url == address] == ([assumed] if assumed else [])
    assert all(urlscan.is_valid(o.assumed) for o in found)


# --- wrong arguments

ONE_STRING = (
    "parse check is_valid normalize quote unquote unquote_to_bytes wrap to_ascii to_unicode to_uri to_iri defang refang"
    " unwrap_redirect mask scan lint fix split host_names readable"
).split()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: urlscan.scan(b"http://h.example/"), "urlscan.scan_bytes"),
        (lambda: urlscan.lint(bytearray(b"a")), "urlscan.lint_bytes"),
        (lambda: urlscan.scan(pathlib.Path("a")), "urlscan.scan_file"),
        (lambda: urlscan.lint(None), "takes a str, not NoneType"),
        (lambda: urlscan.scan("", email=True), "unknown option 'email'; use one of relative, schemeless, emails"),
    ],
)
def test_argument_of_another_type_names_the_right_function(call, named):
    with pytest.raises(TypeError, match=re.escape(named)):
        call()


@pytest.mark.parametrize("value", [None, 1, 1.5, ["a"], b"http://h.example/", pathlib.Path("a")])
@pytest.mark.parametrize("function", ONE_STRING)
def test_argument_that_is_no_string_names_the_function(function, value):
    if function == "quote" and isinstance(value, bytes):
        return
    with pytest.raises(TypeError, match=f"urlscan.{function} takes a str, not {type(value).__name__}"):
        getattr(urlscan, function)(value)


@pytest.mark.parametrize("value", [None, 1, b"a"])
@pytest.mark.parametrize("function", ["resolve", "resolve_with_problems", "relative", "equivalent"])
def test_both_arguments_must_be_strings(function, value):
    for arguments in ((value, "http://h.example/"), ("http://h.example/", value)):
        with pytest.raises(TypeError, match=f"urlscan.{function} takes a str, not {type(value).__name__}"):
            getattr(urlscan, function)(*arguments)


def test_every_function_checks_its_arguments():
    """A new function is added to one of the lists of these tests."""
    functions = {name for name in urlscan.__all__ if isinstance(getattr(urlscan, name), types.FunctionType)}
    assert functions == {
        *ONE_STRING, "resolve", "resolve_with_problems", "relative", "equivalent", "build", "render", "settings_for",
        "scan_bytes", "scan_file", "scan_paths", "lint_bytes", "lint_file", "lint_paths",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["select", "extend_select", "ignore"])
def test_setting_that_is_no_tuple_is_explained(name):
    for value, actual in (("U1", "str"), (1, "int"), ({"U1": 2}, "dict"), (("U1", 2), "tuple of int")):
        message = rf"urlscan.Settings: {name} must be a tuple such as \('U101', 'U3'\), not {actual}$"
        with pytest.raises(TypeError, match=message):
            urlscan.Settings(**{name: value})
    for collection in (list, set, frozenset):
        assert urlscan.Settings(**{name: collection(["U1"])}) == urlscan.Settings(**{name: ("U1",)})


@pytest.mark.parametrize("name", ["schemes", "allowed_hosts", "placeholders", "insecure_hosts"])
def test_setting_that_is_no_set_is_explained(name):
    with pytest.raises(TypeError, match=rf"urlscan.Settings: {name} must be a frozenset such as .*, not str$"):
        urlscan.Settings(**{name: "h.example"})
    assert urlscan.Settings(**{name: ["h.example"]}) == urlscan.Settings(**{name: frozenset({"h.example"})})


@pytest.mark.parametrize("value", ["U101", {"U101": "error"}, ("U101", "error"), (("U101",),), (("U101", 2),)])
def test_severities_that_are_no_pairs_are_explained(value):
    with pytest.raises(TypeError, match=r"severity must be a tuple such as \(\('U101', 'error'\),\), not "):
        urlscan.Settings(severity=value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: urlscan.check("a", select="U1"), "select must be a tuple such as .*, not str"),
        (lambda: urlscan.lint("a", settings={"select": ("U1",)}), "settings must be a urlscan.Settings, not dict"),
        (lambda: urlscan.scan("a", options={"emails": True}), "options must be a urlscan.FindOptions, not dict"),
        (lambda: urlscan.scan("a", schemes="x-foo"), "schemes must be a frozenset such as .*, not str"),
        (lambda: urlscan.scan_bytes(b"a", name=3), "urlscan.scan_bytes: name must be a str, not int"),
        (lambda: urlscan.scan_paths(None), "urlscan.scan_paths takes a path or paths, not NoneType"),
        (lambda: urlscan.lint_paths(b"a"), "urlscan.lint_paths takes a path or paths, not bytes"),
    ],
)
def test_options_of_another_type_are_explained(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_private_schemes_may_be_in_a_list():
    assert [o.scheme for o in urlscan.scan("to myhttp://h.example/", schemes=["myhttp"])] == ["myhttp"]


@pytest.mark.parametrize("kind", ["mbox", "mmdf", "babyl", "rnews"])
def test_kind_of_a_mailbox_names_the_right_function(kind):
    for function in (urlscan.scan, urlscan.lint):
        with pytest.raises(ConfigError, match=f"urlscan.{function.__name__}_bytes"):
            function("", kind=kind)


def test_options_of_scan_can_be_passed_in_one_record():
    text = "www.h.example, jo@h.example"
    options = urlscan.FindOptions(schemeless=True)
    assert [one.url for one in urlscan.scan(text, options=options)] == ["www.h.example"]
    assert [one.url for one in urlscan.scan(text, options=options, emails=True)] == ["www.h.example", "jo@h.example"]


def test_lint_reads_a_text_of_the_given_kind():
    text = '<a href="http://h.example/a|b">'
    assert [f.code for f in urlscan.lint(text, kind="html")] == ["U101"]
    assert [f.context for f in urlscan.lint(text, kind="html", path="a.txt")] == ["link"]
    assert urlscan.lint(text, path="a.html") == [
        dataclasses.replace(one, path="a.html") for one in urlscan.lint(text, kind="html")
    ]
