"""Divide documents into regions: one file per kind, or one table for several similar kinds.

The reader of a kind is a function `regions(document: str, kind: str) -> Iterator[Region]` (`regions.py`); plain text is
one region. `documents.py` makes the document that shows a document from them.
"""
