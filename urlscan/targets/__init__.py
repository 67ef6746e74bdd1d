"""Resolve relative references without a network: which files and anchors a tree has."""
