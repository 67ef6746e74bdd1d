"""Time the functions for single URLs of urlscan and other libraries, and print the ratios.

usage: python benchmarks/urls.py [--runs N] [--schemes http,https] [--lines] [FILE ...]

The URLs are those that `urlscan.scan` finds in the files, without duplicates, in order. With `--lines`, the files
contain one URL per line. Without FILE, the texts of the corpus are read. All libraries run in this process
and alternate in each run, so that changes in the speed of the machine affect all of them. Libraries
that are not installed are listed and skipped.

A run calls a function once for every URL. Before each run, the caches of URLs and hosts are cleared:
those of yarl and of `urlsplit`, which validators calls, too. urlscan's functions for single URLs cache nothing.
A first round, which imports modules and compiles patterns, is not counted.

The libraries do different things; the closest function of each is called. "accepted" counts the URLs for
which it reported no problem. An exception is a rejection, and its time counts.

    check, is_valid, ...  urlscan with the default profile; `check` and `parse` accept URLs without problems
    ada-url               `URL(u)`, the baseline (`parse_url`, which returns a dict, takes several times as long)
    rfc3986               `uri_reference(u)`, and a `Validator` of the validity of all components
    rfc3987               `parse(u, rule="URI_reference")`
    hyperlink             `parse(u)`
    yarl                  `URL(u)`
    validators            `url(u)`
    urlsplit              of the standard library, which splits URLs and checks very little

Install the libraries with `pip install 'urlscan-lint[bench]'`.
"""

import argparse
import gc
import importlib.metadata
import pathlib
import statistics
import sys
import time
import tomllib
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import urlscan

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
REFERENCE = "ada-url"


class Tool(NamedTuple):
    """A function to time.

    Attributes:
        judge: returns whether it accepts a URL, or raises if it does not.
        judges: whether it validates, so that counting accepted URLs is meaningful.
    """

    judge: Callable[[str], object]
    judges: bool = True


# --- the tools; each imports its library on use


def _urlscan(name: str) -> Tool:
    function = getattr(urlscan, name)
    if name == "check":
        return Tool(lambda url: not function(url))
    if name == "parse":
        return Tool(lambda url: not function(url).problems)
    return Tool(function, judges=name == "is_valid")


def _ada_url() -> Tool:
    from ada_url import URL

    return Tool(lambda url: URL(url) is not None)


def _rfc3986() -> Tool:
    from rfc3986 import uri_reference
    from rfc3986.validators import Validator

    validator = Validator().check_validity_of("scheme", "userinfo", "host", "port", "path", "query", "fragment")
    return Tool(lambda url: validator.validate(uri_reference(url)) is None)


def _rfc3987() -> Tool:
    from rfc3987 import parse

    return Tool(lambda url: parse(url, rule="URI_reference") is not None)


def _hyperlink() -> Tool:
    from hyperlink import parse

    return Tool(lambda url: parse(url) is not None)


def _yarl() -> Tool:
    from yarl import URL

    return Tool(lambda url: URL(url) is not None)


def _validators() -> Tool:
    from validators import url as valid

    return Tool(valid)


def _urlsplit() -> Tool:
    return Tool(urllib.parse.urlsplit, judges=False)


PEERS: dict[str, Callable[[], Tool]] = {
    REFERENCE: _ada_url,
    "rfc3986": _rfc3986,
    "rfc3987": _rfc3987,
    "hyperlink": _hyperlink,
    "yarl": _yarl,
    "validators": _validators,
    "urlsplit": _urlsplit,
}


def tools() -> tuple[dict[str, Tool], list[str]]:
    """Return the installed tools by name, and the names of missing ones."""
    found = {name: _urlscan(name) for name in ("check", "is_valid", "parse", "normalize")}
    missing = []
    for name, load in PEERS.items():
        try:
            found[name] = load()
        except ImportError:
            missing.append(name)
    found["(empty loop)"] = Tool(lambda url: url, judges=False)
    return found, missing


def version(name: str) -> str:
    """Return the version of a library, or "" if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


# --- the URLs


def corpus() -> Iterator[str]:
    """Yield the texts of the corpus, without the marks around their URLs."""
    for path in sorted(CORPUS.glob("*/*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            yield case.get("text", "").replace("⟦", "").replace("⟧", "")


def distinct(paths: Sequence[str], lines: bool) -> list[str]:
    """Return the URLs of the files or of the corpus, without duplicates, in order."""
    urls: dict[str, None] = {}
    for text in (pathlib.Path(path).read_bytes().decode("utf-8", "replace") for path in paths) if paths else corpus():
        found = filter(None, text.replace("\r\n", "\n").split("\n")) if lines else (o.url for o in urlscan.scan(text))
        urls.update(dict.fromkeys(found))
    return list(urls)


def of_schemes(urls: Iterable[str], schemes: str) -> list[str]:
    """Return the URLs with one of the given schemes, which are separated by commas."""
    wanted = set(schemes.lower().split(","))
    return [url for url in urls if url.partition(":")[0].lower() in wanted]


# --- the time


def clear_caches() -> None:
    """Clear the functools caches of urllib.parse and yarl; `yarl.cache_clear` does not clear those of whole URLs."""
    for name, module in list(sys.modules.items()):
        if name == "urllib.parse" or name.partition(".")[0] == "yarl":
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def run(tool: Tool, urls: list[str]) -> tuple[float, int]:
    """Call a tool for every URL once, and return the seconds and the number of accepted URLs."""
    judge, accepted = tool.judge, 0
    clear_caches()
    gc.collect()
    begin = time.perf_counter()
    for url in urls:
        try:
            if judge(url):
                accepted += 1
        except Exception:  # any exception is a rejection
            continue
    return time.perf_counter() - begin, accepted


def compare(urls: list[str], runs: int) -> None:
    """Print the table."""
    found, missing = tools()
    times: dict[str, list[float]] = {name: [] for name in found}
    counts: dict[str, int] = {}
    for number in range(runs + 1):
        for name, tool in found.items():
            seconds, accepted = run(tool, urls)
            if number:  # the first round imports and compiles
                times[name].append(seconds)
                counts[name] = accepted
    print(f"{len(urls)} distinct URLs, {runs} runs, microseconds a URL")
    base = statistics.median(times[REFERENCE]) if REFERENCE in times else None
    for name, values in times.items():
        median = statistics.median(values)
        ratio = f"{median / base:7.2f} x {REFERENCE}" if base else ""
        count = f"{counts[name]:7} accepted" if found[name].judges else " " * 16
        print(
            f"  {name:12} median {median / len(urls) * 1e6:7.2f}  min {min(values) / len(urls) * 1e6:7.2f}"
            f"  {len(urls) / median:9.0f} URLs/s  {ratio}  {count}  {version(name)}".rstrip()
        )
    for name in missing:
        print(f"  {name:12} not installed")


def main() -> None:
    """Read the URLs and compare the libraries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--schemes", help="only URLs of these, with commas between")
    parser.add_argument("--lines", action="store_true", help="the files hold one URL a line")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    urls = distinct(options.files, options.lines)
    if options.schemes:
        urls = of_schemes(urls, options.schemes)
    if not urls or options.runs < 1:
        parser.error("there is nothing to time")
    compare(urls, options.runs)


if __name__ == "__main__":
    main()
