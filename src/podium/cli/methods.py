"""`podium methods`: every method, or one in full."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from podium.cli import options as o
from podium.cli._values import Command
from podium.cli.output import write

app = o.command_app()


@app.command(
    cls=Command, epilog="Examples: podium methods; podium methods copeland; podium methods -f json"
)
def methods(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="A method to show in full.", autocompletion=o.complete_method
        ),
    ] = None,
    *,
    form: o.FormatOption = o.Format.table,
) -> None:
    """List the methods, or show one in full."""
    from podium.cli import _cards

    cards = _cards.chosen(name)
    write(
        form,
        document=lambda: {
            "schema": "podium.methods/1",
            "properties": _cards.PROPERTIES,
            "game_properties": _cards.GAME_PROPERTIES,
            "methods": [_cards.described(card) for card in cards],
        },
        rows=lambda: [_flat(_cards.described(card)) for card in cards],
        table=lambda: _cards.print_one(cards[0]) if name else _cards.print_all(cards),
    )


def _flat(described: Mapping[str, Any]) -> dict[str, Any]:
    """Put what is known of a method into the cells of one row."""
    row = {key: value for key, value in described.items() if not isinstance(value, dict | list)}
    return {
        **row,
        "reads": " ".join(described["reads"]),
        "options": " ".join(described["options"]),
        **described["properties"],
        **described["game_properties"],
    }
