"""Numbers the positions of chess endgames, for endgame databases. Each layer contains the positions with the same
material.

Rotations and reflections move the white king to a triangle of ten squares, or to one half of the board if there are
pawns (K. Thompson 1986, "Retrograde analysis of certain endgames", ICCA Journal 9). All other pieces may be on any of
the 64 squares. Each side's material has a number (see `KINDS`). If Black's number is greater, colors are exchanged. So
the layer KBBK also contains the positions in which Black has the bishops. Positions with castling rights or a legal en
passant capture have no number.
"""

import re
from collections.abc import Iterator
from itertools import combinations_with_replacement

from gamesearch.errors import GamesearchError
from gamesearch.games._shared.cells import TURNS, members_down, turn_cells
from gamesearch.games.capturing.chess.common import ChessBase
from gamesearch.games.capturing.chess.evaluation import pieces_of_kind
from gamesearch.games.capturing.chess.generation import LAST_RANKS
from gamesearch.games.capturing.chess.position import Position, attackers
from gamesearch.optional import NumberedGame
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, popcount

__all__ = ["ChessNumbers", "are_apart"]

KINDS = "NBRQP"
"""The kinds of pieces except kings. Each base-3 digit of a layer's number counts the pieces of one kind and one side.
White's digits are the lower digits. Promotions and captures lower the number of the layer. Colors are exchanged if the
exchange lowers the number of the layer."""
PAWN = KINDS.index("P")
KIND_COUNT = len(KINDS)
PLACES = 2 * KIND_COUNT
POWERS = tuple(3**place for place in range(PLACES))
"""The place values of the base-3 digits."""
BLACK = POWERS[KIND_COUNT]
MOST_ALIKE = 2
MOST = 5
"""The greatest number of pieces, including both kings."""
FILES = 4
CORNER = tuple(8 * row + file for row in range(4) for file in range(row, 4))
"""The squares of the triangle between a1, d1 and d4: a1, b1, c1, d1, b2, c2, d2, c3, d3 and d4."""
CORNER_SQUARES = BoardTable(CORNER)
CORNER_PLACES = BoardTable(CORNER.index(square) if square in CORNER else 0 for square in range(64))
WHOLE_CLOCK = 100
"""The number of plies without a capture or pawn move after which the game is drawn."""


def image(square: int, flip: int, transposes: bool) -> int:
    """Apply a symmetry of the board to a square; returns the new square.

    If `flip` is 7, the files are reversed. If `flip` is 56, the ranks are reversed. If `transposes` is true, files and
    ranks are exchanged after that.
    """
    square ^= flip
    return (square & 7) << 3 | square >> 3 if transposes else square


def digit_of_pieces(s: Position, kind: int, side: int) -> int:
    """The pieces of one kind and one side. Their count is one digit of the layer's number."""
    return pieces_of_kind(s, 1 if kind == PAWN else kind + 2) & (s.white if side == 0 else s.black)


def material_number(s: Position, side: int) -> int:
    """The number whose digits count the pieces of one side."""
    number = 0
    for kind in range(KIND_COUNT):
        number += popcount(digit_of_pieces(s, kind, side)) * POWERS[kind]
    return number


def are_apart(s: Position) -> bool:
    """Whether no two pieces are on the same square, and each piece belongs to exactly one side."""
    men = popcount(s.pawns) + popcount(s.knights) + popcount(s.diagonal | s.straight) + popcount(s.kings)
    return s.white & s.black == 0 and men == popcount(s.white | s.black)


class ChessNumbers(ChessBase[Position], NumberedGame[Position]):
    """Converts positions of chess to numbers and back."""

    def layer(self, s: Position) -> int:
        if s.castling != 0 or s.en_passant != 0 or popcount(s.white | s.black) > MOST:
            return -1
        if s.pawns & s.white != 0 and s.pawns & s.black != 0:
            return -1
        for kind in range(KIND_COUNT):
            if max(popcount(digit_of_pieces(s, kind, 0)), popcount(digit_of_pieces(s, kind, 1))) > MOST_ALIKE:
                return -1
        white, black = material_number(s, 0), material_number(s, 1)
        return int(max(white, black) + BLACK * min(white, black))

    def layer_size(self, layer: int) -> int:
        men = 0
        for place in range(PLACES):
            men += layer // POWERS[place] % 3
        if not 0 <= layer < BLACK * BLACK or men + 2 > MOST or layer % BLACK < layer // BLACK:
            return 0
        has_pawns = layer % BLACK >= POWERS[PAWN]
        kings = FILES * 8 if has_pawns else len(CORNER)
        return 2 * kings * int(64 ** (men + 1))

    def rank(self, s: Position) -> int:
        first = 1 if material_number(s, 0) < material_number(s, 1) else 0
        king = high_bit_index(s.kings & (s.white if first == 0 else s.black))
        flip = (7 if king & 4 else 0) | (56 if first == 1 else 0)
        if s.pawns != 0:
            return self.number_of_image(s, first, flip, False)
        if (king ^ flip) & 32:
            flip ^= 56
        row, file = (king ^ flip) >> 3, (king ^ flip) & 7
        number = self.number_of_image(s, first, flip, row > file)
        return min(number, self.number_of_image(s, first, flip, True)) if row == file else number

    def number_of_image(self, s: Position, first: int, flip: int, transposes: bool) -> int:
        """Map all squares by `image`, and return the number of the resulting position. The symmetry must move the king
        of `first` to a numbered square. `first` is the side that is treated as White: 0 for White, 1 for Black."""
        own, other = (s.white, s.black) if first == 0 else (s.black, s.white)
        king = image(high_bit_index(s.kings & own), flip, transposes)
        number = FILES * (king >> 3) + (king & 7) if s.pawns != 0 else int(CORNER_PLACES[king])
        number = 64 * number + image(high_bit_index(s.kings & other), flip, transposes)
        for side in range(2):
            for kind in range(KIND_COUNT):
                moved = Board64(0)
                for square in members_down(digit_of_pieces(s, kind, side ^ first)):
                    moved |= Board64(1) << image(square, flip, transposes)
                for square in members_down(moved):
                    number = 64 * number + square
        return 2 * number + (s.ply & 1 ^ first)

    def unrank(self, layer: int, number: int) -> Position:
        turn, number = number & 1, number >> 1
        pawns, knights, diagonal, straight = Board64(0), Board64(0), Board64(0), Board64(0)
        white, black = Board64(0), Board64(0)
        for place in range(PLACES - 1, -1, -1):
            kind = place - KIND_COUNT if place >= KIND_COUNT else place
            for _ in range(layer // POWERS[place] % 3):
                man = Board64(1) << (number & 63)
                number >>= 6
                if kind == PAWN:
                    pawns |= man
                if kind == 0:
                    knights |= man
                if kind == 1 or kind == 3:
                    diagonal |= man
                if kind == 2 or kind == 3:
                    straight |= man
                if place == kind:
                    white |= man
                else:
                    black |= man
        black_king = number & 63
        number >>= 6
        king = 8 * (number // FILES) + number % FILES if pawns != 0 else int(CORNER_SQUARES[number])
        kings = Board64(1) << king | Board64(1) << black_king
        white |= Board64(1) << king
        black |= Board64(1) << black_king
        own_king, other = (king, black) if turn == 0 else (black_king, white)
        checkers = attackers(pawns, knights, diagonal, straight, kings, own_king, white | black, turn) & other
        return Position(
            pawns, knights, diagonal, straight, kings, white, black, Board64(0), checkers, 0, 0, turn, -1, 0
        )  # fmt: skip

    def is_numbered(self, s: Position) -> bool:
        """Whether the state is legal: no overlaps, no pawns on the last ranks, and the side that moved last is not in
        check."""
        if not are_apart(s) or s.pawns & LAST_RANKS != 0:
            return False
        side, taken = s.ply & 1, s.white | s.black
        own, other = (s.white, s.black) if side == 0 else (s.black, s.white)
        king = high_bit_index(s.kings & other)
        return attackers(s.pawns, s.knights, s.diagonal, s.straight, s.kings, king, taken, 1 - side) & own == 0

    def symmetries(self, s: Position) -> Iterator[Position]:
        if s.castling:
            yield s
            return
        # Pawns have a direction, so only left and right may be exchanged if there are pawns.
        for turn in range(0, TURNS, 1 if s.pawns == 0 else 2):
            if s.pawns == 0 or turn < 4:
                passed = s.en_passant ^ 7 if s.en_passant and turn else s.en_passant
                yield Position(
                    turn_cells(s.pawns, 8, 8, turn), turn_cells(s.knights, 8, 8, turn),
                    turn_cells(s.diagonal, 8, 8, turn), turn_cells(s.straight, 8, 8, turn),
                    turn_cells(s.kings, 8, 8, turn), turn_cells(s.white, 8, 8, turn), turn_cells(s.black, 8, 8, turn),
                    s.castling, turn_cells(s.checkers, 8, 8, turn), passed, s.clock, s.ply, -1, s.third,
                )  # fmt: skip

    def win_holds(self, s: Position, plies: int) -> bool:
        return not self.draws or s.clock + plies <= WHOLE_CLOCK

    def layers_for(self, text: str) -> list[int]:
        """The layers that the text names, and all layers that captures and promotions lead to. The text either lists
        the pieces of both sides, such as KQK or KRPK, or gives the number of all pieces, including both kings."""
        wanted = text.strip().upper()
        if re.fullmatch(f"[2-{MOST - 1}]", wanted):
            sides = [
                "".join(men)
                for count in range(int(wanted) - 1)
                for men in combinations_with_replacement("QRBNP", count)
            ]
            pairs = [(one, two) for one in sides for two in sides if len(one + two) + 2 <= int(wanted)]
            pairs = [pair for pair in pairs if not all("P" in each for each in pair)]
        else:
            match = re.fullmatch("K([QRBNP]*)K([QRBNP]*)", wanted)
            pairs = [(match[1], match[2])] if match else []
        if not pairs or any(len(one + two) + 2 > MOST for one, two in pairs):
            raise GamesearchError(
                f"chess has no layers {text!r}: name the pieces of both sides, at most {MOST}, such as KQK"
            )
        if any("P" in one and "P" in two for one, two in pairs):
            raise GamesearchError(f"{text} is not possible: only one side may have pawns in a layer")
        if any(side.count(kind) > MOST_ALIKE for pair in pairs for side in pair for kind in KINDS):
            raise GamesearchError(
                f"{text} is not possible: a side may have at most {MOST_ALIKE} pieces of the same kind"
            )
        found: set[int] = set()
        while pairs:
            one, two = pairs.pop()
            white, black = layer_of(one), layer_of(two)
            layer = max(white, black) + BLACK * min(white, black)
            if layer not in found:
                found.add(layer)
                pairs += [(less, two) for less in remove_captured(one)] + [(one, less) for less in remove_captured(two)]
        return sorted(layer for layer in found if self.layer_size(layer) > 0)

    def layer_name(self, layer: int) -> str:
        men = [kind * (layer // power % 3) for kind, power in zip(2 * KINDS, POWERS, strict=True)]
        return "".join(["K", *men[3::-1], men[4], "K", *men[8:4:-1], men[9]])


def layer_of(men: str) -> int:
    """The number of the layer in which White has the given pieces and Black has only the king."""
    return sum(POWERS[KINDS.index(man)] for man in men)


def remove_captured(men: str) -> Iterator[str]:
    """Yield the pieces of a side after each capture of one of them. Also yield the pieces after each promotion that
    leaves at most MOST_ALIKE pieces of the same kind."""
    for place, man in enumerate(men):
        rest = men[:place] + men[place + 1 :]
        yield rest
        if man == "P":
            yield from (rest + piece for piece in "QRBN" if rest.count(piece) < MOST_ALIKE)
