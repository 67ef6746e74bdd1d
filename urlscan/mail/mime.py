"""The parts of a message: one pass over the lines that begin with two hyphens.

RFC 2046 section 5.1.1:  multipart-body := [preamble CRLF] dash-boundary CRLF body-part *encapsulation close-delimiter
                         dash-boundary := "--" boundary
RFC 3501 section 6.4.5:  parts are numbered from 1; a message that is no multipart has the part 1.

A delimiter is looked up among the boundaries that are open, so that a line costs the same however deep they are
nested and however alike they look.  One of an outer multipart ends the inner ones, whose own was forgotten; the end
of the message ends all.
"""

import re

from urlscan.mail.headers import Head, body_after, read_head

# RFC 2046 section 5.1.1 allows 70 characters, and white space behind them.
_DELIMITER = re.compile(rb"\n--([^\n]{1,1000})(?=\n|\Z)")
# More messages and multiparts in each other than any mail program makes.
DEEPEST = 100
# More parts than anybody sends; each costs memory.
MOST = 100_000
MESSAGES = frozenset(("message/rfc822", "message/news", "message/global"))


class Entity:
    """A message, a multipart, or a part (RFC 2045 section 2.4).

    Attributes:
        number: as IMAP has it; of a message in a message, of that which holds it.
        inside: the number of the message or part whose header it has; "" for that of the whole.
        start: where its header begins.
        body, end: its body.
        head: what its header says.
        is_leaf: whether it has no parts of its own.
        above: the number of the multipart/alternative that it is a part of among the entities, or -1.
        cut: why it is a leaf though it has, or may have, parts of its own; "" if it is none for that.
    """

    __slots__ = ("above", "body", "cut", "end", "head", "inside", "is_leaf", "number", "start")

    def __init__(self, number: str, start: int, body: int, end: int, head: Head) -> None:
        self.number = self.inside = number
        self.start = start
        self.body = body
        self.end = end
        self.head = head
        self.is_leaf = False
        self.above = -1
        self.cut = ""


class _Open:
    """A multipart whose parts are being read.

    Attributes:
        boundary: between its parts.
        entity: which one it is.
        index: its number among the entities.
        prefix: what the numbers of its parts begin with.
        count: of its parts so far.
        hidden: the place of an outer one with the same boundary, or -1.
    """

    __slots__ = ("boundary", "count", "entity", "hidden", "index", "prefix")

    def __init__(self, boundary: bytes, entity: Entity, index: int, prefix: str, hidden: int) -> None:
        self.boundary = boundary
        self.entity = entity
        self.index = index
        self.prefix = prefix
        self.count = 0
        self.hidden = hidden


def entities(data: bytes, start: int, end: int) -> list[Entity]:
    """Return the message that data[start:end] is, and everything in it, in order."""
    reading = _Reading()
    stack = reading.stack
    at, number, is_message, nested = start, "", True, 0
    while True:
        head_end, body = body_after(data, at, end)
        entity = Entity(number, at, body, end, read_head(data, at, head_end))
        above = stack[-1].entity.head.type if stack else ""
        if above == "multipart/alternative" and not is_message:
            entity.above = stack[-1].index
        reading.enter(entity)
        boundary = _boundary_of(entity, is_digest=above == "multipart/digest" and not is_message)
        if boundary is not None and nested + len(stack) >= DEEPEST:
            entity.cut = f"parts in parts are deeper than {DEEPEST} levels"
        elif len(reading.found) == MOST:
            entity.cut = f"a message has more than {MOST} parts"
        if boundary is None or entity.cut:
            entity.is_leaf = True
            if is_message:
                entity.number = f"{number}.1" if number else "1"
        elif boundary:
            reading.open(boundary, f"{number}." if number else "")
        else:  # a message in a message: its header begins where the body does
            entity.number = number = number or "1"
            at, is_message, nested = body, True, nested + 1
            continue
        is_last = not stack or len(reading.found) == MOST
        following = _next_part(data, body, end, reading) if not is_last else -1
        if following < 0:
            return reading.found
        at, is_message, nested = following, False, 0
        stack[-1].count += 1
        number = f"{stack[-1].prefix}{stack[-1].count}"


def _boundary_of(entity: Entity, *, is_digest: bool) -> bytes | None:
    """Return the boundary of a multipart, b"" for a message in a message, None for what holds no entity."""
    head = entity.head
    if head.type.startswith("multipart/"):
        return head.parameters.get("boundary", "").strip().encode("utf-8", "replace") or None
    kind = head.type or ("message/rfc822" if is_digest else "")  # RFC 2046 section 5.1.5
    return b"" if kind in MESSAGES and not head.coding else None


def _next_part(data: bytes, at: int, end: int, reading: "_Reading") -> int:
    """Return where the next part begins, or -1; whatever ends before it is told so."""
    stack, places = reading.stack, reading.places
    for match in _DELIMITER.finditer(data, max(at - 1, 0), end):
        line = match[1].rstrip()
        level, closes = places.get(line, -1), False
        if level < 0 and line.endswith(b"--"):
            level, closes = places.get(line[:-2], -1), True
        if level < 0:
            continue
        stop = match.start()  # the line end before a delimiter is the delimiter's
        reading.end(stack[level].index, stop - (data[stop - 1 : stop] == b"\r"))
        while len(stack) > level + (not closes):
            top = stack.pop()
            if top.hidden >= 0:
                places[top.boundary] = top.hidden
            else:
                del places[top.boundary]
        if not closes:
            return min(match.end() + 1, end)
        if not stack:
            return -1
    return -1


class _Reading:
    """What is open while a message is read.

    Attributes:
        found: the entities so far.
        stack: the multiparts whose parts are being read.
        places: the place of each boundary in the stack.
    """

    __slots__ = ("_unended", "found", "places", "stack")

    def __init__(self) -> None:
        self.found: list[Entity] = []
        self.stack: list[_Open] = []
        self.places: dict[bytes, int] = {}
        self._unended: list[int] = []

    def enter(self, entity: Entity) -> None:
        """Enter the next entity."""
        self._unended.append(len(self.found))
        self.found.append(entity)

    def open(self, boundary: bytes, prefix: str) -> None:
        """Open the last entity, a multipart."""
        index = len(self.found) - 1
        self.stack.append(_Open(boundary, self.found[index], index, prefix, self.places.get(boundary, -1)))
        self.places[boundary] = len(self.stack) - 1

    def end(self, after: int, stop: int) -> None:
        """End all entities behind that of the number `after`."""
        while self._unended and self._unended[-1] > after:
            entity = self.found[self._unended.pop()]
            entity.end = max(stop, entity.body)
