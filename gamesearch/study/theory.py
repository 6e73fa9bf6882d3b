"""What theory says of the number of leaves of uniform trees: branching b, depth d.

D. E. Knuth and R. W. Moore 1975, "An analysis of alpha-beta pruning", Artificial Intelligence 6.
J. Pearl 1982, "The solution for the branching factor of the alpha-beta pruning algorithm and its
optimality", Communications of the ACM 25.
"""

__all__ = ["all_leaves", "effective_branching_factor", "fewest_leaves", "random_branching_factor", "random_leaves"]


def all_leaves(branching: int, depth: int) -> int:
    """The leaves that minimax values: b^d.

    >>> all_leaves(40, 5)
    102400000
    """
    return int(branching**depth)


def fewest_leaves(branching: int, depth: int) -> int:
    """The leaves that alpha-beta values when the best move always comes first (Knuth and Moore).

    >>> fewest_leaves(40, 5)
    65599
    """
    return int(branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1)


def random_leaves(branching: int, depth: int) -> float:
    """About how many leaves alpha-beta values in random order: b^(3d/4)."""
    return float(branching ** (0.75 * depth))


def random_branching_factor(branching: int) -> float:
    """By what factor alpha-beta's leaves grow with each ply in random order, in the limit (Pearl).

    It is x/(1-x) with x the positive root of x^b + x - 1 = 0.

    >>> round(random_branching_factor(2), 3)
    1.618
    """
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if middle**branching + middle < 1 else (low, middle)
    return low / (1 - low)


def effective_branching_factor(nodes: int, depth: int) -> float | None:
    """The branching of a uniform tree of this depth with so many nodes below its root.

    Russell and Norvig, 4th edition, section 3.6.1. None where there is no depth.

    >>> effective_branching_factor(52, 5) is not None and round(effective_branching_factor(53, 5), 2)
    1.92
    """
    if depth < 1 or nodes < 2:
        return None
    low, high = 0.0, float(nodes)
    for _ in range(200):
        middle = (low + high) / 2
        total, power = 1.0, 1.0
        for _ in range(depth):
            power *= middle
            total += power
            if total > nodes:
                break
        low, high = (low, middle) if total > nodes else (middle, high)
    return high
