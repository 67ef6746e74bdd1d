"""Begin a rule: `python tools/new.py rule U108 name-of-the-rule`.

Writes the entry in the registry, a rule that reports nothing below the others of its theme, and a file of cases. The
theme is that of the rule with the closest smaller code.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_CODE, _NAME = re.compile(r"U[1-578]\d\d"), re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_ENTRY = re.compile(r'^    Entry\("(U\d+)", "([^"]+)", "(\w+)".*\n', re.MULTILINE)
_RULE = '''

# --- {code} {name}

# The production of the section that the rule checks, and what matches.


@url_rule(
    "{code}",
    Severity.WARNING,
    bad=["See <http://h.example/TODO>."],
    good=["See <http://h.example/a>."],
)
def {function}(url: Url, spec: Spec) -> Iterator[Problem]:
    """What the rule reports, in one line.

    The consequences for readers and programs (RFC 3986 section 3.3).

    When to ignore: In which texts the finding is no mistake.
    """
    path = url.span("path")
    if path is not None and "TODO" in url.path:
        yield {function}.problem("what is wrong", "path", path, section=spec.section("path"), syntax=False)
'''
_CASES = """\
# {code} {name}: what it reports, and texts that look similar and are right.

[[case]]
id = "what is wrong in it"
text = "See <http://h.example/TODO>."
extend = ["{code}"]
findings = [{{code = "{code}", text = "/TODO"}}]
why = "the section that says so"

[[case]]
id = "what looks similar and is right"
text = "See <http://h.example/a>."
extend = ["{code}"]
findings = []
why = "the reason"
"""
_USAGE = "usage: python tools/new.py rule U108 name-of-the-rule (U6xx and U9xx judge texts: read a neighbor instead)"


def add_rule(code: str, name: str, root: Path = ROOT) -> list[Path]:
    """Write the beginning of a rule, and return the files."""
    registry = root / "urlscan" / "rules" / "registry.py"
    text = registry.read_text(encoding="utf-8")
    entries = list(_ENTRY.finditer(text))
    if not _CODE.fullmatch(code) or not _NAME.fullmatch(name):
        sys.exit(_USAGE)
    if any(code == entry[1] or name == entry[2] for entry in entries):
        sys.exit(f"{code} or {name} exists")
    before = max((entry for entry in entries if entry[1] < code), key=lambda entry: entry[1], default=entries[0])
    line = f'    Entry("{code}", "{name}", "{before[3]}", default=False, may_report=lazy_search("TODO")),\n'
    registry.write_text(text[: before.end()] + line + text[before.end() :], encoding="utf-8")
    names = {"code": code, "name": name, "function": name.replace("-", "_")}
    module = root / "urlscan" / "rules" / f"{before[3]}.py"
    module.write_text(module.read_text(encoding="utf-8") + _RULE.format(**names), encoding="utf-8")
    cases = root / "corpus" / "rules" / f"{code.lower()}.toml"
    cases.write_text(_CASES.format(**names), encoding="utf-8")
    return [registry, module, cases]


if __name__ == "__main__":
    if sys.argv[1:2] != ["rule"] or len(sys.argv) != 4:
        sys.exit(_USAGE)
    for path in add_rule(*sys.argv[2:]):
        print(path.relative_to(ROOT))
    print("Write the rule and its cases, run `python -m tests.pages`, and add a line to CHANGELOG.md.")
