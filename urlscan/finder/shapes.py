"""Define the patterns that the fast path shares with the general path, and the file extensions.

They are in a module of their own, so that a text of common URLs does not load the general path.
"""

import re

from urlscan.core.lazy import lazy

# A "," "|" ";" or "(" directly before another scheme ends the URL before it, and so does "[/url]".
ANOTHER = r"[A-Za-z][A-Za-z0-9+.-]{1,15}://|(?:mailto|news|sips?|tel|urn|xmpp):"
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
    / (?: / (?: (?<= [pPsS;.,\uff1a]// )     # http//h.example, http;//h.example
              | (?<= ::// )                  # http:://h.example
              | (?<= :// ) (?= [^\S\r\n] )   # http:// h.example
              | (?<= [pPsS:][ \t]// )        # http ://h.example, http: //h.example
              | (?<= [ \t]:// )
            )
        | [ \t]/ (?<= :/[ \t]/ )             # http:/ /h.example
      )
    """,
    re.VERBOSE,
)
# The text after a bare URL that may continue: its line end and the start of the next line.
_LINE_END = r"[.?\u2010\u00ad]?[ \t]?(?:\r\n?|\n)"
_LINE_PREFIX = r"[ \t>|#*;/%:}\])+$@^-]*"
# Matches: `\na`, `.\n> a`, ` \n  # =`
# Does not match: `a`, `\nwww.`, `\nhttp:`, `\n\na`
MAY_CONTINUE = lazy(rf"{_LINE_END}{_LINE_PREFIX}(?!(?i:https?:|ftp:|www\.))[A-Za-z0-9_~%&?=.]")
# Extensions of files, in lower case.  Several are top-level domains, too: "ps", "pl", "py", "sh", "zip", "md".
EXTENSIONS = frozenset(
    "7z adoc aiff asc asp aspx avi bat bib bin bmp bz2 c cab cc cfg cfm cgi conf cpp css csv deb diff dll dmg doc docx"
    " dtd dvi el eps epub exe flac gif gz h hpp hs htm html ico img ini ipynb iso jar java jpeg jpg js json jsp jspx"
    " kml lisp log lua lzma m4a md mid midi mjs mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg patch pdf php php3 php4"
    " phtml pl plist pm png po pot ppt pptx ps psd py ram rar rb rdf rs rss rpm rst rtf scm sgml sh shtml sig so sql"
    " svg swf tar tbz tcl tex tgz tif tiff toml ttf tsv txt txz vue war wasm wav webm webp whl wmv woff woff2 xhtml xls"
    " xlsx xml xpi xsd xsl xslt xz yaml yml z zip zst".split()
)
