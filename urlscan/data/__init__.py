"""Generated, dated and hashed tables without logic; `tools/generate_tables.py` writes them."""
