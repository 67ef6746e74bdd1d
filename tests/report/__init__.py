"""Tests of reports about databases."""
