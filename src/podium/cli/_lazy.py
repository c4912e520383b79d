"""The group of all commands, each loaded when it is used."""

import importlib
from typing import Any

import typer

from podium.cli._exits import exit_statuses
from podium.cli._values import Group

COMMANDS = {
    "rank": "Rank the agents of DATA.",
    "compare": "Rank by every method, side by side; or set two agents against each other.",
    "inspect": "Say what there is in DATA: winners, cycles, clones, gaps.",
    "report": "Write all there is to tell of DATA or a study into one page.",
    "methods": "List the methods, or show one in full.",
    "convert": "Write the data of one file in another format.",
    "data": "List, show and export the data that come with podium.",
    "study": "Ask what to evaluate next, tell what came out, and see who is best.",
    "simulate": "Let presets find out the true ranking of a world, and tell how fast they do.",
    "serve": "Serve studies over HTTP, to workers and to people.",
    "reproduce": "Remake the tables and figures of the papers.",
    "demo": "Show what podium does, on data that come with it.",
}
"""Name of each command to its summary, told here so that listing them loads none."""


class Lazy(Group):
    """A group that lists its commands without loading them."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Name the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """Load the file of one command."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            module = importlib.import_module(f"podium.cli.{cmd_name}")
            command: Any = typer.main.get_command(module.app)
            self.commands[cmd_name] = command
        return self.commands[cmd_name]

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write the summaries of all commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that was asked for, or name those that are near."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what goes wrong becomes an exit status."""
        with exit_statuses():
            return super().invoke(ctx)
