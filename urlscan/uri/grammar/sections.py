"""The sections of the specifications by grammar and topic."""

_SECTIONS: dict[str, dict[str, str]] = {
    "rfc3986": {
        "grammar": "appendix A",
        "characters": "section 2",
        "escapes": "section 2.1",
        "scheme": "section 3.1",
        "authority": "section 3.2",
        "userinfo": "section 3.2.1",
        "host": "section 3.2.2",
        "port": "section 3.2.3",
        "path": "section 3.3",
        "query": "section 3.4",
        "fragment": "section 3.5",
        "brackets": "section 3.2.2",
        "absolute": "section 4.3",
        "resolution": "section 5.2.4",
        "same-scheme": "section 5.2.2",
        "security": "section 7.5",
        "controls": "section 7.3",
    },
    # RFC 3987 repeats the generic syntax and refers to RFC 3986 for the meaning of the components.
    "rfc3987": {
        "grammar": "section 2.2",
        "characters": "section 2.2",
        "escapes": "section 2.2",
        "scheme": "section 2.2",
        "authority": "section 2.2",
        "userinfo": "section 2.2",
        "host": "section 2.2",
        "port": "section 2.2",
        "path": "section 2.2",
        "query": "section 2.2",
        "fragment": "section 2.2",
        "brackets": "section 2.2",
        "absolute": "section 2.2",
        "resolution": "section 5.3.2.4",
        "same-scheme": "section 6.5",
        "security": "section 8",
        "controls": "section 8",
    },
    "rfc2396": {
        "grammar": "appendix A",
        "characters": "section 2.4.3",
        "escapes": "section 2.4.1",
        "scheme": "section 3.1",
        "authority": "section 3.2",
        "userinfo": "section 3.2.2",
        "host": "section 3.2.2",
        "port": "section 3.2.2",
        "path": "section 3.3",
        "query": "section 3.4",
        "fragment": "section 4.1",
        "brackets": "section 2.4.3",
        "absolute": "section 4",
        "resolution": "section 5.2",
        "same-scheme": "section 5.2",
        "security": "section 7",
        "controls": "section 7",
    },
    "rfc1738": {
        "grammar": "section 5",
        "characters": "section 2.2",
        "escapes": "section 2.2",
        "scheme": "section 2.1",
        "authority": "section 3.1",
        "userinfo": "section 3.1",
        "host": "section 3.1",
        "port": "section 3.1",
        "path": "section 3.1",
        "query": "section 3.3",
        "fragment": "section 2.2",
        "brackets": "section 2.2",
        "absolute": "section 2.1",
        "resolution": "section 2.3",
        "same-scheme": "section 2.1",
        "security": "section 6",
        "controls": "section 6",
    },
    # The sections of RFC 1630 have names and no numbers.
    "rfc1630": {
        "grammar": "BNF of generic URI syntax",
        "characters": "BNF of generic URI syntax",
        "escapes": 'section "Encoding reserved characters"',
        "scheme": "BNF of generic URI syntax",
        "authority": "BNF for specific URL schemes",
        "userinfo": "BNF for specific URL schemes",
        "host": "BNF for specific URL schemes",
        "port": "BNF for specific URL schemes",
        "path": 'section "Reserved characters"',
        "query": 'section "Reserved characters"',
        "fragment": 'section "Fragment-id"',
        "brackets": "BNF of generic URI syntax",
        "absolute": 'section "Partial (relative) form"',
        "resolution": 'section "Partial (relative) form"',
        "same-scheme": 'section "Partial (relative) form"',
        "security": 'section "Security considerations"',
        "controls": 'section "Security considerations"',
    },
}


def section(grammar: str, topic: str) -> str:
    """Return the section of `grammar` about `topic`.

    >>> section("rfc3986", "port")
    'RFC 3986 section 3.2.3'

    Raises:
        KeyError: unknown grammar or topic.
    """
    return f"RFC {grammar.removeprefix('rfc')} {_SECTIONS[grammar][topic]}"
