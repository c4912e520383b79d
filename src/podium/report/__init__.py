"""Reports: what was found, in one file for people to read."""
