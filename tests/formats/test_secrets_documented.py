"""Compare the tables of docs/secrets.md with those of the code.

`python -m tests.formats.test_secrets_documented` rewrites the tables of docs/secrets.md.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from urlscan.core.secrets.known import PARAMETERS, POSITIONS, TOKENS, Parameter

PAGE = Path(__file__).resolve().parents[2] / "docs" / "secrets.md"


def documented_name(parameter: Parameter) -> str:
    """Return the name of a parameter as the table shows it."""
    name = parameter.name.replace(" ", "_")
    return f"`{name}`, `*_{name}`" if parameter.is_ending else f"`{name}`"


def rows(cells: Iterable[tuple[str, str]]) -> str:
    """Return the rows of a table without its header: the names of each group, in order."""
    groups: dict[str, list[str]] = {}
    for group, name in cells:
        groups.setdefault(group, []).append(name)
    return "".join(f"| {group} | {', '.join(names)} |\n" for group, names in groups.items())


def rewritten(page: str) -> str:
    """Return the page with both tables rewritten."""
    parameters = sorted(PARAMETERS, key=lambda parameter: parameter.shortest)
    tables = {
        "parameters": rows((str(parameter.shortest), documented_name(parameter)) for parameter in parameters),
        "tokens": rows((token.publisher, f"`{prefix}`") for token in TOKENS for prefix in token.example.split(", ")),
    }
    for name, table in tables.items():
        head = rf"(<!-- {name} -->\n\|.*\n\| -.*\n)(?:\|.*\n)*(?=<!-- /{name} -->)"
        page = re.sub(head, lambda match, table=table: match[1] + table, page)
    return page


def test_documented_tables_are_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert rewritten(page) == page, "run python -m tests.formats.test_secrets_documented"
    for name in ("parameters", "tokens"):
        assert page.count(f"<!-- {name} -->") == page.count(f"<!-- /{name} -->") == 1


def test_positions_are_documented() -> None:
    paragraph = re.search("<!-- positions -->\n(.*?)<!-- /positions -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert paragraph is not None
    assert tuple(re.findall("`([a-z]+)`", paragraph[1])) == POSITIONS


def test_names_and_prefixes_are_unique() -> None:
    keys = [re.sub("[ _.-]", "", one.name).lower() for one in PARAMETERS]
    assert len(set(keys)) == len(keys)
    assert len({one.prefix for one in TOKENS}) == len(TOKENS)


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
