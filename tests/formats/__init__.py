"""Tests of urlscan.formats."""
