"""Simulation: presets in worlds whose truth is known, many seeds in compiled loops."""
