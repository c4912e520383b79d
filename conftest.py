"""Load the registries before pytest takes up their files one by one: each is to be loaded once."""

import podium.methods
import podium.study.presets  # noqa: F401, importing it fills the registries
