"""Arithmetic: arrays in, arrays out. Knows no label, file or option object."""
