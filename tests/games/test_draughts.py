"""Checkers and international draughts agree with the second implementation in draughts_oracle.py."""

import itertools
import random
from collections.abc import Iterator
from functools import cache

import pytest
from draughts_oracle import Move, Oracle, numbers, random_position, read
from support import playout

from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.api import search, solve
from gamesearch.game import MAX
from gamesearch.games._shared.draughts_board import CAPTURED, Position
from gamesearch.games._shared.draughts_rules import DraughtsRules
from gamesearch.games.capturing.checkers import Checkers
from gamesearch.games.capturing.draughts import Draughts
from gamesearch.play.match import Match
from gamesearch.play.players.player import Human

CHECKERS, DRAUGHTS = Checkers(), Draughts()
TABLES = ("alphabeta({})", "alphabeta({}, table=true, memory=1, order=previous+game)")
each_game = pytest.mark.parametrize("kind", [Checkers, Draughts])


def moves_of(game: DraughtsRules, s: Position) -> dict[Move, str]:
    """Return the position after each move; moves and positions have the same format as in draughts_oracle.py."""
    found = {}
    for m in game.moves(s):
        captured = frozenset(game.numbers_in(m >> CAPTURED << game.half))
        found[(*game.ends_of(m), captured)] = game.format(game.result(s, m))
    assert len(found) == len(list(game.moves(s)))
    return found


def varied_positions(game: DraughtsRules, count: int) -> Iterator[Position]:
    """Yield positions from random games, and positions with randomly placed pieces, which have more kings."""
    source = random.Random(count)
    for seed in range(count // 40):
        yield from playout(game, seed, 60)
    for _ in range(count):
        yield game.parse(random_position(source, game.size))


def solution_of(game: DraughtsRules, text: str, solved: dict[str, tuple[int, int] | None]) -> tuple[int, int | None]:
    """Return the oracle's solution of a position as Max's value and the distance in plies."""
    answer = solved[text]
    if answer is None:
        return 0, None
    return (100 if (game.player(game.parse(text)) == MAX) == (answer[0] == 1) else -100), answer[1]


# The rules. --------------------------------------------------------------------------------------
@each_game
@pytest.mark.parametrize("size", [4, 8, 10])
def test_moves_and_their_results_agree_with_the_oracle(kind: type[Checkers | Draughts], size: int) -> None:
    game, oracle = kind(size), Oracle(size, international=kind is Draughts)
    assert game.format(game.initial()) == game.format(game.parse(game.format(game.initial())))
    for s in varied_positions(game, 80):
        moves = moves_of(game, s)
        assert moves == oracle.moves(game.format(s))
        assert game.terminal(s) == (not moves)
        assert game.consistent(s)
        for m in game.moves(s):
            assert game.consistent(game.result(s, m))
            is_progress = m >> CAPTURED > 0 or not 1 << (m & 63) & s.kings
            change = game.progress(game.result(s, m)) - game.progress(s)
            assert change > 0 if is_progress else change == 0


# Search and solving. -----------------------------------------------------------------------------
@each_game
def test_solved_positions_agree_with_the_oracle(kind: type[Checkers | Draughts]) -> None:
    game = kind(4)
    solved = Oracle(4, international=kind is Draughts).solve(game.format(game.initial()))
    for text in random.Random(4).sample(sorted(solved), 6):
        solution = solve(game, game.parse(text), "retrograde", speed="interpreted")
        assert (solution.value, solution.distance) == solution_of(game, text, solved)


@pytest.mark.parametrize("algorithm", TABLES)
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((Checkers, text) for text in ("B:WK8,K7:BK1", "B:WK8:B1")),
        *((Draughts, text) for text in ("W:WK3:B5,K8", "B:W5,8:B1,2")),
    ],
)
def test_search_values_endgames_as_solving_does(kind: type[Checkers | Draughts], text: str, algorithm: str) -> None:
    game = kind(4)
    s = game.parse(text)
    solution = solve(game, s, "retrograde", speed="interpreted")
    depth = "full" if kind is Checkers else solution.distance or 8
    found = search(game, s, algorithm.format(f"depth={depth}"), speed="interpreted")
    assert (found.value, found.distance) == (solution.value, solution.distance)


def test_evaluation_is_less_than_a_win_and_counts_a_king_for_three() -> None:
    for s in varied_positions(DRAUGHTS, 100):
        assert abs(DRAUGHTS.evaluate(s)) < DRAUGHTS.MAXSCORE
    assert (
        DRAUGHTS.evaluate(DRAUGHTS.parse("W:WK28:B16,25")) > 0 > DRAUGHTS.evaluate(DRAUGHTS.parse("W:WK28:B6,11,15,16"))
    )
    assert abs(DRAUGHTS.evaluate(DRAUGHTS.parse("W:WK31-50:BK1"))) < DRAUGHTS.MAXSCORE


# Moves without progress. ---------------------------------------------------------------------------
KINGS = "W:WK18,K23:BK1"


def plain_counts(game: DraughtsRules, states: list[Position]) -> list[int]:
    """Return the plies since the last capture or move of an uncrowned piece, found by comparing boards."""
    counts, boards = [0], [read(game.format(s._replace(quiet=0)), game.size)[1] for s in states]
    for old, new in itertools.pairwise(boards):
        men = [{place for place, mark in pieces.items() if mark.islower()} for pieces in (old, new)]
        counts.append(0 if len(old) != len(new) or men[0] != men[1] else counts[-1] + 1)
    return counts


@pytest.mark.parametrize(
    ("text", "no_progress"),
    [("B:WK29,K30:BK1,K2", 3), ("W:WK32,25:B1,K3", 5), ("W:WK32,25:B1,K3", 40), ("B:W21-32:B1-12", 2)],
)
@each_game
def test_the_count_agrees_with_the_moves_made(kind: type[Checkers | Draughts], text: str, no_progress: int) -> None:
    game, plain = kind(8, no_progress), kind(8)
    ends = set()
    for seed in range(4):
        states = random_game(game, game.parse(text), seed)
        for s, count in zip(states, plain_counts(game, states), strict=True):
            assert game.consistent(s)
            assert game.parse(game.format(s)) == s
            assert s.quiet == count
            is_stuck = plain.terminal(s._replace(quiet=0))
            assert game.terminal(s) == (is_stuck or count >= 2 * no_progress)
            if game.terminal(s):
                lost = -100 if s.turn == MAX else 100
                assert game.utility(s) == (lost if is_stuck else 0)
                ends.add(game.utility(s))
    assert ends
    assert no_progress != 3 or 0 in ends


def random_game(game: DraughtsRules, start: Position, seed: int) -> list[Position]:
    source, states = random.Random(seed), [start]
    while not game.terminal(states[-1]):
        states.append(game.result(states[-1], source.choice(list(game.moves(states[-1])))))
    return states


def brute_force(oracle: Oracle, start: str, quiet: int, longest: int) -> tuple[int, int]:
    """Return the value for the side to move and the plies to the end, by minimax; a state is a position and
    the number of moves without progress."""
    moves = cache(oracle.moves)

    @cache
    def outcome_of(text: str, quiet: int) -> tuple[int, int]:
        after = moves(text)
        if not after:
            return -1, 0
        if quiet >= longest:
            return 0, 0
        _, before = read(text, oracle.size)
        found = []
        for (origin, _, captured), each in after.items():
            is_king = before[next(p for p in before if numbers(oracle.size)[p] == origin)].isupper()
            value, plies = outcome_of(each, quiet + 1 if is_king and not captured else 0)
            found.append((-value, plies + 1))
        best = max(value for value, _ in found)
        lasting = [plies for value, plies in found if value == best]
        return best, min(lasting) if best > 0 else max(lasting)

    return outcome_of(start, quiet)


@pytest.mark.parametrize(
    ("kind", "text"),
    [(Checkers, "B:WK8:BK1"), (Checkers, "B:WK1,K8:B3,K5"), (Draughts, "W:WK8,K7:BK1"), (Draughts, "B:WK2,5:B3,K8")],
)
@pytest.mark.parametrize("no_progress", [1, 3])
def test_small_endgames_are_solved_as_by_brute_force(
    kind: type[Checkers | Draughts], text: str, no_progress: int
) -> None:
    game, oracle = kind(4, no_progress=no_progress), Oracle(4, international=kind is Draughts)
    for quiet in {0, no_progress, 2 * no_progress - 1}:
        s = game.parse(f"{text}:H{quiet}")
        value, plies = brute_force(oracle, text, quiet, 2 * no_progress)
        wanted = value * (100 if s.turn == MAX else -100), plies if value else None
        solution = solve(game, s, "retrograde", speed="interpreted")
        assert (solution.value, solution.distance) == wanted
        for algorithm in ("alphabeta(depth=full)", "alphabeta(depth=full, table=true, memory=1, order=game)"):
            found: SearchResult = search(game, s, algorithm, speed="interpreted")
            assert (found.value, found.distance) == wanted


def test_repetition_ignores_the_count() -> None:
    game = Checkers(no_progress=40)
    match = Match(game, game.parse(KINGS), [Human(), Human()])
    for name in 2 * ("18-22", "1-6", "22-18", "6-1"):
        assert not match.is_over
        match.play(game.parse_move(match.state, name))
    assert match.state.quiet == 8
    assert game.key(match.state) != game.key(match.start)
    assert game.arrangement(match.state) == game.arrangement(match.start)
    assert match.outcome is not None
    assert match.outcome.reason == "repetition"


def test_a_draw_without_progress_is_explained() -> None:
    game = Checkers(no_progress=40)
    s = game.parse("W:WK18:BK1:H79")
    assert game.board(s).notes == ("White to move", "79 of 80 plies without progress")
    after = game.result(s, game.parse_move(s, "18-22"))
    assert game.terminal(after)
    assert game.board(after).notes == ("draw by 40 moves of each side without progress",)
    stuck = game.parse("B:W9,14:B5:H80")
    assert (game.terminal(stuck), game.utility(stuck)) == (True, -100)
    assert game.board(stuck).notes == ("Black cannot move",)
