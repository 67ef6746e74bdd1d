"""Hold the links that urlscan reads in documents against those of a real parser of each kind.

usage: python benchmarks/destinations.py PATH...

Of every file below the paths whose name says html, the values of the attributes that hold URLs are
compared with those in the tree that lxml builds (`pip install lxml`): what urlscan missed, what it
invented, and at what rate it reads.  Differences are listed by file; those of meta refresh and of style sheets,
which lxml does not take apart, are left out.
"""

import collections
import pathlib
import re
import sys
import time

from urlscan.sources import identify, segments

# What lxml has as one attribute with one URL in it.
ATTRIBUTES = frozenset(
    "action archive background cite classid codebase data formaction href icon itemid itemtype longdesc manifest"
    " poster profile src usemap".split()
)
PROGRAM = re.compile(r"\s*(?:javascript|vbscript|about|blob):", re.IGNORECASE)


def of_lxml(text: str) -> collections.Counter[str]:
    """Return the URLs of the attributes in lxml's tree, without the blanks around them."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:  # no element at all
        return collections.Counter()
    values = (
        value.strip(" \t\r\n\f")
        for element in tree.iter()
        if isinstance(element.tag, str)
        for name, value in element.attrib.items()
        if name.lower() in ATTRIBUTES
    )
    return collections.Counter(value for value in values if value and not PROGRAM.match(value))


def main(paths: list[str]) -> int:
    """Compare, print, and return 1 if something differs."""
    named = map(pathlib.Path, paths)
    files = [file for path in named for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    total = missed = invented = size = 0
    spent = 0.0
    for file in files:
        if identify(file.name) != "html" or not file.is_file():
            continue
        data = file.read_bytes()
        begin = time.perf_counter()
        (segment,) = segments(data, kind="html")
        spent += time.perf_counter() - begin
        size += len(data)
        ours = collections.Counter(segment.text[link.start : link.end] for link in segment.links)
        theirs = of_lxml(segment.document)
        less = theirs - ours
        more = collections.Counter() if _is_elsewhere(segment.document) else ours - theirs
        total, missed, invented = total + theirs.total(), missed + less.total(), invented + more.total()
        for what, urls in (("missed", less), ("invented", more)):
            for url in urls:
                print(f"{file}: {what} {url}")
    rate = f", {size / 1e6 / spent:.1f} MB/s" if spent else ""
    print(f"{total} destinations, {missed} missed, {invented} invented, {size / 1e6:.2f} MB{rate}")
    return 1 if missed or invented else 0


def _is_elsewhere(document: str) -> bool:
    return re.search(r"(?i)http-equiv|url\(|srcset|ping=", document) is not None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
