"""Tests of urlscan.linter."""
