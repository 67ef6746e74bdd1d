"""Functions about documents that tests share."""

from urlscan.core.document import Document


def is_replaced(document: Document, start: int, end: int) -> bool:
    """Return whether a part of text[start:end] is written differently in the document."""
    end = max(end, start + 1)
    return any(first < end and last > start for first, last in document.replacements)
