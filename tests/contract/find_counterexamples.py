"""Find the stored counterexamples anew: `python tests/contract/find_counterexamples.py`.

For each method and each property that it does not claim, votes are drawn until
some break the property, then made as small as they go. Votes without ties and
with the same weight come first: an example among them owes nothing to the way
ties are broken. Give names of methods to search for these alone.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parent
sys.path[:0] = [str(ROOT), str(ROOT.parent)]

from cases import Case, Domain, drawn, smaller, written  # noqa: E402, needs the path set above
from properties import Rule, clear, violates  # noqa: E402

from podium.data.profile import Profile  # noqa: E402
from podium.data.scores import Scores  # noqa: E402
from podium.errors import DataError  # noqa: E402
from podium.methods._registry import METHODS, PROPERTIES, Card  # noqa: E402

STORED = ROOT / "counterexamples.json"
VARIANTS: list[tuple[str, dict[str, Any]]] = [("stv", {"winners": 1})]
"""Options under which a method is another rule, of which the literature says other things."""

EXAMPLES = 20_000
"""Cases drawn in each domain before it is given up."""


def reads_ballots_or_scores(card: Card) -> bool:
    """Tell whether the properties, which speak of these, say anything of a method."""
    return card.can_read(Profile) or card.can_read(Scores)


def domains(card: Card) -> Iterator[tuple[bool, Domain]]:
    """Go through where to look, the plainest votes first; and whether ties are shunned there."""
    if not card.can_read(Profile):
        yield True, Domain(kind=Scores, agents=(2, 3), votes=4, weights=(1.0,))
        yield False, Domain(kind=Scores, agents=(2, 3), votes=4)
        return
    for most in (3, 4, 5):
        yield True, Domain(agents=(2, most), votes=most + 4, strict=True, weights=(1.0,))
    yield True, Domain(agents=(2, 4), votes=5, strict=True)
    yield True, Domain(agents=(2, 5), votes=7)
    yield False, Domain(agents=(2, 4), votes=5, strict=True, weights=(1.0,))
    yield False, Domain(agents=(2, 5), votes=7)


def search(
    rule: Rule, name: str, domain: Domain, *, shun_ties: bool, examples: int = EXAMPLES
) -> Case | None:
    """Look for a case that breaks a property, and make it small."""

    def broken(case: Case) -> bool:
        try:
            return violates(rule, case) and (not shun_ties or clear(rule, case))
        except DataError:
            return False

    rng = Random(0)
    for _ in range(examples):
        case = drawn(rng, name, domain)
        if broken(case):
            return shrunk(case, broken)
    return None


def shrunk(case: Case, broken: Callable[[Case], bool]) -> Case:
    """Take votes and agents away as long as the case stays broken."""
    for less in smaller(case):
        if broken(less):
            return shrunk(less, broken)
    return case


def counterexample(card: Card, name: str, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Find a counterexample in the plainest domain that has one."""
    rule = Rule(card.name, options)
    for shun_ties, domain in domains(card):
        case = search(rule, name, domain, shun_ties=shun_ties)
        if case is not None:
            found = {"method": card.name, "options": dict(options), "property": name}
            return found | written(case)
    return None


def main(names: list[str]) -> None:
    """Search for what is not claimed, and write the file."""
    rules: list[tuple[str, dict[str, Any]]] = [
        (card.name, {}) for card in METHODS if reads_ballots_or_scores(card)
    ]
    asked = [rule for rule in rules + VARIANTS if not names or rule[0] in names]
    kept = [entry for entry in stored() if names and entry["method"] not in names]
    for name, options in asked:
        claimed = frozenset[str]() if options else METHODS[name].holds
        for claim in sorted(set(PROPERTIES) - claimed):
            entry = counterexample(METHODS[name], claim, options)
            sys.stdout.write(f"{name} {options} {claim}: {'found' if entry else 'none'}\n")
            sys.stdout.flush()
            kept += [entry] if entry else []
    kept.sort(key=_place)
    STORED.write_text(dumped(kept))


def _place(entry: dict[str, Any]) -> tuple[str, bool, int]:
    return entry["method"], bool(entry["options"]), list(PROPERTIES).index(entry["property"])


def stored() -> list[dict[str, Any]]:
    """Read the stored counterexamples."""
    return json.loads(STORED.read_text()) if STORED.exists() else []


def dumped(entries: list[dict[str, Any]]) -> str:
    """Write one counterexample a line."""
    return "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n"


if __name__ == "__main__":
    main(sys.argv[1:])
