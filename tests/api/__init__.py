"""Tests of urlscan.api."""
