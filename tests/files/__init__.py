"""Tests of urlscan.files."""
