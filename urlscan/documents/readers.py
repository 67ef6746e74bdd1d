"""The kinds of documents, and the function that reads each."""

import functools
import importlib
from typing import TYPE_CHECKING, cast

# Commands that read no text ask for KINDS, too.
if TYPE_CHECKING:
    from urlscan.documents.segments import Reader


_CODE = "urlscan.documents.code:regions"
_FORMS = "urlscan.documents.link_forms:regions"
# name of the kind: "module:function", loaded when it is used
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
}
TABLES: dict[str, str] = {
    # one table of link forms: link_forms.py
    **dict.fromkeys("asciidoc css latex org roff texinfo".split(), _FORMS),
    # one table of languages: languages.py; `source` is any of them
    **dict.fromkeys(
        "source c dockerfile go haskell ini java javascript json jsonl lisp lua makefile perl php po powershell"
        " properties python r ruby rust shell sql toml vim yaml".split(),
        _CODE,
    ),
}
READERS = {**FILES, **TABLES}


@functools.cache
def reader_of(kind: str, better: str = "") -> "Reader":
    """Return the reader of a kind, or the `better` one if it has that."""
    name, _, function = READERS[kind].partition(":")
    module = importlib.import_module(name)
    return cast("Reader", getattr(module, better, None) or getattr(module, function))
