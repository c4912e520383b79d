"""Methods as their cards describe them, for people and for programs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from podium.cli._screen import line, safe_text, show, shown, table, unicode_screen
from podium.data.convert import KINDS, readable
from podium.methods._docs import arguments, formula
from podium.methods._registry import GAME_PROPERTIES, METHODS, PROPERTIES, Card

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["GAME_PROPERTIES", "PROPERTIES", "chosen", "described", "print_all", "print_one"]

Remarks: TypeAlias = Sequence[tuple[Card, str]]
"""Methods and the properties on which they have something to say, in the order of their numbers."""


def chosen(name: str | None) -> list[Card]:
    """Return one card, or all by name."""
    return sorted(METHODS, key=lambda card: card.name) if name is None else [METHODS[name]]


def described(card: Card) -> dict[str, Any]:
    """Say everything that is known of a method."""
    said = arguments(card.call)
    return {
        "name": card.name,
        "summary": card.summary,
        "reads": [KINDS[kind] for kind in KINDS if readable(kind, card.reads)],
        "options": {
            name: {"default": default, "says": said.get(name, "")}
            for name, default in card.options.items()
        },
        "properties": {name: holds(card, name) for name in PROPERTIES},
        "game_properties": {name: holds(card, name) for name in GAME_PROPERTIES},
        "remarks": dict(card.remarks),
        "formula": formula(card.call),
        "cost": card.cost,
        "cite": card.cite,
        "votes": card.votes,
        "cheap_up_to": card.cheap_up_to,
    }


def holds(card: Card, name: str) -> bool | None:
    """Tell whether a method has a property; None where it reads no votes, or no games."""
    asked = card.plays if name in GAME_PROPERTIES else card.votes
    return True if name in card.holds else (False if asked else None)


def print_all(cards: Sequence[Card]) -> None:
    """Print what each method does, then their properties."""
    made = table("method", "reads", "what it does", keep=("method",))
    for card in cards:
        kinds = [KINDS[kind] for kind in card.reads]
        made.add_row(*map(safe_text, (card.name, ", ".join(kinds), card.summary)))
    show(made)
    line()
    remarks = [(card, name) for card in cards for name in card.remarks]
    _print_properties(PROPERTIES, cards, remarks)
    line("of the strategies of games")
    _print_properties(GAME_PROPERTIES, [card for card in cards if card.plays], remarks)
    for number, (card, name) in enumerate(remarks, start=1):
        line(f"{number}) {card.name}, {name}: {card.remarks[name]}")
    line("podium methods NAME shows one in full, with its options and its formula.")


def _print_properties(
    properties: Mapping[str, str], cards: Sequence[Card], remarks: Remarks
) -> None:
    show(_matrix(properties, cards, remarks))
    for name, meaning in properties.items():
        line(f"{name}: {meaning}")
    line()


def _matrix(properties: Mapping[str, str], cards: Sequence[Card], remarks: Remarks) -> "Table":
    made = table("method", *properties, "cost", "defined in", keep=("method", *properties))
    for card in cards:
        marks = [_mark(card, name, remarks) for name in properties]
        made.add_row(*map(safe_text, (card.name, *marks, card.cost, card.cite)))
    return made


def _mark(card: Card, name: str, remarks: Remarks) -> str:
    yes, no = "✓✗" if unicode_screen() else "yn"
    mark = {True: yes, False: no, None: ""}[holds(card, name)]
    return f"{mark} {remarks.index((card, name)) + 1})" if (card, name) in remarks else mark


def print_one(card: Card) -> None:
    """Print everything that is known of one method."""
    for sentence in _told(card):
        line(sentence)


def _told(card: Card) -> Iterator[str]:
    known = described(card)
    yield f"{card.name}: {card.summary}"
    yield ""
    if known["formula"]:
        yield f"  {known['formula']}"
        yield ""
    yield f"reads       {', '.join(known['reads'])}"
    yield f"cost        {card.cost}"
    yield f"defined in  {card.cite}"
    for name, meaning in (PROPERTIES | GAME_PROPERTIES).items():
        value = holds(card, name)
        if value is not None:
            yield f"{name:<11} {'yes' if value else 'no'}: {meaning}"
    for name, remark in card.remarks.items():
        yield f"remark      {name}: {remark}"
    yield ""
    yield "options" if card.options else "no options"
    for name, option in known["options"].items():
        yield f"  {name}={shown(option['default'])}  {option['says']}"
    if card.options:
        example = next(iter(card.options.items()))
        yield ""
        yield f"podium rank DATA --method {card.name}:{example[0]}={shown(example[1])}"
