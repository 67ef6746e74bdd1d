"""Look for texts that break a promise, led by the code that they reach; runs as long as it is told to.

usage: python -m tests.fuzz [find|lint|kinds] [-max_total_time=1800] [DIRECTORY]

Needs `pip install atheris` (Linux).  The texts that reach something new are kept in DIRECTORY.  What is promised of
every text: places that hold, in order, without overlap; a URL that is its text without the gaps; the short cut of the
common case that changes nothing; work that grows as the text does.  What breaks one of them is written to a file
`crash-...`; its text belongs into the corpus.
"""

import sys
import time

import atheris

with atheris.instrument_imports():
    import urlscan
    from tests.strategies import PIECES
    from urlscan import finder
    from urlscan.finder import find
    from urlscan.settings import REJOIN, Settings
    from urlscan.sources import KINDS
    from urlscan.text import readable

# A text of so many characters, made of one that is repeated, is gone over in less than so many seconds.
_LONG = 20_000
_SECONDS = 4.0
_MOST_ALTERNATIVES = 8
_KINDS = tuple(KINDS)
_ALL = Settings(select=("ALL",))


def text_of(data: bytes) -> str:
    """Return a text: a byte is a piece of one, and what is behind the last piece begins a character."""
    parts, at = [], 0
    while at < len(data):
        byte = data[at]
        at += 1
        if byte < len(PIECES):
            parts.append(PIECES[byte])
        elif byte < 0xF8:
            parts.append(chr(32 + (byte - len(PIECES)) % 95))
        else:
            parts.append(chr(int.from_bytes(data[at : at + 3], "little") % 0x110000))
            at += 3
    return "".join(parts)


def check_find(data: bytes) -> None:
    """Hold what the finder promises."""
    if len(data) < 2:
        return
    mode, text = data[0], text_of(data[1:])
    rejoin = REJOIN[mode % len(REJOIN)]
    more, hosts = bool(mode & 4), bool(mode & 8)
    found = list(find(text, rejoin=rejoin, look_alikes=more, schemeless=hosts, emails=hosts))
    last = 0
    for one in found:
        assert last <= one.outer_start <= one.start < one.end <= one.outer_end, (text, one)
        last = one.outer_end
        assert readable(text[one.start : one.end]) == one.raw, (text, one)
        url, at = "", 0
        for gap in one.breaks:
            assert gap.length > 0, (text, one)
            url, at = url + one.raw[at : gap.offset], gap.offset + gap.length
        assert url + one.raw[at:] == one.url, (text, one)
        assert len(one.alternatives) <= _MOST_ALTERNATIVES, (text, one)
        assert one.joined == "none" or one.breaks, (text, one)
    if mode & 48 == 48:
        _check_short_cut(text, rejoin, more, hosts, found)
    if mode == 255:
        _check_time(text, rejoin, more)


def _check_short_cut(text: str, rejoin: str, more: bool, hosts: bool, found: list[object]) -> None:
    quick = finder.decide
    finder._decisions.clear()
    finder.decide = lambda _key: None
    try:
        slow = list(find(text, rejoin=rejoin, look_alikes=more, schemeless=hosts, emails=hosts))
    finally:
        finder.decide = quick
        finder._decisions.clear()
    assert slow == found, text


def _check_time(text: str, rejoin: str, more: bool) -> None:
    long = text * (_LONG // max(len(text), 1))
    begin = time.process_time()
    for _ in find(long, rejoin=rejoin, look_alikes=more):
        pass
    assert time.process_time() - begin < _SECONDS, text


def check_lint(data: bytes) -> None:
    """Hold what the linter promises of every finding."""
    text = text_of(data)
    for one in urlscan.lint(text, settings=_ALL):
        assert 0 <= one.start <= one.end <= len(text), (text, one)
        assert (one.line, one.column) <= (one.end_line, one.end_column), (text, one)
        last = 0
        for edit in one.fix.edits if one.fix is not None else ():
            assert last <= edit.start <= edit.end <= len(text), (text, one)
            last = edit.end


def check_kinds(data: bytes) -> None:
    """Hold that places lead back, whatever the text is said to be."""
    if len(data) < 2:
        return
    kind, text = _KINDS[data[0] % len(_KINDS)], text_of(data[1:])
    last = 0
    for one in urlscan.scan(text, kind=kind, relative=True):
        assert last <= one.start <= one.end <= len(text), (kind, text, one)
        last = one.end


CHECKS = {"find": check_find, "lint": check_lint, "kinds": check_kinds}

if __name__ == "__main__":
    options = sys.argv[1:]
    name = options.pop(0) if options and options[0] in CHECKS else "find"
    atheris.Setup([sys.argv[0], "-timeout=20", "-max_len=96", "-len_control=0", *options], CHECKS[name])
    atheris.Fuzz()
