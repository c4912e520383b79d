"""Kernels that are compiled on their first call, and stay plain Python otherwise.

A kernel is an ordinary function over arrays and numbers. `kernel.plain` runs it
as it stands, and the kernels that it names too: for small inputs, which should
not pay for importing a compiler, and in tests, where it is the oracle of the
compiled form.
"""

import functools
import hashlib
import importlib
import os
import sys
import tempfile
import types
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

LONGEST_LABEL = 120
"""A longer name of a compiled function is cut to a digest."""


class Kernel(Generic[P, R]):
    """A function in two forms: plain, and compiled when it is first called.

    Kernels may call other kernels by their global names; compiling one compiles
    those that it names, so nothing is compiled on import.
    """

    def __init__(self, source: Callable[P, R], parts: Mapping[str, Any] | None = None) -> None:
        self.source = source
        self.parts = dict(parts or {})
        functools.update_wrapper(self, source)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled form."""
        return self.compiled(*args, **kwargs)

    @cached_property
    def plain(self) -> Callable[P, R]:
        """The plain form: Python down to the last kernel that it names."""
        return _bound(self.source, {name: _plain(v) for name, v in self._named().items()})

    @cached_property
    def compiled(self) -> Callable[P, R]:
        """The compiled form, read from the cache on disk where it is there."""
        return compiled_function(self.source, **self.parts)

    def having(self, **parts: Any) -> "Kernel[P, R]":
        """Give a kernel of the same source with other kernels under some of its global names.

        One loop serves many steps: each set of steps gives a kernel of its own.

        >>> @kernel
        ... def twice(x: float) -> float:
        ...     return step(step(x))
        >>> step = None  # a name to be filled
        >>> @kernel
        ... def halve(x: float) -> float:
        ...     return x / 2
        >>> twice.having(step=halve).plain(8.0)
        2.0
        """
        return Kernel(self.source, self.parts | parts)

    @property
    def label(self) -> str:
        """The name that tells this kernel from all others, those of the same source too."""
        module = self.source.__module__.rpartition(".")[2]
        return _joined(f"{module}_{self.source.__name__}", self.parts)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Kernel) and self.source is other.source and self.parts == other.parts
        )

    def __hash__(self) -> int:
        return hash((self.source, tuple(sorted(self.parts))))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Travel to other processes by name, so that they find what they compiled before."""
        module, name = self.source.__module__, self.source.__name__
        known = getattr(sys.modules.get(module), name, None)
        if isinstance(known, Kernel) and known.source is self.source and module != "__main__":
            return _found, (module, name, self.parts)
        return Kernel, (self.source, self.parts)

    def _named(self) -> dict[str, Any]:
        return _names(self.source) | self.parts


def _found(module: str, name: str, parts: Mapping[str, Any]) -> "Kernel[..., Any]":
    """Give the kernel that stands under a name, with other kernels under some of its names."""
    known: Kernel[..., Any] = getattr(importlib.import_module(module), name)
    return known.having(**parts) if parts else known


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

    Each set of replacements gives a function of its own, cached under a name of
    its own.
    """
    import numba

    named = _names(plain) | replaced
    copy = _bound(plain, {name: _compiled(value) for name, value in named.items()})
    copy.__qualname__ = _joined(plain.__qualname__, replaced)
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


def _bound(source: Callable[P, R], swapped: Mapping[str, Any]) -> Callable[P, R]:
    """Copy a function, with other things under some of its global names."""
    names = {**source.__globals__, **swapped}
    copy = types.FunctionType(source.__code__, names, source.__name__, source.__defaults__)
    copy.__doc__, copy.__module__ = source.__doc__, source.__module__
    return copy


def _compiled(value: Any) -> Any:
    return value.compiled if isinstance(value, Kernel) else value


def _plain(value: Any) -> Any:
    return value.plain if isinstance(value, Kernel) else value


def _joined(name: str, parts: Mapping[str, Any]) -> str:
    """Name a function by its parts too; long names become a digest, as files are named by them."""
    labels = [_label(value) for _, value in sorted(parts.items())]
    full = "__".join([name, *labels])
    if len(full) <= LONGEST_LABEL:
        return full
    return f"{name}__{hashlib.blake2b(full.encode(), digest_size=8).hexdigest()}"


def _label(value: Any) -> str:
    if isinstance(value, Kernel):
        return value.label
    return str(getattr(value, "__name__", value)).replace(".", "_")


@functools.cache
def sources_digest() -> str:
    """Give one short text for each state of the kernels' sources."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(Path(__file__).parent.parent.rglob("*.py")):
        text = file.read_bytes()
        if b"kernel" in text:
            digest.update(text)
    return digest.hexdigest()


@functools.cache
def cache_folder() -> Path:
    """Make the folder of compiled code: one for each state of the kernels' sources.

    The compiler looks only at the file of the function itself, so that a
    changed kernel would leave its callers in other files as they were. Where
    the home is not writable, code is kept with the temporary files.
    """
    name = f"kernels-{sources_digest()}"
    chosen = os.environ.get("PODIUM_CACHE")
    home = Path(chosen) if chosen else Path.home() / ".cache" / "podium"
    try:
        (home / name).mkdir(parents=True, exist_ok=True)
    except OSError:
        home = Path(tempfile.gettempdir()) / f"podium-{os.getuid()}"
        (home / name).mkdir(parents=True, exist_ok=True)
    return home / name
