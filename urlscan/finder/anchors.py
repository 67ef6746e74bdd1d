"""Find the anchors of a text: the colons that may follow a scheme; check what follows a scheme without "//".

RFC 3986 section 3.1:  URI = scheme ":" hier-part ...

One pattern that begins with the literal ":" searches the text; the scheme is then read backwards.  A pattern that
begins with an alternation of scheme names is fifty times slower, and a second pass for "://" costs more than the
additional branch.
"""

import functools
import re

from urlscan.core.document import MARKUP
from urlscan.core.lazy import lazy
from urlscan.data.schemes import REGISTERED
from urlscan.uri.grammar.domains import top_level_domains

# Widely used schemes that are not registered.
FAMILIAR = frozenset("ftps gs hdfs mongodb mysql postgres postgresql redis rtmp s3 scp socks5 svn+ssh".split())
# Schemes that are also found as the suffix of a word: "seehttp://x.org".
GLUED = ("https", "http", "ftp", "gopher")

# Defanged URLs are written so that they are not links: "hxxp://h.example/", "http://h[.]example/", "http://h(dot)com".
DEFANGED = lazy(
    r"(?:[\w.-]+\+)?(?i:h(?:xx|x[tz]|t[xz]|zz)ps?|fxps?):|[A-Za-z][\w+.-]*://[^/?#\s]*?[\[({](?i:\.|dot)[\])}]"
)

# The maximum length of an occurrence with its delimiters in characters; a longer one counts as unclosed.
LONGEST = 65536
# How many characters of a URL the pattern consumes; it limits the key of the fast path.
SPAN = 1024
# How far after a colon the pattern can match: SPAN, and the white space that interrupts "://".
REACH = SPAN + 256

# The branches of the pattern by the number of their group: "://", a scheme without "//", an interrupted "://".
PLAIN, COLON, BROKEN = None, 1, (2, 3)
# Schemes whose look-alikes are found for the linter: "http:/x.org", "http:www.x.org", "http:\\x.org".
LOOK_ALIKES = ("http", "https", "ftp")
# The rest of a URL.  The first class has no category and no character outside ASCII, so that it matches twice as fast.
# In "<http://h.example/a>#top" it includes ">#", so that the key of the fast path shows the fragment.
_REST = rf"[!#-;=?-~]{{0,{SPAN - 256}}}[^\s<>\"{MARKUP}]{{0,256}}(?:>#)?"


@functools.cache
def anchor(look_alikes: bool) -> re.Pattern[str]:
    """Return the pattern of anchors, including those of look-alikes if they are wanted."""
    names = [*COLON_SCHEMES, "url"]  # "<URL:gopher:h.example>" has no other anchor, "<URL:www.h.example>" no scheme
    if look_alikes:
        names += LOOK_ALIKES
    same_length = ([name for name in names if len(name) == length] for length in sorted({*map(len, names)}))
    schemes = "|".join(f"(?<=(?:{'|'.join(same)}):.)" for same in same_length)
    lasts = "".join(sorted({last for name in names for last in (name[-1].lower(), name[-1].upper())}))
    # Each branch begins with a literal or a class: these reject most colons before a branch is entered.
    return re.compile(
        rf":(?://{_REST}"
        # "mailto:" and similar schemes.  The lookbehinds are fixed strings; a class rejects most before them.
        rf"|[^:\s](?<=[{lasts}]:.)(?i:{schemes})(){_REST}"
        # "ftp: //host", "http:/" newline "/host", "mailto: joe@h": only a delimiter confirms these.
        r"|\s(?:\s{0,79}//|(?<=[lLoO]:\s)(?:(?<=(?i:mailto):\s)|(?<=(?i:<url):\s)))()"
        r"|/\s[\s><|#*;%/]{0,80}/())"
    )


_SCHEME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-"
_LONGEST = 64


def scheme_before(text: str, colon: int, floor: int, schemes: frozenset[str]) -> tuple[int, str] | None:
    """Return the start of the scheme before text[colon], and the scheme in lower case.

    RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )

    Nothing before `floor` is read.  An unregistered name of two or more characters is a scheme too.  A name that ends
    in a familiar scheme is a word joined to that scheme, unless it is one of `schemes`.
    """
    window = text[max(floor, colon - _LONGEST) : colon]
    run = window[len(window.rstrip(_SCHEME_CHARS)) :].lstrip("0123456789+.-").lower()
    if is_known_scheme(run, schemes):
        return colon - len(run), run
    if len(run) < 2 or run == "url":  # "<URL://http://x>": the prefix, written like a scheme
        return None
    if run.count("+") == 1:  # git+https
        return colon - len(run), run
    label = re.split("[.-]", run)[-1].lstrip("0123456789+")
    if label in REGISTERED:  # unlike the whole, which is unknown
        return colon - len(label), label
    for name in GLUED:
        if label.endswith(name):
            return colon - len(name), name
    return colon - len(run), run


def is_known_scheme(scheme: str, schemes: frozenset[str]) -> bool:
    """Return whether `scheme`, in lower case, is registered, familiar, or one of `schemes`."""
    return scheme in REGISTERED or scheme in FAMILIAR or scheme in schemes


# RFC 6068:  mailtoURI = "mailto:" [ to ] [ hfields ];  RFC 3261, 5122, 3859, 3860, 7565: an address
_ADDRESS = r"[^\s<>\"@:/?#\\,;()]+(?:@|%40)[A-Za-z0-9\[][^\s<>\"]*"
# RFC 3261 section 25.1:  userinfo = ( user / telephone-subscriber ) [ ":" password ] "@"
_SIP_ADDRESS = r"[^\s<>\"@:/?#\\,;()]+(?::[^\s<>\"@/?#\\,()]*)?(?:@|%40)[A-Za-z0-9\[][^\s<>\"]*"
# A host with "www.", a known top-level domain, or an address.
_NO_SLASHES = (
    r"(?:/(?!/)|\\{1,2}|(?![/\\]))"
    r"(?:www\.[\w-]+\.|localhost[:/]|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[\w-]+\.)+(?P<top>[A-Za-z]{2,24})(?![\w.-]))"
)
_SHAPES = {
    "mailto": rf"(?:{_ADDRESS}|\?[a-z-]+=)",
    # RFC 1738 section 3.6:  grouppart = "*" | group | article
    "news": r"(?:[A-Za-z][A-Za-z0-9+_-]*(?:\.[A-Za-z0-9+_-]+)+|\*(?=[\s>]|\Z)|[^\s<>\"@/]+@[A-Za-z0-9\[])",
    # RFC 2392:  cid-url = "cid" ":" content-id;  mid-url = "mid" ":" message-id [ "/" content-id ]
    **dict.fromkeys(("mid", "cid"), r"[^\s<>\"@/:]+(?:@|%40)[A-Za-z0-9\[]"),
    # RFC 8141:  assigned-name = "urn" ":" NID ":" NSS;  RFC 1630 wrote "urn:/authority/..."
    "urn": r"(?:[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:[A-Za-z0-9%(_.~@$!*'+=-]|/[A-Za-z0-9]+/)",
    # RFC 3966:  a global number begins with "+"; other numbers after "tel:" follow a label
    "tel": r"(?:\+[0-9(][0-9().-]{2,}|[0-9*#][0-9().-]*;phone-context=)",
    "sms": r"\+[0-9]{3,}",
    **dict.fromkeys(("sip", "sips"), rf"(?:{_SIP_ADDRESS}|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)"),
    "xmpp": rf"(?:{_ADDRESS}|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+[/?])",
    **dict.fromkeys(("im", "pres", "acct"), _ADDRESS),
    "doi": r"10\.[0-9]{4,9}/\S",
    "magnet": r"\?[A-Za-z.0-9]+=",
    # Look-alikes for the linter: too few or too many slashes, backslashes, no slash.
    **dict.fromkeys(LOOK_ALIKES, _NO_SLASHES),
    # RFC 8089 section 2:  local-path = [ drive-letter ] path-absolute.  "file:x" is a label.
    "file": r"(?:[A-Za-z][:|])?/(?:[\w~%]|\.{1,2}[\w/])",
    # RFC 5870:  coord-a "," coord-b
    "geo": r"-?[0-9]+(?:\.[0-9]+)?,-?[0-9]+(?:\.[0-9]+)?",
}


# Schemes without "//" that are found in text if the characters after the colon have their shape.
COLON_SCHEMES = sorted(_SHAPES.keys() - LOOK_ALIKES)


def has_shape(scheme: str, rest: str) -> bool:
    """Return whether `rest`, the text after the colon, has the shape of a URL of `scheme`."""
    if scheme not in _SHAPES or (match := re.match(_SHAPES[scheme], rest)) is None:
        return False
    top = match.groupdict().get("top")
    return top is None or top.lower() in top_level_domains()


# --- what precedes and follows a URL

# A "," "|" ";" or "(" directly before another scheme ends the URL before it, and so does "[/url]".
ANOTHER = r"[A-Za-z][A-Za-z0-9+.-]{1,15}://|(?:mailto|news|sips?|tel|urn|xmpp):"
# Character references of delimiters, in HTML that was not decoded; "&amp;" is data.
DELIMITER_REFERENCE = r"&(?:[lg]t|LT|GT|nbsp|quot|(?:[lr][ds]|sb|bd)quo|[lr]s?aquo);"
# The prefix of a URL on its line.  Not in a header field such as "Image-Url:".
PREFIX = lazy(r"(?<![A-Za-z0-9-])(?i:url):[^\S\r\n]*\Z")
# A full stop at a line end, before a line that may consist of a file extension.
STOP_AT_LINE_END = lazy(r"\.\r?\n[ \t>|]*([A-Za-z0-9]{1,6})[ \t]*(?:\r?\n|\Z)")
# "http://h.example.com-based": a word joined to a complete host with a hyphen.  Only the top-level domains of RFC 1591
# section 2: under others the whole may be the name of a service.
COMPOUND = lazy(r"\A[^/?#]*\.(?i:com|edu|gov|int|mil|net|org)(?P<added>(?:-[a-z]+)+)\Z")
# RFC 1738 appendix: "some typesetters and printers may erroneously introduce a hyphen at the end of line".  groff and
# word processors write these two, which no URL contains; a "-" may belong to the URL.
TYPESET_HYPHENS = ("\u2010", "\u00ad")
# The slashes of look-alikes (`look_alikes.py`).  One pattern that begins with a literal finds them.
SLASHES = lazy(
    r"""
    / [/ \t] (?: (?<= [pPsS;.,\uff1a]// )    # http//h.example, http;//h.example
                | (?<= [: \t]:// )           # http:://h.example, http ://h.example
                | (?<= :// ) (?= [^\S\r\n] )  # http:// h.example
                | (?<= [pPsS:][ \t]// )       # http: //h.example
                | (?<= :/[ \t] ) /           # http:/ /h.example
              )
    """,
    re.VERBOSE,
)
# The text after a bare URL that may continue: its line end and the start of the next line.
_LINE_END = r"[.?\u00ad\u2010]?[ \t]?(?:\r\n?|\n)"
_NO_REST = r"(?![ \t>|]*(?:(?!(?i:rem|dnl)\b)[A-Z](?:[a-z]*|[A-Z]*)[ \t]+\S|[=~_]{2}))"  # words of prose, a rule
_LINE_PREFIX = r"[ \t>|#*;/%:}\])+$@^-]*"
# Matches: `\na`, `.\n> a`, ` \n  # =`
# Does not match: `a`, `\nwww.`, `\nhttp:`, `\n\na`, `\n> The mill`, `\n__`
MAY_CONTINUE = lazy(rf"{_LINE_END}{_NO_REST}{_LINE_PREFIX}(?!(?i:https?:|ftp:|www\.))[A-Za-z0-9_~%&?=.]")
# Extensions of files, in lower case.  Several are top-level domains, too: "ps", "pl", "py", "sh", "zip", "md".
EXTENSIONS = frozenset(
    "7z adoc aiff asc asp aspx avi bat bib bin bmp bz2 c cab cc cfg cfm cgi conf cpp css csv deb diff dll dmg doc docx"
    " dtd dvi el eps epub exe flac gif gz h hpp hs htm html ico img ini ipynb iso jar java jpeg jpg js json jsp jspx"
    " kml lisp log lua lzma m4a md mid midi mjs mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg patch pdf php php3 php4"
    " phtml pl plist pm png po pot ppt pptx ps psd py ram rar rb rdf rs rss rpm rst rtf scm sgml sh shtml sig so sql"
    " svg swf tar tbz tcl tex tgz tif tiff toml ttf tsv txt txz vue war wasm wav webm webp whl wmv woff woff2 xhtml xls"
    " xlsx xml xpi xsd xsl xslt xz yaml yml z zip zst".split()
)
