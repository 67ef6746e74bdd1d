"""Compressed files and archives, and their members, to any depth.

`unpack` opens layer after layer within the limits. `compressed`, `tars` and `zips` each read one format, and `streams`
defines the streams that they read.
"""
