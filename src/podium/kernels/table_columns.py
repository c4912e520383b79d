"""Deviation gains of the two games that a table of scores makes, never written down whole."""

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.staged import cheapest

AT_ONCE = 400
"""Most columns that are added before the programme is solved again."""


class AgentsAndTask:
    r"""Two agents compete on a task; the task is paid by how far apart they are.

    .. math:: G_A = T(i, t) - T(j, t), \quad G_B = -G_A, \quad G_T = |G_A|

    A column is a pair of agents, whose order does not matter, and a task. With
    the two agents' players treated alike, the rows of agents and of tasks are

    .. math:: T(a', t) - \tfrac12 (T(i, t) + T(j, t)), \qquad
              |T(i, t') - T(j, t')| - |T(i, t) - T(j, t)|

    Of ordered pairs the dearer order never counts, because the prices of tasks
    are not negative; so the size of the difference needs no case distinction.

    Args:
        table: Scores, agents x tasks.

    >>> game = AgentsAndTask(np.array([[0.0, 1], [1, 0]]))
    >>> game.of(np.array([game.key(0, 1, 0)])).ravel().tolist()
    [-0.5, 0.5, 0.0, 0.0]
    """

    def __init__(self, table: Floats) -> None:
        self._table = table
        self._agents, self._tasks = table.shape
        self._alive: Ints | None = None

    @property
    def rows(self) -> int:
        """Number of rows: the agents, then the tasks."""
        return int(self._agents + self._tasks)

    def key(self, one: int, two: int, task: int) -> int:
        """Give the key of a column."""
        low, high = sorted((one, two))
        return int((low * self._agents + high) * self._tasks + task)

    def parts(self, keys: Ints) -> tuple[Ints, Ints, Ints]:
        """Give both agents and the task of columns."""
        pair, task = np.divmod(keys, self._tasks)
        one, two = np.divmod(pair, self._agents)
        return one, two, task

    def start(self) -> Ints:
        """Give the columns that are cheapest where all rows cost the same."""
        prices = np.full(self.rows, 1 / self.rows)
        return self.cheap(prices, np.inf)

    def of(self, keys: Ints) -> Floats:
        """Give columns by their keys: rows x keys."""
        one, two, task = self.parts(keys)
        first, second = self._table[one, task], self._table[two, task]
        agents = self._table[:, task] - (first + second) / 2
        tasks = np.abs(self._table[one] - self._table[two]).T - np.abs(first - second)
        return np.vstack([agents, tasks])

    def cheap(self, prices: Floats, floor: float) -> Ints:
        """Give the cheapest columns below a floor: of each task, and of each agent."""
        if self._alive is not None:
            return cheapest(self._alive, self._costs(self._alive, prices), floor, AT_ONCE)
        best = np.full(self._tasks, np.inf)
        who = np.zeros(self._tasks, dtype=np.int64)
        lows, keys = [], []
        pairs, per_task = self._pair_prices(prices)
        for one in range(self._agents):
            costs = self._row_costs(one, pairs, per_task, prices)
            two = costs.argmin(axis=0)
            low = costs[two, np.arange(self._tasks)]
            who = np.where(low < best, self._keys(one, two), who)
            best = np.minimum(low, best)
            task = int(low.argmin())
            lows.append(float(low[task]))
            keys.append(self.key(one, int(two[task]), task))
        found = np.append(who, np.array(keys, dtype=np.int64))
        chosen = cheapest(found, np.append(best, lows), floor, AT_ONCE)
        return np.unique(chosen)

    def keep(self, prices: Floats, ceiling: float) -> None:
        """Rule out the columns whose price is above a ceiling."""
        if self._alive is not None:
            self._alive = self._alive[self._costs(self._alive, prices) <= ceiling]
            return
        pairs, per_task = self._pair_prices(prices)
        kept = []
        for one in range(self._agents):
            costs = self._row_costs(one, pairs, per_task, prices)
            two, task = np.nonzero(costs <= ceiling)
            kept.append(self._keys(one, two, task))
        self._alive = np.unique(np.concatenate(kept))

    def left(self, most: int) -> Ints | None:
        """Give the keys of all columns that are left, or None if there are more than this."""
        return self._alive if self._alive is not None and len(self._alive) <= most else None

    def _pair_prices(self, prices: Floats) -> tuple[Floats, Floats]:
        """Price what depends on the pair alone, and what depends on the task alone."""
        agents, tasks = prices[: self._agents], prices[self._agents :]
        pairs = np.zeros((self._agents, self._agents))
        for task in np.flatnonzero(tasks).tolist():
            column = self._table[:, task]
            pairs += tasks[task] * np.abs(column[:, None] - column)
        return pairs, agents @ self._table

    def _row_costs(self, one: int, pairs: Floats, per_task: Floats, prices: Floats) -> Floats:
        """Price the columns of one agent first and any agent second: agents x tasks."""
        half, whole = prices[: self._agents].sum() / 2, prices[self._agents :].sum()
        costs = (whole - half) * self._table
        costs += per_task - (half + whole) * self._table[one]
        costs += pairs[one][:, None]
        return np.asarray(costs)

    def _costs(self, keys: Ints, prices: Floats) -> Floats:
        """Price columns by their keys."""
        one, two, task = self.parts(keys)
        pairs, per_task = self._pair_prices(prices)
        first, second = self._table[one, task], self._table[two, task]
        half, whole = prices[: self._agents].sum() / 2, prices[self._agents :].sum()
        return np.asarray(
            per_task[task] - half * (first + second) + pairs[one, two]
            - whole * np.abs(first - second)
        )  # fmt: skip

    def _keys(self, one: int, two: Ints, task: Ints | None = None) -> Ints:
        """Give keys of columns of one agent."""
        tasks = np.arange(self._tasks) if task is None else task
        low, high = np.minimum(one, two), np.maximum(one, two)
        return np.asarray((low * self._agents + high) * self._tasks + tasks)


class AgentAndTask:
    r"""An agent is paid its score on a task, and the task pays it.

    A column is an agent and a task. The rows of agents and of tasks are

    .. math:: S(a', t) - S(a, t), \qquad S(a, t) - S(a, t')

    Args:
        table: Scores, agents x tasks.

    >>> AgentAndTask(np.array([[0.0, 1], [1, 0]])).of(np.array([1])).ravel().tolist()
    [0.0, -1.0, 1.0, 0.0]
    """

    def __init__(self, table: Floats) -> None:
        self._table = table
        self._agents, self._tasks = table.shape
        self._alive = np.arange(table.size)

    @property
    def rows(self) -> int:
        """Number of rows: the agents, then the tasks."""
        return int(self._agents + self._tasks)

    def parts(self, keys: Ints) -> tuple[Ints, Ints]:
        """Give the agent and the task of columns."""
        agent, task = np.divmod(keys, self._tasks)
        return agent, task

    def start(self) -> Ints:
        """Give the columns that are cheapest where all rows cost the same."""
        return self.cheap(np.full(self.rows, 1 / self.rows), np.inf)

    def of(self, keys: Ints) -> Floats:
        """Give columns by their keys: rows x keys."""
        agent, task = self.parts(keys)
        own = self._table[agent, task]
        return np.vstack([self._table[:, task] - own, own - self._table[agent].T])

    def cheap(self, prices: Floats, floor: float) -> Ints:
        """Give the cheapest columns below a floor."""
        return cheapest(self._alive, self._costs(prices), floor, AT_ONCE)

    def keep(self, prices: Floats, ceiling: float) -> None:
        """Rule out the columns whose price is above a ceiling."""
        self._alive = self._alive[self._costs(prices) <= ceiling]

    def left(self, most: int) -> Ints | None:
        """Give the keys of all columns that are left, or None if there are more than this."""
        return self._alive if len(self._alive) <= most else None

    def _costs(self, prices: Floats) -> Floats:
        agents, tasks = prices[: self._agents], prices[self._agents :]
        own = (tasks.sum() - agents.sum()) * self._table
        costs = own + agents @ self._table - (self._table @ tasks)[:, None]
        return np.asarray(costs.ravel()[self._alive])
