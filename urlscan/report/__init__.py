"""Reports about a database of `urlscan archive`: one HTML page with charts and a table."""
