"""How backgammon's positions and plays are written and drawn, for `gamesearch.games.backgammon.rules`."""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from gamesearch.boards import Board, Cell
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN

if TYPE_CHECKING:
    from gamesearch.games.backgammon.rules import Backgammon, Position

__all__ = [
    "BAR",
    "MEN",
    "OFF",
    "PLACE_BITS",
    "Step",
    "count",
    "drawn",
    "find_play",
    "play_name",
    "read_position",
    "read_roll",
    "steps_of",
    "write_id",
]

OFF, BAR = 0, 25
MEN = 15
PLACE_BITS = 5
"""A move is 1 where the smaller number is played first, and from bit 1 on the places from which men step."""
PLACES = {"off": OFF, "bar": BAR} | {str(point): point for point in range(OFF, BAR + 1)}
PART = re.compile(r"((?:[0-9]{1,2}|bar)(?:[/-](?:[0-9]{1,2}|off)\*?)+)(?:\(([1-4])\))?")
ROLL = r"([1-6])[-/,\s]*([1-6])"
POSITION = re.compile(
    rf"(?:(?:opening|([a-z0-9+/]{{14}}))(?=[\s,]|$))?[\s,]*(max|min)?[\s,]*(?:{ROLL})?", re.IGNORECASE
)
STACK = 5
"""How many men of a point are drawn; the last place says how many there are if there are more."""


def count(board: int, place: int) -> int:
    """How many men stand at a place."""
    return int(board) >> 4 * place & 15


# Positions. --------------------------------------------------------------------------------------
def write_id(mine: int, theirs: int) -> str:
    """The Position ID of a position, `mine` being the men of the side to move.

    For points 1 to 24 and the bar, a one for each man and then a zero; the lowest bit first. GNU
    Backgammon writes the men first of the side that is *not* to move, whatever its manual says.
    """
    bits, length = 0, 0
    for board in (theirs, mine):
        for place in range(1, BAR + 1):
            men = count(board, place)
            bits |= ((1 << men) - 1) << length
            length += men + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


def read_id(text: str) -> tuple[int, int]:
    """The men of the side to move, and the other's, that a Position ID means."""
    bits = int.from_bytes(base64.b64decode(text + "=="), "little")
    boards = []
    for _ in range(2):
        board = 0
        for place in range(1, BAR + 1):
            men = 0
            while bits & 1:
                men, bits = men + 1, bits >> 1
            bits >>= 1
            board += min(men, MEN + 1) << 5 * place  # room for a man too many
        numbers = [board >> 5 * place & 31 for place in range(BAR + 1)]
        if sum(numbers) > MEN:
            raise GamesearchError(f"in {text!r}, a side has {sum(numbers)} men: there are {MEN}")
        numbers[OFF] = MEN - sum(numbers)
        boards.append(sum(men << 4 * place for place, men in enumerate(numbers)))
    theirs, mine = boards
    if bits:
        raise GamesearchError(f"{text!r} goes on after the men of both sides")
    for point in range(1, BAR):
        if count(mine, point) and count(theirs, BAR - point):
            raise GamesearchError(f"in {text!r}, both sides have men on the mover's {point} point")
    return mine, theirs


def read_roll(text: str) -> int:
    """The larger number of a roll and the smaller one, such as 31."""
    match = re.fullmatch(ROLL, text.strip())
    if match is None:
        raise GamesearchError(f"{text.strip()!r} is not a roll: that is two numbers from 1 to 6, such as 31")
    smaller, larger = sorted(map(int, match.groups()))
    return 10 * larger + smaller


def read_position(text: str, opening: int) -> tuple[int, int, int, int]:
    """The men of the side to move, the other's, whose turn it is, and the roll or 0."""
    match = POSITION.fullmatch(text.strip())
    if match is None:
        raise GamesearchError(
            f"{text!r} is not a Position ID of 14 letters, digits, + and /, or opening, then max or min, then the "
            "roll if it is thrown, such as 4HPwATDgc/ABMA max 31"
        )
    mine, theirs = read_id(match[1]) if match[1] else (opening, opening)
    turn = MIN if (match[2] or "").casefold() == "min" else MAX
    return mine, theirs, turn, read_roll(match[3] + match[4]) if match[3] else 0


# Plays. ------------------------------------------------------------------------------------------
class Step(NamedTuple):
    """One man's step, and whether it hits."""

    start: int
    end: int
    hits: bool


def steps_of(s: "Position", m: int) -> list[Step]:
    """A move as the steps of its men."""
    dice = [s.roll % 10, s.roll // 10] if m & 1 else [s.roll // 10, s.roll % 10]
    steps, before, places = [], s.theirs, m >> 1
    for die in dice * 2:
        if places:
            start = places % (1 << PLACE_BITS)
            end = max(0, start - die)
            hits = end > 0 and before >> 4 * (BAR - end) & 15 == 1
            before -= hits << 4 * (BAR - end)
            steps.append(Step(start, end, hits))
            places >>= PLACE_BITS
    return steps


def play_name(steps: Sequence[Step]) -> str:
    """A play as it is written: the rearmost man first, stops in between only where a man was hit."""
    if not steps:
        return "pass"
    journeys: list[list[Step]] = []
    for step in sorted(steps, key=lambda step: -step.start):
        for journey in journeys:
            if journey[-1].end == step.start:
                journey.append(step)
                break
        else:
            journeys.append([step])
    names = Counter(map(journey_name, sorted(journeys, key=lambda journey: (-journey[0].start, -journey[-1].end))))
    return " ".join(name if times == 1 else f"{name}({times})" for name, times in names.items())


def journey_name(steps: Sequence[Step]) -> str:
    """The steps of one man, such as bar/20 or 13/11*/8."""
    stops = [f"/{step.end or 'off'}" + "*" * step.hits for step in steps if step.hits or step is steps[-1]]
    return "".join([str(steps[0].start) if steps[0].start != BAR else "bar", *stops])


def changes_of(steps: Iterable[Step]) -> Counter[int]:
    """How many men each place gets or loses."""
    changes: Counter[int] = Counter()
    for step in steps:
        changes[step.start] -= 1
        changes[step.end] += 1
    return Counter({place: men for place, men in changes.items() if men})


def read_play(text: str, blots: Set[int]) -> list[Step]:
    """The steps, of one die or more each, of a play such as `8/5*/2 6/4(2)`.

    Spaces, capitals and the roll in front (`31:`) do not matter. Who stops at a blot hits, star or not.
    """
    plain = re.sub(r"^\s*[1-6][-\s]?[1-6]\s*:", "", text.casefold())
    plain = re.sub(r"\s*([/-])\s*|\s+(?=[*(])", r"\1", plain.strip())
    steps: list[Step] = []
    for part in re.split(r"[\s,;]+", plain):
        match = PART.fullmatch(part)
        if match is None:
            raise GamesearchError(f"cannot read {part!r}: a play is such as 8/5 6/5, 24/18/13*, bar/20, 6/off or pass")
        stops = re.split("[/-]", match[1])
        places = [PLACES.get(stop.rstrip("*"), BAR + 1) for stop in stops]
        if max(places) > BAR or any(start <= end for start, end in pairwise(places)):
            raise GamesearchError(f"{part!r} does not go down: the bar is 25, then come points 24 to 1, then off")
        for place, stop in zip(places, stops, strict=True):
            if stop.endswith("*") and place not in blots:
                raise GamesearchError(f"{part!r} hits nobody: there is no single man on the {place} point")
        steps += [Step(start, end, end in blots) for start, end in pairwise(places)] * int(match[2] or 1)
    return steps


def find_play(text: str, roll: int, plays: dict[int, list[Step]], blots: Set[int]) -> int:
    """The one of the plays that a text means; where it says no more, the one that hits nobody on the way."""
    names = {play: play_name(steps) for play, steps in plays.items()}
    example = next(iter(names.values()))
    if text.strip().casefold() == "pass":
        found = [play for play, steps in plays.items() if not steps]
    else:
        written = read_play(text, blots)
        wanted, hits = changes_of(written), {step.end for step in written if step.hits}
        moved = [play for play, steps in plays.items() if steps and changes_of(steps) == wanted]
        hitting = {play: {step.end for step in plays[play] if step.hits} for play in moved}
        found = [play for play in moved if hitting[play] == hits] or [play for play in moved if hitting[play] > hits]
    if len(found) == 1:
        return found[0]
    if found:
        raise GamesearchError(f"{text.strip()!r} may be {' or '.join(names[play] for play in found)}")
    if example == "pass":
        raise GamesearchError(f"{text.strip()!r} is not legal: no man can move by {roll}, so pass")
    raise GamesearchError(f"{text.strip()!r} is not a play of all that can be used of {roll}, as {example} is")


# The picture. ------------------------------------------------------------------------------------
def drawn(game: "Backgammon", s: "Position") -> Board:
    """The board with Max's home at the bottom right, both sides' pips, and whose turn it is."""
    boards = [s.mine, s.theirs] if s.turn == MAX else [s.theirs, s.mine]
    upper = [*range(13, 19), BAR, *range(19, 25), OFF]
    lower = [*range(12, 6, -1), BAR, *range(6, 0, -1), OFF]
    rows = [[Cell(label, faint=True) for label in labels(upper)]]
    rows += [[stacked(boards, place, height, MIN) for place in upper] for height in range(STACK)]
    rows += [[Cell(" ") for _ in upper]]
    rows += [[stacked(boards, place, height, MAX) for place in lower] for height in reversed(range(STACK))]
    pips = [sum(place * count(board, place) for place in range(BAR + 1)) for board in boards]
    mover = f"{game.names[s.turn]} ({'XO'[s.turn]})"
    what = "game over" if game.terminal(s) else f"{mover} has {s.roll}" if s.roll else f"{mover} throws"
    pip_count = f"pips: {game.names[MAX]} (X) {pips[MAX]}, {game.names[MIN]} (O) {pips[MIN]}"
    return Board(rows=rows, column_labels=labels(lower), notes=[pip_count, what])


def labels(places: Sequence[int]) -> list[str]:
    """The names of places."""
    return [{OFF: "off", BAR: "bar"}.get(place, str(place)) for place in places]


def stacked(boards: Sequence[int], place: int, height: int, half: int) -> Cell:
    """What is drawn so high above a point's edge; Max's men on the bar and off are drawn below, Min's above."""
    for owner, mark in ((MAX, "X"), (MIN, "O")):
        if place in (OFF, BAR):
            men = count(boards[owner], place) if owner == half else 0
        else:
            men = count(boards[owner], place if owner == MAX else BAR - place)
        if men > height:
            return Cell(str(men) if height == STACK - 1 and men > STACK else mark, owner=owner)
    return Cell("|" if place == BAR else " " if place == OFF else ".", faint=True)
