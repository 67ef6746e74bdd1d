"""Fast checks for published tokens and the names of parameters, which reject nearly all texts without the tables."""

from urlscan.core.lazy import lazy

# A token begins after one of these delimiters.
DELIMITER = r"[/\\=:#?]"
# The first characters of the tokens, grouped by first letters, which is three times faster. Not the whole prefixes,
# which take a twentieth of checking a small file to compile.
_STARTS = (
    r"A(?:[KS]IA|Iza|TAT)|GOCS|NRAK|PMAK|S(?:G\.|K[0-9a-f])|bot\d|canary|d(?:api|ckr_|iscord|o[opr]_|p\.)|eyJ"
    r"|g(?:h[pousr]_|ithub_|l[a-z]{1,5}[-_])|h(?:f_|ooks\.|v[bsr]\.)|key-|lin_|n(?:pm|tn)_|p(?:sca|tb\.|ul-|ypi-)"
    r"|r(?:k_|uby)|s(?:bp_|hp[acps]|k[-_]|ntr|q0)|tske|whse|x(?:-oa|app|ox)|ya29"
)
# Matches: `/ghp_`, `=AKIA`, `#glpat-`, `:x-oa`, `/discord`
# Does not match: `ghp_`, `/a`, `/global/`, `/discover`, `/bottom`
TOKEN_START = lazy(rf"{DELIMITER}(?=[AGNPSbcdeghklnprstwxy])(?:{_STARTS})")
# Where the name of a parameter may have ended before "=": its last three characters. The last of them is checked first,
# which rejects most.
_ENDS = "[ _.-]id|als|art|ase|ass|ial|ier|ion|jwt|ken|key|mac|nid|nse|oof|ord|pwd|ret|sid|sig|swd|ure|uth|yid"
NAME_END = lazy(rf"=(?:(?<=(?i:[cdefghlnrsty])=)(?<=(?i:{_ENDS})=)|(?<=\]=))")
# "https://TOKEN:x-oauth-basic@github.com"; "https://TOKEN@h" if the user is a long word with digits and letters, unlike
# a user name. After "//", and after "http:/", "http:\\\\" and the escaped slashes of a program.
_BASIC = r"(?P<basic>[^\s/\\?#:@<>\"]{8,256}):(?i:x-oauth-basic)@"
_LONG_WORD = r"(?=[A-Za-z_-]{0,40}[0-9][A-Za-z_-]{0,40}[0-9])(?=[0-9_-]{0,20}[A-Za-z])[\w-]{20,256}"
# Most hosts are rejected because no "@" follows.
# Matches: `//0123456789abcdef0123@`, `//9f8a7b6c:x-oauth-basic@`
# Does not match: `//jo@`, `//01234567890123456789@`, `//abcdefghijklmnopqrst@`
LONG_USER = lazy(rf"[:/\\][/\\]{{1,8}}(?=[^\s/\\?#@<>\"]{{8,275}}+@)(?:{_BASIC}|(?P<user>{_LONG_WORD}):?@)")
