"""Tests of urlscan.documents.mail."""
