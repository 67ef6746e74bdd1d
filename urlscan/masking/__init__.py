"""Secrets in everything that is shown: where they are, and `***` in their place."""
