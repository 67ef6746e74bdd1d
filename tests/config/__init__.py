"""Tests of urlscan.config."""
