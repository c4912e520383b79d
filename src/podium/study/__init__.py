"""Studies: presets of learner and strategy, and one round of them at a time."""
