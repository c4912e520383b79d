"""Where scores come from, with the truth where it is known."""
