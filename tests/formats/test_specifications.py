"""Test links to specifications."""

import pytest

from urlscan.formats.specifications import cited_section, section_url
from urlscan.rules import REGISTRY, load

RFC = "https://datatracker.ietf.org/doc/html/rfc"


@pytest.mark.parametrize(
    ("section", "url"),
    [
        ("RFC 3986 section 2.1", f"{RFC}3986#section-2.1"),
        ("RFC 3986 section 3.2.3: digits", f"{RFC}3986#section-3.2.3"),
        ("RFC 3986 appendix C", f"{RFC}3986#appendix-C"),
        ("RFC 1738 appendix", f"{RFC}1738"),
        ("RFC 952, RFC 1123 section 2.1", f"{RFC}952"),
        ("UTS #39 section 5.1", "https://www.unicode.org/reports/tr39/"),
        ("HTML 13.1.4", "https://html.spec.whatwg.org/multipage/"),
        ("", ""),
        ("another standard", ""),
        ("javascript:alert(1)", ""),
        ("see RFC 3986", ""),
    ],
)
def test_section_has_a_url(section: str, url: str) -> None:
    assert section_url(section) == url


def test_rfc_3986_takes_precedence_among_cited_sections() -> None:
    assert cited_section("RFC 1738 section 5, RFC 3986 section 2.1")[0] == "RFC 3986 section 2.1"
    assert cited_section("RFC 3986 and RFC 1738 section 5")[0] == "RFC 1738 section 5"
    assert cited_section("nothing") == ("", "")


def test_most_rules_cite_a_section() -> None:
    assert sum(bool(cited_section(load(entry.code).why)[1]) for entry in REGISTRY) > 30
