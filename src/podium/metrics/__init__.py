"""Metrics: how far reported rankings are from the truth."""
