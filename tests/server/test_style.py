"""Colours of the pages: all text can be read, in the light and in the dark."""

import re
from itertools import product

import pytest

from shared import ROOT

SHEET = (ROOT / "src/podium/server/static/podium.css").read_text(encoding="utf-8")
LEAST = 4.5
"""Contrast of text that WCAG 2.2 asks for at level AA."""

TEXT, GROUND = ("ink", "quiet", "accent", "warm", "good"), ("paper", "sheet")


def light_of(colour: str) -> float:
    """Give the relative luminance of a colour, as WCAG 2.2 defines it."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((light_of(one), light_of(other)))
    return (light + 0.05) / (dark + 0.05)


def colours(scheme: str) -> dict[str, str]:
    """Read the colours of a scheme; the dark one changes some of the light one."""
    start, dark = SHEET.split("@media (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", start))
    if scheme == "dark":
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", dark.split("* {")[0]))
    return found


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)  # the example of WebAIM


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(scheme: str) -> None:
    known = colours(scheme)
    pairs = [(known[text], known[ground]) for text, ground in product(TEXT, GROUND)]
    pairs.append((known["on-accent"], known["accent"]))
    assert {pair: contrast(*pair) for pair in pairs if contrast(*pair) < LEAST} == {}


def test_numbers_on_the_shades_of_pairs_stand_out() -> None:
    shades = re.findall(r"\.p(\d+) \{ background: (#\w+); color: (#\w+); \}", SHEET)
    assert [int(step) for step, *_ in shades] == list(range(11))
    assert {one: contrast(*one[1:]) for one in shades if contrast(*one[1:]) < LEAST} == {}


def test_the_style_loads_nothing() -> None:
    assert "url(" not in SHEET
    assert "@import" not in SHEET
