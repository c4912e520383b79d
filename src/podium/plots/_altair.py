"""The drawing library, loaded when a picture is wanted."""

from collections.abc import Sequence
from typing import Any

from podium.errors import MissingExtra
from podium.safe import visible

INK, QUIET, BLUE, ORANGE = "#1b1f24", "#9aa3ad", "#0072b2", "#d55e00"
"""Colours that people who see few colours can tell apart (after Okabe and Ito)."""

PALETTE = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#6b4c9a", "#7f7f7f",
    "#1b1f24", "#a6761d",
)  # fmt: skip
"""Lines of up to ten agents; each line also carries its name."""

ON_LIGHT, ON_DARK = "#1b1f25", "#fffffe"
"""Ink upon coloured areas, which stay as they are by night: so it has shades of its own."""

NIGHT = {
    INK: "#e6e9ed", "#000": "#e6e9ed", "black": "#e6e9ed", "#57606a": "#9aa3ad",
    "white": "#14171b", "#e2e5e9": "#30363d", "#e5e8eb": "#30363d", "#ddd": "#30363d",
    "#888": "#57606a", BLUE: "#4493f8", ORANGE: "#f0883e", "#56b4e9": "#a5d8ff",
    "#6b4c9a": "#a78bda",    "#a6761d": "#c89b4b", "#009e73": "#2fbf95",
}  # fmt: skip
"""What each shade of a picture becomes upon a dark page."""

FONT = "DejaVu Sans, Verdana, sans-serif"

_HINT = "pictures need altair and vl-convert: pip install 'podium[plots]'"


def altair() -> Any:
    """Load altair, or say how to get it."""
    try:
        import altair as alt
    except ImportError as error:
        raise MissingExtra(_HINT) from error
    return alt


def styled(chart: Any, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Give a chart its title and the look that all pictures share."""
    heading = altair().TitleParams(
        title, subtitle=subtitle, anchor="start", offset=14, fontSize=15, subtitleFontSize=12,
        subtitleColor="#57606a",
    )  # fmt: skip
    return (
        chart.properties(title=heading, background="white", padding=12)
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_axis(labelFontSize=12, titleFontSize=12, labelColor=INK, titleColor=INK)
    )


def svg(chart: Any) -> str:
    """Draw a chart as SVG text."""
    return str(_converter().vegalite_to_svg(_spec(chart)))


def night_css() -> str:
    """Give the style of a page that turns its pictures dark where the reader likes that."""
    rules = [
        f'svg [{kind}="{day}"] {{ {kind}: {night}; }}'
        for day, night in NIGHT.items()
        for kind in ("fill", "stroke")
    ]
    return "@media screen and (prefers-color-scheme: dark) {\n" + "\n".join(rules) + "\n}\n"


def png(chart: Any) -> bytes:
    """Draw a chart as a PNG image, twice as fine as a screen."""
    return bytes(_converter().vegalite_to_png(_spec(chart), scale=2.0))


def pdf(chart: Any) -> bytes:
    """Draw a chart as a PDF."""
    return bytes(_converter().vegalite_to_pdf(_spec(chart)))


def _spec(chart: Any) -> Any:
    """Give what is drawn, with all text made visible: a control sign would end the process."""
    return _shown(chart.to_dict(validate=False))


def _shown(part: Any) -> Any:
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, dict):
        return {key: _shown(item) for key, item in part.items()}
    return [_shown(item) for item in part] if isinstance(part, list) else part


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra(_HINT) from error
    return vl_convert
