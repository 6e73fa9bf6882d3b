"""Strategies from `solve` are correct by the rules of the games, and wrong changes to a strategy are detected."""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import Greedy, Maze, Spot, Trap

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.registry import load
from gamesearch.solvers import verification
from gamesearch.solvers.solution import strategy_of
from gamesearch.solvers.solving import solve
from gamesearch.solvers.verification import Moves, Verdict, game_of, read_claim, read_moves, verify

SOLVED = (
    ("tictactoe", "X../.O./...", ("memo", "retrograde", "search", "proof")),
    ("nim(heaps=1-2-3)", "", ("auto", "memo", "retrograde", "search", "proof", "grundy", "proof(search=pn2)")),
    ("connect4(rows=3, columns=3, connect=3)", "", ("memo", "search", "proof")),
    ("kayles(rows=6)", "", ("auto", "grundy", "retrograde")),
    ("dotsandboxes(rows=1, columns=2)", "", ("memo", "search", "proof")),
    ("random_tree(branching=3, depth=4, values=9)", "", ("memo", "search", "proof")),
    ("tree([[1,[2,-3]],{1/4: 4, 3/4: [0,8]}])", "", ("memo", "retrograde", "iteration")),
    ("checkers(size=4)", "", ("retrograde",)),
    ("pig(target=9)", "", ("iteration",)),
)


def text_of(game: Game, s: Any, method: str = "auto") -> str:
    return strategy_of(solve(game, s, method, speed="interpreted", keep=True))[0]


def verdict_of(text: str) -> Verdict:
    claim = read_claim(text, "the file")
    game, s = game_of(claim, "the file")
    return verify(game, s, claim, read_moves(text, "the file", game))


def value_of_moves(game: Game, s: Any, moves: Moves, side: int) -> float:
    """Return by definition the value that a side reaches with the listed moves; the game must not have repetition.

    The value is NaN if a move is missing or illegal.
    """
    if game.terminal(s):
        return float(game.utility(s))
    if game.player(s) == CHANCE:
        return sum(p * value_of_moves(game, game.result(s, m), moves, side) for m, p in game.outcomes(s))
    if game.player(s) == side:
        s, name = moves.get(game.key(s), (s, ""))
        named = [m for m in game.moves(s) if game.move_name(s, m) == name]
        return value_of_moves(game, game.result(s, named[0]), moves, side) if named else float("nan")
    below = [value_of_moves(game, game.result(s, m), moves, side) for m in game.moves(s)]
    return float("nan") if any(each != each for each in below) else (min if side == MAX else max)(below)


# Solved games. -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "position", "methods"), SOLVED)
def test_strategies_of_all_methods_are_verified(text: str, position: str, methods: tuple[str, ...]) -> None:
    game = load(text)
    s = game.parse(position) if position else game.initial()
    for method in methods:
        solution = solve(game, s, method, speed="interpreted", keep=True)
        written, verdict = strategy_of(solution)
        claim = read_claim(written, "the file")
        assert claim.value == solution.value
        assert claim.moves == len(written.splitlines()) - 1 > 0
        assert verdict_of(written) == verdict
        assert not verdict.reason
        if method in ("memo", "retrograde") and solution.value in (game.MINSCORE, game.MAXSCORE) and not game.chance:
            assert claim.plies == solution.distance
        if game.repetition == 0 and not game.chance:
            moves = read_moves(written, "the file", game)
            for side, worst in ((0, game.MINSCORE), (1, game.MAXSCORE)):
                if solution.value != worst:
                    assert value_of_moves(game, s, moves, side) == solution.value


@pytest.mark.parametrize("method", ["memo", "retrograde"])
@pytest.mark.parametrize("text", ["[{1/2: 5, 1/2: [[[5]]]},[[5]],-9]", "min[{1/2: -5, 1/2: [[[-5]]]},[[-5]],9]"])
def test_a_chance_node_lasts_as_long_as_its_longest_outcome(text: str, method: str) -> None:
    """Both first moves have the best value. After the first of them, the game may last four plies."""
    game = load(text)
    solution = solve(game, game.initial(), method, speed="interpreted", keep=True)
    assert solution.best == (0, 1)
    assert solution.choose is not None
    assert solution.choose(game.initial()) == 1


def test_strategies_make_progress_if_positions_repeat() -> None:
    won = drawn = 0
    for seed in range(40):
        game = Maze(seed, places=12)
        text, verdict = strategy_of(solve(game, game.initial(), speed="interpreted", keep=True))
        claim, moves = read_claim(text, "the file"), read_moves(text, "the file", game)
        assert not verdict.reason
        won += claim.value != 0 and claim.plies is not None and claim.plies > 2
        drawn += claim.value == 0
        for value in {-1.0, 0.0, 1.0} - {claim.value}:
            assert verify(game, game.initial(), replace(claim, value=value), moves).reason
    assert won > 3
    assert drawn > 3


class Ring(Maze):
    """A ring of places; at each place, Max either moves to the next place or leaves the ring and wins."""

    def __init__(self) -> None:
        super().__init__(0, 4)
        self.sides[:] = MAX
        self.ends[:] = (2, 2, 2, 1)
        self.exits[:] = [(1, 3), (2, 3), (0, 3), (0, 0)]


def test_moves_in_a_circle_do_not_win() -> None:
    game = Ring()
    assert solve(game, game.initial(), speed="interpreted").choose is None
    text = text_of(game, game.initial())
    assert read_claim(text, "the file").plies == 1
    circle = {place: (Spot(place), "0") for place in range(3)}
    claim = read_claim(text, "the file")
    assert "at least 0, but the claim is 1" in verify(game, game.initial(), claim, circle).reason
    longer = circle | {2: (Spot(2), "1")}
    assert "the game can last 3" in verify(game, game.initial(), claim, longer).reason
    assert not verify(game, game.initial(), replace(claim, plies=3), longer).reason


# Changes. ----------------------------------------------------------------------------------------
def changed_lines(text: str, game: Game) -> list[str]:
    """Return changed copies of a strategy's text, in which a move is removed or replaced by another legal move."""
    first, *rest = text.splitlines()
    found = []
    for number, line in enumerate(rest):
        listed = json.loads(line)
        s = game.parse(listed["position"])
        for move in game.steps(s):
            if game.move_name(s, move) != listed["move"]:
                other = json.dumps(listed | {"move": game.move_name(s, move)})
                found.append("\n".join([first, *rest[:number], other, *rest[number + 1 :]]))
        shorter = json.dumps(json.loads(first) | {"moves": len(rest) - 1})
        found.append("\n".join([shorter, *rest[:number], *rest[number + 1 :]]))
    return found


@pytest.mark.parametrize(
    ("text", "position"), [("tictactoe", "XO./.X./..O"), ("tictactoe", "XO./OX./..."), ("nim", "1,2,2")]
)
def test_a_changed_or_missing_move_is_refused(text: str, position: str) -> None:
    game, s = load(text).setup(position)
    written = text_of(game, s)
    value, refused = read_claim(written, "the file").value, 0
    sides = [side for side, worst in ((0, game.MINSCORE), (1, game.MAXSCORE)) if value != worst]
    for other in changed_lines(written, game):
        moves = read_moves(other, "the file", game)
        holds = all(value_of_moves(game, s, moves, side) == value for side in sides)
        verdict = verdict_of(other)
        assert holds or verdict.reason  # if the strategy does not reach the value, a reason is given
        refused += bool(verdict.reason)
        if not moves.keys() >= read_moves(written, "the file", game).keys():
            assert "no move is listed" in verdict.reason
    assert refused > 4


def test_expectations_that_are_not_reached_are_refused() -> None:
    game = load("pig(target=9)")
    text = text_of(game, game.initial())
    first, rest = text.split("\n", 1)
    changed = [line.replace('"roll"', '"hold"') if "5,0,3" in line else line for line in text.splitlines()]
    claims = [({"value": value}, True) for value in (0.7, 0.6, 1.0, 0.0)] + [({"value": 0.7, "error": 0.2}, False)]
    assert verdict_of("\n".join(changed)).reason
    for claim, is_refused in claims:
        assert bool(verdict_of(json.dumps(json.loads(first) | claim) + "\n" + rest).reason) == is_refused


def nim_strategy() -> str:
    return text_of(load("nim(heaps=1-2)"), load("nim(heaps=1-2)").initial())


def test_other_plies_and_superfluous_moves_are_refused() -> None:
    text = nim_strategy()
    assert '"plies": 3' in text
    assert "2 plies are claimed, but the game can last 3" in verdict_of(text.replace('"plies": 3', '"plies": 2')).reason
    more = text.replace('"moves": 3', '"moves": 4') + '{"position": "1,1", "move": "a1"}\n'
    assert "cannot arise" in verdict_of(more).reason


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("gamesearch strategy", "other", "is not a strategy"),
        ("{", "[", "is not a strategy"),
        ('"version": 1', '"version": 2', "has version 2, but this version of gamesearch reads only 1"),
        ('"value": 1.0', '"value": NaN', "must be finite"),
        ('"value": 1.0', '"value": true', "is missing or cannot be read"),
        ('"plies": 3', '"plies": 1.5', "whole number"),
        ('"moves": 3', '"moves": 20', "has 3 of the 20 moves"),
        ("nim(heaps=1-2, misere=false, max_take=0)", "./nom.py", "if you trust this file"),
        ("nim(heaps=1-2, misere=false", "nim(heaps=1-2, evaluation=./nom.py", "if you trust this file"),
        ('"position": "1,2"', '"position": "1,-2"', "line 1 of the file is damaged"),
        ('"move": "b1"}', '"move": "b1"}' + "[" * 9999, "line 2 of the file is damaged"),
    ],
)
def test_damaged_and_foreign_files_are_refused_in_one_sentence(old: str, new: str, said: str) -> None:
    text = nim_strategy()
    assert old in text
    with pytest.raises(GamesearchError, match=re.escape(said)) as caught:
        verdict_of(text.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_another_game_than_the_one_given_is_refused() -> None:
    claim = read_claim(nim_strategy(), "the file")
    with pytest.raises(GamesearchError, match="not for nim"):
        game_of(claim, "the file", "nim(heaps=1-3)")
    assert game_of(claim, "the file", "nim(heaps=1-2)")[1] == load("nim(heaps=1-2)").initial()


# Rejected strategies. ----------------------------------------------------------------------------
def test_a_strategy_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")
    solution = solve(game, game.parse("X../.O./..."), speed="interpreted", keep=True)
    for name, most in (("MOST_LINES", 30), ("MOST_POSITIONS", 50)):
        with monkeypatch.context() as patch:
            patch.setattr(f"gamesearch.solvers.solution.{name}", most)
            with pytest.raises(GamesearchError, match="give a later POSITION"):
                strategy_of(solution)
    text, _ = strategy_of(solution)
    monkeypatch.setattr(verification, "MOST_POSITIONS", 50)
    assert "too many to check" in verdict_of(text).reason


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Trap(3), "depend on earlier positions"),
        (Greedy(9), "the strategy for greedy is not written"),  # its notation of positions has no negative numbers
    ],
)
def test_unsuitable_games_have_no_strategy(game: Game, said: str) -> None:
    with pytest.raises(GamesearchError, match=said):
        strategy_of(solve(game, game.initial(), speed="interpreted", keep=True))


def test_the_verifier_imports_nothing_that_searches() -> None:
    """The verifier imports only modules with rules, and no module that searches or solves."""
    assert verification.__file__ is not None
    tree = ast.parse(Path(verification.__file__).read_text())
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names}
    standard = {"json", "math", "collections.abc", "dataclasses", "typing"}
    rules = {f"gamesearch.{name}" for name in ("errors", "game", "notation", "optional", "registry", "specification")}
    assert names == standard | rules
