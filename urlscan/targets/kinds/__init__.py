"""Readers of anchors: one file per kind of document."""
