"""Servers of podium in processes of their own, as users run them."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


def free_port() -> int:
    """Find a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Server:
    """A server on one port, to be started, killed and started again."""

    def __init__(self, store: str, *options: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "podium.cli.main", "serve", "--store", store]
        self._command += ["--port", str(self.port), *options]
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> "Server":
        """Start it, and wait until it listens."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.url in self.process.stdout.readline()
        return self

    def kill(self) -> None:
        """End it without a warning."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def stop(self) -> int:
        """Ask it to end, and give its exit status."""
        assert self.process is not None
        self.process.terminate()
        self.process.communicate(timeout=30)
        return self.process.returncode


@contextlib.contextmanager
def serving(store: str | Path, *options: str) -> Iterator[Server]:
    """Run a server for a while."""
    url = store if isinstance(store, str) else f"sqlite:///{store}"
    server = Server(url, *options).start()
    try:
        yield server
    finally:
        assert server.process is not None
        if server.process.poll() is None:
            server.kill()


def environment(**more: str) -> dict[str, str]:
    """Give the environment of a process, with some more of it."""
    return {**os.environ, **more}
