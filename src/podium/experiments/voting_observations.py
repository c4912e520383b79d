"""Observations 1 to 8 of Lanctot et al. (2025), each checked on the data."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from podium.data.convert import Data
from podium.data.tally import Tally
from podium.experiments._columns import answer, same, tiers_text
from podium.experiments._published import Column, column, columns
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.experiments._sources import (
    ballots,
    bundled,
    missing,
    no_shared,
    ranked,
    ready,
    shared,
    tally,
    winners,
)
from podium.experiments._ties import stored_tie_break
from podium.experiments._twins import agrees
from podium.experiments.voting_agentbench import TIES
from podium.importers import read

WITHOUT_A3C = ["rainbow", "dist_dqn", "prio_ddqn", "duel_ddqn", "ddqn", "noisy_dqn", "dqn"]

NO_OP = "data/atari/rainbow_noop_partial.csv"
"""Four of the eight columns of Table 6 of Hessel et al. (2017); the others were not found."""


@experiment("voting-observations", group="voting", remakes="Observations 1 to 8")
def voting_observations(_: Setting) -> Result:
    """What the paper observes on Atari and AgentBench, each with a verdict."""
    findings = [
        *unique_ballots(),
        *only_a3c_moves(),
        *other_protocol(),
        *raw_scores(),
        *nash("Observation 5", "rainbow", OBSERVATION_5, "0.3891"),
        *ten_agents(),
        *nash("Observation 6", "rainbow-plus", OBSERVATION_6, "0.4253"),
        *lottery_levels(),
        *nash("Observation 8", "agentbench", OBSERVATION_8, "0.889"),
    ]
    return Result(findings=tuple(findings))


OBSERVATION_5 = (
    {"assault": "0.36", "boxing": "0.29", "breakout": "0.26", "venture": "0.09"},
    ("a3c", "dist_dqn", "duel_ddqn", "rainbow"),
)
OBSERVATION_6 = (
    {"asterix": "0.032", "breakout": "0.39", "gopher": "0.17", "montezuma_revenge": "0.40"},
    ("a3c", "dist_dqn", "human", "rainbow"),
)
OBSERVATION_8 = ({"HH": "0.135", "WS": "0.865"}, ("gpt-3.5-turbo", "gpt-4"))
"""Weights of the tasks in the Nash equilibrium, and the agents tied for the first place."""


def claim(
    where: str, what: str, printed: str, ours: str, *, holds: bool, why: str = "", of: str = ""
) -> Finding:
    """Say whether a claim holds."""
    verdict: Verdict = "equal" if holds else "differs"
    return Finding(where, what, printed, ours, verdict, why, of=of)


def unique_ballots() -> Iterator[Finding]:
    """Observation 1: no two of the 54 games order the agents alike."""
    orders = [tuple(map(frozenset, order)) for _, order in ballots(bundled("rainbow")).ballots()]
    ours = f"{len(set(orders))} of {len(orders)}"
    yield claim("Observation 1", "distinct ballots", "54 of 54", ours, holds=ours == "54 of 54")


def only_a3c_moves() -> Iterator[Finding]:
    """Observation 2: without A3C, all nine methods order the agents alike."""
    data, printed = bundled("rainbow"), " > ".join(WITHOUT_A3C)
    for one in columns("6"):
        what = f"order without a3c, {one.printed}"
        if not ready(one.method):
            yield Finding("Observation 2", what, printed, "", "no data", missing(one.method))
            continue
        ranking = answer(one, data).ranking
        holds = agrees(WITHOUT_A3C, ranking)
        in_print = tuple(agent for agent in one.order if agent != "a3c")
        contradicted = list(in_print) != WITHOUT_A3C and not _print_ties(one)
        why = f"Table 6 of the paper itself prints {' > '.join(in_print)}" if contradicted else ""
        yield claim("Observation 2", what, printed, tiers_text(ranking), holds=holds, why=why)


def _print_ties(one: Column) -> bool:
    """Tell whether the printed scores put the agents other than A3C in order, equals either way."""
    scores = {cell.agent: float(cell.score) for cell in one.cells}
    kept = [scores[agent] for agent in WITHOUT_A3C]
    return kept == sorted(kept, reverse=True)


def other_protocol() -> Iterator[Finding]:
    """Observation 3: the no-op protocol gives the same rankings as human starts."""
    path, where = shared(NO_OP), "Observation 3"
    if path is None:
        why = f"half of the no-op scores were not found; {no_shared(NO_OP)}"
        yield Finding(where, "no-op starts", "the same rankings", "", "no data", why)
        return
    no_op = read(path)
    human = bundled("rainbow").only(agents=no_op.agents)
    for one in columns("6"):
        if not ready(one.method):
            yield Finding(where, one.printed, "the same", "", "no data", missing(one.method))
            continue
        here, there = (ranked(data, one.method, **one.options) for data in (human, no_op))
        verdict: Verdict = "consistent" if agrees(here.order, there) else "no data"
        why = "no-op scores of four of the eight agents were not found"
        what, printed = f"four agents, {one.printed}", f"human starts: {tiers_text(here)}"
        yield Finding(where, what, printed, f"no-op: {tiers_text(there)}", verdict, why)


def raw_scores() -> Iterator[Finding]:
    """Observation 4: on raw scores, Nash averaging looks at skiing alone."""
    where, what = "Observation 4", "tasks with weight, raw scores"
    if not ready("nash-average"):
        yield Finding(where, what, "skiing", "", "no data", missing("nash-average"))
        return
    weights = ranked(bundled("rainbow"), "nash-average", scale=False).info["tasks"]
    ours = ", ".join(_with_weight(weights))
    yield claim(where, what, "skiing", ours, holds=ours == "skiing")


def _with_weight(weights: Mapping[str, float]) -> list[str]:
    return sorted(task for task, weight in weights.items() if weight > 1e-6)


def nash(
    where: str, name: str, printed: tuple[dict[str, str], tuple[str, ...]], value: str
) -> Iterator[Finding]:
    """Observations 5, 6 and 8: the few tasks that Nash averaging looks at."""
    tasks, tied = printed
    if not ready("nash-average"):
        why = missing("nash-average")
        for task, weight in tasks.items():
            yield Finding(where, "weight of a task", weight, "", "no data", why, of=task)
        yield Finding(where, "agents tied first", ", ".join(tied), "", "no data", why)
        yield Finding(where, "value of the game", value, "", "no data", why)
        return
    ranking = ranked(bundled(name), "nash-average")
    weights = ranking.info["tasks"]
    for task, weight in tasks.items():
        ours = f"{weights[task]:.4f}"
        holds = same(weight, weights[task])
        yield claim(where, "weight of a task", weight, ours, holds=holds, of=task)
    found = ", ".join(_with_weight(weights))
    yield claim(
        where, "tasks with weight", ", ".join(tasks), found, holds=found == ", ".join(tasks)
    )
    first = ranking.tiers[0]
    yield claim(where, "agents tied first", ", ".join(tied), ", ".join(first), holds=first == tied)
    ours = ranking.info["value"]
    yield claim(where, "value of the game", value, f"{ours:.4f}", holds=same(value, ours))


def ten_agents() -> Iterator[Finding]:
    """Observation 6: what a human and a random agent change."""
    where, data = "Observation 6", bundled("rainbow-plus")
    winner, _ = winners(data)
    yield claim(where, "strong Condorcet winner", "rainbow", str(winner), holds=winner == "rainbow")
    found = {one.printed: one for one in columns("7") if ready(one.method)}
    places: dict[str, int] = {}
    for printed, one in found.items():
        ranking = answer(one, data).ranking
        places[printed] = ranking.ranks["human"]
        holds = "random" in ranking.tiers[-1]
        last = " = ".join(ranking.tiers[-1])
        print_last = one.order[-1]
        why = f"Table 7 of the paper itself prints {print_last}" if print_last != "random" else ""
        yield claim(
            where, f"last by {printed}", "random", last, holds=holds, why="" if holds else why
        )
    ours = ", ".join(f"{rank} by {method}" for method, rank in places.items())
    varied = len(set(places.values())) > 1
    yield claim(where, "rank of human", "differs by method", ours, holds=varied)


def lottery_levels() -> Iterator[Finding]:
    """Observation 7: the iterated lottery tells classes of models apart."""
    where, data, one = "Observation 7", bundled("agentbench"), column("12", "iterated-lottery")
    broken = stored_tie_break(ballots(data), TIES, one.method)
    views = [data, *(way.profile for way in broken)]
    first, sixth = set(one.order[:5]), one.order[5]
    found = [winners(_without(view, first))[0] for view in views]
    yield _one_of(where, "Condorcet winner without the first five", sixth, map(str, found))
    if not ready(one.method):
        yield Finding(where, "levels", "17", "", "no data", missing(one.method))
        return
    levels = [ranked(view, one.method).info["levels"] for view in views]
    yield _one_of(where, "levels", "17", (str(len(each)) for each in levels))
    six = " > ".join(one.order[:6])
    yield _one_of(where, "alone on the first six levels", six, map(_first_six, levels))
    seventh = " and ".join(sorted(one.order[6:8]))
    yield _one_of(
        where, "on the seventh level", seventh, (" and ".join(sorted(each[6])) for each in levels)
    )


def _without(data: Data, agents: Collection[str]) -> Tally:
    counts = tally(data)
    return counts.only([agent for agent in counts.agents if agent not in agents])


def _first_six(levels: Sequence[Collection[str]]) -> str:
    return " > ".join(" = ".join(sorted(level)) for level in levels[:6])


def _one_of(where: str, what: str, printed: str, answers: Iterable[str]) -> Finding:
    """Compare with the answer on the data as they are, then with ties broken."""
    ours, *broken = answers
    if ours == printed:
        return Finding(where, what, printed, ours, "equal")
    if printed in broken:
        why = "ties: a stored tie-break gives it"
        return Finding(where, what, printed, ours, "explained", why)
    return Finding(where, what, printed, ours, "differs")
