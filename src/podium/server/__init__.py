"""The service: a study for many workers, over HTTP."""
