"""The solver of linear programmes, HiGHS, as the kernels use it."""

from typing import Any

import numpy as np

from podium.arrays import Array, Bools, Floats

Solver = Any
"""A `highspy.Highs`; the library has no types."""


def solver(*, tolerance: float = 1e-9, presolve: bool = True) -> Solver:
    """Make a quiet solver that runs in this thread alone and gives the same answer each time.

    Args:
        tolerance: How far a row, a bound or a reduced cost may be off.
        presolve: Whether to simplify first. Where numbers of very different
            size count, that can make a programme look infeasible.
    """
    import highspy

    make: Any = highspy.Highs
    program = make()
    program.setOptionValue("output_flag", False)  # noqa: FBT003, the library's own signature
    program.setOptionValue("parallel", "off")
    program.setOptionValue("random_seed", 0)
    program.setOptionValue("presolve", "choose" if presolve else "off")
    program.setOptionValue("primal_feasibility_tolerance", tolerance)
    program.setOptionValue("dual_feasibility_tolerance", tolerance)
    return program


def add_columns(program: Solver, lower: Floats, upper: Floats, cost: Floats) -> None:
    """Add columns with bounds and costs, in no row yet."""
    size = len(lower)
    program.addVars(size, lower, upper)
    program.changeColsCost(size, np.arange(size, dtype=np.int32), cost)


def add_rows(program: Solver, lower: Floats, upper: Floats, columns: Array, values: Array) -> None:
    """Add rows that all hold equally many entries.

    Args:
        program: The solver.
        lower: Lower bound of each row.
        upper: Upper bound of each row.
        columns: Rows x entries, which column each entry belongs to.
        values: Rows x entries, the coefficients.
    """
    rows, width = columns.shape
    start = np.arange(rows, dtype=np.int32) * width
    entries = columns.astype(np.int32).ravel()
    program.addRows(
        rows, lower, upper, rows * width, start, entries, values.astype(np.float64).ravel()
    )


def solved(program: Solver) -> bool:
    """Run the solver and tell whether it found an optimum."""
    import highspy

    program.run()
    return bool(program.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def solved_loosely(program: Solver) -> bool:
    """Run the solver from the start again, with the tolerance that it has by itself."""
    program.clearSolver()
    program.setOptionValue("primal_feasibility_tolerance", 1e-7)
    program.setOptionValue("dual_feasibility_tolerance", 1e-7)
    return solved(program)


def point(program: Solver) -> Floats:
    """Give the values of the columns."""
    return np.array(program.getSolution().col_value)


def reduced_costs(program: Solver) -> Floats:
    """Give what a unit more of each column would cost or bring."""
    return np.array(program.getSolution().col_dual)


def objective(program: Solver) -> float:
    """Give the value that was reached."""
    return float(program.getInfo().objective_function_value)


def basis(program: Solver) -> tuple[Bools, Bools]:
    """Tell which columns and which rows are free of their bounds at the optimum."""
    import highspy

    found = program.getBasis()
    free = highspy.HighsBasisStatus.kBasic
    columns = np.array([status == free for status in found.col_status], dtype=np.bool_)
    return columns, np.array([status == free for status in found.row_status], dtype=np.bool_)
