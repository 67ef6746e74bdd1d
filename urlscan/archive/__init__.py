"""Archives: the URLs, messages and findings of many sources as tables.

`schema` defines the tables, `rows` fills them from the results of a scan, `scan` reads one source, `database` keeps
them in DuckDB, `ingest` does so incrementally, and `queries` asks them.
"""
