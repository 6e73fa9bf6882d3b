"""Solve by proof numbers: choose the proof-number search, and build the solution from its answers."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.algorithms.engine.result import MoveValue
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.errors import GamesearchError
from gamesearch.game import CAPTURE, MAX, NEVER, THREAT, Game
from gamesearch.solvers.proof.provers import PROVERS, NoRoomError, Prover
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.specification import format_specification, nearest
from gamesearch.toolkit.derived_games import DerivedGame

__all__ = ["ForcingGame", "ProofSearch", "check_forcing", "prover_for", "search_for", "solve_by_proof"]


# Forcing moves. -----------------------------------------------------------------------------------
class ForcingGame(DerivedGame):
    """A game in which one side, the attacker, may make only forcing moves; a win pays 1 and a loss -1.

    The game is drawn if the attacker has no forcing move. The defender may make any move, even a move that ignores a
    threat. So every win is also a win in the original game. An example is a win by fours in gomoku (L. V. Allis, H. J.
    van den Herik and M. P. H. Huntjens 1996, "Go-Moku solved by new search techniques", Computational Intelligence 12).
    If no win is found, the value remains unknown.
    """

    def __init__(self, game: Game, attacker: int) -> None:
        super().__init__(game)
        self.attacker, self.worth_compiling = attacker, game.worth_compiling
        self.MINSCORE, self.MAXSCORE, self.win_or_loss = -1.0, 1.0, True

    def moves(self, s: Any) -> Iterator[int]:
        """Yield all moves of the defender, but only the forcing moves of the attacker."""
        everything = self.game.player(s) != self.attacker
        for move in self.game.moves(s):
            if everything or self.is_forcing(s, move):
                yield move

    def is_forcing(self, s: Any, m: int) -> bool:
        """Whether a move captures or threatens."""
        kind = self.game.kind_of_move(s, m)
        return kind == CAPTURE or kind == THREAT  # in compiled code, a membership test in a tuple is slower

    def terminal(self, s: Any) -> bool:
        """Whether the game or the attack is over."""
        if self.game.terminal(s):
            return True
        if self.game.player(s) != self.attacker:
            return False
        for move in self.game.moves(s):
            if self.is_forcing(s, move):
                return False
        return True

    def utility(self, s: Any) -> float:
        """1 if Max has won, -1 if Min has won, otherwise 0."""
        if not self.game.terminal(s):
            return 0.0
        payoff, even = self.game.utility(s), self.game.draw_value()
        return 1.0 if payoff > even else -1.0 if payoff < even else 0.0

    def bounds(self, s: Any) -> tuple[float, float]:
        """Bounds on the value, which follow from the bounds of the original game."""
        least, greatest = self.game.bounds(s)
        even = self.game.draw_value()
        return (1.0 if least > even else -1.0), (-1.0 if greatest < even else 1.0)

    def draw_value(self) -> float:
        """The value of a draw: 0, halfway between a win and a loss."""
        return 0.0


# The method. --------------------------------------------------------------------------------------
MEMORY = 128  # the default megabytes for the table of df-pn, or for the trees
AUTO = "auto"  # the default: the search that fits the game
ALL, FORCING = "all", "forcing"
ATTACKS = (ALL, FORCING)


@dataclass(frozen=True)
class ProofSearch:
    """The parameters of `proof(search=..., memory=..., attack=...)`: `memory` is in megabytes, and `attack` is one of
    ATTACKS."""

    search: str = AUTO
    memory: int = MEMORY
    attack: str = ALL
    clips_values: ClassVar[bool] = False
    narrows_windows: ClassVar[bool] = False
    """False, because proof-number searches have no alpha-beta windows. A recorder reads this attribute of every
    algorithm."""

    def __post_init__(self) -> None:
        names = (AUTO, *PROVERS)
        if self.search not in names:
            raise GamesearchError(f"unknown search {self.search!r} of the method proof: {nearest(self.search, names)}")
        if self.attack not in ATTACKS:
            said = nearest(self.attack, ATTACKS)
            raise GamesearchError(f"unknown attack {self.attack!r} of the method proof: {said}")
        if self.memory < 1:
            raise GamesearchError(f"memory must be at least 1 MB, not {self.memory}")
        if self.memory * MEGABYTE > physical_memory():
            raise GamesearchError(f"this machine has less than {self.memory} MB of memory: choose a smaller number")

    @property
    def specification(self) -> str:
        """The method and its parameters, as users type them."""
        values = [(each.name, getattr(self, each.name), each.default) for each in fields(self)]
        return format_specification("proof", {name: value for name, value, usual in values if value != usual})

    def game_to_search(self, game: Game, state: Any) -> Game:  # noqa: ARG002
        """Return the game itself. A recorder calls this method of every algorithm."""
        return game


def prover_for(runner: Runner, asked: ProofSearch) -> Prover:
    """The prover for a search. If no search is chosen, this is the search that fits the game."""
    return PROVERS[search_for(runner.game, asked)](runner, asked.memory)


def search_for(game: Game, asked: ProofSearch) -> str:
    """The name of the chosen search. If AUTO is chosen, the name of a search that fits the game. Raises GamesearchError
    if the chosen search cannot be used for this game."""
    search = asked.search
    if search == AUTO:
        search = "dfpn" if game.repetition == NEVER else "graph"
    if game.repetition != NEVER and search != "graph":
        raise GamesearchError(
            f"positions of {game.name} can repeat, which search={search} does not support: leave out search="
        )
    return search


def solve_by_proof(runner: Runner, state: Any, asked: ProofSearch) -> Solution:
    """The value of a position and of its moves, without distances. Moves whose proof needs too much memory are listed
    without a value."""
    if asked.attack == FORCING:
        return solve_by_forcing(runner, state, asked)
    runner.begin()
    game, prover, values = runner.game, prover_for(runner, asked), dict[Any, float]()

    def lookup(s: Any) -> tuple[float, None]:
        if s not in values:
            values[s] = prover.value(s)
        return values[s], None

    def choose(s: Any) -> int:
        value, _ = lookup(s)
        return prover.move_that_gets(s, value)

    value, _ = lookup(state)
    facts = {"positions": int(runner.counts.nodes), "kept": 0, "bytes": prover.bytes}
    steps = [] if game.terminal(state) else game.steps(state)
    if steps:
        values[game.result(state, choose(state))] = value
    for move in steps:
        try:
            lookup(game.result(state, move))
        except NoRoomError:
            runner.begin_counts()
    known = [move for move in steps if game.result(state, move) in values]
    missing = plural(len(steps) - len(known), "other move")
    note = f"the memory was too small to prove {missing}: raise memory=" if len(known) < len(steps) else ""
    return solution_from(runner, state, asked.specification, lookup, choose, known, note=note, **facts)


def check_forcing(game: Game) -> None:
    """Raise GamesearchError if a game does not define forcing moves."""
    if not game.has_move_kinds:
        raise GamesearchError(f"{game.name} does not define forcing moves: leave out attack=forcing")


def solve_by_forcing(runner: Runner, state: Any, asked: ProofSearch) -> Solution:
    """Find a win that needs only forcing moves of the player to move; raises GamesearchError if there is none."""
    game = runner.game
    check_forcing(game)
    side = game.player(state)
    attack = Runner(ForcingGame(game, side), runner.speed, monitor=runner.monitor)
    attack.begin()
    prover, won = prover_for(attack, asked), 1.0 if side == MAX else -1.0
    if prover.value(state) != won:
        raise GamesearchError(
            f"forcing moves alone do not win ({int(attack.counts.nodes):,} positions were searched): "
            "leave out attack=forcing to search all moves"
        )
    move, value = prover.move_that_gets(state, won), float(game.MAXSCORE if side == MAX else game.MINSCORE)
    return Solution(
        value=value,
        distance=None,
        best=(move,),
        method=asked.specification,
        positions=int(attack.counts.nodes),
        kept=0,
        bytes=prover.bytes,
        seconds=attack.seconds,
        speed=attack.speed,
        moves=(MoveValue(move, value, None),),
        note="a win with only forcing moves; other moves were not searched",
        searched=(game, state),
        choose=lambda s: prover.move_that_gets(s, won),
    )
