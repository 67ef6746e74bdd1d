"""What is packed: compressed files and archives, and what is in them, one layer in the other.

`unpack` is the one list of work, with its limits; `compressed`, `tars` and `zips` each know one way to pack, and
`streams` what all of them read from.
"""
