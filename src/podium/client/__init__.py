"""The same study, over HTTP."""
