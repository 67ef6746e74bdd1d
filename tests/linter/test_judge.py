"""Test the linter: enabled rules, one finding per fault, exact spans."""

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import urlscan
from tests.linear_time import assert_linear
from tests.strategies import texts
from urlscan.core.document import Document
from urlscan.core.errors import ConfigError
from urlscan.core.offsets import EncodingMap, Spans
from urlscan.core.records import Alternative, Break, Finding, Match, Severity, TextFault, in_text
from urlscan.core.settings import PROFILES, REFERENCE_KINDS, Settings
from urlscan.finder import FindOptions, find, find_in_document
from urlscan.linter.judge import RuleSet, default_rule_set, enabled_entries, judge_url
from urlscan.linter.judge import rule_set_for as _rule_set
from urlscan.linter.locate import findings_of
from urlscan.rules import REGISTRY, load
from urlscan.rules.base import Spec
from urlscan.uri.grammar.templates import looks_like_pattern, placeholder_spans
from urlscan.uri.schemes import accepts

RULES = [load(entry.code) for entry in REGISTRY]
DEFAULT = [entry.code for entry in REGISTRY if entry.default]


def enabled(**settings: object) -> list[str]:
    return [entry.code for entry in enabled_entries(Settings(**settings))]


def lint(text: str, occurrences: list[Match] | None = None, **settings: object) -> list[Finding]:
    found = find(text) if occurrences is None else occurrences
    return list(findings_of(Document(text), found, Settings(**settings)))


def occurrence(text: str, url: str, start: int, end: int, **more: object) -> Match:
    return Match(url, text[start:end], start, end, start, end, url.split(":")[0], "bare", **more)


# --- the fast check


_BEGINNINGS = "http://h.example https://{x} ftp:// mailto:jo@h.example http: // / ../ ./ # ?a={x} {x} ${x}/".split()
_PIECES = (
    "/ // a.md . .. ../ ? # = & ; : @ :8080 :80 %20 %2e %25 %0 %2 E ~ | {x} ${user.name} {x!r} {{y}} %s {1} { }"
    " {6D5140C1-} &amp; =3D api_key= ?Token=k9Zq4Tx8Wm2Rv7Lc5 /glpat-k9Zq4Tx8Wm2Rv7Lc5"
    " xn-- jo@h.example localhost https é \u200b $ $x x".split()
)
_URLS = st.tuples(st.sampled_from(_BEGINNINGS), st.lists(st.sampled_from(_PIECES), max_size=7).map("".join)).map(
    "".join
)


@hypothesis_settings(deadline=None)
@given(_URLS, st.booleans(), st.sampled_from(PROFILES), st.sampled_from([None, ("ALL",)]))
def test_plain_urls_have_the_problems_that_all_rules_report(
    url: str, template: bool, profile: str, select: tuple[str, ...] | None
) -> None:
    settings = Settings(profile=profile, select=select)
    rule_set = RuleSet(settings)
    template = template and bool(placeholder_spans(url))
    rules = [load(entry.code) for entry in enabled_entries(settings)]
    assert rule_set.judge(url, template=template) == judge_url(url, rule_set.spec, rules, template)


# --- enabled rules


def test_default_rules_are_enabled_by_default():
    assert enabled() == DEFAULT
    assert "U101" in DEFAULT
    assert "U105" not in DEFAULT


def test_profile_adds_its_rules():
    assert enabled(profile="rfc1738") == sorted([*DEFAULT, "U105", "U107", "U404"])
    assert enabled(profile="rfc2396") == sorted([*DEFAULT, "U107"])
    assert enabled(profile="rfc3987") == sorted([*DEFAULT, "U104"])


def test_select_replaces_the_default_rules_and_those_of_the_profile():
    assert enabled(select=("U201",), profile="rfc1738") == ["U201"]
    assert enabled(select=()) == []


def test_extend_select_adds_rules():
    assert enabled(extend_select=("U104",)) == sorted([*DEFAULT, "U104"])
    assert enabled(select=("U201",), extend_select=("non-ascii-character",)) == ["U104", "U201"]


def test_ignore_is_applied_last():
    assert enabled(select=("U1",), extend_select=("U201",), ignore=("U10", "bad-escape")) == []
    assert "U201" not in enabled(ignore=("U201",))


def test_rules_are_selected_by_prefix_name_and_all():
    assert enabled(select=("U6",)) == [code for code in (e.code for e in REGISTRY) if code.startswith("U6")]
    assert enabled(select=("U",)) == enabled(select=("ALL",)) == [entry.code for entry in REGISTRY]
    assert enabled(select=("password-in-url",)) == ["U301"]


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("X123", "rules"),
        ("bad-escap", "bad-escape"),
        ("u201", "U201"),
        ("all", "ALL"),
        ("U1*", "U1"),
        ("", "rules"),
        ("xyz", "rules"),
    ],
)
def test_unknown_selector_is_an_error_with_a_hint(selector, hint):
    with pytest.raises(ConfigError) as caught:
        enabled(select=(selector,))
    assert f'"{selector}"' in caught.value.message
    assert hint in caught.value.hint


def test_unknown_profile_or_kind_is_an_error_with_the_choices():
    with pytest.raises(ConfigError, match="rfc1738"):
        default_rule_set("rfc9999", "uri")
    with pytest.raises(ConfigError, match="uri-reference"):
        default_rule_set("rfc3986", "path")
    with pytest.raises(ConfigError, match="rfc1738"):
        enabled(profile="rfc9999")


# --- agreement of grammar and rules


PIECES = st.sampled_from(
    [
        "http",
        "ftp",
        "file",
        "h.example",
        "[::1]",
        "u:p",
        "80",
        "%41",
        "{x}",
        "é",
        "\ud800",
        "\x00",
        "",
        *" :/@?#[]%~|\\_a1.-<",
    ]
)


@given(st.lists(PIECES, max_size=10).map("".join), st.sampled_from(PROFILES), st.sampled_from(REFERENCE_KINDS))
def test_grammar_rejects_a_url_if_and_only_if_a_rule_reports_a_syntax_error(url, profile, kind):
    has_syntax_error = any(problem.syntax for problem in judge_url(url, Spec(profile, kind), RULES))
    assert has_syntax_error == (not accepts(url, profile, kind))


@given(st.lists(PIECES, max_size=10).map("".join), st.sampled_from(PROFILES))
def test_spans_of_problems_are_sorted_and_within_the_url(url, profile):
    found = judge_url(url, Spec(profile, "uri-reference"), RULES)
    assert [(p.start, p.end) for p in found] == sorted((p.start, p.end) for p in found)
    assert all(0 <= p.start <= p.end <= len(url) for p in found)


@given(st.lists(PIECES, max_size=10).map("".join).map("http://h".__add__), st.sampled_from(PROFILES))
def test_findings_equal_the_problems_of_all_rules(url, profile):
    settings = Settings(profile=profile, select=("ALL",), ignore=("U605",))
    text = f"\n{url}\n"
    assume(not looks_like_pattern(text, 1, 1 + len(url)))
    # The end of a destination in markup is known, so that only repeated problems are omitted.
    links = Spans()
    links.append(1, 1 + len(url))
    document = Document(text, kind="markdown")
    document.links = links
    found = occurrence(text, url, 1, 1 + len(url))._replace(context="link")
    reported = [f.code for f in findings_of(document, [found], settings)]
    rules = {entry.code: load(entry.code) for entry in enabled_entries(settings)}
    expected = [
        p.code
        for p in judge_url(url, Spec(profile, "uri-reference"), rules.values())
        if (refine := rules[p.code].refine) is None or refine(p, found, document)
    ]
    assert reported == _first_of_repeated(expected)


def _first_of_repeated(codes: list[str]) -> list[str]:
    """Return the codes, keeping only the first of each rule about characters or escapes."""
    return [code for at, code in enumerate(codes) if not (code.startswith(("U1", "U20")) and code in codes[:at])]


# --- one fault, one finding


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("See http://h.example/a%2\n0b now.", ["U607"]),
        ("See <http://h.example/a%2\n0b>.", ["U607"]),
        ("See <URL:ftp://h.example/x.ps or x.txt>.", ["U604"]),
        ("See <URL:http://h.example/a b>.", ["U102"]),
        ("See <http://h.example/a b>.", []),
        ("See <http://h.example/a|b|c^d>.", ["U101"]),
        ("See <http://h.example/%zz/%zy>.", ["U201"]),
        ("See <http://[fe80::a%en1]/>.", ["U201"]),
        ("See <http://h.example/a^b.", ["U101", "U603"]),
        ("See <http://h.example/a%zz/cgi-\nbin>.", ["U201", "U601"]),
        ("See <http://h.example/wiki/Zürich>.", []),
        ("See <http://h.example/?filter[x]=1>.", []),
    ],
)
def test_one_fault_has_one_finding(text, codes):
    assert sorted(finding.code for finding in lint(text)) == codes


def test_ignored_fault_is_not_reported_by_another_rule():
    assert lint("See <http://h.example/a|b>.", ignore=("U101",)) == []
    assert lint("See <URL:ftp://h.example/x.ps or x.txt>.", ignore=("U604",)) == []


def test_component_with_a_placeholder_is_not_reported():
    assert [f.component for f in lint("See <http://h.example/{id}|x?a|b>.")] == ["query"]
    text = "http://h.example/%zz/%s"
    assert lint(text, [occurrence(text, text, 0, len(text), template=True)]) == []
    assert [f.code for f in lint(text, [occurrence(text, text, 0, len(text))])] == ["U201"]


def test_unknown_scheme_may_be_notation():
    assert lint("the name cfg://handlers.email[subject]") == []
    assert [f.code for f in lint("the name http://handlers.email[subject]/x")] == ["U402"]


# --- spans


def test_finding_has_the_location_of_its_characters():
    text = "first line\r\nSee <http://h.example/a|b>."
    (finding,) = lint(text)
    assert text[finding.start : finding.end] == "|"
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (2, 24, 2, 25)


def test_finding_after_a_break_is_on_the_next_line():
    text = "> See <http://h.example/x/\n> a|b>."
    (finding,) = lint(text)
    assert finding.url == "http://h.example/x/a|b"
    assert text[finding.start : finding.end] == "|"
    assert (finding.line, finding.column) == (2, 4)


def test_finding_across_a_break_includes_the_break():
    text = "<http://h.example/a|\n|b>"
    (finding,) = lint(text)
    assert text[finding.start : finding.end] == "|\n|"
    assert (finding.line, finding.end_line) == (1, 2)
    assert finding.fix is None  # a fix would remove the line break


def test_offsets_refer_to_the_bytes_of_the_source():
    text = "é <http://h.example/ü/a|b>."
    document = Document(text, EncodingMap(text, "utf-8"), path="x.txt")
    (finding,) = findings_of(document, find(text), Settings())
    data = text.encode()
    assert data[finding.start : finding.end] == b"|"
    assert finding.path == "x.txt"
    assert finding.column == text.index("|") + 1
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert data[: edit.start] + edit.text.encode() + data[edit.end :] == text.replace("|", "%7C").encode()


@given(
    st.lists(
        st.tuples(st.text("ab", min_size=1, max_size=3), st.sampled_from(["\n", "\n> ", " "])), min_size=1, max_size=5
    )
)
def test_in_text_locates_every_character_of_a_broken_url(pieces):
    url, raw, breaks = "", "", []
    for number, (piece, gap) in enumerate(pieces):
        url, raw = url + piece, raw + piece
        if number < len(pieces) - 1:
            breaks.append(Break("newline", len(raw), len(gap), False))
            raw += gap
    text = "xx" + raw
    one = Match(url, raw, 2, len(text), 2, len(text), "a", "bare", tuple(breaks))
    for at, character in enumerate(url):
        start, end = in_text(one, at, at + 1)
        assert text[start:end] == character
    assert in_text(one, 0, len(url)) == (2, len(text))


def test_findings_are_sorted_by_position():
    text = "<http://h/a|b> http://jo:x1y2@h.net/%zz/a <http://h.example/cgi-\nbin/%zz>"
    found = lint(text)
    assert len(found) == 5
    assert [f.start for f in found] == sorted(f.start for f in found)


# --- each distinct URL is checked once


def test_repeated_url_is_checked_once_and_located_each_time():
    _rule_set.cache_clear()
    text = "<http://h.example/a|b> <http://h.example/a|b>"
    first, second = lint(text)
    assert (first.start, second.start) == (text.index("|"), text.rindex("|"))
    rule_set: RuleSet = _rule_set(Settings())
    assert list(rule_set.judged) == ["http://h.example/a|b"]


def test_template_and_equal_url_are_checked_separately():
    url = "http://h.example/{x}"
    text = f"<{url}>"
    for template, codes in [(False, ["U101"]), (True, []), (False, ["U101"])]:
        one = occurrence(text, url, 1, 1 + len(url), template=template)._replace(style="angle")
        assert [f.code for f in lint(text, [one])] == codes


def test_cache_is_bounded(monkeypatch):
    _rule_set.cache_clear()
    monkeypatch.setattr("urlscan.linter.judge._MOST_CACHED", 3)
    text = "".join(f"<http://h.example/{n}|> " for n in range(10))
    assert len(lint(text)) == 10
    assert len(_rule_set(Settings()).judged) <= 3


# --- breaks and faults of constructed occurrences


def test_kept_hyphen_is_an_info_with_both_readings():
    text = "<http://h/cgi-\nbin>"
    other = Alternative("http://h/cgibin", "hyphen-dropped", 0)
    one = occurrence(text, "http://h/cgi-bin", 1, 18, breaks=(Break("newline", 13, 1, True),), alternatives=(other,))
    (finding,) = lint(text, [one])
    assert (finding.code, finding.severity, text[finding.start : finding.end]) == ("U601", Severity.INFO, "-")
    assert "http://h/cgi-bin" in finding.message
    assert "http://h/cgibin occurs nowhere else" in finding.message


def test_dropped_hyphen_is_a_warning():
    text = "<http://h/inter-\nnet>"
    other = Alternative("http://h/inter-net", "hyphen-kept", 0)
    one = occurrence(text, "http://h/internet", 1, 20, breaks=(Break("newline", 14, 2, True),), alternatives=(other,))
    (finding,) = lint(text, [one])
    assert (finding.code, finding.severity, text[finding.start : finding.end]) == ("U601", Severity.WARNING, "-")
    assert "http://h/inter-net" in finding.message


def test_hyphen_before_a_blank_is_not_a_broken_word():
    text = "<http://h/cgi- bin>"
    one = occurrence(text, "http://h/cgi-bin", 1, 18, breaks=(Break("blank", 13, 1, True),))
    assert [f.code for f in lint(text, [one])] == ["U102"]


def test_fault_is_reported_at_its_location():
    text = "<URL:http://h.zz/a and more"
    one = occurrence(text, "http://h.zz/a", 5, 18, faults=(TextFault("unclosed-wrapper", 0, 18),))
    (finding,) = lint(text, [one])
    assert (finding.code, finding.start, finding.end) == ("U603", 0, 18)
    assert finding.suggestion == "<URL:http://h.zz/a>"


@pytest.mark.parametrize(("before", "after"), [("%", "20"), ("%2", "0"), ("%", "2f")])
def test_broken_escape_is_reported_completely(before, after):
    text = f"<http://h/a{before}\n{after}b>"
    url = text[1:-1].replace("\n", "")
    one = occurrence(text, url, 1, len(text) - 1, breaks=(Break("newline", 10 + len(before), 1, False),))
    (finding,) = lint(text, [one])
    assert (finding.code, text[finding.start : finding.end]) == ("U607", f"{before}\n{after}")


def test_message_masks_the_secret_and_the_record_has_the_original_url():
    text = "<ftp://jo:x1y2@h.net/cgi-\nbin|>"
    found = lint(text)
    assert [f.code for f in found] == ["U301", "U601", "U101"]
    for finding in found:
        assert "x1y2" not in finding.message
        assert finding.url == "ftp://jo:x1y2@h.net/cgi-bin|"


def test_fixed_text_has_no_finding():
    for text, code in [("<http://h/a|b/c>", "U101"), ("<ftp://jo:x1y2@h.net/>", "U301"), ("<http://h/%zz>", "U201")]:
        fixed = text
        edits = [edit for finding in lint(text) if finding.fix for edit in finding.fix.edits]
        assert edits
        for edit in reversed(edits):
            fixed = fixed[: edit.start] + edit.text + fixed[edit.end :]
        assert code in {f.code for f in lint(text)}
        assert lint(fixed) == []


@pytest.mark.parametrize(
    ("text", "path", "applicability"),
    [
        ("[a](http://h/a|b)", "a.md", "safe"),
        ("[a](http://h/%zz)", "a.md", "unsafe"),
        ("<http://h/a|b>", "a.txt", "unsafe"),
        ("<http://h/%zz>", "a.txt", "unsafe"),
        ("<ftp://jo:x1y2@h.net/>", "a.txt", "unsafe"),
    ],
)
def test_applicability_depends_on_the_context(text, path, applicability):
    (finding,) = urlscan.lint(text, path=path)
    assert finding.fix is not None
    assert finding.fix.applicability == applicability


@pytest.mark.parametrize("character", ['"', "`", "\\"])
def test_characters_that_may_be_markup_or_slashes_are_not_fixed(character):
    text = f"<http://h/a{character}b>"
    (finding,) = lint(text, [occurrence(text, text[1:-1], 1, len(text) - 1)._replace(style="angle")])
    assert finding.code == "U101"
    assert finding.fix is None


@given(texts)
def test_matches_and_records_have_the_same_findings(text: str) -> None:
    document = Document(text)
    matches = find_in_document(document, FindOptions())
    assert list(findings_of(document, matches, Settings())) == list(findings_of(document, find(text), Settings()))


@given(texts)
def test_extract_and_check_use_the_same_scan(text: str) -> None:
    """`extract` lists and `check` judges the same URLs, in the same order."""
    seen: list[str] = []

    def recorded(scanned: Iterable[Match]) -> Iterator[Match]:
        for one in scanned:
            seen.append(one.url)
            yield one

    list(findings_of(Document(text), recorded(find_in_document(Document(text), FindOptions())), Settings()))
    assert seen == [occurrence.url for occurrence in find(text)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "many",
    ["=3D", "&amp;", "%zz", "|", "%2525", "%2e%2e/", "{a", "é", "~", "http://", "<http://h/a", "%2\n"],
    ids=ascii,
)
def test_url_with_thousands_of_faults_takes_linear_time(many: str) -> None:
    def check(count: int) -> None:
        text = "http://h.example/" + many * count
        lint(text, list(find(text, look_alikes=True)), select=("ALL",))

    assert_linear(check, 8_000, within=0.8)
