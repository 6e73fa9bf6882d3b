"""If Numba cannot compile the rules of a game, shortens its long message to one sentence.

The message contains the cause, then the line of source, then the callers up to the kernel. Between these lines, the
message lists other attempts by Numba. The search for the cause starts at the first line that names a place in the
rules, and goes up to an informative line.
"""

import ast
import linecache
import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

__all__ = ["sentence"]

OUR_FOLDER = Path(__file__).resolve().parent.parent
NUMBAS_FOLDER = Path(getattr(find_spec("numba"), "origin", "")).resolve().parent

SNIPPET = re.compile(r'File "([^"\n]+)", line (\d+):.*?(?:^\s*\^\s*$|<source missing[^\n]*)', re.DOTALL | re.MULTILINE)
PLACE = re.compile(r"\b(?:at|from) (\S.*?\.py) \((\d+)\)")
COLOURS = re.compile(r"\x1b\[[\d;]*m")
"""The color codes in messages. Numba writes color codes whenever colorama is installed."""
ADVICE = re.compile(r"For Numba to be able to compile.*?https:\S+", re.DOTALL)
NOT_TELLING = (
    "Failed in", "During:", "- ", "There are", "Overload", "Intrinsic", "With argument", "Rejected", "No match",
    "No implementation", ">>> method(", "raised from", "at ", "None", "^", "Return of:",
)  # fmt: skip
SHORTENINGS = (
    (r"^\w+(Error|Exception): ", ""),
    (r"^>>> ", "no implementation of "),
    (r",? defined at .*|\.* [Rr]aised from .*", ""),
    (r"#[0-9a-f]{16}", ""),  # the digest in the name of a game's type
    (r"Literal\[(\w+)\]\([^()]*\)", r"\1"),
    (r"<iv=[^>]*>", ""),
    (r"<class '([\w.]+)'>", r"\1"),
    (r"Module\(<module '([\w.]+)'.*", r"module \1"),
    (r"unicode_type", "str"),
    (r"'(\w+)\.\d+'", r"'\1'"),  # Numba adds a number to a variable's name
)
PLAIN_SENTENCES = (
    (r".*YIELD_FROM.*", "Numba does not know 'yield from'; a for loop with yield does the same"),
    (r".*STORE_GLOBAL.*", "Numba cannot change a global"),
    (r"The use of yield in a closure.*", "Numba does not know generator expressions; a for loop does the same"),
    (r"The use of a reflected (\w+).* variable '(\w+)' in globals.*", r"Numba cannot use the \1 '\2'; a tuple will do"),
    (r"Untyped global name '(\w+)': .* type of (\S+)", r"Numba cannot use '\1' (\2)"),
    (r".*(?:non-precise type|imprecise type:) (\w+?)(Type)?[\[(].*", r"Numba cannot infer the items of an empty \1"),
    (r"Key must be None.*", "Numba cannot use a method as a key; use a function outside of the class"),
    (
        r"float\(\) only support.*|.*OptionalType.*",
        "Numba needs a number on every path: use numbers such as -math.inf instead of None, True or False",
    ),
)


def sentence(error: Exception) -> str:
    """Return a sentence that says why Numba cannot compile rules, and where. It names the file and the line. If no line
    is known, it names the method."""
    if not type(error).__module__.startswith("numba"):  # an internal error of Numba
        return _shorten(" ".join(f"Numba fails with {type(error).__name__}: {error}".split())).removesuffix(":")
    text = SNIPPET.sub(r"at \1 (\2)", ADVICE.sub("", COLOURS.sub("", str(error))))
    lines = [line.strip() for line in text.splitlines()]
    places = [(number, match[1], match[2]) for number, line in enumerate(lines) for match in PLACE.finditer(line)]
    of_rules = [place for place in places if _is_in_rules(place[1])]
    first = next(iter(of_rules or places), (len(lines), "", ""))
    said = next((line for line in reversed(lines[: first[0] + 1]) if line and not line.startswith(NOT_TELLING)), "")
    asked = re.search(r"\bgame\.(\w+)\(", str(error))  # the method that a kernel called, for errors without a line
    reason = _plainly(said or type(error).__name__)
    line = _line_with_none(Path(first[1]), int(first[2])) if of_rules and "instead of None" in reason else first[2]
    where = f" ({Path(first[1]).name}, line {line})" if of_rules else f" (in {asked[1]})" if asked else ""
    return reason + where


def _line_with_none(path: Path, line: int) -> int:
    """Find the function that contains a line. Return the first line in which this function assigns or returns None;
    `line` if there is no such line."""
    with suppress(OSError, ValueError, SyntaxError):
        for function in ast.walk(ast.parse("".join(linecache.getlines(str(path))))):
            if isinstance(function, ast.FunctionDef) and function.lineno <= line <= (function.end_lineno or 0):
                given = [
                    each for each in ast.walk(function) if isinstance(each, ast.Assign | ast.AnnAssign | ast.Return)
                ]
                lines = [each.lineno for each in given if getattr(each.value, "value", 0) is None]
                return min(lines, default=line)
    return line


def _is_in_rules(path: str) -> bool:
    """Whether a file may contain rules. Numba's files contain no rules. Files of gamesearch contain rules only if they
    are in `gamesearch.games`."""
    found = Path(path).resolve()
    is_ours = found.is_relative_to(OUR_FOLDER) and not found.is_relative_to(OUR_FOLDER / "games")
    return not is_ours and not found.is_relative_to(NUMBAS_FOLDER)


def _shorten(said: str) -> str:
    for pattern, shorter in SHORTENINGS:
        said = re.sub(pattern, shorter, said)
    return said


def _plainly(said: str) -> str:
    said = _shorten(said)
    for pattern, plain in PLAIN_SENTENCES:
        if match := re.fullmatch(pattern, said):
            return match.expand(plain)
    return f"Numba says: {said.rstrip('.')}"
