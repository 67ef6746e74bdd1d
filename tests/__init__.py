"""Tests of urlscan."""
