"""Feed every reader what atheris makes up: nothing but podium's own errors may come out.

python bench/fuzz_readers.py csv --seconds 60    one format
python bench/fuzz_readers.py --seconds 3600      all formats, one after the other

`make fuzz` installs atheris (for Python 3.11) and does this. The inputs start from a
bundled table, written in each format; what breaks a reader is left in bench/crashes.
"""

import argparse
import importlib
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import podium

HERE = Path(__file__).parent

TABLES = ("csv", "tsv", "jsonl", "json", "parquet")
"""Formats in which a bundled table is written."""

TEXTS = {
    "soc": b"# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: a\n2: 1,2,3\n1: 3,1,2\n",
    "toc": b"# NUMBER ALTERNATIVES: 3\n2: 1,{2,3}\n1: {3,1},2\n",
    "pgn": b'[White "ann"]\n[Black "bob"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n',
}
"""Small files in other formats."""

FORMATS = (*TABLES, *TEXTS, "npz")

PENNIES = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]

SLOWEST = 5
"""Seconds that a reader may take."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("format", nargs="?", choices=FORMATS)
    parser.add_argument("--seconds", type=int, default=3600, help="for each format")
    return parser.parse_args()


def corpus(ending: str, folder: Path) -> Path:
    """Write the input that others are made from."""
    (folder / "corpus").mkdir()
    sample = folder / "corpus" / f"sample.{ending}"
    if ending in TEXTS:
        sample.write_bytes(TEXTS[ending])
    elif ending == "npz":
        podium.write(podium.Game.from_payoffs(PENNIES, [["a", "b"], ["c", "d"]]), sample)
    else:
        podium.write(podium.read("rainbow"), sample)
    return sample.parent


def feed(ending: str, seconds: int) -> None:
    """Feed one reader until the time is over, or it breaks."""
    atheris = importlib.import_module("atheris")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / f"input.{ending}"

        def once(data: bytes) -> None:
            file.write_bytes(data)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    podium.read(file)
            except podium.PodiumError:
                pass

        crashes = HERE / "crashes"
        crashes.mkdir(exist_ok=True)
        options = [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", "-rss_limit_mb=2048"]
        places = [f"-artifact_prefix={crashes}/{ending}-", str(corpus(ending, folder))]
        atheris.instrument_all()
        atheris.Setup([sys.argv[0], *options, *places], once)
        atheris.Fuzz()


def main() -> None:
    """Feed one reader here, or all of them in processes of their own."""
    asked = arguments()
    if asked.format:
        feed(asked.format, asked.seconds)
        return
    for ending in FORMATS:
        command = [sys.executable, __file__, ending, "--seconds", str(asked.seconds)]
        ran = subprocess.run(command, check=False)
        print(f"{ending}: {'nothing broke' if ran.returncode == 0 else 'BROKEN'}", flush=True)


if __name__ == "__main__":
    main()
