"""Examples by hand: legal moves, ends, bounds, features, orders of moves and pictures of positions."""

from typing import Any

import pytest
from support import playout

from gamesearch.registry import load
from gamesearch.toolkit.boards import board_lines

CHECKERS, DRAUGHTS, DOTS, GOMOKU, MORRIS = "checkers", "draughts", "dotsandboxes(2, 2)", "gomoku(9)", "morris"

MOVES = [
    (CHECKERS, "W:WK22:B9,10,17,18", "22x22"),  # a round trip in either direction is one move
    (CHECKERS, "W:W26:B14,15,22,23", "26x17x10 26x19x10"),  # the name has intermediate squares only if necessary
    (CHECKERS, "W:W12:B8,7", "12x3"),  # a crowned piece stops, although as a king on 3 it could capture
    (DRAUGHTS, "W:WK11:B9,22,24,30", "11x33x20x3 11x39x25x3"),
    (DRAUGHTS, "W:W28,45:B22,12,K40", "28x8"),  # the largest number of pieces must be captured; all pieces count alike
    (DRAUGHTS, "W:WK1:B18,19,31,32", "1x26"),  # the Turkish stroke: 18 was jumped, and still blocks the way to 19
    ("kayles", "xx..xxx min", "1 1-2 2 5 5-6 6 6-7 7"),
    ("y(4)", "", "a1 a2 a3 a4 b2 b3 b4 c3 c4 d4"),
    ("yavalath(3)", "R.R/..../WW.../BB.B/RW. white", "d3"),  # White must stop Black's threat
    ("yavalath(3)", "R.R/..../WW.W./BB.B/R.. white", "c3 d3"),  # White may win instead
    (MORRIS, "WW./BBB/.../W....W/.../.../..B 0,0 white", "d7-g7 g4-g7xg1 g4-f4 a4-a1 a4-b4"),
    # All black pieces are in a mill, so each of them may be removed.
    ("morris(flying=false)", "WW./.../.../.....W/.../.../BBB 0,0 white",
     "a7-a4 d7-d6 d7-g7 g4-f4 g4-g7xa1 g4-g7xd1 g4-g7xg1"),
    ("ultimate", "53", "31 32 33 34 35 36 37 38 39"),
]  # fmt: skip
"""For each position, all legal moves."""

ENDS: list[tuple[str, str, Any]] = [
    (CHECKERS, "W:W:BK1", 100),
    (CHECKERS, "B:W9,14:B5", -100),
    (CHECKERS, "W:W21:B17,14", 100),
    (DRAUGHTS, "B:WK1:B", 100),
    (DRAUGHTS, "W:W36:B27,31", -100),
    ("connect4(rows=3, columns=5)", "253431115234254", 0),
    ("gomoku(3, connect=3)", "XOX/XOO/OXX", 0),
    ("kalah(3, 2)", "0,0,0:4/0,0,0:8", -4),
    (MORRIS, "WBW/.B./.../BB..BB/.../.B./WBW 0,0 white", -100),
    ("morris(flying=false)", "WBW/.B./.../B....B/.../.../.BW 0,0 white", -100),
    ("othello", "e6f4e3f6g5d6e7f5c5", 64),  # thirteen discs to none; empty squares are the winner's
    ("othello(4)", "OOOXOOO-OOO-XOOX X", -10),  # 3 to 11 discs, and two empty squares
    ("othello(4)", "OXXXXXOOXXOOXOOO X", 0),
    ("go(3)", "X../.../... X pass pass", 9),
    ("go(3)", "X../.../..O X pass pass", 0),
    ("go(3, komi=2.5)", ".X./XXX/O.O X pass pass", 1.5),
    ("pacman(layout=P.R, rounds=9)", "_P_ R1.2w 8 9", 9 - 500),
    ("yavalath(2)", "WB/RWR/BW red", (0, 0.5, 0.5)),
    ("buildorder('marine=1+depot=1', horizon=150)", "time=118 base=1 worker=4 barracks=1 marine@142 depot@140", -142),
    ("buildorder('marine=1+depot=1', horizon=150)", "time=140 base=1 worker=4 barracks=1 marine@164 depot@141", -150),
    ("buildorder('marine=1+depot=1', horizon=150)", "time=150 base=1 worker=4 barracks=1", -150),
]  # fmt: skip
"""Payoffs of finished games."""

BOUNDS = [
    ("kalah(3, 2)", "1,0,0:7/2,0,0:2", 2, 8),
    ("kalah(3, 2)", "1,0,0:7/2,0,0:2 north", 2, 8),
    ("kalah(3, 2)", "", -12, 12),
    ("dotsandboxes(1, 3)", "---/|....../--- B", -3, -3),
    (GOMOKU, "d5 a1 e5 a3 f5 a5", 1, 1),  # an open three
    (GOMOKU, "d5 a1 e5 a3 f5 c5 i9 i1", -1, 1),  # closed on one side
    (GOMOKU, "c5 a1 e5 a3 f5 a5", 1, 1),  # with a gap
    (GOMOKU, "d5 a1 e5 a3 f5 a7 g5", 1, 1),  # an open four
    (GOMOKU, "d5 c5 e5 a3 f5 a7 g5", -1, 1),  # a four that can be stopped
    ("gomoku(9, captures=true)", "d5 a1 e5 a3 f5 a7 g5", -1, 1),
    (GOMOKU, "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 i5 i1", 1, 1),
    ("gomoku(9, exact=true)", "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 i5 i1", -1, 1),  # six in a row do not win
    ("gomoku(4, connect=4)", "XO../..OX/OX../..XO", 0, 0),  # neither side has a row that can be won
    ("gomoku(4, connect=4)", "XO../..XO/OX../..OX", 0, 1),
    ("gomoku(4, connect=4)", "OX../..OX/XO../..XO", -1, 0),
]  # fmt: skip

FEATURES = [
    ("kalah(3, 2)", "3,0,1:1/2,2,1:2", (-1, -1, 2)),
    ("kalah(3, 2)", "3,0,1:1/2,2,1:2 north", (-1, -1, -2)),
    ("go(4)", "..../X..O/..../....", (0, 0, 0)),
    ("go(4)", "..../.X../..../....", (16, 4, 0)),
    ("go(4)", ".X.X/XXXX/OOOO/....", (0, -2, 2)),
    (MORRIS, "WWW/.B./.../W..B../.../.../W.B 0,0 white", (2, 2, 0, 0, -5, 2)),
    (MORRIS, "WWW/.B./.../W..B../.../.../W.B 0,0 black", (2, 2, 0, 0, -5, 2)),
    (MORRIS, "W.W/WWW/.../....../.../.../BBB 0,0 black", (2, 0, 1, 1)),
    (CHECKERS, "B:WK30,21:B1,5,10", (3 - 1, 0 - 1, 0 + 1 + 2 - 2, 1, 1, (2 + 1 + 2) - (2 + 2), 19 / 24, 1, 1 - 1, 0)),
    # Three possible fives lack two stones, and an open four is possible in two ways.
    (GOMOKU, "d5 a1 e5 i1 f5 a9", (0, 0, 2, 0, 3, 0)),
    ("pacman(layout=#.#/.P./#R#, rounds=9)", "", (0, 1, 1, 3, 1)),
    # Next to X (b1, b2, c2, b3): a1, c1, d1, a2, d2, a3, d3, a4, b4, c4; next to O (c3): d2, d3, d4, b4, c4.
    ("othello(4)", "b1", (0, (5 - 10) / (5 + 10), 0, 3 / 5)),
    ("chess(features=material)", "k7/8/8/8/8/8/P7/KQ6 w - - 0 1", (10,)),
    ("chess(features=mobility)", "k7/8/8/8/3N4/8/8/K7 w - - 0 1", (8,)),
    ("chess(features=mobility)", "startpos moves Nf3", (4,)),  # Nf3: d4 e5 g5 h4 g1; f3, h3 are lost; Rg1
    ("chess(features=rooks)", "k7/p7/8/8/8/8/7P/K1R4R w - - 0 1", (1,)),
    ("chess(features=rooks)", "k7/r6p/8/8/8/8/8/K6R w - - 0 1", (-0.5,)),
    ("chess(features=pawns)", "k7/7p/p7/8/4P3/8/8/K7 w - - 0 1", (1,)),
    ("chess(features=castled)", "r3k2r/8/8/8/8/8/8/R4RK1 w kq - 0 1", (1,)),
    ("chess(features=castled)", "k7/8/8/8/8/8/8/6KR w - - 0 1", (-1,)),
    ("chess(features=pieces)", "k7/pp6/8/8/8/8/8/KBB5 w - - 0 1", (0,)),
    ("chess(features=pair)", "k7/8/8/8/8/8/8/KBB5 w - - 0 1", (1,)),
    ("chess(features=pair)", "k7/8/8/8/8/8/8/KB1B4 w - - 0 1", (0,)),
    ("chess(features=check)", "k7/8/8/8/8/8/8/R1K5 b - - 0 1", (1,)),
    ("chess(features=check)", "r1k5/8/8/8/8/8/8/K7 w - - 0 1", (-1,)),
]
"""The first features of a position, or all of them."""

ORDERS = [
    ("connect4", "112233", "4", ""),
    ("connect4", "11223", "4", ""),
    (DOTS, "a3-b3 a2-a3 a2-b2", "b2-b3", ""),
    (DOTS, "a3-b3 a2-a3", "", "b2-b3 a2-b2"),  # give a box its third side
    ("kalah(6, 3)", "1,0,3,3,1,1:10/1,2,3,4,5,2:0", "6 4 1", ""),  # another turn, then captures
    (MORRIS, "WW./BB./.../....../.../.../... 7,7 white", "g7xb6 g7xd6 f6", ""),  # mills, then blocks
    (CHECKERS, "W:W22,32:B9,17,27", "22x6", ""),
    (CHECKERS, "W:W6,31:B12", "6-1 6-2", "31-26 31-27"),
    ("chess", "k7/8/8/3q4/4P3/8/8/K2Q4 w - - 0 1", "exd5 Qxd5+", ""),
    ("chess", "k7/4P3/8/8/8/8/8/K7 w - - 0 1", "e8=Q+ e8=R+ e8=B e8=N", ""),
    ("gomoku", "h8 a1 h9 a2 h10 a3 h11 a4", "h7 h12 a5", ""),
]
"""For each position, the moves with the greatest and with the least values of `order`."""

BROKEN: list[tuple[str, str, dict[str, int]]] = [
    ("hex(3)", ".../.../...", {"crosses": 1, "noughts": 1}),
    ("hex(3)", ".../.../...", {"crosses": 1}),
    ("hex(3)", ".../.../...", {"crosses": 1 << 9, "noughts": 1}),
    ("hex(3)", ".../.../...", {"noughts": 1}),
    ("chess", "", {"kings": 1 << 60, "diagonal": 0x3C | 0x2C << 56}),  # only Black has a king
    ("chess", "", {"kings": 1 << 4, "diagonal": 0x2C | 0x3C << 56}),
    ("chess", "", {"knights": 0}),
    ("chess", "", {"white": 0x1FFFF}),
    ("chess", "", {"pawns": 0xFF00}),
    (CHECKERS, "B:W18:B12", {"max_pieces": 1 << 8}),  # an unused bit
    (CHECKERS, "B:W18:B12", {"kings": 1}),
    (CHECKERS, "B:W18:B12", {"max_pieces": 1 << 34}),  # an uncrowned piece on the last row
    (CHECKERS, "B:W18:B12", {"max_pieces": 0x3_FDEF_DEF7}),  # more than 12 pieces
    (CHECKERS, "B:W18:B12", {"turn": 2}),
    (CHECKERS, "B:W18:B12", {"quiet": 1}),
    ("checkers(no_progress=2)", "B:WK18:B12", {"quiet": 5}),
]
"""For each position, changes of fields after which it is not consistent."""

PICTURES = [
    ("hex(3)", "XO./..X/...", " 1 X O .|  2 . . X|   3 . . .|      a b c|"
     "X connects top and bottom, O connects left and right"),
    ("y(4)", "./X./.../..O.", "     1 .|    2 X .|   3 . . .|  4 . . O .|   a b c d"),
    ("yavalath(3)", "", "  a 1 2 3| b 1 2 3 4|c 1 2 3 4 5| d 1 2 3 4|  e 1 2 3"),
    ("dotsandboxes(1, 2)", "a1-b1 a1-a2 a2-b2 b1-b2", "2 + - +   +|  ¦ B ¦|1 + - +   +|  a   b   c"),
    ("ultimate", "XXX....../........./........./O.....OO./........./........./........./........./......... -",
     "\\   / ¦ 1 2 3 ¦ 1 2 3|  X   ¦ 4 5 6 ¦ 4 5 6"),
    ("kayles(12-12)", "", "  0+ ¦ ¦ ¦ ¦ ¦ ¦ ¦ ¦ ¦ ¦| 10+ ¦ ¦ . ¦ ¦ ¦ ¦ ¦ ¦ ¦| 20+ ¦ ¦ ¦ ¦ ¦"),
    ("dawson(5)", "xx.x.", "3 p p . p .|2 . . . . .|1 P P . P ."),
    ("draughts", "W:WK46:B5", "  1-5     1     2     3     4     b| 6-10  6     7     8     9    10"),
    ("othello(4)", "", "1 . + . .|2 + O X .|3 . X O +|4 . . + .|  a b c d|Black 2, White 2; Black can play on +"),
]  # fmt: skip
"""The first lines of a picture, or all of them, separated by |. ¦ stands for | in the picture."""


@pytest.mark.parametrize(("text", "position", "moves"), MOVES)
def test_moves(text: str, position: str, moves: str) -> None:
    game, s = load(text).setup(position)
    found = [game.move_name(s, m) for m in game.moves(s)]
    assert sorted(found) == sorted(moves.split())


@pytest.mark.parametrize(("text", "position", "payoff"), ENDS)
def test_ends(text: str, position: str, payoff: Any) -> None:
    game, s = load(text).setup(position)
    assert game.terminal(s)
    assert game.utility(s) == payoff


@pytest.mark.parametrize(("text", "position", "lower", "upper"), BOUNDS)
def test_bounds(text: str, position: str, lower: float, upper: float) -> None:
    game, s = load(text).setup(position)
    assert game.bounds(s) == (lower, upper)


@pytest.mark.parametrize(("text", "position", "features"), FEATURES)
def test_features(text: str, position: str, features: tuple[float, ...]) -> None:
    game, s = load(text).setup(position)
    assert game.features(s)[: len(features)] == pytest.approx(features)


@pytest.mark.parametrize(("text", "position", "first", "last"), ORDERS)
def test_orders(text: str, position: str, first: str, last: str) -> None:
    game, s = load(text).setup(position)
    ordered = [game.move_name(s, m) for m in sorted(game.moves(s), key=lambda m: -game.order(s, m))]
    assert set(ordered[: len(first.split())]) == set(first.split())
    assert set(ordered[len(ordered) - len(last.split()) :]) == set(last.split())


@pytest.mark.parametrize(("text", "position", "changes"), BROKEN)
def test_inconsistent_positions_are_recognized(text: str, position: str, changes: dict[str, int]) -> None:
    game, s = load(text).setup(position)
    assert game.consistent(s)
    assert not game.consistent(s._replace(**changes))


@pytest.mark.parametrize(("text", "position", "picture"), PICTURES)
def test_pictures(text: str, position: str, picture: str) -> None:
    game, s = load(text).setup(position)
    lines = [line.replace("¦", "|") for line in picture.split("|")]
    assert board_lines(game.board(s))[: len(lines)] == lines


# If sides are exchanged, so are the win probabilities. -----------------------------------------------
BOARD: Any = load(CHECKERS)


def exchange(s: Any, *pairs: tuple[str, str]) -> Any:
    """Return the position with the given pairs of fields exchanged, and the other player to move."""
    fields = {one: getattr(s, other) for pair in pairs for one, other in (pair, pair[::-1])}
    return s._replace(turn=1 - s.turn, **fields)


def exchange_in_ultimate(s: Any) -> Any:
    boards = tuple(small >> 9 | small % (1 << 9) << 9 for small in s.boards)
    return exchange(s, ("crosses", "noughts"))._replace(boards=boards)


def turn_around(s: Any) -> Any:
    fields = {name: BOARD.turn_around(getattr(s, name)) for name in ("max_pieces", "min_pieces", "kings")}
    return exchange(s._replace(**fields), ("max_pieces", "min_pieces"))


MIRRORS: dict[str, Any] = {
    "backgammon": exchange,
    "checkers": turn_around,
    "dotsandboxes(3, 3)": lambda s: exchange(s, ("max_boxes", "min_boxes")),
    "go(5)": lambda s: exchange(s, ("black", "white")),
    "gomoku(size=7)": lambda s: exchange(s, ("crosses", "noughts"), ("max_pairs", "min_pairs")),
    "gomoku(size=9, captures=true)": lambda s: exchange(s, ("crosses", "noughts"), ("max_pairs", "min_pairs")),
    "othello(4)": exchange,
    "othello": exchange,
    "pig(30)": lambda s: exchange(s, ("max_score", "min_score")),
    "ultimate": exchange_in_ultimate,
}


@pytest.mark.parametrize("text", MIRRORS)
def test_evaluation_is_fair_and_never_certain(text: str) -> None:
    game = load(text)
    for seed in range(10):
        for s in playout(game, seed):
            if not game.terminal(s):
                value, other = game.evaluate(s), game.evaluate(MIRRORS[text](s))
                assert value + other == pytest.approx(2 * game.draw_value())
                assert game.MINSCORE < value < game.MAXSCORE


def test_the_shares_of_three_players_add_up_and_a_player_who_is_out_has_none() -> None:
    game, outs = load("yavalath(3)"), 0
    for seed in range(6):
        for s in playout(game, seed):
            if not game.terminal(s):
                shares = game.evaluate(s)
                assert sum(shares) == pytest.approx(1)
                turns = {game.player(each) for each in (s, *(game.result(s, m) for m in game.moves(s)))}
                assert not any(shares[player] == 0 for player in turns)
                outs += 0 in shares
    assert outs > 3
