"""The addresses of the project: of its repository, and of its documentation in it.

The address is a placeholder until the project is published. It is also written in `pyproject.toml` and in the
documentation, where no program can insert it.
"""

from urlscan.core.typing import Any, cast

DISTRIBUTION = "urlscan-lint"
REPOSITORY = "https://example.org/urlscan"
_DOCS = f"{REPOSITORY}/blob/main/docs"
INDEX_PAGE = f"{_DOCS}/index.md"


def rule_page(code: str) -> str:
    """Return the address of the page of a rule, such as U201."""
    return f"{_DOCS}/rules/{code}.md"


def install_command(extra: str) -> str:
    """Return the command that adds an extra to this installation, from where it was installed."""
    source = install_source()
    if source.get("dir_info", {}).get("editable"):
        return f"pip install -e '{source['url']}[{extra}]'"
    address = f" @ {source['url']}" if source else ""
    if "vcs_info" in source:
        address = f" @ {source['vcs_info']['vcs']}+{source['url']}"
    return f"pip install '{DISTRIBUTION}[{extra}]{address}'"


def install_source() -> dict[str, Any]:
    """Return the record of where the distribution was installed from (PEP 610); empty for a package index."""
    # Loaded only for a message, or to set up a project.
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return cast("dict[str, Any]", json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}"))
    except (PackageNotFoundError, ValueError):
        return {}
