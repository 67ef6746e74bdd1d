"""Where a URL may be: at a colon that a scheme stands before.

RFC 3986 section 3.1:  URI = scheme ":" hier-part ...

One pattern, led by the literal ":", goes over the whole text in C; a scheme is then read backwards.
An alternation of scheme names in front would be fifty times slower, and a second pass for "://"
costs more than the branch does.
"""

import functools
import re
from collections.abc import Iterable

from urlscan.core.segment import MARKUP
from urlscan.data.schemes import REGISTERED

# Schemes without "//" that are found in text, where what follows has their shape (`colon.py`).
COLON_SCHEMES = "acct cid doi file geo im magnet mailto mid news pres sip sips sms tel urn xmpp".split()
# In use for decades, or by everybody, without being registered.
FAMILIAR = frozenset("ftps gs hdfs mongodb mysql postgres postgresql redis rtmp s3 scp socks5 svn+ssh".split())
# A scheme of these that is glued to a word is found as its suffix: "seehttp://x.org".
GLUED = ("https", "http", "ftp", "gopher")

# How much of a URL the pattern takes along; the key of the common case is not longer.
SPAN = 1024
# How far behind a colon the pattern can look: what it takes along, and the white space that cuts "://".
REACH = SPAN + 256

PLAIN, COLON, BROKEN = None, 1, 2
# Schemes whose look-alikes are found for the linter: "http:/x.org", "http:www.x.org", "http:\\x.org".
LOOK_ALIKES = ("http", "https", "ftp")


def _anchor(names: Iterable[str]) -> re.Pattern[str]:
    schemes = "|".join(f"(?<={name}:)" for name in names)
    return re.compile(
        rf":(?://[^\s<>\"{MARKUP}]{{0,{SPAN}}}"
        # "mailto:" and its like.  The look-behinds are fixed strings, and two classes shut most colons out.
        rf"|(?=[^:\s])(?<=[a-zA-Z]:)(?i:{schemes})()[^\s<>\"{MARKUP}]{{0,{SPAN}}}"
        # "ftp: //host", "http:/" newline "/host", "mailto: joe@h": only a delimiter can vouch for these.
        r"|(?:\s{1,80}//|/\s[\s><|#*;%/]{0,80}/|\s(?:(?<=(?i:mailto):\s)|(?<=(?i:<url):\s)))())"
    )


@functools.cache
def anchor(look_alikes: bool) -> re.Pattern[str]:
    """Return the pattern of places where a URL may be, or what looks like one."""
    # "<URL:gopher:h.example>" has no other colon that leads to it, and "<URL:www.h.example>" none at all.
    return _anchor([*COLON_SCHEMES, *LOOK_ALIKES, "url"] if look_alikes else [*COLON_SCHEMES, "url"])


_SCHEME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-"
_LONGEST = 64


def scheme_before(text: str, colon: int, floor: int, schemes: frozenset[str]) -> tuple[int, str] | None:
    """Return where the scheme before text[colon] begins, and the scheme in lower case.

    RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )

    Never looks before `floor`.  An unregistered name of two characters or more is a scheme too; one
    that only ends in a familiar scheme is taken for a word that the URL is glued to, unless `schemes` has it.
    """
    window = text[max(floor, colon - _LONGEST) : colon]
    run = window[len(window.rstrip(_SCHEME_CHARS)) :].lstrip("0123456789+.-").lower()
    if known(run, schemes):
        return colon - len(run), run
    if len(run) < 2 or run == "url":  # "<URL://http://x>": the prefix, with what people write after it
        return None
    composed = run.count("+") == 1 and run[0] != "+"  # git+https
    label = run if composed else re.split("[.-]", run)[-1].lstrip("0123456789+")
    if label != run and label in REGISTERED:
        return colon - len(label), label
    if not composed:
        for name in GLUED:
            if label.endswith(name):
                return colon - len(name), name
    return colon - len(run), run


def known(scheme: str, schemes: frozenset[str]) -> bool:
    """Whether `scheme`, in lower case, is registered, familiar, or one of `schemes`."""
    return scheme in REGISTERED or scheme in FAMILIAR or scheme in schemes
