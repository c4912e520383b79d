"""Draw the pictures of the documentation anew.

python docs/pictures.py        write docs/pictures/
"""

from pathlib import Path

import podium
from podium.plots import rank_chart, ranks
from podium.plots._altair import svg

FOLDER = Path(__file__).resolve().parent / "pictures"


def main() -> None:
    """Draw each picture."""
    FOLDER.mkdir(exist_ok=True)
    scores = podium.read("agent57")
    ranking = podium.rank(scores, "copeland", intervals="bootstrap")
    chart = ranks.draw(ranks.x_data(ranking), "Eight agents on 57 Atari games, by Copeland")
    (FOLDER / "ranks.svg").write_text(svg(chart), encoding="utf-8")
    names = ("copeland", "kemeny", "schulze", "borda", "approval", "plurality", "stv")
    several = podium.compare(podium.read("rainbow"), names)
    order = several.rankings["kemeny"].order
    beside = rank_chart.draw(
        rank_chart.x_data(several.rankings, order), "Eight agents, seven methods"
    )
    (FOLDER / "methods.svg").write_text(svg(beside), encoding="utf-8")


if __name__ == "__main__":
    main()
