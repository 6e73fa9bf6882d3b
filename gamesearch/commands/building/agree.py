"""Find bugs in your rules: compare two implementations."""

import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from gamesearch import compiler
from gamesearch.algorithms.engine.formatting import count_text
from gamesearch.algorithms.node.repetition import REPETITIONS
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.options import game_argument, json_option, number_option, speed_option
from gamesearch.cli.reading import decode_line, input_lines
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MOST_MOVES, REPETITION_DRAWS, Game
from gamesearch.optional import CountingGame
from gamesearch.registry import load, specification_of

__all__ = ["command", "compare_games"]


# The comparison. ----------------------------------------------------------------------------------
LONGEST = 300
SHARE_OF_RETURNS = 0.1
"""The fraction of moves that are chosen because they repeat a position. Random moves rarely repeat positions."""
SHARE_OF_CAPTURES = 0.3
"""The fraction of moves that are chosen because they come first in the move ordering. Random moves rarely capture or
checkmate."""


@dataclass(frozen=True)
class Difference:
    """The first position in which two sets of rules differ, and the difference."""

    position: str
    what: str
    ours: str
    theirs: str


@dataclass(frozen=True)
class PositionFacts:
    """The properties of a position according to one set of rules."""

    times: int
    is_over: bool
    payoff: float
    estimate: float
    moves: list[int]
    counted: int


@kernel
def examine(game: Any, s: Any, moves: Any, counting: Any) -> tuple[int, float, float, int]:
    """Write the moves of s into `moves`. Returns the number of moves (-1 if the game is over), the payoff, the
    estimate, and the result of `count_moves` if the game has this method."""
    if game.terminal(s):
        counted = game.count_moves(s) if counting is not None else 0
        return -1, float(game.utility(s)), 0.0, counted
    count = 0
    for move in game.moves(s):
        if count < len(moves):
            moves[count] = move
        count += 1
    counted = game.count_moves(s) if counting is not None else count
    return count, 0.0, float(game.evaluate(s)), counted


@kernel
def after_move(game: Game, s: Any, m: int) -> Any:
    """The state after a move."""
    return game.result(s, m)


class RandomGame:
    """A random game that is played with one set of rules at one speed."""

    def __init__(self, game: Game, speed: str) -> None:
        self.game, self.speed = game, compiler.speed_for(game, speed)
        self.moves = array("q", bytes(8 * MOST_MOVES))
        self.counting = True if isinstance(game, CountingGame) else None

    def begin(self, position: str) -> None:
        """Begin a random game."""
        self.state = self.game.parse(position) if position else self.game.initial()
        self.times: Counter[Any] = Counter()
        self.note()

    def note(self) -> None:
        """If repetition is a draw, count one more occurrence of the current position."""
        if self.game.repetition == REPETITION_DRAWS:
            self.times[self.game.arrangement(self.state)] += 1

    def examine(self) -> PositionFacts:
        """The properties of the current position. If the position occurs for the third time, the game is a draw."""
        times = self.times[self.game.arrangement(self.state)] if self.times else 1
        if times >= REPETITIONS:
            return PositionFacts(times, True, float(self.game.draw_value()), 0.0, [], 0)
        found, _ = compiler.run(examine, self.game, self.speed, self.state, self.moves, self.counting)
        count, payoff, estimate, counted = found
        return PositionFacts(times, count < 0, payoff, estimate, list(self.moves[: max(count, 0)]), counted)

    def make(self, m: int) -> None:
        """Make a move."""
        self.state = self.after(m)
        self.note()

    def after(self, m: int) -> Any:
        """The state after a move."""
        return compiler.run(after_move, self.game, self.speed, self.state, m)[0]


def compare_games(
    game: Game,
    other: Game,
    positions: int,
    *,
    starts: Sequence[str] = ("",),
    seed: int = 1,
    speed: str = "auto",
    progress: Callable[[int], None] = lambda _: None,
) -> Difference | None:
    """Compare two sets of rules in `positions` positions of random games that begin at `starts`. Return the first
    difference, or None if the rules agree."""
    source, ours, theirs, seen = random.Random(seed), RandomGame(game, speed), RandomGame(other, speed), 0
    while seen < positions:
        start = source.choice(list(starts))
        ours.begin(start)
        theirs.begin(start)
        for _ in range(min(LONGEST, positions - seen)):
            progress(seen)
            seen += 1
            mine, yours = ours.examine(), theirs.examine()
            if difference := difference_of(ours, theirs, mine, yours):
                return difference
            if mine.is_over:
                break
            m = choose_move(ours, mine.moves, source)
            ours.make(m)
            theirs.make(m)
    return None


def difference_of(ours: RandomGame, theirs: RandomGame, mine: PositionFacts, yours: PositionFacts) -> Difference | None:
    """The first difference between two sets of rules in a position; None if they agree."""
    game, other, s, t = ours.game, theirs.game, ours.state, theirs.state
    position = game.format(s)
    facts = {
        "position": (position, other.format(t)),
        "repetitions": (mine.times, yours.times),
        "end of the game": (mine.is_over, yours.is_over),
        "payoff": (mine.payoff, yours.payoff),
        "moves": (mine.moves, yours.moves),
        "moves counted": (mine.counted, mine.counted if mine.is_over else len(mine.moves)),
        "estimate": (mine.estimate, yours.estimate),
        "turn": (None, None) if mine.is_over else (game.player(s), other.player(t)),
    }
    different = (Difference(position, what, str(one), str(two)) for what, (one, two) in facts.items() if one != two)
    return next(different, None)


def choose_move(player: RandomGame, moves: Sequence[int], source: random.Random) -> int:
    """Choose a random move. A move is more probable if it comes first in the move ordering, or if it repeats a
    position."""
    game, s = player.game, player.state
    chance = 1.0 if game.player(s) == CHANCE else source.random()
    if chance < SHARE_OF_CAPTURES:
        return max(moves, key=lambda m: (game.order(s, m), source.random()))
    back = list[int]()
    if player.times and chance < SHARE_OF_CAPTURES + SHARE_OF_RETURNS:
        back = [m for m in moves if game.arrangement(player.after(m)) in player.times]
    return source.choice(back or list(moves))


# The command. -------------------------------------------------------------------------------------
UPDATED_EVERY = 1000  # the number of positions between two updates of the progress message


def read_starts(game: Game) -> Iterator[str]:
    """Yield the positions that standard input contains. For an invalid position, raises GamesearchError with the number
    of its line."""
    for number, line in input_lines():
        try:
            text = decode_line(line)
            game.parse(text)
        except GamesearchError as error:
            raise GamesearchError(f"line {number}: {error}") from None
        yield text


@click.command(
    cls=Command,
    examples=[
        'gamesearch agree chess --against "chess(rules=python-chess)" --positions 200',
        'gamesearch agree chess960 --against "chess960(rules=python-chess)"',
    ],
)
@game_argument
@click.argument("starts", nargs=-1, metavar="[POSITION]...")
@click.option("--against", required=True, metavar="GAME", help="Another implementation of the rules.")
@number_option("--positions", default=10_000, text="Number of positions to compare.")
@click.option("--seed", default=1, show_default=True, metavar="N", help="Seed of the random games.")
@speed_option
@json_option
def command(
    game: str, starts: tuple[str, ...], against: str, positions: int, seed: int, speed: str, as_json: bool
) -> int:
    """Find bugs in rules: compare two implementations in the positions of random games.

    The random games start from the given POSITIONs or from the initial position. In each position, both implementations
    must agree on its notation, the player to move, the moves and their order, repetitions, the payoff at the end, and
    the estimate of the evaluation. If you write `-` instead of a POSITION, the command reads positions from standard
    input, one per line. The exit code is 1 if the implementations differ.
    """
    ours, theirs = load(game), load(against)
    if starts == ("-",):
        starts = tuple(read_starts(ours))
    if ours.name != theirs.name:
        raise GamesearchError(
            f"{ours.name} and {theirs.name} are different games: give two implementations of the same game"
        )
    console = status_console()
    with console.status("comparing ...; Ctrl-C stops") as status:

        def show(seen: int) -> None:
            if seen % UPDATED_EVERY == 0:
                status.update(f"comparing: {count_text(seen)} positions; Ctrl-C stops")

        found = compare_games(ours, theirs, positions, starts=starts or ("",), seed=seed, speed=speed, progress=show)
    text = f"no difference in {count_text(positions)} positions"
    if found is not None:
        text = f"{found.position}\ndiffers in its {found.what}:\n{found.ours}\n{found.theirs}"
    names = {"game": specification_of(ours), "against": specification_of(theirs), "positions": positions}
    print_found(text, lambda: names | {"difference": None if found is None else vars(found)}, as_json)
    return 0 if found is None else 1
