"""Charts as Vega-Lite, for whoever draws them: the pages here, a notebook, another page."""

from collections.abc import Callable
from typing import Any

from podium.data.convert import convert
from podium.data.tally import Tally
from podium.errors import DataError
from podium.plots import margin_matrix, places, ranks
from podium.study.picture import Picture
from podium.words import unknown


def _ranks(picture: Picture) -> Any:
    return ranks.draw(ranks.x_data(picture.ranking), "Ranks", subtitle=["bars: rank intervals"])


def _margins(picture: Picture) -> Any:
    tally: Any = convert(picture.scores, Tally)
    order = picture.ranking.order
    return margin_matrix.draw(margin_matrix.x_data(tally, order), "Margins", unit="tasks")


def _places(picture: Picture) -> Any:
    order = picture.ranking.order
    codes = [picture.spec.agents.index(agent) for agent in order]
    return places.draw(places.x_data(order, picture.places[codes]), "Places")


CHARTS: dict[str, Callable[[Picture], Any]] = {
    "ranks": _ranks,
    "places": _places,
    "margins": _margins,
}
"""All charts of a study."""


def chart_of(picture: Picture, name: str) -> dict[str, Any]:
    """Draw a chart of a study, as Vega-Lite."""
    if name not in CHARTS:
        raise DataError(unknown("chart", name, sorted(CHARTS)), field="chart")
    return dict(CHARTS[name](picture).to_dict(validate=False))
