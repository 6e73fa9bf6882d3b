"""Text for people: values, counts, durations, speeds."""

import math
import re
import time
from fractions import Fraction

from gamesearch.algorithms.engine.result import Progress, Statistics, Value
from gamesearch.algorithms.node.values import cost_of_a_ply
from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.game import Game

__all__ = [
    "all_of", "compiling_text", "count_text", "counts_text", "data_number", "plural", "probability_text",
    "round_roughly", "seconds_text", "share_text", "speed_text", "statistics_text", "typeset", "value_text",
    "window_text", "with_signs",
]  # fmt: skip

NULL_WINDOW = 2.0**-45
"""A window that is narrower than this fraction of the range of payoffs is a null window."""

ROUNDING = 1e-9
"""The greatest error of a mean whose true value is 0. The means of beliefs have the greatest errors, because a
histogram covers only six standard errors on each side of the estimates."""


def value_text(value: Value | None, *, signed: bool = False, only_ascii: bool = True) -> str:
    """A value with up to four decimals; a tuple of values in parentheses.

    >>> value_text(3.0), value_text(-1.0), value_text(1.0, signed=True), value_text((1.0, 2.5))
    ('3', '-1', '+1', '(1, 2.5)')
    >>> value_text(-float("inf")), value_text(float("inf"), only_ascii=False)
    ('-inf', '+∞')
    """
    if value is None:
        return "unknown"
    if isinstance(value, tuple):
        return f"({', '.join(value_text(each, signed=signed, only_ascii=only_ascii) for each in value)})"
    if math.isinf(value):
        text = "+inf" if value > 0 else "-inf"
    else:
        text = plain_number(value)
        text = f"+{text}" if signed and value > 0 and text != "0" else text
    return text if only_ascii else typeset(text)


def typeset(text: str) -> str:
    """Write a value or a window with mathematical signs instead of ASCII characters.

    >>> typeset("<= -1"), typeset("[-inf, 3]"), typeset("[0, 0+]")
    ('≤ −1', '[−∞, 3]', '[0, 0⁺]')
    """
    for plain, sign in (("inf", "∞"), ("-", "−"), ("<=", "≤"), (">=", "≥"), ("+]", "⁺]"), ("~", "≈")):
        text = text.replace(plain, sign)
    return text


def with_signs(text: str) -> str:
    """Replace "inf" and the signs of negative numbers in a text by mathematical signs.

    >>> with_signs("X has -1 with e2-e4; alpha=-inf")
    'X has −1 with e2-e4; alpha=−∞'
    """
    return re.sub(r"(?<!\w)-(?=[\d.∞])", "−", re.sub(r"\binf\b", "∞", text))


def plain_number(value: float) -> str:
    """A finite number, rounded for reading. Small numbers keep two digits, but rounding errors are written as 0."""
    if value == int(value) or abs(value) < ROUNDING:
        return str(int(value))
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return text if text not in ("0", "-0") else f"{value:.2g}"


def value_with_distance_text(game: Game, value: float) -> str:
    """A value, with the distance of a win or loss: `+1 in 5` is a win for Max five plies from the root."""
    signed = game.win_or_loss
    if game.win_or_loss and game.MINSCORE <= value <= game.MAXSCORE:
        ply_cost = cost_of_a_ply(game)
        for score, sign in ((float(game.MAXSCORE), 1), (float(game.MINSCORE), -1)):
            plies = sign * (score - value) / ply_cost if ply_cost else 0.0
            if 0.5 < plies < MAX_PLY + 1:
                return f"{value_text(score, signed=True)} in {round(plies)}"
    return value_text(value, signed=signed)


def window_text(game: Game, alpha: float, beta: float) -> str:
    """Format a window. A null window is written with one number, as [0, 0+] or [0-, 0]."""
    low, high = (value_with_distance_text(game, bound) for bound in (alpha, beta))
    least = max(NULL_WINDOW * (game.MAXSCORE - game.MINSCORE), math.ulp(alpha)) if math.isfinite(alpha) else 0.0
    if 0 < beta - alpha <= least:
        low, high = (low, f"{low}+") if len(low) <= len(high) else (f"{high}-", high)
    return f"[{low}, {high}]"


def data_number(value: Value | None) -> int | float | list[int | float] | None:
    """A value for JSON: whole numbers have no decimal point, and infinite numbers become null."""
    if isinstance(value, tuple):
        return [whole(each) for each in value]
    return None if value is None or not math.isfinite(value) else whole(value)


def whole(value: float) -> int | float:
    """Convert a number without a fraction to an int. Any other number stays unchanged."""
    return int(value) if value == int(value) else value


def count_text(count: int) -> str:
    """A count with commas between thousands."""
    return f"{count:,}"


def all_of(count: int) -> str:
    """Write `both` if the count is 2, and otherwise `all` and the count."""
    return "both" if count == 2 else f"all {count}"


def plural(count: int, one: str, many: str = "") -> str:
    """A count and a noun in the singular or plural.

    >>> plural(1, "ply", "plies"), plural(1200, "node")
    ('1 ply', '1,200 nodes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def seconds_text(seconds: float) -> str:
    """A duration with a suitable unit.

    >>> seconds_text(0.00042), seconds_text(2.5), seconds_text(185)
    ('0.4 ms', '2.5 s', '3 min 5 s')
    """
    if seconds < 0.01:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def compiling_text(now: Progress) -> str:
    """Describe a compilation: the name of the kernel, the elapsed time, and the expected time."""
    seconds, expected = time.perf_counter() - now.compiling_since, now.compiling_expected
    if expected is None:
        so_far = f"{seconds:.0f} s; it may take a minute"
    elif seconds <= expected:
        so_far = f"{seconds:.0f} of about {expected:.0f} s"
    else:
        so_far = f"{seconds:.0f} s; it took {expected:.0f} s the last time"
    return f"compiling {now.compiling} (the result is kept): {so_far}"


def speed_text(count: int, seconds: float, unit: str = "nodes") -> str:
    """Format a rate: a count per second.

    >>> speed_text(8_500_000, 1), speed_text(1300, 0.01), speed_text(12, 1), speed_text(5, 0)
    ('8.5 M nodes/s', '130 k nodes/s', '12 nodes/s', '')
    """
    if seconds <= 0:
        return ""
    rate = count / seconds
    for factor, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if rate >= factor:
            scaled = rate / factor
            return f"{scaled:.1f}{letter} {unit}/s" if scaled < 10 else f"{scaled:.0f}{letter} {unit}/s"
    return f"{rate:.0f} {unit}/s"


def probability_text(p: float) -> str:
    """Format a probability: as a fraction if the denominator is small, otherwise as a decimal number.

    >>> probability_text(1 / 6), probability_text(0.5), probability_text(0.123)
    ('1/6', '1/2', '0.123')
    """
    fraction = Fraction(p).limit_denominator(64)
    return str(fraction) if abs(float(fraction) - p) < 1e-12 else f"{p:.4f}".rstrip("0")


def share_text(p: float) -> str:
    """A probability as a percentage. Values near 0 or 1 are written as < 1 % or > 99 %.

    >>> share_text(0.713), share_text(0.002), share_text(0.998), share_text(1.0)
    ('71 %', '< 1 %', '> 99 %', '100 %')
    """
    if 0.005 > p > 1e-9:
        return "< 1 %"
    return "> 99 %" if 0.995 < p < 1 - 1e-9 else f"{100 * p:.0f} %"


def counts_text(nodes: int, distance_nodes: int, leaves: int, cutoffs: int, table_hits: int) -> str:
    """Format the counts of a search. `distance_nodes` is the part of `nodes` that a second search visited. The numbers
    of cutoffs and table hits are left out if they are 0.

    >>> counts_text(11, 0, 7, 2, 0), counts_text(72, 36, 30, 0, 0)
    ('11 nodes, 7 leaves, 2 cutoffs', '72 nodes (36 in a second search, for the fastest win), 30 leaves')
    """
    second = f" ({distance_nodes:,} in a second search, for the fastest win)" if distance_nodes else ""
    counts = [plural(nodes, "node") + second, plural(leaves, "leaf", "leaves")]
    counts += [plural(count, noun) for count, noun in ((cutoffs, "cutoff"), (table_hits, "table hit")) if count]
    return ", ".join(counts)


def statistics_text(found: Statistics) -> str:
    """The statistics of a search in one line."""
    counts = counts_text(found.nodes, found.distance_nodes, found.leaves, found.cutoffs, found.table_hits)
    parts = [
        counts if found.nodes else "nodes not counted",
        f"depth {found.depth}",
        seconds_text(found.seconds),
        speed_text(found.nodes, found.seconds) if found.nodes else "",
        found.speed,
        f"{found.threads} threads" if found.threads > 1 else "",
    ]
    return ", ".join(part for part in parts if part)


UNITS = ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"))


def round_roughly(count: float) -> str:
    """Format a number with two significant digits.

    >>> round_roughly(4_531_985_219_092), round_roughly(161_029), round_roughly(5.6e19), round_roughly(87)
    ('4.5 trillion', '160,000', '6e+19', '87')
    """
    if not math.isfinite(count):
        return "endless"
    if count >= 1e15:
        return f"{count:.0e}"
    digits = max(0, math.floor(math.log10(count)) - 1) if count >= 1 else 0
    count = round(count / 10**digits) * 10**digits
    for factor, name in UNITS:
        if count >= factor:
            return f"{count / factor:.2g}{name}" if count < 100 * factor else f"{count / factor:.0f}{name}"
    return f"{count:,.0f}"
