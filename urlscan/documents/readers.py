"""The registry of the kinds of documents and their readers."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from urlscan.core.find_options import FindOptions

# The scope of a search. Each includes the next: every region of a document, with its context and how it is written;
# text that may hold hosts and addresses; links and URLs; URLs with a scheme.
Scope = Literal["exact", "hosts", "links", "schemes"]

# Skipping what is not searched is up to five times as fast as reading every tag.
_HTML = tuple(f"urlscan.documents.html:{name}" for name in "regions host_regions link_regions scheme_regions".split())
# Skipping paragraphs without links is twice as fast.
_MARKDOWN = (*["urlscan.documents.markdown:regions"] * 2, "urlscan.documents.markdown:link_regions")
# Skipping strings and comments without escapes is twice as fast.
_CODE = ("urlscan.documents.code:regions", "urlscan.documents.code:escaped_regions")
# kind: the functions that read it, by scope, imported on first use; the last one is used for narrower scopes, too.
FILES: dict[str, tuple[str, ...]] = {
    "plain": ("urlscan.documents.plain:regions",),
    "html": _HTML,
    "xml": _HTML,
    "markdown": _MARKDOWN,
    "rst": ("urlscan.documents.rst:regions",),
    "ipynb": ("urlscan.documents.ipynb:regions",),
    "csv": ("urlscan.documents.csv:regions",),
    "tsv": ("urlscan.documents.csv:regions",),
    "ics": ("urlscan.documents.icalendar:regions",),
    "vcf": ("urlscan.documents.icalendar:regions",),
    "http": ("urlscan.documents.http:regions",),
}
TABLES: dict[str, tuple[str, ...]] = {
    # one table of markup languages: link_forms.py
    **dict.fromkeys("asciidoc css latex org roff texinfo".split(), ("urlscan.documents.link_forms:regions",)),
    # one table of programming languages: languages.py; `source` is any other
    **dict.fromkeys(
        "source c dockerfile go haskell ini java javascript json jsonl lisp lua makefile perl php po powershell"
        " properties python r ruby rust shell sql toml vim yaml".split(),
        _CODE,
    ),
}
READERS = {**FILES, **TABLES}


def scope_of(find_options: "FindOptions | None") -> Scope:
    """Return what of a document is searched; None: everything."""
    if find_options is None or find_options.schemeless or find_options.emails or find_options.defanged:
        return "hosts"
    if find_options.continuations or find_options.rejoin == "guess":
        return "hosts"
    return "links" if find_options.relative or find_options.look_alikes else "schemes"
