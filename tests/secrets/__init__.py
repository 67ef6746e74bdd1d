"""Tests of urlscan.secrets."""
