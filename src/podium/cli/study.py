"""`podium study`: ask what to evaluate next, and tell what came out."""

import sys
from typing import Annotated

import typer

from podium.cli import _study_options as so
from podium.cli import options as o
from podium.cli._values import Command, Group

app = o.command_app()


@app.callback(cls=Group, no_args_is_help=True)
def study() -> None:
    """Ask what to evaluate next, tell what came out, and see who is best."""


@app.command(
    cls=Command,
    epilog="Example: podium study create llms --agents gpt,claude,llama --tasks @tasks.txt "
    "--budget 500 --confidence 0.95 --top 1",
)
def create(
    name: so.Name,
    *,
    agents: so.Agents = None,
    tasks: so.Tasks = None,
    preset: so.Preset = None,
    learner: so.Learner = None,
    strategy: so.Strategy = None,
    budget: so.Budget = None,
    costs: so.Costs = None,
    seed: so.Seed = None,
    confidence: so.Confidence = None,
    top: so.Top = None,
    limit: so.Limit = None,
    noise: so.Noise = None,
    forbidden: so.Forbidden = None,
    lease: so.Lease = None,
    retries: so.Retries = None,
    config: so.Config = None,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Begin a study."""
    from podium.cli import _studies

    told = {
        "agents": agents,
        "tasks": tasks,
        "preset": preset,
        "learner": learner,
        "strategy": strategy,
        "budget": budget,
        "costs": costs,
        "seed": seed,
        "confidence": confidence,
        "top": top,
        "limit": limit,
        "noise": noise,
        "forbidden": forbidden,
        "lease": lease,
        "retries": retries,
    }
    _studies.create(name, told, config, store, form)


@app.command(cls=Command)
def ask(
    name: so.Name,
    *,
    count: Annotated[
        int, typer.Option("--count", metavar="K", help="How many queries to hand out.")
    ] = 1,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Say what to evaluate next, and hold it for whoever asked."""
    from podium.cli import _studies

    _studies.ask(name, count, store, form)


@app.command(cls=Command, epilog="Example: podium study tell llms q1 gpt=0.71 claude=0.74")
def tell(
    name: so.Name,
    id_: so.Id,
    score: Annotated[
        list[str], typer.Argument(metavar="AGENT=SCORE...", help="A score for each agent.")
    ],
    *,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Tell the answer to a query.

    Telling the same again changes nothing; telling another answer is an error.
    """
    from podium.cli import _studies

    _studies.tell(name, id_, score, store, form)


@app.command(cls=Command)
def fail(
    name: so.Name,
    id_: so.Id,
    *,
    why: so.Why = "no reason was given",
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Say that a query could not be evaluated; it may be asked again."""
    from podium.cli import _studies

    _studies.fail(name, id_, why, store, form)


@app.command(cls=Command)
def skip(
    name: so.Name,
    id_: so.Id,
    *,
    why: so.Why = "",
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Say that a query shall not be evaluated at all."""
    from podium.cli import _studies

    _studies.skip(name, id_, why, store, form)


@app.command(cls=Command)
def renew(
    name: so.Name,
    id_: so.Id,
    *,
    token: Annotated[
        str, typer.Option("--token", metavar="TOKEN", help="The lease token that `ask` gave.")
    ],
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Hold a query for another whole lease."""
    from podium.cli import _studies

    _studies.renew(name, id_, token, store, form)


@app.command(cls=Command)
def add(
    name: so.Name,
    data: o.Source,
    *,
    lower_is_better: o.LowerIsBetter = None,
    column: o.ColumnOption = None,
    metric: o.MetricOption = None,
    skip_bad_rows: o.SkipBadRows = False,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Take in results that nobody asked for, such as those of old logs."""
    from podium.cli import _studies
    from podium.cli._requests import Reading

    reading = Reading(
        data,
        skip_bad_rows=skip_bad_rows,
        lower_is_better=lower_is_better,
        column=column,
        metric=metric,
    )
    _studies.add(name, reading, store, form)


@app.command(
    cls=Command,
    epilog="Examples: podium study run llms --workers 4 -- python evaluate.py {task} {agent}; "
    "podium study run llms --python evaluate:score",
)
def run(
    name: so.Name,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="-- CMD {task} {agent}",
            help="Command that prints a score last; with {agents}, a JSON object of scores.",
            show_default=False,
        ),
    ] = None,
    *,
    python: Annotated[
        str | None,
        typer.Option(
            "--python",
            metavar="MODULE:FUNCTION",
            help="Function of task and agents that gives the score of each agent.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", help="Evaluations at the same time; 1 by default."),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", metavar="S", help="Seconds after which an evaluation is ended."),
    ] = None,
    failures: Annotated[
        int | None,
        typer.Option(
            "--failures", metavar="N", help="Stop after so many failures in a row; 10 by default."
        ),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            "--log", metavar="FILE", help="Add what commands print to a file, a line of JSON each."
        ),
    ] = None,
    progress: Annotated[
        str | None,
        typer.Option(
            "--progress",
            metavar="auto|live|plain|none",
            help="What to show on standard error; auto is live on a terminal, else none.",
        ),
    ] = None,
    config: so.Config = None,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Evaluate what the study asks until it stops.

    CMD is run without a shell, once for each agent: {task} and {agent} are filled
    in, and stand in PODIUM_TASK and PODIUM_AGENT too. The last number that it
    prints is the score. With {agents}, a JSON list, it is run once a query and
    prints a JSON object of scores last. Another exit status than 0 is a failure,
    which is asked again as often as the study allows.

    Ctrl-C hands open queries back; the same command goes on.
    """
    from podium.cli import _study_run

    told = {
        "command": command,
        "python": python,
        "workers": workers,
        "timeout": timeout,
        "failures": failures,
        "log": log,
        "progress": progress,
    }
    _study_run.run_study(name, told, config, store, form)


@app.command(cls=Command)
def ranking(
    name: so.Name,
    *,
    level: o.Level = 0.95,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Rank the agents by all answers so far.

    The ranks that each could have are those of the posterior of the true ranking.
    """
    from podium.cli import _studies

    _studies.ranking(name, level, store, form)


@app.command(cls=Command)
def status(name: so.Name, *, store: so.Store = None, form: o.FormatOption = o.Format.table) -> None:
    """Say what a study spent, what it covers, how certain it is."""
    from podium.cli import _studies

    _studies.status(name, store, form)


@app.command("next", cls=Command)
def next_query(
    name: so.Name, *, store: so.Store = None, form: o.FormatOption = o.Format.table
) -> None:
    """Say what would be asked next, and why, without handing it out."""
    from podium.cli import _studies

    _studies.next_query(name, store, form)


@app.command(cls=Command)
def forecast(
    name: so.Name,
    *,
    confidence: so.Confidence = None,
    top: so.Top = None,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Say how many more answers a wanted confidence will take.

    Of five such studies, four would take a number within the band.
    """
    from podium.cli import _studies

    _studies.forecast(name, confidence, top, store, form)


@app.command(cls=Command)
def log(
    name: so.Name,
    *,
    after: Annotated[
        int, typer.Option("--after", metavar="SEQ", help="Begin behind this entry.")
    ] = 0,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", help="List so many entries at most.")
    ] = None,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """List all that happened to a study, in order."""
    from podium.cli import _studies

    _studies.log(name, after, limit, store, form)


@app.command("list", cls=Command)
def list_all(*, store: so.Store = None, form: o.FormatOption = o.Format.table) -> None:
    """List the studies of a store."""
    from podium.cli import _studies

    _studies.list_all(store, form)


@app.command(cls=Command)
def delete(
    name: so.Name,
    *,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask whether it is meant.")
    ] = False,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Forget a study and all its answers."""
    from podium.cli import _studies

    if not yes and not sys.stdin.isatty():
        msg = "this forgets all answers; give --yes if that is meant"
        raise typer.BadParameter(msg)
    if not yes:
        typer.confirm(f"Delete the study {name!r} and all its answers?", abort=True, err=True)
    _studies.delete(name, store, form)


@app.command(cls=Command, epilog="Example: podium study export llms -o llms.jsonl")
def export(
    name: so.Name,
    *,
    out: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="File to write, else to standard output."
        ),
    ] = None,
    store: so.Store = None,
) -> None:
    """Write a study to one file, a line of JSON an entry."""
    from podium.cli import _studies

    _studies.export(name, out, store)


@app.command("import", cls=Command)
def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that `export` wrote.")],
    *,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Another name for the study.")
    ] = None,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Read a study from a file into a store.

    It goes on there as it would have where it comes from. What is damaged is told
    by line, and nothing is kept then.
    """
    from podium.cli import _studies

    _studies.import_file(file, name, store, form)


@app.command(cls=Command, epilog="Example: podium study extend llms --agents mistral --budget 100")
def extend(
    name: so.Name,
    *,
    agents: so.Agents = None,
    tasks: so.Tasks = None,
    budget: so.Budget = None,
    costs: so.Costs = None,
    limit: so.Limit = None,
    noise: so.Noise = None,
    forbidden: so.Forbidden = None,
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Add agents, tasks or budget.

    Costs, limits, noise and forbidden cells may be said of new ones.
    """
    from podium.cli import _studies

    told = {
        "agents": agents,
        "tasks": tasks,
        "budget": budget,
        "costs": costs,
        "limit": limit,
        "noise": noise,
        "forbidden": forbidden,
    }
    _studies.extend(name, told, store, form)


@app.command(cls=Command)
def pause(name: so.Name, *, store: so.Store = None, form: o.FormatOption = o.Format.table) -> None:
    """Ask nothing more until `resume`; answers still count."""
    from podium.cli import _studies

    _studies.change(name, "pause", store, form)


@app.command(cls=Command)
def resume(name: so.Name, *, store: so.Store = None, form: o.FormatOption = o.Format.table) -> None:
    """Ask again after `pause` or `finish`."""
    from podium.cli import _studies

    _studies.change(name, "resume", store, form)


@app.command(cls=Command)
def finish(
    name: so.Name,
    *,
    why: so.Why = "",
    store: so.Store = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Ask nothing more."""
    from podium.cli import _studies

    _studies.change(name, "finish", store, form, why=why)
