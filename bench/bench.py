"""Time podium, and beside it every peer that is installed.

python bench/bench.py                    podium alone
python bench/bench.py --peers            with the peers (see bench/peers.txt)
python bench/bench.py --only kemeny      cases whose name contains a word
"""

import argparse
import json

import games
import large
import ratings
import sco
import votes
from harness import SUITE, report, run_here


def main() -> None:
    """Run the cases that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--peers", action="store_true", help="time the peers as well")
    parser.add_argument("--only", default="", help="a word in the name of a case")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    votes.add_cases()
    ratings.add_cases()
    large.add_cases()
    games.add_cases()
    sco.add_cases()
    if chosen.case:
        print(json.dumps(run_here(SUITE.cases[chosen.case])))
        return
    cases = (
        case
        for case in SUITE.cases.values()
        if chosen.only in case.name and (chosen.peers or case.library == "podium")
    )
    report(__file__, cases)


if __name__ == "__main__":
    main()
