"""Tables and figures of the papers, made again."""
