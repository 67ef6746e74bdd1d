"""Tests of urlscan.cli."""
