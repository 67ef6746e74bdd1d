"""Paths to results: read, decode, find, judge, suppress, fix.

Results are yielded in input order; nothing is printed. A failure for one path is a value among the results, and the
other paths are still processed.
"""
