"""Kernels that are compiled on their first call, and stay plain Python otherwise.

A kernel is an ordinary function over arrays and numbers. `kernel.plain` runs it
as it stands: for small inputs, which should not pay for importing a compiler,
and in tests, where it is the oracle of the compiled form.
"""

import functools
import hashlib
import os
import tempfile
import types
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function in two forms: plain, and compiled when it is first called.

    Kernels may call other kernels by their global names; compiling one compiles
    those that it names, so nothing is compiled on import.
    """

    def __init__(self, plain: Callable[P, R]) -> None:
        self.plain = plain
        functools.update_wrapper(self, plain)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled form."""
        return self.compiled(*args, **kwargs)

    @cached_property
    def compiled(self) -> Callable[P, R]:
        """The compiled form, read from the cache on disk where it is there."""
        return compiled_function(self.plain)


def kernel(plain: Callable[P, R]) -> Kernel[P, R]:
    """Make a kernel of a module's function.

    >>> @kernel
    ... def double(x: float) -> float:
    ...     return 2 * x
    >>> double.plain(4.0)
    8.0
    """
    return Kernel(plain)


def compiled_function(plain: Callable[P, R], **replaced: Any) -> Callable[P, R]:
    """Compile a function whose global kernels, and names in `replaced`, become compiled ones.

    With `replaced`, one loop serves many steps: each set of steps gives a
    function of its own, cached under a name of its own.
    """
    import numba

    swapped = {name: _compiled(value) for name, value in _names(plain).items()}
    swapped |= {name: _compiled(value) for name, value in replaced.items()}
    suffix = "".join(f"__{_label(value)}" for _, value in sorted(replaced.items()))
    copy = types.FunctionType(plain.__code__, {**plain.__globals__, **swapped}, plain.__name__)
    copy.__qualname__ = plain.__qualname__ + suffix
    copy.__module__ = plain.__module__
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder())
    try:
        result: Callable[P, R] = numba.njit(cache=True, nogil=True)(copy)
    finally:
        settings.CACHE_DIR = before
    return result


def _names(plain: Callable[..., Any]) -> dict[str, Kernel[..., Any]]:
    everywhere = plain.__globals__
    return {
        name: everywhere[name]
        for name in plain.__code__.co_names
        if isinstance(everywhere.get(name), Kernel)
    }


def _compiled(value: Any) -> Any:
    return value.compiled if isinstance(value, Kernel) else value


def _label(value: Any) -> str:
    return str(getattr(value, "__name__", value)).replace(".", "_")


@functools.cache
def cache_folder() -> Path:
    """Make the folder of compiled code: one for each state of the kernels' sources.

    The compiler looks only at the file of the function itself, so that a
    changed kernel would leave its callers in other files as they were. Where
    the home is not writable, code is kept with the temporary files.
    """
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(Path(__file__).parent.parent.rglob("*.py")):
        text = file.read_bytes()
        if b"kernel" in text:
            digest.update(text)
    name = f"kernels-{digest.hexdigest()}"
    chosen = os.environ.get("PODIUM_CACHE")
    home = Path(chosen) if chosen else Path.home() / ".cache" / "podium"
    try:
        (home / name).mkdir(parents=True, exist_ok=True)
    except OSError:
        home = Path(tempfile.gettempdir()) / f"podium-{os.getuid()}"
        (home / name).mkdir(parents=True, exist_ok=True)
    return home / name
