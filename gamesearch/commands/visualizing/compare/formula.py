"""Formulas of one variable, such as `x^3`. Formulas are parsed and evaluated here, and never run as Python code."""

import ast
import itertools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gamesearch.errors import GamesearchError

__all__ = ["FORMULAS", "Formula", "parse_formula"]

FORMULAS = "x^3, exp(x), 2*x+1 or {1: 1, 2: 20, 3: 30}"
LONGEST = 200
"""The greatest number of characters of a formula. This limit also keeps the recursion of the parser shallow."""
SAMPLES = 1001
"""The number of points at which a formula is tested to decide whether it increases."""
ROUNDING = 1e-9
"""Differences that are smaller than this share of a value count as rounding errors."""

CALLS: Mapping[str, Callable[[float], float]] = {
    **{name: getattr(math, name) for name in ("exp", "log", "sqrt", "cbrt", "tanh", "sinh", "atan")},
    "abs": abs,
}
CONSTANTS = {"e": math.e, "pi": math.pi}
OPERATORS: Mapping[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


@dataclass(frozen=True)
class Formula:
    """A function of one number. Its text is a formula, or a table such as `{1: 1, 4: 400}`, which is interpolated
    linearly."""

    text: str
    tree: ast.expr = field(repr=False)

    def __call__(self, x: float) -> float:
        """Return the value of the formula at x; raises GamesearchError if it is undefined."""
        try:
            value = (
                interpolate_table(self.tree, x) if isinstance(self.tree, ast.Dict) else value_of(self.tree, float(x))
            )
        except (ArithmeticError, ValueError):
            value = math.nan
        if isinstance(value, complex) or not math.isfinite(value):
            raise GamesearchError(f"{self.text} has no value at x = {x:g}: choose another --transform")
        return value

    def is_increasing(self, least: float, greatest: float) -> bool:
        """Whether the formula increases from `least` to `greatest`. Values at neighboring points may be equal, because
        their difference may be too small for 64 bits."""
        values = self.sample(least, greatest)
        return all(one <= other for one, other in itertools.pairwise(values)) and values[0] < values[-1]

    def is_linear(self, least: float, greatest: float) -> bool:
        """Whether the formula is linear from `least` to `greatest`: its values at equal steps have equal differences,
        except for rounding errors."""
        values = self.sample(least, greatest)
        mean = (values[-1] - values[0]) / (SAMPLES - 1)
        size = ROUNDING * max(map(abs, values))
        return all(abs(other - one - mean) <= size for one, other in itertools.pairwise(values))

    def sample(self, least: float, greatest: float) -> list[float]:
        """The values of the formula at equal steps from `least` to `greatest`."""
        step = (greatest - least) / (SAMPLES - 1)
        return [self(least + step * i) for i in range(SAMPLES - 1)] + [self(greatest)]


def parse_formula(text: str) -> Formula:
    """Parse a formula, or a table of points. A formula consists of numbers, x, + - * / ^, brackets and a few functions.

    Raises GamesearchError for anything else.

    >>> parse_formula("2*x^3 + 1")(3), parse_formula("{1: 1, 2: 20, 4: 400}")(3)
    (55.0, 210.0)
    """
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body if len(text) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None or not (is_table(tree) or is_formula(tree)):
        known = ", ".join(CALLS)
        raise GamesearchError(f"{text!r} is not a formula: write, for example, {FORMULAS}; the functions are {known}")
    return Formula(text.strip(), tree)


def is_formula(node: ast.AST) -> bool:
    """Whether a parsed text contains only elements that are allowed in formulas."""
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    if isinstance(node, ast.Name):
        return node.id == "x" or node.id in CONSTANTS
    if isinstance(node, ast.UnaryOp):
        return type(node.op) in OPERATORS and is_formula(node.operand)
    if isinstance(node, ast.BinOp):
        return type(node.op) in OPERATORS and is_formula(node.left) and is_formula(node.right)
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS
    return is_call and len(node.args) == 1 and not node.keywords and is_formula(node.args[0])  # type: ignore[attr-defined]


def value_of(node: ast.AST, x: float) -> float:
    """Return the value of a formula at x.

    All numbers are floats, because powers of large integers could take forever.
    """
    match node:
        case ast.Constant():
            return float(node.value)  # type: ignore[arg-type]
        case ast.Name():
            return CONSTANTS.get(node.id, x)
        case ast.UnaryOp():
            return OPERATORS[type(node.op)](value_of(node.operand, x))
        case ast.BinOp():
            return OPERATORS[type(node.op)](value_of(node.left, x), value_of(node.right, x))
        case ast.Call(func=ast.Name(id=name)):
            return CALLS[name](value_of(node.args[0], x))
    raise AssertionError(node)


def is_table(node: ast.AST) -> bool:
    """Whether a parsed text is a table of at least two points in increasing order."""
    if not isinstance(node, ast.Dict) or not all(each is not None and is_number(each) for each in node.keys):
        return False
    places = [value_of(each, 0.0) for each in node.keys if each is not None]
    rises = all(one < other for one, other in itertools.pairwise(places))
    return len(places) > 1 and rises and all(map(is_number, node.values))


def is_number(node: ast.AST) -> bool:
    """Whether a parsed text is a number. The number may have a sign."""
    return is_formula(node) and not any(isinstance(each, ast.Name | ast.Call | ast.BinOp) for each in ast.walk(node))


def interpolate_table(table: ast.Dict, x: float) -> float:
    """Return the value of a table at x, interpolated between two points. Raises ValueError if x lies outside the
    table."""
    points = [(value_of(key, 0.0), value_of(to, 0.0)) for key, to in zip(table.keys, table.values, strict=True) if key]
    for (low, from_low), (high, to_high) in itertools.pairwise(points):
        if low <= x <= high:
            return from_low + (to_high - from_low) * (x - low) / (high - low)
    raise ValueError(x)
