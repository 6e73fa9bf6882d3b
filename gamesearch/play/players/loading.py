"""Load players by specifications such as `human`, `computer(level=3)` or `uci(path=stockfish)`; find good defaults."""

import functools
import inspect
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.catalog import all_algorithms, is_algorithm, load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import check_seconds
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.aliases import PLAYERS, resolve
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, REPETITION_DRAWS, Game
from gamesearch.learned.weights_files import LEARNED
from gamesearch.optional import LearnableGame
from gamesearch.play.clock import read_clock
from gamesearch.play.players.booked import NO_BOOK, BookPlayer, default_book, split_book
from gamesearch.play.players.computer import USUAL_LEVEL, Computer, level_of
from gamesearch.play.players.player import COMPUTER, HUMAN, Human, Player
from gamesearch.play.players.searching import SEEING, AlgorithmPlayer
from gamesearch.registry import game_names, load, specification_of
from gamesearch.specification import EVALUATION, Specification, construct, format_specification, parse_specification

__all__ = [
    "ENGINES", "SECONDS", "SELECTIVE", "BestPlay", "adviser", "best_play", "default_algorithm", "default_player",
    "find_learned_game", "load_player", "player_names", "with_threads",
]  # fmt: skip

SECONDS = 2.0  # the default time for a move in seconds, for algorithms without a depth limit
THREADS = 2  # the default number of threads of a search that only time limits, if the machine has enough processors
SELECTIVE = "pvs"  # if a game suggests this algorithm, the computer gives it the same parameters as `alphabeta`
ENGINES = ("uci", "gtp", "external", "gnubg")  # the names of players that are other programs


def load_player(text: str, game: Game, seconds: float | None = None, speed: str = "auto") -> Player:
    """Load a player as `load_thinker()` does. The parameter `book=FILE` gives the player an opening book. By default,
    the strongest levels use the book that comes with gamesearch (`book=shipped`)."""
    text, book = split_book(text)
    thinker = load_thinker(text, game, seconds, speed)
    if not book and isinstance(thinker, Computer) and not thinker.level.temperature:
        book = default_book(game)
    if book in ("", NO_BOOK):
        return thinker
    if thinker.algorithm is None:
        raise GamesearchError(f"{text} cannot use a book: only algorithms and the player `computer` can")
    return BookPlayer(thinker, book, game, speed)


def player_names() -> tuple[str, ...]:
    """The names of players: human, computer, engine protocols and algorithms."""
    return (HUMAN, COMPUTER, *ENGINES, *all_algorithms())


def load_thinker(text: str, game: Game, seconds: float | None, speed: str) -> Player:
    """Load `human`, `computer(level=3)`, `uci(path=stockfish)` or an algorithm by its specification.

    The player `seeing(game=..., algorithm=...)` searches with the evaluation of another game. An algorithm without a
    limit of depth or time searches for `seconds`, by default SECONDS. If `seconds` is infinite, the caller sets the
    limits of each search. Raises GamesearchError for unknown names, and if the algorithm does not support the game.
    """
    specification = parse_specification(text)
    if specification.name == HUMAN:
        if specification.values or specification.parameters:
            raise GamesearchError("the player `human` has no parameters: write `human`")
        return Human()
    if specification.name == COMPUTER:
        made: Player = construct("the player", functools.partial(load_computer, game, seconds, speed), specification)
        return made
    if specification.name in ENGINES:
        return load_engine(game, specification, seconds)
    if specification.name == SEEING:
        return load_with_evaluation(game, specification, seconds, speed)
    if not is_algorithm(specification.name):
        if specification.name in game_names():
            player = format_specification(SEEING, {"game": text, "algorithm": default_algorithm(game)})
            raise GamesearchError(
                f"{specification.name!r} is a game, not a player: write {player}; to play a match between two files of "
                f"weights, use gamesearch learn {specification.name} --compare A B"
            )
        known = (*player_names(), SEEING)
        meant = resolve(specification, known, PLAYERS)  # also accepts `Level 3` and other capitals and spaces
        return load_thinker(format_specification(meant.name, meant.parameters), game, seconds, speed)
    clock = specification.parameters.get("time")
    if isinstance(clock, str):
        return load_with_clock(specification, clock, game, speed)
    algorithm = with_limits(load_algorithm(text), seconds)
    algorithm.fits(game)
    return AlgorithmPlayer(algorithm, speed)


def load_with_evaluation(game: Game, specification: Specification, seconds: float | None, speed: str) -> Player:
    """An algorithm that uses the evaluation of another game, so that evaluations can play against each other."""
    given = dict(zip(("game", "algorithm"), specification.values, strict=False)) | dict(specification.parameters)
    if given.keys() != {"game", "algorithm"} or len(specification.values) > len(given):
        raise GamesearchError(f"write {SEEING}(game=..., algorithm=...), with exactly these two parameters")
    seen, algorithm = load(str(given["game"])), with_limits(load_algorithm(str(given["algorithm"])), seconds)
    if type(seen).name != type(game).name or seen.initial() != game.initial():
        raise GamesearchError(
            f"the rules of {specification_of(seen)} differ from the rules of {specification_of(game)}: name the same "
            "game, and change only parameters of its evaluation"
        )
    algorithm.fits(seen)
    return AlgorithmPlayer(algorithm, speed, evaluation_game=seen)


def load_with_clock(specification: Specification, clock: str, game: Game, speed: str) -> Player:
    """Load an algorithm that plays with a clock for the whole game, such as `alphabeta(time=5m+3s)`."""
    read_clock(clock)
    others = {name: value for name, value in specification.parameters.items() if name != "time"}
    algorithm = with_limits(load_algorithm(format_specification(specification.name, others)), math.inf)
    algorithm.fits(game)
    if specification.values or not algorithm.deepen:
        raise GamesearchError(f"{specification.name} cannot use a clock: give seconds per move, such as time=2")
    return AlgorithmPlayer(algorithm, speed, clock)


def load_computer(
    game: Game, seconds: float | None, speed: str, *, level: int | str = USUAL_LEVEL, seed: int | str = ""
) -> Player:
    """The computer at a level: the default algorithm of a game, with the limit of the level."""
    best = best_play(game)
    is_timed = level_of(str(level)).nodes is None
    limited = with_limits(load_algorithm(best.algorithm), seconds if is_timed else math.inf)
    limited.fits(game)
    return Computer(limited, str(level), seed, speed, best.game if best.is_learned else None)


def with_limits(algorithm: Algorithm, seconds: float | None) -> Algorithm:
    """Give an algorithm a time limit, unless it already has a limit. An algorithm without the parameter `time`, such as
    a user's file, has a time limit only if `seconds` is given."""
    parameters = inspect.signature(type(algorithm)).parameters
    is_limited = any(getattr(algorithm, name, 0) for name in ("depth", "playouts", "expansions"))
    if algorithm.time or (is_limited and seconds is None):
        return algorithm
    if "time" not in parameters:
        if algorithm.is_search and seconds is not None and seconds != math.inf:
            algorithm.time = seconds
        return algorithm
    given = {name: getattr(algorithm, name) for name in parameters if hasattr(algorithm, name)}
    if seconds != math.inf:
        given["time"] = SECONDS if seconds is None else seconds
    elif "deepen" in parameters:  # a search that deepens has a move when it is stopped
        given["deepen"] = True
    return type(algorithm)(**given)


@dataclass(frozen=True)
class BestPlay:
    """The strongest way to play a game: its evaluation, algorithm and opening book."""

    game: Game  # the game with the evaluation to use: learned weights if the computer is stronger with them
    algorithm: str  # the specification of the algorithm
    book: str  # the name of an opening book for `read_book`, or NO_BOOK
    is_learned: bool  # whether `game` uses learned weights instead of the evaluation of the requested game


def best_play(game: Game) -> BestPlay:
    """Return the settings with which the computer plays a game best. An evaluation that the user gave is kept."""
    learned = find_learned_game(game)
    return BestPlay(learned or game, default_algorithm(game), default_book(game), learned is not None)


def default_algorithm(game: Game) -> str:
    """Choose a good algorithm for a game. The choice depends on the properties that the game declares."""
    if game.suggested_algorithm not in ("", SELECTIVE):
        return game.suggested_algorithm
    if game.payoff_count > 1:
        return "maxn"
    if game.chance:
        return "expectiminimax"
    paths = ", paths=practical" if game.repetition in (REPETITION_DRAWS, FORBIDDEN) else ""
    # The game's bounds are payoffs, such as points. These bounds do not fit an evaluation with another scale.
    bounds = "" if EVALUATION in game.tuned_attributes() and not game.win_or_loss else ", bounds=true"
    parameters = f"table=true, order={suggested_order(game)}{bounds}, endgame=true{paths}"
    return f"{game.suggested_algorithm or 'alphabeta'}({parameters})"


def with_threads(algorithm: str) -> str:
    """Add the parameter `threads=THREADS` to the specification of an algorithm. The specification stays the same if the
    algorithm has no such parameter, or if this process may use fewer than THREADS processors. Do not use threads
    together with a node limit, because each thread gets only a part of the nodes."""
    given = parse_specification(algorithm)
    accepts = "threads" in inspect.signature(type(load_algorithm(algorithm))).parameters
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not accepts or processors < THREADS:
        return algorithm
    return format_specification(given.name, {**given.parameters, "threads": THREADS})


def default_player(game: Game) -> str:
    """Return the strongest player for a game if time is the only limit. The player uses learned weights if they help,
    the shipped book if there is one, and several threads if possible."""
    best = best_play(game)
    algorithm = with_threads(best.algorithm)
    given = parse_specification(algorithm)
    if best.is_learned:
        given = Specification(SEEING, (), {"game": specification_of(best.game), "algorithm": algorithm})
    parameters = {**given.parameters, **({} if best.book == NO_BOOK else {"book": best.book})}
    return format_specification(given.name, parameters)


def find_learned_game(game: Game) -> Game | None:
    """The same game with the learned weights that come with gamesearch. None if there are no weights for the parameters
    of the game, or if the weights do not make the computer stronger. Also None if the user gave an evaluation."""
    if not isinstance(game, LearnableGame) or not game.plays_by_learned or game.tuned_attributes():
        return None
    return load_once(format_specification(type(game).name, game.parameters() | {"weights": LEARNED}))


@functools.lru_cache(maxsize=16)
def load_once(text: str) -> Game | None:
    """Load the game of a specification, and cache it; None if no weights are shipped for the parameters of the game."""
    try:
        return load(text)
    except GamesearchError:
        return None


def suggested_order(game: Game) -> str:
    """The move ordering for a game. The order `previous` is not needed, because a search always tries the move from the
    transposition table first."""
    return game.suggested_order or ("game+killer+history" if game.has_order else "killer+history")


def adviser(game: Game, seconds: float | None = None, speed: str = "auto") -> Player:
    """The player that gives hints: the computer at its best level."""
    return load_player(default_player(game), game, seconds, speed)


def load_engine(game: Game, specification: Specification, seconds: float | None) -> Player:
    """Load another program as a player. If the specification contains no time limit, the program has `seconds` for each
    move.

    If `seconds` is None, and the specification contains no limit, the program has SECONDS for a move. But a program
    that speaks GTP plays without a limit, at its own level. If `seconds` is infinite, the caller sets the limits. If a
    parameter of `uci` is not a limit, it sets an option of the program. Raises GamesearchError if the program does not
    exist or does not play the game.
    """
    name, given = specification.name, specification.parameters
    if name == "uci":
        from gamesearch.play.engines.uci_player import UciPlayer

        options = {option: value for option, value in given.items() if option not in ("path", *LIMITS)}
        known = {parameter: value for parameter, value in given.items() if parameter not in options}
        return UciPlayer(*arguments(game, replace(specification, parameters=known), seconds, options), options)
    if name == "gtp":
        from gamesearch.play.engines.gtp_player import GtpPlayer

        return GtpPlayer(*arguments(game, specification, seconds, default=None))
    if name == "external":
        from gamesearch.play.engines.external import ExternalPlayer

        return ExternalPlayer(*arguments(game, specification, seconds))
    from gamesearch.play.engines.external import GnubgPlayer

    def parameters(path: str = "gnubg", plies: int = 2) -> tuple[str, int]:
        return path, plies

    path, plies = construct("the player", parameters, specification)
    own_path = {"path": path} if path != "gnubg" else {}
    return GnubgPlayer(format_specification("gnubg", {**own_path, "plies": plies}), game, path, plies)


LIMITS = ("depth", "time", "nodes")


def arguments(
    game: Game,
    specification: Specification,
    seconds: float | None,
    options: Mapping[str, Any] | None = None,
    default: float | None = SECONDS,
) -> tuple[str, Game, str, Limits]:
    """The arguments for loading an engine: its full specification, the game, its command and its limits."""

    def parameters(path: str, depth: int = 0, time: float = 0.0, nodes: int = 0) -> tuple[str, Limits]:
        return path, Limits(depth or None, check_seconds(time) or None, nodes or None)

    if not specification.values and "path" not in specification.parameters:
        raise GamesearchError(f'{specification.name} needs a program: {specification.name}(path="...")')
    path, own = construct("the player", parameters, specification)
    if (own.depth or 1) not in range(1, MAX_PLY + 1):
        raise GamesearchError(f"the depth of {specification.name} must be from 1 to {MAX_PLY}, not {own.depth}")
    if (own.nodes or 1) < 1:
        raise GamesearchError(f"the node limit of {specification.name} must be at least 1, not {own.nodes}")
    if seconds != math.inf and own.time is None and (seconds is not None or own == Limits()):
        own = replace(own, time=default if seconds is None else seconds)
    limits = {limit: getattr(own, limit) for limit in LIMITS if getattr(own, limit) is not None}
    return format_specification(specification.name, {"path": path, **limits, **(options or {})}), game, path, own
