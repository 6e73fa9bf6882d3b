"""A match: its history, and how it ends."""

from typing import Any

import pytest
from choices import each_speed
from match_support import HUMAN, THREE, Circle, computer, match_of, played
from support import Corridor

from benchmarks.random_play import play_at_random
from gamesearch.api import perft
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.play.match import Match
from gamesearch.registry import load
from gamesearch.render.match import ending


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


def test_between_humans_one_move_is_taken_back() -> None:
    match = played(match_of("tictactoe", "human", "human"), "5 1 2")
    assert match.undo() == 1
    assert match.turn == MAX
    played(match, "3")
    assert match.redo() == 0, "after another move, the moves taken back cannot be redone"
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


def test_swap() -> None:
    match = played(match_of("tictactoe", "human", "random"), "5 1")
    match.swap()
    assert not match.player.is_human
    assert match.players[MIN].is_human
    with pytest.raises(GamesearchError, match="3 players"):
        match_of(THREE, "human", "maxn", "maxn").swap()


def test_number_of_players() -> None:
    game = load(THREE)
    with pytest.raises(GamesearchError, match="needs 3 players, not 2"):
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


def test_a_game_is_drawn_if_superko_forbids_every_move() -> None:
    game = Corridor(4, 1)
    match = Match(game, game.initial(), [HUMAN, computer(game)])
    match.play(-1)
    assert match.steps == []
    assert match.is_over
    assert match.outcome is not None
    assert (match.outcome.is_draw, match.outcome.utility, match.outcome.reason) == (True, 0, "no move")
    assert ending(match) == "drawn because every move would repeat a position, after 1 move"
    assert game.read_record(match.record()) == (match.start, [-1])
    with pytest.raises(GamesearchError, match="its move 2, '1', is not legal in 0"):
        game.read_record(match.record().replace('"-1"', '"-1", "1"'))


@each_speed
def test_forbidden_moves_end_sequences_and_random_games(speed: str) -> None:
    game = Corridor(4, 1)
    assert [perft(game, game.initial(), depth, speed=speed) for depth in range(4)] == [1, 2, 1, 0]
    played = play_at_random(game, game.initial(), 100, speed=speed)
    assert played.moves == 100
    assert 50 < played.games < 100  # a game lasts one move if the first move is to the left, otherwise two


def test_rules_without_any_move_are_an_error() -> None:
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


def test_positions_before_the_match_can_recur_and_cannot_be_taken_back() -> None:
    game = load("morris")
    match = Match(game, game.initial(), (HUMAN, HUMAN))
    match.begin(game.initial(), (), [game.initial(), game.initial()])
    assert match.is_repeated
    assert match.past == [game.initial()] * 2
    assert match.player_turn().past == match.past
    assert match.undo() == 0
