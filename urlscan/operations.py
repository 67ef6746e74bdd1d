"""The public functions that take URLs apart, and make URLs of URLs.

All take what people type: an enclosing `<URL:...>`, `<...>`, pair of quotation marks or `URL:`, and the
white space around and at line breaks inside, is left out (RFC 2396 appendix E); only `build`, `quote`,
`unquote` and `wrap` take strings as they are.  A malformed URL is a value, never an exception.
"""

from urlscan import linter
from urlscan.model import Problem
from urlscan.rules import entry_of, load
from urlscan.schemes import scheme as scheme_of
from urlscan.settings import PROFILES, check_choice
from urlscan.transform import build as building
from urlscan.transform import escapes, fold, idn, normal
from urlscan.transform import relative as inverse
from urlscan.transform import resolve as resolution
from urlscan.typed import unwrap
from urlscan.url import Url, split


def parse(url: str, *, profile: str = "rfc3986") -> Url:
    """Return the components of `url`, the scheme's own parts, and what is wrong with it.

    For any string the components are those of the expression in RFC 2396 and RFC 3986 appendix B (by
    rfc1738 a user name or password may hold a "?", before the "@"); None is an absent component, "" an
    empty one.  `url.span("host")` tells where one stands in `url.text`, which is what remains of the
    argument without delimiters and line breaks; `url.delimiters` and `url.ignored` tell what was left
    out.  Spans of `url.problems` count in `url.text`, too.

    Args:
        url: any string.
        profile: the specification to read it by: rfc3986, rfc3987, rfc2396, rfc1738 or rfc1630.

    Returns:
        The record.  `problems` are those of the rules that are on by themselves and by the profile, and of the
        others what the grammar rejects.  `detail` is the scheme's, such as `FtpPath(cwd, name, typecode)`, its
        strings without escapes; None where the scheme has none (see `urlscan.schemes`).

    Raises:
        ConfigError: an unknown profile.

    >>> url = parse("ftp://jo@h.example/%2Fetc/motd;type=a")
    >>> url.host, url.user, url.password, url.span("path")
    ('h.example', 'jo', None, (18, 37))
    >>> url.detail
    FtpPath(cwd=('/etc',), name='motd', typecode='a')
    """
    check_choice("profile", profile, PROFILES)
    what = unwrap(url, profile)
    text = what.url
    parts = split(text, profile)
    own = scheme_of(parts.scheme.lower()) if parts.scheme is not None else None
    return parts._replace(
        profile=profile,
        detail=None if own is None else own.parse(parts),
        problems=tuple(linter.diagnosis(text, profile, "uri-reference")),
        delimiters=what.delimiters,
        ignored=what.ignored,
    )


def resolve(
    base: str,
    reference: str,
    *,
    profile: str = "rfc3986",
    dots: str | None = None,
    legacy_scheme: bool = False,
    problems: list[Problem] | None = None,
) -> str:
    """Return the target of `reference` in a document whose URL is `base`.

    rfc3986 and rfc3987 resolve by RFC 3986 section 5.2, strictly; rfc2396 by its section 5.2, where "?y" replaces
    the last segment, the empty reference is the current document, and only relative paths lose their
    dots; rfc1630 by its partial form, which counts slashes; rfc1738, which has no relative form, as
    rfc3986.

    Args:
        base: an absolute URL; a fragment is ignored.
        reference: any reference.
        profile: the specification to resolve by.
        dots: what becomes of a ".." above the root: keep, strip or refuse; None is as the
            specification's examples have it, keep for rfc2396 and rfc1630, strip for the others.
        legacy_scheme: whether "http:g" is relative to an http base (RFC 3986 section 5.2.2 "not strict").
        problems: a list to which is added what went wrong on the way (RFC 2396 section 5.2 steps 3 and 6g,
            and a base that is not absolute); `component` is base or reference, the span is in that.

    Raises:
        ConfigError: an unknown profile or `dots`.
        RefusedError: `dots` is refuse, and the reference leads above the root.

    >>> resolve("http://a/b/c/d;p?q", "../g"), resolve("http://a/b/c/d;p?q", "?y", profile="rfc2396")
    ('http://a/b/g', 'http://a/b/c/?y')
    """
    check_choice("profile", profile, PROFILES)
    if dots is not None:
        check_choice("way with dots", dots, resolution.DOTS)
    missteps: list[resolution.Misstep] = []
    try:
        return resolution.resolve(
            split(unwrap(base).url), split(unwrap(reference).url), profile, dots, legacy_scheme, missteps
        )
    finally:
        if problems is not None:
            problems.extend(_problem(misstep, profile) for misstep in missteps)


def _problem(misstep: resolution.Misstep, profile: str) -> Problem:
    entry = entry_of(misstep.name)
    assert entry is not None  # noqa: S101 - the names are ours
    topics = {"dots-above-root": "resolution", "same-scheme-relative": "same-scheme", "invalid-for-scheme": "absolute"}
    return load(entry).problem(
        misstep.message,
        misstep.component,
        (misstep.start, misstep.end),
        section=linter.check_spec(profile, "uri-reference").section(topics[misstep.name]),
        syntax=misstep.syntax,
    )


def relative(base: str, target: str, *, profile: str = "rfc3986") -> str:
    """Return the shortest reference that leads from `base` to `target`: the inverse of `resolve`.

    It is never empty (RFC 2396 has another meaning for that than RFC 3986), has "./" before a first segment that would
    be read as a scheme, and is the target itself where nothing shorter leads there.

    Raises:
        ConfigError: an unknown profile.

    >>> relative("http://a/b/c/d", "http://a/b/x:y"), relative("http://a/b/", "http://a/b/")
    ('../x:y', './')
    """
    check_choice("profile", profile, PROFILES)
    return inverse.relative(unwrap(base).url, unwrap(target).url, profile)


def normalize(url: str, *, level: str = "scheme", profile: str = "rfc3986") -> str:
    """Return the normal form of `url` (RFC 3986 section 6.2).

    The levels, each with the ones before it: simple (6.2.1: as it is), case (6.2.2.1: scheme, host, hex
    digits), percent (6.2.2.2: escapes of unreserved characters undone), dot (6.2.2.3: dot segments;
    3.2.3: an empty port), scheme (6.2.3: the default port, an empty path, an IPv6 address by RFC 5952, and
    what the scheme's document calls equal).  An escape that is data stays one: "%2F" never becomes "/".

    Raises:
        ConfigError: an unknown level or profile.

    >>> normalize("HTTP://H.Example:80/%7ejo/a/../%2f")
    'http://h.example/~jo/%2F'
    >>> normalize("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", level="dot")
    'example://a/b/c/%7Bfoo%7D'
    """
    check_choice("profile", profile, PROFILES)
    check_choice("level", level, normal.LEVELS)
    return normal.normalize(unwrap(url, profile).url, level, profile)


def equivalent(a: str, b: str, *, level: str = "scheme", profile: str = "rfc3986") -> bool:
    """Return whether two URLs have the same normal form (RFC 3986 section 6.1: false does not mean different).

    Raises:
        ConfigError: an unknown level or profile.

    >>> equivalent("http://h.example", "HTTP://h.example:80/"), equivalent("http://h/a%2Fb", "http://h/a/b")
    (True, False)
    """
    return normalize(a, level=level, profile=profile) == normalize(b, level=level, profile=profile)


def quote(data: str | bytes, *, component: str = "segment", profile: str = "rfc3986", raw: bool = False) -> str:
    r"""Return `data` with everything escaped that may not stand in `component` (RFC 3986 section 2.4).

    Escapes that are already there stay, so that nothing is escaped twice by accident (RFC 2396 section
    2.4.2); say `raw=True` if a "%" is data.  In bytes it always is.

    Args:
        data: text, which is escaped as UTF-8, or octets.
        component: userinfo, user, password, host, path, segment (the default: a "/" is data), query,
            parameter (a name or value of a query: "&", "=", "+" and ";" are data) or fragment.
        profile: the specification whose characters these are.
        raw: whether a "%" is escaped even if two hexadecimal digits follow.

    Raises:
        ConfigError: an unknown component or profile.

    >>> quote("a/b c%20d"), quote("100%25", raw=True), quote("a/b c", component="path"), quote(b"\xff%41")
    ('a%2Fb%20c%20d', '100%2525', 'a/b%20c', '%FF%2541')
    """
    check_choice("profile", profile, PROFILES)
    return escapes.quote(data, component, profile, raw=raw)


def unquote(text: str, *, component: str | None = None, profile: str = "rfc3986") -> str:
    """Return `text` with its escapes undone, once; octets that are no UTF-8 stay escaped.

    Args:
        text: a component or a part of one.
        component: if it is a whole in which characters delimit (userinfo, path, query), the escapes of
            these and of "%" stay, so that what was data does not become a delimiter; None: all are undone.
        profile: accepted for symmetry with `quote`; undoing escapes is the same by all.

    Raises:
        ConfigError: an unknown component or profile.

    >>> unquote("a%2Fb%20c"), unquote("a%2Fb%20c", component="path"), unquote("%FF%41")
    ('a/b c', 'a%2Fb c', '%FFA')
    """
    check_choice("profile", profile, PROFILES)
    return escapes.unquote(text, component)


def unquote_to_bytes(text: str) -> bytes:
    r"""Return the octets that `text` stands for: escapes undone once, other characters in UTF-8.

    >>> unquote_to_bytes("a%FFb")
    b'a\xffb'
    """
    return escapes.unquote_to_bytes(text)


def build(
    *,
    scheme: str | None = None,
    userinfo: str | None = None,
    host: str | None = None,
    port: int | str | None = None,
    path: str = "",
    query: str | None = None,
    fragment: str | None = None,
    profile: str = "rfc3986",
) -> str:
    """Return the URL of these parts (RFC 3986 section 5.3): None is absent, "" is empty.

    What a part cannot hold is escaped, what is escaped already stays (`quote`).  An IPv6 address gets its
    brackets, an internationalized host its A-labels, unless the profile is rfc3987.

    Raises:
        RefusedError: no URL has these parts: a path that would be read as a host, a port that is no number,
            or what the scheme's grammar rejects.
        ConfigError: an unknown profile; an internationalized host without the package idna.

    >>> build(scheme="http", host="h.example", path="/a b?", query="x=100%")
    'http://h.example/a%20b%3F?x=100%25'
    """
    check_choice("profile", profile, PROFILES)
    return building.build(scheme, userinfo, host, port, path, query, fragment, profile)


def wrap(url: str, *, width: int = 72, indent: str = "") -> str:
    r"""Return `url` in the form for texts, `<URL:...>`, folded so that `scan` gives it back.

    RFC 1738 appendix, RFC 2396 appendix E, RFC 3986 appendix C.  Lines end behind "/", "?", "&" or ";"
    where they can, never behind a hyphen and never inside an escape.

    Args:
        url: as it is.
        width: characters of a line, indent included, without its end.  A URL of more than 90 lines has
            longer ones, since a reader joins no more.
        indent: what each line begins with.

    Raises:
        ConfigError: there is no room for a URL.
        RefusedError: the URL would not be read back, because no text can hold it as it is.

    >>> print(wrap("ftp://ftp.archive.example.org/notes/1994/urls.txt", width=40))
    <URL:ftp://ftp.archive.example.org/
    notes/1994/urls.txt>
    """
    return fold.wrap(url, width, indent)


def to_ascii(host: str) -> str:
    """Return a host with its labels as the DNS has them (RFC 5891, UTS #46).

    Raises:
        RefusedError: a label that IDNA does not take.
        ConfigError: the package idna is not there (`pip install 'urlscan-lint[idn]'`).

    >>> to_ascii("bücher.example")
    'xn--bcher-kva.example'
    """
    return idn.to_ascii(host)


def to_unicode(host: str) -> str:
    """Return a host with its A-labels as people read them; what is none stays.

    Raises:
        ConfigError: the package idna is not there.

    >>> to_unicode("xn--bcher-kva.example")
    'bücher.example'
    """
    return idn.to_unicode(host)


def to_uri(iri: str) -> str:
    """Return an IRI as a URI: escapes of UTF-8, and A-labels in the host (RFC 3987 section 3.1).

    Raises:
        RefusedError, ConfigError: as `to_ascii`.

    >>> to_uri("http://bücher.example/süß")
    'http://xn--bcher-kva.example/s%C3%BC%C3%9F'
    """
    return idn.to_uri(split(unwrap(iri).url))


def to_iri(uri: str) -> str:
    """Return a URI as an IRI: letters beyond US-ASCII come out of their escapes (RFC 3987 section 3.2).

    Raises:
        ConfigError: as `to_unicode`.

    >>> to_iri("http://xn--bcher-kva.example/s%C3%BC%C3%9F%2F")
    'http://bücher.example/süß%2F'
    """
    return idn.to_iri(split(unwrap(uri).url))
