"""The study: agents and tasks, presets that ask, and a log of all that was asked and told."""
