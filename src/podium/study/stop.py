"""When to look whether a ranking is certain enough."""


def due(looked: int, heard: int, agents: int) -> bool:
    """Tell whether it is time to look again: each time there are a twentieth more answers.

    Args:
        looked: Answers when it was looked last.
        heard: Answers now.
        agents: How many agents there are.

    >>> due(0, 10, 8), due(0, 16, 8), due(16, 17, 8), due(100, 105, 8)
    (False, True, True, True)
    """
    return heard >= 2 * agents and heard >= looked + max(1, looked // 20)
