"""Creating players from their names, algorithms that think during a match, and random players."""

import math
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_support import computer, match_of, play_moves

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, MoveValue, Value
from gamesearch.algorithms.root.search import search
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.play.clock import RESERVE, Clock
from gamesearch.play.game_loop import GameLoop
from gamesearch.play.match import Match
from gamesearch.play.players.computer import NEAR, choose, unit_of
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Player, Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.registry import load


# Players. ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "seconds", "specification"),
    [
        ("human", None, "human"),
        (" random(seed=7) ", None, "random(seed=7)"),
        ("random", 0.5, "random"),
        ("alphabeta(depth=6)", None, "alphabeta(depth=6)"),
        ("alphabeta(depth=6)", 0.5, "alphabeta(depth=6, time=0.5, deepen=true)"),
        ("alphabeta(time=1)", None, "alphabeta(time=1.0, deepen=true)"),
        ("alphabeta", None, "alphabeta(time=2.0, deepen=true)"),
        ("minimax", None, "minimax(time=2.0, deepen=true)"),
        ("mcts(playouts=9)", None, "mcts(playouts=9)"),
        ("mcts", None, "mcts(time=2.0)"),
        ("computer(level=7, seed=5)", None, "computer(level=7, seed=5)"),
        ("computer", None, "computer(level=normal)"),
    ],
)
def test_players_get_a_limit_unless_they_have_one(text: str, seconds: float | None, specification: str) -> None:
    game = load("tictactoe")
    player = load_player(text, game, seconds)
    assert player.specification == specification
    assert player.is_human == (text == "human")
    assert load_player(player.specification, game).specification == specification


@pytest.mark.parametrize(
    ("text", "game", "sentence"),
    [
        ("human(name=Ann)", "tictactoe", "the player `human` has no parameters"),
        ("alphabeta(dept=3)", "tictactoe", "did you mean depth"),
        ("alphabeta(", "tictactoe", "closing"),
        ("expectiminimax(pruning=star3)", "tictactoe", "star"),
        ("alphabeta(time=5x)", "tictactoe", r"such as 5m\+3s"),
        ("mcts(time=5m+3s)", "tictactoe", "such as time=2"),
        ("seeing(chess(variant=chess960, start=5), minimax(depth=1))", "chess", "differ from the rules of chess"),
        ("seeing(tictactoe, minimax)", "chess", "differ from the rules of chess"),
        ("seeing(chess)", "chess", "exactly these two"),
        ("computer(level=11)", "tictactoe", "1 to 10"),
        ("computer(level=eazy)", "tictactoe", "did you mean easy"),
        ("othello(weights=learned)", "othello", "'othello' is a game, not a player: write seeing"),
        ("seeing(game=chess, algorithm=minimax, depth=3)", "chess", "exactly these two"),
    ],
)
def test_players_that_cannot_play_are_refused(text: str, game: str, sentence: str) -> None:
    with pytest.raises(GamesearchError, match=sentence):
        load_player(text, load(game))


# Thinking. ---------------------------------------------------------------------------------------
KEEPS = "alphabeta(depth=6, table=true, memory=1)"


def thinker(text: str = KEEPS) -> AlgorithmPlayer:
    return AlgorithmPlayer(load_algorithm(text), "interpreted")


def count_nodes(player: Player, match: Match) -> int:
    return player.answer(match.player_turn()).statistics.nodes


def test_move_ordering_is_kept_for_the_next_move() -> None:
    match, player = play_moves(match_of("tictactoe", "human", KEEPS), "5"), thinker()
    count_nodes(player, match)
    play_moves(match, "1 9")
    assert count_nodes(player, match) < count_nodes(thinker(), match)
    player.begin()
    player.begin()
    assert count_nodes(player, match) == count_nodes(thinker(), match)


@pytest.mark.parametrize("what", ["undo", "undo and redo", "load", "another start"])
def test_a_changed_match_starts_a_new_search(what: str) -> None:
    match, player = play_moves(match_of("tictactoe", "human", KEEPS), "5"), thinker()
    count_nodes(player, match)
    if what == "undo":
        match.undo()
        play_moves(match, "5")
    elif what == "undo and redo":
        match.undo()
        match.redo()
    elif what == "load":
        match.begin(match.start, [0, 4, 8])
    elif what == "another start":
        match.begin(match.game.parse("X../.O./..X"), [1])
    assert count_nodes(player, match) == count_nodes(thinker(), match)


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock((60 + RESERVE, 1.0)), 2.0),
        (Clock((60 + RESERVE, 1.0), moves_to_go=6), 10.0),
        (Clock((60 + RESERVE, 1.0), increment=1.0), 2.8),
        (Clock((1.0, 1.0), increment=5.0), 1 - RESERVE),
        (Clock((RESERVE / 2, 1.0), increment=0.01), 0.004),
        (Clock((0.0, 1.0)), 0.001),
    ],
)
def test_a_clock_allows_a_share_of_what_is_left(clock: Clock, seconds: float) -> None:
    assert clock.allowance(MAX) == pytest.approx(seconds)


def test_an_algorithm_uses_its_share_of_the_clock() -> None:
    told = replace(match_of("connect4", KEEPS, KEEPS).player_turn(), clock=Clock((3 + RESERVE, 0.03)))
    player = AlgorithmPlayer(load_algorithm("alphabeta(deepen=true, depth=full)"), "interpreted")
    share = told.clock.allowance(MAX) if told.clock else 0.0
    assert share == pytest.approx(0.1)
    assert player.limits(told) == Limits(time=4 * share, target=share)
    assert player.limits(replace(told, limits=Limits(time=0.05, nodes=9))) == Limits(time=0.05, nodes=9, target=share)
    plain = AlgorithmPlayer(load_algorithm("minimax"), "interpreted")
    assert plain.limits(told) == Limits(time=share), "minimax without deepening cannot stop after a depth"
    told = replace(told, clock=Clock((RESERVE + 3.0, 0.2)))  # enough time to find a move on a busy core
    found = player.answer(told)
    assert found.best is not None


@given(
    st.floats(1, 100),
    st.sampled_from([0.0, 0.01, 0.1, 2.0]),
    st.integers(0, 40),
    st.lists(st.floats(0, 1), min_size=60, max_size=60),
)
def test_a_player_that_uses_its_whole_allowance_never_loses_on_time(
    base: float, increment: float, togo: int, parts: list[float]
) -> None:
    """A player that uses its whole allowance at every move never runs out of time, even with small delays."""
    clock, moves = Clock((base, base), increment, togo or None), togo or len(parts)
    lag = min(0.005, increment / 4)
    for number, part in zip(range(moves), parts, strict=False):
        share, longest = clock.allowance(MAX), clock.longest(MAX)
        assert share <= longest
        clock = replace(clock, moves_to_go=togo - number if togo else None)
        clock = clock.after(MAX, share + part * (longest - share) + lag)
        assert clock.remaining[MAX] >= 0


def test_an_algorithm_may_have_a_clock_of_its_own() -> None:
    game = load("connect4")
    text = "alphabeta(deepen=true, order=killer, time=2.1+0.5)"
    player = load_player(text, game, speed="interpreted")
    assert isinstance(player, AlgorithmPlayer)
    assert load_player(player.specification, game).specification == player.specification
    told = Match(game, game.initial(), (player, player)).player_turn()
    first = player.clock(told)
    assert first == Clock((2.1, 2.1), 0.5)
    used = player.answer(told).statistics.seconds
    after = player.clock(told)
    assert after is not None
    assert after.remaining[MAX] == pytest.approx(2.1 - min(used, 2.1) + 0.5)
    assert player.clock(replace(told, clock=first)) is None, "the clock of the game has priority"
    player.begin()
    assert player.clock(told) == first


# Random players. ---------------------------------------------------------------------------------
def best_answer(match: Match) -> int:
    best = match.player.answer(match.player_turn()).best
    assert best is not None
    return best


@pytest.mark.parametrize("text", ["random", "montecarlo(playouts=9)", "mcts(playouts=9)", "computer(level=1)"])
def test_the_seed_of_a_match_or_an_own_seed_decides_random_moves(text: str) -> None:
    game = load("connect4(rows=4, columns=4)")

    def play(seed: int, *ways: str) -> tuple[int, ...]:
        match = Match(game, game.initial(), [load_player(each, game, speed="interpreted") for each in ways], seed)
        while len(match.moves) < 4:
            match.play(best_answer(match))
        return tuple(match.moves)

    games = [play(seed, text, text) for seed in range(5)]
    assert len(set(games)) >= 3
    assert play(3, text, text) == games[3]
    fixed = [f"{text.removesuffix(')')}{', ' if '(' in text else '('}seed={seed})" for seed in (0, 8)]
    assert play(1, *fixed) == play(2, *fixed)


def test_two_random_players_make_different_choices() -> None:
    game = load("connect4")
    firsts = []
    for seed in range(20):
        match = Match(game, game.initial(), [computer(game, "random"), computer(game, "random")], seed)
        first = best_answer(match)
        match.swap()
        assert best_answer(match) == first, "the seed of a random player depends on its side"
        match.play(first)
        firsts.append((first, best_answer(match)))
    assert len({first for first, _ in firsts}) == 7
    assert sum(first == other for first, other in firsts) < 10


def test_all_moves_are_equally_likely() -> None:
    game = load("connect4")
    seeds = range(1_400)  # the expected count of each move is 200; five standard deviations are 65
    counts = Counter(search(game, game.initial(), load_algorithm(f"random(seed={seed})")).best for seed in seeds)
    assert len(counts) == 7
    assert all(abs(count - 200) < 65 for count in counts.values())


# Evaluations of other games, by the player `seeing`. ----------------------------------------------
KNIGHT_OR_BISHOP = "7k/8/8/n2Rb3/8/8/8/6K1 w - - 0 1"


@pytest.mark.parametrize(("values", "capture"), [("gik", "Rxe5"), ("computer", "Rxa5")])
def test_each_player_uses_its_own_piece_values(values: str, capture: str) -> None:
    game = load("chess")
    s = game.parse(KNIGHT_OR_BISHOP)
    text = f"seeing(game=chess(values={values}), algorithm=alphabeta(depth=1))"
    player = load_player(text, game, speed="interpreted")
    best = player.answer(Turn(game, (s,), ())).best
    assert best is not None
    assert game.move_name(s, best) == capture
    again = load_player(player.specification, game, speed="interpreted")
    assert again.specification == player.specification
    assert again.answer(Turn(game, (s,), ())).best == best


def pondering_match(algorithm: str) -> Match:
    """Return a match of a computer, which runs interpreted, against a human."""
    game = load("connect4(rows=4, columns=5)")
    return Match(game, game.initial(), [load_player(each, game, speed="interpreted") for each in (algorithm, "human")])


@pytest.mark.parametrize("compiles", [True, False])
def test_pondering_saves_the_work_of_the_next_search(compiles: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if compiles:  # only compiled searches ponder; to save the time for compiling, this search only claims to be one
        monkeypatch.setattr("gamesearch.play.players.searching.speed_for", lambda *_: "compiled")
    nodes = []
    for ponders in (False, True):
        match = pondering_match(KEEPS)
        with match.players[0] as player:
            loop = GameLoop(match)
            loop.ponders = ponders
            reply = loop.ask()
            loop.accept(reply)
            assert isinstance(player, AlgorithmPlayer)
            assert (player.pondering is not None) == (ponders and compiles)
            if player.pondering is not None:
                player.pondering.thread.join(60)
            assert reply.result is not None
            match.play(reply.result.line[1])
            answer = loop.ask().result
            assert answer is not None
            assert player.pondering is None
            nodes.append(answer.statistics.nodes)
    assert nodes[1] < 0.6 * nodes[0] if compiles else nodes[1] == nodes[0]


def test_pondering_ends_with_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.play.players.searching.speed_for", lambda *_: "compiled")
    match = pondering_match("alphabeta(table=true, memory=1, deepen=true, time=0.1)")
    with match.players[0] as player:
        loop = GameLoop(match)
        loop.ponders = True
        loop.accept(loop.ask())
        assert isinstance(player, AlgorithmPlayer)
        assert player.pondering is not None
        thread = player.pondering.thread
        assert thread.is_alive()
    assert not thread.is_alive()


# Levels. ------------------------------------------------------------------------------------------
TICTACTOE = load("tictactoe")


def moves_of(*values: Value) -> list[MoveValue]:
    return [MoveValue(number, value) for number, value in enumerate(values)]


def computer_of(name: str, text: str) -> Player:
    return load_player(text, load(name), speed="interpreted")


@pytest.mark.parametrize("level", ["8", "best"])
def test_the_strongest_levels_have_a_move_after_a_single_node(level: str) -> None:
    game = load("chess")
    match = Match(
        game, game.parse("k7/8/8/8/8/q7/1P6/K7 w - - 0 1"), [computer_of("chess", f"computer(level={level})")] * 2
    )
    found = match.player.answer(replace(match.player_turn(), limits=Limits(nodes=1)))
    assert found.best is not None
    assert match.game.move_name(match.state, found.best) == "bxa3"


# The levels. -------------------------------------------------------------------------------------


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


# Playing. ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["backgammon", "tictactoe", "yavalath"])
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


@pytest.mark.parametrize("level", [8, "best"])
def test_a_high_level_takes_a_win_and_misses_no_threat(level: int | str) -> None:
    player = load_player(f"computer(level={level})", TICTACTOE, 0.5, "interpreted")
    for position, best in (("XX./OO./...", 2), ("XX./O../..O", 2)):
        state = TICTACTOE.parse(position)
        wanted = {m for m in TICTACTOE.steps(state) if TICTACTOE.move_name(state, m) == str(best + 1)}
        for seed in range(2):
            assert {player.answer(Turn(TICTACTOE, [state], [], seed=seed)).best} == wanted


def test_the_unit_is_the_mean_change_of_the_evaluation() -> None:
    class Counter10(type(load("nim(heaps=9)"))):  # type: ignore[misc]
        """Nim with one heap; the evaluation is a tenth of the number of counters left."""

        def evaluate(self, s: object) -> float:
            return sum(s.heaps) / 10  # type: ignore[attr-defined]

    game = Counter10(heaps="9", max_take=1)
    assert unit_of(game) == pytest.approx(0.1)
