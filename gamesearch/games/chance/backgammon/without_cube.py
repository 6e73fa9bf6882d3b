"""Backgammon without the doubling cube. Dice are chance nodes, and a play must use as much of a roll as possible."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, IGNORED, MAX, MIN
from gamesearch.games._shared.cells import members
from gamesearch.games.chance.backgammon.plays import find_play, play_name, steps_of
from gamesearch.games.chance.backgammon.position import (
    BAR,
    CHECKERS,
    OFF,
    OPENING,
    PLACE_BITS,
    BackgammonBoard,
    Position,
    count,
    read_id,
    read_match_id,
    write_id,
)
from gamesearch.optional import NetworkGame, StochasticGame
from gamesearch.toolkit.bits import Wide128, low_bit_index, popcount, replace_item
from gamesearch.toolkit.boards import STICK, Board, Cell
from gamesearch.toolkit.known import Known

__all__ = ["PASS", "ROLLS", "STACK", "WITH_MATCH", "BackgammonWithoutCube"]

INPUTS_OF_SIDE = 107
"""The number of network inputs for each side. Each point has four inputs. Three inputs are 1 or 0. They say whether the
point has exactly one checker, at least two checkers, or at least three checkers. The fourth input is half the number of
further checkers. The other inputs are the number of checkers on the bar (divided by 2), the number of checkers borne
off (divided by 15), and all features of `strengths` except stacked checkers."""


class Strengths(NamedTuple):
    """The features of one side."""

    pips: int
    rearmost: int
    risk: float
    """The sum of two risks. The first is the number of pips that blots will probably lose. The second is 5 for each
    point of the opponent's home that a hit checker could not enter."""
    bar: int
    """A sum over the checkers on the bar. Each of them counts 2, plus 1 for each point of the opponent's home that it
    cannot enter."""
    home: int
    """The number of points with at least two checkers, among the points 3 to 6."""
    prime: int
    """The length of the longest prime (adjacent made points) minus 2, if an opposing checker is behind this prime."""
    anchor: int
    """Whether the side has at least two checkers on one of the points 20 to 22."""
    back: int
    """The number of checkers in the opponent's home or on the bar."""
    stacked: int
    """The number of surplus checkers: on each point, all checkers except three are surplus."""
    unsaved: int
    """Whether the side can still lose a gammon, because it has not borne off a checker yet."""


ROLL = r"([1-6])[-/,\s]*([1-6])"
POSITION = re.compile(
    rf"(?:(?:opening|([a-z0-9+/]{{14}}))(?=[\s,]|$))?[\s,]*(max|min)?[\s,]*(?:{ROLL})?", re.IGNORECASE
)
WITH_MATCH = re.compile(
    r"(?:GNUBGID|Position ID:)?\s*([a-z0-9+/]{14})\s*(?::|Match ID\s*:)\s*([a-z0-9+/]{12})", re.IGNORECASE
)
"""Matches a Position ID and a Match ID, as GNU Backgammon shows them."""
STACK = 5
"""The greatest number of checkers drawn on a point. If there are more checkers, the last place shows their number."""
ROLLS = tuple([10 * larger + smaller for larger in range(1, 7) for smaller in range(1, larger + 1)])
PASS = 0
DISTINCT = {21: 15, 32: 17, 43: 17, 52: 8, 54: 9, 62: 14, 63: 14, 65: 7, 22: 75, 55: 4}
"""The number of different positions that can follow some first rolls. Other programs confirm these numbers."""


class BackgammonWithoutCube(BackgammonBoard, NetworkGame[Position], StochasticGame[Position]):
    """The rules, evaluation, notation and picture of backgammon without the cube."""

    known = (
        Known("counted by the plain generator in the tests", "", "opening max", perft=(21, 447, 9_387, 202_782)),
        Known("15 first rolls without doubles, and either side begins", perft=(30, 380)),
        *[Known("distinct plays of a first roll", "", f"max {roll}", perft=(n,)) for roll, n in DISTINCT.items()],
    )
    chance = True
    repetition = IGNORED
    win_or_loss = False
    bounds_hold_estimates = True  # `bounds` also holds for estimates, because a checker that is borne off stays off
    estimate_sees_chance = False
    suggested_depth = 3
    MINSCORE = -3.0
    MAXSCORE = 3.0
    input_count = 2 * INPUTS_OF_SIDE
    plays_by_learned = True
    dice_explore = True
    network_payoffs = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)

    # Each weight is the value of a feature, in points. The evaluation played 300,000 games against itself, with
    # searches of one ply. After every 30,000 games, the weights were fitted to the results by least squares.
    feature_names: tuple[str, ...] = (
        "pips in contact", "pips in a race", "turn", "risk of blots", "bar", "home points", "prime", "anchor",
        "checkers behind", "stacked checkers", "gammon unsaved",
    )  # fmt: skip
    weights: tuple[float, ...] = (0.0097, 1.8, 0.091, -0.0034, -0.0157, 0.079, 0.121, 0.106, -0.084, -0.0145, -0.45)
    notation = (
        "a Position ID of GNU Backgammon or the word `opening`, then max (White) or min (Black) for the side to "
        "move, then the roll if the dice are rolled (4HPwATDgc/ABMA max 31). You can also write Position ID:Match "
        "ID. A move is, for example, 8/5 6/5, 24/18/13*, bar/20, 6/off, 6/4(2) or `pass`"
    )
    names = ("White", "Black")
    numbers_rounds = True
    bottom_player = MAX
    example = "4HPwATDgc/ABMA max 31"

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(self.start, self.start, MAX, OPENING)

    def player(self, s: Position) -> int:
        return CHANCE if s.roll <= 0 else s.turn

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
        if s.roll == OPENING:
            for white in range(1, 7):
                for black in range(1, 7):
                    if white != black:
                        yield 10 * white + black, 1 / 30
        else:
            for roll in ROLLS:
                yield roll, 1 / 36 if roll % 11 == 0 else 2 / 36

    def moves(self, s: Position) -> Iterator[int]:
        larger, smaller = s.roll // 10, s.roll % 10
        made = self.made_points(s.theirs)
        open_points = self.points ^ self.from_other_side(made)
        blots = self.from_other_side(s.theirs & self.points & ~made)
        by_larger = self.movable(s.mine, open_points, larger)
        either_way = Wide128(0)
        is_double = larger == smaller
        found = False
        # Try the longest plays first, because a shorter play is legal only if all longer plays are impossible. After a
        # double, try four steps, then three, and so on. After a roll of two different numbers, try both orders of the
        # two numbers; then try only the larger number, and finally only the smaller. Skip steps that lead to a position
        # that was already found.
        for attempt in range(4):
            length = 4 - attempt if is_double else 2 - attempt // 2
            order = 0 if is_double else attempt % 2
            first, second = (larger, smaller) if order == 0 else (smaller, larger)
            checkers = self.movable(s.mine, open_points, first)
            if order == 1 and length == 2:
                checkers &= -1 << 4 * (first + 1)  # bearing off by the smaller number first gives the same plays
            boards: tuple[int, ...] = (s.mine, s.mine, s.mine, s.mine)
            waiting: tuple[int, ...] = (checkers, checkers, checkers, checkers)
            play = order
            step = 0
            while step >= 0:
                checkers = waiting[step]
                if checkers == 0:
                    step -= 1
                    continue
                checker = checkers & -checkers
                waiting = replace_item(waiting, step, checkers ^ checker)
                shift = 1 + PLACE_BITS * step
                play = play & (1 << shift) - 1 | low_bit_index(checker) // 4 << shift
                if step + 1 == length:
                    yield play
                    found = True
                    continue
                die, next_die = (first, second) if step % 2 == 0 else (second, first)
                board = self.step(boards[step], checker, die)
                checkers = self.movable(board, open_points, next_die)
                if is_double:
                    # The order of steps does not matter, so always move the rearmost checker first.
                    checkers &= (checker << 1) - 1
                elif order == 0:
                    # If one checker moves twice without a hit on the way, both orders of the numbers lead to the same
                    # position. There may also be a third way: this checker moves by the smaller number to a point with
                    # another checker, and the other checker moves on by the larger number.
                    onward = checker >> 4 * larger & checkers & ~blots
                    between = checker >> 4 * smaller & ~blots
                    if onward != 0 and between & by_larger != 0:
                        checkers ^= onward
                    elif onward != 0 and between != 0:
                        either_way |= checker
                else:
                    checkers &= ~by_larger  # these checkers were already tried with the larger number first
                    if checker & either_way != 0:
                        checkers &= ~(checker >> 4 * smaller)
                step += 1
                boards = replace_item(boards, step, board)
                waiting = replace_item(waiting, step, checkers)
            if found and (is_double or attempt > 0):
                break
        if not found:
            yield PASS

    def result(self, s: Position, m: int) -> Position:
        if s.roll == OPENING:
            white, black = m // 10, m % 10
            if white > black:
                return Position(s.mine, s.theirs, MAX, m)
            return Position(s.theirs, s.mine, MIN, 10 * black + white)
        if s.roll == 0:
            return Position(s.mine, s.theirs, s.turn, m)
        mine, theirs = s.mine, s.theirs
        die, next_die = s.roll // 10, s.roll % 10
        if m & 1:
            die, next_die = next_die, die
        places = m >> 1
        while places > 0:
            place = places % (1 << PLACE_BITS)
            mine = self.step(mine, Wide128(1) << 4 * place, die)
            met = 4 * (BAR - place + die)
            if place > die and theirs >> met & 15 == 1:
                theirs += self.bar - (Wide128(1) << met)
            places >>= PLACE_BITS
            die, next_die = next_die, die
        return Position(theirs, mine, 1 - s.turn, 0)

    def terminal(self, s: Position) -> bool:
        return bool(s.theirs & 15 == CHECKERS)  # the side that moved last has borne off all checkers

    def utility(self, s: Position) -> float:
        points = 1.0
        if s.mine & 15 == 0:
            points = 3.0 if s.mine >> 4 * 19 != 0 else 2.0
        return -points if s.turn == MAX else points

    def progress(self, s: Position) -> int:
        return int(s.mine & 15) + int(s.theirs & 15)

    def consistent(self, s: Position) -> bool:
        mine = theirs = 0
        for place in range(BAR + 1):
            mine += int(s.mine >> 4 * place & 15)
            theirs += int(s.theirs >> 4 * place & 15)
        met = (
            self.occupied_places(s.mine)
            & self.points
            & self.from_other_side(self.occupied_places(s.theirs) & self.points)
        )
        return mine == theirs == CHECKERS and met == 0 and s.mine & 15 < CHECKERS

    def bounds(self, s: Position) -> tuple[float, float]:
        # A side that has borne off a checker cannot lose a gammon.
        least = -1.0 if s.mine & 15 != 0 else -3.0
        greatest = 1.0 if s.theirs & 15 != 0 else 3.0
        return (least, greatest) if s.turn == MAX else (-greatest, -least)

    # Evaluation and move ordering. ----------------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """The features of a position. While the sides can still hit each other, the first feature is Max's lead in
        pips. After that (in a race), the second feature is Max's lead as a fraction of all pips. The third feature is
        whose turn it is. Each remaining feature is Max's value of a field of `Strengths` minus Min's value. The first
        of these fields is `risk`."""
        mine, theirs = self.strengths(s.mine, s.theirs), self.strengths(s.theirs, s.mine)
        sign = 1.0 if s.turn == MAX else -1.0
        lead = sign * (theirs.pips - mine.pips)
        meets = mine.rearmost + theirs.rearmost > BAR
        return (
            lead if meets else 0.0, 0.0 if meets else lead / (mine.pips + theirs.pips), sign,
            sign * (mine.risk - theirs.risk), sign * (mine.bar - theirs.bar), sign * (mine.home - theirs.home),
            sign * (mine.prime - theirs.prime), sign * (mine.anchor - theirs.anchor), sign * (mine.back - theirs.back),
            sign * (mine.stacked - theirs.stacked), sign * (mine.unsaved - theirs.unsaved),
        )  # fmt: skip

    def strengths(self, mine: int, theirs: int) -> Strengths:
        """The features of one side."""
        made = self.made_points(mine)
        hitters = self.from_other_side(self.occupied_places(theirs))
        closed = popcount(self.made_points(theirs) & self.home)
        pips = rearmost = back = stacked = 0
        risk = 0.0
        for bit in members(self.occupied_places(mine)):
            rearmost = bit // 4
            number = int(mine >> 4 * rearmost & 15)
            pips += number * rearmost
            back += number if rearmost > 18 else 0
            stacked += max(0, number - 3)
            if number == 1 and rearmost < BAR:
                shooters = hitters << 4 * (24 - rearmost) & self.in_reach
                missing = 1.0
                for shooter in members(shooters):
                    missing *= 1 - self.shots[24 - shooter // 4] / 36
                risk += (1 - missing) * (BAR - rearmost + 5 * closed)
        prime, run = 0, made
        while run != 0:
            prime += 1
            run &= run >> 4
        return Strengths(
            pips=pips,
            rearmost=rearmost,
            risk=risk,
            bar=int(mine >> 4 * BAR) * (2 + closed),
            home=popcount(made & self.far_home),
            prime=max(0, prime - 2) if theirs >> 4 * 19 != 0 else 0,
            anchor=1 if made & self.anchors != 0 else 0,
            back=back,
            stacked=stacked,
            unsaved=1 if mine & 15 == 0 else 0,
        )

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """The network inputs: first those of the side to move, then those of the other side. Each side has Tesauro's
        inputs and the features of `strengths`."""
        for side in range(2):
            board, other = (s.mine, s.theirs) if side == 0 else (s.theirs, s.mine)
            first = INPUTS_OF_SIDE * side
            places = self.occupied_places(board) & self.points
            while places != 0:
                place = low_bit_index(places) // 4
                places &= places - 1
                number, at = int(board >> 4 * place & 15), first + 4 * (place - 1)
                yield at + (0 if number == 1 else 1), 1.0
                if number > 2:
                    yield at + 2, 1.0
                if number > 3:
                    yield at + 3, (number - 3) / 2
            found = self.strengths(board, other)
            weighed = (
                int(board >> 4 * BAR) / 2, int(board & 15) / CHECKERS, found.pips / 100, found.risk / 20, found.bar / 4,
                found.home / 4, found.prime / 4, float(found.anchor), found.back / 4, float(found.unsaved),
                found.rearmost / BAR,
            )  # fmt: skip
            for i in range(len(weighed)):
                yield first + 96 + i, weighed[i]

    def viewer(self, s: Position) -> int:
        return s.turn

    def evaluate(self, s: Position) -> float:
        lower, upper = self.bounds(s)
        return 0.99 * max(lower, min(upper, self.weighted_sum(s)))

    def order(self, s: Position, m: int) -> float:
        """Prefer moves that hit, then moves that make points, then moves that leave few blots."""
        after = self.result(s, m)
        made = self.made_points(after.theirs)
        blots = after.theirs & self.points & ~made
        return 4.0 * int(after.mine >> 4 * BAR) + 2.0 * popcount(made) - popcount(blots)

    def parse(self, text: str) -> Position:
        both = WITH_MATCH.fullmatch(text.strip())
        if both is not None:
            turn, roll = read_match_id(both[2])
            text = f"{both[1]} {'min' if turn == MIN else 'max'} {roll or ''}"
        match = POSITION.fullmatch(text.strip())
        if match is None:
            raise GamesearchError(
                f"{text!r} is not a position. Write a Position ID (14 characters: letters, digits, + or /) or the word "
                "`opening`. Then write `max` or `min` and, if the dice are rolled, the roll: 4HPwATDgc/ABMA max 31. A "
                "list of moves is not enough, because it lacks the rolls"
            )
        if text.strip().casefold() in ("", "opening"):
            return self.initial()
        mine, theirs = read_id(match[1]) if match[1] else (self.start, self.start)
        turn = MIN if (match[2] or "").casefold() == "min" else MAX
        s = Position(mine, theirs, turn, read_roll(match[3] + match[4]) if match[3] else 0)
        if s.mine & 15 == CHECKERS:
            raise GamesearchError(f"in {text!r}, {self.names[s.turn]} has won but is to move")
        if self.terminal(s) and s.roll:
            raise GamesearchError(f"in {text!r}, {self.names[s.turn]} has a roll although the game is over")
        if all(self.made_points(board) & self.home == self.home and board >= self.bar for board in (s.mine, s.theirs)):
            raise GamesearchError(f"in {text!r}, both sides are on the bar and neither can enter")
        return s

    def format(self, s: Position) -> str:
        if s.roll == OPENING:
            return "opening"
        roll = f" {s.roll}" if s.roll else ""
        return write_id(s.mine, s.theirs) + (" max" if s.turn == MAX else " min") + roll

    def move_name(self, s: Position, m: int) -> str:
        return play_name(steps_of(s, m)) if s.roll > 0 else str(m)

    def outcome_text(self, s: Position, m: int) -> str:
        if s.roll == OPENING:
            white, black = self.names
            return f"{white} rolls {m // 10}, {black} rolls {m % 10}: {white if m // 10 > m % 10 else black} begins"
        return f"{self.names[s.turn]} rolls {m // 10}-{m % 10}"

    def parse_move(self, s: Position, text: str) -> int:
        if s.roll == OPENING:
            return super().parse_move(s, "".join(character for character in text if character.isalnum()))
        if s.roll == 0:
            return read_roll(text)
        blots = {point for point in range(1, BAR) if count(s.theirs, BAR - point) == 1}
        return find_play(text, s.roll, {m: steps_of(s, m) for m in self.moves(s)}, blots)

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        """The board. Max's home is at the bottom right. Points are numbered as the player to move counts them."""
        boards = [s.mine, s.theirs] if s.turn == MAX else [s.theirs, s.mine]
        upper = [*range(13, 19), BAR, *range(19, 25), OFF]
        lower = [*range(12, 6, -1), BAR, *range(6, 0, -1), OFF]
        rows = [[cell_in_stack(boards, place, height, MIN) for place in upper] for height in range(STACK)]
        rows += [[Cell(" ") for _ in upper]]
        rows += [[cell_in_stack(boards, place, height, MAX) for place in lower] for height in reversed(range(STACK))]
        pips = [sum(place * count(board, place) for place in range(BAR + 1)) for board in boards]
        pip_count = f"pips: {self.names[MAX]} {pips[MAX]}, {self.names[MIN]} {pips[MIN]}"
        notes = [pip_count, self.turn_text(s)]
        below, above = labels(lower, s.turn), labels(upper, s.turn)
        return Board(rows, column_labels=below, top_labels=above, notes=notes)

    def turn_text(self, s: Position) -> str:
        """A text that says which player must play or roll."""
        if self.terminal(s):
            return "game over"
        if s.roll == OPENING:
            return "each side rolls one die; the higher number begins"
        name = self.names[s.turn]
        return f"{name} to play {s.roll // 10}-{s.roll % 10}" if s.roll else f"{name} to roll"


def read_roll(text: str) -> int:
    """Parse a roll; returns the larger number followed by the smaller one, such as 31."""
    match = re.fullmatch(ROLL, text.strip())
    if match is None:
        raise GamesearchError(f"{text.strip()!r} is not a roll: write two numbers from 1 to 6, such as 31")
    smaller, larger = sorted(map(int, match.groups()))
    return 10 * larger + smaller


def labels(places: Sequence[int], player: int) -> list[str]:
    """Convert the numbers that Max uses for places to the labels that `player` uses."""
    names = {OFF: "off", BAR: "bar"}
    return [names.get(place, str(place if player == MAX else BAR - place)) for place in places]


def cell_in_stack(boards: Sequence[int], place: int, height: int, half: int) -> Cell:
    """The picture of a place (a point, the bar, or off the board) at one height of its stack. Max's checkers on the bar
    and off the board are at the bottom, and Min's are at the top. Empty points are faint, and every second point is
    dark."""
    on_point, is_dark = place not in (OFF, BAR), place % 2 == 1
    for owner, mark in ((MAX, "X"), (MIN, "O")):
        own_place = BAR - place if on_point and owner == MIN else place
        checkers = count(boards[owner], own_place) if on_point or owner == half else 0
        if checkers > height:
            counted = str(checkers) if height == STACK - 1 and checkers > STACK else ""
            return Cell(counted or mark, owner=owner, faint=on_point, dark=is_dark, label=counted)
    return Cell(STICK if place == BAR else " " if place == OFF else ".", faint=on_point, dark=is_dark)
