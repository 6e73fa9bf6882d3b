"""The methods of games for selective search agree with plain definitions, computed from the board and the rules."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from support import playout

from gamesearch.game import CAPTURE, FORWARD, MAX, THREAT, Game
from gamesearch.optional import SelectiveGame
from gamesearch.registry import load

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def positions(text: str, games: int = 3) -> Iterator[tuple[Any, Any]]:
    """Return nonterminal positions of random games."""
    game: Any = load(text)
    assert isinstance(game, SelectiveGame)
    for seed in range(games):
        for s in playout(game, seed):
            if not game.terminal(s):
                yield game, s


def stones_of(game: Game, s: Any) -> dict[tuple[int, int], str]:
    """Return the marks of the board, indexed by row and column from the top left."""
    rows = game.format(s).split()[0].split("/")
    return {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}


def lacking(stones: dict[tuple[int, int], str], mark: str, connect: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the missing cells of each row of `connect` cells in which the other side has no stone."""
    for row, column in stones:
        for down, right in DIRECTIONS:
            cells = [(row + i * down, column + i * right) for i in range(connect)]
            if all(stones.get(cell) in (mark, ".") for cell in cells):
                yield [cell for cell in cells if stones[cell] == "."]


@pytest.mark.parametrize("text", ["gomoku(size=6, connect=4)"])
def test_threats_of_gomoku_are_rows_that_lack_one(text: str) -> None:
    threats = evasions = 0
    for game, s in positions(text, games=2):
        stones, mark = stones_of(game, s), "XO"[game.player(s)]
        before = {cells[0] for cells in lacking(stones, "XO"[1 - game.player(s)], game.connect) if len(cells) == 1}
        winning = {cells[0] for cells in lacking(stones, mark, game.connect) if len(cells) == 1}
        assert game.is_threatened(s) == bool(before)
        for m in game.moves(s):
            place = next(cell for cell, each in stones_of(game, game.result(s, m)).items() if each != stones[cell])
            made = [cells for cells in lacking(stones, mark, game.connect) if place in cells and len(cells) <= 2]
            assert game.kind_of_move(s, m) == (THREAT if made else FORWARD)
            assert game.is_evasion(s, m) == (place in before | winning)
            threats, evasions = threats + bool(made), evasions + (place in before)
    assert threats > 20
    assert evasions > 5


def test_captures_of_pente_are_captures() -> None:
    seen = 0
    for game, s in positions("gomoku(size=6, captures=true)"):
        for m in game.moves(s):
            after = game.result(s, m)
            takes = (after.max_pairs, after.min_pairs) != (s.max_pairs, s.min_pairs)
            assert (game.kind_of_move(s, m) == CAPTURE) == takes
            seen += takes
    assert seen


@pytest.mark.parametrize("text", ["go(3)", "go(5)", "go(4, superko=false)"])
def test_captures_of_go_take_stones(text: str) -> None:
    seen = 0
    for game, s in positions(text, games=2):
        for m in list(game.moves(s))[:12]:
            stones, after = stones_of(game, s), stones_of(game, game.result(s, m))
            other = "XO"[1 - game.player(s)]
            taken = any(mark == other and after[cell] == "." for cell, mark in stones.items())
            assert game.kind_of_move(s, m) == (CAPTURE if taken else FORWARD)
            seen += taken
    assert seen


def test_passing_in_go_is_the_pass_of_the_rules_but_never_ends_the_game() -> None:
    for game, s in positions("go(4)", games=2):
        passed, by_rule = game.make_null_move(s), game.result(s, game.pass_move)
        assert passed._replace(passes=by_rule.passes) == by_rule
        assert not game.terminal(passed)


@pytest.mark.parametrize("text", ["hex(size=4)", "hex(size=3, swap=true)", "y(size=4)"])
def test_threats_to_connect_are_met_by_the_cells_that_connect(text: str) -> None:
    threats = 0
    for game, s in positions(text, games=5):
        if game.may_swap(s):
            continue
        mover, passed = game.player(s), game.make_null_move(s)
        assert game.player(passed) == 1 - mover
        cells = [m for m in game.moves(s) if m != game.swap_move]

        def wins(before: Any, game: Any = game, cells: list[int] = cells) -> set[int]:
            return {m for m in cells if game.terminal(game.result(before, m))}

        theirs, mine = wins(passed), wins(s)
        assert game.is_threatened(s) == bool(theirs)
        assert {m for m in cells if game.is_evasion(s, m)} == mine | theirs
        threats += bool(theirs)
    assert threats
    assert load(text).passing_never_helps == ("swap" not in text)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["morris", "morris(men=3, rings=2)", "kalah", "othello", "chess(features=tapered)"])
def test_the_declared_limit_of_a_gain_is_hardly_ever_exceeded(text: str) -> None:
    source, more, count = random.Random(text), 0, 0
    for game, s in positions(text, games=2):
        moves = list(game.moves(s))
        for m in source.sample(moves, min(4, len(moves))):
            after = game.result(s, m)
            if game.terminal(after) or (text.startswith("chess") and game.is_threatened(after)):
                continue
            gained = game.evaluate(after) - game.evaluate(s)
            gained = gained if game.player(s) == MAX else -gained
            most = game.most_gain(s, m)
            assert 0 < most <= game.MAXSCORE - game.MINSCORE
            more, count = more + (gained > most), count + 1
    assert count > 20
    assert more <= count / 50
