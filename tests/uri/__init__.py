"""Tests of urlscan.uri."""
