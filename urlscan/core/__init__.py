"""Records, documents, offsets, settings and errors that every other package uses."""
