"""U913 wrong-case."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text, target_problem


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a reference whose letter case differs from that of the file."""
    message = f"the letter case of {quote_text(fault.wanted)} is wrong; the file is {quote_text(fault.target)}"
    return target_problem(
        fault, message, section="RFC 3986 section 6.2.2.1", safety="safe" if fault.is_certain else "unsafe"
    )


_FILES = (("docs/Install.md", "# Install\n"),)

RULE = Rule(
    code="U913",
    name="wrong-case",
    severity=Severity.ERROR,
    summary="Reference has another letter case than the file",
    why=(
        "Paths are case-sensitive (RFC 3986 section 6.2.2.1). The reference works on Windows and macOS and is broken on"
        " a web server, on GitHub and on Linux. Names are compared with the listing of the directory, so that the rule"
        " reports the same on every system."
    ),
    when_to_ignore="Where the files are only used on systems that ignore case.",
    bad=(
        Example("See [install](docs/install.md).\n", path="a.md", files=_FILES),
        Example('<a href="Docs/Install.md">a</a>\n', path="a.html", files=_FILES),
    ),
    good=(Example("See [install](docs/Install.md), [docs](docs/).\n", path="a.md", files=_FILES),),
    contexts=("link",),
    options=("root-dir", "static-dir"),
    check_target=check_target,
    fix_note="Writes the name of the file (unsafe if several files differ in letter case only).",
)
