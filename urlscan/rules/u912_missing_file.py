"""U912 missing-file."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text, target_problem


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a reference to a file that does not exist."""
    hint = f"; did you mean {quote_text(fault.suggestion)}?" if fault.suggestion else ""
    problem = target_problem(fault, f"no file {quote_text(fault.target)}{hint}", section="RFC 3986 section 5.2")
    if fault.is_advisory:
        return problem
    return problem._replace(severity=Severity.ERROR if fault.is_certain else Severity.WARNING)


_FILES = (("docs/install.md", "# Install\n"), ("img/a b.png", ""), ("src/main.py", "a = 1\n"))

RULE = Rule(
    code="U912",
    name="missing-file",
    severity=Severity.ERROR,
    summary="Relative reference leads to no file",
    why=(
        "A relative reference is resolved against the location of its document (RFC 3986 section 5.2). When a file is"
        " moved, renamed or removed, the references to it break without a sign. Ignored files,"
        " submodules and files that a site generator writes are not reported. A page (`.html`, no extension) and"
        " a file whose directory is missing, too, are warnings, since a build may"
        " write them; under a detected generator pages are not reported. In changelogs, copies of old versions, pages"
        " of HTML and generated documents, findings are information. `-v` counts the references that are not reported,"
        " by their reason."
    ),
    when_to_ignore="Where a build writes the file; list such files in `generated`.",
    bad=(
        Example("See [install](docs/instal.md).\n", path="a.md", files=_FILES),
        Example("![logo](img/b.png)\n", path="a.md", files=_FILES),
        Example("`install <docs/setup.rst>`_\n", path="a.rst", files=_FILES),
    ),
    good=(
        Example(
            "[a](docs/install.md) [b](docs/) [c](src/main.py#L3) [d](docs/install.html)\n", path="a.md", files=_FILES
        ),
        Example("![a](img/a%20b.png) ![b](<img/a b.png>)\n", path="a.md", files=_FILES),
        Example("[issues](../../issues), [page](/guide/), [template]({{ url }}/a.md)\n", path="a.md", files=_FILES),
    ),
    contexts=("link",),
    options=("root-dir", "static-dir", "fallback-extensions", "index-files", "prefix-map", "generated", "redirects"),
    check_target=check_target,
    fix_note="Writes the path of the only file with nearly the same name (unsafe: another may be meant).",
)
