"""`POST /rank`: a file of data in, a ranking out, made by `podium rank` in a process of its own.

A file of a stranger may be a bomb. It goes to a folder of its own under a name
of ours, what it unpacks to is counted first, and the process that reads it has
little memory and little time.
"""

import asyncio
import gzip
import sys
import tempfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Request, post
from litestar.datastructures import UploadFile
from litestar.params import FromQuery, QueryParameter
from litestar.response import Response
from msgspec import Meta

from podium.errors import DataError
from podium.server.problems import PROBLEMS
from podium.words import listed

UPLOAD_LIMIT = 64 << 20
"""Bytes that a file may have."""

UNPACKED_LIMIT = 256 << 20
"""Bytes that a file may have when it is unpacked."""

MEMORY, SECONDS = 1 << 30, 60
"""What a ranking may use."""

AT_ONCE = 2
"""Rankings of files at the same time."""

TEXT = ("csv", "tsv", "jsonl", "json", "soc", "soi", "toc", "toi", "pgn")
ZIPPED = ("npz", "eval")
ENDINGS = (*TEXT, *(f"{ending}.gz" for ending in TEXT), *ZIPPED, "parquet")
"""Endings of files that are taken."""

TYPES = {"text/csv": "csv", "text/tab-separated-values": "tsv", "application/json": "json"}
"""What a body without a name is, by its content type."""

TEXT_ONLY = r"^[^\x00-\x1f]*$"

Text = Annotated[str, Meta(max_length=1_000, pattern=TEXT_ONLY)]
Line = Annotated[str, QueryParameter(max_length=1_000, pattern=TEXT_ONLY)]
Kind = Literal["scores", "summaries", "matches", "ballots", "game"]
Intervals = Literal["auto", "none", "bootstrap", "sandwich", "posterior"]

_turns = asyncio.Semaphore(AT_ONCE)


@post(
    "/rank",
    status_code=200,
    request_max_body_size=UPLOAD_LIMIT,
    media_type=MediaType.JSON,
    responses=PROBLEMS,
)
async def rank(
    request: Request[Any, Any, Any],
    method: FromQuery[list[Text] | None] = None,
    kind: FromQuery[Kind | None] = None,
    intervals: FromQuery[Intervals] = "none",
    seed: Annotated[int, QueryParameter(ge=0, le=2**53)] = 0,
    filename: Line = "",
    every: Annotated[bool, QueryParameter(name="all")] = False,  # noqa: FBT002, it comes by name
) -> Response[bytes]:
    """Rank a file, sent as the body or as a part of a form.

    Args:
        request: Brings the file.
        method: `NAME[:option=value,...]`, as `podium rank --method` takes it; repeatable.
        kind: What the rows are, where columns leave it open.
        intervals: How intervals are made.
        seed: Start of all chance.
        filename: Name of the file, whose ending says the format, where the body is the file.
        every: Whether to rank by all methods that can read the data.
    """
    options = [f"--intervals={intervals}", f"--seed={seed}"]
    options += [f"--kind={kind}"] if kind else []
    options += [f"--method={one}" for one in method or []] + ["--all"] * every
    return Response((await _answer(request, filename, options))[0], media_type=MediaType.JSON)


async def rank_all(request: Request[Any, Any, Any]) -> tuple[dict[str, Any], str]:
    """Rank the file in a form by all methods; gives the answer, and the name of the file."""
    answer, name = await _answer(request, "", ["--intervals=none", "--all"])
    return msgspec.json.decode(answer, type=dict[str, Any]), name


async def _answer(
    request: Request[Any, Any, Any], filename: str, options: Sequence[str]
) -> tuple[bytes, str]:
    """Rank the file that a request brings; gives what was printed, and the name of the file."""
    with tempfile.TemporaryDirectory(prefix="podium-") as folder:
        path, name = await _kept(request, filename, Path(folder))
        async with _turns:
            await asyncio.to_thread(check_unpacked, path)
            return await _ranked(path, options), name


def ending_of(name: str) -> str:
    """Find the ending of a name that is taken; nothing else of the name is used.

    >>> ending_of("../../etc/Scores.CSV.gz")
    'csv.gz'
    """
    base = PurePosixPath(name.replace("\\", "/")).name.lower()
    fits = [ending for ending in ENDINGS if base.endswith(f".{ending}")]
    if not fits:
        msg = f"the file is named {name[:80]!r}; give a name with one of the endings "
        raise DataError(msg + listed(ENDINGS, 40), field="filename")
    return max(fits, key=len)


async def _kept(request: Request[Any, Any, Any], name: str, folder: Path) -> tuple[Path, str]:
    """Write the file that a request brings into a folder; gives its path, and the name it had."""
    content_type = request.content_type[0]
    if content_type == "multipart/form-data":
        form = await request.form()
        parts = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
        if len(parts) != 1:
            msg = f"the form holds {len(parts)} files; send one"
            raise DataError(msg, field="file")
        named = name or parts[0].filename
        path = folder / f"upload.{ending_of(named)}"
        await _written(path, _blocks(parts[0]))
    else:
        named = name or f"body.{TYPES.get(content_type, '')}"
        path = folder / f"upload.{ending_of(named)}"
        await _written(path, request.stream())
    return path, named


async def _blocks(part: UploadFile) -> AsyncIterator[bytes]:
    while block := await part.read(1 << 20):
        yield block


async def _written(path: Path, blocks: AsyncIterator[bytes]) -> None:
    with path.open("xb") as file:
        async for block in blocks:
            await asyncio.to_thread(file.write, block)


def check_unpacked(path: Path) -> None:
    """Refuse a file that unpacks to more than is allowed."""
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as stream:
                size = 0
                while size <= UNPACKED_LIMIT and (block := stream.read(1 << 20)):
                    size += len(block)
        elif path.suffix.removeprefix(".") in ZIPPED:
            with zipfile.ZipFile(path) as archive:
                size = sum(one.file_size for one in archive.infolist())
        else:
            return
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        msg = f"the file cannot be unpacked: {error}; send it anew"
        raise DataError(msg, field="file") from None
    if size > UNPACKED_LIMIT:
        msg = f"the file unpacks to more than {UNPACKED_LIMIT >> 20} MiB; send less at once"
        raise DataError(msg, field="file")


async def _ranked(path: Path, options: Sequence[str]) -> bytes:
    """Run `podium rank`, confined, and give what it prints."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "podium.server.confined", str(MEMORY), str(SECONDS)),
        *("rank", path.name, *options, "--format=json"),
        cwd=path.parent,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        printed, told = await asyncio.wait_for(child.communicate(), 2 * SECONDS)
    except TimeoutError:
        printed, told = b"", b"it takes too long"
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode == 0:
        return printed
    lines = told.decode("utf-8", "replace").strip().splitlines() or ["it needs too much"]
    short = b"MemoryError" in told
    if child.returncode == 3 and not short:
        raise RuntimeError("\n".join(lines))
    if child.returncode not in (1, 2) or short:
        lines = [f"the ranking was stopped: it needs more than {SECONDS} s or {MEMORY >> 20} MiB"]
    why = lines[-1] if child.returncode == 2 else "\n".join(lines)
    raise DataError(why.removeprefix("podium: ").removeprefix("Error: "), field="file")
