"""The registry of kinds of documents and their readers."""

import functools
import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from urlscan.documents.segments import Reader


_CODE = "urlscan.documents.code:regions"
_FORMS = "urlscan.documents.link_forms:regions"
# kind: "module:function", imported on first use
FILES: dict[str, str] = {
    "plain": "urlscan.documents.plain:regions",
    "html": "urlscan.documents.html:regions",
    "xml": "urlscan.documents.html:regions",
    "markdown": "urlscan.documents.markdown:regions",
    "rst": "urlscan.documents.rst:regions",
    "ipynb": "urlscan.documents.ipynb:regions",
    "csv": "urlscan.documents.csv:regions",
    "tsv": "urlscan.documents.csv:regions",
    "ics": "urlscan.documents.icalendar:regions",
    "vcf": "urlscan.documents.icalendar:regions",
    "http": "urlscan.documents.http:regions",
}
TABLES: dict[str, str] = {
    # one table of markup languages: link_forms.py
    **dict.fromkeys("asciidoc css latex org roff texinfo".split(), _FORMS),
    # one table of programming languages: languages.py; `source` is any other
    **dict.fromkeys(
        "source c dockerfile go haskell ini java javascript json jsonl lisp lua makefile perl php po powershell"
        " properties python r ruby rust shell sql toml vim yaml".split(),
        _CODE,
    ),
}
READERS = {**FILES, **TABLES}


@functools.cache
def reader_of(kind: str, *variants: str) -> "Reader":
    """Return the reader of a kind, or the first function of its module that `variants` name."""
    name, _, function = READERS[kind].partition(":")
    module = importlib.import_module(name)
    return cast("Reader", next(getattr(module, one) for one in (*variants, function) if hasattr(module, one)))
