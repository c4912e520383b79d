"""The study: agents and tasks under evaluation, and a log of all that was asked and told."""
