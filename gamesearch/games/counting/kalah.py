"""Kalah: sow the seeds of a pit one by one, and collect more seeds in your store than the opponent.

The rules follow Irving, Donkers and Uiterwijk 2000, "Solving Kalah", ICGA Journal 23. The article gives results without
`empty_capture`: South wins by 10 if each side has six pits of four seeds, and by 12 if the pits have five seeds.
"""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import CAPTURE, FORWARD, MAX, MIN
from gamesearch.games._shared.cells import LARGEST, choose
from gamesearch.notation import play_moves
from gamesearch.optional import NetworkGame, NumberedGame, SelectiveGame
from gamesearch.toolkit.boards import Board, Cell, Palette, Place
from gamesearch.toolkit.known import Known

__all__ = ["Kalah"]

MOST_PITS = 9
WIDEST_SIDE = 63
"""The number of bits for one side of the board. Compiled code stores each side in a signed 64-bit integer."""
FEW_WAYS = 500_000
"""If there are at most this many ways to distribute the seeds, solving takes less time than compiling."""
OWN, OTHER = 0, 1
BESIDES = 2.75
"""A move almost never gains more than the number of seeds that it captures, plus this number."""
MOST_TOLD, INPUTS_OF_PIT = 6, 9
"""INPUTS_OF_PIT is the number of network inputs for each pit. The first MOST_TOLD inputs say whether the pit has 1, 2,
... or at least MOST_TOLD seeds. The other inputs are an eighth of its seeds, whether its last seed falls into the
store, and an eighth of the seeds that its move captures."""
MOVES = re.compile(r"(?:[0-9]++\.++|[1-9]|[\s,])++")
"""Matches a list of moves. A text that contains `:`, `/`, a side or an empty pit is a position, so it does not
match."""
NOTATION = re.compile(r"([0-9]{1,4}(?:[\s,:/]+[0-9]{1,4})*)\s*(|s|south|n|north)")

COUNTED = "solved by a plain search without pruning and without empty_capture"
EMPTY = "solved by a plain search without pruning, with empty_capture"
DIFFERENCES = {1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, -10, 6, 8), 3: (0, 4, 2)}
"""For each number of pits on a side: South's winning margins with 1, 2, ... seeds in each pit."""


class Position(NamedTuple):
    """Each side of the board is one number. Each of its digits has `width` bits, and is the number of seeds in a pit or
    in the store.

        store | pit p ... pit 2 | pit 1        sowing goes from the right to the left,
                                               then on to pit 1 of the other side

    `mine` is the side of the player to move, and `theirs` the other side. Pits are numbered from the owner's left.
    """

    mine: int
    theirs: int
    turn: int


class Kalah(SelectiveGame[Position], NumberedGame[Position], NetworkGame[Position]):
    """Sow seeds around the board; ending in your store gives another turn; South is Max and begins.

    If the last seed falls into an empty pit of the player, this seed and the seeds in the opposite pit are captured:
    they go to the player's store. If `empty_capture` is set, the last seed is also captured if the opposite pit is
    empty. When all pits of one side are empty, the other side's seeds go to its store. The payoff is the difference of
    the stores.
    """

    unit = "seeds"
    palette = Palette("holes", board="#a9743f", dark="#5b3716", sides=("#ffd75f", "#8fdcff"))

    notation = (
        "a list of moves (3 6), or South's pits and store, then North's pits and store, each from that player's left "
        "(4,4,4,4,4,4:0/4,4,4,4,4,4:0). Add north if North is to move. A move is the number of a pit. Pit 1 is "
        "farthest from the player's store"
    )
    example = "4,4,0,5,5,5:1/4,4,4,4,4,4:0"
    names = ("South", "North")
    turns_alternate = False
    bottom_player = MAX
    win_or_loss = False
    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"
    whole_payoffs = True
    plays_by_learned = True  # benchmarks/results.md, "Learned weights"
    known = (
        Known("counted by a plain program", perft=(6, 35, 185, 942, 4_690, 23_233, 114_430)),
        *(
            Known(COUNTED, f"pits={pits}, seeds={seeds}", value=value)
            for pits, values in DIFFERENCES.items()
            for seeds, value in enumerate(values, 1)
        ),
        Known(EMPTY, "pits=2, seeds=4, empty_capture=true", value=-12),
    )
    feature_names = ("seeds in the store", "seeds in the pits", "moves that give an extra turn")

    def __init__(self, pits: int = 6, seeds: int = 4, empty_capture: bool = False) -> None:
        if not 1 <= pits <= MOST_PITS:
            raise GamesearchError(f"pits={pits} is not possible: a side must have 1 to {MOST_PITS} pits")
        most = ((1 << WIDEST_SIDE // (pits + 1)) - 1) // (2 * pits)
        if not 1 <= seeds <= most:
            raise GamesearchError(
                f"seeds={seeds} is not possible: if a side has {pits} pits, a pit must begin with 1 to {most} seeds"
            )
        self.pits, self.seeds, self.empty_capture = pits, seeds, bool(empty_capture)
        self.total = 2 * pits * seeds
        self.ring = 2 * pits + 1
        self.width = self.total.bit_length()
        self.digit = (1 << self.width) - 1
        self.store = pits * self.width
        self.all_pits = (1 << self.store) - 1
        self.sown = self.sowings()
        self.MINSCORE, self.MAXSCORE = -self.total, self.total
        # The weights were set by hand. In the weighted sum, the last two terms together are at most the number of seeds
        # in the pits.
        self.weights = (1.0, 0.125, 0.5)
        self.input_count = 2 * pits * INPUTS_OF_PIT + 2
        self.network_payoffs = tuple(part * self.total / 24 for part in (-24, -8, -4, -2, 0, 2, 4, 8, 24))
        self.worth_compiling = math.comb(self.total + self.ring, self.ring) > FEW_WAYS
        if self.worth_compiling:
            self.suggested_depth = 10

    def sowings(self) -> "np.ndarray[tuple[int, int, int], np.dtype[np.int64]]":
        """The integers that add the received seeds to a side of the board. The indices are the side that receives
        seeds, the pit to sow from, and the number of seeds."""
        sown = np.zeros((2, self.pits, self.total + 1), np.int64)
        for pit in range(self.pits):
            sides = [0, 0]
            for number in range(1, self.total + 1):
                place = (pit + number) % self.ring  # own pits, own store, then the opponent's pits
                side, digit = (OWN, place) if place <= self.pits else (OTHER, place - self.pits - 1)
                sides[side] += 1 << digit * self.width
                sown[:, pit, number] = sides
        return sown

    def initial(self) -> Position:
        side = sum(self.seeds << pit * self.width for pit in range(self.pits))
        return Position(side, side, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        for pit in range(self.pits - 1, -1, -1):
            if s.mine >> pit * self.width & self.digit:
                yield pit

    def result(self, s: Position, m: int) -> Position:
        seeds = s.mine >> m * self.width & self.digit
        mine = s.mine - (seeds << m * self.width) + int(self.sown[OWN, m, seeds])
        theirs = s.theirs + int(self.sown[OTHER, m, seeds])
        last = (m + seeds) % self.ring
        if last < self.pits and mine >> last * self.width & self.digit == 1:
            opposite = (self.pits - 1 - last) * self.width
            prey = theirs >> opposite & self.digit
            if prey > 0 or self.empty_capture:
                mine += (prey + 1 << self.store) - (1 << last * self.width)
                theirs -= prey << opposite
        if not mine & self.all_pits:
            theirs = self.total - (mine >> self.store) << self.store
        elif not theirs & self.all_pits:
            mine = self.total - (theirs >> self.store) << self.store
        if last == self.pits:
            return Position(mine, theirs, s.turn)
        return Position(theirs, mine, 1 - s.turn)

    def terminal(self, s: Position) -> bool:
        return not s.mine & self.all_pits

    def utility(self, s: Position) -> int:
        ahead = (s.mine >> self.store) - (s.theirs >> self.store)
        return ahead if s.turn == MAX else -ahead

    def bounds(self, s: Position) -> tuple[float, float]:
        # Seeds in a store stay there, so each side gets at least the seeds that are in its store.
        mine = 2 * (s.mine >> self.store) - self.total
        theirs = 2 * (s.theirs >> self.store) - self.total
        return (mine, -theirs) if s.turn == MAX else (theirs, -mine)

    def order(self, s: Position, m: int) -> float:
        """Prefer moves that give another turn, then large captures."""
        seeds = s.mine >> m * self.width & self.digit
        last = (m + seeds) % self.ring
        if last == self.pits:
            return self.total
        if last < self.pits and not s.mine >> last * self.width & self.digit:
            return s.theirs >> (self.pits - 1 - last) * self.width & self.digit
        return 0

    def kind_of_move(self, s: Position, m: int) -> int:
        return CAPTURE if self.order(s, m) > 0 else FORWARD

    def most_gain(self, s: Position, m: int) -> float:
        """An upper bound on the gain of a move: the number of captured seeds, plus BESIDES. If the move gives another
        turn, the bound is the whole range of payoffs."""
        captured = self.order(s, m)
        return float(self.MAXSCORE - self.MINSCORE) if captured == self.total else captured + BESIDES

    def features(self, s: Position) -> tuple[float, ...]:
        """Max's lead in seeds in the stores, Max's lead in seeds in the pits, and the number of moves that give another
        turn (negative if Min is to move)."""
        ahead = (s.mine >> self.store) - (s.theirs >> self.store)
        in_pits = again = 0
        for pit in range(self.pits):
            mine = s.mine >> pit * self.width & self.digit
            in_pits += mine - (s.theirs >> pit * self.width & self.digit)
            if mine == self.pits - pit:
                again += 1
        sign = 1.0 if s.turn == MAX else -1.0
        return sign * ahead, sign * in_pits, sign * again

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """The network inputs. For each pit, they contain its number of seeds, and the gain of the move that sows from
        it. The pits of the side to move come first. The last inputs are the lead in the stores, and the fraction of
        seeds that are in the pits."""
        for side in range(2):
            mine, theirs = (s.mine, s.theirs) if side == 0 else (s.theirs, s.mine)
            for pit in range(self.pits):
                seeds = mine >> pit * self.width & self.digit
                if seeds == 0:
                    continue
                first, last = (side * self.pits + pit) * INPUTS_OF_PIT, (pit + seeds) % self.ring
                yield first + min(seeds, MOST_TOLD) - 1, 1.0
                yield first + MOST_TOLD, seeds / 8
                if last == self.pits:
                    yield first + MOST_TOLD + 1, 1.0
                elif last < self.pits and mine >> last * self.width & self.digit == 0:
                    yield first + MOST_TOLD + 2, (theirs >> (self.pits - 1 - last) * self.width & self.digit) / 8
        stores, first = (s.mine >> self.store, s.theirs >> self.store), 2 * self.pits * INPUTS_OF_PIT
        yield first, (stores[0] - stores[1]) / 8
        yield first + 1, 1 - (stores[0] + stores[1]) / self.total

    def consistent(self, s: Position) -> bool:
        return sum(self.side(s.mine)) + sum(self.side(s.theirs)) == self.total

    # Numbers of positions. All positions of a layer have the same number of seeds in the pits. -----
    numbers_are_exact = True

    def layer(self, s: Position) -> int:
        seeds = self.total - (s.mine >> self.store) - (s.theirs >> self.store)
        return seeds if seeds + 2 * self.pits <= LARGEST else -1

    def layer_size(self, layer: int) -> int:
        if not 0 <= layer <= min(self.total, LARGEST - 2 * self.pits):
            return 0
        return choose(layer + 2 * self.pits - 1, 2 * self.pits - 1)

    def rank(self, s: Position) -> int:
        # Write a 0 for each seed, and a 1 after each pit except the last. The places of the 1s form a set. The number
        # of this set is the number of the position.
        number = seeds = 0
        for place in range(2 * self.pits - 1):
            side = s.mine if place < self.pits else s.theirs
            seeds += side >> place % self.pits * self.width & self.digit
            number += choose(seeds + place, place + 1)
        return number

    def unrank(self, layer: int, number: int) -> Position:
        mine = theirs = 0
        end = layer + 2 * self.pits - 1
        for place in range(2 * self.pits - 2, -1, -1):
            last = end
            end -= 1
            while choose(end, place + 1) > number:
                end -= 1
            number -= choose(end, place + 1)
            seeds = last - end - 1  # the seeds of the next pit
            if place + 1 < self.pits:
                mine += seeds << (place + 1) * self.width
            else:
                theirs += seeds << (place + 1 - self.pits) * self.width
        return Position(mine + end + (self.total - layer << self.store), theirs, MAX)

    def is_numbered(self, s: Position) -> bool:
        return (s.mine & self.all_pits != 0) == (s.theirs & self.all_pits != 0)

    def certain_payoff(self, s: Position) -> float:
        return float(self.utility(s))

    # Notation. -----------------------------------------------------------------------------------
    def side(self, packed: int) -> list[int]:
        """The numbers of seeds in the pits and in the store of a side."""
        return [int(packed) >> place * self.width & self.digit for place in range(self.pits + 1)]

    def parse(self, text: str) -> Position:
        if MOVES.fullmatch(text):
            return play_moves(self, self.initial(), text)[-1]
        match = NOTATION.fullmatch(text.strip().casefold())
        numbers = re.findall("[0-9]+", match[1]) if match else []
        if match is None or len(numbers) != 2 * self.pits + 2:
            start = self.format(self.initial())
            raise GamesearchError(f"{text!r} is not {self.pits} pits and a store for each side, such as {start}")
        seeds = [int(number) for number in numbers]
        if sum(seeds) != self.total:
            raise GamesearchError(f"{text!r} has {sum(seeds)} seeds, but pits and stores must have {self.total}")
        packed = [number << place % (self.pits + 1) * self.width for place, number in enumerate(seeds)]
        south, north = sum(packed[: self.pits + 1]), sum(packed[self.pits + 1 :])
        if bool(south & self.all_pits) != bool(north & self.all_pits):
            raise GamesearchError(f"in {text!r}, one side has no seeds in its pits, so all seeds must be in the stores")
        return Position(north, south, MIN) if match[2].startswith("n") else Position(south, north, MAX)

    def sides(self, s: Position) -> tuple[list[int], list[int]]:
        """The numbers of seeds in South's pits and store, and in North's pits and store."""
        mine, theirs = self.side(s.mine), self.side(s.theirs)
        return (mine, theirs) if s.turn == MAX else (theirs, mine)

    def format(self, s: Position) -> str:
        sides = (",".join(map(str, side[:-1])) + f":{side[-1]}" for side in self.sides(s))
        return "/".join(sides) + (" north" if s.turn == MIN else "")

    def move_name(self, s: Position, m: int) -> str:
        return str(m + 1)

    def pointing_at(self, s: Position, m: int) -> list[Place]:
        return [(2, m + 1) if self.player(s) == MAX else (0, self.pits - m)]

    def board(self, s: Position) -> Board:
        south, north = self.sides(s)
        gap = Cell(" ", absent=True)
        numbers = ["", *map(str, range(1, self.pits + 1)), ""]
        rows = [
            [gap, *(Cell(str(seeds), owner=MIN) for seeds in reversed(north[:-1])), gap],
            [Cell(str(north[-1]), owner=MIN), *[gap] * self.pits, Cell(str(south[-1]), owner=MAX)],
            [gap, *(Cell(str(seeds), owner=MAX) for seeds in south[:-1]), gap],
        ]
        return Board(rows, ("North", "", "South"), column_labels=numbers, top_labels=numbers[::-1])
