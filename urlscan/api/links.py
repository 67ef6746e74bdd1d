"""The public functions for analysts: restore links that a mail filter has rewritten."""

from urlscan.uri import rewriters
from urlscan.uri.unwrap import unwrap


def unwrap_redirect(url: str, *, max_depth: int = rewriters.MAX_DEPTH) -> str:
    """Return the original of a link that a mail filter, a mailer or a site has rewritten.

    The original is read from the link; no connection is opened. A link that was rewritten several times is unwrapped
    repeatedly. docs/analysts.md lists the services.

    Args:
        url: any string; delimiters around it are removed.
        max_depth: how many layers are unwrapped at most.

    Returns:
        The original, with characters that no URL may contain escaped; the URL itself if no known service wrote it,
        or if the link does not contain the original.

    >>> unwrap_redirect("https://nam02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh.example%2Fa&data=05")
    'http://h.example/a'
    >>> unwrap_redirect("https://urldefense.com/v3/__http://h.example/a*b__;Iw!!AbC!dEf$")
    'http://h.example/a#b'
    >>> unwrap_redirect("http://h.example/a")
    'http://h.example/a'
    """
    return rewriters.unwrapped(unwrap(url).url, max_depth)
