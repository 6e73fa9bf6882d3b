"""In draughts, the draw after a number of moves without progress agrees with a simple count of such moves."""

import itertools
import random
from functools import cache

import pytest
from draughts_oracle import Oracle, numbers, read
from support import playout

from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.api import search, solve
from gamesearch.game import MAX
from gamesearch.games._shared.draughts_board import Position
from gamesearch.games._shared.draughts_rules import DraughtsRules
from gamesearch.games.capturing.checkers import Checkers
from gamesearch.games.capturing.draughts import Draughts
from gamesearch.play.match import Match
from gamesearch.play.players.player import Human
from gamesearch.registry import load

KINGS = "W:WK18,K23:BK1"


def plain_counts(game: DraughtsRules, states: list[Position]) -> list[int]:
    """Return for each state the plies since the last capture or move of a man, found by comparing boards."""
    counts, boards = [0], [read(game.format(s._replace(quiet=0)), game.size)[1] for s in states]
    for old, new in itertools.pairwise(boards):
        men = [{place for place, mark in pieces.items() if mark.islower()} for pieces in (old, new)]
        counts.append(0 if len(old) != len(new) or men[0] != men[1] else counts[-1] + 1)
    return counts


@pytest.mark.parametrize(
    ("text", "no_progress"),
    [("B:WK29,K30:BK1,K2", 3), ("W:WK32,25:B1,K3", 5), ("W:WK32,25:B1,K3", 40), ("B:W21-32:B1-12", 2)],
)
@pytest.mark.parametrize("cls", [Checkers, Draughts])
def test_the_count_agrees_with_the_moves_made(cls: type[Checkers | Draughts], text: str, no_progress: int) -> None:
    game, plain = cls(8, no_progress), cls(8)
    ends = set()
    for seed in range(8):
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


@pytest.mark.parametrize("cls", [Checkers, Draughts])
def test_nothing_is_counted_by_default(cls: type[Checkers | Draughts]) -> None:
    game = cls(6)
    for seed in range(5):
        assert {s.quiet for s in playout(game, seed, 300)} == {0}


def brute_force(oracle: Oracle, start: str, quiet: int, longest: int) -> tuple[int, int]:
    """Return the value for the side to move and the plies to the end, by minimax; a state is a position and
    the number of moves without progress."""
    moves = cache(oracle.moves)

    @cache
    def solved(text: str, quiet: int) -> tuple[int, int]:
        after = moves(text)
        if not after:
            return -1, 0
        if quiet >= longest:
            return 0, 0
        _, before = read(text, oracle.size)
        found = []
        for (origin, _, captured), each in after.items():
            is_king = before[next(p for p in before if numbers(oracle.size)[p] == origin)].isupper()
            value, plies = solved(each, quiet + 1 if is_king and not captured else 0)
            found.append((-value, plies + 1))
        best = max(value for value, _ in found)
        lasting = [plies for value, plies in found if value == best]
        return best, min(lasting) if best > 0 else max(lasting)

    return solved(start, quiet)


@pytest.mark.parametrize(
    ("cls", "international", "text"),
    [
        (Checkers, False, "B:WK8:BK1"),
        (Checkers, False, "W:WK2,K6:B3,K5"),
        (Checkers, False, "B:WK1,K8:B3,K5"),
        (Draughts, True, "W:WK8,K7:BK1"),
        (Draughts, True, "B:WK2,5:B3,K8"),
    ],
)
@pytest.mark.parametrize("no_progress", [1, 2, 4])
def test_small_endgames_are_solved_as_by_brute_force(
    cls: type[Checkers | Draughts], international: bool, text: str, no_progress: int
) -> None:
    game, oracle = cls(4, no_progress=no_progress), Oracle(4, international)
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


def test_a_draw_without_progress_is_noted() -> None:
    game = Checkers(no_progress=40)
    s = game.parse("W:WK18:BK1:H79")
    assert game.board(s).notes == ("White to move", "79 of 80 plies without progress")
    after = game.result(s, game.parse_move(s, "18-22"))
    assert game.terminal(after)
    assert game.board(after).notes == ("draw by 40 moves of each side without progress",)
    stuck = game.parse("B:W9,14:B5:H80")
    assert (game.terminal(stuck), game.utility(stuck)) == (True, -100)
    assert game.board(stuck).notes == ("Black cannot move",)


def test_a_count_of_zero_is_read_in_every_game() -> None:
    assert load("checkers").parse("W:WK18:BK1:H0") == load("checkers").parse("W:WK18:BK1")


def test_broken_counts_are_not_consistent() -> None:
    game = Checkers(no_progress=2)
    s = game.parse("W:WK18:BK1")
    assert [game.consistent(s._replace(quiet=quiet)) for quiet in (-1, 0, 4, 5)] == [False, True, True, False]
    assert not Checkers().consistent(s._replace(quiet=1))
