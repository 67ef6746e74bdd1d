"""The addresses of the project: of its repository, and of its documentation in it.

The address is a placeholder until the project is published. It is also written in `pyproject.toml` and in the
documentation, where no program can insert it.
"""

REPOSITORY = "https://example.org/urlscan"
_DOCS = f"{REPOSITORY}/blob/main/docs"
COMMAND_LINE_PAGE = f"{_DOCS}/command-line.md"
INDEX_PAGE = f"{_DOCS}/index.md"


def rule_page(code: str) -> str:
    """Return the address of the page of a rule, such as U201."""
    return f"{_DOCS}/rules/{code}.md"
