"""Fuzzing guided by coverage, and comparison with other readers of the same documents; see `__main__.py`."""
