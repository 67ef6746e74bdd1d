"""U911 missing-fragment."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text, target_problem
from urlscan.uri.grammar.characters import decoded


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a fragment that names no anchor of its target."""
    where = quote_text(fault.target) if fault.target else "this document"
    hint = f"; did you mean {quote_text('#' + decoded(fault.suggestion))}?" if fault.suggestion else ""
    message = f"no heading or anchor {quote_text('#' + fault.wanted)} in {where}{hint}"
    return target_problem(fault, message, section="RFC 3986 section 3.5")


_GUIDE = (("guide.md", '# Guide\n\n## Installation on Linux\n\n<a name="faq"></a>\n'),)

RULE = Rule(
    code="U911",
    name="missing-fragment",
    severity=Severity.ERROR,
    summary="Fragment names no anchor of its target",
    why=(
        "A browser that finds no element with the identifier shows the top of the page and no error (RFC 3986 section"
        " 3.5). Anchors are often made from headings, so that a new wording or a translation breaks every link to the"
        " heading. Documents in Markdown, HTML, reStructuredText, AsciiDoc and Org Mode and notebooks are searched for"
        " headings, `id` and `name`. Anchors of headings are those of the detected site generator, or of GitHub."
    ),
    when_to_ignore="Where a program adds the anchors later.",
    bad=(
        Example("# Setup\n\nSee [below](#seting-up).\n\n## Setting up\n", path="a.md"),
        Example("See [the guide](guide.md#installation-on-windows).\n", path="a.md", files=_GUIDE),
        Example('<p><a href="#one">1</a></p><h2 id="two">2</h2>\n', path="a.html"),
    ),
    good=(
        Example("# Setup\n\nSee [below](#setting-up) or [the top](#).\n\n## Setting up\n", path="a.md"),
        Example("See [the guide](guide.md#installation-on-linux), [FAQ](guide.md#faq).\n", path="a.md", files=_GUIDE),
        Example("[Quote](guide.md#:~:text=Linux), [line](a.py#L10).\n", path="a.md", files=(*_GUIDE, ("a.py", "a\n"))),
        Example("{{#include b.md}}\n\nSee [below](#in-b).\n", path="a.md"),
    ),
    contexts=("link",),
    options=("anchors", "generated"),
    check_target=check_target,
    fix_note="Writes the only anchor of the target that has nearly the same words (unsafe: another may be meant).",
)
