"""What an inspection found, for people."""

from podium.analysis.inspection import Inspection
from podium.cli._ranking import in_figures
from podium.cli._screen import line, safe_text, show, table


def rows(found: Inspection) -> list[dict[str, str]]:
    """Give a row for each fact, then for each note and warning."""
    facts = [
        {"section": title, "what": label, "found": text}
        for title, told in found.facts.items()
        for label, text in told
    ]
    texts = (("note", found.notes), ("warning", found.warnings))
    return facts + [
        {"section": "", "what": what, "found": text} for what, told in texts for text in told
    ]


def print_all(found: Inspection) -> None:
    """Print the facts section by section, then what may mislead."""
    line(in_figures(found.data))
    line()
    made = table("section", "what", "found", keep=("section",))
    for title, facts in found.facts.items():
        for number, (label, text) in enumerate(facts):
            cells = (safe_text("" if number else title, "bold"), safe_text(label), safe_text(text))
            made.add_row(*cells, end_section=number == len(facts) - 1)
    show(made)
    for note in found.notes:
        line(f"Note: {note}")
    for warning in found.warnings:
        line(f"Warning: {warning}")
    for what, why in found.left_out.items():
        line(f"Left out: {what.replace('_', ' ')}, since {why}")
