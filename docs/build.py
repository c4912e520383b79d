"""Build the documentation site: the written pages, and a page made for each method and command.

python docs/build.py        write site/
"""

import inspect
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import podium.methods  # noqa: F401, importing it fills the registry
from podium.methods._registry import METHODS, Card

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Lay written and made pages together and let zensical build them."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        shutil.copytree(ROOT / "docs", source / "docs", ignore=shutil.ignore_patterns("*.py"))
        shutil.copy(ROOT / "zensical.toml", source)
        write_pages(source / "docs")
        zensical = Path(sys.executable).with_name("zensical")
        subprocess.run([zensical, "build", "--clean"], cwd=source, check=True)
        shutil.rmtree(ROOT / "site", ignore_errors=True)
        shutil.move(source / "site", ROOT / "site")


def write_pages(folder: Path) -> None:
    """Write the pages that come from the code."""
    (folder / "methods").mkdir(exist_ok=True)
    for card in METHODS:
        (folder / "methods" / f"{card.name}.md").write_text(method_page(card), encoding="utf-8")


def method_page(card: Card) -> str:
    """Give the page of one method: its docstring, and what its card claims."""
    reads = ", ".join(kind.__name__ for kind in card.reads)
    holds = ", ".join(sorted(card.holds)) or "none of those tested"
    remarks = "".join(f"* *{name}*: {text}\n" for name, text in sorted(card.remarks.items()))
    return (
        f"# {card.name}\n\n{inspect.getdoc(card.call)}\n\n"
        f"| | |\n| --- | --- |\n| reads | {reads} |\n| properties | {holds} |\n"
        f"| work | {card.cost} |\n| defined in | {card.cite} |\n\n{remarks}"
    )


if __name__ == "__main__":
    main()
