"""Tests of urlscan.core.secrets."""
