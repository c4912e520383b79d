"""What sections 5.1 and 5.2 of Lanctot et al. (2026) say of their results, put to the test."""

from collections.abc import Iterator, Mapping

import numpy as np

from podium.arrays import Floats
from podium.experiments import _active_claims as test
from podium.experiments._active import PRESET_OF, agre, settled, simulated
from podium.experiments._active_claims import Claim
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments.active_figure4 import distances
from podium.experiments.active_figure5 import FAR, PRINTED, WHY, bounds
from podium.kernels.matrix_games import room, solve_game
from podium.simulation.result import Simulation
from podium.worlds import agent57, mallows

CLEAR, MIXED = "phi = 0.3", "phi = 0.6"
TOP, ALL = 3, 8
"""The two numbers of agents that matter."""

START, SOON, LATE = 1_000, 2_000, 6_000
"""Rounds that the text names."""

SIMPLE = ("uniform-averaging", "basic-ucb")
QUICK = (*SIMPLE, "batch-elo", "batch-sco", "proportional-representation")
BATCH = (
    *QUICK, "kemeny-el", "batch-copeland", "batch-maximal-lotteries", "batch-ranked-pairs",
    "batch-nash-averaging",
)  # fmt: skip
"""The algorithms of the first condition."""

MEANS = ("mean-model-copeland", "mean-model-ranked-pairs", "mean-model-maximal-lotteries")
RULES = ("copeland", "ranked-pairs", "maximal-lotteries")
VOTING = (
    *MEANS, "batch-sco", "online-sco", "kemeny-el", "batch-ranked-pairs", "batch-copeland",
    "batch-maximal-lotteries", "online-maximal-lotteries", "proportional-representation",
)  # fmt: skip
"""Algorithms that evaluate by social choice."""

Results = Mapping[str, Simulation]

NEVER = (
    "at phi = 0.6 the true task rankings themselves do not always tell the truth (Table 4): most "
    "algorithms end above 0"
)
ABSTAIN = (
    "mean models and proportional representation err less: with us a task says nothing of agents "
    "that it has not seen. With scores of 0 in their place they err as much as printed"
)
NASH_WORST = "our online Nash averaging errs most, whatever is taken for what the paper leaves open"

NOTES = (
    (
        "Differences are of mean errors (AGRE), preset less preset on the same seeds, up to round "
        "10,000 where nothing else is said, with 95 % intervals."
    ),
    "An error counts as 0 at a round if it was 0 in the 250 rounds before.",
    "Where a sentence speaks of several algorithms, the pair that speaks most against it is told.",
)


@experiment("active-findings", group="active", remakes="Sections 5.1 and 5.2")
def active_findings(setting: Setting) -> Result:
    """What the paper says of its results on synthetic data and on Atari."""
    every = dict.fromkeys(PRESET_OF.values())
    worlds = {where: simulated(every, where, setting) for where in (CLEAR, MIXED, "Atari")}
    seeds = len(next(iter(worlds[CLEAR].values())).runs)
    findings = [
        *first_rounds(worlds),
        *nash(worlds, seeds),
        *high_variation(worlds[MIXED]),
        *long_term(worlds[CLEAR]),
        *batch_and_online(worlds[CLEAR]),
        *atari(worlds["Atari"]),
    ]
    return Result(findings=tuple(findings), notes=NOTES)


def first_rounds(worlds: Mapping[str, Results]) -> Iterator[Finding]:
    """Section 5.1.1 on how fast errors fall."""
    where = "Section 5.1.1"
    zero = Claim(where, "with k = 3 several algorithms bring the error to 0 in 2,000 rounds", NEVER)
    first = Claim(where, "uniform averaging has the least error of the first 1,000 rounds")
    close = Claim(where, "BasicUCB does as well as uniform averaging at first")
    quick = Claim(where, "five algorithms cut the error fastest at the beginning")
    for name in (CLEAR, MIXED):
        batch = {preset: worlds[name][preset] for preset in BATCH}
        reached = {preset: settled(result, TOP, SOON) for preset, result in batch.items()}
        yield test.several(zero, f"{name}, k = {TOP}", reached)
        for k in (TOP, ALL):
            errors = agre(batch, k, START)
            yield test.leaders(first, f"{name}, k = {k}", SIMPLE[:1], errors)
            if name == MIXED:
                yield test.comparable(
                    close, f"{name}, k = {k}", errors["basic-ucb"], errors["uniform-averaging"]
                )
            yield test.leaders(quick, f"{name}, k = {k}", QUICK, errors)


def nash(worlds: Mapping[str, Results], seeds: int) -> Iterator[Finding]:
    """Section 5.1.1 on what the task player of Nash averaging does."""
    where = "Section 5.1.1"
    worst = Claim(where, "Nash averaging errs most of all")
    skewed = Claim(where, "the task player's equilibrium prefers tasks far from the truth")
    astray = Claim(where, "so its ranking is not the truth even where all means are known")
    for name, phi in ((CLEAR, 0.3), (MIXED, 0.6)):
        errors = agre({preset: worlds[name][preset] for preset in BATCH}, TOP)
        yield test.laggards(worst, f"{name}, k = {TOP}", ["batch-nash-averaging"], errors)
        chosen, usual, wrong = np.array([equilibrium(phi, seed) for seed in range(seeds)]).T
        yield test.lower(skewed, f"{name}, true means: mean distance", usual, chosen)
        yield test.most(astray, f"{name}, true means", wrong > 0)


def equilibrium(phi: float, seed: int) -> tuple[float, float, bool]:
    """Give the mean distance of tasks from the truth by their weights and plain; is the order off?

    The weights are those of the task player of Nash averaging on true means.
    """
    instance = mallows(phi=phi).drawn(seed)
    payoffs = np.ascontiguousarray(instance.means.T)
    agents, tasks = payoffs.shape
    first, weights = np.zeros(agents), np.zeros(tasks)
    solve_game(payoffs, agents, tasks, room(agents, tasks), first, weights)
    ratings = (payoffs @ weights)[instance.truth]
    far = distances(instance)
    return float(weights @ far), float(far.mean()), bool((np.diff(ratings) > 0).any())


def high_variation(results: Results) -> Iterator[Finding]:
    """Section 5.1.1 on proportional representation."""
    where, of = "Section 5.1.1", f"{MIXED}, k = {TOP}"
    errors = agre({preset: results[preset] for preset in BATCH}, TOP)
    winner = Claim(where, "proportional representation clearly errs least")
    yield test.leaders(winner, of, ["proportional-representation"], errors)
    reduced = Claim(where, "which its small set of tasks may explain: all tasks do worse")
    pair = (results["proportional-representation"], results["mean-model-ranked-pairs"])
    yield test.lower(reduced, of, *(result.agre_by_seed(TOP) for result in pair))


def long_term(results: Results) -> Iterator[Finding]:
    """Section 5.1.1 on Table 2."""
    where, batch = "Section 5.1.1", {preset: results[preset] for preset in BATCH}
    top, whole = agre(batch, TOP), agre(batch, ALL)
    both = Claim(where, "BasicUCB and uniform averaging have the least errors of Table 2")
    yield test.leaders(both, f"{CLEAR}, k = {TOP}", SIMPLE, top)
    one = Claim(where, "uniform averaging has the least error of Table 2")
    yield test.leaders(one, f"{CLEAR}, k = {ALL}", SIMPLE[:1], whole)
    elo = Claim(where, "BatchElo reduces the error fast, too: before all batch voting methods")
    rest = [preset for preset in BATCH if preset not in (*SIMPLE, QUICK[-1])]
    for k, errors in ((TOP, top), (ALL, whole)):
        shown = {preset: errors[preset] for preset in rest}
        yield test.leaders(elo, f"{CLEAR}, k = {k}", ["batch-elo"], shown)


def batch_and_online(results: Results) -> Iterator[Finding]:
    """Section 5.1.2."""
    where, of = "Section 5.1.2", f"{CLEAR}, k = {TOP}"
    errors = agre(results, TOP)
    last = next(iter(results.values())).rounds
    zero = Claim(where, "the error reaches 0 before round 10,000")
    for name in ("batch-sco", "batch-elo", "online-elo", QUICK[-1], *MEANS):
        yield test.most(zero, f"{of}, {name}", settled(results[name], TOP, last))
    for rule, text in (("maximal-lotteries", "faster"), ("nash-averaging", "slower")):
        claim = Claim(where, f"the batch form of {rule} is {text} than the online form")
        pair = [errors[f"batch-{rule}"], errors[f"online-{rule}"]]
        yield test.lower(claim, of, *(pair if text == "faster" else reversed(pair)))
    for rule in RULES:
        claim = Claim(where, "mean models are faster than batches of the same rule")
        yield test.lower(
            claim, f"{of}, {rule}", errors[f"mean-model-{rule}"], errors[f"batch-{rule}"]
        )
    claim = Claim(where, "proportional representation is faster than a batch of its rule")
    yield test.lower(claim, of, errors[QUICK[-1]], errors["batch-ranked-pairs"])
    for name in MEANS[1:]:
        claim = Claim(where, "the error reaches 0 before round 6,000")
        yield test.most(claim, f"{of}, {name}", settled(results[name], TOP, LATE))


def atari(results: Results) -> Iterator[Finding]:
    """Section 5.2.1, of the sixteen algorithms of Table 3."""
    where = "Section 5.2.1"
    table = {name: one for name, one in results.items() if name != "batch-nash-averaging"}
    best = Claim(where, "BatchSCO errs least", ABSTAIN)
    second = Claim(where, "OnlineSCO is next", ABSTAIN)
    five = Claim(where, "five of the first six are voting methods")
    last = Claim(where, "BasicUCB and uniform averaging err most", NASH_WORST)
    poor = Claim(where, "Nash averaging errs more than all but these two")
    for k in (TOP, ALL):
        of, errors = f"Atari, k = {k}", agre(table, k)
        yield test.leaders(best, of, ["batch-sco"], errors)
        yield test.leaders(second, of, ["online-sco"], without(errors, "batch-sco"))
        yield test.votes_among(five, of, 5, 6, VOTING, errors)
        yield test.laggards(last, of, SIMPLE, errors)
        yield test.laggards(poor, of, ["online-nash-averaging"], without(errors, *SIMPLE))
    lost, won = ((found >= FAR).sum() for found in bounds(agent57().drawn(0)))
    claim = Claim(where, f"games at a distance of {FAR} or more", WHY.format(least=lost, most=won))
    ours = f"{lost} to {won} of 57, by its ties"
    yield test.stated(claim, "Atari", f"{PRINTED} of 57", ours, holds=bool(lost <= PRINTED <= won))


def without(errors: Mapping[str, Floats], *names: str) -> dict[str, Floats]:
    """Leave some presets out."""
    return {name: values for name, values in errors.items() if name not in names}
