"""Tests of urlscan.mail."""
