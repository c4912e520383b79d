"""Deviation gains of the two games that a table of scores makes, never written down whole."""

from collections.abc import Iterator

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.staged import cheapest

BLOCK = 200_000
"""Prices that are held at the same time, if an agent's own are no more."""

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
        best, found = np.full(self._tasks, np.inf), np.zeros(self._tasks, dtype=np.int64)
        lows, keys = [], []
        tasks = np.arange(self._tasks)
        for first, costs in self._blocks(prices):
            flat = costs.reshape(-1, self._tasks)
            pair = flat.argmin(axis=0)
            low = flat[pair, tasks]
            one, two = np.divmod(pair, self._agents)
            found = np.where(low < best, self._keys(first + one, two, tasks), found)
            best = np.minimum(low, best)
            rows = costs.reshape(len(costs), -1)
            place = rows.argmin(axis=1)
            lows.append(rows[np.arange(len(rows)), place])
            two, task = np.divmod(place, self._tasks)
            keys.append(self._keys(first + np.arange(len(rows)), two, task))
        return np.unique(
            cheapest(np.concatenate([found, *keys]), np.concatenate([best, *lows]), floor, AT_ONCE)
        )

    def keep(self, prices: Floats, ceiling: float) -> None:
        """Rule out the columns whose price is above a ceiling."""
        if self._alive is not None:
            self._alive = self._alive[self._costs(self._alive, prices) <= ceiling]
            return
        kept = []
        for first, costs in self._blocks(prices):
            one, two, task = np.nonzero(costs <= ceiling)
            kept.append(self._keys(first + one, two, task))
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

    def _blocks(self, prices: Floats) -> Iterator[tuple[int, Floats]]:
        """Price all columns: some agents x agents x tasks, and the number of the first agent."""
        pairs, per_task = self._pair_prices(prices)
        half, whole = prices[: self._agents].sum() / 2, prices[self._agents :].sum()
        second = per_task + (whole - half) * self._table
        first = (half + whole) * self._table
        height = max(1, BLOCK // self._table.size)
        for start in range(0, self._agents, height):
            stop = start + height
            costs = second - first[start:stop, None]
            costs += pairs[start:stop, :, None]
            yield start, costs

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

    def _keys(self, one: Ints, two: Ints, task: Ints) -> Ints:
        """Give keys of columns."""
        low, high = np.minimum(one, two), np.maximum(one, two)
        return np.asarray((low * self._agents + high) * self._tasks + task)


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
