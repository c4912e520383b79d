"""`podium demo`: what podium does, on data that come with it."""

from podium.cli import options as o
from podium.cli._values import Command

app = o.command_app()


@app.command(cls=Command)
def demo(*, seed: o.Seed = 0, jobs: o.Jobs = 1, form: o.FormatOption = o.Format.table) -> None:
    """Show what podium does, on data that come with it."""
    from podium.cli import _tour

    _tour.show_around(seed, jobs, form)
