"""Run the rules: which are on, what they report of a URL, and where that is in a source."""
