"""Weights and other tunable numbers are read at run time, so no compilation is needed after they change."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parted import Bounded, Parted, Tuned, at_both_speeds, total, total_at_both_speeds
from questions_asked import answers

from gamesearch.api import search
from gamesearch.compiler import compilations, run
from gamesearch.compiler.identity import digest_of
from gamesearch.errors import GamesearchError
from gamesearch.games.capturing.othello.rules import Othello
from gamesearch.games.connecting.tictactoe import TicTacToe
from gamesearch.registry import load, specification_of
from gamesearch.toolkit.derived_games import RandomOpponent, ShuffledGame

weights = st.lists(st.floats(-9, 9, width=32), min_size=4, max_size=4).map(tuple)


@pytest.mark.xdist_group("weights")
def test_other_weights_need_no_other_code() -> None:
    game = load("othello(size=4)")
    values = {at_both_speeds(game, "alphabeta(depth=3)")["value"]}
    digest = digest_of(game)
    started: list[str] = []

    @settings(max_examples=20)
    @given(weights)
    def check(numbers: tuple[float, ...]) -> None:
        game.weights = numbers
        values.add(at_both_speeds(game, "alphabeta(depth=3)")["value"])
        other = load(specification_of(game))
        assert other.weights == numbers
        assert at_both_speeds(other, "alphabeta(depth=3)") == at_both_speeds(game, "alphabeta(depth=3)")

    with compilations(started.append, lambda _: None):
        check()
    assert not started
    assert digest_of(game) == digest
    assert len(values) > 5


@pytest.mark.xdist_group("weights")
def test_an_array_of_weights_can_be_changed_in_place() -> None:
    game: Any = load("othello(size=4)")
    game.weights = np.array(game.weights)
    before = at_both_speeds(game, "alphabeta(depth=3)")["value"]
    game.weights *= 0.5
    after = at_both_speeds(game, "alphabeta(depth=3)")["value"]
    assert after == pytest.approx(before / 2)
    assert after != 0


class Around(Parted):
    """A game whose estimate is computed by games in `part`, in a tuple, in a global tuple, and in its class."""

    kept = Tuned(slopes=(0.5,))

    def __init__(self, kind: str = "part") -> None:
        super().__init__(3, Tuned())
        self.kind = kind
        self.parts = (1, (Tuned(2), 2.0))

    def evaluate(self, s: Bounded) -> float:
        own = self.part.evaluate(s) + 2 * self.parts[1][0].evaluate(s)  # type: ignore
        return float((own + 4 * PAIR[0].evaluate(s) + 8 * self.kept.evaluate(s)) / 64)


PAIR = (Tuned(slopes=(0.75,)), 1.0)


def test_numbers_of_any_length_are_tuned_without_compiling() -> None:
    game = Tuned()
    values = [total_at_both_speeds(game, 2)]
    started: list[str] = []
    with compilations(started.append, lambda _: None):
        for slopes in ((0.5,), (0.9, 0.8, 0.7, 0.6), (0.25, 0.75)):
            game.slopes = slopes
            values.append(total_at_both_speeds(game, 2))
    assert not started
    assert len(set(values)) == 4


def test_games_inside_games_bring_their_own_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Around()
    values = [total_at_both_speeds(game, 2)]
    started: list[str] = []
    with compilations(started.append, lambda _: None):
        game.part.weights = (0.5, 0.25)  # type: ignore[union-attr]
        values.append(total_at_both_speeds(game, 2))
        game.parts[1][0].weights = (0.25, 0.125)
        values.append(total_at_both_speeds(game, 2))
        game.part = Tuned(slopes=(0.125,))
        values.append(total_at_both_speeds(game, 2))
    assert not started
    for named in (PAIR[0], Around.kept):  # the code refers to these games by name, so their weights are constants
        monkeypatch.setattr(named, "weights", (3.0, 1.0))
        values.append(total_at_both_speeds(game, 2))
    assert len(set(values)) == 6


@pytest.mark.parametrize("wrapped", [RandomOpponent, lambda game: ShuffledGame(game, 3)])
def test_games_derived_by_algorithms_use_the_weights(wrapped: Any) -> None:
    values = set()
    for numbers in ((1.0, 2.0, 3.0, 4.0), (4.0, -3.0, 2.0, -1.0)):
        game = Othello(4)
        game.weights = numbers
        outer = wrapped(game)
        (*slow, _), (*fast, speed) = (answers(outer, 20, speed) for speed in ("interpreted", "auto"))
        assert speed == ("interpreted" if outer.interpreted_because else "compiled")
        assert slow == fast
        values.add(str(slow))
    assert len(values) == 2


def test_weights_that_a_game_does_not_take_are_refused() -> None:
    with pytest.raises(GamesearchError, match="4 numbers, not \\[1, 2\\]"):
        load("othello(weights=[1, 2])")
    with pytest.raises(GamesearchError, match="no parameter 'weights'"):
        load("nim(weights=[1])")
    with pytest.raises(GamesearchError, match="no features to weigh"):
        load("tictactoe(weights=[1])")
    assert TicTacToe().tuned_attributes() == {}


class Beyond(Tuned):
    """A game whose estimate is read from an array, at an index that a test chooses."""

    place = 0

    def evaluate(self, s: Bounded) -> float:
        return self.slopes[self.place]


@pytest.mark.xdist_group("an index beyond")
@pytest.mark.parametrize("place", [1, -2, 7, 1 << 40])
def test_an_index_beyond_the_tunable_numbers_is_an_error_at_both_speeds(place: int) -> None:
    game = Beyond(slopes=(0.5,))
    game.place = place
    for speed in ("interpreted", "compiled"):
        with pytest.raises(IndexError):
            run(total, game, speed, game.initial(), 1)
    game.place = -1
    total_at_both_speeds(game, 1)


@pytest.mark.parametrize(
    "wrong", [[1.0, 2.0, 3.0, 4.0], np.zeros(4, np.float32), np.zeros((4, 1)), np.zeros(8)[::2], "1234", None, (1, 2)]
)
def test_weights_that_could_be_changed_unnoticed_are_refused_at_both_speeds(wrong: Any) -> None:
    game = load("othello(size=4)")
    game.weights = wrong
    for speed in ("interpreted", "compiled"):
        with pytest.raises(GamesearchError, match=r"weights of othello"):
            search(game, game.initial(), "alphabeta(depth=1)", speed=speed)
