"""The study from outside: commands, Python, and addresses."""

import shlex
from urllib.parse import quote

from podium.server.views._view import Look, Shown, View


def make(look: Look) -> Shown:
    """List what can be done with the study, as commands and as requests."""
    name, path = look.name, f"/api/v1/studies/{quote(look.name, safe='')}"
    word = shlex.quote(name)
    rows = [
        {"what": what, "command": f"podium study {command}", "request": f"{verb} {path}{end}"}
        for what, command, verb, end in (
            ("How it stands", f"status {word}", "GET", ""),
            ("The ranking", f"ranking {word}", "GET", "/ranking"),
            ("What is asked next, and why", f"next {word}", "GET", "/next"),
            ("What certainty will take", f"forecast {word}", "GET", "/forecast"),
            ("Ask for queries", f"ask {word} --count 4", "POST", "/ask"),
            ("Tell an answer", f"tell {word} q1 AGENT=SCORE AGENT=SCORE", "POST", "/tell"),
            ("Say that a query failed", f"fail {word} q1 --why TEXT", "POST", "/fail"),
            ("Add results", f"add {word} results.csv", "POST", "/add"),
            (
                "Run a program for each query",
                f"run {word} -- ./evaluate {{task}} {{agent}}",
                "POST",
                "/ask",
            ),
            ("Add agents, tasks or budget", f"extend {word} --budget 100", "POST", "/extend"),
            ("Pause", f"pause {word}", "POST", "/pause"),
            ("Resume", f"resume {word}", "POST", "/resume"),
            ("Finish", f"finish {word}", "POST", "/finish"),
            ("The log", f"log {word}", "GET", "/log"),
            ("All that happens, as it happens", f"log {word}", "GET", "/events"),
            ("A copy of everything", f"export {word} -o study.jsonl", "GET", "/log"),
        )
    ]
    return Shown(rows, {"path": path}, look.command("status"))


VIEW = View("commands", "Commands and API", make)
