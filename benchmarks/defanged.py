"""Score other tools on corpus/defanged, and print the table of docs/analysts.md.

usage: python benchmarks/defanged.py

`pip install iocextract ioc-finder defang` installs the others, in an environment of their own. A case is right if
the tool returns all of its URLs, hosts and addresses; one without any is right if it returns nothing else. `defang`
restores a text; it is right if the restored text contains them, or is the text.
"""

import contextlib
import importlib.metadata
import pathlib
import sys
from collections.abc import Callable
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
import score

# Some tools ignore hosts that are reserved for examples: replace them by a registered domain of the same length.
RESERVED, REGISTERED = "example", "academy"


def urlscan(text: str) -> set[str]:
    """Return what urlscan finds."""
    import urlscan as package

    return {one.url for one in package.scan(text, defanged=True)}


def iocextract(text: str) -> set[str]:
    """Return the URLs, addresses and mail addresses that iocextract finds and restores."""
    import iocextract as package

    found = {*package.extract_urls(text, refang=True), *package.extract_ips(text, refang=True)}
    return found | set(package.extract_emails(text, refang=True))


def ioc_finder(text: str) -> set[str]:
    """Return the URLs, hosts, addresses and mail addresses that ioc-finder finds and restores."""
    from ioc_finder import find_iocs

    found = find_iocs(text)
    return {item for name in ("urls", "domains", "ipv4s", "email_addresses") for item in found.get(name, ())}


def defang(text: str) -> set[str]:
    """Return the text that defang restores."""
    import defang as package

    return {package.refang(text)}


def is_right(tool: Callable[[str], set[str]], case: dict[str, Any]) -> bool:
    """Return whether a tool treats a case correctly."""
    text = score.unmarked(case["text"]).text.replace(RESERVED, REGISTERED)
    expected = [url.replace(RESERVED, REGISTERED) for url in score.expected(case)]
    found: set[str] = set()
    with contextlib.suppress(Exception):  # the tool fails
        found = {item.rstrip("/").lower() for item in tool(text)}
    wanted = {url.rstrip("/").lower() for url in expected}
    if tool is defang:
        restored = "".join(found)
        return all(url in restored for url in wanted) if wanted else restored == text.rstrip("/").lower()
    return wanted <= found if wanted else not found


def main() -> None:
    """Print the table."""
    cases = {path.stem: [one for one in score.load(path) if "path" not in one] for path in score.files(("defanged",))}
    tools = {"urlscan": urlscan, "iocextract": iocextract, "ioc-finder": ioc_finder, "defang": defang}
    print("| tool | restored | not changed |\n| --- | ---: | ---: |")
    for name, tool in tools.items():
        version = "0.1.0" if name == "urlscan" else importlib.metadata.version(name)
        scores = [f"{sum(is_right(tool, case) for case in group)} of {len(group)}" for group in cases.values()]
        print(f"| {name} {version} | {' | '.join(scores)} |")


if __name__ == "__main__":
    main()
