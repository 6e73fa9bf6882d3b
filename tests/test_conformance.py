"""Requirements that every registered game must fulfill; these tests include each new game automatically."""

import functools
import pickle
import random
import re
from contextlib import suppress
from typing import Any

import pytest
from choices import EVERYTHING, GAME, TOO_LONG, for_game
from hypothesis import given, settings
from hypothesis import strategies as st
from support import playout, subtree

from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.api import perft, search, solve
from gamesearch.compiler import why_interpreted
from gamesearch.compiler.identity import digest_of
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.files.records import read_record
from gamesearch.game import CHANCE, FORBIDDEN, MAX, NEVER, REPETITION_DRAWS, Game
from gamesearch.optional import (
    LeveledGame,
    ReversibleGame,
    Shortcuts,
    bounds_hold_estimates,
    estimate_sees_chance,
    is_impartial,
)
from gamesearch.registry import game_class, game_names, load, specification_of
from gamesearch.solvers import grundy
from gamesearch.solvers.solving import METHODS, Solution
from gamesearch.textbook.expectiminimax import expectiminimax as textbook
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.known import Known

MANY_COMPILED = 2_000_000
MANY_INTERPRETED = 10_000
FEW_INTERPRETED = 4_000
"""A search that visits more than this number of nodes is compiled, if compiling is allowed."""
NEAR = 3
"""If the number of positions is unknown, a win in at most this many moves is found by a depth-limited search."""
KINGS = {"W:WK1,K2:BK17", "W:WK25,K30,K31:BK1", "W:WK1,K2,K5:BK29"}
"""Endings of draughts with hundreds of thousands of reachable positions; their exact number is not published."""
MANY_POSITIONS = 5_000_000
"""Up to this number, published numbers of positions are confirmed in every run; counting more takes too long."""
MANY_COUNTED = 512
"""The Grundy solver counts at most this many positions; in larger games, the tests check only Grundy numbers."""
SEARCH = "alphabeta(table=true, order=game, bounds=true, window=null, depth=full)"


def specifications() -> list[str]:
    """Return the specifications of all games, with default parameters and with the parameters of known answers.

    A specification whose parameters differ from the others only in numbers is left out, unless everything is tested.
    """
    found = []
    for name in game_names():
        tried = set[str]()
        for inside in dict.fromkeys([*(known.parameters for known in reversed(game_class(name).known)), ""]):
            options = {each if re.fullmatch(r"\w+=[a-z]+", each) else each.split("=")[0] for each in inside.split(", ")}
            if EVERYTHING or not options <= tried:
                found.append(f"{name}({inside})" if inside else name)
            tried |= options
    return found


each_specification = pytest.mark.parametrize("text", [*map(for_game, specifications())])
each_game = pytest.mark.parametrize("text", [*map(for_game, game_names())])


def each_known(*said: str) -> pytest.MarkDecorator:
    """Parametrize a test with every known answer that contains at least one of the given fields."""
    found = [
        for_game(name, number)
        for name in game_names()
        for number, known in enumerate(game_class(name).known)
        if any(getattr(known, fact) not in (None, ()) for fact in said)
    ]
    return pytest.mark.parametrize(("text", "number"), found)


@functools.lru_cache(maxsize=1024)
def random_game(game: Game, seed: int) -> list[Any]:
    """Return the states of a random game, which is the same in all tests."""
    return playout(game, seed)


def states_of(game: Game, games: int = 3) -> list[Any]:
    """Return at most about thirty states of some random games."""
    found = [s for seed in range(games) for s in random_game(game, seed)]
    return found[:: 1 + len(found) // 30]


# The rules. --------------------------------------------------------------------------------------
@each_specification
def test_random_games_keep_the_rules(text: str) -> None:
    game = load(text)
    assert not game.whole_payoffs or (float(game.MINSCORE).is_integer() and float(game.MAXSCORE).is_integer())
    for s in [*states_of(game), *(random_game(game, seed)[-1] for seed in range(4))]:
        before = hash(s)
        payoffs = [game.utility(s)] if game.terminal(s) else []
        for value in [game.evaluate(s), *payoffs]:
            assert isinstance(value, tuple) == (game.players > 2)
            for x in value if isinstance(value, tuple) else (value,):
                assert game.MINSCORE <= x <= game.MAXSCORE
        assert not game.whole_payoffs or all(float(payoff).is_integer() for payoff in payoffs)
        assert game.consistent(s)
        assert game.terminal(s) in (False, True)
        if not game.terminal(s):
            player = game.player(s)
            assert player in range(game.players) or (player == CHANCE and game.chance)
            if player == CHANCE:
                outcomes = list(game.outcomes(s))
                assert sum(p for _, p in outcomes) == pytest.approx(1)
                assert all(0 <= p <= 1 for _, p in outcomes)
                moves = [m for m, _ in outcomes]
            else:
                moves = list(game.moves(s))
            assert moves
            assert len(set(moves)) == len(moves)
            assert all(type(m) is int for m in moves)
            for m in moves:
                assert hash(game.result(s, m)) == hash(game.result(s, m))
                assert isinstance(float(game.order(s, m)), float)
        assert hash(s) == before
        assert game.key(s) == game.key(s)


@each_specification
def test_bounds_contain_the_value(text: str) -> None:
    game = load(text)
    if game.players > 2:
        pytest.skip("bounds are for two players")
    shortcuts = game if isinstance(game, Shortcuts) and type(game).is_needed is not Shortcuts.is_needed else None
    for seed in range(12 if shortcuts is not None else 4):
        states = random_game(game, seed)
        for s in states[:: 1 + len(states) // 20]:
            lower, upper = game.bounds(s)
            assert lower <= upper
        if game.repetition == NEVER and game.terminal(states[-1]):
            for s in (s for s in states[-10:-1] if subtree(game, s, 150) <= 150):
                (lower, upper), value = game.bounds(s), textbook(game, s, 1000)
                assert lower <= value <= upper
                if shortcuts is not None and lower < upper:  # some best move is needed
                    choose = max if game.player(s) == MAX else min
                    needed = [game.result(s, m) for m in game.moves(s) if shortcuts.is_needed(s, m)]
                    assert value == choose(textbook(game, after, 1000) for after in needed)


@each_specification
def test_declarations_about_estimates_hold(text: str) -> None:
    game = load(text)
    for s in (s for s in states_of(game) if not game.terminal(s)):
        children, at_chance = [game.result(s, step) for step in game.steps(s)], game.player(s) == CHANCE
        if bounds_hold_estimates(game):
            (least, greatest), values = game.bounds(s), [estimate_within(game, game.evaluate(s))]
            if game.repetition in (REPETITION_DRAWS, FORBIDDEN):
                values.append(game.draw_value())
            for after in children:
                values += [game.utility(after)] if game.terminal(after) else game.bounds(after)
            assert least <= min(values) <= max(values) <= greatest
        if not estimate_sees_chance(game):
            assert not at_chance or not any(map(game.terminal, children))
            assert (
                not at_chance or s == game.initial() or {game.evaluate(each) for each in children} == {game.evaluate(s)}
            )
            assert all(game.terminal(each) or at_chance != (game.player(each) == CHANCE) for each in children)


@each_specification
def test_progress_is_never_lost_and_positions_repeat_as_declared(text: str) -> None:
    game = load(text)
    for seed in range(3):
        states = random_game(game, seed)
        steps = [game.progress(s) for s in states]
        assert steps == sorted(steps)
        if game.repetition == NEVER:
            assert len({game.key(s) for s in states}) == len(states)
        for i in range(len(states) - 1):
            if steps[i] < steps[i + 1]:
                assert game.key(states[i]) not in {game.key(s) for s in states[i + 1 :]}
    states = states_of(game) if game.repetition != NEVER else []
    for s in states[:: 1 + len(states) // 3]:  # no position repeats before the declared number of moves
        after, arrangement = [s], game.arrangement(s)
        for plies in range(1, 6):
            after = [game.result(x, m) for x in after if not game.terminal(x) for m in game.steps(x)]
            after = random.Random(plies).sample(after, min(len(after), 50))
            if plies < game.shortest_cycle or (plies % 2 and game.shortest_cycle % 2 == 0):
                assert all(game.arrangement(x) != arrangement for x in after)


@each_specification
def test_levels_decrease_with_each_move_and_parents_are_the_previous_positions(text: str) -> None:
    game = load(text)
    for s in states_of(game):
        after = [] if game.terminal(s) else [game.result(s, m) for m in game.steps(s)]
        if isinstance(game, LeveledGame):
            assert game.level(s) >= 0
            assert all(1 <= game.level(s) - game.level(child) <= game.reach for child in after)
            assert game.level(s) > 12 or s in set(game.states_of_level(game.level(s)))
        if isinstance(game, ReversibleGame):
            assert all(list(game.parents(child)).count(s) == 1 for child in after)
            for parent in game.parents(s):
                assert not game.terminal(parent)
                assert s in [game.result(parent, m) for m in game.steps(parent)]


# Notation. ---------------------------------------------------------------------------------------
@each_specification
def test_positions_and_moves_can_be_written_and_read_back(text: str) -> None:
    game = load(text)
    for s in states_of(game):
        board = game.board(s)
        assert isinstance(board, Board)
        assert len({len(row) for row in board.rows}) <= 1
        assert board.rows or board.notes
        assert all(cell.text.isascii() and cell.text for row in board.rows for cell in row)
        steps = [] if game.terminal(s) else game.steps(s)
        names = [game.move_name(s, m) for m in steps]
        assert len(set(names)) == len(names)
        assert all(name == name.strip() != "" for name in names)
        assert not steps or game.player(s) == CHANCE or [game.parse_move(s, name) for name in names] == steps
        written = game.format(s)
        assert "\n" not in written
        again, read = game.setup(written)
        for reader, state in ((game, game.parse(written)), (again, read)):
            assert reader.key(state) == game.key(s)
            assert reader.terminal(state) == game.terminal(s)
            assert game.terminal(s) or reader.player(state) == game.player(s)
            assert reader.format(state) == written


@each_specification
def test_the_specification_makes_the_same_game(text: str) -> None:
    game = load(text)
    for again in (load(specification_of(game)), pickle.loads(pickle.dumps(game))):
        assert type(again) is type(game)
        assert (again, hash(again)) == (game, hash(game))
        assert specification_of(again) == specification_of(game)
        assert digest_of(again) == digest_of(game)
    assert again.parameters() == game.parameters()
    assert again.format(again.initial()) == game.format(game.initial())
    assert (again.MINSCORE, again.MAXSCORE, again.players) == (game.MINSCORE, game.MAXSCORE, game.players)


@each_specification
def test_a_recorded_game_can_be_read_back(text: str) -> None:
    game, source = load(text), random.Random(text)
    start = game.initial()
    states = [start]
    moves: list[int] = []
    while len(moves) < 60 and not game.terminal(states[-1]):
        moves.append(source.choice(game.steps(states[-1], states[:-1])))
        states.append(game.result(states[-1], moves[-1]))
    start_again, moves_again = read_record(game, game.record(start, moves, {"Event": "a test"}))
    assert game.key(start_again) == game.key(start)
    assert moves_again == moves


@each_game
def test_required_attributes_are_declared_and_the_example_can_be_read(text: str) -> None:
    game = load(text)
    assert game.notation
    assert type(game).summary or type(game).__doc__
    assert len(game.names) >= game.players
    assert game.MINSCORE < game.MAXSCORE
    assert game.example
    game.setup(game.example)
    if game.has_features:
        assert len(game.features(game.initial())) == len(game.weights) == len(set(game.feature_names))
    else:
        assert game.feature_names == ()


@each_game
def test_unreadable_text_raises_only_gamesearch_errors(text: str) -> None:
    game = load(text)
    letters = sorted(set(game.example + game.notation + " ,./-0123456789"))
    near = st.lists(st.sampled_from(letters), max_size=30).map("".join)
    broken = st.tuples(st.integers(0, len(game.example)), near).map(lambda t: game.example[: t[0]] + t[1])
    states = states_of(game, 1)[:5]

    @settings(max_examples=15)
    @given(st.one_of(st.text(max_size=40), near, broken))
    def feed(garbage: str) -> None:
        for read in (game.parse, game.setup, functools.partial(read_record, game), load):
            with suppress(GamesearchError):
                read(garbage)
        for s in states:
            if not game.terminal(s):
                with suppress(GamesearchError):
                    assert game.parse_move(s, garbage) in game.steps(s)

    feed()


# Known answers. ----------------------------------------------------------------------------------
def known_game(name: str, number: int) -> tuple[Known, Game, Any]:
    known = game_class(name).known[number]
    game, state = load(f"{name}({known.parameters})" if known.parameters else name).setup(known.position)
    return known, game, state


def search_or_skip(game: Game, state: Any, algorithm: str) -> SearchResult:
    """Search interpreted if the search is short, because compiling a game with its parameters takes seconds."""
    tried = FEW_INTERPRETED if is_compiled_here(type(game).name) else MANY_INTERPRETED
    short = search(game, state, algorithm, limits=Limits(nodes=tried), speed="interpreted")
    if short.stopped:
        if not is_compiled_here(type(game).name):
            pytest.skip(TOO_LONG)
        return search(game, state, algorithm)
    return short


@functools.cache
def solve_exactly(name: str, number: int, method: str) -> Solution | None:
    """Return an exact solution, computed once for all tests, or None if solving takes too long for every run."""
    known, game, state = known_game(name, number)
    monitor = Monitor(interval=0.01)

    def poll(progress: Progress) -> bool:
        monitor.interrupted = progress.nodes > MANY_INTERPRETED
        return monitor.interrupted

    monitor.poll = poll
    if (known.positions or 0) <= MANY_INTERPRETED and known.position not in KINGS:
        with suppress(Interrupted), pytest.MonkeyPatch.context() as patch:
            if method == "grundy":
                patch.setattr(grundy, "SMALL", MANY_COUNTED)
            return solve(game, state, method, speed="interpreted", monitor=monitor)
    return solve(game, state, method) if is_compiled_here(name) else None


def is_compiled_here(name: str) -> bool:
    """Whether this run compiles a game to check answers that take too long interpreted."""
    return name == GAME or EVERYTHING


@each_known("perft")
def test_known_perft(text: str, number: int) -> None:
    known, game, state = known_game(text, number)
    for depth, leaves in enumerate(known.perft, 1):
        if leaves <= MANY_INTERPRETED:
            assert perft(game, state, depth, speed="interpreted") == leaves
        elif leaves <= MANY_COMPILED and why_interpreted(game) is None and is_compiled_here(text):
            assert perft(game, state, depth) == leaves


@each_known("nodes", "leaves")
def test_known_counts_of_minimax(text: str, number: int) -> None:
    known, game, state = known_game(text, number)
    statistics = search_or_skip(game, state, "minimax(depth=full)").statistics
    assert known.nodes in (None, statistics.nodes)
    assert known.leaves in (None, statistics.leaves)


@each_known("positions")
def test_known_counts_of_positions(text: str, number: int) -> None:
    known, game, _ = known_game(text, number)
    if (known.positions or 0) > MANY_POSITIONS:
        pytest.skip("too many positions to count in every run")
    by_both = known.value is not None and not known.method and not is_impartial(game)  # as test_known_values solves it
    solution = solve_exactly(text, number, "auto" if by_both else "memo" if game.repetition == NEVER else "retrograde")
    if solution is None:
        pytest.skip(TOO_LONG)
    assert solution.method in ("memo", "retrograde")
    assert solution.positions == known.positions


@each_known("value")
def test_known_values(text: str, number: int) -> None:
    known, game, state = known_game(text, number)
    found: Any
    if known.distance is not None and known.distance <= NEAR and known.positions is None:
        found = search_or_skip(game, state, f"alphabeta(depth={known.distance})")
        best = {found.best}
    elif known.method in METHODS or not known.method:
        if (known.positions or 0) > MANY_POSITIONS:
            pytest.skip("too many positions to solve in every run")
        found = solve_exactly(text, number, known.method or "auto")
        if found is None:
            pytest.skip(TOO_LONG)
        best = set(found.best)
    else:
        algorithm = SEARCH if known.method == "alphabeta" else f"{known.method}(depth=full)"
        found = search_or_skip(game, state, algorithm)
        assert (found.bound, found.stopped) == ("exact", "")
        best = {found.best}
    assert found.value == pytest.approx(known.value, abs=5e-7)
    assert known.distance in (None, found.distance)
    if known.best:
        wanted = {game.parse_move(state, name) for name in known.best}
        assert best <= wanted
        assert best == wanted or not hasattr(found, "positions"), "a solution contains all best moves"
