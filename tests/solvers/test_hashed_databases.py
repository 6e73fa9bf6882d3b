"""For all games that do not number their positions, databases agree with `solve`."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from choices import choose
from database_support import build_database
from support import Counters, Take

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.databases.layer_files import HEADER_BYTES
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import NumberedGame, symmetries_of
from gamesearch.registry import game_names, load
from gamesearch.solvers.databases.building import verify
from gamesearch.solvers.databases.folders import BuiltLayer, refuse_unsolvable
from gamesearch.solvers.solving import solve, solve_by_database

SMALL = {
    "dawson": "dawson(files=5)",
    "dotsandboxes": "dotsandboxes(rows=1, columns=2)",
    "hex": "hex(size=2)",
    "kayles": "kayles(rows=5)",
    "nim": "nim(heaps=4)",
    "random_tree": "random_tree(depth=4)",
    "y": "y(size=2)",
}
"""Parameters for boards that are small enough for a test; games not listed here keep their default parameters."""
TOO_LARGE = {"gomoku", "othello", "ultimate"}
"""Games whose smallest board takes too long for a test."""
ENOUGH = 20_000
"""A game is tested with its default parameters only if it has at most this many positions."""


def solvable() -> list[str]:
    """Return each game that can have a database but does not number positions, with the parameters for the test."""
    found = []
    for name in game_names():
        game = load(name)
        with suppress(GamesearchError):
            refuse_unsolvable(game)
            if not isinstance(game, NumberedGame) and name not in TOO_LARGE:
                found.append(SMALL.get(name, name))
    return found


def positions_of(game: Game) -> dict[Any, Any]:
    """Return all nonterminal positions that can be reached from the start, by their keys."""
    found, todo = dict[Any, Any](), [game.initial()]
    while todo:
        s = todo.pop()
        if game.terminal(s) or game.key(s) in found:
            continue
        assert len(found) < ENOUGH, f"name a smaller board of {game.name} in SMALL, or put it into TOO_LARGE"
        found[game.key(s)] = s
        todo += [game.result(s, m) for m in game.moves(s)]
    return found


@pytest.mark.parametrize("specification", [*solvable(), "take"])
def test_all_that_can_be_reached_has_the_value_that_solve_finds(specification: str, tmp_path: Path) -> None:
    game = Take(7, least=0, greatest=1) if specification == "take" else load(specification)  # not symmetric about 0
    states = list(positions_of(game).values())
    database = build_database(game, "start", tmp_path)
    for s in states[::7]:
        by_file, by_search = solve_by_database(game, s, str(tmp_path)), solve(game, s, speed="interpreted")
        assert (by_file.value, by_file.best) == (by_search.value, by_search.best)
        if game.win_or_loss:
            assert by_file.distance == by_search.distance
    assert database.headers[0].positions == len({min(game.key(t) for t in symmetries_of(game, s)) for s in states})
    assert [type(each) for each in verify(game, "start", str(tmp_path), speed="interpreted")] == [BuiltLayer]


def test_positions_are_added_one_by_one_and_searches_use_them(tmp_path: Path) -> None:
    game = load("nim(heaps='3,4,5')")
    first, second = (game.parse(text) for text in ("3,2,0", "0,1,4"))
    build_database(game, "3,2,0", tmp_path)
    build_database(game, "0,1,4", tmp_path)
    assert len(list(tmp_path.glob("*.layer"))) == 2
    for s in (first, second):
        algorithm = load_algorithm(f"alphabeta(depth=1, database='{tmp_path}')")
        found = search_with(game, s, algorithm, Limits(), speed="interpreted")
        solution = solve(game, s, speed="interpreted")
        assert (found.value, found.distance, found.sees_the_end) == (solution.value, solution.distance, True)


@pytest.mark.parametrize(
    ("specification", "speed"),
    choose(
        [("hex(size=2)", "interpreted"), ("gomoku(size=3, connect=3)", "interpreted")], [("hex(size=2)", "compiled")]
    ),
)
@pytest.mark.xdist_group("folded")
def test_symmetric_positions_are_kept_once_and_all_are_found(specification: str, speed: str, tmp_path: Path) -> None:
    """Searches find the values of all symmetric positions, whether or not they merge such positions themselves."""
    game = load(specification)
    start = game.initial()
    if specification.startswith("gomoku"):
        start = game.result(start, list(game.moves(start))[4])  # after a move in the middle, all symmetries remain
    name = game.format(start)
    database = build_database(game, name, tmp_path, speed)
    (path,) = tmp_path.glob("*.layer")
    assert path.stat().st_size == HEADER_BYTES + database.headers[0].size > 9 * database.headers[0].positions
    whole = solve(game, start, "memo", speed="interpreted")
    assert whole.positions is not None
    assert database.headers[0].positions < 0.6 * whole.positions
    searches = ("alphabeta(depth=1)", "alphabeta(depth=1, table=true, symmetries=true)", "mcts(playouts=40)")
    for algorithm in searches if speed == "interpreted" else searches[:1]:
        with_database = load_algorithm(f"{algorithm[:-1]}, database='{tmp_path}')")
        found = search_with(game, start, with_database, Limits(), speed=speed)
        assert (found.value, found.sees_the_end) == (whole.value, True)
    turned = {game.key(t): t for m in game.moves(start) for t in symmetries_of(game, game.result(start, m))}
    assert len(turned) > 1
    for s in turned.values():
        by_file, by_search = solve_by_database(game, s, str(tmp_path)), solve(game, s, "memo", speed="interpreted")
        assert (by_file.value, by_file.best) == (by_search.value, by_search.best)
    assert [type(each) for each in verify(game, name, str(tmp_path), speed=speed)] == [BuiltLayer]


def test_a_changed_key_is_found(tmp_path: Path) -> None:
    game = load("nim(heaps=4)")
    database = build_database(game, "start", tmp_path)
    assert database.headers[0].numbers > 1
    path = tmp_path / "start.layer"
    data = bytearray(path.read_bytes())
    data[HEADER_BYTES + 9] ^= 1
    path.write_bytes(data)
    os.utime(path)
    with pytest.raises(GamesearchError, match="is damaged"):
        solve_by_database(game, game.initial(), str(tmp_path))
    with pytest.raises(GamesearchError, match="is damaged"):
        list(verify(game, "start", str(tmp_path), speed="interpreted"))


class Exaggerating(Take):
    """The game Take with a win that pays less than MAXSCORE."""

    def utility(self, s: Counters) -> float:
        return super().utility(s) / 2


class Broken(Exaggerating):
    """The game Take with fractional payoffs that are declared to be whole numbers."""

    win_or_loss, whole_payoffs = False, True


@pytest.mark.parametrize(
    ("game", "said"),
    [(Exaggerating(least=-1), "set `win_or_loss = False`"), (Broken(least=-1), "declares that its payoffs are whole")],
)
def test_payoffs_that_contradict_the_rules_are_refused(game: Take, said: str, tmp_path: Path) -> None:
    with pytest.raises(GamesearchError, match=said):
        build_database(game, "start", tmp_path)


def test_two_files_of_one_layer_are_refused(tmp_path: Path) -> None:
    game = load("nim(heaps='3,4,5')")
    for number, position in enumerate(("3,2,0", "0,1,4")):
        build_database(game, position, tmp_path / str(number))
    (moved,) = (tmp_path / "1").glob("*.layer")
    moved.rename(tmp_path / "0" / moved.name)
    with pytest.raises(GamesearchError, match="two files for one layer"):
        solve_by_database(game, game.parse("3,2,0"), str(tmp_path / "0"))
