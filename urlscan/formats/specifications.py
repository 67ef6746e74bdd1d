"""Link to sections of specifications."""

import re

_RFC = re.compile(r"RFC (?P<number>[0-9]{3,5})(?:,? (?P<kind>section|appendix) (?P<part>[0-9]+(?:\.[0-9]+)*|[A-Z]\b))?")
_UNICODE = re.compile(r"U(?:TS|AX) #(?P<number>[0-9]{1,3})")
_HTML = re.compile(r"HTML(?: [0-9]|\Z)")


def section_url(section: str) -> str:
    """Return the address of a section such as "RFC 3986 section 2.1"; "" if none is known."""
    rfc = _RFC.match(section)
    if rfc is not None:
        return _rfc_url(rfc)
    unicode = _UNICODE.match(section)
    if unicode is not None:
        return f"https://www.unicode.org/reports/tr{unicode['number']}/"
    if _HTML.match(section):
        return "https://html.spec.whatwg.org/multipage/"
    return ""


def cited_section(text: str) -> tuple[str, str]:
    """Return the first section of an RFC that a text cites, and its address; ("", "") if it cites none.

    RFC 3986 takes precedence, because it is the default profile, and a section over a whole RFC.
    """
    cited = max(_RFC.finditer(text), key=lambda match: (bool(match["part"]), match["number"] == "3986"), default=None)
    if cited is None:
        return "", ""
    return cited[0], _rfc_url(cited)


def _rfc_url(cited: re.Match[str]) -> str:
    url = f"https://datatracker.ietf.org/doc/html/rfc{cited['number']}"
    if cited["part"]:
        url += f"#{cited['kind']}-{cited['part']}"
    return url
