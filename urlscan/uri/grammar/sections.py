"""The sections of the specifications by topic and grammar."""

_GRAMMARS = ("rfc3986", "rfc3987", "rfc2396", "rfc1738", "rfc1630")
# The sections of RFC 1630 have names and no numbers.
_GENERIC, _SPECIFIC = "BNF of generic URI syntax", "BNF for specific URL schemes"
_PARTIAL = 'section "Partial (relative) form"'
# A section for each of the grammars. RFC 3987 repeats the generic syntax and refers to RFC 3986 for the meaning of the
# components.
_SECTIONS = {
    "grammar": ("appendix A", "2.2", "appendix A", "5", _GENERIC),
    "characters": ("2", "2.2", "2.4.3", "2.2", _GENERIC),
    "escapes": ("2.1", "2.2", "2.4.1", "2.2", 'section "Encoding reserved characters"'),
    "scheme": ("3.1", "2.2", "3.1", "2.1", _GENERIC),
    "authority": ("3.2", "2.2", "3.2", "3.1", _SPECIFIC),
    "userinfo": ("3.2.1", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "host": ("3.2.2", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "port": ("3.2.3", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "path": ("3.3", "2.2", "3.3", "3.1", 'section "Reserved characters"'),
    "query": ("3.4", "2.2", "3.4", "3.3", 'section "Reserved characters"'),
    "fragment": ("3.5", "2.2", "4.1", "2.2", 'section "Fragment-id"'),
    "brackets": ("3.2.2", "2.2", "2.4.3", "2.2", _GENERIC),
    "absolute": ("4.3", "2.2", "4", "2.1", _PARTIAL),
    "resolution": ("5.2.4", "5.3.2.4", "5.2", "2.3", _PARTIAL),
    "same-scheme": ("5.2.2", "6.5", "5.2", "2.1", _PARTIAL),
    "security": ("7.5", "8", "7", "6", 'section "Security considerations"'),
    "controls": ("7.3", "8", "7", "6", 'section "Security considerations"'),
}


def section(grammar: str, topic: str) -> str:
    """Return the section of `grammar` about `topic`.

    >>> section("rfc3986", "port"), section("rfc1630", "host")
    ('RFC 3986 section 3.2.3', 'RFC 1630 BNF for specific URL schemes')

    Raises:
        KeyError: unknown grammar or topic.
    """
    number = dict(zip(_GRAMMARS, _SECTIONS[topic], strict=True))[grammar]
    return f"RFC {grammar.removeprefix('rfc')} {'section ' if number[0].isdigit() else ''}{number}"
