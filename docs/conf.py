"""Settings of the site: `sphinx-build -W docs site` writes it, with a search page.

The documents are plain Markdown that a forge shows as well.
"""

import posixpath
import re

from sphinx.application import Sphinx

import urlscan
from urlscan.core.project import REPOSITORY

project = "urlscan"
author = "The urlscan authors"
version = release = urlscan.__version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "urlscan"
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
myst_heading_anchors = 4
# Links out of docs/ lead to files of the repository, which are not part of the site.
TREE = f"{REPOSITORY}/blob/main/"


def link_to_repository(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the links of a page to files outside docs/ by links to the repository."""

    def replaced(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link[1]))
        return f"]({TREE}{path.removeprefix('../')})" if path.startswith("../") else link[0]

    source[0] = re.sub(r"\]\((\.\./[^)\s]+)\)", replaced, source[0])


def setup(app: Sphinx) -> None:
    """Register the links to the repository."""
    app.connect("source-read", link_to_repository)
