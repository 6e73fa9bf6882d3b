"""The levels of the computer player: random choice of moves, and mistakes that a level never makes."""

import math
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.algorithms.engine.result import Limits, Monitor, MoveValue, Progress, SearchResult, Value
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.play.match import Match
from gamesearch.play.players.computer import NEAR, choose, unit_of
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Player, Turn
from gamesearch.registry import game_names, load

TICTACTOE = load("tictactoe")


def moves_of(*values: Value) -> list[MoveValue]:
    return [MoveValue(number, value) for number, value in enumerate(values)]


def computer(name: str, text: str) -> Player:
    return load_player(text, load(name), speed="interpreted")


def game_of(text: str, seed: int, moves: int = 5) -> tuple[int, ...]:
    """Return the first moves of a game in which one player plays both sides."""
    few = Limits(nodes=100)
    match = Match(TICTACTOE, TICTACTOE.initial(), [load_player(text, TICTACTOE, speed="interpreted")] * 2, seed)
    while len(match.moves) < moves and not match.is_over:
        best = match.player.answer(replace(match.player_turn(), limits=few)).best
        assert best is not None
        match.play(best)
    return tuple(match.moves)


@pytest.mark.parametrize("level", ["8", "best"])
def test_the_strongest_levels_have_a_move_after_a_single_node(level: str) -> None:
    game = load("chess")
    match = Match(
        game, game.parse("k7/8/8/8/8/q7/1P6/K7 w - - 0 1"), [computer("chess", f"computer(level={level})")] * 2
    )
    found = match.player.answer(replace(match.player_turn(), limits=Limits(nodes=1)))
    assert found.best is not None
    assert match.game.move_name(match.state, found.best) == "bxa3"


# The levels. -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "sentence"), [("0", "1 to 10"), ("11", "1 to 10"), ("eazy", "did you mean easy")])
def test_unknown_levels_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(GamesearchError, match=sentence):
        load_player(f"computer(level={text})", TICTACTOE)


def test_a_computer_is_written_as_it_is_read() -> None:
    for text in ("computer(level=3)", "computer(level=best)", "computer(level=7, seed=5)"):
        assert load_player(text, TICTACTOE).specification == text
    assert load_player("computer", TICTACTOE).specification == "computer(level=normal)"
    assert load_player("computer(3)", TICTACTOE).needs_seed
    assert not load_player("computer(3, 1)", TICTACTOE).needs_seed


# Random choice of a move. ------------------------------------------------------------------------
@given(
    st.lists(st.floats(-5, 5), min_size=1, max_size=12),
    st.sampled_from([MAX, MIN]),
    st.floats(0, 3),
    st.integers(0, 1 << 30),
)
def test_moves_that_are_much_worse_are_never_chosen(
    values: list[float], mover: int, temperature: float, seed: int
) -> None:
    chosen = choose(TICTACTOE, mover, moves_of(*values), temperature, random.Random(seed))
    assert isinstance(chosen.value, float)
    loss = max(values) - chosen.value if mover == MAX else chosen.value - min(values)
    assert loss <= NEAR * temperature + 1e-9


def test_moves_are_chosen_by_the_boltzmann_distribution() -> None:
    """If a move is worse than the best move by one temperature, it is chosen 1/e times as often as the best move,
    within four standard errors."""
    generator, draws = random.Random(3), 4_000
    found = Counter(choose(TICTACTOE, MIN, moves_of(0.0, 0.5), 0.5, generator).move for _ in range(draws))
    expected = 1 / (1 + math.e)
    error = math.sqrt(expected * (1 - expected) / draws)
    assert abs(found[1] / draws - expected) < 4 * error


def test_each_of_three_players_maximizes_its_own_payoff() -> None:
    moves = moves_of((3.0, 0.0, 1.0), (0.0, 2.0, 0.0), (1.0, 1.0, 5.0))
    assert [choose(TICTACTOE, mover, moves, 0.0, random.Random(1)).move for mover in range(3)] == [0, 1, 2]


def test_the_fastest_win_and_the_slowest_loss_are_chosen() -> None:
    won = [MoveValue(1, 1.0, 5), MoveValue(2, 1.0, 3), MoveValue(3, 1.0, 7)]
    lost = [MoveValue(1, -1.0, 2), MoveValue(2, -1.0, 6), MoveValue(3, -1.0, 4)]
    for seed in range(20):
        for temperature in (0.0, 2.0):
            generator = random.Random(seed)
            assert choose(TICTACTOE, MAX, won, temperature, generator).move == 2
            assert choose(TICTACTOE, MAX, lost, temperature, generator).move == 2
            assert choose(TICTACTOE, MIN, won, temperature, generator).move == 3


def test_the_unit_of_a_game_without_estimates_is_a_tenth_of_its_payoffs() -> None:
    assert unit_of(TICTACTOE) == 0.2
    assert unit_of(load("tree([[3,12,8],[2,4,6],[14,5,2]])")) == 1.2


def test_the_unit_is_the_mean_change_of_the_evaluation() -> None:
    class Counter10(type(load("nim(heaps=9)"))):  # type: ignore[misc]
        """Nim with one heap; the evaluation is a tenth of the number of counters left."""

        def evaluate(self, s: object) -> float:
            return sum(s.heaps) / 10  # type: ignore[attr-defined]

    game = Counter10(heaps="9", max_take=1)
    assert unit_of(game) == pytest.approx(0.1)


# Playing. ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_played_at_a_level_within_its_nodes(name: str) -> None:
    game = load(name)
    state = game.initial()
    while game.player(state) < 0:
        state = game.result(state, game.steps(state)[0])
    turn = Turn(game, [state], [], seed=4)
    with load_player("computer(level=1)", game, speed="interpreted") as player:
        found = player.answer(turn)
        assert found.best in game.steps(state)
        assert found.line[0] == found.best
        assert found.statistics.nodes <= 400 + len(game.steps(state))  # each search counts its root
        again = player.answer(turn)
        assert (again.line, again.value, again.statistics.nodes) == (found.line, found.value, found.statistics.nodes)


def test_the_monitor_sees_the_progress_of_all_searches_together_and_results_of_the_position() -> None:
    """The monitor must not receive results of the positions after the moves: they would be shown as the result."""
    polled, finished = list[Progress](), list[SearchResult]()

    def poll(now: Progress) -> bool:
        polled.append(replace(now))
        return False

    monitor = Monitor(poll=poll, finished=finished.append, interval=0.0)
    turn = Turn(TICTACTOE, [TICTACTOE.initial()], [], seed=1)
    found = computer("tictactoe", "computer(level=7)").answer(turn, monitor)
    assert [each.statistics.depth for each in finished] == list(range(1, len(finished) + 1))
    assert all(each.line[0] == each.best in TICTACTOE.steps(TICTACTOE.initial()) for each in finished)
    nodes = [now.nodes for now in polled]
    assert nodes == sorted(nodes)
    assert polled[-1].nodes <= found.statistics.nodes
    assert max(now.depth for now in polled) > 1


@pytest.mark.parametrize("level", [8, 9, 10, "best"])
def test_a_high_level_takes_a_win_and_misses_no_threat(level: int | str) -> None:
    player = load_player(f"computer(level={level})", TICTACTOE, 0.5, "interpreted")
    for position, best in (("XX./OO./...", 2), ("XX./O../..O", 2)):
        state = TICTACTOE.parse(position)
        wanted = {m for m in TICTACTOE.steps(state) if TICTACTOE.move_name(state, m) == str(best + 1)}
        for seed in range(4):
            assert {player.answer(Turn(TICTACTOE, [state], [], seed=seed)).best} == wanted


@pytest.mark.parametrize("level", [2, 10])
def test_games_differ_unless_a_seed_asks_for_the_same(level: int) -> None:
    games = [game_of(f"computer(level={level})", seed) for seed in range(6)]
    assert len(set(games)) >= 4
    assert games == [game_of(f"computer(level={level})", seed) for seed in range(6)]
    assert len({game_of(f"computer(level={level}, seed=3)", seed) for seed in range(4)}) == 1
