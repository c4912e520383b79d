"""The experiments of deviation ratings: what they find, and trees against values known by hand."""

import numpy as np
import pytest

from podium.experiments import EXPERIMENTS, VERDICTS, run
from podium.experiments._registry import Result
from podium.experiments._trees import Tree, tree_of
from podium.experiments.deviation_improvement import RATINGS, _curve, worst
from podium.experiments.deviation_shapley import POPULATIONS
from podium.kernels.gains import cce_gap
from podium.plots._altair import svg
from shared import SHARED, shared

GROUP = sorted(one.name for one in EXPERIMENTS if one.group == "deviation")


@pytest.fixture
def shared_data(monkeypatch: pytest.MonkeyPatch) -> None:
    shared("data")
    monkeypatch.setenv("PODIUM_SHARED", str(SHARED))


def verdicts(result: Result) -> dict[str, str]:
    return {f"{one.of} {one.what}".strip(): one.verdict for one in result.findings}


@pytest.mark.parametrize("name", GROUP)
def test_each_runs_without_the_shared_data(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_SHARED", "nowhere")
    (result,) = run([name], seeds=1)
    assert result.findings
    assert result.title
    for finding in result.findings:
        assert finding.verdict in VERDICTS
        assert finding.verdict == "equal" or finding.why


def test_every_printed_fact_of_atari_is_equal() -> None:
    (result,) = run(["deviation-atari"])
    assert set(verdicts(result).values()) == {"equal"}


@pytest.mark.usefixtures("shared_data")
def test_every_printed_fact_of_livebench_is_equal() -> None:
    (result,) = run(["deviation-livebench"])
    assert set(verdicts(result).values()) == {"equal"}


def test_table_1_differs_in_mixtures_alone() -> None:
    (result,) = run(["deviation-properties"])
    differs = {name for name, verdict in verdicts(result).items() if verdict == "differs"}
    known = {"nash-average copies", "nash-average mixtures", "nash-average offsets"}
    assert differs - known == {"deviation mixtures"}


def test_table_2_but_for_a_misprint_and_figure_1() -> None:
    (result,) = run(["deviation-shapley"], seeds=4)
    found = verdicts(result)
    assert [name for name, verdict in found.items() if verdict == "explained"] == [
        "N uniform, in units of 1/964"
    ]
    assert "differs" not in found.values()
    assert sum(name[:1].isdigit() for name in found) == len(POPULATIONS)


def pennies() -> Tree:
    """Matching pennies, where the second player does not see the first one's choice."""
    ends = [(one, two) for one in range(2) for two in range(2)]
    return Tree(
        chance=np.ones(4),
        payoffs=np.array([[1.0, -1, -1, 1], [-1, 1, 1, -1]]),
        sequences=tuple(tuple(((0, end[player]),) for end in ends) for player in range(2)),
        actions=(np.array([2]), np.array([2])),
    )


def test_the_gap_in_the_whole_game() -> None:
    tree = pennies()
    heads, tails = np.array([1.0, 1, 0, 0]), np.array([0.0, 0, 1, 1])
    left, right = np.array([1.0, 0, 1, 0]), np.array([0.0, 1, 0, 1])
    population = [np.array([heads, tails]), np.array([left, right])]
    payoffs = tree.meta_game(population)
    assert payoffs[0].tolist() == [[1, -1], [-1, 1]]
    for joint in ([[0.5, 0], [0, 0.5]], [[0.25, 0.25], [0.25, 0.25]], [[1, 0], [0, 0]]):
        # Here the population holds all pure strategies, so the meta-game is the whole game.
        gap = tree.gap(population, np.array(joint))
        assert gap == pytest.approx(cce_gap(payoffs, np.array(joint)))


def test_ends_are_reached_with_probability_one() -> None:
    tree, rng = pennies(), np.random.default_rng(0)
    both = tree.drawn(0, rng) * tree.drawn(1, rng)
    assert (tree.chance * both).sum() == pytest.approx(1.0)


@pytest.mark.parametrize("rating", RATINGS)
def test_a_population_goes_the_same_way_each_time(rating: str) -> None:
    assert _curve(pennies(), rating, 3) == _curve(pennies(), rating, 3)


def test_the_worst_are_replaced_and_ties_drawn() -> None:
    drawn = {
        tuple(sorted(worst(np.zeros(8), np.random.default_rng(seed)).tolist()))
        for seed in range(50)
    }
    assert len(drawn) > 10


def test_kuhn_poker_of_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    tree = tree_of(pyspiel.load_game("kuhn_poker(players=2)"))
    assert len(tree.chance) == 30
    assert [len(own) for own in tree.actions] == [6, 6]
    population = [tree.drawn(player, np.random.default_rng(0))[None] for player in range(2)]
    assert tree.gap(population, np.ones((1, 1))) > 0


@pytest.mark.parametrize("name", ["deviation-atari", "deviation-shapley"])
def test_pictures_are_drawn(name: str) -> None:
    (result,) = run([name], seeds=1)
    for picture in result.pictures:
        assert svg(picture.draw()).startswith("<svg")
