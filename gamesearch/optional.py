"""Groups of methods that only some games have. Each group is a class. A game with these methods inherits from the
class.

Callers use `isinstance` to test whether a game has the methods of a group, so `Game` itself stays small.
"""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, TypeGuard

from gamesearch.errors import GamesearchError
from gamesearch.game import Game, State
from gamesearch.toolkit import accept_old_names
from gamesearch.toolkit.bits import Board64
from gamesearch.toolkit.boards import Place

__all__ = [
    "MOST_NOTED", "AreaScoring", "CategorizedGame", "CountingGame", "CubeGame", "ExchangeGame", "GameFamily",
    "GameWithVariants", "ImpartialGame", "LearnableGame", "LeveledGame", "NetworkGame", "NumberedGame", "PatternGame",
    "PlayoutGame", "Prediction", "ReversibleGame", "SelectiveGame", "Shortcuts", "StochasticGame", "SymmetricGame",
    "TunedGame", "UserTree", "assumed_fact", "bounds_hold_estimates", "certain_moves",
    "estimate_sees_chance", "is_determined", "is_impartial", "mark_assumed", "with_another_evaluation",
]  # fmt: skip

__getattr__ = accept_old_names(
    globals(),
    {
        "Categorized": "CategorizedGame", "Counting": "CountingGame", "Exchanging": "ExchangeGame",
        "Impartial": "ImpartialGame", "Learnable": "LearnableGame", "Levels": "LeveledGame",
        "Networked": "NetworkGame", "Numbered": "NumberedGame", "Patterned": "PatternGame",
        "PlayedOut": "PlayoutGame", "Reversible": "ReversibleGame", "Selective": "SelectiveGame",
        "Stochastic": "StochasticGame", "Symmetric": "SymmetricGame", "Tuned": "TunedGame", "WithCube": "CubeGame",
        "WithVariants": "GameWithVariants",
    },
)  # fmt: skip

MOST_NOTED = 2_000
"""The greatest number of moves that are recorded in one random game."""


class LeveledGame(Game[State]):
    """A game in which every move leads to a lower level. Such a game can be solved from the lowest level up."""

    reach: int = 1
    """The greatest number of levels by which one move can lower the level of a state."""

    def level(self, s: State) -> int:
        """The level of a state. Every move leads to a state of a lower level."""
        raise NotImplementedError

    def states_of_level(self, level: int) -> Iterator[State]:
        """Yield all reachable states of a level, and possibly other states."""
        raise NotImplementedError


class ReversibleGame(Game[State]):
    """A game whose moves can be taken back. Retrograde analysis needs such a game."""

    def parents(self, s: State) -> Iterator[State]:
        """For each move that leads to s, yield the position before the move. This position need not be reachable."""
        raise NotImplementedError


class SymmetricGame(Game[State]):
    """A game with symmetries: if the board is rotated or mirrored, the game remains the same."""

    def symmetries(self, s: State) -> Iterator[State]:
        """Yield the position itself, and its rotated and mirrored positions. All these positions must have the same
        player to move and the same value. The game's own evaluation must give them the same estimate."""
        yield s


def symmetries_of(game: Game[State], s: State) -> Iterator[State]:
    """Yield the positions that are symmetric to a position, and the position itself. If the game declares no
    symmetries, only the position itself is yielded."""
    if isinstance(game, SymmetricGame):
        yield from game.symmetries(s)
    else:
        yield s


class NumberedGame(SymmetricGame[State]):
    """A game that numbers the positions of each layer. So a table of positions is an array without keys. A layer
    contains, for example, all positions with the same number of pieces. Every move leads to the same or a lower layer,
    or ends the game. Kernels call all methods except `layers_for` and `layer_name`."""

    numbers_are_exact: ClassVar[bool] = False
    """Whether `rank(unrank(layer, number)) == number` for every state from `unrank` that `is_numbered` accepts."""

    def layer(self, s: State) -> int:
        """The layer of a position, counted from 0; -1 if it has no layer, for example because of too many pieces."""
        raise NotImplementedError

    def layer_size(self, layer: int) -> int:
        """The number of ranks in a layer. Some ranks may have no position."""
        raise NotImplementedError

    def rank(self, s: State) -> int:
        """The number of a position within its layer (its rank), from 0. All positions with the same rank must have the
        same value for the side to move. Symmetric positions, and positions with exchanged sides, may share a rank."""
        raise NotImplementedError

    def unrank(self, layer: int, number: int) -> State:
        """The position that has the rank `number` in a layer. If no position has this rank, the result is a state that
        `is_numbered` rejects, or a state whose `rank` is a different number."""
        raise NotImplementedError

    def unrank_after(self, layer: int, number: int, before: State) -> State:
        """Return the same state as `unrank(layer, number)`. The state of the preceding rank may help to compute it
        faster."""
        return self.unrank(layer, number)

    def is_numbered(self, s: State) -> bool:
        """Whether a state from `unrank` is a position of the game. If not, the rules are not applied to this state."""
        return True

    def certain_payoff(self, s: State) -> float:
        """The part of the payoff that is already certain, such as the seeds in stores. The values of positions with the
        same rank may differ only by this part."""
        return 0.0

    def win_holds(self, s: State, plies: int) -> bool:
        """The endgame database says that s is a win in `plies` plies. Return whether this is true. The database only
        knows the rank of s, but a rule that `rank` ignores, such as the fifty-move rule, may end the game earlier."""
        return True

    def layers_for(self, text: str) -> list[int]:
        """Return the layers to solve, in ascending order: the layers that the text names, and all layers that their
        moves lead to. The text is usually the number of the last layer. Raises GamesearchError, with an example, for
        any other text."""
        try:
            last = int(text)
        except ValueError:
            last = -1
        if last < 0 or self.layer_size(last) == 0:  # check first, because the list for a huge number would be huge
            raise GamesearchError(f"{self.name} has no layers {text!r}: write the number of the last layer, such as 3")
        return [layer for layer in range(last + 1) if self.layer_size(layer) > 0]

    def layer_name(self, layer: int) -> str:
        """The name of a layer, which is part of a file name."""
        return str(layer)


class ImpartialGame(Game[State]):
    """A sum of games in which both players have the same moves. If the player who makes the last move wins, Grundy
    numbers solve the game."""

    impartial: bool = True
    """Whether the player who makes the last move wins; False for variants such as misere Nim."""
    octal_code: ClassVar[tuple[int, ...]] = ()
    """The digits of an octal game's code, including the digit before the point (Guy and Smith 1956). For example, the
    code of Kayles is 0.77, so the digits are 0, 7 and 7. A solver uses the code to prove the period of the Grundy
    numbers."""

    def subgames(self, s: State) -> tuple[int, ...]:
        """The sizes of the games that make up the sum."""
        raise NotImplementedError

    def grundy(self, size: int) -> int:
        """The Grundy number of a game of this size (Sprague 1935, Grundy 1939)."""
        raise NotImplementedError


def is_impartial(game: Game[State]) -> TypeGuard[ImpartialGame[State]]:
    """Whether a game can be solved by Grundy numbers."""
    return isinstance(game, ImpartialGame) and game.impartial


class UserTree(Game[State]):
    """A game tree that a user writes. Nodes may have estimates, and the payoffs of leaves may be unknown."""

    has_unknown = False
    """Whether the payoff of a leaf is unknown."""

    def given_estimate(self, s: State) -> str:
        """The estimate that the user wrote at a node, as text; empty if the node has none."""
        return ""

    def is_determined(self, s: State, searched: Game[State] | None = None) -> bool:
        """Whether the known payoffs below s determine the value of s. If this is false, a search returns only an
        estimate. `searched` is the game that the search plays, if it has other rules than this tree."""
        return True

    def certain_moves(self, s: State) -> list[int]:
        """The moves of a determined state that are best for all possible payoffs of the unknown leaves. If the state is
        not determined, all moves."""
        return list(self.moves(s))


def is_determined(game: Game[State], s: State, searched: Game[State] | None = None) -> bool:
    """Whether the known payoffs of a game determine the value of a state; False only in trees that users write."""
    return not isinstance(game, UserTree) or game.is_determined(s, searched)


def certain_moves(game: Game[State], s: State) -> list[int]:
    """The moves that are best for all possible payoffs of unknown leaves, if there are any; otherwise, all moves."""
    return game.certain_moves(s) if isinstance(game, UserTree) else list(game.moves(s))


def mark_assumed(game: Game[State], s: State, text: str, searched: Game[State] | None = None) -> str:
    """Add a question mark to the text of a state's value if the value depends on unknown payoffs."""
    return text if is_determined(game, s, searched) else f"{text}?"


def assumed_fact(game: Game[State], s: State, searched: Game[State] | None = None) -> dict[str, bool]:
    """The field `assumed` for JSON data about a state, if the state's value depends on unknown payoffs."""
    return {} if is_determined(game, s, searched) else {"assumed": True}


class GameWithVariants(Game[State]):
    """A game for which perft or `solve` uses a variant of the rules. (Perft counts the move sequences of a given
    length.)"""

    def for_perft(self) -> "Game[State]":
        """The variant that perft uses. In chess, this variant has no draws by repetition or after fifty moves."""
        return self

    def for_solving(self, s: State) -> "tuple[Game[State], State, str]":
        """The variant to solve, the position in this variant, and a sentence about the differences from the game. The
        sentence may be empty. Define this method if the rules depend on the number of earlier moves. Chess, for
        example, is solved without the fifty-move rule."""
        return self, s, ""


class PlayoutGame(Game[State]):
    """A game that defines `random_payoff` or `random_moves`. These two methods play a random game faster than `moves`
    and `result` could."""

    def random_payoff(self, s: State, seed: int) -> float:
        """The payoff of a random game from a state. The seed, a signed 64-bit integer, determines the game. All legal
        moves must be equally likely, with two exceptions. A random game may omit moves that only harm their player, and
        may always answer threats. The game must document each exception."""
        return self.random_moves(s, seed, None, 0)[0]

    notes_moves: bool = False
    """Whether the game defines `random_moves`, which is possible only for two players who take turns."""

    def random_moves(self, s: State, seed: int, moves: Any, ply: int) -> tuple[float, int]:
        """Play a random game from s, which is at ply `ply`. Returns the payoff, and the ply at which the game ends. If
        the array `moves` is given, the moves are written into it, from index `ply` on. The array has space for
        MOST_NOTED moves."""
        raise NotImplementedError


class AreaScoring(Game[State]):
    """A game that people end early, such as Go. The players agree on dead groups, remove them, and count the rest.

    The rules of the game count all stones on the board as alive. Random games from the final position show which groups
    are dead. Sets of points are integers with a bit for each point. The number of a point is also the move to this
    point.
    """

    def areas(self, s: State) -> tuple[int, int]:
        """Return two sets of points in a position: the points that belong to Max, and the points that belong to Min."""
        raise NotImplementedError

    def areas_at_random(self, s: State, seed: int) -> tuple[int, int]:
        """Continue the game at random from a final position. Returns the points that Max has at the end, and the points
        that Min has. A random player begins."""
        raise NotImplementedError

    def groups(self, s: State) -> Iterator[tuple[int, int]]:
        """Yield the owner and the points of each group of stones that live or die together."""
        raise NotImplementedError

    def points_next_to(self, points: int) -> int:
        """The points next to the given points."""
        raise NotImplementedError

    def without(self, s: State, points: int) -> State:
        """The position without the stones on some points."""
        raise NotImplementedError

    def score_words(self, s: State) -> str:
        """The score as text, such as `Black 41, White 40 and 6.5 of komi`."""
        raise NotImplementedError


class CategorizedGame(Game[State]):
    """A game that can name the pieces behind the value of a feature, such as `+R -B` in chess. Positions are grouped by
    these names."""

    def category(self, s: State, feature: str) -> str:
        """The pieces behind the value of a feature, such as `+R -B` for a rook against a bishop; may be empty."""
        raise NotImplementedError


class GameFamily(Game[State]):
    """A game that consists of several classes. The parameters of the game decide which class is used."""

    parameters_of_others: ClassVar[Mapping[str, str]] = {}
    """The parameters that lead to another class, each with its meaning."""

    @classmethod
    def class_for(cls, **parameters: Any) -> type[Game]:
        """The class from which `load` makes the game. The `__init__` of this class must check the parameters."""
        raise NotImplementedError


class LearnableGame(Game[State]):
    """A game for which this package may contain learned weights."""

    plays_by_learned: ClassVar[bool] = False
    """Whether the computer uses the learned weights by default. Set it only if the weights have won a match of 200
    games."""

    def learned_parameters(self) -> dict[str, Any]:
        """The parameters of the variant for which the weights are learned. By default, this variant is the game
        itself."""
        return self.parameters()


class NetworkGame(LearnableGame[State]):
    """A game whose positions can be evaluated by a small neural network (G. Tesauro 1992, 1995, TD-Gammon), from inputs
    that the game defines. `gamesearch learn --network` learns the weights for `gamesearch.learned.networks`."""

    input_count: int = 0
    """The number of inputs."""
    network_payoffs: tuple[float, ...] = ()
    """The possible payoffs in ascending order, symmetric around `draw_value`: by default, a loss, a draw and a win."""

    unit_of_odds: ClassVar[float] = 0.0
    """If this is 0, the network replaces the game's own estimate, and estimates have the unit of payoffs. If it is
    greater, the network corrects the game's own estimate: an estimate of `unit_of_odds` means that a win is e (2.718)
    times as probable as a loss."""

    views: ClassVar[int] = 1
    """The number of views. There are two views if the network also sees each position from the point of view of the
    opponent (see `other_view`), as in NNUE. Otherwise, there is one view."""

    dice_explore: ClassVar[bool] = False
    """Whether learning needs no random moves, because the dice already lead to enough different positions."""

    def inputs(self, s: State) -> Iterator[tuple[int, float]]:
        """Yield a pair for each input whose value is not 0: the number of the input, and its value (about -1 to 1). The
        inputs describe s from the point of view of the side to move. A position and its mirror image with exchanged
        sides must have the same inputs."""
        raise NotImplementedError

    def other_view(self, s: State) -> State:
        """A state whose `inputs` describe the same position from the point of view of the opponent. The state has the
        same type as s, but it need not be legal. Only games with two views define this method."""
        return s

    def viewer(self, s: State) -> int:
        """The side, MAX or MIN, from whose point of view `inputs` describes a position. The position may be a chance
        node."""
        return self.player(s)

    def value_of_chances(self, s: State, payoffs: tuple[float, ...], chances: Any) -> float:
        """The value of a position for the viewer: by default, the expected payoff. For each of `payoffs` except the
        smallest, `chances` contains the probability that the final payoff is at least as great."""
        value = payoffs[0]
        for number in range(len(payoffs) - 1):
            value += (payoffs[number + 1] - payoffs[number]) * chances[number]
        return value


class CubeGame(Game[State]):
    """A game in which a player may double the stakes, and the other player takes the double or drops the game."""

    def cube_choices(self, s: State) -> tuple[State, State, State] | None:
        """Return three states: the player does not double, the opponent takes the double, or the opponent drops the
        game. Return None if no double is possible."""
        raise NotImplementedError


class PatternGame(LearnableGame[State]):
    """A game whose positions can be evaluated by patterns. Its board has at most 64 cells.

    A pattern is a set of cells. Each way to fill the cells of a pattern has a learned weight. Rotations and reflections
    of the pattern have the same weights. In a position, each pattern has the weight of its present contents. The
    estimate of the position is the sum of these weights (M. Buro 1998, "From simple features to sophisticated
    evaluation functions"; S. Lucas 2008, n-tuples). `gamesearch learn --patterns` learns the weights, and
    `gamesearch.learned.patterns` looks them up.
    """

    pattern_symmetry: ClassVar[str] = "none"
    """The symmetry of the board: "square" (all eight rotations and reflections), "rectangle" (a half turn and two
    reflections), "sides" (left and right are exchanged), "half turn", or "none"."""
    stages: int = 1
    """The number of stages of a game. Each stage has its own weights."""

    def cells_of_patterns(self) -> Mapping[int, Place]:
        """The row and column of each cell. The key is the number of the cell's bit in `contents`."""
        raise NotImplementedError

    def cell_name(self, cell: int) -> str:
        """The name of a cell: by default its number. The labels of the board could give a wrong name, because
        `contents` may rotate the board."""
        return str(cell)

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each pattern that the game suggests. If several patterns are symmetric to each other, only one
        of them is listed."""
        return ()

    def contents(self, s: State) -> tuple[Board64, ...]:
        """A bitboard for each kind of piece, from the point of view of the side to move: its own pieces come first. The
        bitboards are disjoint. Empty cells need no bitboard. If the sides are not symmetric, use `stage` to distinguish
        them."""
        raise NotImplementedError

    def stage(self, s: State) -> int:
        """The stage of the game, counted from 0. The stage may depend, for example, on the number of stones."""
        return 0


class CountingGame(Game[State]):
    """A game that can count moves faster than it can yield them. So perft need not make the moves of the last ply."""

    def count_moves(self, s: State) -> int:
        """The number of moves of a state that is not a chance node; 0 if the game is over."""
        count = 0
        if not self.terminal(s):
            for _ in self.moves(s):
                count += 1
        return count


class Shortcuts(Game[State]):
    """A game in which a search may save work. It may skip storing some positions and searching some moves, and still
    finds the same values. Before you define a method of this class, measure whether the method saves more time than it
    costs."""

    looks_ahead: bool = False
    """Whether alpha-beta looks up all children of a position in the transposition table before it searches any of them.
    A single entry may be enough for a cutoff. Alpha-beta looks ahead only if `skips_table` is true for the position,
    and if a repetition has no effect."""

    def skips_table(self, s: State) -> bool:
        """Whether a search takes less time than a lookup in the transposition table, for example near the end of the
        game."""
        return False

    def is_needed(self, s: State, m: int) -> bool:
        """Whether a move must be searched. A move can be omitted if the rules guarantee that another move is as good.

        This method is called only if the two `bounds` of the position differ. The method must return True for at least
        one move of such a position. Alpha-beta with `bounds=true` omits moves that are not needed. Two examples: in
        Connect Four, moves are omitted if the opponent wins immediately after them. In Dots and Boxes, all other moves
        are omitted if a move takes a box at no cost. A search to the end of the game finds the same value whether or
        not it omits these moves. A search to a limited depth may find a different estimate.
        """
        return True


class StochasticGame(Game[State]):
    """A game that has chance nodes, and declares two properties of its estimates."""

    bounds_hold_estimates: bool = False
    """Whether every search, to any depth, finds a value within `bounds`. The values of `evaluate` and `utility` must
    lie within the bounds, and no move or outcome may widen the bounds. If so, expectiminimax prunes with these
    bounds."""
    estimate_sees_chance: bool = True
    """Whether the outcomes of one chance node may have different estimates. The initial position does not count. If
    this is false, and moves alternate with chance nodes, every second depth gives the same values as the previous
    depth. So iterative deepening skips these depths."""


def bounds_hold_estimates(game: Game) -> bool:
    """Whether a game declares that searches to every depth find values within its bounds."""
    return isinstance(game, StochasticGame) and game.bounds_hold_estimates


def estimate_sees_chance(game: Game) -> bool:
    """Whether the outcomes of a chance node may have different estimates."""
    return not isinstance(game, StochasticGame) or game.estimate_sees_chance


class ExchangeGame(Game[State]):
    """A game in which a capture may be answered by a capture on the same square."""

    def gain(self, s: State, m: int) -> float:
        """The gain of a move, in units of `order`. Both sides are assumed to capture on the target square as long as
        this pays."""
        raise NotImplementedError


class Prediction(NamedTuple):
    """Predicts the value of a deep search for the player to move. If `value` is the value of a shallow search, the
    prediction is `slope * value + intercept`, with a normally distributed error (M. Buro 1995, ProbCut). `gamesearch
    bench GAME --probcut` measures and prints predictions."""

    depth: int
    shallow: int
    slope: float
    intercept: float
    deviation: float
    """The standard deviation of the error."""


class TunedGame(Game[State]):
    """A game with measured settings for selective search. The settings are read before a search."""

    parts_off: ClassVar[tuple[str, ...]] = ("history", "late", "improving")
    """The parts of `pvs` that are off by default, because no match has shown that they help in this game."""

    reduction_divisor: ClassVar[float] = 2.0
    """The depth reductions of late moves are divided by this number, which is above 0."""

    margin: ClassVar[float] = 0.0
    """A move almost never increases the static evaluation by more than this number. Pruning uses the number. It is 0 if
    it was not measured."""

    def predictions(self) -> tuple[Prediction, ...]:
        """Predictions of the values of deep searches, by ascending depth; empty if no predictions were measured."""
        return ()


class SelectiveGame(TunedGame[State]):
    """A game with methods for selective search. If one of these methods returns a wrong answer, the computer plays
    worse, but values that count as proven remain correct."""

    passing_never_helps: bool = False
    """Whether a pass is never better than the best move. If so, the value after a pass (a null move) is a bound (see
    `is_zugzwang_near`)."""

    def is_threatened(self, s: State) -> bool:
        """Whether the player to move must meet a threat, such as a check. If the game is over, the method may return
        True or False."""
        return False

    def is_evasion(self, s: State, m: int) -> bool:
        """Whether a move may be an answer to the threat. This method is called only if there is a threat."""
        return True

    def most_gain(self, s: State, m: int) -> float:
        """The greatest probable gain of a move. A move hardly ever improves the estimate for its player by more than
        this."""
        return float(self.MAXSCORE - self.MINSCORE)

    omits_quiet_moves: ClassVar[bool] = False
    """Whether `forcing_moves` omits quiet moves if the player to move faces no threat."""

    def forcing_moves(self, s: State) -> Iterator[int]:
        """Yield the moves for quiescence search, in the order of `moves`. Quiet moves may be omitted to save time."""
        return self.moves(s)

    def make_null_move(self, s: State) -> State:
        """The state after a null move, even if the rules forbid passing. A null move counts as progress. This method is
        called only if `passing_never_helps` is true and the player to move faces no threat."""
        return s

    def is_zugzwang_near(self, s: State) -> bool:
        """Whether passing may be better than every move. If so, the search tries no null move."""
        return False


def with_another_evaluation(cls: type[Game], bases: tuple[type[Game], ...], facts: Mapping[str, Any]) -> type[Game]:
    """A class with the rules and the name of a game, but with a new evaluation. The base classes `bases` or the
    attributes `facts` define the new evaluation. Declarations about the old evaluation, such as how much a move can
    gain, are reset."""
    known: dict[str, Any] = {each: getattr(cls, each) for each in ("__module__", "__qualname__", "__doc__", "name")}
    if issubclass(cls, StochasticGame):
        known |= {"bounds_hold_estimates": False, "estimate_sees_chance": True}
    if issubclass(cls, TunedGame):
        known |= {"predictions": TunedGame.predictions, "margin": 0.0}
    if issubclass(cls, SelectiveGame):
        known["most_gain"] = SelectiveGame.most_gain
    made: Any = type(cls.__name__, (*bases, cls), known | dict(facts))
    made.__signature__ = inspect.signature(cls)
    made.has_features = "features" in facts  # the game's own features do not describe the other evaluation
    return made  # type: ignore[no-any-return]
