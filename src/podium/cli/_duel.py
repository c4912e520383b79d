"""Two agents set against each other, for people."""

from podium.analysis.pairwise import Duel
from podium.cli._ranking import in_figures
from podium.cli._screen import line, safe_text, show, table
from podium.cli.options import Format
from podium.cli.output import write


def write_duel(duel: Duel, form: Format) -> None:
    """Write what the data say of two agents."""
    write(form, document=duel.to_dict, rows=duel.table, table=lambda: print_duel(duel))


def print_duel(duel: Duel) -> None:
    """Print the verdict, the numbers behind it, and what to know of them."""
    line(in_figures(duel.data))
    line()
    line(duel.verdict)
    made = table("", "", keep=("",))
    made.show_header = False
    for label, text in duel.facts:
        made.add_row(safe_text(label), safe_text(text, "bold"))
    show(made)
    for note in duel.notes:
        line(f"Note: {note}")
