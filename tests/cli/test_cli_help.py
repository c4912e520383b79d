"""The help: complete, plain, and the same in the list and in the command."""

import importlib
from typing import Any

import pytest
import typer

from commands import invoke, run
from podium.cli._lazy import COMMANDS
from podium.cli.main import app

GROUPS = ("data", "study")
EACH = [
    *((name,) for name in COMMANDS),
    *(
        (group, info.name or info.callback.__name__)
        for group in GROUPS
        for info in importlib.import_module(f"podium.cli.{group}").app.registered_commands
    ),
]


def command_of(names: tuple[str, ...]) -> Any:
    command: Any = typer.main.get_command(app)
    for name in names:
        command = command.get_command(None, name) if hasattr(command, "get_command") else None
    return command


def test_every_file_of_a_command_is_listed() -> None:
    import pkgutil

    import podium.cli

    files = {file.name for file in pkgutil.iter_modules(podium.cli.__path__)}
    own = {"main", "options", "output"}
    assert {name for name in files if not name.startswith("_")} - own == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_listed_summary_is_that_of_the_command(name: str) -> None:
    module = importlib.import_module(f"podium.cli.{name}")
    said = typer.main.get_command(module.app).help or ""
    assert said.partition("\n")[0].startswith(COMMANDS[name].rstrip("."))


@pytest.mark.parametrize("names", EACH, ids=" ".join)
def test_every_option_is_explained_in_one_plain_line(names: tuple[str, ...]) -> None:
    command = command_of(names)
    for param in command.params:
        said = param.help or ""
        assert said.endswith("."), param.name
        assert "\n" not in said
        assert len(said) <= 110, param.name


@pytest.mark.parametrize("names", EACH, ids=" ".join)
def test_help_is_plain(names: tuple[str, ...]) -> None:
    shown = invoke(*names, "--help")
    assert shown.exit_code == 0
    assert "\x1b" not in shown.stdout
    assert shown.stdout.startswith(f"Usage: podium {' '.join(names)}")


def test_short_help_option() -> None:
    assert invoke("rank", "-h").stdout == invoke("rank", "--help").stdout


def test_no_arguments_show_the_help() -> None:
    shown = run()
    assert "Commands:" in shown.stdout + shown.stderr


def test_near_names_are_hinted() -> None:
    assert "Did you mean 'compare'?" in invoke("compair").stderr


def test_version() -> None:
    import podium

    assert invoke("--version").stdout == f"podium {podium.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell: str) -> None:
    # Without detection: it would ask which shell the tests were started from.
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = run("--show-completion", shell, env=named)
    assert shown.returncode == 0
    assert "_PODIUM_COMPLETE" in shown.stdout


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("podium comp", {"compare"}),
        ("podium rank --method cop", {"copeland"}),
        ("podium rank agent5", {"agent57"}),
        ("podium data sh", {"show"}),
        ("podium study ra", {"ranking"}),
        ("podium study create s --preset batch-e", {"batch-elo"}),
        ("podium study create s --strategy agent", {"agent-ucb"}),
        ("podium rank --rep", {"--replicates"}),
    ],
)
def test_completion(words: str, wanted: set[str]) -> None:
    last = str(len(words.split()) - 1)
    env = {"_PODIUM_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": last}
    assert set(run(env=env).stdout.split()) == wanted
