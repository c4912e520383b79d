"""What the commands on studies do."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from podium.cli import _study_answers as answers
from podium.cli._places import local, place
from podium.cli._requests import Reading
from podium.cli._study_parts import configured, parts_of, scores_of
from podium.cli.options import Format
from podium.errors import DataError
from podium.study.words import state
from podium.words import counted


def create(
    name: str, told: Mapping[str, Any], file: str | None, url: str | None, form: Format
) -> None:
    """Begin a study."""
    given = configured(file, {**told, "store": url})
    for part in ("agents", "tasks"):
        if part not in given:
            msg = f"no {part} were given; name them with --{part} A,B, or --{part} @FILE"
            raise DataError(msg)
    parts = parts_of(given)
    with place(given.get("store"), new=True) as where:
        spec = where.create(name, **parts).spec
        url = where.url
    sizes = f"{counted(len(spec.agents), 'agent')}, {counted(len(spec.tasks), 'task')}"
    run = shlex.join(["podium", "study", "run", name])
    answers.write_said(
        form,
        {"study": name, "store": url, "spec": spec.to_dict()},
        f"Study {name} is in {url}: {sizes}, preset {spec.preset}.",
        f"Next: {run}{_store_flag(given.get('store'))} -- COMMAND {{task}} {{agent}}",
    )


def _store_flag(url: str | None) -> str:
    """Give the flag that names a store other than the usual one."""
    return f" --store {shlex.quote(url)}" if url else ""


def ask(name: str, count: int, url: str | None, form: Format) -> None:
    """Hand out queries."""
    with place(url) as where:
        study = where.open(name)
        queries = study.ask(count)
        why = "" if queries else study.stopped
    answers.write_queries(form, name, queries, why, _store_flag(url))


def tell(name: str, id_: str, texts: Sequence[str], url: str | None, form: Format) -> None:
    """Tell the answer to a query."""
    with place(url) as where:
        told = where.open(name).tell(id_, scores_of(texts))
    what = "is answered" if told.state == "told" else "has some scores, and waits for the others"
    before = "" if told.new else ", as it was before: this changed nothing"
    document = {"study": name, "id": id_, "state": told.state, "new": told.new}
    answers.write_said(form, document, f"{id_} {what}{before}.")


def fail(name: str, id_: str, why: str, url: str | None, form: Format) -> None:
    """Say that a query could not be evaluated."""
    with place(url) as where:
        again = where.open(name).fail(id_, why)
    answers.write_said(
        form,
        {"study": name, "id": id_, "again": again},
        f"{id_} will {'' if again else 'not '}be asked again.",
    )


def skip(name: str, id_: str, why: str, url: str | None, form: Format) -> None:
    """Say that a query shall not be evaluated."""
    with place(url) as where:
        where.open(name).skip(id_, why)
    answers.write_said(form, {"study": name, "id": id_, "skipped": True}, f"{id_} is skipped.")


def renew(name: str, id_: str, token: str, url: str | None, form: Format) -> None:
    """Hold a query for longer."""
    with place(url) as where:
        until = answers.stamp(where.open(name).renew(id_, token))
    document = {"study": name, "id": id_, "expires": until}
    answers.write_said(form, document, f"{id_} is held until {until}.")


def add(name: str, reading: Reading, url: str | None, form: Format) -> None:
    """Take in results that nobody asked for."""
    data = reading.load()
    with place(url) as where:
        added = where.open(name).add(data)
    answers.write_said(
        form, {"study": name, "added": added}, f"{counted(added, 'score')} added to {name}."
    )


def extend(name: str, told: Mapping[str, Any], url: str | None, form: Format) -> None:
    """Add agents, tasks or budget."""
    given = configured(None, told)
    if not given:
        msg = "nothing to add was given; see podium study extend --help"
        raise DataError(msg)
    with place(url) as where:
        study = where.open(name)
        spec = study.spec
        study.extend(**parts_of(given, spec.agents, spec.tasks))
        spec = study.spec
    sizes = f"{counted(len(spec.agents), 'agent')}, {counted(len(spec.tasks), 'task')}"
    bound = "" if spec.budget is None else f", budget {spec.budget:g}"
    answers.write_said(
        form, {"study": name, "spec": spec.to_dict()}, f"Study {name} has {sizes}{bound} now."
    )


def change(name: str, verb: str, url: str | None, form: Format, **how: Any) -> None:
    """Pause, resume or finish a study."""
    with place(url) as where:
        study = where.open(name)
        getattr(study, verb)(**how)
        status = study.status()
    now = state(status)
    answers.write_said(form, {"study": name, "state": now}, f"Study {name}: {now}.")


def ranking(name: str, level: float, url: str | None, form: Format) -> None:
    """Rank by all answers so far."""
    with place(url) as where:
        found = where.open(name).ranking(level)
    answers.write_ranking(form, found)


def status(name: str, url: str | None, form: Format) -> None:
    """Say how a study stands."""
    with place(url) as where:
        found = where.open(name).status()
    answers.write_status(form, found)


def next_query(name: str, url: str | None, form: Format) -> None:
    """Say what would be asked next."""
    with place(url) as where:
        study = where.open(name)
        found = study.next()
        reason = "" if found else study.stopped
    answers.write_next(form, found, reason)


def forecast(
    name: str, confidence: float | None, top: int | None, url: str | None, form: Format
) -> None:
    """Say how many more answers it will take."""
    with place(url) as where:
        found = where.open(name).forecast(confidence, top)
    answers.write_forecast(form, found)


def log(name: str, after: int, limit: int | None, url: str | None, form: Format) -> None:
    """List the entries of the log."""
    with place(url) as where:
        entries = where.open(name).log(after, limit)
    answers.write_log(form, entries, after)


def list_all(url: str | None, form: Format) -> None:
    """List the studies of a place."""
    with place(url) as where:
        found = [where.open(name).status() for name in where.names()]
        url = where.url
    answers.write_studies(form, found, url)


def delete(name: str, url: str | None, form: Format) -> None:
    """Forget a study."""
    with place(url) as where:
        where.delete(name)
    answers.write_said(form, {"study": name, "deleted": True}, f"Study {name} is deleted.")


def export(name: str, out: str | None, url: str | None) -> None:
    """Write a study to a file or to standard output."""
    import sys

    from podium.study.transfer import exported

    with local(url) as store:
        lines = exported(store, name)
        if out is None:
            sys.stdout.writelines(lines)
            return
        first = next(lines)  # a study that is not there leaves no file
        with Path(out).open("w", encoding="utf-8") as file:
            file.write(first)
            file.writelines(lines)


def import_file(source: str, name: str | None, url: str | None, form: Format) -> None:
    """Read a study from a file."""
    from podium.study.transfer import imported

    with local(url, new=True) as store, Path(source).open(encoding="utf-8") as file:
        name = imported(store, file, source, name)
        url = store.url
    answers.write_said(
        form, {"study": name, "store": url}, f"Study {name} is in {url}, with its whole log."
    )
