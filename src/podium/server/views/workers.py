"""What is out with workers, and for how much longer."""

from podium.server.documents import waiting_query
from podium.server.views._view import Look, Shown, View


def make(look: Look) -> Shown:
    """List the queries that are not settled, those that run out first in front."""
    waiting = [waiting_query(one) for one in look.study.waiting()]
    lease = look.picture.spec.lease
    rows = [
        {
            "id": one.id,
            "task": one.task,
            "agents": list(one.agents),
            "handed_out": one.leases,
            "left": one.left,
            "state": "free" if one.left is None else "held" if one.left > 0 else "run out",
        }
        for one in sorted(waiting, key=lambda one: (one.left is None, one.left or 0.0))
    ]
    states = [row["state"] for row in rows]
    counts = {state: states.count(state) for state in ("held", "run out", "free")}
    return Shown(rows, {"counts": counts, "lease": lease}, look.command("status"))


VIEW = View("workers", "Workers", make)
