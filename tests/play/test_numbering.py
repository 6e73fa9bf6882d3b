"""Move numbers in standard notation, and distances to a win counted in moves."""

import itertools

import pytest

from gamesearch.game import CHANCE, Game
from gamesearch.play.match import Match, number_moves
from gamesearch.play.players.player import Human
from gamesearch.registry import game_names, load
from gamesearch.render.match import move_line, prompt
from gamesearch.tui.match_panel import moves_text

AFTER_12_MOVES = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 2 12"


def match_of(name: str, position: str = "", *moves: str) -> Match:
    game, start = load(name).setup(position)
    match = Match(game, start, [Human()] * game.players, seed=1)
    for text in moves:
        match.play(game.parse_move(match.state, text))
    return match


def line(match: Match, *moves: str) -> list[int]:
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
    match = match_of(name, position)
    assert " ".join(number_moves(match.game, match.state, line(match, *moves))) == text


def test_the_moves_of_a_match_go_on_in_the_numbers_of_its_line() -> None:
    match = match_of("checkers", "", "11-15", "23-19", "8-11")
    assert (
        " ".join(number_moves(match.game, match.state, line(match, "22-17", "4-8"), match.number))
        == "2... 22-17 3. 4-8"
    )
    assert number_moves(match.game, match.state, line(match, "22-17", "4-8"), match.number, skip=1) == ["3. 4-8"]


def test_a_match_of_chess_counts_moves_and_not_plies() -> None:
    match = match_of("chess", AFTER_12_MOVES)
    assert (match.number, match.moves_made, prompt(match)) == (12, 0, "move 12, Black> ")
    s, m = match.state, line(match, "b6")[0]
    assert move_line(match.game, s, m, match.number) == "12... Black: b6"
    match = match_of("chess", AFTER_12_MOVES, "b6", "b3", "Bb7")
    assert (match.number, match.moves_made) == (14, 2)
    rows = [row.split() for row in moves_text(match, 38).plain.splitlines()]
    assert rows == [["12.", "...", "b6"], ["13.", "b3", "Bb7"]]
    rows = [row.split() for row in moves_text(match_of("connect4", "", "4", "4", "5"), 38).plain.splitlines()]
    assert rows == [["1.", "4", "2.", "4"], ["3.", "5"]]


def test_an_additional_turn_has_its_own_number() -> None:
    match = match_of("kalah", "", "3", "1")  # the last seed of the third pit falls into the store
    assert match.game.player(match.states[1]) == match.game.player(match.states[0])
    assert (match.number, match.moves_made) == (3, 2)


def test_a_position_that_is_written_as_moves_counts_them() -> None:
    match = match_of("connect4", "445")
    assert (match.number, match.moves_made) == (4, 0)


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
    assert [tictactoe.win_text(0, plies) for plies in (0, 1, 2, 5)] == [
        "X has won", "X wins in 1 move", "X wins in 1 move", "X wins in 3 moves",
    ]  # fmt: skip
    assert chess.win_text(0, 5) == "White mates in 3"
    assert kalah.win_text(0, 5) == "South wins after 5 more moves", "it may make all of them"
    assert yavalath.win_text(2, 4) == "Red wins in 2 moves"
