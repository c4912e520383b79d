"""The bundled data as their cards describe them."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.bundled import SETS
from podium.cli._ranking import in_figures
from podium.cli._screen import line, safe_text, show, table
from podium.data.convert import summary


def described() -> list[dict[str, Any]]:
    """Say of each set what its card says."""
    return [_card(name) for name in sorted(SETS.cards)]


def known(name: str) -> dict[str, Any]:
    """Say of one set what its card says, and its figures."""
    from podium.importers import read

    card = SETS[name]
    return {**_card(card.name), "path": str(card.path), **summary(read(card.path))}


def _card(name: str) -> dict[str, Any]:
    card = SETS[name]
    return {
        "name": card.name,
        "title": card.title,
        "kind": card.kind,
        "source": card.source,
        "licence": card.licence,
        "remarks": list(card.remarks),
    }


def print_all() -> None:
    """Print one line a set."""
    made = table("name", "kind", "what it is", keep=("name", "kind"))
    for card in described():
        made.add_row(*map(safe_text, (card["name"], card["kind"], card["title"])))
    show(made)
    line("podium rank NAME ranks one, podium data show NAME says where it is from.")


def print_one(card: Mapping[str, Any]) -> None:
    """Print everything known of a set."""
    line(f"{card['name']}: {card['title']}")
    line(f"{in_figures(card)}, read as {card['kind']}")
    line(f"source   {card['source']}")
    line(f"licence  {card['licence']}")
    line(f"file     {card['path']}")
    for remark in card["remarks"]:
        line(f"remark   {remark}")


def export(name: str, out: str | None) -> None:
    """Copy a set to a file or to standard output, converting it where the ending asks for it."""
    path = Path(SETS[name].path)
    if out is None:
        sys.stdout.write(path.read_text(encoding="utf-8"))
    elif Path(out).suffix == path.suffix:
        shutil.copyfile(path, out)
    else:
        from podium.importers import read, write

        write(read(path), out)
