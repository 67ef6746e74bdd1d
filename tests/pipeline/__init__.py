"""Tests of urlscan.pipeline."""
