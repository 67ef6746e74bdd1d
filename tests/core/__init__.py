"""Tests of urlscan.core."""
