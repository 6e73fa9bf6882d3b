"""Optional groups of methods that only some games have: such a game inherits from the class of the group.

Callers test with `isinstance` whether a game has a group, so `Game` itself does not grow with them.
"""

import inspect
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, TypeGuard, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.toolkit.bits import Board64
from gamesearch.toolkit.boards import Place

__all__ = [
    "MOST_NOTED",
    "Categorized",
    "Counting",
    "Exchanging",
    "Impartial",
    "Levels",
    "Measured",
    "Networked",
    "Numbered",
    "Patterned",
    "PlayedOut",
    "Prediction",
    "Scored",
    "Selective",
    "Shipped",
    "Shortcuts",
    "Stochastic",
    "Symmetric",
    "Tuned",
    "Varied",
    "bounds_hold_estimates",
    "estimate_sees_chance",
    "is_impartial",
    "uniform_tree",
    "with_another_evaluation",
]

State = TypeVar("State", bound=Hashable)

MOST_NOTED = 2_000
"""The greatest number of moves that a random game may write down."""


class Levels(Game[State]):
    """A game whose states are in levels, and every move leads to a lower level: solved from the lowest upwards."""

    reach: int = 1
    """The greatest number of levels that one move goes down."""

    def level(self, s: State) -> int:
        """The level of a state; every move leads to a lower one."""
        raise NotImplementedError

    def states_of_level(self, level: int) -> Iterator[State]:
        """Yield all reachable states of a level; others may be among them."""
        raise NotImplementedError


class Symmetric(Game[State]):
    """A game whose board can be turned or mirrored and leaves the game as it was."""

    def symmetries(self, s: State) -> Iterator[State]:
        """Yield the positions that differ from this one by turning or mirroring the board alone, itself among them.

        All have one value, the same player to move, and, but for learned weights, one evaluation.
        """
        yield s


def symmetries_of(game: Game[State], s: State) -> Iterator[State]:
    """The symmetries of a position; of a game that declares none, the position alone."""
    if isinstance(game, Symmetric):
        yield from game.symmetries(s)
    else:
        yield s


class Numbered(Symmetric[State]):
    """A game whose positions have numbers, in layers: so a table of them is an array without keys.

    A layer is what moves can never lead back to, such as the men on the board: every move leads to the same layer or to
    one of a smaller number, or ends the game. Kernels ask for all but `layers_for` and `layer_name`.
    """

    numbers_are_exact: ClassVar[bool] = False
    """Whether each state that `unrank` makes and `is_numbered` accepts has that very rank, so that nobody asks."""
    folds_symmetries: ClassVar[bool] = True
    """Whether all symmetries of a position have one number."""

    def layer(self, s: State) -> int:
        """The layer of a position, from 0; -1 for one that is in none, such as one with too many men."""
        raise NotImplementedError

    def layer_size(self, layer: int) -> int:
        """How many numbers a layer has; not all of them need to stand for a position."""
        raise NotImplementedError

    def rank(self, s: State) -> int:
        """The number of a position within its layer, from 0: the same for all its `symmetries`, if `folds_symmetries`.

        It may be the same, too, where sides are exchanged: positions of one rank have one value for the side to move.
        """
        raise NotImplementedError

    def unrank(self, layer: int, number: int) -> State:
        """The position of a number, or one of those that share it; any state for a number that has none.

        A number whose state `is_numbered` refuses, or has another rank, stands for no position.
        """
        raise NotImplementedError

    def unrank_after(self, layer: int, number: int, before: State) -> State:
        """The position of a number, given what this layer has for the number before: where that is quicker."""
        return self.unrank(layer, number)

    def is_numbered(self, s: State) -> bool:
        """Whether a state made by `unrank` is a position of the game, as the rules must not be asked of any other."""
        return True

    def paid(self, s: State) -> float:
        """What of the payoff is certain already, such as stores filled, where positions with one rank differ in it.

        What is left of the value, without it, is the same for all positions of a rank.
        """
        return 0.0

    def holds_for(self, s: State, plies: int) -> bool:
        """Whether a win in so many plies, of any position of this rank, is one here, too, whatever was counted before.

        Not where a rule may end the game in the meantime, such as that of fifty moves.
        """
        return True

    def layers_for(self, text: str) -> list[int]:
        """The layers that a person asks for, and all that their moves lead to, from the lowest.

        By default those up to a whole number. Raises GamesearchError, with an example, for any other text.
        """
        try:
            last = int(text)
        except ValueError:
            last = -1
        if last < 0 or self.layer_size(last) == 0:  # before the list is made, which any great number would make long
            raise GamesearchError(f"{self.name} has no layers {text!r}: name the last one by its number, such as 3")
        return [layer for layer in range(last + 1) if self.layer_size(layer) > 0]

    def layer_name(self, layer: int) -> str:
        """How a layer is called; it is part of the name of a file."""
        return str(layer)


class Impartial(Game[State]):
    """A sum of games in which both sides have the same moves and the last move wins, so Grundy numbers solve it."""

    impartial: bool = True
    """False for a variant whose last move does not win, such as misere Nim."""
    octal_code: ClassVar[tuple[int, ...]] = ()
    """The digits of an octal game's code, beginning before the point: 0, 7, 7 for Kayles, 0.77 (Guy and Smith 1956).
    With them, the period of its Grundy numbers can be proved."""

    def subgames(self, s: State) -> tuple[int, ...]:
        """The sizes of the games whose sum a state is."""
        raise NotImplementedError

    def grundy(self, size: int) -> int:
        """The Grundy number of a game of this size (Sprague 1935, Grundy 1939)."""
        raise NotImplementedError


def is_impartial(game: Game[State]) -> TypeGuard[Impartial[State]]:
    """Whether a game can be solved by Grundy numbers."""
    return isinstance(game, Impartial) and game.impartial


class Measured(Game[State]):
    """A game that studies must count differently, or about which there is theory to compare with."""

    def for_perft(self) -> "Game[State]":
        """The game that perft counts instead: in chess, the same game without draws by rule."""
        return self

    def for_solving(self, s: State) -> "tuple[Game[State], State, str]":
        """The game and the position that are solved instead, and a sentence that says what differs, if anything does.

        Where the result depends on how many moves came before: in chess, the same without the fifty-move rule.
        """
        return self, s, ""

    def uniform_tree(self, s: State) -> tuple[int, int] | None:
        """Branching and depth of the tree below a state, if it is uniform; else None."""
        return None


class PlayedOut(Game[State]):
    """A game that plays itself to a random end more quickly than by its moves, one after another."""

    def random_payoff(self, s: State, seed: int) -> float:
        """What the game pays in the end when all moves from here on are random: the same again for the same seed.

        Payoffs are distributed as by legal moves that are equally likely; a game may leave out moves that only harm who
        makes them, or answer as people do, and then says so. The seed is any number of 64 bits, with sign.
        """
        raise NotImplementedError

    notes_moves: bool = False
    """Whether it answers `random_moves`; only for two players who move in turns."""

    def random_moves(self, s: State, seed: int, moves: Any, ply: int) -> tuple[float, int]:
        """The same payoff, and the ply at which the game ends, where s is at `ply`; its moves are written into `moves`.

        There is room for MOST_NOTED moves behind that ply.
        """
        raise NotImplementedError


class Scored(Game[State]):
    """A game that people end before all is played out: they agree on what is dead, take it off, and count what is left.

    By the rules all that stands counts. Which groups are dead is found by random games that go on from the end
    (`gamesearch.study.final_status`). Points are bits of whole numbers, and a point has the number of the move there.
    """

    def areas(self, s: State) -> tuple[int, int]:
        """The points of Max and those of Min, as a position stands."""
        raise NotImplementedError

    def areas_at_random(self, s: State, seed: int) -> tuple[int, int]:
        """The same at the end of a random game in which both play on from a finished one; who begins is drawn, too."""
        raise NotImplementedError

    def groups(self, s: State) -> Iterator[tuple[int, int]]:
        """Yield what lives or dies together: whose it is, and its points."""
        raise NotImplementedError

    def touched(self, points: int) -> int:
        """The points beside some of these."""
        raise NotImplementedError

    def without(self, s: State, points: int) -> State:
        """The position with nothing on some points."""
        raise NotImplementedError

    def score_words(self, s: State) -> str:
        """What each side has, such as `Black 41, White 40 and 6.5 of komi`."""
        raise NotImplementedError


class Categorized(Game[State]):
    """A game that tells apart positions with as much of a feature: a pawn up is not the exchange for a pawn."""

    def category(self, s: State, feature: str) -> str:
        """What a feature is made up of in a position, such as `+R -B`, a rook for a bishop; empty where its amount is
        all there is to say.
        """
        raise NotImplementedError


class Varied(Game[State]):
    """A game that has several classes: the parameters decide which of them plays."""

    @classmethod
    def class_for(cls, **parameters: Any) -> type[Game[Any]]:
        """The class whose constructor `load` calls with these parameters, which are not checked yet.

        A class that is given parameters of another refuses them.
        """
        raise NotImplementedError


class Shipped(Game[State]):
    """A game with whose rules learned weights may come."""

    plays_by_learned: ClassVar[bool] = False
    """Whether the computer plays by the weights that come with gamesearch where no others are asked for: if a match of
    200 games says that it is the stronger for them."""


class Networked(Shipped[State]):
    """A game of which a small network can learn what positions are worth: it says what the network sees.

    `gamesearch learn --network` learns the weights; `gamesearch.learned.networks` computes what they make of the inputs
    (G. Tesauro 1992, 1995, TD-Gammon).
    """

    input_count: int
    """The number of inputs."""
    network_payoffs: tuple[float, ...] = ()
    """What a game may pay, from the least, as much above `draw_value` as below; by default a loss, a draw and a win."""

    dice_explore: ClassVar[bool] = False
    """Whether dice alone bring games to so many positions that learning needs no moves by lot."""

    def inputs(self, s: State) -> Iterator[tuple[int, float]]:
        """Yield the number of each input that is not 0, and how much it is, from about -1 to 1.

        The side to move is to see its own men where the other side, to move in the mirrored position, sees its own.
        """
        raise NotImplementedError

    def viewer(self, s: State) -> int:
        """The side, MAX or MIN, as which `inputs` sees a position: at chance nodes, too."""
        return self.player(s)


class Patterned(Shipped[State]):
    """A game on a board of up to 64 cells, of which patterns can learn what positions are worth.

    A pattern is a set of cells. Each way to fill its cells has a learned weight, the same wherever turning or mirroring
    the board takes the pattern, and an estimate adds up the weights of what stands on the board (M. Buro 1998, "From
    simple features to sophisticated evaluation functions"; S. Lucas 2008, n-tuples). `gamesearch learn --patterns`
    learns them; `gamesearch.learned.patterns` looks them up.
    """

    pattern_symmetry: ClassVar[str] = "none"
    """What leaves the game as it is: "square" (all eight ways to turn and mirror the board), "rectangle" (turned by
    half, or mirrored in either direction), "sides" (left and right), "half turn", or "none"."""
    stages: int = 1
    """The number of stages of a game, each of which has weights of its own."""

    def cells_of_patterns(self) -> Mapping[int, Place]:
        """The row and column of each cell, by the number of its bit in `contents`."""
        raise NotImplementedError

    def cell_name(self, cell: int) -> str:
        """A cell as people write it; by default its number: so where `contents` turns the board with the mover."""
        return str(cell)

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """The patterns that the game suggests, each by its cells; of those that symmetry makes of each other, one."""
        return ()

    def contents(self, s: State) -> tuple[Board64, ...]:
        """A board for each thing that can be in a cell, as the side to move sees it: own stones first, say.

        No cell is in two of them; what is in none of them, such as an empty cell, needs no board. Where the sides do
        not mirror each other, tell them apart by `stage`.
        """
        raise NotImplementedError

    def stage(self, s: State) -> int:
        """The stage of the game, from 0, such as by how full the board is."""
        return 0


def uniform_tree(game: Game[State], s: State) -> tuple[int, int] | None:
    """Branching and depth of the tree below a state, if the game says that it is uniform; else None."""
    return game.uniform_tree(s) if isinstance(game, Measured) else None


class Counting(Game[State]):
    """A game that counts its moves sooner than it yields them; perft then makes no move of the last ply."""

    def count_moves(self, s: State) -> int:
        """The number of moves of a state that is no chance node; 0 where the game is over."""
        count = 0
        if not self.terminal(s):
            for _ in self.moves(s):
                count += 1
        return count


class Shortcuts(Game[State]):
    """A game with positions that a search need not store, or moves that it need not search. No value changes.

    Measure before you declare any of this: what is saved must take longer than the question.
    """

    looks_ahead: bool = False
    """Whether alpha-beta looks up the positions after one that `skips_table`, before it searches one of them. One of
    them may be enough for a cutoff."""

    def skips_table(self, s: State) -> bool:
        """Whether searching a position takes less time than looking it up in the table, such as near the end."""
        return False

    def is_needed(self, s: State, m: int) -> bool:
        """Whether a move must be searched; not if the rules make it certain that another move is at least as good.

        It is called only if `bounds` leave the value open, and must then accept some move. Alpha-beta with
        `bounds=true` omits the other moves: in Connect Four, those after which the opponent wins immediately; in dots
        and boxes, all but one if a box can be taken at no cost. Values of finished games stay the same; estimates at
        the horizon may differ.
        """
        return True


class Stochastic(Game[State]):
    """A game with chance nodes that declares what holds for its estimates."""

    bounds_hold_estimates: bool = False
    """Whether no value to any depth lies outside `bounds`: `evaluate` and `utility` lie within the bounds of their
    position, and no move or outcome leads out of them. Expectiminimax prunes by such bounds."""
    estimate_sees_chance: bool = True
    """Whether the outcomes of a chance node may have different estimates. If moves and chance nodes always alternate
    and this is False, every other depth finds nothing new, and deepening skips it. Outcomes of the first position may
    differ, such as the roll that decides who begins."""


def bounds_hold_estimates(game: Game[Any]) -> bool:
    """Whether a game declares that its bounds hold at every depth."""
    return isinstance(game, Stochastic) and game.bounds_hold_estimates


def estimate_sees_chance(game: Game[Any]) -> bool:
    """Whether the outcomes of a chance node may have different estimates."""
    return not isinstance(game, Stochastic) or game.estimate_sees_chance


class Exchanging(Game[State]):
    """A game in which captures are answered by captures on the same square."""

    def gain(self, s: State, m: int) -> float:
        """What a move gains if both sides go on capturing on its square while that pays, in units of `order`."""
        raise NotImplementedError


class Prediction(NamedTuple):
    """How the value to a depth follows from that to a smaller one, for the player to move (M. Buro 1995, ProbCut).

    It is `slope * value + intercept`, with an error that is distributed normally. `gamesearch bench GAME --probcut`
    measures it and prints what a game may declare.
    """

    depth: int
    shallow: int
    slope: float
    intercept: float
    deviation: float
    """The standard deviation of the error."""


class Tuned(Game[State]):
    """A game that says how a selective search does best in it, as measured; asked once before a search."""

    parts_off: ClassVar[tuple[str, ...]] = ()
    """The parts of `pvs` that do not pay in this game, and are off unless they are asked for."""

    reduction_divisor: ClassVar[float] = 2.0
    """The greater, the less late moves are reduced (`selective/reductions_and_extensions.py`); more than 0."""

    def predictions(self) -> tuple[Prediction, ...]:
        """How deep values follow from shallow ones, by rising depth; none where that was not measured."""
        return ()


class Selective(Tuned[State]):
    """A game that tells a selective search more than which of its moves are forcing, as `kind_of_move` says.

    A wrong answer costs playing strength and no more: what a search leaves out because of it proves nothing.
    """

    passing_never_helps: bool = False
    """Whether the player to move is at least as well off as if it could pass: then passing may be tried as a move of
    which nobody can do worse than its value (the null move). Rare exceptions are for `is_zugzwang_near`."""

    def is_threatened(self, s: State) -> bool:
        """Whether the player to move is under a threat that must be met, such as a check: no estimate holds there.

        Of a finished game any answer will do.
        """
        return False

    def is_evasion(self, s: State, m: int) -> bool:
        """Whether a move may meet the threat; asked only where there is one."""
        return True

    def most_gain(self, s: State, m: int) -> float:
        """What a move gains at most: so much better for its player may `evaluate` be after it, and hardly ever more."""
        return float(self.MAXSCORE - self.MINSCORE)

    def passed(self, s: State) -> State:
        """The state where the player to move has passed, though the rules may not allow it; as if after progress.

        Asked only where `passing_never_helps` and there is no threat.
        """
        return s

    def is_zugzwang_near(self, s: State) -> bool:
        """Whether having to move may be a disadvantage here after all, so that no null move is tried."""
        return False


def with_another_evaluation(
    cls: type[Game[Any]], bases: tuple[type[Game[Any]], ...], facts: Mapping[str, Any]
) -> type[Game[Any]]:
    """The class of a game, by the same name, with another evaluation: that of `bases`, or of the attributes in `facts`.

    What a game says of its own evaluation holds for no other: whether its bounds hold the estimates, how much a move
    gains at most, and how deep values follow from shallow ones.
    """
    known: dict[str, Any] = {each: getattr(cls, each) for each in ("__module__", "__qualname__", "__doc__", "name")}
    if issubclass(cls, Stochastic):
        known |= {"bounds_hold_estimates": False, "estimate_sees_chance": True}
    if issubclass(cls, Tuned):
        known["predictions"] = Tuned.predictions
    if issubclass(cls, Selective):
        known["most_gain"] = Selective.most_gain
    made: Any = type(cls.__name__, (*bases, cls), known | dict(facts))
    made.__signature__ = inspect.signature(cls)
    made.has_features = False  # they do not say what this evaluation is made of
    return made  # type: ignore[no-any-return]
