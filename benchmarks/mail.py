"""Compare the URLs that urlscan finds in mail with those of `email` and lxml, and measure the speed.

usage: python benchmarks/mail.py [-v] MAIL...

The bytes at the location of each URL must decode to it. The messages of mailboxes are also parsed and decoded by
Python's `email`, and their pages by lxml. The URLs of each text part must be those in the text from `email`, and the
links of each page those in the tree of lxml. Differences are counted by reason; -v prints those without a known reason.
Then the speed of `email.message_from_bytes` and of urlscan (decoding, finding and rejoining) is measured alternately on
the same messages, in one process.
"""

import base64
import binascii
import bisect
import email
import email.errors
import email.header
import email.message
import html
import html.parser
import quopri
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import lxml.etree
import lxml.html
from destinations import ATTRIBUTES

import urlscan
from urlscan.documents import MAIL
from urlscan.documents.identify import identify
from urlscan.documents.mail.headers import charset_of
from urlscan.documents.mail.mailbox import message_batches
from urlscan.documents.mail.parts import MailOptions
from urlscan.documents.mail.split import header_of, starts
from urlscan.files.random_access import Memory
from urlscan.finder import FindOptions, find_in_document

Parts = dict[str, list[str]]
_ROUNDS = 3
_HEAD = 1 << 14
# The URL attributes that only one of lxml and urlscan reads.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PROGRAM = re.compile(r"(?:javascript|vbscript|about|blob|data):", re.IGNORECASE)
_ARMOUR = re.compile(r"(?ms)^-----BEGIN PGP (?!SIGNED).*?^-----END PGP [A-Z ]+-----")


def numbered(message: email.message.Message, prefix: str = "") -> Iterator[tuple[str, email.message.Message]]:
    """Yield the leaves of a message as parsed by `email`, with their IMAP part numbers."""
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list):
        for number, part in enumerate(payload, 1):
            name = f"{prefix}{number}"
            nested = part.get_content_maintype() == "multipart"
            if part.get_content_type() == "message/rfc822" and isinstance(part.get_payload(), list):
                yield from numbered(part.get_payload()[0], name + ".")
            elif nested:
                yield from numbered(part, name + ".")
            else:
                yield name, part
    else:
        yield f"{prefix}1", message


def decoded(part: email.message.Message) -> str:
    """Return the text of a leaf as a mail reader displays it."""
    data = part.get_payload(decode=True) or b""
    codec = charset_of(part.get_content_charset())
    if codec is None or data.isascii():
        codec = "utf-8"
    return data.decode(codec, "surrogateescape" if codec == "utf-8" else "replace")


def links(page: str) -> list[str]:
    """Return the absolute URLs of the attributes of a page, from lxml's tree."""
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        tree = lxml.html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.LxmlError, ValueError):
        return []
    attributes = (item for element in tree.iter() if isinstance(element.tag, str) for item in element.attrib.items())
    found = [bare(value) for name, value in attributes if name in ATTRIBUTES]
    return [link for link in found if _SCHEME.match(link) and not _PROGRAM.match(link)]


class Attributes(html.parser.HTMLParser):
    """The URLs of all tags, including those that libxml2 omits from its tree."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.urls: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add the URLs of a tag."""
        self.urls.update(bare(value) for name, value in attrs if value and name in ATTRIBUTES)


def bare(url: str) -> str:
    """Return a URL without white space and invalid characters; only the rest is compared."""
    return re.sub(r"\s+|[\ufffd\x80-\uffff]", "", url)


def theirs(data: bytes) -> tuple[Parts, Parts, dict[str, str]]:
    """Return the URLs in the texts, the links in the pages, and the texts (or "base64"), by part.

    "base64" is the text of a page without tags, whose base64 was not decoded.
    """
    texts: Parts = {}
    pages: Parts = {}
    shown: dict[str, str] = {}
    for number, part in numbered(email.message_from_bytes(data)):
        if part.get_content_type() == "text/html":
            shown[number] = decoded(part)
            pages[number] = links(shown[number])
            if "<" not in shown[number]:
                shown[number] = "base64"
        elif part.get_content_maintype() == "text":
            shown[number] = decoded(part)
            texts[number] = [bare(one.url) for one in urlscan.scan(shown[number])]
            if str(part.get("content-transfer-encoding", "")).lower() == "base64":
                shown[number] = "base64"
    return texts, pages, shown


def ours(data: bytes) -> Iterator[tuple[int, str, str, str]]:
    """Yield the URLs of a mailbox: offset, part, style (for pages), URL."""
    for make in message_batches(Memory(data), "mbox", MailOptions(find_options=FindOptions())):
        for document in make().documents():
            for one in find_in_document(document, FindOptions()):
                occurrence = one
                start, _ = document.to_source(occurrence.start, occurrence.end)
                where = document.origin.mail(start).part if document.origin is not None else None
                yield start, where or "", occurrence.style if document.kind == "html" else "", bare(occurrence.url)


def places(data: bytes, kind: str, verbose: bool) -> None:
    """Print the encodings by which the bytes at each URL decode to it."""
    counts: Counter[str] = Counter()
    for make in message_batches(Memory(data), kind, MailOptions()):
        for document in make().documents():
            for one in find_in_document(document, FindOptions(relative=True, schemeless=True, emails=True)):
                occurrence = one
                start, end = document.to_source(occurrence.start, occurrence.end)
                there, raw = data[start:end], bare(occurrence.raw)
                how = next((how for how, way in _WAYS.items() if raw in bare(_undone(way, there))), "not at all")
                counts[how] += 1
                if verbose and how == "not at all":
                    print(f"byte {start}: {occurrence.raw!r} is encoded as {there!r}")
    for how, count in counts.most_common():
        print(f"{count:>7} places that decode to the URL {how}")


def _undone(way: Callable[[bytes], bytes], there: bytes) -> str:
    """Return all decodings of some bytes: in the charsets that occur, with and without decoded entities."""
    try:
        octets = way(there)
    except (ValueError, LookupError, email.errors.MessageError):
        return ""
    texts = [octets.decode(charset, "replace") for charset in _CHARSETS]
    return "\n".join([*texts, *(_ENTITY.sub(_shown, text) for text in texts)])


def _shown(entity: "re.Match[str]") -> str:
    if entity[1] is None:
        return html.unescape(entity[0])
    return chr(int(entity[1][1:], 16) if entity[1][0] in "xX" else int(entity[1]))


def _words(there: bytes) -> bytes:
    words = email.header.decode_header(re.sub(r"\r?\n[ \t]", " ", there.decode("ascii")))
    return b"".join(one if isinstance(one, bytes) else one.encode() for one, _ in words)


def _uu_lines(there: bytes) -> bytes:
    return b"".join(binascii.a2b_uu(b"M" + line.ljust(60)) for line in there.splitlines())


_CHARSETS = ("latin-1", "utf-8", "iso-2022-jp", "big5")
_ENTITY = re.compile(r"&(?:#([xX]?[0-9A-Fa-f]{1,6})|\w+);")
_WAYS: dict[str, Callable[[bytes], bytes]] = {
    "as they are": lambda there: there.replace(b"\0", b""),  # in units of two or four
    "by quoted-printable": quopri.decodestring,
    "by base64": lambda there: base64.b64decode(there + b"=="),
    "by encoded words": _words,
    "by uuencode": _uu_lines,
}


def compare(data: bytes, verbose: bool) -> None:
    """Print the number of parts with equal URLs, and the reasons for differences in the others."""
    begins = starts(data, "mbox")
    by_message: dict[int, list[tuple[str, str, str]]] = defaultdict(list)

    for place, part, style, url in ours(data):
        by_message[bisect.bisect_right(begins, place) - 1].append((part, style, url))
    counts: Counter[str] = Counter()
    for number, start in enumerate(begins):
        end = begins[number + 1] if number + 1 < len(begins) else len(data)
        texts, pages, shown = theirs(data[header_of(data, start, "mbox") : end])
        found = by_message[number]
        for part, urls in texts.items():
            mine = [url for where, style, url in found if where == part and not style]
            _weigh(counts, "text", urls, mine, shown[part], f"message {number} part {part}", verbose)
        for part, urls in pages.items():
            mine = [
                url for where, style, url in found if where == part and style == "markup" and not _PROGRAM.match(url)
            ]
            _weigh(counts, "page", urls, mine, shown[part], f"message {number} part {part}", verbose)
    for name, count in sorted(counts.items()):
        print(f"{count:>7} {name}")


def _weigh(
    counts: Counter[str], kind: str, urls: list[str], mine: list[str], text: str, where: str, verbose: bool
) -> None:
    counts[f"{kind}s"] += 1
    counts[f"URLs of {kind}s"] += len(urls)
    lacking, more = Counter(urls) - Counter(mine), Counter(mine) - Counter(urls)
    for url in list(lacking.elements()):
        reason = _reason(kind, url, mine, text)
        counts[f"{kind}: missing, {reason}"] += 1
        if verbose and reason == "no reason":
            print(f"{where}: missing {url!r}")
    for url in list(more.elements()):
        reason = _reason(kind, url, urls, text)
        counts[f"{kind}: more, {reason}"] += 1
        if verbose and reason == "no reason":
            print(f"{where}: more {url!r}")
    if not lacking and not more:
        counts[f"{kind}s alike"] += 1


def _reason(kind: str, url: str, others: list[str], text: str) -> str:
    if kind == "page":
        if text == "base64":
            return "in base64 that email does not decode, because of the text after it"
        if url in Attributes(text).urls:
            return "html.parser has it, libxml2 dropped it"
        if re.search(rf"<[^<>]*{re.escape(url)}[^<>]*\Z", bare(text)):
            return "in a tag that the message cuts"
        return "of a style" if re.search(rf"url\(['\"]?{re.escape(url)}", bare(text)) else "no reason"
    if text == "base64":
        return "after the end of base64"
    if any(url in bare(armour) for armour in _ARMOUR.findall(text)):
        return "in the header of armour"
    if any(other.startswith(url[:12]) and (url.startswith(other) or other.startswith(url)) for other in others):
        return "longer or shorter, as flowed lines make it"
    return "no reason"


def rate(data: bytes) -> None:
    """Print the speeds in MB/s, the best of several rounds."""
    begins = starts(data, "mbox")
    messages = [data[start:end] for start, end in zip(begins, [*begins[1:], len(data)], strict=True)]
    parsing, finding = [], []
    for _ in range(_ROUNDS):
        begin = time.perf_counter()
        for message in messages:
            email.message_from_bytes(message)
        parsed = time.perf_counter()
        for make in message_batches(Memory(data), "mbox", MailOptions(find_options=FindOptions())):
            for document in make().documents():
                for _one in find_in_document(document, FindOptions()):
                    pass
        parsing.append(parsed - begin)
        finding.append(time.perf_counter() - parsed)
    size = len(data) / 1e6
    print(f"email.message_from_bytes {size / min(parsing):.0f} MB/s, urlscan {size / min(finding):.0f} MB/s", end="")
    print(f": {min(parsing) / min(finding):.2f} times")


def main(arguments: list[str]) -> int:
    """Compare and time each mailbox."""
    for path in (argument for argument in arguments if argument != "-v"):
        data = Path(path).read_bytes()
        kind = identify(path, data[:_HEAD].decode("latin-1"))
        print(path)
        places(data, kind if kind in MAIL else "mail", "-v" in arguments)
        if kind == "mbox":
            compare(data, "-v" in arguments)
            rate(data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
