"""Tables 2, 5, 6 and 7 of Lanctot et al. (2025): the Arcade Learning Environment."""

from collections.abc import Iterator

from podium.data.convert import Data
from podium.data.ratings import Ranking
from podium.experiments._columns import answer, compare, order_finding, tiers_text
from podium.experiments._elo import elo_findings
from podium.experiments._published import column, columns
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.experiments._sources import ballots, bundled, missing, ready
from podium.experiments._ties import TieBreak, every_tie_break
from podium.experiments._twins import agrees

TABLES = {"6": "rainbow", "7": "rainbow-plus"}
"""Tables of nine methods, and their data."""

TABLE_2 = {
    ("approval", "kemeny", "iterated-lottery", "ranked-pairs", "schulze"): (
        "rainbow dist_dqn prio_ddqn a3c duel_ddqn ddqn noisy_dqn dqn"
    ),
    ("borda", "copeland"): "rainbow dist_dqn prio_ddqn duel_ddqn a3c ddqn noisy_dqn dqn",
    ("plurality",): "rainbow a3c dist_dqn prio_ddqn duel_ddqn ddqn noisy_dqn dqn",
    ("stv",): "rainbow dist_dqn a3c prio_ddqn duel_ddqn ddqn noisy_dqn dqn",
}
"""Table 2: the methods of each of its columns A to D, and their ranking."""


NOTES = (
    (
        "Three pairs of agents have equal scores on a game (two in pong, one in freeway). "
        "The authors broke such ties by lot, for each method anew; all 8 ways are tried."
    ),
)


@experiment("voting-atari", group="voting", remakes="Tables 2, 5, 6 and 7")
def voting_atari(_: Setting) -> Result:
    """Nine voting methods on Atari, eight agents and ten."""
    findings: list[Finding] = []
    for table, side in (("6", "5-left"), ("7", "5-right")):
        data = bundled(TABLES[table])
        breaks = every_tie_break(ballots(data))
        for one in columns(table):
            findings += [*compare(one, data, breaks), order_finding(one, data, breaks)]
        findings += elo_findings(side, data, breaks)
    data = bundled("rainbow")
    findings += table_2(data, every_tie_break(ballots(data)))
    return Result(
        findings=tuple(findings),
        tables={f"Ranks by method, {name}": rank_rows(t, name) for t, name in TABLES.items()},
        pictures=tuple(_picture(table, name) for table, name in TABLES.items()),
        notes=NOTES,
    )


def rankings(table: str, name: str) -> dict[str, Ranking]:
    """Rank the agents of a table by each of its methods that podium has."""
    return {
        one.printed: answer(one, bundled(name)).ranking
        for one in columns(table)
        if ready(one.method)
    }


def rank_rows(table: str, name: str) -> list[dict[str, object]]:
    """Lay ranks out, a row an agent and a column a method."""
    found = rankings(table, name)
    return [
        {"agent": agent} | {method: ranking.ranks[agent] for method, ranking in found.items()}
        for agent in column(table, "borda").order
    ]


def _picture(table: str, name: str) -> Picture:
    def draw() -> object:
        from podium.plots import rank_chart

        found = rankings(table, name)
        data = rank_chart.x_data(found, column(table, "borda").order)
        return rank_chart.draw(data, f"Table {table}: ranks by method")

    return Picture(f"voting-atari-ranks-{name}", f"Ranks of {name} by method", draw)


def table_2(data: Data, breaks: list[TieBreak]) -> Iterator[Finding]:
    """Compare the rankings of Table 2 with podium's."""
    for letter, (methods, text) in zip("ABCD", TABLE_2.items(), strict=True):
        order = text.split()
        for method in methods:
            where, what, printed = "Table 2", f"{letter}, {method}", " > ".join(order)
            if not ready(method):
                yield Finding(where, what, printed, "", "no data", missing(method))
                continue
            one = column("6", method)
            ours = answer(one, data).ranking
            if agrees(order, ours):
                yield Finding(where, what, printed, tiers_text(ours), "equal")
            elif any(agrees(order, answer(one, b.profile).ranking) for b in breaks):
                yield Finding(where, what, printed, tiers_text(ours), "explained", "ties")
            else:
                why = "no tie gives the order"
                if not agrees(order, answer_of_print(method)):
                    why += f"; Table 6 of the paper itself prints {' > '.join(one.order)}"
                yield Finding(where, what, printed, tiers_text(ours), "differs", why)


def answer_of_print(method: str) -> Ranking:
    """See the printed order of Table 6 as a ranking."""
    return Ranking(method, tuple((agent,) for agent in column("6", method).order), {})
