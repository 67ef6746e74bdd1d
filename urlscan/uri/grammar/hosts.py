"""Hosts as expressions: IP literals and addresses, registered names, and the hostnames of RFC 1738."""

from urlscan.uri.grammar.characters import class_of, run_of

# RFC 3986 section 3.2.2:
#   dec-octet   = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35
#   IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
# The boundary excludes a dot after the last octet.
IPV4_ADDRESS = r"(?a:(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.?\b){4})"

# RFC 3986 section 3.2.2:
#   h16         = 1*4HEXDIG
#   ls32        = ( h16 ":" h16 ) / IPv4address
#   IPv6address =                            6( h16 ":" ) ls32
#               /                       "::" 5( h16 ":" ) ls32
#               / [               h16 ] "::" 4( h16 ":" ) ls32
#               / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
#               / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
#               / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
#               / [ *4( h16 ":" ) h16 ] "::"              ls32
#               / [ *5( h16 ":" ) h16 ] "::"              h16
#               / [ *6( h16 ":" ) h16 ] "::"
# Without "::", six groups and ls32; with one "::", at most seven groups, of which an address at the end is two.
# Compiling takes half as long as with an alternative for each of the nine.
_H16 = r"[0-9A-Fa-f]{1,4}"
IPV6_ADDRESS = (
    rf"(?:(?:{_H16}:){{6}}(?:{_H16}:{_H16}|{IPV4_ADDRESS})"
    r"|(?=[\w:.]*::)(?![\w:.]*::[\w:.]*::)(?:::)?"
    rf"(?:(?:{_H16}(?:::?|(?![\w:.]))){{0,7}}(?<![^:]:)|(?:{_H16}::?){{0,5}}{IPV4_ADDRESS}))"
)

# RFC 3986 section 3.2.2:
#   IPvFuture   = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
#   IP-literal  = "[" ( IPv6address / IPvFuture ) "]"
# Literals in ABNF are case-insensitive, so "V" is accepted as well.
IPV_FUTURE = rf"[vV][0-9A-Fa-f]++\.{class_of('rfc3986', 'userinfo')}++"
IP_LITERAL = rf"\[(?:{IPV6_ADDRESS}|{IPV_FUTURE})\]"

# RFC 3986 section 3.2.2:
#   reg-name    = *( unreserved / pct-encoded / sub-delims )
#   host        = IP-literal / IPv4address / reg-name
# Every IPv4address is a reg-name as well.
REG_NAME = run_of("rfc3986", "reg-name")

# RFC 1738 section 5:
#   host        = hostname | hostnumber
#   hostname    = *[ domainlabel "." ] toplabel
#   domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
#   toplabel    = alpha | alpha *[ alphadigit | "-" ] alphadigit
#   hostnumber  = digits "." digits "." digits "." digits
DOMAINLABEL = "[A-Za-z0-9]++(?>(?:-++[A-Za-z0-9]++)*)"
TOPLABEL = rf"(?=[A-Za-z]){DOMAINLABEL}"
HOSTNAME = rf"(?>(?:{DOMAINLABEL}\.)*){TOPLABEL}"
HOSTNUMBER = r"[0-9]++\.[0-9]++\.[0-9]++\.[0-9]++"
HOST_1738 = rf"(?:{HOSTNUMBER}(?![A-Za-z0-9.-])|{HOSTNAME})"
