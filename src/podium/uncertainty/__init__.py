"""How sure a ranking is: one way for every method."""
