"""Plots: one file a plot, `x_data` to say what is shown and `draw` to show it."""
