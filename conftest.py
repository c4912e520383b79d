"""Load the methods before pytest takes up their files one by one: each is to be loaded once."""

import podium.methods  # noqa: F401, importing it fills the registry
