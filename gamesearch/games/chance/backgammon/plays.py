"""The notation of backgammon plays, such as 8/5*/2 6/4(2)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.games.chance.backgammon.position import BAR, OFF, PLACE_BITS, Position

__all__ = ["find_play", "play_name", "steps_of"]

PLACES = {"off": OFF, "bar": BAR} | {str(point): point for point in range(OFF, BAR + 1)}
PART = re.compile(r"((?:[0-9]{1,2}|bar)(?:[/-](?:[0-9]{1,2}|off)\*?)+)(?:\(([1-4])\))?")


class Step(NamedTuple):
    """The step of one checker with one die."""

    start: int
    end: int
    hits: bool


def steps_of(s: Position, m: int) -> list[Step]:
    """The steps of the checkers in a move."""
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
    """The notation of a play, rearmost checker first. Intermediate points appear only if a checker is hit there."""
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
    """The notation of the steps of one checker, such as bar/20 or 13/11*/8."""
    stops = [f"/{step.end or 'off'}" + "*" * step.hits for step in steps if step.hits or step is steps[-1]]
    return "".join([str(steps[0].start) if steps[0].start != BAR else "bar", *stops])


def changes_of(steps: Iterable[Step]) -> Counter[int]:
    """For each place, the number of checkers that arrive minus the number of checkers that leave."""
    changes: Counter[int] = Counter()
    for step in steps:
        changes[step.start] -= 1
        changes[step.end] += 1
    return Counter({place: checkers for place, checkers in changes.items() if checkers})


def read_play(text: str, blots: Set[int]) -> list[Step]:
    """Read the steps of a play, such as `8/5*/2 6/4(2)`. A checker may move with several dice. Extra spaces, capital
    letters and a roll in front (`31:`) make no difference. A checker that lands on a blot hits it, even without a
    star."""
    plain = re.sub(r"^\s*[1-6][-\s]?[1-6]\s*:", "", text.casefold())
    plain = re.sub(r"\s*([/-])\s*|\s+(?=[*(])", r"\1", plain.strip())
    steps: list[Step] = []
    for part in re.split(r"[\s,;]+", plain):
        match = PART.fullmatch(part)
        if match is None:
            raise GamesearchError(f"cannot read {part!r}: write, for example, 8/5 6/5, 24/18/13*, bar/20, 6/off, pass")
        stops = re.split("[/-]", match[1])
        places = [PLACES.get(stop.rstrip("*"), BAR + 1) for stop in stops]
        if max(places) > BAR or any(start <= end for start, end in pairwise(places)):
            raise GamesearchError(f"{part!r} must go from higher to lower places: the bar (25), points 24 to 1, off")
        for place, stop in zip(places, stops, strict=True):
            if stop.endswith("*") and place not in blots:
                raise GamesearchError(f"{part!r} is not a hit: the {place} point has no blot")
        steps += [Step(start, end, end in blots) for start, end in pairwise(places)] * int(match[2] or 1)
    return steps


def find_play(text: str, roll: int, plays: dict[int, list[Step]], blots: Set[int]) -> int:
    """Find the play that a text describes. A play with exactly the written hits is preferred to a play with more
    hits."""
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
        raise GamesearchError(f"{text.strip()!r} may mean {' or '.join(names[play] for play in found)}")
    if example == "pass":
        raise GamesearchError(f"{text.strip()!r} is not legal: no checker can move by {roll}, so pass")
    raise GamesearchError(f"{text.strip()!r}: a play must use as much of {roll} as possible, such as {example}")
