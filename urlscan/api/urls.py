"""The public functions that parse URLs, and that create URLs from URLs.

All accept delimited input: an enclosing `<URL:...>`, `<...>`, pair of quotation marks or `URL:`, surrounding white
space, and white space at line breaks inside are removed (RFC 2396 appendix E).  Only `build`, `quote`, `unquote` and
`wrap` use strings unchanged.  A malformed URL is a value, never an exception; an argument of another type raises
TypeError.
"""

import contextlib
from collections.abc import Iterable, Mapping

from urlscan.core.choices import Component, Dots, Level, Profile
from urlscan.core.errors import RefusedError
from urlscan.core.records import MaskedRecord, Problem
from urlscan.core.settings import PROFILES, check_choice, check_text
from urlscan.finder import fold
from urlscan.linter import judge
from urlscan.rules import load
from urlscan.uri import url as components
from urlscan.uri.schemes import detail_of
from urlscan.uri.transform import build as building
from urlscan.uri.transform import escapes, idn, normal
from urlscan.uri.transform import resolve as resolution
from urlscan.uri.unwrap import unwrap
from urlscan.uri.url import Url, UrlParts


def parse(url: str, *, profile: Profile = "rfc3986") -> Url:
    """Return the components of `url`, the parts specific to its scheme, and its problems.

    The components of any string are those of the expression in RFC 2396 and RFC 3986 appendix B (by rfc1738 a user name
    or password may contain "?"). An absent component is None, an empty one is "". `url.span("host")` returns the span
    of a component in `url.text`, which is the argument without delimiters and line breaks; `url.delimiters` and
    `url.ignored` describe what was removed. The spans of `url.problems` also refer to `url.text`.

    `problems` are those of the rules that are on by default and in the profile, and the syntax errors of the other
    rules. `detail` is specific to the scheme, such as `FtpPath(cwd, name, typecode)`, with decoded strings; None if the
    scheme defines none (see `urlscan.uri.schemes`). An unknown profile raises ConfigError.

    >>> url = parse("ftp://jo@h.example/%2Fetc/motd;type=a")
    >>> url.host, url.user, url.password, url.span("path")
    ('h.example', 'jo', None, (18, 37))
    >>> url.detail
    FtpPath(cwd=('/etc',), name='motd', typecode='a')
    """
    check_text("parse", url)
    check_choice("profile", profile, PROFILES)
    what = unwrap(url, profile)
    text = what.url
    parts = components.split(text, profile)
    return parts._replace(
        profile=profile,
        detail=detail_of(parts),
        problems=tuple(judge.diagnosis(text, profile, "uri-reference")),
        delimiters=what.delimiters,
        ignored=what.ignored,
        _rebuild=_rebuilt,
    )


def _rebuilt(url: Url, parts: UrlParts) -> Url:
    return parse(building.rebuild(url, parts), profile=url.profile)


def split(url: str, *, profile: Profile = "rfc3986") -> Url:
    """Return the components of `url` as written, without its problems: much faster than `parse`.

    Delimiters and line breaks are not removed. `detail` is None, and `problems` is empty. An unknown profile raises
    ConfigError.

    >>> url = split("HTTP://jo@H.example:80/a?b#c")
    >>> url.scheme, url.userinfo, url.host, url.port, url.path, url.query, url.fragment
    ('HTTP', 'jo', 'H.example', '80', '/a', 'b', 'c')
    """
    check_text("split", url)
    check_choice("profile", profile, PROFILES)
    return components.split(url, profile)


def host_names(host: str) -> tuple[str, str | None]:
    """Return the host that a URL means: in Unicode, and as in the DNS; None if IDNA does not allow that.

    Escapes are decoded (RFC 3986 section 3.2.2), letters are lower case, and the final dot is left out. Without the
    package idna, A-labels are not decoded, and a host in Unicode has no second form.

    >>> host_names("W%77w.H.example."), host_names("xn--bcher-kva.example")
    (('www.h.example', 'www.h.example'), ('bücher.example', 'xn--bcher-kva.example'))
    """
    check_text("host_names", host)
    return idn.host_names(host)


def resolve(
    base: str, reference: str, *, profile: Profile = "rfc3986", dots: Dots | None = None, legacy_scheme: bool = False
) -> str:
    """Return the target of `reference` in a document whose URL is `base`.

    rfc3986 and rfc3987 resolve strictly by RFC 3986 section 5.2. rfc2396 resolves by its section 5.2: "?y" replaces the
    last segment, the empty reference is the current document, and only relative paths lose their dot segments. rfc1630
    resolves by its partial form, which counts slashes. rfc1738 has no relative form and resolves as rfc3986.

    Args:
        base: an absolute URL; its fragment is ignored.
        dots: how to treat a ".." above the root; None follows the examples of the specification: keep for rfc2396 and
            rfc1630, strip for the others.
        legacy_scheme: whether "http:g" is relative to an http base (RFC 3986 section 5.2.2 "not strict").

    Raises:
        ConfigError: unknown profile or `dots`.
        RefusedError: `dots` is refuse, and the reference leads above the root.

    >>> resolve("http://a/b/c/d;p?q", "../g"), resolve("http://a/b/c/d;p?q", "?y", profile="rfc2396")
    ('http://a/b/g', 'http://a/b/c/?y')
    """
    return _resolved("resolve", base, reference, profile, dots, legacy_scheme, [])


def _resolved(
    function: str, base: str, reference: str, profile: str, dots: str | None, legacy_scheme: bool,
    missteps: list[resolution.Misstep],
) -> str:  # fmt: skip
    """Return the target for a public function, and append the problems to `missteps`."""
    check_text(function, base, reference)
    check_choice("profile", profile, PROFILES)
    if dots is not None:
        check_choice("value of dots", dots, resolution.DOTS)
    base_parts, parts = components.split(unwrap(base).url), components.split(unwrap(reference).url)
    return resolution.resolve(base_parts, parts, profile, dots, legacy_scheme, missteps)


class Resolution(MaskedRecord):
    """The result of `resolve_with_problems`.

    Attributes:
        target: the target of the reference; None if it was refused.
        problems: the problems of the resolution, in order; `component` is base or reference, to which the span refers.
    """

    target: str | None
    problems: tuple[Problem, ...]


def resolve_with_problems(
    base: str, reference: str, *, profile: Profile = "rfc3986", dots: Dots | None = None, legacy_scheme: bool = False
) -> Resolution:
    """Return the target of `reference` in a document whose URL is `base`, and the problems of the resolution.

    The arguments are those of `resolve`. Problems are a ".." that leads above the root (RFC 2396 section 5.2 step 6g),
    a reference that repeats the scheme of the base (step 3), and a base that is not absolute. If `dots` is refuse,
    a ".." above the root is a problem and not an exception; there is no target then. An unknown profile or value of
    `dots` raises ConfigError.

    >>> resolution = resolve_with_problems("http://a/b/c/d", "../../../g", dots="keep")
    >>> resolution.target, [(p.code, p.component, p.start, p.end) for p in resolution.problems]
    ('http://a/../g', [('U209', 'reference', 0, 2)])
    """
    missteps: list[resolution.Misstep] = []
    target: str | None = None
    with contextlib.suppress(RefusedError):
        target = _resolved("resolve_with_problems", base, reference, profile, dots, legacy_scheme, missteps)
    return Resolution(target, tuple(_problem(misstep, profile) for misstep in missteps))


def _problem(misstep: resolution.Misstep, profile: Profile) -> Problem:
    topics = {"dots-above-root": "resolution", "same-scheme-relative": "same-scheme", "invalid-for-scheme": "absolute"}
    return load(misstep.name).problem(
        misstep.message,
        misstep.component,
        (misstep.start, misstep.end),
        section=judge.default_rule_set(profile, "uri-reference").spec.section(topics[misstep.name]),
        syntax=misstep.syntax,
    )


def relative(base: str, target: str, *, profile: Profile = "rfc3986") -> str:
    """Return the shortest reference that leads from `base` to `target`: the inverse of `resolve`.

    It is never empty, because an empty reference has different meanings in RFC 2396 and RFC 3986. It has "./" before a
    first segment that would be read as a scheme. It is the target itself if no shorter reference leads there. An
    unknown profile raises ConfigError.

    >>> relative("http://a/b/c/d", "http://a/b/x:y"), relative("http://a/b/", "http://a/b/")
    ('../x:y', './')
    """
    check_text("relative", base, target)
    check_choice("profile", profile, PROFILES)
    return resolution.relative(unwrap(base).url, unwrap(target).url, profile)


def normalize(url: str, *, level: Level = "scheme", profile: Profile = "rfc3986") -> str:
    """Return the normal form of `url` (RFC 3986 section 6.2).

    Each level includes the previous ones: simple (6.2.1: unchanged), case (6.2.2.1: scheme, host, hexadecimal digits),
    percent (6.2.2.2: unreserved characters decoded), dot (6.2.2.3: dot segments; 3.2.3: an empty port), scheme (6.2.3:
    the default port, an empty path, an IPv6 address by RFC 5952, and other equivalences of the scheme).  An escape that
    represents data is kept: "%2F" never becomes "/". An unknown level or profile raises ConfigError.

    >>> normalize("HTTP://H.Example:80/%7ejo/a/../%2f")
    'http://h.example/~jo/%2F'
    >>> normalize("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", level="dot")
    'example://a/b/c/%7Bfoo%7D'
    """
    check_text("normalize", url)
    check_choice("profile", profile, PROFILES)
    check_choice("level", level, normal.LEVELS)
    return normal.normalize(unwrap(url, profile).url, level, profile)


def equivalent(a: str, b: str, *, level: Level = "scheme", profile: Profile = "rfc3986") -> bool:
    """Return whether two URLs have the same normal form (RFC 3986 section 6.1: false does not mean different).

    The levels are those of `normalize`, and so are the errors: an unknown level or profile raises ConfigError.

    >>> equivalent("http://h.example", "HTTP://h.example:80/"), equivalent("http://h/a%2Fb", "http://h/a/b")
    (True, False)
    """
    check_text("equivalent", a, b)
    return normalize(a, level=level, profile=profile) == normalize(b, level=level, profile=profile)


def quote(
    data: str | bytes, *, component: Component = "segment", profile: Profile = "rfc3986", raw: bool = False
) -> str:
    r"""Return `data` with all characters escaped that are not allowed in `component` (RFC 3986 section 2.4).

    Existing escapes are kept, so that nothing is escaped twice by accident (RFC 2396 section 2.4.2). Pass `raw=True` if
    "%" is data; in bytes it always is.

    Args:
        data: text, which is escaped as UTF-8, or octets.
        component: in a segment (the default) "/" is data, in a parameter (a name or value of a query) "&", "=", "+" and
            ";" are.
        raw: whether a "%" is escaped even if two hexadecimal digits follow.

    Raises:
        ConfigError: unknown component or profile.

    >>> quote("a/b c%20d"), quote("100%25", raw=True), quote("a/b c", component="path"), quote(b"\xff%41")
    ('a%2Fb%20c%20d', '100%2525', 'a/b%20c', '%FF%2541')
    """
    if not isinstance(data, bytes):
        check_text("quote", data)
    check_choice("profile", profile, PROFILES)
    return escapes.quote(data, component, profile, raw=raw)


def unquote(text: str, *, component: Component | None = None, profile: Profile = "rfc3986") -> str:
    """Return `text` with its escapes decoded once; octets that are not UTF-8 stay escaped.

    Args:
        text: a component or a part of a component.
        component: a complete component with delimiters (userinfo, path, query), in which the escapes of delimiters and
            of "%" are kept, so that data does not become a delimiter; None decodes all escapes.
        profile: accepted for symmetry with `quote`; all profiles decode in the same way.

    Raises:
        ConfigError: unknown component or profile.

    >>> unquote("a%2Fb%20c"), unquote("a%2Fb%20c", component="path"), unquote("%FF%41")
    ('a/b c', 'a%2Fb c', '%FFA')
    """
    check_text("unquote", text)
    check_choice("profile", profile, PROFILES)
    return escapes.unquote(text, component)


def unquote_to_bytes(text: str) -> bytes:
    r"""Return the octets that `text` represents: escapes decoded once, other characters in UTF-8.

    >>> unquote_to_bytes("a%FFb")
    b'a\xffb'
    """
    check_text("unquote_to_bytes", text)
    return escapes.unquote_to_bytes(text)


def build(
    *,
    scheme: str | None = None,
    userinfo: str | None = None,
    host: str | None = None,
    port: int | str | None = None,
    path: str = "",
    query: str | Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
    fragment: str | None = None,
    profile: Profile = "rfc3986",
) -> str:
    """Return the URL composed of these parts (RFC 3986 section 5.3); None means absent, "" means empty.

    Characters that are not allowed in a part are escaped; existing escapes are kept (see `quote`). The query can also
    be a mapping or pairs of names and values, whose delimiters and "%" are escaped. An IPv6 address is enclosed in
    brackets, and an internationalized host is written with A-labels unless the profile is rfc3987.

    Raises:
        RefusedError: no URL can have these parts: a path that would be read as a host, a port that is not a number, or
            parts that the grammar of the scheme rejects.
        ConfigError: unknown profile; an internationalized host without the package idna.
        TypeError: a part has another type.

    >>> build(scheme="http", host="h.example", path="/a b?", query="x=100%")
    'http://h.example/a%20b%3F?x=100%25'
    >>> build(scheme="http", host="h.example", query={"q": "a&b", "page": "2"})
    'http://h.example?q=a%26b&page=2'
    """
    check_choice("profile", profile, PROFILES)
    parts: UrlParts = {
        "scheme": scheme, "userinfo": userinfo, "host": host, "port": port, "path": path, "query": query,
        "fragment": fragment,
    }  # fmt: skip
    return building.build(parts, profile)


def wrap(url: str, *, width: int = 72, indent: str = "") -> str:
    r"""Return `url` in the form for texts, `<URL:...>`, folded so that `scan` reads it back.

    RFC 1738 appendix, RFC 2396 appendix E, RFC 3986 appendix C.  Lines end after "/", "?", "&" or ";" if possible, and
    never after a hyphen or inside an escape.

    Args:
        url: the URL, which is not unwrapped.
        width: the length of a line in characters, including the indent.  The lines of a URL of more than 90 lines are
            longer, since a reader joins no more.
        indent: the beginning of each line.

    Raises:
        ConfigError: there is no room for a URL.
        RefusedError: the URL would not be read back, because no text can represent it.

    >>> print(wrap("ftp://ftp.archive.example.org/notes/1994/urls.txt", width=40))
    <URL:ftp://ftp.archive.example.org/
    notes/1994/urls.txt>
    """
    check_text("wrap", url)
    return fold.wrap(url, width, indent)


def to_ascii(host: str) -> str:
    """Return a host with its labels as in the DNS (RFC 5891, UTS #46).

    Raises:
        RefusedError: IDNA does not allow a label.
        ConfigError: the package idna is not installed (`pip install 'urlscan-lint[idn]'`).

    >>> to_ascii("bücher.example")
    'xn--bcher-kva.example'
    """
    check_text("to_ascii", host)
    return idn.to_ascii(host)


def to_unicode(host: str) -> str:
    """Return a host with its A-labels in Unicode; other labels are unchanged. Without idna, raise ConfigError.

    >>> to_unicode("xn--bcher-kva.example")
    'bücher.example'
    """
    check_text("to_unicode", host)
    return idn.to_unicode(host)


def to_uri(iri: str) -> str:
    """Return an IRI as a URI: escapes of UTF-8, and A-labels in the host (RFC 3987 section 3.1).

    The errors are those of `to_ascii`.

    >>> to_uri("http://bücher.example/süß")
    'http://xn--bcher-kva.example/s%C3%BC%C3%9F'
    """
    check_text("to_uri", iri)
    return idn.to_uri(components.split(unwrap(iri).url))


def to_iri(uri: str) -> str:
    """Return a URI as an IRI: escapes of non-ASCII letters are decoded (RFC 3987 section 3.2).

    The errors are those of `to_unicode`.

    >>> to_iri("http://xn--bcher-kva.example/s%C3%BC%C3%9F%2F")
    'http://bücher.example/süß%2F'
    """
    check_text("to_iri", uri)
    return idn.to_iri(components.split(unwrap(uri).url))
