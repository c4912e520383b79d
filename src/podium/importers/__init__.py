"""Reading: one file a format."""
