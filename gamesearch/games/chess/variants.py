"""The chess variants that python-chess has the rules of, each with what decides it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import chess
from chess.variant import (
    AntichessBoard,
    AtomicBoard,
    CrazyhouseBoard,
    GiveawayBoard,
    HordeBoard,
    KingOfTheHillBoard,
    RacingKingsBoard,
    SuicideBoard,
    ThreeCheckBoard,
)

from gamesearch.games.chess.boards import ChessBoard, encoded

__all__ = ["VARIANTS", "Variant", "variant_name"]


class Antichess(ChessBoard, AntichessBoard):
    """Who has no men left, or no move, wins; captures must be made."""

    def problem(self) -> str:
        return "there is no castling in antichess" if self.castling_rights else super().problem()


class Giveaway(ChessBoard, GiveawayBoard):
    """Antichess with castling."""


class Suicide(ChessBoard, SuicideBoard):
    """Antichess in which, without a move, who has fewer men wins."""


class Atomic(ChessBoard, AtomicBoard):
    """A capture explodes, and takes all but pawns around it."""


class Horde(ChessBoard, HordeBoard):
    """White has 36 pawns and no king."""


class KingOfTheHill(ChessBoard, KingOfTheHillBoard):
    """A king in the middle of the board wins, too."""


class RacingKings(ChessBoard, RacingKingsBoard):
    """The first king on the last rank wins, and nobody may give check."""


class ThreeCheck(ChessBoard, ThreeCheckBoard):
    """The third check wins."""

    def key(self) -> tuple[int, ...]:
        return (*super().key(), *self.remaining_checks)

    def note(self) -> str:
        black, white = self.remaining_checks
        return f"checks to give: White {white}, Black {black}"

    def problem(self) -> str:
        is_sound = all(0 <= remaining <= 3 for remaining in self.remaining_checks) and any(self.remaining_checks)
        return super().problem() if is_sound else "0 to 3 checks remain for each side, and not 0 for both"


class Crazyhouse(ChessBoard, CrazyhouseBoard):
    """Captured men change sides, and are dropped on empty squares."""

    earliest_repetition = 0

    def key(self) -> tuple[int, ...]:
        hands = self.promoted >> 61  # see ChessBoard.key
        for side in chess.COLORS:
            for piece in chess.PIECE_TYPES:
                hands = hands << 6 | self.pockets[side].count(piece)
        return (*super().key(), self.promoted, hands)

    def moves(self) -> Iterator[int]:
        for move in self.generate_legal_moves():
            yield encoded(move)

    def note(self) -> str:
        black, white = map(str, self.pockets)
        return f"in hand: White {white.upper() or 'nothing'}, Black {black or 'nothing'}"

    def problem(self) -> str:
        has_king = any(pocket.count(chess.KING) for pocket in self.pockets)
        return "a king is in hand" if has_king else super().problem()


class Variant(NamedTuple):
    """The rules, the features that its evaluation has unless told, and what White's men are good for."""

    board: type[ChessBoard]
    features: str = "material"
    sense: int = 1  # -1 where the fewer men the better
    chess960: bool = False
    on_bitboards: bool = False
    """Whether there are rules of ours that run at both speeds."""

    @property
    def wins_by_mate(self) -> bool:
        """Whether mate is the only way to win."""
        return self.board in (ChessBoard, Crazyhouse)

    def empty(self) -> ChessBoard:
        """A board without men."""
        return self.board(None, chess960=self.chess960)

    def start(self, number: int) -> ChessBoard:
        """The initial position; `number` is that of the Chess960 array by Scharnagl, 518 the usual one."""
        return self.board.from_chess960_pos(number) if self.chess960 else self.board()


VARIANTS = {
    "standard": Variant(ChessBoard, on_bitboards=True),
    "chess960": Variant(ChessBoard, chess960=True, on_bitboards=True),
    "antichess": Variant(Antichess, sense=-1),
    "atomic": Variant(Atomic),
    "crazyhouse": Variant(Crazyhouse, "material+hand"),
    "giveaway": Variant(Giveaway, sense=-1),
    "horde": Variant(Horde),
    "kingofthehill": Variant(KingOfTheHill, "material+hill"),
    "racingkings": Variant(RacingKings, "material+race"),
    "suicide": Variant(Suicide, sense=-1),
    "threecheck": Variant(ThreeCheck, "material+checks"),
}
"""The variants by name."""


ALIASES = {
    **dict.fromkeys(("chess", "normal", "classical", "orthodox", "fromposition", "regular"), "standard"),
    **dict.fromkeys(("wild/0", "wild/1", "wild/2", "wild/3", "wild/4", "wild/5", "wild/8", "wild/8a"), "standard"),
    **dict.fromkeys(("fischerandom", "fischerrandom", "frc", "freestyle", "freestylechess", "960"), "chess960"),
}
"""Other names of the two variants with the usual rules, as programs and servers write them. The wild games of the
Free Internet Chess Server begin with other positions, which are in FEN."""


def variant_name(text: str) -> str:
    """The name of a variant that is spelled another way, such as king_of_the_hill or 3check; else the text itself.

    >>> variant_name("racing_kings"), variant_name("3-check"), variant_name("From Position"), variant_name("fairy")
    ('racingkings', 'threecheck', 'standard', 'fairy')
    """
    spellings = {plain(name): name for name in VARIANTS} | ALIASES
    for name, variant in VARIANTS.items():
        if variant.board is not ChessBoard:  # whose aliases are such as "illegal"
            spellings |= {plain(alias): name for alias in variant.board.aliases}
    return spellings.get(plain(text), text)


def plain(text: str) -> str:
    """A name without what people spell in different ways."""
    return re.sub("[ _-]", "", text.casefold())
