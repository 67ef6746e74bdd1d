"""Compare the table of characters with the productions of the RFCs (`bnf/`)."""

import re

import pytest

from tests.grammars import as_written, characters_of
from urlscan.uri.grammar.characters import (
    ALPHA,
    BAD_PERCENT,
    BRACKETS,
    CHARACTERS,
    DIGIT,
    ESCAPE,
    HEXDIG,
    IPRIVATE,
    UCSCHAR,
    UNSAFE,
    class_of,
    escaped,
    run_of,
)

# The file with the productions, by profile.
FILES = {"rfc3986": "rfc3986", "rfc1738": "rfc1738", "rfc1630": "rfc1630-generic", "rfc2396": "rfc2396"}
ESCAPES = ("pct-encoded", "escape", "escaped")
# Escapes are not characters, and the text before a host ends at its "@".
EXCLUDED = {"rfc1738": ("host",)}
# Entries with another name or without a delimiter; comments in the table give the reasons.
RENAMED = {
    ("rfc1738", "article"): ("rfc1738", "article", "@"),
    ("rfc1630", "scheme"): ("rfc1630-generic", "ialpha", ""),
    ("rfc1630", "alphanum2"): ("rfc1630-schemes", "alphanum2", ""),
    ("rfc1630", "group"): ("rfc1630-schemes", "xalpha", ""),
    ("rfc1630", "local"): ("rfc1630-schemes", "xalpha", "@"),
}
# Section 2.1 of RFC 1738 asks readers to accept upper-case letters in a scheme.
ADDED = {("rfc1738", "scheme"): set(ALPHA)}
ENTRIES = [(profile, name) for profile, table in CHARACTERS.items() for name in table]


@pytest.mark.parametrize(("profile", "name"), ENTRIES)
def test_entry_has_the_characters_of_the_production(profile, name):
    file, production, without = RENAMED.get((profile, name), (FILES[profile], name, ""))
    written = characters_of(as_written(file), production, without=(*ESCAPES, *EXCLUDED.get(profile, ())))
    assert written
    assert set(CHARACTERS[profile][name]) == written - set(without) | ADDED.get((profile, name), set())


@pytest.mark.parametrize(
    ("name", "others"),
    [("fsegment", ["psegment"]), ("hsegment", ["search"]), ("fieldname", ["fieldvalue"]), ("user", ["password"])],
)
def test_merged_productions_of_rfc1738_are_equal(name, others):
    written = as_written("rfc1738")
    for other in others:
        assert written[other] == written[name]


def test_bnfs_of_rfc1630_differ_only_in_the_plus_of_safe():
    generic, schemes = as_written("rfc1630-generic"), as_written("rfc1630-schemes")
    for name in ("alpha", "digit", "extra", "reserved", "hex", "national", "punctuation"):
        assert characters_of(generic, name) == characters_of(schemes, name), name
    assert characters_of(schemes, "safe") - characters_of(generic, "safe") == {"+"}


@pytest.mark.parametrize(("name", "inside"), [("ucschar", UCSCHAR), ("iprivate", IPRIVATE)])
def test_ranges_of_rfc3987_equal_those_of_the_rfc(name, inside):
    spans = as_written("rfc3987")[name].parts
    assert [f"{chr(first)}-{chr(last)}" for span in spans for first, last in span.ranges] == re.findall(
        ".-.", inside, re.DOTALL
    )


# RFC 3987 section 2.2: productions of RFC 3986 with additional characters.
@pytest.mark.parametrize(
    ("name", "international"),
    [
        ("userinfo", "iuserinfo"),
        ("reg-name", "ireg-name"),
        ("pchar", "ipchar"),
        ("query", "iquery"),
        ("fragment", "ifragment"),
    ],
)
def test_class_of_rfc3987_has_the_characters_of_its_production(name, international):
    productions = as_written("rfc3986") | as_written("rfc3987")
    without = ("pct-encoded", "ucschar", "iprivate")
    assert characters_of(productions, international, without=without) == set(CHARACTERS["rfc3986"][name])
    pattern = re.compile(class_of("rfc3987", name))
    private = international == "iquery"
    for character, legal in {"\u00a0": True, "\ud7ff": True, "\ue000": private, "\U0010fffd": private}.items():
        assert bool(pattern.fullmatch(character)) == legal, ascii(character)
    for character in "\u009f\ud800\ufdd0\uffff\U000e0001":
        assert not pattern.fullmatch(character), ascii(character)


def test_letters_and_digits_are_ascii():
    written = as_written("rfc1738")
    assert set(ALPHA) == characters_of(written, "alpha")
    assert set(DIGIT) == characters_of(written, "digit")
    assert set(HEXDIG) == characters_of(written, "hex")


@pytest.mark.parametrize("profile", CHARACTERS)
def test_entries_have_no_duplicate_characters(profile):
    for name, characters in CHARACTERS[profile].items():
        assert len(set(characters)) == len(characters), name


PRINTABLE = [chr(code) for code in range(0x21, 0x7F)]


def test_ascii_characters_are_legal_in_rfc3986_or_unsafe():
    reserved = characters_of(as_written("rfc3986"), "reserved")
    assert set(PRINTABLE) - reserved - set(CHARACTERS["rfc3986"]["unreserved"]) == set(UNSAFE) | {"%"}


@pytest.mark.parametrize(
    ("profile", "names", "others"),
    [
        ("rfc1738", ["unreserved", "reserved", "national", "punctuation"], ""),
        # "%" begins an escape, "+" is not part of xalpha, and the RFC omits the backquote.
        ("rfc1630", ["xalpha", "reserved", "national", "punctuation"], "% +`"),
        # Section 2.4.3: delims = "<" | ">" | "#" | "%" | <">;  unwise = "{" | "}" | "|" | "\" | "^" | "[" | "]" | "`"
        ("rfc2396", ["unreserved", "reserved"], '<>#%"{}|\\^[]`'),
    ],
)
def test_each_ascii_character_is_in_exactly_one_class(profile, names, others):
    written = as_written(FILES[profile])
    parts = "".join(character for name in names for character in characters_of(written, name, without=ESCAPES))
    assert sorted((parts + others).replace(" ", "")) == PRINTABLE


def test_unsafe_characters_are_rejected_by_all_specifications():
    rejected_1738 = {c for name in ("national", "punctuation") for c in characters_of(as_written("rfc1738"), name)}
    assert set(UNSAFE) == rejected_1738 - set("~[]#%")
    assert set(UNSAFE + BRACKETS) == set(PRINTABLE) - set(CHARACTERS["rfc2396"]["uric"]) - set("#%")


@pytest.mark.parametrize(("profile", "name"), ENTRIES)
def test_class_matches_the_characters_of_its_entry(profile, name):
    pattern = re.compile(class_of(profile, name))
    assert {c for c in map(chr, range(128)) if pattern.fullmatch(c)} == set(CHARACTERS[profile][name])


@pytest.mark.parametrize("text", ["", "a", "%41", "a%41b%7Ec"])
def test_run_of_accepts_characters_and_escapes(text):
    assert re.fullmatch(run_of("rfc3986", "pchar"), text)
    assert bool(re.fullmatch(run_of("rfc3986", "pchar", minimum=1), text)) == bool(text)


@pytest.mark.parametrize("text", ["%", "%4", "%4g", "a/b", "%%41", "ü"])
def test_run_of_rejects_other_characters_and_incomplete_escapes(text):
    assert not re.fullmatch(run_of("rfc3986", "pchar"), text)


@pytest.mark.parametrize("text", ["%", "%4", "%g1", "%4G", "%41", "%fF"])
def test_percent_sign_begins_an_escape_or_is_bad(text):
    assert bool(re.match(ESCAPE, text)) != bool(re.match(BAD_PERCENT, text))


def test_escaped_writes_upper_case_octets_of_utf_8():
    assert escaped("|é\u20ac") == "%7C%C3%A9%E2%82%AC"
