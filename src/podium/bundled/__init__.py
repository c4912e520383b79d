"""Tables of published figures that come with podium."""
