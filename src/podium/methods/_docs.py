"""What the docstring of a method says of its formula and its options."""

import inspect
import re
from collections.abc import Callable
from typing import Any

_ARGUMENT = re.compile(r"    (\w+): (.*)")


def formula(call: Callable[..., Any]) -> str:
    r"""Return the formula in a docstring as one line, or nothing.

    >>> from podium.methods.mean import mean
    >>> formula(mean)
    'r_i = \\frac{\\sum_t w_t \\bar s_{ti}}{\\sum_t w_t}'
    """
    _, found, rest = (inspect.getdoc(call) or "").partition(".. math::")
    return " ".join(rest.strip().partition("\n\n")[0].split()) if found else ""


def arguments(call: Callable[..., Any]) -> dict[str, str]:
    """Return what a docstring says of each argument.

    >>> from podium.methods.mean import mean
    >>> arguments(mean)["low"]
    'Agent whose score becomes 0, with "reference".'
    """
    _, _, section = (inspect.getdoc(call) or "").partition("Args:\n")
    said: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if found := _ARGUMENT.fullmatch(line):
            name = found[1]
            said[name] = found[2]
        elif name and line.startswith("        "):
            said[name] += f" {line.strip()}"
        else:
            break
    return said
