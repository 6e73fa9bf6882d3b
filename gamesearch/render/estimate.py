"""How large a game is and what solving it takes, in a sentence and as data."""

import math
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number, seconds_text
from gamesearch.solvers.estimate import Effort, Estimate

__all__ = ["estimate_data", "estimate_sentence", "rough"]

UNITS = ((1e15, ""), (1e12, " trillion"), (1e9, " billion"), (1e6, " million"))
MEGABYTE = 1 << 20


def rough(count: float) -> str:
    """A count with two digits that mean something.

    >>> rough(4_531_985_219_092), rough(161_029), rough(5.6e19), rough(87)
    ('4.5 trillion', '160,000', '6e+19', '87')
    """
    if not math.isfinite(count):
        return "endless"
    if count >= 1e15:
        return f"{count:.0e}"
    digits = max(0, math.floor(math.log10(count)) - 1) if count >= 1 else 0
    count = round(count / 10**digits) * 10**digits
    for factor, name in UNITS[1:]:
        if count >= factor:
            return f"{count / factor:.2g}{name}" if count < 100 * factor else f"{count / factor:.0f}{name}"
    return f"{count:,.0f}"


def estimate_sentence(estimate: Estimate, effort: Effort) -> str:
    """The size of the game, the memory and the time, and how sure that is."""
    if estimate.is_counted:
        positions = f"{estimate.positions:,.0f} positions"
    else:
        how, doubt = ("very roughly", " (perhaps far too few)") if estimate.is_extrapolated else ("about", "")
        positions = f"{how} {rough(estimate.positions)} positions{doubt}"
    parts = [positions]
    if math.isfinite(estimate.nodes):
        error = f" (standard error {estimate.nodes_error:.0%})" if math.isfinite(estimate.nodes_error) else ""
        parts.append(f"a tree of about {rough(estimate.nodes)} nodes{error}")
    else:
        parts.append("a tree of more nodes than can be told")
    if not estimate.is_extrapolated:  # else these figures would mean nothing
        parts += [f"{rough(effort.bytes / MEGABYTE)} MB", seconds_text(effort.seconds)]
    return f"estimate: {', '.join(parts)}" + (f"; {effort.remark}" if effort.remark else "")


def estimate_data(estimate: Estimate, effort: Effort) -> dict[str, Any]:
    """The same as data."""
    return {
        "positions": data_number(estimate.positions),
        "is_counted": estimate.is_counted,
        "is_extrapolated": estimate.is_extrapolated,
        "nodes": data_number(estimate.nodes),
        "nodes_error": data_number(estimate.nodes_error),
        "moves": estimate.moves,
        "plies": estimate.plies,
        "method": effort.method,
        "bytes": None if estimate.is_extrapolated else data_number(effort.bytes),
        "seconds": None if estimate.is_extrapolated else data_number(effort.seconds),
    }
