"""The one table of characters, held against the productions as the RFCs write them."""

import re
import string

import pytest

from urlscan.grammar.characters import BAD_PERCENT, CHARACTERS, ESCAPE, UNSAFE, escaped, one_of, run_of

# Written out from the texts, and not from the table: quoted literals, names of other productions.
RFC3986 = """
reserved    = gen-delims / sub-delims
gen-delims  = ":" / "/" / "?" / "#" / "[" / "]" / "@"
sub-delims  = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
unreserved  = ALPHA / DIGIT / "-" / "." / "_" / "~"
scheme      = ALPHA / DIGIT / "+" / "-" / "."
userinfo    = unreserved / sub-delims / ":"
reg-name    = unreserved / sub-delims
pchar       = unreserved / sub-delims / ":" / "@"
query       = pchar / "/" / "?"
fragment    = pchar / "/" / "?"
"""
RFC1738 = """
safe        = "$" | "-" | "_" | "." | "+"
extra       = "!" | "*" | "'" | "(" | ")" | ","
national    = "{" | "}" | "|" | "\\" | "^" | "~" | "[" | "]" | "`"
punctuation = "<" | ">" | "#" | "%" | <">
reserved    = ";" | "/" | "?" | ":" | "@" | "&" | "="
unreserved  = ALPHA | DIGIT | safe | extra
uchar       = unreserved
xchar       = unreserved | reserved
scheme      = ALPHA | DIGIT | "+" | "-" | "."
user        = uchar | ";" | "?" | "&" | "="
password    = uchar | ";" | "?" | "&" | "="
"""
LITERAL = re.compile(r'"(.)"|<(.)>')
CORE = {"ALPHA": set(string.ascii_letters), "DIGIT": set(string.digits)}


def read(productions: str) -> dict[str, set[str]]:
    """Return the characters of each production; escapes are left out above."""
    known = dict(CORE)
    lines = dict(line.split("=", 1) for line in productions.strip().splitlines())
    lines = {name.strip(): body for name, body in lines.items()}

    def of(name: str) -> set[str]:
        if name not in known:
            literals = {a or b for a, b in LITERAL.findall(lines[name])}
            names = LITERAL.sub("", lines[name]).replace("|", " ").replace("/", " ").split()
            known[name] = literals.union(*(of(other) for other in names))
        return known[name]

    return {name: of(name) for name in lines}


@pytest.mark.parametrize(("profile", "text"), [("rfc3986", RFC3986), ("rfc1738", RFC1738)])
def test_the_table_has_every_production_of_the_text_and_no_other(profile, text):
    productions = read(text)
    assert len(productions) > 5
    assert {name: set(value) for name, value in CHARACTERS[profile].items()} == productions


@pytest.mark.parametrize("profile", CHARACTERS)
def test_no_character_stands_twice_in_a_production(profile):
    for name, characters in CHARACTERS[profile].items():
        assert len(set(characters)) == len(characters), name


def test_every_character_of_ascii_is_legal_in_rfc3986_or_has_a_rule_of_its_own():
    printable = {chr(code) for code in range(0x21, 0x7F)}
    assert printable - set(CHARACTERS["rfc3986"]["reserved"]) - set(CHARACTERS["rfc3986"]["unreserved"]) == set(
        UNSAFE
    ) | {"%"}


def test_every_character_of_ascii_is_in_exactly_one_class_of_rfc1738():
    classes = CHARACTERS["rfc1738"]
    parts = [classes[name] for name in ("unreserved", "reserved", "national", "punctuation")]
    assert sorted("".join(parts)) == [chr(code) for code in range(0x21, 0x7F)]


def test_unsafe_is_what_both_specifications_reject():
    rejected_1738 = set(CHARACTERS["rfc1738"]["national"] + CHARACTERS["rfc1738"]["punctuation"])
    assert set(UNSAFE) == rejected_1738 - set("~[]#%")


def test_one_of_takes_characters_that_mean_something_in_a_class():
    pattern = re.compile(one_of("]^-\\"))
    assert [c for c in map(chr, range(128)) if pattern.fullmatch(c)] == ["-", "\\", "]", "^"]


@pytest.mark.parametrize("text", ["", "a", "%41", "a%41b%7Ec"])
def test_run_of_accepts_characters_and_escapes(text):
    assert re.fullmatch(run_of("rfc3986", "pchar"), text)


@pytest.mark.parametrize("text", ["%", "%4", "%4g", "a/b", "%%41", "ü"])
def test_run_of_rejects_other_characters_and_half_escapes(text):
    assert not re.fullmatch(run_of("rfc3986", "pchar"), text)


@pytest.mark.parametrize("text", ["%", "%4", "%g1", "%4G", "%41", "%fF"])
def test_a_percent_begins_an_escape_or_is_bad(text):
    assert bool(re.match(ESCAPE, text)) != bool(re.match(BAD_PERCENT, text))


def test_escaped_writes_upper_case_octets_of_utf_8():
    assert escaped("|é\u20ac") == "%7C%C3%A9%E2%82%AC"
