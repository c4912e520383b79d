"""Options of the commands on studies."""

from typing import Annotated

import typer

from podium.cli import options as o


def complete_study(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a study, from the store that the line names."""
    from podium.cli._places import place
    from podium.errors import PodiumError

    try:
        with place(ctx.params.get("store")) as where:
            return [name for name in where.names() if name.startswith(incomplete)]
    except (PodiumError, OSError):
        return []


def complete_learner(incomplete: str) -> list[str]:
    """Complete the name of a learner."""
    import podium.study.presets  # noqa: F401, importing it fills the registry
    from podium.learners._learner import LEARNERS

    return [name for name in LEARNERS.cards if name.startswith(incomplete)]


def complete_strategy(incomplete: str) -> list[str]:
    """Complete the name of a strategy."""
    import podium.study.presets  # noqa: F401, importing it fills the registry
    from podium.strategies._strategy import STRATEGIES

    return [name for name in STRATEGIES.cards if name.startswith(incomplete)]


Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="Name of the study.",
        autocompletion=complete_study,
        show_default=False,
    ),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="Id of the query, as `ask` gave it.")]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="PODIUM_STORE",
        help="A store or a server (http://...); by default sqlite:///podium.db.",
        is_eager=True,
    ),
]
Agents = Annotated[
    list[str] | None,
    typer.Option(
        "--agents",
        metavar="A,B,..|@FILE",
        help="Agents, or a file with one a line, or one of data; repeatable.",
    ),
]
Tasks = Annotated[
    list[str] | None,
    typer.Option(
        "--tasks",
        metavar="T,U,..|@FILE",
        help="Tasks, or a file with one a line, or one of data; repeatable.",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="How to learn and choose; podium by default.",
        autocompletion=o.complete_preset,
    ),
]
Learner = Annotated[
    str | None,
    typer.Option(
        "--learner",
        metavar="NAME",
        help="Another learner than that of the preset.",
        autocompletion=complete_learner,
    ),
]
Strategy = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="Another strategy than that of the preset.",
        autocompletion=complete_strategy,
    ),
]
Budget = Annotated[
    float | None,
    typer.Option("--budget", metavar="N", help="What all answers may cost; 1 each without costs."),
]
Costs = Annotated[
    str | None,
    typer.Option(
        "--costs",
        metavar="FILE",
        help="CSV or JSON: task,cost of a query; or task,agent,cost of each agent's part.",
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Start of all chance.")]
Confidence = Annotated[
    float | None,
    typer.Option(
        "--confidence", metavar="P", help="Stop when the ranking is right with this probability."
    ),
]
Top = Annotated[
    int | None,
    typer.Option("--top", metavar="K", help="How many of the best matter; all by default."),
]
Limit = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="N|TASK=N",
        help="Scores that an agent may get on a task: the size of its test set; repeatable.",
    ),
]
Noise = Annotated[
    list[str] | None,
    typer.Option(
        "--noise",
        metavar="S|TASK=S",
        help="Standard deviation of repeated scores, if known; 0 is never asked twice; repeatable.",
    ),
]
Forbidden = Annotated[
    list[str] | None,
    typer.Option("--forbidden", metavar="TASK=AGENT", help="Cell never to ask for; repeatable."),
]
Lease = Annotated[
    float | None,
    typer.Option("--lease", metavar="S", help="Seconds to hold a query for; 3600 by default."),
]
Retries = Annotated[
    int | None,
    typer.Option("--retries", metavar="N", help="How often to ask anew what failed; 2 by default."),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="TOML with the flags of `create` and `run` as keys; flags go before it.",
    ),
]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.")]
