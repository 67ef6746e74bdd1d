"""mailto, mid and cid: addresses, messages and their parts."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import CHARACTERS, decoded, run_of
from urlscan.uri.grammar.rfc1630 import HOST as HOST_1630
from urlscan.uri.grammar.rfc1630 import HOSTNAME as HOSTNAME_1630
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme, pairs, split_at, stray
from urlscan.uri.url import Detail, Url

# --- mailto: one or more mail addresses, and header fields of a message

_ESCAPE = "%[0-9A-Fa-f]{2}"

# RFC 5322 section 3.2.3, without characters that RFC 6068 section 2 requires to be escaped ("%", "/", "?", "#", "[",
# "]", "&", ";", "=") and those that RFC 3986 does not allow ("^", "`", "{", "|", "}"):
#   atext         = ALPHA / DIGIT / "!" / "$" / "'" / "*" / "+" / "-" / "_" / "~"
#   dot-atom-text = 1*atext *( "." 1*atext )
_ATEXT = "[A-Za-z0-9_~!$'*+-]"
_ATOM = rf"(?={_ATEXT}|(?!%40){_ESCAPE}){_ATEXT}*+(?>(?:(?!%40){_ESCAPE}{_ATEXT}*+)*)"
_DOT_ATOM = rf"{_ATOM}(?>(?:\.{_ATOM})*)"
# A quoted string or a domain literal begins with an escape and may contain any escaped characters.
_QTEXT = "[A-Za-z0-9._~!$'()*+:-]*+"
_QUOTED = f"%22{_QTEXT}(?>(?:(?!%22(?:@|%40)){_ESCAPE}{_QTEXT})*)%22"
_LITERAL = "%5[Bb][A-Za-z0-9.:]++%5[Dd]"

# RFC 6068 section 2:
#   addr-spec  = local-part "@" domain
#   local-part = dot-atom-text / quoted-string
#   domain     = dot-atom-text / "[" *dtext-no-obs "]"
# One "%40" may represent the "@": documentation generators write it to stop harvesters, and all mail programs accept
# it.
_LOCAL_PART = f"(?:{_QUOTED}|{_DOT_ATOM})"
_DOMAIN = f"(?:{_LITERAL}|{_DOT_ATOM})"
_MAILTO_ADDR_SPEC = f"{_LOCAL_PART}(?:@|%40){_DOMAIN}"

# RFC 6068 section 2:
#   qchar       = unreserved / pct-encoded / some-delims
#   some-delims = "!" / "$" / "'" / "(" / ")" / "*" / "+" / "," / ";" / ":" / "@"
_QCHARS = "[A-Za-z0-9._~!$'()*+,;:@-]*+"


class Mail(Detail):
    """The message that a mailto URL describes (RFC 6068), without escapes.

    Attributes:
        addresses: the addresses before "?", in order.
        headers: names as written, and values, in order; "body" is the text, "to" has more addresses.
    """

    addresses: tuple[str, ...]
    headers: tuple[tuple[str, str], ...]


def parse_mailto(url: Url) -> Mail:
    """Return addresses and headers."""
    addresses = [decoded(address) for address in url.path.split(",") if address]
    return Mail(tuple(addresses), pairs((url.query or "").split("&")))


# RFC 6068 section 2:
#   mailtoURI  = "mailto:" [ to ] [ hfields ]
#   to         = addr-spec *("," addr-spec )
#   hfields    = "?" hfield *( "&" hfield )
#   hfield     = hfname "=" hfvalue
#   hfname     = *qchar
#   hfvalue    = *qchar
_HFVALUE = f"{_QCHARS}(?>(?:{_ESCAPE}{_QCHARS})*)"
_HFIELD = f"{_HFVALUE}={_HFVALUE}"
_TO = f"(?>{_MAILTO_ADDR_SPEC}(?>(?:,{_MAILTO_ADDR_SPEC})*)|)"
_TODAY = rf"{_TO}(?>\?{_HFIELD}(?>(?:&{_HFIELD})*)|){FRAGMENT}"

# RFC 1738 section 5:
#   mailtourl      = "mailto:" encoded822addr
#   encoded822addr = 1*xchar               ; further defined in RFC822
# RFC 822 section 6.1:  addr-spec = local-part "@" domain
_XCHARS = run_of("rfc1738", "article", minimum=1)  # but "@"
_RFC1738 = f"{_XCHARS}@{_XCHARS}|(?!%40)(?=[^@]*?%40[^@]){_XCHARS}"

# RFC 1630, BNF for specific URL schemes:
#   mailtoaddress = "mailto:" xalphas "@" hostname
_LOCAL_1630 = run_of("rfc1630", "local", minimum=1)
_RFC1630 = f"{_LOCAL_1630}@{HOSTNAME_1630}"


def faults_mailto(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for invalid addresses, and for header fields without "=" or with delimiters."""
    document = MAILTO.document(grammar)
    if url.authority is not None:
        span = url.span("authority")
        assert span is not None  # noqa: S101 - it is not absent
        yield Fault("address", span[0] - 2, span[0], '"//" begins a host, but a mailto URL has none', document)
        return
    if grammar in ("rfc1738", "rfc1630"):
        text, start = after_scheme(url)
        yield from _address(text, start, document)
        return
    if url.path:
        for address, start in split_at(url.path, ",", len(url.scheme or "") + 1):
            yield from _address(address, start, document)
    span = url.span("query")
    if span is not None:
        yield from _headers(url.text[slice(*span)], span[0], document)


def _address(text: str, start: int, document: str) -> Iterator[Fault]:
    end = start + len(text)
    if not text:
        yield Fault("address", max(start - 1, 0), start, "address is missing", document)
    elif "@" not in text and "%40" not in text:
        yield Fault("address", start, end, 'address contains no "@"', document)
    elif text.count("@") > 1:
        first = start + text.index("@")
        message = 'address contains more than one "@"; escape the others as %40'
        yield Fault("address", first, first + 1, message, document, "%40")
    else:
        sign = text.find("@") if "@" in text else text.rfind("%40")
        width = 1 if "@" in text else 3
        for part, first, pattern in (("local-part", start, _LOCAL_PART), ("domain", start + sign + width, _DOMAIN)):
            value = text[:sign] if part == "local-part" else text[sign + width :]
            if not value:
                yield Fault(part, start + sign, start + sign + width, f'{part} {_SIDES[part]} "@" is missing', document)
            elif not re.fullmatch(pattern, value):
                yield from _part(part, value, first, document)


_SIDES = {"local-part": "before", "domain": "after"}


def _part(part: str, value: str, start: int, document: str) -> Iterator[Fault]:
    """Yield faults_mailto of a local-part or a domain."""
    match = re.search(r"[&;=:(),/?]", value)
    if match is not None:
        escape = f"%{ord(match[0]):02X}"
        message = f'"{match[0]}" in the {part} must be escaped as {escape}'
        yield Fault(part, start + match.start(), start + match.end(), message, document, escape)
    dots = re.search(r"^\.|\.\.|\.$", value)
    if dots is not None:
        message = f"extra dot in the {part}: dots must be between other characters"
        yield Fault(part, start + dots.start(), start + dots.end(), message, document)
    elif match is None and "%40" in value:
        sign = value.index("%40")
        message = f"second %40 in the {part}; only one may replace the @ of the address"
        yield Fault(part, start + sign, start + sign + 3, message, document)


def _headers(text: str, first: int, document: str) -> Iterator[Fault]:
    for field, start in split_at(text, "&", first):
        name, equals, value = field.partition("=")
        if not equals:
            message = 'a header field must have a name, "=" and a value' if field else "header field is missing"
            yield Fault("hfield", max(start - (not field), 0), start + len(field), message, document)
        stray = re.search("[/?=]", name + " " + value)
        if stray is not None:  # only the first: the others usually have the same cause
            position, escape = start + stray.start(), f"%{ord(stray[0]):02X}"
            message = f'"{stray[0]}" in a header field must be escaped as {escape}'
            yield Fault("hfield", position, position + 1, message, document, escape)


def normal_mailto(url: Url) -> Url:
    """Return the URL with the domains of its addresses in lowercase (RFC 5321 section 2.4)."""
    addresses = [address.rpartition("@") for address in url.path.split(",")]
    path = ",".join(
        f"{local}{sign}{domain.lower()}" if sign and "%" not in domain else local + sign + domain
        for local, sign, domain in addresses
    )
    return url._replace(path=path)


MAILTO = Scheme(
    name="mailto",
    title="a mail address",
    documents={
        "rfc3986": "RFC 6068 section 2",
        "rfc1738": "RFC 1738 section 3.5",
        "rfc1630": 'RFC 1630 section "Mailto"',
    },
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse_mailto,
    faults=faults_mailto,
    examples=("mailto:jo@h.example", "mailto:jo.doe+x@mail.h.example"),
    normal=normal_mailto,
)


# --- mid and cid: a message, and a part of a message


class MessagePart(Detail):
    """The message or part that a mid or cid URL names (RFC 2392 section 2), without escapes and angle brackets.

    Attributes:
        message_id: of the message; None in a cid URL.
        content_id: of a part; None for the entire message.
    """

    message_id: str | None
    content_id: str | None


def parse_mid(url: Url) -> MessagePart:
    """Return the identifiers of message and part."""
    text, _ = after_scheme(url)
    if (url.scheme or "").lower() == "cid":
        return MessagePart(None, decoded(text))
    message, slash, content = text.partition("/")
    return MessagePart(decoded(message), decoded(content) if slash else None)


# RFC 2392 section 2:
#   content-id    = url-addr-spec
#   message-id    = url-addr-spec
#   url-addr-spec = addr-spec  ; URL encoding of RFC 822 addr-spec
#   cid-url       = "cid" ":" content-id
#   mid-url       = "mid" ":" message-id [ "/" content-id ]
# One "%40" may represent the "@", as in mailto.
_MID_ADDR_SPEC = repeat("[^%@/?#]++|(?!%40)%", 1) + "(?:@|%40)[^@/?#]++"
_MID = f"{_MID_ADDR_SPEC}(?:/{_MID_ADDR_SPEC})?{FRAGMENT}"
_CID = _MID_ADDR_SPEC + FRAGMENT

# RFC 1630, BNF for specific URL schemes:
#   midaddress = "mid:" addr-spec
#   cidaddress = "cid:" content-identifier
_MID_1630 = f"{_LOCAL_1630}@{HOST_1630}"
_CID_1630 = run_of("rfc1630", "xpalpha", minimum=1)


def faults_mid(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for each invalid identifier."""
    cid = (url.scheme or "").lower() == "cid"
    document = (CID if cid else MID).document(grammar)
    text, start = after_scheme(url)
    if url.authority is not None:
        yield Fault("message-id", start, start + 2, '"//" begins a host, but an identifier has none', document)
        return
    if url.query is not None:
        mark = start + len(url.path)
        yield Fault("message-id", mark, mark + 1, '"?" in an identifier must be escaped as %3F', document, "%3F")
        text = url.path
    if grammar == "rfc1630":
        yield from stray("content-id" if cid else "message-id", text, start, CHARACTERS["rfc1630"]["xpalpha"], document)
        if cid:
            if not text:
                yield Fault("content-id", start, start, "content-id is missing", document)
            return
        host = text.partition("@")[2]
        if host and "@" not in host and not re.fullmatch(HOST_1630, host):
            first = start + len(text) - len(host)
            yield Fault("message-id", first, first + len(host), 'text after "@" is not a host', document)
    parts = [text] if cid or grammar == "rfc1630" else text.split("/", 1)
    for name, part in zip(("content-id",) if cid else ("message-id", "content-id"), parts, strict=False):
        yield from _identifier(name, part, start, document)
        start += len(part) + 1


def _identifier(name: str, text: str, start: int, document: str) -> Iterator[Fault]:
    for match in re.finditer("/", text):
        message = f'"/" in a {name} must be escaped as %2F'
        yield Fault(name, start + match.start(), start + match.end(), message, document, "%2F")
    sign = text.find("@")
    if text.count("@") > 1:
        message = f'{name} contains more than one "@"; escape the others as %40'
        yield Fault(name, start + sign, start + sign + 1, message, document, "%40")
    elif sign < 0 and "%40" not in text[1:-3]:
        yield Fault(name, start - (not text), start + len(text), f'{name} contains no "@"', document)
    elif sign == 0 or sign == len(text) - 1:
        side = "before" if sign == 0 else "after"
        yield Fault(name, start + sign, start + sign + 1, f'text {side} the "@" of the {name} is missing', document)


MID = Scheme(
    name="mid",
    title="a message, or a part of a message",
    documents={"rfc3986": "RFC 2392 section 2", "rfc1630": 'RFC 1630 section "Message-Id"'},
    patterns={"rfc3986": _MID, "rfc1630": _MID_1630},
    parse=parse_mid,
    faults=faults_mid,
    examples=("mid:960830.1639@h.example",),
)
CID = MID._replace(
    name="cid",
    title="a part of the message that contains the URL",
    documents={"rfc3986": "RFC 2392 section 2", "rfc1630": 'RFC 1630 section "Content-Id"'},
    patterns={"rfc3986": _CID, "rfc1630": _CID_1630},
    examples=("cid:foo4.foo1@h.example",),
)
