"""What the bytes of a CSV or TSV file tell, before anything splits them into fields."""

import codecs
import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from podium.importers.files import File, check_start, refuse_byte

QUOTE = b'"'


class Survey(NamedTuple):
    """What the bytes of a file tell.

    Attributes:
        plain: Whether DuckDB splits such a file into fields as Python does: every
            quote opens or closes a field or stands for itself inside of one, and
            there are no lines that start with a blank, returns without a line
            end, nor a header with quotes.
        separators: How many there are outside of quotes.
        open_ends: Whether a line may end with an empty field.
    """

    plain: bool
    separators: int
    open_ends: bool


def survey(file: File, separator: str) -> Survey:
    """Check all bytes of a file, block by block; refuse those that are no text in UTF-8."""
    mark = separator.encode()
    plain, separators, open_ends, inside = True, 0, False, False
    tail = b"\n\n"  # as if the file stood behind empty lines
    for number, block in enumerate(_checked(file)):
        if not number:
            plain = _has_plain_header(block)
        window = tail + block
        found = _fields(window, mark, inside=inside)
        separators, inside = separators + found.separators, found.inside
        plain = plain and found.tidy and not _differs(window)
        open_ends = open_ends or _has_open_end(window, mark)
        tail = window[-2:]
    rest = tail + b"\n"
    found = _fields(rest, mark, inside=inside)
    return Survey(
        plain=plain and found.tidy and not found.inside and not tail.endswith(b"\r"),
        separators=separators + found.separators,
        open_ends=open_ends or _has_open_end(rest, mark),
    )


def _checked(file: File) -> Iterator[bytes]:
    """Go through the blocks of a file, demanding UTF-8 without NUL."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    blocks = file.blocks()
    first = next(blocks, b"")
    check_start(file, first)
    line = 1
    for block in itertools.chain([first], blocks):
        _check_block(file, decoder, block, line)
        line += block.count(b"\n")
        yield block
    if held := decoder.getstate()[0]:
        refuse_byte(file, held[0], line)


def _check_block(file: File, decoder: codecs.IncrementalDecoder, block: bytes, line: int) -> None:
    """Demand UTF-8 without NUL in a block that starts on a line."""
    try:
        decoder.decode(block)
    except UnicodeDecodeError as error:
        held = len(error.object) - len(block)  # bytes of the block before
        ends = block.count(b"\n", 0, max(error.start - held, 0))
        refuse_byte(file, error.object[error.start], line + ends)
    if b"\0" in block:
        refuse_byte(file, 0, line + block.count(b"\n", 0, block.index(b"\0")))


class _Fields(NamedTuple):
    """What quotes make of a window of bytes, the first and the last byte of it left out.

    Attributes:
        separators: How many stand outside of quotes.
        tidy: Whether each quote opens or closes a field, or follows on another.
        inside: Whether the last byte but one is followed by the inside of a field.
    """

    separators: int
    tidy: bool
    inside: bool


def _fields(window: bytes, mark: bytes, *, inside: bool) -> _Fields:
    r"""Tell what is inside quotes and what is not, knowing it of the first byte.

    >>> _fields(b'.x,"a, b",y\n', b",", inside=False)
    _Fields(separators=2, tidy=True, inside=False)
    >>> _fields(b'.x,5" nails\n', b",", inside=False).tidy
    False
    """
    middle = window[1:-1]
    if QUOTE not in middle:
        return _Fields(0 if inside else middle.count(mark), tidy=True, inside=inside)
    codes = np.frombuffer(window, np.uint8)
    quotes = np.flatnonzero(codes[1:-1] == ord(QUOTE)) + 1
    marks = np.flatnonzero(codes[1:-1] == ord(mark)) + 1
    opens = (np.arange(len(quotes)) + inside) % 2 == 0
    beside = np.where(opens, codes[quotes - 1], codes[quotes + 1])
    outside = (np.searchsorted(quotes, marks) + inside) % 2 == 0
    return _Fields(
        separators=int(outside.sum()),
        tidy=bool(np.isin(beside, list(QUOTE + b"\r\n" + mark)).all()),
        inside=bool((len(quotes) + inside) % 2),
    )


def _has_plain_header(block: bytes) -> bool:
    first, end, _ = block.removeprefix(codecs.BOM_UTF8).partition(b"\n")
    return bool(end) and QUOTE not in first and bool(first.strip())


def _has_open_end(window: bytes, mark: bytes) -> bool:
    return any(mark + end in window for end in (b"\n", b"\r", b'""'))


def _differs(window: bytes) -> bool:
    """Find a return without a line end, or a line that starts with a blank."""
    returns = window.removesuffix(b"\r").count(b"\r")
    return returns not in (0, window.count(b"\r\n")) or b"\n " in window
