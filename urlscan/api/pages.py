"""Compose HTML pages in which nothing from the sources is live: the frame, sections, tables and texts of a report."""

from urlscan.core.project import rule_page
from urlscan.formats.base import number
from urlscan.formats.escape import escape
from urlscan.formats.page import failures, frame, rule_cell, section, summary, table, text_of

__all__ = ["escape", "failures", "frame", "number", "rule_cell", "rule_page", "section", "summary", "table", "text_of"]
