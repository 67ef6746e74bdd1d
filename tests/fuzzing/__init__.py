"""Fuzzing, led by coverage and by other readers of the same documents; `__main__.py` says how to run it."""
