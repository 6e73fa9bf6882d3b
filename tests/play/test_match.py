"""A match: its history, and how it ends."""

import itertools

import pytest
from choices import each_speed
from match_support import HUMAN, THREE, Circle, computer, match_of, play_moves
from support import Corridor

from benchmarks.random_play import play_at_random
from gamesearch.api import perft
from gamesearch.errors import GamesearchError
from gamesearch.files.records import read_record
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.play.match import Match, number_moves
from gamesearch.play.players.player import Human
from gamesearch.registry import game_names, load
from gamesearch.render.match import ending, move_line, prompt
from gamesearch.tui.match_panel import moves_text


# History. ----------------------------------------------------------------------------------------
def test_undo_takes_back_to_the_previous_turn_of_a_human() -> None:
    match = play_moves(match_of("tictactoe", "human", "random"), "5 1 2 8")
    assert match.undo() == 2
    assert match.move_names() == ["5", "1"]
    assert match.undo() == 2
    assert match.undo() == 0
    assert match.state == match.start
    assert match.redo() == 2
    assert match.redo() == 2
    assert match.redo() == 0
    assert match.move_names() == ["5", "1", "2", "8"]


def test_between_humans_one_move_is_taken_back() -> None:
    match = play_moves(match_of("tictactoe", "human", "human"), "5 1 2")
    assert match.undo() == 1
    assert match.turn == MAX
    play_moves(match, "3")
    assert match.redo() == 0, "after another move, the moves taken back cannot be redone"
    assert match.move_names() == ["5", "1", "3"]


def test_a_move_that_is_taken_back_and_repeated_has_the_same_roll() -> None:
    match = play_moves(match_of("pig", "human", "human", seed=1), "roll")
    first = match.roll()
    assert match.number == 2, "a roll is not counted as a move"
    assert match.undo() == 2
    assert match.turn == MAX
    play_moves(match, "roll")
    assert match.turn == CHANCE
    assert match.roll() == first


def test_swap() -> None:
    match = play_moves(match_of("tictactoe", "human", "random"), "5 1")
    match.swap()
    assert not match.player.is_human
    assert match.players[MIN].is_human
    with pytest.raises(GamesearchError, match="3 players"):
        match_of(THREE, "human", "maxn", "maxn").swap()


# Ends. -------------------------------------------------------------------------------------------
def test_outcomes() -> None:
    match = match_of("tictactoe", "human", "human")
    assert match.outcome is None
    assert not match.is_over
    play_moves(match, "1 4 2 5 3")
    assert match.is_over
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.utility) == (MAX, 1)
    draw = play_moves(match_of("tictactoe", "human", "human"), "1 2 3 5 4 6 8 7 9").outcome
    assert draw is not None
    assert draw.is_draw
    assert draw.winner is None


def test_resigning_gives_the_other_the_win() -> None:
    match = play_moves(match_of("chess", "human", "human"), "e4")
    match.resign()
    assert match.is_over
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == (MAX, "resignation")
    assert '[Result "1-0"]' in match.record()
    assert '[Termination "Black resigned"]' in match.record()


def test_payoffs_that_are_amounts_name_no_winner() -> None:
    outcome = play_moves(match_of("tree", "human", "human"), "a a").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.is_draw, outcome.utility) == (None, False, 3)
    outcome = play_moves(match_of(THREE, "human", "human", "human"), "a b").outcome
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


def test_a_game_is_drawn_if_superko_forbids_every_move() -> None:
    game = Corridor(4, 1)
    match = Match(game, game.initial(), [HUMAN, computer(game)])
    match.play(-1)
    assert match.steps == []
    assert match.is_over
    assert match.outcome is not None
    assert (match.outcome.is_draw, match.outcome.utility, match.outcome.reason) == (True, 0, "no move")
    assert ending(match) == "drawn because every move would repeat a position, after move 1"
    assert read_record(game, match.record()) == (match.start, [-1])
    with pytest.raises(GamesearchError, match="its move 2, '1', is not legal in 0"):
        read_record(game, match.record().replace('"-1"', '"-1", "1"'))


@each_speed
def test_forbidden_moves_end_sequences_and_random_games(speed: str) -> None:
    game = Corridor(4, 1)
    assert [perft(game, game.initial(), depth, speed=speed) for depth in range(4)] == [1, 2, 1, 0]
    played = play_at_random(game, game.initial(), 100, speed=speed)
    assert played.moves == 100
    assert 50 < played.games < 100  # a game lasts one move if the first move is to the left, otherwise two


def test_positions_before_the_match_can_recur_and_cannot_be_taken_back() -> None:
    game = load("morris")
    match = Match(game, game.initial(), (HUMAN, HUMAN))
    match.begin(game.initial(), (), [game.initial(), game.initial()])
    assert match.is_repeated
    assert match.past == [game.initial()] * 2
    assert match.player_turn().past == match.past
    assert match.undo() == 0


# Move numbers. ------------------------------------------------------------------------------------
AFTER_12_MOVES = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 2 12"


def match_at(name: str, position: str = "", *moves: str) -> Match:
    game, start = load(name).setup(position)
    match = Match(game, start, [Human()] * game.players, seed=1)
    for text in moves:
        match.play(game.parse_move(match.state, text))
    return match


def line_of(match: Match, *moves: str) -> list[int]:
    found, s = [], match.state
    for text in moves:
        found.append(match.game.parse_move(s, text))
        s = match.game.result(s, found[-1])
    return found


@pytest.mark.parametrize(
    ("name", "position", "moves", "text"),
    [
        ("chess", "", ("e4", "e5", "Nf3"), "1. e4 e5 2. Nf3"),
        ("chess", AFTER_12_MOVES, ("b6", "b3", "Bb7"), "12... b6 13. b3 Bb7"),
        ("checkers", "", ("11-15", "23-19", "8-11"), "1. 11-15 23-19 2. 8-11"),
        ("backgammon", "", ("31", "8/5 6/5", "62", "24/18 13/11"), "31 1. 8/5 6/5 62 24/18 13/11"),
        ("connect4", "", ("4", "4", "5"), "4 4 5"),
        ("othello", "", ("f5", "d6"), "f5 d6"),
    ],
)
def test_variations_have_standard_move_numbers(name: str, position: str, moves: tuple[str, ...], text: str) -> None:
    match = match_at(name, position)
    assert " ".join(number_moves(match.game, match.state, line_of(match, *moves))) == text


def test_the_numbers_of_a_line_continue_the_numbers_of_the_match() -> None:
    match = match_at("checkers", "", "11-15", "23-19", "8-11")
    assert (
        " ".join(number_moves(match.game, match.state, line_of(match, "22-17", "4-8"), match.number))
        == "2... 22-17 3. 4-8"
    )
    assert number_moves(match.game, match.state, line_of(match, "22-17", "4-8"), match.number, skip=1) == ["3. 4-8"]


def test_a_match_of_chess_counts_moves_and_not_plies() -> None:
    match = match_at("chess", AFTER_12_MOVES)
    assert (match.number, match.last_number, prompt(match)) == (12, 0, "move 12, Black> ")
    s, m = match.state, line_of(match, "b6")[0]
    assert move_line(match.game, s, m, match.number) == "12... Black: b6"
    match = match_at("chess", AFTER_12_MOVES, "b6", "b3", "Bb7")
    assert (match.number, match.last_number) == (14, 13)
    rows = [row.split() for row in moves_text(match, 38).plain.splitlines()]
    assert rows == [["12.", "...", "b6"], ["13.", "b3", "Bb7"]]
    rows = [row.split() for row in moves_text(match_at("connect4", "", "4", "4", "5"), 38).plain.splitlines()]
    assert rows == [["1.", "4", "2.", "4"], ["3.", "5"]]


@pytest.mark.parametrize("name", game_names())
def test_every_game_declares_whether_players_alternate(name: str) -> None:
    game: Game = load(name)
    has_repeated = False
    for seed in range(8):
        match = Match(game, game.initial(), [Human()] * game.players, seed)
        movers: list[int] = []
        while not game.terminal(match.state) and len(match.moves) < 60:
            if match.turn == CHANCE:
                match.roll()
                continue
            movers.append(match.turn)
            match.play(match.steps[(seed + 7 * len(match.moves)) % len(match.steps)])
        has_repeated |= any(before == after for before, after in itertools.pairwise(movers))
    assert has_repeated != game.turns_alternate or game.chance, "with dice, a player may move twice in a row"


def test_a_win_is_counted_in_moves_of_the_winner() -> None:
    tictactoe, chess, kalah, yavalath = map(load, ("tictactoe", "chess", "kalah", "yavalath"))
    assert [tictactoe.win_text(tictactoe.initial(), 0, plies) for plies in (0, 1, 2, 5)] == [
        "X has won", "X wins in 1 move", "X wins in 1 move", "X wins in 3 moves",
    ]  # fmt: skip
    assert chess.win_text(chess.initial(), 0, 5) == "White mates in 3"
    said = kalah.win_text(kalah.initial(), 0, 5)
    assert said == "South wins after 5 more moves", "one side may make all of these moves"
    assert yavalath.win_text(yavalath.initial(), 2, 4) == "Red wins in 2 moves"
    misere = load("nim(heaps=3, misere=true)")
    assert [misere.win_text(misere.initial(), player, 3) for player in (0, 1)] == [
        "Max wins in 2 moves", "Min wins in 1 move",
    ]  # fmt: skip
    assert misere.win_text(misere.initial(), 1, 1) == "Min wins after 1 more move", "Min makes no move"
