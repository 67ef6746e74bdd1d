"""Tables without logic: generated, dated, hashed, never edited.  `generate.py` makes them."""
