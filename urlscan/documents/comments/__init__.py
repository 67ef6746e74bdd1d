"""Where a comment can be added to a source: `commenter` proposes places, the others read the source's layout."""
