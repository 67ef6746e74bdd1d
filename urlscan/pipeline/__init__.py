"""Paths to results, in input order: read, decode, find, judge, suppress, fix.

Everything is a generator, and nothing is printed.  A failure for one path is a value among the results, and the
other paths are still processed.
"""
