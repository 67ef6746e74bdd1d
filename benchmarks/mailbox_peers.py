"""Compare `urlscan archive` with scripts around `mailbox`: their time, and how many URLs they get right.

usage: python -m benchmarks.mailbox_peers MAILBOX [--python PYTHON] [--list]

PYTHON is the interpreter of an environment with linkify-it-py, iocextract, requests and pandas. It decodes the text
parts of each message with `mailbox`, searches them with a library, and makes a data frame of the URLs. The times are
processor times of the whole mailbox, in a process for each tool.

The URLs are compared on 200 messages, chosen with a fixed seed: URLs of http, https and ftp in the bodies, each counted
once in a message. The file mailbox_verdicts.jsonl names the right ones, by the offset of the message; `--list` prints
the URLs without a verdict, with the tools that find them.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_VERDICTS = Path(__file__).with_name("mailbox_verdicts.jsonl")
_SAMPLE, _SEED = 200, 21
_SCHEMES = ("http://", "https://", "ftp://")
_PEERS = ("linkify-it-py", "iocextract")
# The URLs of each message of the sample, by its offset.
Found = dict[str, list[str]]


def _texts(message: Any) -> Iterator[str]:
    """Yield the decoded text parts of a message."""
    for part in message.walk():
        if part.get_content_maintype() == "text":
            data = part.get_payload(decode=True) or b""
            charset = part.get_content_charset() or "latin-1"
            try:
                yield data.decode(charset, "replace")
            except LookupError:
                yield data.decode("latin-1")


def _searcher(tool: str) -> Any:
    """Return a function that yields the URLs of a text."""
    if tool == "iocextract":
        import iocextract

        return iocextract.extract_urls
    from linkify_it import LinkifyIt

    linkify = LinkifyIt()
    # A match without a scheme in the text is counted in the rows, and not compared.
    return lambda text: (match.url if match.schema else match.text for match in linkify.match(text) or ())


def run_peer(tool: str, path: str) -> None:
    """Search a mailbox with a library; print its time, and the URLs of each message by offset."""
    import mailbox

    import pandas

    search, rows = _searcher(tool), []
    box = mailbox.mbox(path)
    for key in box.keys():  # noqa: SIM118 - a mailbox
        rows += [(key, url) for text in _texts(box[key]) for url in search(text)]
    frame = pandas.DataFrame(rows, columns=["message", "url"])
    seconds = time.process_time()
    starts = {key: box._toc[key][0] for key in box.keys()}  # type: ignore[attr-defined]  # noqa: SIM118
    found: Found = {}
    for key, url in frame.itertuples(index=False):
        found.setdefault(str(starts[key]), []).append(url)
    print(json.dumps([seconds, len(frame), found]))


def run_urlscan(path: str) -> tuple[float, int, Found]:
    """Archive a mailbox; return the time, the number of rows, and the URLs of each message by offset."""
    import duckdb

    with tempfile.TemporaryDirectory() as directory:
        database = f"{directory}/a.duckdb"
        command = [sys.executable, "-m", "urlscan", "archive", "-q", "-j1", "--isolated", "--db", database, path]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found: Found = {}
        with duckdb.connect(database, read_only=True) as connection:
            rows = connection.execute(
                "SELECT message_start, url FROM occurrence JOIN url USING (url_id) WHERE part NOT LIKE '%header:%'"
            ).fetchall()
            ((count,),) = connection.execute("SELECT count(*) FROM occurrence").fetchall()
        for start, url in rows:
            found.setdefault(str(start), []).append(url)
    return seconds, count, found


def starts(path: str) -> list[str]:
    """Return the offsets of the messages of the sample."""
    import mailbox

    box = mailbox.mbox(path)
    every = [str(box._toc[key][0]) for key in box.keys()]  # type: ignore[attr-defined]  # noqa: SIM118
    return random.Random(_SEED).sample(every, _SAMPLE)


def sampled(found: Found, sample: list[str]) -> set[tuple[str, str]]:
    """Return the messages and URLs of the sample."""
    return {
        (start, url) for start in sample for url in found.get(start, ()) if url.lower().startswith(_SCHEMES)
    }  # fmt: skip


def main() -> None:
    """Run all tools, and print a table."""
    parser = argparse.ArgumentParser(description="Compare tools on a mailbox.")
    parser.add_argument("mailbox")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--peer", choices=_PEERS)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.peer is not None:
        run_peer(options.peer, options.mailbox)
        return
    results: dict[str, tuple[float, int, Found]] = {"urlscan": run_urlscan(options.mailbox)}
    for tool in _PEERS:
        command = [options.python, __file__, options.mailbox, "--peer", tool]
        results[tool] = tuple(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))
    sample = starts(options.mailbox)
    by_tool = {tool: sampled(found, sample) for tool, (_, _, found) in results.items()}
    lines = _VERDICTS.read_text("utf-8").splitlines() if _VERDICTS.exists() else []
    judged = {(one["message"], one["url"]): one["right"] for one in map(json.loads, lines)}
    union = set().union(*by_tool.values())
    if options.list:
        for start, url in sorted(union - judged.keys(), key=lambda item: (int(item[0]), item[1])):
            print(json.dumps([start, url, [tool for tool in by_tool if (start, url) in by_tool[tool]]]))
        return
    right = {item for item in judged if judged[item]}
    print(f"{len(right)} right URLs in {_SAMPLE} messages; {len(union - judged.keys())} URLs are not judged")
    print("tool           seconds     rows  right  missed  wrong")
    for tool, (seconds, rows, _) in results.items():
        found = by_tool[tool]
        wrong = sum(not judged.get(item, False) for item in found)
        print(f"{tool:14} {seconds:7.1f} {rows:8,} {len(found & right):6} {len(right - found):7} {wrong:6}")


if __name__ == "__main__":
    main()
