"""Players by name: a human, an engine, the computer at some level, or an algorithm that thinks for so many seconds a
move; and a good choice."""

import functools
import inspect
import math
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.catalog import all_algorithms, is_algorithm, load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.aliases import ALGORITHMS, resolve
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, RECURRENCE_DRAWS, Game
from gamesearch.learned.weights_files import LEARNED
from gamesearch.optional import Shipped
from gamesearch.play.clock import read_clock
from gamesearch.play.players.booked import NO_BOOK, BookPlayer, usual_book, without_book
from gamesearch.play.players.computer import Computer
from gamesearch.play.players.levels import USUAL_LEVEL, level_of
from gamesearch.play.players.player import COMPUTER, HUMAN, Human, Player
from gamesearch.play.players.searching import SEEING, AlgorithmPlayer
from gamesearch.registry import game_names, load, specification_of
from gamesearch.specification import Specification, construct, format_specification, parse_specification

__all__ = [
    "ENGINES",
    "SECONDS",
    "SELECTIVE",
    "BestPlay",
    "adviser",
    "best_play",
    "default_algorithm",
    "default_player",
    "load_player",
    "seen_by_computer",
]

SECONDS = 2.0
"""How long an algorithm thinks about a move when nobody says how long, or how deep."""
SELECTIVE = "pvs"
"""The algorithm that a game may suggest by its name alone."""
ENGINES = ("uci", "gtp", "external", "gnubg")
"""Other programs, by how they are spoken to."""


def load_player(text: str, game: Game[Any], seconds: float | None = None, speed: str = "auto") -> Player:
    """The player that a text stands for, as in `load_thinker`; `book=FILE` among its parameters gives it a book.

    `book=shipped` is that which comes with gamesearch; the strongest levels of the computer have it by themselves, but
    with `book=none`.
    """
    text, book = without_book(text)
    thinker = load_thinker(text, game, seconds, speed)
    if not book and isinstance(thinker, Computer) and not thinker.level.temperature:
        book = usual_book(game)
    if book in ("", NO_BOOK):
        return thinker
    if thinker.algorithm is None:
        raise GamesearchError(f"{text} takes no book: only algorithms and the computer do")
    return BookPlayer(thinker, book, game, speed)


def load_thinker(text: str, game: Game[Any], seconds: float | None, speed: str) -> Player:
    """The player that `human`, `computer(level=3)`, `uci(path=stockfish)` or an algorithm's specification stands for.

    `seeing(game=..., algorithm=...)` is an algorithm that values positions as another game does.
    An algorithm without a depth and a time of its own thinks for `seconds`, or else for SECONDS; where these are
    infinite, whoever asks it limits it otherwise.
    Raises GamesearchError for unknown names, and for an algorithm that does not fit the game.
    """
    specification = parse_specification(text)
    if specification.name == HUMAN:
        if specification.values or specification.parameters:
            raise GamesearchError("a human takes no parameters: write human")
        return Human()
    if specification.name == COMPUTER:
        made: Player = construct("the player", functools.partial(computer, game, seconds, speed), specification)
        return made
    if specification.name in ENGINES:
        from gamesearch.play.engines.loading import LOADERS

        return LOADERS[specification.name](game, specification, seconds, SECONDS)
    if specification.name == SEEING:
        return seeing(game, specification, seconds, speed)
    if not is_algorithm(specification.name):
        if specification.name in game_names():
            player = format_specification(SEEING, {"game": text, "algorithm": default_algorithm(game)})
            raise GamesearchError(
                f"there is no player {specification.name!r}, which is a game: write {player}; gamesearch learn "
                f"{specification.name} --compare A B lets two files of weights play"
            )
        return load_thinker(player_named(specification), game, seconds, speed)
    clock = specification.parameters.get("time")
    if isinstance(clock, str):
        return by_own_clock(specification, clock, game, speed)
    algorithm = with_limits(load_algorithm(text), seconds)
    algorithm.fits(game)
    return AlgorithmPlayer(algorithm, speed)


def player_named(given: Specification) -> str:
    """The specification of a player that was named with other capitals or spaces; GamesearchError if there is none."""
    known = (HUMAN, COMPUTER, SEEING, *ENGINES, *all_algorithms())
    meant = resolve(given, known, replace(ALGORITHMS, kind="player"))
    return format_specification(meant.name, meant.parameters)


def seeing(game: Game[Any], specification: Specification, seconds: float | None, speed: str) -> Player:
    """An algorithm that values positions as another game does: so evaluations play against each other."""
    given = dict(zip(("game", "algorithm"), specification.values, strict=False)) | dict(specification.parameters)
    if given.keys() != {"game", "algorithm"} or len(specification.values) > len(given):
        raise GamesearchError(f"write {SEEING}(game=..., algorithm=...): both are needed, and nothing else")
    seen, algorithm = load(str(given["game"])), with_limits(load_algorithm(str(given["algorithm"])), seconds)
    if type(seen).name != type(game).name or seen.initial() != game.initial():
        raise GamesearchError(
            f"{specification_of(seen)} begins unlike {specification_of(game)}: name the same game, "
            "with other parameters of its evaluation alone"
        )
    algorithm.fits(seen)
    return AlgorithmPlayer(algorithm, speed, seen_game=seen)


def by_own_clock(specification: Specification, clock: str, game: Game[Any], speed: str) -> Player:
    """An algorithm that shares out a time for the whole game, such as `alphabeta(time=5m+3s)`."""
    read_clock(clock)
    others = {name: value for name, value in specification.parameters.items() if name != "time"}
    algorithm = with_limits(load_algorithm(format_specification(specification.name, others)), math.inf)
    algorithm.fits(game)
    if specification.values or not algorithm.deepen:
        raise GamesearchError(f"{specification.name} cannot share out a clock: name seconds a move, such as time=2")
    return AlgorithmPlayer(algorithm, speed, clock)


def computer(
    game: Game[Any], seconds: float | None, speed: str, *, level: int | str = USUAL_LEVEL, seed: int | str = ""
) -> Player:
    """The usual algorithm of a game at a level: within its nodes, or, at the best, the time that others have."""
    best = best_play(game)
    is_timed = level_of(str(level)).nodes is None
    limited = with_limits(load_algorithm(best.algorithm), seconds if is_timed else math.inf)
    limited.fits(game)
    return Computer(limited, str(level), seed, speed, best.game if best.is_learned else None)


def with_limits(algorithm: Algorithm, seconds: float | None) -> Algorithm:
    """The algorithm with a time limit, where it can have one and has no limit that it was given."""
    parameters = inspect.signature(type(algorithm)).parameters
    is_limited = any(getattr(algorithm, name, 0) for name in ("depth", "playouts", "expansions"))
    if "time" not in parameters or algorithm.time or (is_limited and seconds is None):
        return algorithm
    given = {name: getattr(algorithm, name) for name in parameters if hasattr(algorithm, name)}
    if seconds == math.inf:
        if "deepen" in parameters:  # so that there is an answer wherever it is stopped
            given["deepen"] = True
        return type(algorithm)(**given)
    given["time"] = SECONDS if seconds is None else seconds
    return type(algorithm)(**given)


@dataclass(frozen=True)
class BestPlay:
    """How a game is played at its best: which evaluation, which algorithm and which opening book."""

    game: Game[Any]
    """The game with the evaluation to use: learned weights if the computer is stronger with them."""
    algorithm: str
    """The specification of the algorithm."""
    book: str
    """The name of an opening book for `read_book`, or NO_BOOK."""
    is_learned: bool
    """Whether `game` has another evaluation than the game that was given."""


def best_play(game: Game[Any]) -> BestPlay:
    """How the computer plays a game at its best; also the default of hints, `analyze` and `watch`.

    An evaluation or weights that the game was loaded with are kept.
    """
    learned = seen_by_computer(game)
    return BestPlay(learned or game, default_algorithm(game), usual_book(game), learned is not None)


def default_algorithm(game: Game[Any]) -> str:
    """A good opponent for a game, by the facts that the game declares."""
    if game.suggested_algorithm not in ("", SELECTIVE):
        return game.suggested_algorithm
    if game.payoff_count > 1:
        return "maxn"
    if game.chance:
        return "expectiminimax"
    paths = ", paths=practical" if game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN) else ""
    parameters = f"table=true, order={suggested_order(game)}, bounds=true, endgame=true{paths}"
    return f"{game.suggested_algorithm or 'alphabeta'}({parameters})"


def default_player(game: Game[Any]) -> str:
    """A good opponent for a game: by learned weights where that is stronger, with a book where one comes with us."""
    best = best_play(game)
    given = parse_specification(best.algorithm)
    if best.is_learned:
        given = Specification(SEEING, (), {"game": specification_of(best.game), "algorithm": best.algorithm})
    parameters = {**given.parameters, **({} if best.book == NO_BOOK else {"book": best.book})}
    return format_specification(given.name, parameters)


def seen_by_computer(game: Game[Any]) -> Game[Any] | None:
    """The same game with the learned weights that come with gamesearch, if the computer plays the better for them.

    None where weights or an evaluation were asked for, or where none were learned for these parameters.
    """
    if not isinstance(game, Shipped) or not game.plays_by_learned or game.tuned():
        return None
    return loaded_once(format_specification(type(game).name, game.parameters() | {"weights": LEARNED}))


@functools.lru_cache(maxsize=16)
def loaded_once(text: str) -> Game[Any] | None:
    """The game of a specification, read once; None if no weights come with gamesearch for its parameters."""
    try:
        return load(text)
    except GamesearchError:
        return None


def suggested_order(game: Game[Any]) -> str:
    """The order of moves that a game suggests; else by its own order, killers and history.

    `previous` adds nothing to them where there is a table, whose move always comes first.
    """
    return game.suggested_order or ("game+killer+history" if game.has_order else "killer+history")


def adviser(game: Game[Any], seconds: float | None = None, speed: str = "auto") -> Player:
    """The player that gives hints: the computer at its best, whoever plays. It keeps nothing for the opponent."""
    return load_player(default_player(game), game, seconds, speed)
