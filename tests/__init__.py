"""The tests of urlscan: what is promised is held against the program."""
