"""Files on disk: directory handles, replacing a file atomically, its metadata, and locks."""
