"""Questions that users ask of their data: rank, compare, inspect."""
