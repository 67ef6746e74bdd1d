"""Tests of urlscan.archive."""
