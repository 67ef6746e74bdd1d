"""URLs as such: their grammar by specification, their schemes, and what can be computed from them."""
