"""Records, segments, offsets, settings and errors that every other package uses."""
