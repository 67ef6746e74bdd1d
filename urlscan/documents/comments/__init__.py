"""Find positions for comments in a source: `commenter` proposes them; the other modules read the layout."""
