"""Tests of urlscan.documents."""
