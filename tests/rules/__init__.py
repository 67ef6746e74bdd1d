"""Tests of urlscan.rules."""
