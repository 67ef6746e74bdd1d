"""U919 missing-label."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text, target_problem


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a reference to a label or a document that does not exist."""
    message = f"no {fault.target} {quote_text(fault.wanted)}"
    if fault.suggestion:
        message += f"; did you mean {quote_text(fault.suggestion)}?"
    return target_problem(fault, message, section="RFC 3986 section 3.5")


RULE = Rule(
    code="U919",
    name="missing-label",
    severity=Severity.WARNING,
    summary="Label or document of a cross-reference does not exist",
    why=(
        "Sphinx and MyST refer to labels and documents by roles, AsciiDoc and Org Mode by links of their own. These"
        " names become fragments and paths (RFC 3986 sections 3.3 and 3.5) when a page is written, and the program that"
        " writes it often only warns. Checked are the roles `ref`, `numref` and `doc` in projects of Sphinx without"
        " `intersphinx` and other extensions that define labels, the directives `include` and `literalinclude`,"
        " `<<id>>` and `xref:id[]` of AsciiDoc, and internal links of Org Mode. A label counts wherever the repository"
        " defines it, even in another document."
    ),
    when_to_ignore="Where a program defines labels or writes documents during the build.",
    bad=(
        Example(
            "See :ref:`instal` and :doc:`guid`.\n",
            path="docs/a.rst",
            files=(("docs/conf.py", "project = 'a'\n"), ("docs/b.rst", ".. _install:\n\nInstallation\n============\n")),
        ),
        Example(".. include:: intro.txt\n", path="a.rst"),
        Example("= A\n\nSee <<usage,the usage>>.\n", path="a.adoc"),
        Example("* A\n\nSee [[*Usage]] and [[#usage]].\n", path="a.org"),
    ),
    good=(
        Example(
            "See :ref:`Install`, :ref:`text <install>`, :doc:`/b`, :ref:`genindex`, ``:ref:`x` ``.\n\n.. :ref:`y`\n",
            path="docs/a.rst",
            files=(("docs/conf.py", "project = 'a'\n"), ("docs/b.rst", ".. _install:\n\nInstallation\n============\n")),
        ),
        Example(
            "See :ref:`python:library`, :ref:`elsewhere`.\n",
            path="docs/a.rst",
            files=(("docs/conf.py", "extensions = ['sphinx.ext.intersphinx']\n"),),
        ),
        Example(".. include:: <isonum.txt>\n.. include:: build/api.txt\n", path="a.rst"),
        Example("= A\n\n[[usage]]\n== B\n\nSee <<usage>>, <<B>>, xref:usage[], `<<x>>`, <<{y}>>.\n", path="a.adoc"),
        Example(
            "* Usage\n<<here>>\n[[*Usage]] [[here]] [[Usage][x]] [[id:0a1b]] [[https://h.example]] =[[x]]=\n",
            path="a.org",
        ),
    ),
    default=False,
    contexts=("link",),
    check_target=check_target,
)
