"""Games accept several ways to write positions and moves, and reject other texts with a reason."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, REPETITION_DRAWS, Game
from gamesearch.registry import load

EMPTY_ROW = "/........."
FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
WIPED_OUT = "e6f4e3f6g5d6e7f5c5"

SAME_POSITIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "backgammon": {
        "opening": ("Opening", ""),
        "4HPwATDgc/ABMA max": ("Opening MAX", "max", "4HPwATDgc/ABMA", " 4HPwATDgc/ABMA,max "),
        "4HPwATDgc/ABMA max 31": ("opening max 31", "13", "max 3-1", "4HPwATDgc/ABMA 1 3"),
        "4HPwATDgc/ABMA min 66": ("min 66",),
        "4HPwATDgc/ABMA max 52": ("4HPwATDgc/ABMA:QYkqASAAIAAA",),
        "max ": ("GNUBGID 4HPwATDgc/ABMA:cAkAAAAAAAAA",),
    },
    "buildorder": {"time=34 minerals=1.25 gas=0 base=1 worker=5 depot@74": ("worker, depot", "1. Worker 2. depots")},
    "checkers": {
        "B:W21-32:B1-12": ("b : b1-12 : w 21-32.", ""),
        "W:W21-32:B1-10,12,15": ("1. 11-15", "11x15,"),
        "W:W18,24,K27:BK16,12": ("W:WK27,24,18:BK16,12",),
        "B:WK1,K2,K3:B9": ("B:WK1-3:B9",),
    },
    "chess": {
        "": ("startpos", "position startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
        "startpos moves e4 e5": ("startpos moves 1. e4 e5", "startpos moves e2e4 e7e5"),
        "startpos moves e4 e5 Nf3": ("1. e4 e5 2. Nf3",),
        "8/8/8/8/8/8/6k1/4K2R w K - 3 9": ("8/8/8/8/8/8/6k1/4K2R_w_K_-_3_9",),
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1": ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1",),
        "4k3/8/8/8/8/8/8/4KR2 w - - 99 80": (
            '4k3/8/8/8/8/8/8/4KR2 w - - 99 80 bm Rf8+; c0 "two moves";',
            "4k3/8/8/8/8/8/8/4KR2 w - - fmvn 80; hmvc 99;",
            '[FEN "4k3/8/8/8/8/8/8/4KR2 w - - 99 80"]',
        ),
        "4k3/8/8/8/8/8/3K4/5R2 b - - 10 8": ('[FEN "4k3/8/8/8/8/8/8/4KR2 w - - 9 8"]\n8. Kd2',),
    },
    "chess(variant=crazyhouse)": {
        "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq - 0 2": ("1. e4 d5 2. exd5",)
    },
    "connect4": {"4453": ("4,4,5,3", "4, 4, 5, 3", "1. 4 4 2. 5 3")},
    "dotsandboxes(2, 2)": {"a1-b1 b1-b2": ("a1-b1, B1B2", "a1b1 b2b1")},
    "draughts": {"W:W31-50:B1-20": ("W:W31-50:B1-20:H0:F1", "")},
    "go(5)": {"...../...X./...../.O.../..... O pass": ("1. D4 b2, pass",)},
    "gomoku(5)": {"...../..O../..X../...../X....": ("c3 C4, a1", "...../..O../..X../...../x....")},
    "gomoku(5, captures=true)": {"...../.X.../...../...../..... 1,1": ("...../.X.../...../...../..... 1 1",)},
    "hex(size=3)": {"X../.O./..X": ("a1 b2 c3",), "X../.O./...": ("a1b2",)},
    "hex(size=3, swap=true)": {".../O../..X swapped": ("b1 swap c3",)},
    "kalah(2, 2)": {
        "2,0:1/3,2:0 north": ("2 0 1 / 3 2 0 North", " 2,0,1,3,2,0 N", "2,0 : 1 / 3,2 : 0north"),
        "2,0:1/3,2:0": ("2,0:1/3,2:0 south",),
    },
    "kayles": {
        "xx.xxxx": ("2-4", "2 4 max", "||.||||", "XX xxxx"),
        "xx.xxxx min": ("2,4 MIN",),
        "x......": ("x",),
        ".......": ("0",),
    },
    "morris": {
        "W../B../.../....../.../.../... 8,8 white": ("a7 b6",),
        "WW./B../.../.....W/.../.../B.B 0,0 white": ("WW./B../.../.....w/.../.../b.b",),
        "WW./B../.../.....W/.../.../B.B 0,0 black": ("WW./B../.../.....w/.../.../b.b B",),
    },
    "kalah": {"4,4,0,5,5,5:1/4,4,4,4,4,4:0": ("3", "1. 3"), "4,4,0,5,5,0:2/5,5,5,5,4,4:0 north": ("3 6", "1. 3, 6")},
    "nim": {"3,4,5 min": (" 3-4,5  MIN",), "1,1,5": ("a2 b3", "1. a2 B3")},
    "pacman(layout=#.#/.P./#.#)": {"#_#/.P./#.# 14 8": ("north, south", "n s")},
    "pig": {"4,0,0 min": ("roll 4 hold", "R 4, H"), "0,0,5 roll": ("roll 5 roll",)},
    "othello": {
        FFO_1: (FFO_1.lower().replace("-", "."), FFO_1 + "; G8:+18; H1:+12;"),
        "f5d6c3": (" F5 d6C3 ", "1. f5 d6 2. c3", "f5, d6, c3"),
    },
    "othello(4)": {"b1c1d3a1 pass d4": ("b1c1d3a1d4",)},
    "random_tree": {"1.3.2": ("1 3 2", "1. 1 2. 3 3. 2")},
    "tictactoe": {"O../.X./..X": ("5 1 9", "1. b2 a1 2. c3", "519")},
    "ultimate": {"53 35": ("53, 35",)},
    "yavalath(3)": {"W../..../...../..../... black": ("w.. / .... / ..... / .... / ... B", "a1")},
}
"""For each position, other texts that are read as this position."""

SAME_MOVES: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("backgammon", "max 31"): {
        "8/5 6/5": ("6/5, 8/5", " 8 / 5  6/5 ", "31: 8/5 6/5", "8-5 6-5"),
    },
    ("backgammon", "max 65"): {"24/13": ("24/18/13", "24/18 18/13", "24/19/13")},
    ("backgammon", "max 11"): {"8/7(2) 6/5(2)": ("6/5 6/5 8/7 8/7", "6/5 (2) 8/7 (2)")},
    ("backgammon", "min 44"): {"24/16 13/9(2)": ("24/20/16 13/9(2)",)},
    ("backgammon", "max"): {"31": ("13", "3-1"), "66": (" 6 6 ",)},
    ("buildorder(goal='marine=1+medic=1')", "base=1 worker=4 refinery=1 barracks=1 academy=1"): {
        "marine": (" Marines ",), "medic": ("me",)
    },
    ("checkers", ""): {"11-15": (" 11 15", "11 - 15", "11x15")},
    ("checkers", "W:W22:B18,11"): {"22x8": ("22x15x8", "22 X 15 X 8", "22:8", "22-15-8")},
    ("chess", ""): {"Nf3": ("nf3", "g1f3", "G1F3", " Nf3+ ", "Ng1-f3", "Ngf3")},
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"): {
        "O-O": ("0-0",), "O-O-O": ("o-o-o", "e1c1"), "dxe6": ("de6",)
    },
    ("chess", "k7/8/8/8/8/2p5/1P6/B3K3 w - - 0 1"): {"bxc3": ("bc3",)},
    ("chess", "8/4P3/8/8/8/8/8/k1K5 w - - 0 1"): {"e8=Q": ("e8Q",), "e8=N": ("e7e8n",)},
    ("chess(variant=crazyhouse)", "k7/8/8/8/8/8/8/K7[NP] w - - 0 1"): {"N@f6": ("n@f6", " N@f6+ ", "N @ f6")},
    ("dotsandboxes(2, 2)", ""): {"a1-b1": ("A1B1", " b1 - a1 ", "b1a1")},
    ("draughts", "W:W37:B21,22,31,32"): {"37x37": ("37x26x17x28x37", "37 28 17 26 37")},
    ("go(9)", ""): {"J9": (" j9 ", "J 9"), "pass": ("PASS",)},
    ("gomoku(5)", ""): {"c3": (" C 3 ",)},
    ("kayles", ""): {"3-4": (" 3 4", "3,4", "3 - 4", "3+4"), "3": (" 3 ",)},
    ("morris", "WW./B../.../.....W/.../.../B.B 0,0 white"): {"g4-g7xb6": (" G4 - G7 x B6 ", "g4g7xb6")},
    ("nim", ""): {"b3": ("B: 3",)},
    ("nim(21, max_take=3)", ""): {"a2": ("2",)},
    ("othello", FFO_1): {"g8": (" G 8 ",)},
    ("pacman(layout=#.#/.P./#.#)", ""): {"north": ("N", " up ", "u")},
    ("ultimate", ""): {"53": ("5 3", " 5-3 ", "5.3", "5/3")},
    ("yavalath(3)", ""): {"c5": (" C 5 ",)},
}  # fmt: skip
"""For each move in a position, other texts that are read as this move. An empty position is the initial position."""

POSITIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "connect4": {"move 5 in '4453x': 'x' is not a column": ("4453x",)},
    "backgammon": {
        "Position ID .14 characters": ("4HPwATDgc/ABM", "4HPwATDgc/ABMA max 71", "opening31"),
        "a side has 16 checkers": ("////////////// max",),
        "has text after the checkers": ("AAAAAAAAAAAAgA",),
    },
    "backgammon(match=5)": {
        "the cube is 3": ("max cube 3 min",),
        "which ends the game": ("max 31 score 5-0",),
        "not the Crawford game": ("max score 2-1 crawford",),
        "White may not double": ("max offered cube 2 min",),
        "all checkers": ("AAAAAAgAAAAAAA min",),
    },
    "buildorder": {
        "0 base": ("",),
        "not a part": ("nonsense",),
        "whole number": ("time=1.5 base=1 worker=4",),
        "3 worker": ("base=1 worker=3",),
        "4 to 8": ("base=1 worker=9",),
        "marine requires barracks, which is missing": ("base=1 worker=4 marine=1",),
        "2 items are being built, but only 1 base can build them": ("base=1 worker=4 worker@10 worker@20",),
        "is impossible: the time after @ must be from": (
            "base=1 worker=4 worker@21",
            "time=30 base=1 worker=4 worker@30",
        ),
        "0 to 0": ("base=1 worker=4 factory=1",),
        "too little supply": ("base=1 worker=8 barracks=4 marine=3",),
    },
    "checkers": {
        "for example, B:W18": ("", "W:W1", "X:W9:B1", "W:W9:W1", "W:W9:B1:B2"),
        "'Q9' is neither a square": ("W:WQ9:B1",),
        "squares are 1 to 32": ("W:W33:B1", "W:W0:B1", "W:W12-9:B1"),
        "the square 9 twice": ("W:W9,9:B1", "W:W9:B9"),
        "13 white pieces: a side can have at most 12": ("W:W9-21:B1",),
        "the piece on 3 must be a king: write K3": ("W:W3:B9",),
        "the piece on 30 must be a king: write K30": ("W:W9:B30",),
        "no piece of Black, who moved last": ("W:W9:B",),
        r"use checkers\(no_progress=40\)": ("W:WK18:BK1:H3",),
    },
    "chess": {
        "empty": ("8/8/8/8/8/8/8/8 w - - 0 1",),
        "Black has no king": ("8/8/8/8/8/8/8/K7 w - - 0 1",),
        "not to move": ("kK6/8/8/8/8/8/8/R7 w - - 0 1",),
        "pawn": ("k7/8/8/8/8/8/8/KP6 w - - 0 1",),
        "castling": ("k7/8/8/8/8/8/8/K7 w KQ - 0 1",),
        "en passant": ("k7/8/8/8/8/8/8/K7 w - e6 0 1",),
        "kings": ("k7/8/8/8/8/8/8/KKK5 w - - 0 1",),
        "9999": ("k7/8/8/8/8/8/8/K7 w - - 99999 1",),
        "4 to 6": ("k7/8/8/8/8/8/8/K7", "k7/8/8/8/8/8/8/K7 w - - 0 1 2"),
        "8 rows": ("k7/8/8/8/8/8/8 w - - 0 1",),
        "legal move": ("startpos moves e2e5",),
    },
    "chess(variant=crazyhouse)": {
        "king is in hand": ("k7/8/8/8/8/8/8/K7[K] w - - 0 1",),
        "not a position in FEN": ("k7/8/8/8/8/8/8/K7[x] w - - 0 1",),
    },
    "chess(variant=threecheck)": {
        "0 to 3 checks": ("k7/8/8/8/8/8/8/K7 w - - 4+3 0 1",),
        "one side at least 1": ("k7/8/8/8/8/8/8/K7 w - - 0+0 0 1",),
        "operation of EPD": ("k7/8/8/8/8/8/8/K7 w - - x+3 0 1",),
        "4 to 7": ("k7/8/8/8/8/8/8/K7",),
    },
    "chess(variant=racingkings)": {
        "of racing kings does not have": ("8/8/8/8/8/8/P7/K6k w - - 0 1",),
        "check": ("8/8/8/8/8/8/8/KR5k w - - 0 1",),
    },
    "chess(variant=antichess)": {"castling is impossible": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",)},
    "dotsandboxes(rows=2, columns=2)": {
        "a1-c1 is not a line between two adjacent dots from a1 to c3": ("a1-c1",),
        "'a1' is not a line between two dots, such as a1-b1": ("a1",),
        "the line a1-b1 has already been drawn": ("a1-b1 b1-a1",),
        "is not 5 rows of 2, 5, ... characters": ("--/|.|.|/--",),
        "row 1, '-X', must not contain 'X'": ("-x/|.|.|/--/...../..",),
        "each box with four sides must have an owner": ("--/|A|.|/../...../..", "--/|.|.|/-./...../.."),
        "ends in 'C', but must end in A or B": ("--/...../../...../.. C",),
        "it is A's turn": ("--/...../../...../.. B",),
        "continues after the end of the game, at a1b1": (
            "a1b1 b1c1 a2b2 b2c2 a3b3 b3c3 a1a2 b1b2 c1c2 a2a3 b2b3 c2c3 a1b1",
        ),
    },
    "go(size=2)": {"A1 repeats an earlier position": ("A1 B2 A2 B1 A1 A2 A1",), "is taken": ("A1 A1",)},
    "go(size=3)": {
        "3 rows of 3": ("", ".../..."),
        "X, O or": (".../..Z/...",),
        "X or O for the side to move": (".../.../... Z", ".../.../... X pass pass pass", ".../.../... X pass ko A1"),
        "a chain without liberties": ("OX./X../...", "XXX/XXX/XXX"),
        "superko=false": ("..X/X../... X ko A1",),
        "or `ko` and a point": (".../.../... X ko Z9",),
    },
    "go(size=3, superko=false)": {
        "the last move cannot have captured": ("X../.../... X ko A3", ".X./X../... O ko A3", ".X./X../... X ko A3")
    },
    "gomoku(size=5)": {
        "'c3' is taken": ("c3 c3",),
        "'f1' is off the board, which goes from a1 to e5": ("f1",),
        "is not 5 rows of 5 marks .X, O or '.'": ("..../....",),
        "needs 2 moves of X and 0 of O": ("XX.../...../...../...../.....",),
        "after the board: leave it out": ("X..../...../...../...../..... 1,0",),
        "continues after the end of the game, at e2": ("a1 a2 b1 b2 c1 c2 d1 d2 e1 e2",),
        "continues after the end of the game": ("XXXXX/OOOOO/...../...../.....", "XXXXX/OO.OO/OO.OO/O..../XXXXX"),
    },
    "gomoku": {"'55' is not a cell, such as h8": ("55",)},
    "gomoku(size=7)": {"needs": ("XXXXX../O.O.O.O/O.O.O../......./......./XX.XX../XXXXX..",)},
    "gomoku(size=5, captures=true)": {
        "the numbers of pairs that X and O have taken, such as 1,0": ("X..../...../...../...../..... y",),
        "needs 1 moves of X and 2 of O": ("X..../...../...../...../..... 1,0",),
        "continues after the end of the game": ("...../...../...../...../..... 5,5",),
        "20 captured pairs: five end the game": ("...../...../...../...../..... 20,20",),
    },
    "hex(size=3)": {
        "3 rows of 3 marks .X, O": ("",),
        "3 rows": (".../...",),
        "X, O or": (".../.Z./...",),
        "2 X and 0 O, but X begins": ("XX./.../...",),
        "0 X and 1 O": ("O../.../...",),
        "swap=true": (".../.../... swapped",),
        "continues after the end of the game": ("XO./XO./XO.", "XXX/OOO/X.."),
    },
    "hex(size=3, swap=true)": {"after a swap": ("XX./.../... swapped", ".../.../... swapped")},
    "kalah(pits=2, seeds=2)": {
        "not 2 pits and a store for each side, such as 2,2:0/2,2:0": ("4,4,0",),
        "not 2 pits and a store": ("2,2:0/2,2:0 east", "2,2:0/2,-2:4", "9999999,2:0/2,2:0"),
        "has 9 seeds, but pits and stores must have 8": ("2,2:0/2,2:1",),
        "one side has no seeds in its pits, so all seeds must be in the stores": ("0,0:4/2,2:0",),
    },
    "kayles": {
        "is not a position: write the lengths of rows": ("",),
        ".2-4. or places": ("three", "xx.yx", "-3"),
        "at most 60": ("99999", "30-30"),
        "8 places, but kayles has 7": ("8",),
    },
    "morris": {
        "must be rows of W, B and '.'": (
            "",
            "WWW/BBB",
            "W.B/.W./.../....B/.../.W./B.. 6,6 white",
            "XXX/OOO/.../....../.../.../... 0,0 white",
        ),
        "White has more than 9 pieces": ("WWW/WWW/WWW/W...../.../.../BBB 0,0 white",),
        "the numbers of pieces in hand are impossible with this side to move": (
            "WW./BB./.../....../.../.../... 6,7 white",
            "WWW/BBB/.../....../.../.../... 6,6 black",
        ),
        "Black has already lost, with only two pieces left": ("WWW/B../.../....../.../.../..B 0,0 white",),
    },
    "checkers(no_progress=40)": {
        "ends with H81: write H and a number up to 80": ("W:WK18:BK1:H81",),
        "ends with H: write H and a number up to 80": ("W:WK18:BK1:H",),
        "ends with H-1": ("W:WK18:BK1:H-1",),
        "for example, B:W18": ("W:WK18:H3",),
    },
    "othello": {
        "is not a position: write 64 squares": (
            FFO_1[1:],
            FFO_1[:-2],
            FFO_1.replace("X", "Z"),
            FFO_1[:-1] + "-",
            "f5d6c",
        ),
        "in the middle is empty": ("-" * 64 + "X",),
        "the disc on a1 is not joined": ("X" + "-" * 26 + "OX------XO" + "-" * 27 + "X",),
        "'f5' turns over no disc: White can play f4, d6, f6": ("f5f5",),
        "continues at a1 after the end of the game": (WIPED_OUT + "a1",),
        "'pass' turns over no disc: Black can play d3, c4, f5, e6": ("pass",),
    },
    "pacman(layout=P..R, rounds=9)": {
        r"must contain the rows, the ghosts \(1\), the steps left": ("", "P.. R1.4- 9"),
        "does not have the maze": ("P.#_ R1.4- 9 0", "P..._ R1.4- 9 0"),
        "not 2": ("PP._ R1.4- 9 0",),
        "a dot that": ("P... R1.4- 9 0",),
        "does not describe ghost 1": ("P.._ B1.4- 9 0",),
        "in a wall": ("P.._ R1.5w 9 0",),
        "has left its start": ("P.._ R1.3- 9 0",),
        "out of a wall": ("P.._ R1.4w 9 0",),
        "steps cannot remain": ("P.._ R1.4-* 9 0", "P.._ R1.4- 10 0", "_P._ R1.4- 9 10"),
        "the score cannot be 10": ("_P._ R1.4-* 8 10",),
    },
    "pacman(layout=P..RR, rounds=9)": {"two ghosts": ("_P.__ R1.4-* R1.5-* 8 9",)},
    "ultimate": {
        "44 is in board 4, but the last move leads to board 3": ("53 44",),
        "cell 5 of board 5 is taken": ("55 55",),
        "'9' is not a move: write the numbers of a board and a cell, both from 1 to 9": ("59 9",),
        "'50' is not a move: write the numbers": ("50",),
        "is not nine rows of nine": ("X......../",),
        "has 2 X and 0 O": ("XX......." + 8 * EMPTY_ROW,),
        "must end with the number of the board to play in": ("X........" + 8 * EMPTY_ROW,),
        "the last move cannot have led to board 2": ("X........" + 8 * EMPTY_ROW + " 2",),
        "ends in 'Y'": ("X........" + 8 * EMPTY_ROW + " y",),
        "ends in '1 1'": ("X........" + 8 * EMPTY_ROW + " 1 1",),
        "both sides have three in a row in board 1": ("XXX....../OOO......" + 7 * EMPTY_ROW + " -",),
        "continues after the end of the game": ("XXXXXXXXX/........./........./OOOOOOOOO" + 5 * EMPTY_ROW + " -",),
    },
    "y(size=3)": {
        "3 rows of 1-2-3": ("", "./../.."),
        "continues after the end of the game": ("X/XO/XOO",),
    },
    "yavalath(side=3)": {
        "rows of 3, 4, 5, 4, 3": ("",),
        "rows of": ("WW./..../..... white",),
        "white, black or red": ("W../..../...../..../... pink", "W../..../...../..../... b r"),
        "Black's turn": ("W../..../...../..../... red",),
        "take turns": ("WW./..../...../..../... red",),
        "White, who is already out": ("WWW/..../BB.../RR../... white",),
        "after the end of the game": ("WWW/..../BBB../RRR./... red",),
    },
}
"""For each game, the texts that it rejects as positions, with the reason."""

MOVES: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("backgammon", "max 31"): {
        "must use as much of 31 as possible": ("8/5", "8/4 6/4", "pass"),
        "the 5 point has no blot": ("8/5* 6/5",),
        "must go from higher to lower places": ("5/8 6/5", "27/24 6/5"),
        "cannot read 'e4'": ("e4",),
        "cannot read ''": ("",),
    },
    ("backgammon", "max"): {"two numbers from 1 to 6": ("", "7", "37", "313", "roll")},
    ("checkers", "W:W22,32:B18,11"): {"you must play 22x8": ("32-27", "22x15")},
    ("checkers", "W:W22,32:B1"): {
        "you can play 32-27 or 32-28": ("32-31",),
        "you can play .*22-17.*32-28": ("1-5",),
        "not a move such as": ("e4", "22"),
    },
    ("checkers", "B:WK1:B"): {"the game is over": ("1-5",)},
    ("checkers", "W:W26:B14,15,22,23"): {"may mean 26x17x10 or 26x19x10": ("26x10",)},
    ("chess", ""): {
        "did you mean": ("Nf4",),
        "'Qh8' is not a legal move here": ("Qh8",),
        "not a legal move": ("--", "0000", ""),
    },
    ("chess", "k7/8/8/8/8/8/8/K1R5 b - - 0 1"): {"here: you can play Kb8, Kb7, Ka7": ("e5",)},
    ("chess", "8/4P3/8/8/8/8/8/k1K5 w - - 0 1"): {"e8=Q": ("e8",)},
    ("chess", "4r2k/8/8/8/8/8/4N3/4K1R1 w - - 0 1"): {
        "because the king would be in check": ("Nc3", "Nec3"),
        ", because White has no piece on": ("e8e7", "a1a2"),
    },
    ("chess", "7k/8/8/8/8/8/4q3/4K1R1 w - - 0 1"): {"because the king is in check: you can play Kxe2": ("Rg8",)},
    ("chess", "k7/8/8/8/8/8/8/K1N1N3 w - - 0 1"): {"may mean N[ce]d3 or N[ce]d3": ("Nd3",)},
    ("chess", "startpos moves f3 e5 g4 Qh4"): {"the game is over": ("a3",)},
    ("buildorder(goal='marine=1+medic=1')", "base=1 worker=4 refinery=1 barracks=1 academy=1"): {
        "'m' is not an item that can be started here: choose": ("m",)
    },
    ("connect4", "444444"): {"column 4 is full": ("4", "d"), "not a column from 1 to 7": ("8", "")},
    ("go", ""): {"'I5' is not a legal move": ("I5",)},
    ("go(3)", ".X./X../... O"): {"would be suicide": ("a3",)},
    ("draughts", "W:W37:B21,22,31,32"): {"you must play 37x37": ("37x28x17",)},
    ("kalah(pits=3, seeds=2)", "1,0,2:1/4,0,2:2"): {"not a legal move": ("2", "4", "", "three")},
    ("morris", "WW./B../.../.....W/.../.../B.B 0,0 white"): {
        "'g4-g7' closes a mill: add the piece to remove, such as g4-g7x": ("g4-g7",),
        "not a legal move": ("", "g4", "g4-a1", "g4-g1", "x", "d4"),
    },
    ("nim(21, max_take=3)", "21"): {"not a legal move": ("4",)},
    ("yavalath(3)", "R.R/..../WW.../BB.B/RW. white"): {"does not keep Black from making four": ("a2",)},
    ("yavalath(3)", "W../..../...../..../... black"): {
        "'a1' is taken": ("a1",),
        "not a legal move": ("f1", "a4", "c6", "", "5c"),
    },
    ("othello", ""): {"is not a square": ("zz", "d9"), "Black can play d3, c4, f5, e6": ("a1", "pass")},
    ("othello(size=4)", "b1c1d3a1"): {"'d4' is not legal: Black cannot turn over a disc and has to pass": ("d4",)},
    ("pacman(layout=#.#/.P./#.#)", "#.#/.P./#.# 16 0"): {"you can go north, east, south, west": ("stop",)},
    ("tictactoe", "X../.../..."): {"'1' is taken": ("1", "a1"), "'0' is not a legal move": ("0",)},
    ("ultimate", "XXX......" + 2 * EMPTY_ROW + "/O.....OO." + 5 * EMPTY_ROW + " -"): {
        "12 is in board 1, which is closed": ("12",)
    },
}
"""For each of some positions, texts that are rejected as moves, with the reason."""

PARAMETERS: dict[str, tuple[str, ...]] = {
    "counts or omitted": ("backgammon(features=count)",),
    "the goal .* is not of the form": ("buildorder(goal=marine)", "buildorder(goal='')"),
    "did you mean marine": ("buildorder(goal='marin=1')",),
    "is too large: at most 30 items are possible": ("buildorder(goal='marine=31')",),
    "is already reached at the start": ("buildorder(goal='worker=4')",),
    "workers=.* is not between": ("buildorder(workers=3)", "buildorder(workers=31)"),
    "horizon=.* is not between": ("buildorder(horizon=0)", "buildorder(horizon=3601)"),
    "4, 6, 8 or 10 rows": ("checkers(size=0)", "checkers(size=7)", "draughts(size=12)"),
    "is not a number of moves from 0 to 1000": ("draughts(no_progress=-1)", "checkers(no_progress=1001)"),
    "fischer": ("chess(values=fisher)",),
    "mobility": ("chess(features=mobilty)",),
    "the choices are ": ("chess(features='')",),
    "unknown variant 'foo': the choices are antichess, atomic, ": ("chess(variant=foo)",),
    "did you mean atomic": ("chess(variant=atomik)",),
    "unknown variant": ("chess(variant=illegal)", "chess(variant=racing_queens)"),
    "not a weight": ("chess(features=mobility:much)", "chess(features=mobility:nan)"),
    "names a feature twice": ("chess(features=material+material)",),
    "outweigh a mate": ("chess(features=material:100)", "chess(variant=horde, features=material:4)"),
    "0 to 959": ("chess(variant=chess960, start=960)", "chess(start=5)"),
    "rows=.* not possible": ("dotsandboxes(0, 1)", "dotsandboxes(1, 0)", "dotsandboxes(5, 6)", "dotsandboxes(1, 21)"),
    "komi": ("go(3, komi=1e999)",),
    "is not between 2 and": ("go(1)", "go(20)", "hex(size=1)", "hex(size=12)", "y(size=-1)"),
    "playouts must be patterns or uniform": ("go(playouts=random)",),
    "size=.* not possible: `size` must": ("gomoku(2)", "gomoku(20)", "gomoku(5, connect=6)", "gomoku(connect=8)"),
    "in Pente": ("gomoku(exact=true, captures=true)",),
    "pits=.* is not possible: a side must have 1 to 9 pits": ("kalah(0, 4)", "kalah(10, 1)"),
    "seeds=.* is not possible: if a side has": ("kalah(6, 0)", "kalah(8, 8)"),
    "lengths of rows": ("kayles(rows='')", "kayles(rows=-1)", "kayles(rows=1.5)"),
    "at most 60|1 to 60": ("kayles(rows=61)", "kayles(rows=0)", "kayles(rows=99999999)"),
    "3 to 9 pieces": ("morris(2, 3)", "morris(10, 3)"),
    "3 to 6 pieces": ("morris(7, 2)",),
    "1 to 3 rings": ("morris(9, 0)", "morris(9, 4)"),
    "heaps": ("nim(heaps='')", "nim(heaps=-3)", "nim(heaps=three)", "nim(heaps=3.5)", "nim(heaps='3,,4')"),
    "a heap of .* is too large": ("nim(heaps=9999999)", "nim(heaps=1048576)"),
    "max_take=-1": ("nim(max_take=-1)",),
    "is not 4, 6 or 8": ("othello(0)", "othello(5)", "othello(10)"),
    "did you mean small": ("pacman(layout=smal)",),
    "there is no file": ("pacman(layout=./no/such.txt)",),
    "1 P and 0 dots": ("pacman(layout=P)",),
    "2 P and 1 dots": ("pacman(layout=PP.)",),
    "cannot reach row 1, column 4": ("pacman(layout=P.#.)",),
    "more than 6 ghosts": ("pacman(layout=P.RRRRRRR)",),
    "more than 126 cells": (f"pacman(layout=P{126 * '.'})",),
    "rounds=.* is not between": ("pacman(rounds=0)", "pacman(rounds=1001)"),
    "penalty=.* is neither a number": ("pacman(penalty=-1)", "pacman(penalty=10001)", "pacman(penalty=some)"),
    "target=.* is not between": ("pig(target=0)", "pig(target=1001)"),
    "order=best is unknown": ("random_tree(order=best)",),
    r"is not possible: a tree must have 1 to 2\*\*53 leaves": (
        "random_tree(2, 54)", "random_tree(0)", "random_tree(depth=-1)", "random_tree(1, 1001)"
    ),
    "values=0": ("random_tree(values=0)",),
    "2 to 5 cells": ("yavalath(1)", "yavalath(6)"),
}  # fmt: skip
"""Specifications of games that are rejected, with the reason."""


class Place(NamedTuple):
    """A state of the game Walk."""

    number: int
    turn: int


@pytest.mark.parametrize("specification", SAME_POSITIONS)
def test_positions_can_be_written_in_several_ways(specification: str) -> None:
    game = load(specification)
    for usual, texts in SAME_POSITIONS[specification].items():
        for text in texts:
            assert game.format(game.setup(text)[1]) == game.format(game.setup(usual)[1]), text


class Walk(Game):
    """A game without `parse` and `format`, in which positions can repeat."""

    repetition = REPETITION_DRAWS

    def initial(self) -> Place:
        return Place(0, MAX)

    def player(self, s: Place) -> int:
        return s.turn

    def moves(self, s: Place) -> Iterator[int]:
        yield from (-1, 1)

    def result(self, s: Place, m: int) -> Place:
        return Place(s.number + m, 1 - s.turn)

    def terminal(self, s: Place) -> bool:
        return abs(s.number) == 3

    def utility(self, s: Place) -> int:
        return s.number // 3


def test_the_position_of_any_game_can_be_a_list_of_moves() -> None:
    game = Walk()
    assert game.setup("1, 1, -1") == (game, (1, MIN))
    assert game.positions_before("1, 1, -1") == [(0, MAX), (1, MIN), (2, MAX)]
    assert game.setup("2, 1") == (game, (2, MIN))  # two numbers describe a state of this game
    for text, why in (("1 1 2", "move 3 in '1 1 2': '2' is not a legal move"), ("0 1 1", "cannot read the position")):
        with pytest.raises(GamesearchError, match=why):
            game.setup(text)


@pytest.mark.parametrize(("specification", "position"), SAME_MOVES)
def test_moves_can_be_written_in_several_ways(specification: str, position: str) -> None:
    game, s = load(specification).setup(position)
    for name, texts in SAME_MOVES[specification, position].items():
        for text in texts:
            assert game.move_name(s, game.parse_move(s, text)) == name, text


@pytest.mark.parametrize("specification", POSITIONS)
def test_positions_are_refused_with_a_reason(specification: str) -> None:
    game = load(specification)
    for reason, texts in POSITIONS[specification].items():
        for text in texts:
            with pytest.raises(GamesearchError, match=reason):
                game.parse(text)


@pytest.mark.parametrize(("specification", "position"), MOVES)
def test_moves_are_refused_with_a_reason(specification: str, position: str) -> None:
    game, s = load(specification).setup(position)
    for reason, texts in MOVES[specification, position].items():
        for text in texts:
            with pytest.raises(GamesearchError, match=reason):
                game.parse_move(s, text)


@pytest.mark.parametrize("reason", PARAMETERS)
def test_parameters_are_refused_with_a_reason(reason: str) -> None:
    for specification in PARAMETERS[reason]:
        with pytest.raises(GamesearchError, match=reason):
            load(specification)
