"""The report of the demo: one HTML file that needs nothing else."""

import html
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from podium.data.ratings import Ranking
from podium.errors import MissingExtra

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1f24; background: #fff; }
table { border-collapse: collapse; margin: 1.5rem 0; }
caption { text-align: left; font-weight: 600; padding-bottom: .5rem; }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid #e2e5e9; }
th:nth-child(2), td:nth-child(2) { text-align: left; }
svg { max-width: 100%; height: auto; margin: 1rem 0; }
"""


def write_report(
    path: Path,
    title: str,
    ranking: Ranking,
    sentences: Sequence[str],
    paths: Mapping[str, Sequence[tuple[float, float]]],
) -> None:
    """Write a report.

    Args:
        path: The file.
        title: Its title.
        ranking: The ranking, with rank intervals.
        sentences: What came out, in words.
        paths: Kind of study to its queries, and how certain it was after them.
    """
    said = "".join(f"<p>{html.escape(sentence)}</p>\n" for sentence in sentences)
    drawn = "\n".join(_drawn(ranking, paths))
    heading = html.escape(title)
    path.write_text(
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{heading}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{heading}</h1>\n{said}{ranking._repr_html_()}\n{drawn}\n</body>\n</html>\n",
        encoding="utf-8",
    )


def _drawn(ranking: Ranking, paths: Mapping[str, Sequence[tuple[float, float]]]) -> Iterator[str]:
    """Draw the pictures, where the library that draws is installed."""
    from podium.plots import _altair, curves, ranks

    def figure(chart: Any, said: str) -> str:
        picture = _altair.svg(chart)
        start = picture.index("<svg")  # what stands before it belongs to a file of its own
        label = html.escape(said, quote=True)
        return f'<div role="img" aria-label="{label}">{picture[start:]}</div>'

    lines = {name: [(x, y, 0.0) for x, y in path] for name, path in paths.items()}
    try:
        said = "The rank of each agent and the ranks that it may have"
        yield figure(ranks.draw(ranks.x_data(ranking), said), said)
        said = "How certain the first three are, by queries"
        chart = curves.draw(curves.x_data(lines), said, x="queries", y="probability to be right")
        yield figure(chart, said)
    except MissingExtra as error:
        yield f"<p>{html.escape(str(error))}</p>"
