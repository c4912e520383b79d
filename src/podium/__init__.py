"""podium: which agents are best, and what should be evaluated next."""
