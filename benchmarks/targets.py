"""Measure how many broken references `urlscan check` finds: break good ones, one at a time, and check the document.

    python benchmarks/targets.py --count 200 TREE...

Each tree is copied, and references that lead to a file or an anchor are drawn from its documents. Each is broken in one
of three ways: the heading of its anchor is reworded, its file is renamed, or a letter of its path changes case. It
is found if a finding of U911, U912 or U913 covers it.
"""

import argparse
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.core.settings import Settings, TargetSettings
from urlscan.documents import read_documents
from urlscan.documents.identify import is_vendored
from urlscan.files.tree import tree_of
from urlscan.finder import FindOptions, find_in_document
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets
from urlscan.targets.index import TargetIndex
from urlscan.targets.names import is_document, is_template
from urlscan.targets.references import decoded, read_reference
from urlscan.targets.resolve import DocumentLocation, candidate_paths, find

CODES = {"U911", "U912", "U913"}


class Good(NamedTuple):
    """A reference that leads somewhere.

    Attributes:
        document: the path of its document.
        start, end: its span in the bytes of the document.
        url: the reference.
        target: the path of its target.
        line: the line of its anchor, from 1; 0 without a fragment.
    """

    document: str
    start: int
    end: int
    url: str
    target: str
    line: int


def good_references(root: Path) -> Iterator[Good]:
    """Yield the references in the documents of a tree that lead to a file, and to an anchor if they have a fragment."""
    index = TargetIndex()
    tree = tree_of(str(root), {})
    for path in tree.files:
        if not is_document(path) or is_template(path) or is_vendored(path):
            continue
        location = DocumentLocation(tree, path, TargetSettings())
        kind = {".html": "html", ".htm": "html", ".rst": "rst", ".adoc": "asciidoc", ".org": "org"}.get(
            Path(path).suffix, "markdown"
        )
        for document in read_documents((root / path).read_bytes(), kind=kind):
            for match in find_in_document(document, FindOptions(relative=True)):
                occurrence = match
                if occurrence.scheme or occurrence.style != "markup" or occurrence.template:
                    continue
                reference = read_reference(occurrence.url)
                if reference is None or reference.path.startswith("/") or "?" in occurrence.url:
                    continue
                candidates = [path]
                if reference.path:
                    candidates = [name for name in candidate_paths(location, reference) if name is not None]
                target = find(location, candidates[0]) if candidates else None
                if target is None or target.state != "file":
                    continue
                line = 0
                if reference.fragment:
                    anchors = index.anchors(tree, target.path, "auto")
                    wanted = decoded(reference.fragment)
                    if anchors is None or wanted is None or not anchors.is_complete or not anchors.has_place(wanted):
                        continue
                    line = anchors.line_of(wanted) or 0
                elif not reference.path:
                    continue
                start, end = document.to_source(occurrence.start, occurrence.end)
                yield Good(path, start, end, occurrence.url, target.path, line)


def broken(root: Path, good: Good, chance: random.Random) -> str:
    """Break a reference in a copy of its tree; return how, or "" if that is impossible."""
    ways = ["moved", "case"] if good.target != good.document else []
    ways += ["reworded"] * 2 if good.line else []
    if not ways:
        return ""
    way = chance.choice(ways)
    document, target = root / good.document, root / good.target
    if way == "moved":
        if any(one != target and one.stem == target.stem for one in target.parent.iterdir()):
            return ""  # a page and its source
        target.rename(target.with_name(f"zq{target.name}"))
    elif way == "case":
        path = good.url.partition("#")[0]
        letters = [at for at, letter in enumerate(path) if letter.isascii() and letter.isalpha()]
        if not letters:
            return ""
        at = chance.choice(letters)
        if path[max(at - 2, 0) : at + 1].count("%"):
            return ""
        data = document.read_bytes()
        written = data[good.start : good.end]
        if written.decode("utf-8", "replace") != good.url:
            return ""
        changed = good.url[:at] + good.url[at].swapcase() + good.url[at + 1 :]
        document.write_bytes(data[: good.start] + changed.encode() + data[good.end :])
    return "" if way == "reworded" and not _reworded(root, good) else way


def _reworded(root: Path, good: Good) -> bool:
    """Reword the heading, or change the id, that an anchor comes from; return whether that breaks the reference."""
    target = root / good.target
    data = target.read_bytes()
    lines = data.split(b"\n")
    line = lines[good.line - 1]
    fragment = good.url.partition("#")[2].encode()
    if good.document == good.target and data[: good.start].count(b"\n") == good.line - 1:
        return False  # the element refers to itself
    if any(is_same(fragment, other) for number, other in enumerate(lines, 1) if number != good.line):
        return False  # another line has the same anchor
    if fragment in line:  # an explicit id, or a heading of one word
        lines[good.line - 1] = line.replace(fragment, fragment + b"zq")
        if is_same(fragment, re.sub(rb"<[^<>]*>", b"", line)):
            return False  # the heading has the same anchor
    elif b"{" in line or b"<" in line:
        return False
    else:
        lines[good.line - 1] = line.rstrip(b"\r #") + b" zq"
    target.write_bytes(b"\n".join(lines))
    return True


def is_same(fragment: bytes, line: bytes) -> bool:
    """Return whether a line may have an anchor: its text or an id is the fragment, or begins with it."""
    key = re.sub(rb"[^a-z0-9]", b"", fragment.lower().removeprefix(b"user-content-"))
    text = re.sub(rb"[^a-z0-9]", b"", line.lower())
    marks = (b'"' + fragment, b"'" + fragment, b"(" + fragment + b")=", b"{#" + fragment, b"name: " + fragment)
    return key == text or re.sub(rb"[0-9]+$", b"", key) == text or any(mark in line for mark in marks)


def is_found(root: Path, good: Good) -> bool:
    """Return whether a check of the document reports the reference."""
    options = ReadOptions(targets=Targets())
    for result in check.check([str(root / good.document)], Settings(), options):
        if isinstance(result, Document):
            for one in result.findings:
                if one.code in CODES and one.start < good.end + 1 and good.start <= one.end:
                    return True
    return False


def main() -> None:
    """Print the number of broken references and of those that are found, by way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for tree in options.trees:
        chance = random.Random(options.seed)
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory).resolve() / tree.name
            shutil.copytree(tree, root, symlinks=True, ignore=shutil.ignore_patterns(".git", "PKG-INFO"))
            (root / ".hg").mkdir()  # a checkout: a missing file does not exist
            goods = list(good_references(root))
            chance.shuffle(goods)
            done = 0
            for good in goods:
                if done * len(options.trees) >= options.count:
                    break
                saved = {path: (root / path).read_bytes() for path in {good.document, good.target}}
                way = broken(root, good, chance)
                if way:
                    done += 1
                    made[way] += 1
                    hit = is_found(root, good)
                    found[way] += hit
                    if options.verbose and not hit:
                        print(f"{tree.name}: {way}: {good.document}: {good.url}")
                (root / good.target).with_name(f"zq{Path(good.target).name}").unlink(missing_ok=True)
                for path, data in saved.items():
                    (root / path).write_bytes(data)
    for way in sorted(made):
        print(f"{way}: {found[way]} of {made[way]}")
    print(f"together: {found.total()} of {made.total()}, {100 * found.total() / max(made.total(), 1):.1f} %")


if __name__ == "__main__":
    main()
