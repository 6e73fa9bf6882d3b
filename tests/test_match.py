import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Corridor

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.parts.result import Limits
from gamesearch.api import perft, search
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN, RECURRENCE_DRAWS, Game
from gamesearch.play.clock import Clock
from gamesearch.play.files import read_file, write_file
from gamesearch.play.lines import COMMANDS, Line, completions, read_line
from gamesearch.play.match import Match
from gamesearch.play.player import Human, Player, PlayerError
from gamesearch.play.players import adviser, default_algorithm, load_player
from gamesearch.play.searching import AlgorithmPlayer
from gamesearch.registry import game_names, load, specification_of
from gamesearch.render.match import ending
from gamesearch.study.playout import play_at_random

HUMAN = Human()
THREE = "[[(1,2,3),(3,2,1)],[(2,2,2),(0,4,0)]]"


def computer(game: Game[Any], text: str = "random(seed=1)") -> Player:
    return load_player(text, game)


def match_of(text: str, *sides: str, seed: int = 0) -> Match:
    game = load(text)
    return Match(game, game.initial(), [load_player(side, game) for side in sides], seed)


def played(match: Match, moves: str) -> Match:
    for name in moves.split():
        match.play(match.game.parse_move(match.state, name))
    return match


class Circle(Game[int]):
    """Round and round: the position comes again after three moves."""

    recurrence = RECURRENCE_DRAWS

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return s % 2

    def moves(self, s: int) -> Any:
        yield 1

    def result(self, s: int, m: int) -> int:
        return (s + m) % 4

    def terminal(self, s: int) -> bool:
        return False


# Players. ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "specification"),
    [
        ("human", "human"),
        (" random(seed=7) ", "random(seed=7)"),
        ("alphabeta(depth=6)", "alphabeta(depth=6)"),
        ("alphabeta(time=1)", "alphabeta(time=1.0, deepen=true)"),
        ("alphabeta", "alphabeta(time=2.0, deepen=true)"),
        ("minimax", "minimax(time=2.0)"),
    ],
)
def test_players_get_a_limit_unless_they_have_one(text: str, specification: str) -> None:
    game = load("tictactoe")
    player = load_player(text, game)
    assert player.specification == specification
    assert player.is_human == (text == "human")
    assert load_player(player.specification, game).specification == specification


def test_time_holds_besides_a_depth() -> None:
    game = load("tictactoe")
    assert load_player("alphabeta(depth=6)", game, 0.5).specification == "alphabeta(depth=6, time=0.5, deepen=true)"
    assert load_player("random", game, 0.5).specification == "random"


def test_without_deepening_the_depth_is_the_suggested_one() -> None:
    assert load_player("minimax", load("chess")).specification == "minimax(depth=3, time=2.0)"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("humam", "did you mean human"),
        ("alphabet", "did you mean alphabeta"),
        ("human(name=Ann)", "takes no parameters"),
        ("alphabeta(dept=3)", "did you mean depth"),
        ("alphabeta(", "closing"),
        ("expectiminimax(pruning=star3)", "star"),
    ],
)
def test_bad_players(text: str, sentence: str) -> None:
    with pytest.raises(GamesearchError, match=sentence):
        load_player(text, load("tictactoe"))


@pytest.mark.parametrize(("game", "player"), [(THREE, "alphabeta"), ("pig", "alphabeta"), ("tictactoe", "maxn")])
def test_misfits_are_refused(game: str, player: str) -> None:
    with pytest.raises(GamesearchError, match="use "):
        load_player(player, load(game))


@pytest.mark.parametrize("name", [*game_names(), THREE])
def test_the_default_algorithm_fits_every_game(name: str) -> None:
    game = load(name)
    algorithm = load_player(default_algorithm(game), game).algorithm
    assert algorithm is not None
    assert algorithm.is_exact or algorithm.bounds
    assert algorithm.time


def test_the_adviser_is_the_opponent_unless_he_moves_at_random() -> None:
    game = load("tictactoe")
    assert adviser((HUMAN, computer(game, "minimax(depth=2)")), game).specification == "minimax(depth=2)"
    assert adviser((HUMAN, computer(game)), game).algorithm.name == "alphabeta"
    usual = computer(game, default_algorithm(game))
    assert adviser((HUMAN, usual), game).algorithm is usual.algorithm, "its bounds only prove more"
    assert adviser((HUMAN, computer(game, "expectimax(depth=2)")), game).algorithm.name == "alphabeta"


@pytest.mark.parametrize(
    ("game", "order"),
    [("othello", "game+history"), ("chess", "game+killer+history"), ("tictactoe", "killer+history")],
)
def test_the_default_order_is_what_the_game_suggests_or_what_it_tells(game: str, order: str) -> None:
    assert f"order={order}," in default_algorithm(load(game))


# Thinking. ---------------------------------------------------------------------------------------
KEEPS = "alphabeta(depth=6, table=true, memory=1)"


def thinker(text: str = KEEPS) -> AlgorithmPlayer:
    return AlgorithmPlayer(load_algorithm(text), "interpreted")


def thought(player: Player, match: Match) -> int:
    return player.answer(match.told()).statistics.nodes


def test_what_was_learned_stays_for_the_next_move() -> None:
    match, player = played(match_of("tictactoe", "human", KEEPS), "5"), thinker()
    thought(player, match)
    played(match, "1 9")
    assert thought(player, match) < thought(thinker(), match)
    player.begin()
    player.begin()
    assert thought(player, match) == thought(thinker(), match)


@pytest.mark.parametrize("what", ["nothing", "undo", "undo and redo", "load", "another start"])
def test_a_match_that_does_not_just_go_on_begins_anew(what: str) -> None:
    match, player = played(match_of("tictactoe", "human", KEEPS), "5"), thinker()
    thought(player, match)
    if what == "undo":
        match.undo()
        played(match, "5")
    elif what == "undo and redo":
        match.undo()
        match.redo()
    elif what == "load":
        match.begin(match.start, [0, 4, 8])
    elif what == "another start":
        match.begin(match.game.parse("X../.O./..X"), [1])
    assert thought(player, match) == thought(thinker(), match)


def test_a_human_answers_nobody_but_who_reads_what_is_typed() -> None:
    with pytest.raises(PlayerError, match="gamesearch play"):
        HUMAN.answer(match_of("tictactoe", "human", "human").told())


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock((60.1, 1.0)), 2.0),
        (Clock((60.1, 1.0), moves_to_go=6), 10.0),
        (Clock((60.1, 1.0), increment=1.0), 2.8),
        (Clock((1.0, 1.0), increment=5.0), 0.9),
        (Clock((0.05, 1.0), increment=0.01), 0.004),
        (Clock((0.0, 1.0)), 0.001),
    ],
)
def test_a_clock_allows_a_share_of_what_is_left(clock: Clock, seconds: float) -> None:
    assert clock.allowance(MAX) == pytest.approx(seconds)


def test_a_clock_adds_the_increment_unless_the_flag_fell() -> None:
    clock = Clock((10.0, 1.0), 0.5)
    assert clock.after(MAX, 4).remaining == (6.5, 1.0)
    assert clock.after(MIN, 2).remaining == (10.0, -1.0)


def test_an_algorithm_uses_its_share_of_the_clock() -> None:
    told = replace(match_of("connect4", KEEPS, KEEPS).told(), clock=Clock((3.1, 0.03)))
    player = AlgorithmPlayer(load_algorithm("alphabeta(deepen=true, depth=full)"), "interpreted")
    share = told.clock.allowance(MAX) if told.clock else 0.0
    assert share == pytest.approx(0.1)
    assert player.limits(told) == Limits(time=4 * share, target=share)
    assert player.limits(replace(told, limits=Limits(time=0.05, nodes=9))) == Limits(time=0.05, nodes=9, target=share)
    plain = AlgorithmPlayer(load_algorithm("minimax"), "interpreted")
    assert plain.limits(told) == Limits(time=share), "it has no depths to end after"
    told = replace(told, clock=Clock((0.2, 0.2)))
    found = player.answer(told)
    assert found.best is not None


@given(
    st.floats(1, 100),
    st.sampled_from([0.0, 0.01, 0.1, 2.0]),
    st.integers(0, 40),
    st.lists(st.floats(0, 1), min_size=60, max_size=60),
)
def test_no_flag_falls_however_long_the_moves_take(
    base: float, increment: float, togo: int, parts: list[float]
) -> None:
    """A player who takes what it may, and a little that nobody measures, has time left after every move."""
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
    told = Match(game, game.initial(), (player, player)).told()
    first = player.clock(told)
    assert first == Clock((2.1, 2.1), 0.5)
    used = player.answer(told).statistics.seconds
    after = player.clock(told)
    assert after is not None
    assert after.remaining[MAX] == pytest.approx(2.1 - min(used, 2.1) + 0.5)
    assert player.clock(replace(told, clock=first)) is None, "the game's clock holds"
    player.begin()
    assert player.clock(told) == first


@pytest.mark.parametrize(
    "text", ["alphabeta(time=5x)", "alphabeta(time=0m)", "minimax(time=5m+3s)", "alphabeta(time=1+x)"]
)
def test_a_clock_that_is_none(text: str) -> None:
    with pytest.raises(GamesearchError, match=r"such as (5m\+3s|time=2)"):
        load_player(text, load("tictactoe"))


# History. ----------------------------------------------------------------------------------------
def test_undo_takes_back_to_the_previous_turn_of_a_human() -> None:
    match = played(match_of("tictactoe", "human", "random"), "5 1 2 8")
    assert match.undo() == 2
    assert match.move_names() == ["5", "1"]
    assert match.undo() == 2
    assert match.undo() == 0
    assert match.state == match.start
    assert match.redo() == 2
    assert match.redo() == 2
    assert match.redo() == 0
    assert match.move_names() == ["5", "1", "2", "8"]


def test_undo_never_takes_back_what_only_the_computer_played() -> None:
    match = played(match_of("tictactoe", "random", "human"), "5")
    assert match.undo() == 0
    assert match.move_names() == ["5"]


def test_between_humans_one_move_is_taken_back() -> None:
    match = played(match_of("tictactoe", "human", "human"), "5 1 2")
    assert match.undo() == 1
    assert match.turn == MAX
    played(match, "3")
    assert match.redo() == 0, "what was taken back is gone when something else is played"
    assert match.move_names() == ["5", "1", "3"]


def test_dice_are_decided_by_seed_and_move() -> None:
    def rolls(seed: int) -> list[int]:
        match = match_of("pig", "human", "human", seed=seed)
        found = []
        for _ in range(20):
            played(match, "roll")
            found.append(match.roll())
        return found

    assert rolls(1) == rolls(1)
    assert rolls(1) != rolls(2)
    match = played(match_of("pig", "human", "human", seed=1), "roll")
    first = match.roll()
    assert match.number == 2, "chance makes no move"
    assert match.undo() == 2
    assert match.turn == MAX
    played(match, "roll")
    assert match.turn == CHANCE
    assert match.roll() == first


def test_undo_and_redo_with_dice() -> None:
    match = match_of("pig(target=1000)", "human", "human", seed=4)
    while match.turn == MAX and len(match.moves) < 6:
        played(match, "roll")
        match.roll()
    before = list(match.moves)
    assert match.undo() == 2
    assert match.redo() == 2
    assert match.moves == before


def test_swap() -> None:
    match = played(match_of("tictactoe", "human", "random"), "5 1")
    match.swap()
    assert not match.player.is_human
    assert match.players[MIN].is_human
    with pytest.raises(GamesearchError, match="3 players"):
        match_of(THREE, "human", "maxn", "maxn").swap()


def test_number_of_players() -> None:
    game = load(THREE)
    with pytest.raises(GamesearchError, match="for 3 players, not 2"):
        Match(game, game.initial(), [HUMAN, HUMAN])


# Ends. -------------------------------------------------------------------------------------------
def test_outcomes() -> None:
    match = match_of("tictactoe", "human", "human")
    assert match.outcome is None
    assert not match.is_over
    played(match, "1 4 2 5 3")
    assert match.is_over
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.utility) == (MAX, 1)
    draw = played(match_of("tictactoe", "human", "human"), "1 2 3 5 4 6 8 7 9").outcome
    assert draw is not None
    assert draw.is_draw
    assert draw.winner is None


def test_resigning_gives_the_other_the_win() -> None:
    match = played(match_of("chess", "human", "human"), "e4")
    match.resign()
    assert match.is_over
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == (MAX, "resignation")
    assert '[Result "1-0"]' in match.record()
    assert '[Termination "Black resigned"]' in match.record()


def test_payoffs_that_are_amounts_name_no_winner() -> None:
    outcome = played(match_of("tree", "human", "human"), "a a").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.is_draw, outcome.utility) == (None, False, 3)
    outcome = played(match_of(THREE, "human", "human", "human"), "a b").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.utility) == (0, (3, 2, 1))


def test_a_position_for_the_third_time_is_a_draw() -> None:
    match = Match(Circle(), 0, [HUMAN, HUMAN])
    for _ in range(7):
        match.play(1)
        assert not match.is_over
    match.play(1)
    assert match.is_over
    assert match.outcome is not None
    assert match.outcome.is_draw


def test_the_game_is_drawn_where_superko_forbids_every_move() -> None:
    game = Corridor(4, 1)
    match = Match(game, game.initial(), [HUMAN, computer(game)])
    match.play(-1)
    assert match.steps == []
    assert match.is_over
    assert match.outcome is not None
    assert (match.outcome.is_draw, match.outcome.utility, match.outcome.reason) == (True, 0, "no move")
    assert ending(match) == "drawn for want of a move that brings no earlier position back, after 1 move"
    assert game.read_record(match.record()) == (match.start, [-1])
    with pytest.raises(GamesearchError, match="its move 2, '1', is not legal in 0"):
        game.read_record(match.record().replace('"-1"', '"-1", "1"'))


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_forbidden_moves_end_sequences_and_random_games(speed: str) -> None:
    game = Corridor(4, 1)
    assert [perft(game, game.initial(), depth, speed=speed) for depth in range(4)] == [1, 2, 1, 0]
    played = play_at_random(game, game.initial(), 100, speed=speed)
    assert played.moves == 100
    assert 50 < played.games < 100  # to the left a game is over after one move, to the right after two


def test_rules_without_any_move_are_no_draw_but_broken() -> None:
    class Stuck(Corridor):
        def moves(self, s: Any) -> Any:
            if s.place:
                yield -1

    game = Stuck(4, 1)
    match = Match(game, game.initial(), [HUMAN, HUMAN])
    match.play(-1)
    assert not match.is_blocked
    with pytest.raises(GamesearchError, match="there is no move"):
        play_at_random(game, game.initial(), 100, speed="interpreted")


# Players at random. ------------------------------------------------------------------------------
def answered(match: Match) -> int:
    best = match.player.answer(match.told()).best
    assert best is not None
    return best


def random_game(seed: int, *sides: str) -> list[str]:
    match = match_of("connect4", *(sides or ("random", "random")), seed=seed)
    while not match.is_over:
        match.play(answered(match))
    return match.move_names()


def test_random_players_play_by_the_seed_of_the_match() -> None:
    assert random_game(1) == random_game(1)
    assert len({tuple(random_game(seed)) for seed in range(20)}) == 20
    assert random_game(1, "random(seed=7)", "random(seed=8)") == random_game(2, "random(seed=7)", "random(seed=8)")
    assert random_game(1, "random(seed=0)", "random(seed=0)") == random_game(2, "random(seed=0)", "random(seed=0)")


def test_the_two_sides_draw_differently() -> None:
    game = load("connect4")
    firsts = []
    for seed in range(20):
        match = Match(game, game.initial(), [computer(game, "random"), computer(game, "random")], seed)
        first = answered(match)
        match.swap()
        assert answered(match) == first, "the seed belongs to the side"
        match.play(first)
        firsts.append((first, answered(match)))
    assert len({first for first, _ in firsts}) == 7
    assert sum(first == other for first, other in firsts) < 10


def test_playouts_without_a_seed_are_drawn_by_that_of_the_match() -> None:
    def first(seed: int, text: str) -> Any:
        match = match_of("connect4(rows=4, columns=4)", text, text, seed=seed)
        return match.player.answer(match.told()).value

    drawn = {first(seed, "montecarlo(playouts=70)") for seed in range(5)}
    assert len(drawn) > 2
    assert first(1, "montecarlo(playouts=70)") in drawn
    assert first(1, "montecarlo(playouts=70, seed=7)") == first(2, "montecarlo(playouts=70, seed=7)")


def test_a_random_player_remembers_nothing() -> None:
    game = load("connect4")
    algorithm = load_algorithm("random(seed=3)")
    states = [game.parse(text) for text in ("", "4", "44", "4455")]
    answers = [search(game, s, algorithm).best for s in states]
    assert [search(game, s, algorithm).best for s in reversed(states)] == answers[::-1]
    past = [[states[0]] * count for count in range(40)]
    assert len({search(game, states[1], algorithm, past=each).best for each in past}) == 7
    assert len({search(game, states[1], load_algorithm(f"random(seed={seed})")).best for seed in range(40)}) == 7


def test_all_moves_are_equally_likely() -> None:
    game = load("connect4")
    counts = [0] * 7
    for seed in range(1_400):  # 200 of each are expected; five standard deviations are 65
        best = search(game, game.initial(), load_algorithm(f"random(seed={seed})")).best
        assert best is not None
        counts[best] += 1
    assert all(abs(count - 200) < 65 for count in counts)


# Files. ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [*game_names(), THREE, "nim(heaps=2-9, misere=true)", "chess(features=material+pair)"])
def test_a_record_is_read_back(name: str) -> None:
    game = load(name)
    match = Match(game, game.initial(), [HUMAN] * game.players)
    draw = random.Random(name)
    while not match.is_over and len(match.moves) < 30:
        match.play(draw.choice(game.steps(match.state)))
    text = match.record("2026.01.02")
    start, moves = load(specification_of(game)).read_record(text)
    assert (start, moves) == (match.start, match.moves)
    again = Match(game, start, match.players)
    again.begin(start, moves)
    assert again.state == match.state


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "nim"}, "a game of nim, not of tictactoe"),
        ({"game": 3}, "not a game saved"),
        ({"position": "nowhere"}, "nine squares"),
        ({"moves": ["5", "5"]}, "move 2, '5', is not legal"),
        ({"moves": ["5", 1]}, "no list of moves"),
        ({"moves": "5"}, "no list of moves"),
        ({"moves": ["1", "4", "2", "5", "3", "6"]}, "move 6"),
    ],
)
def test_foreign_records(change: dict[str, Any], sentence: str) -> None:
    match = match_of("tictactoe", "human", "human")
    record = json.loads(match.record()) | change
    with pytest.raises(GamesearchError, match=sentence):
        match.game.read_record(json.dumps(record))


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, "[Event]\n1. e4"])
def test_what_is_no_record(text: str) -> None:
    with pytest.raises(GamesearchError, match="not a game saved"):
        load("tictactoe").read_record(text)


def test_a_game_without_a_notation_is_read_back_from_its_start() -> None:
    match = Match(Circle(), 0, [HUMAN, HUMAN])
    match.play(1)
    assert Circle().read_record(match.record()) == (0, [1])


def test_begin_checks_the_end() -> None:
    match = match_of("tictactoe", "human", "human")
    with pytest.raises(GamesearchError, match="goes on after its end"):
        match.begin(match.start, [0, 3, 1, 4, 2, 5])
    assert match.moves == []


def test_files_are_written_whole_and_never_over_others(tmp_path: Path) -> None:
    match = played(match_of("tictactoe", "human", "human"), "5 1")
    name = str(tmp_path / "a game.json")
    write_file(name, match.record())
    assert read_file(name, match.game) == (match.start, match.moves)
    with pytest.raises(GamesearchError, match="exists already"):
        write_file(name, "other")
    write_file(name, "other", overwrite=True)
    assert Path(name).read_text() == "other"
    assert [path.name for path in tmp_path.iterdir()] == ["a game.json"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("", "needs a name"), ("nowhere/x.json", "no folder"), (".", "not a file"), ("a\0b", "needs a name")],
)
def test_files_that_cannot_be_written(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GamesearchError, match=sentence):
        write_file(name, "text", overwrite=True)


def test_a_link_goes_on_pointing_to_its_file(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_file(str(link), "new", overwrite=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    game = load("tictactoe")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x80")
    (tmp_path / "other").write_text("{}")
    for name, sentence in (("missing", "no file"), ("binary", "not text"), ("other", "not a game"), (".", "folder")):
        with pytest.raises(GamesearchError, match=sentence):
            read_file(str(tmp_path / name), game)


# What is typed. ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("e4", Line(move=12 | 28 << 6)),
        (" E2E4 ", Line(move=12 | 28 << 6)),
        ("?", Line(command="help")),
        ("UNDO", Line(command="undo")),
        ("q", Line(command="quit")),
        ("save my game.pgn", Line(command="save", argument="my game.pgn")),
        ("save! 'my game.pgn'", Line(command="save!", argument="my game.pgn")),
        ("load", Line(command="load")),
    ],
)
def test_lines(text: str, line: Line) -> None:
    game = load("chess")
    assert read_line(game, game.initial(), text) == line


def test_every_command_is_understood() -> None:
    game = load("tictactoe")
    for usage in COMMANDS:
        assert read_line(game, game.initial(), usage.split()[0]).command == usage.split()[0]


def test_a_beginning_that_fits_one_move_is_the_move() -> None:
    game = load("pig")
    s = game.parse("0,0,5")
    assert read_line(game, s, "HO") == Line(move=game.parse_move(s, "hold"))
    with pytest.raises(GamesearchError, match="not a legal move"):
        read_line(load("chess"), load("chess").initial(), "N")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rool", "did you mean roll"),
        ("undoo", "did you mean undo"),
        ("xyzzy", "type moves for those that are"),
        ("x" * 100_000, "not a legal move"),
        ("\x1b[2J", "not a legal move"),
        ("undo 3", "did you mean undo"),
    ],
)
def test_nonsense(text: str, sentence: str) -> None:
    game = load("pig")
    with pytest.raises(GamesearchError, match=sentence) as caught:
        read_line(game, game.parse("0,0,5"), text)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def test_chess_suggests_once() -> None:
    game = load("chess")
    with pytest.raises(GamesearchError) as caught:
        read_line(game, game.initial(), "Nf4")
    assert str(caught.value).count("did you mean") == 1


def test_completions() -> None:
    game = load("pig")
    assert completions(game, game.parse("0,0,5"), "h") == ["hold", "hint", "help"]


def test_records_from_before_a_game_had_more_parameters_are_read() -> None:
    game = load("checkers")
    record = game.record(game.initial(), [], {})
    assert "no_progress" in record
    for text in ("checkers(size=8)", "checkers", "checkers(no_progress=0)"):
        assert game.read_record(json.dumps(json.loads(record) | {"game": text}))[1] == []
    for text in ("checkers(size=6)", "checkers(no_progress=40)", "draughts(size=8)", "checkers(", "checkers(9)"):
        with pytest.raises(GamesearchError, match="not of checkers"):
            game.read_record(json.dumps(json.loads(record) | {"game": text}))
