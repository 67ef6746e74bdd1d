"""The parts of a message: one pass over the lines that begin with two hyphens.

RFC 2046 section 5.1.1:  multipart-body := [preamble CRLF] dash-boundary CRLF body-part *encapsulation close-delimiter
                         dash-boundary := "--" boundary
RFC 3501 section 6.4.5:  parts are numbered from 1; the part of a message without multipart is 1.

Delimiters are looked up in a table of the open boundaries, so that the cost of a line depends neither on the depth of
nesting nor on the similarity of the boundaries.  The delimiter of an outer multipart ends
inner ones without a final delimiter; the end of the message ends all.
"""

import re

from urlscan.documents.mail.headers import body_after, read_head

# RFC 2046 section 5.1.1 allows 70 characters, followed by white space.
_DELIMITER = re.compile(rb"\n--([^\n]{1,1000})(?=\n|\Z)")
# Limit of nesting of messages and multiparts; no mail program reaches it.
DEEPEST = 100
# Limit of parts; each costs memory.
MOST = 100_000
MESSAGES = frozenset(("message/rfc822", "message/news", "message/global"))


class Entity:
    """A message, a multipart, or a part (RFC 2045 section 2.4).

    Attributes:
        number: the IMAP part number; of a nested message, that of the part that contains it.
        inside: the number of the message or part whose header it has; "" for the outermost message.
        start: the start of its header.
        fields_end: the end of its fields, before a blank line.
        body, end: the span of its body.
        head: the MIME fields of its header.
        is_leaf: whether it has no parts.
        above: the index of the multipart/alternative that contains it, or -1.
        limit_note: the limit that made it a leaf although it may have parts, or "".
    """

    __slots__ = ("above", "body", "end", "fields_end", "head", "inside", "is_leaf", "limit_note", "number", "start")

    def __init__(self, data: bytes, number: str, start: int, end: int) -> None:
        self.number = self.inside = number
        self.start = start
        self.fields_end, self.body = body_after(data, start, end)
        self.end = end
        self.head = read_head(data, start, self.fields_end)
        self.is_leaf = False
        self.above = -1
        self.limit_note = ""


class _OpenMultipart:
    """A multipart whose parts are being read.

    Attributes:
        boundary: the boundary between its parts.
        index: the index of the multipart itself in the list of entities.
        prefix: the prefix of the numbers of its parts.
        count: the number of its parts so far.
        hidden: the level of an outer multipart with the same boundary, or -1.
    """

    __slots__ = ("boundary", "count", "hidden", "index", "prefix")

    def __init__(self, boundary: bytes, index: int, prefix: str, hidden: int) -> None:
        self.boundary, self.index, self.prefix, self.hidden = boundary, index, prefix, hidden
        self.count = 0


def entities(data: bytes, start: int, end: int) -> list[Entity]:
    """Return the message in data[start:end] and all entities in it, in order."""
    parser = _Parser(data, end)
    header_start, number, is_message, nested = start, "", True, 0
    while True:
        entity, boundary = parser.read_entity(header_start, number, is_message=is_message, nested=nested)
        if boundary == b"" and not entity.limit_note:  # the header of a nested message begins where the body does
            entity.number = number = number or "1"
            header_start, is_message, nested = entity.body, True, nested + 1
            continue
        header_start, number = parser.next_part(entity.body)
        if header_start < 0:
            return parser.found
        is_message, nested = False, 0


def _boundary_of(entity: Entity, *, is_digest: bool) -> bytes | None:
    """Return the boundary of a multipart, b"" for a nested message, or None for an entity without entities."""
    head = entity.head
    if head.type.startswith("multipart/"):
        return head.parameters.get("boundary", "").strip().encode("utf-8", "replace") or None
    is_message = head.type in MESSAGES or (is_digest and not head.type)  # RFC 2046 section 5.1.5
    if is_message and not head.coding:
        return b""
    return None


class _Parser:
    """Read the entities of a message, with a stack of the open multiparts.

    Attributes:
        found: the entities so far.
    """

    __slots__ = ("_data", "_end", "_levels", "_stack", "_unended", "found")

    def __init__(self, data: bytes, end: int) -> None:
        self._data = data
        self._end = end
        self.found: list[Entity] = []
        self._stack: list[_OpenMultipart] = []
        self._levels: dict[bytes, int] = {}  # boundary to its level in the stack
        self._unended: list[int] = []

    def read_entity(self, start: int, number: str, *, is_message: bool, nested: int) -> tuple[Entity, bytes | None]:
        """Read the header at `start`, and return the entity and its boundary (see `_boundary_of`).

        A message is not a part of a multipart; `nested` messages are around it within its multipart.
        """
        entity = Entity(self._data, number, start, self._end)
        above = ""
        if self._stack and not is_message:
            above = self.found[self._stack[-1].index].head.type
        if above == "multipart/alternative":
            entity.above = self._stack[-1].index
        self._unended.append(len(self.found))
        self.found.append(entity)
        boundary = _boundary_of(entity, is_digest=above == "multipart/digest")
        if boundary is not None and nested + len(self._stack) >= DEEPEST:
            entity.limit_note = f"parts in parts are deeper than {DEEPEST} levels"
        elif len(self.found) == MOST:
            entity.limit_note = f"a message has more than {MOST} parts"
        if boundary is None or entity.limit_note:
            entity.is_leaf = True
            if is_message:
                entity.number = f"{number}.1".lstrip(".")
        elif boundary:
            hidden = self._levels.get(boundary, -1)
            self._levels[boundary] = len(self._stack)
            self._stack.append(_OpenMultipart(boundary, len(self.found) - 1, f"{number}.".lstrip("."), hidden))
        return entity, boundary

    def next_part(self, position: int) -> tuple[int, str]:
        """Return the start and the number of the next part after `position`; the start is -1 if there is none."""
        if not self._stack or len(self.found) == MOST:
            return -1, ""
        start = self._next_start(position)
        if start < 0:
            return -1, ""
        top = self._stack[-1]
        top.count += 1
        return start, f"{top.prefix}{top.count}"

    def _next_start(self, position: int) -> int:
        """Return the start of the next part or -1, and set the ends of the entities before it."""
        data = self._data
        for match in _DELIMITER.finditer(data, max(position - 1, 0), self._end):
            line = match[1].rstrip()
            level, closes = self._levels.get(line, -1), False
            if level < 0 and line.endswith(b"--"):
                level, closes = self._levels.get(line[:-2], -1), True
            if level < 0:
                continue
            part_end = match.start()
            if data[part_end - 1 : part_end] == b"\r":  # the line end before a delimiter belongs to the delimiter
                part_end -= 1
            while self._unended and self._unended[-1] > self._stack[level].index:
                entity = self.found[self._unended.pop()]
                entity.end = max(part_end, entity.body)
            if not closes:
                self._close(level + 1)
                return min(match.end() + 1, self._end)
            self._close(level)
            if not self._stack:
                return -1
        return -1

    def _close(self, depth: int) -> None:
        """Pop multiparts until the stack has `depth` of them."""
        while len(self._stack) > depth:
            top = self._stack.pop()
            if top.hidden >= 0:
                self._levels[top.boundary] = top.hidden
            else:
                del self._levels[top.boundary]
