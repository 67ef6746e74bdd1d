"""The public functions for analysts: rewritten links and defanged URLs."""

from urlscan import finder
from urlscan.core.settings import check_text
from urlscan.finder import refang as restoring
from urlscan.uri import rewriters
from urlscan.uri.transform import defang as defanging
from urlscan.uri.unwrap import unwrap


def unwrap_redirect(url: str, *, max_depth: int = rewriters.MAX_DEPTH) -> str:
    """Return the original of a link that a mail filter, a mailer or a site has rewritten.

    The original is read from the link; no connection is opened. A link that was rewritten several times is unwrapped
    up to `max_depth` times. docs/analysts.md lists the services.

    Characters that no URL may contain are escaped in the original. Return the URL itself, without delimiters around it,
    if no known service wrote it, or if the link does not contain the original.

    >>> unwrap_redirect("https://nam02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh.example%2Fa&data=05")
    'http://h.example/a'
    >>> unwrap_redirect("https://urldefense.com/v3/__http://h.example/a*b__;Iw!!AbC!dEf$")
    'http://h.example/a#b'
    >>> unwrap_redirect("http://h.example/a")
    'http://h.example/a'
    """
    check_text("unwrap_redirect", url)
    return rewriters.unwrapped(unwrap(url).url, max_depth)


def refang(text: str) -> str:
    """Return a text in which all defanged URLs, hosts and addresses are restored; the rest is unchanged.

    Regular expressions, source code and prose with brackets or the word "dot" are not changed. To find defanged URLs
    with their positions, use `scan(text, defanged=True)`.

    >>> refang("hxxps://www[.]h[.]example/a[.]php"), refang("jo[at]h[dot]example"), refang("198[.]51[.]100[.]7")
    ('https://www.h.example/a.php', 'jo@h.example', '198.51.100.7')
    >>> refang("matches ^www[.]h[.]example$, a[0].b and the dot com bubble")
    'matches ^www[.]h[.]example$, a[0].b and the dot com bubble'
    """
    check_text("refang", text)
    return restoring.refang(text)


def defang(text: str) -> str:
    """Return a text in which no program makes a link of a URL, a host or an address.

    The scheme is written as "hxxp", "hxxps" or "fxp", and the "://" of others, dots and at signs in brackets. `refang`
    restores the text. Hosts without a scheme need an existing top-level domain.

    >>> defang("https://www.h.example/a.php?b=c"), defang("mailto:jo@h.example")
    ('hxxps://www[.]h[.]example/a[.]php?b=c', 'mailto[:]jo[@]h[.]example')
    >>> defang("See www.h.example/a, e.g. with 1.5 seconds.")
    'See www[.]h[.]example/a, e.g. with 1.5 seconds.'
    """
    check_text("defang", text)
    pieces, end = list[str](), 0
    for match in finder.find(text, rejoin="never", schemeless=True, emails=True):
        pieces += defanging.without_schemes(text[end : match.start]), defanging.defang(match.raw)
        end = match.end
    return "".join(pieces) + defanging.without_schemes(text[end:])
