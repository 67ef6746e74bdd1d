"""Tests of `urlscan/targets/`."""
