"""Tests of urlscan.masking."""
