"""Tests of urlscan.finder."""
