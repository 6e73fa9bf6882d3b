"""Values and results: exact values are described in words, and estimates as numbers in the game's unit."""

from support import playout

from gamesearch import search
from gamesearch.algorithms.engine.result import SearchResult, Statistics, Value, payee
from gamesearch.game import MAX, Game
from gamesearch.notation import player_name
from gamesearch.play.match import Match
from gamesearch.play.players.player import Human
from gamesearch.registry import game_names, load
from gamesearch.render.match import analysis_line, board_of, captures, last_move_line
from gamesearch.render.solution import grundy_lines
from gamesearch.render.value_words import found_text, number_text, winner_words
from gamesearch.solvers.periods import GrundyTable, Period


def describe(text: str, value: Value, position: str = "", *, certain: bool = False, bound: str = "exact") -> str:
    game: Game[object] = load(text)
    state = game.parse(position) if position else game.initial()
    result = SearchResult("alphabeta", value, bound, None, (), Statistics(nodes=1, depth=1), sees_the_end=certain)
    return analysis_line(game, state, result).removesuffix(", 1 node, depth 1")


EXACT: list[tuple[str, Value, str]] = [
    ("tictactoe", 0, "a draw with best play"),
    ("tictactoe", -1, "O wins"),
    ("othello", 12, "Black wins by 12 discs"),
    ("othello", -1, "White wins by 1 disc"),
    ("kalah", -3, "North wins by 3 seeds"),
    ("pig", 0.25, "25 % chance for Max"),
    ("tree", 3, "value 3 for Max"),
    ("buildorder", -434, "value -434 seconds for builder"),
]
ESTIMATES: list[tuple[str, Value, str]] = [
    ("chess", 0.3456, "White is better by 0.35 pawns"),
    ("chess", -1, "Black is better by 1 pawn"),
    ("backgammon", 0.5, "White is better by 0.5 points"),
    ("othello", 2.0797, "Black is better by 2.08 discs"),
    ("tictactoe", 0, "even"),
    ("hex", -0.2, "40 % chance for X"),
    ("y", 1 / 3, "67 % chance for X"),
    ("yavalath", (0.5, 0.25, 0.25), "chances: 50 % for White, 25 % for Black, 25 % for Red"),
    ("go", 51, "50 % chance for Black"),
]


def test_values_are_described_on_the_scale_of_the_game() -> None:
    for values, certain in ((EXACT, True), (ESTIMATES, False)):
        for game, value, words in values:
            assert describe(game, value, certain=certain) == words
    assert describe("othello", 4, bound="lower") == "value at least 4 discs for Black"
    assert describe("hex", 0.5, bound="upper") == "at most 75 % chance for X"
    assert [number_text(load("chess"), each) for each in (0.5, -0.004, -1.0)] == ["+0.50", "0.00", "-1"]


def test_after_a_move_the_distance_is_that_of_the_position_on_the_board() -> None:
    """After each move of the principal variation, the old result is described like the result of a new search."""
    for game, position, algorithm in (
        ("tictactoe", "X.O/.../..X", "alphabeta(depth=full)"),
        ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "alphabeta(depth=4)"),
    ):
        rules: Game[object] = load(game)
        s, said = rules.parse(position), list[tuple[str, str]]()
        found = search(rules, s, algorithm, speed="interpreted")
        while found.best is not None:
            before, s = s, rules.result(s, found.best)
            words = found_text(rules, before, found, is_played=True)
            if rules.terminal(s):
                assert words.endswith("has won")
                break
            found = search(rules, s, algorithm, speed="interpreted")
            said.append((words, found_text(rules, s, found)))
        assert said
        assert all(ours == theirs for ours, theirs in said), said


def test_every_game_names_the_unit_of_its_estimates() -> None:
    """Exceptions are games with abstract payoffs, and games without an evaluation, whose values are exact or 0."""
    for name in game_names():
        game = load(name)
        is_named = bool(game.unit) or "chance" in describe(name, game.evaluate(game.initial()))
        if not is_named and name != "random_tree":
            estimates = {game.evaluate(s) for seed in range(5) for s in playout(game, seed)[:-1]}
            assert len(estimates) <= 1, f"{name} must declare `unit` or `estimates_are_chances`"


def test_pieces_lost_are_counted_from_the_start_of_the_match() -> None:
    for game, moves, captured in (
        ("go(size=3)", "B2 B3 A3 pass C3", [0, 1]),
        ("go(size=3, suicide=true)", "A3 A2 B2 B1 C1 A1", [0, 3]),
        ("checkers", "11-15 22-18 15x22", [0, 1]),
        ("morris", "", [0, 0]),
    ):
        rules: Game[object] = load(game)
        match = Match(rules, rules.initial(), [Human(), Human()])
        for name in moves.split():
            match.play(rules.parse_move(match.state, name))
        assert captures(match) == captured
        black, white = reversed(captured)
        assert (
            board_of(match).notes[-1] == f"captured: {player_name(rules, 0)} {black}, {player_name(rules, 1)} {white}"
        )


def test_after_a_resignation_the_board_says_nothing_about_the_next_turn() -> None:
    match = Match(load("dotsandboxes"), load("dotsandboxes").initial(), [Human(), Human()])
    assert list(board_of(match).notes) == ["A 0, B 0; A to move"]
    match.resign()
    assert not board_of(match).notes


def test_the_last_move_of_a_player_is_found_behind_a_roll() -> None:
    rules: Game[object] = load("backgammon")
    match = Match(rules, rules.initial(), [Human(), Human()])
    assert last_move_line(match) == ""
    for name in ("31", "8/5 6/5", "63"):
        match.play(rules.parse_move(match.state, name))
    assert last_move_line(match) == "1. White: 8/5 6/5"


# Players, and tables of Grundy numbers. -----------------------------------------------------------
TICTACTOE = load("tictactoe")
SEVERAL = load("{1/2: [(1,2,3),(3,2,1)], 1/2: p3[(0,0,1),(1,0,0)]}")


class Unnamed(Game[int]):
    """A game that does not name its players, so they have the default names."""

    def __init__(self, players: int) -> None:
        self.players = players


def test_with_several_players_a_value_is_for_the_player_to_move() -> None:
    tree = load("[[1,2],[3,4]]")
    assert [payee(tree, tree.parse(path)) for path in ("root", "a")] == [MAX, MAX]
    assert [payee(SEVERAL, SEVERAL.parse(path)) for path in ("root", "a", "b")] == [MAX, 0, 2]


def test_winner_and_distance_in_words() -> None:
    s, distances = TICTACTOE.parse("X../.../..."), (0, 1, 3, None)
    said = [winner_words(TICTACTOE, s, -1.0, distance) for distance in distances]
    assert said == ["O has won", "O wins in 1 move", "O wins in 2 moves", "O wins"]
    assert winner_words(TICTACTOE, None, 0.0, None) == winner_words(TICTACTOE, None, 0.5, None) == ""
    assert winner_words(SEVERAL, SEVERAL.initial(), SEVERAL.MINSCORE, 2, whose=2) == "P3 loses in 1 move"
    assert winner_words(Unnamed(1), None, 1.0, 3) == "Max wins in 3 moves"
    assert winner_words(Unnamed(1), None, -1.0, 0) == "Max has lost"


def test_a_period_that_is_too_long_for_a_line_is_broken_at_equal_places() -> None:
    table = GrundyTable((9, 1, 2, 3, 4, 0, 1, 2, 3, 4), Period(5, 1))
    lines = [line.plain for line in grundy_lines(table, 11)]
    assert lines[1:5] == ["0  9* 1  2", "3  3  4", "5  0  1  2", "8  3  4"]
    assert lines[5].startswith("period 5 from 1 on, proved by the numbers up to 9")
    assert lines[5].endswith("* 1 exception before")
