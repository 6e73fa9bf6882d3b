"""Reading of recorded games in the formats of other programs: PGN, PDN, SGF and GGF."""

from collections.abc import Sequence

import pytest

from gamesearch.errors import GamesearchError
from gamesearch.files.records import read_records
from gamesearch.notation import line_names
from gamesearch.registry import load


def read(game: str, text: str) -> list[tuple[str, str, float | None]]:
    """Return the initial position, the moves and the result of each game."""
    rules = load(game)
    return [
        (rules.format(each.start), " ".join(line_names(rules, each.start, each.moves)), each.won)
        for each in read_records(rules, text)
    ]


def moves_of(text: str, game: str = "chess") -> list[str]:
    return [moves for _, moves, _ in read(game, text)]


# PGN. ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "games"),
    [
        ('[White "S"]\n\n[Black "A"]\n[Result "0-1"]\n\n1. e4 e5\n 2. Nf3 0-1\n', ["e4 e5 Nf3"]),
        ("1. e4 e5 *\n\n1. d4 *", ["e4 e5", "d4"]),
        ("1. e4 e5\n\n1. d4", ["e4 e5", "d4"]),
        ("1. e4\n\ne5 2. Nf3", ["e4 e5 Nf3"]),
        ('1. e4 *\n[Event "2"]\n1. d4 *\n', ["e4", "d4"]),
        ('[White "A"]\n[Result "1-0"]\n\n[White "B"]\n[Result "0-1"]\n', ["", ""]),
        ('[White "A"]\r\n[Result "*"]\r\n\r\n{late}\r\n*\r\n\r\n[White "B"]\r\n\r\n1. e4', ["", "e4"]),
        ('[White "A"][Black "1...c5 (or ;)"] 1.e4 e5', ["e4 e5"]),
        ("1. e4 {[%clk 0:15:20]} (1. d4 (1. c4 x) {y)}) 1... e5 $2 ; 2. Nf3\n% 2. Nc3\n2. f4 = *", ["e4 e5 f4"]),
        ('1. e4 {a\n\n[White "C"]\n\nb} e5 *\n\n[White "B"]\n\n1. d4 {x} *', ["e4 e5", "d4"]),
        ('[White "A"]\n\n\n1. c4 {[%clk 0:15:20]}  e5 {[%clk 0:15:20]}', ["c4 e5"]),
        ("", []),
    ],
)
def test_games_are_separated(text: str, games: Sequence[str]) -> None:
    assert moves_of(text) == games


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Qe2 b5",
        "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. La4 Sf6 5. 0-0 Le7 6. De2 b5",
        "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fa4 Cf6 5. o-o Fe7 6. De2 b5",
        "1. e4 e5 2. \u2658f3 \u265ec6 3. \u2657b5 a6 4. \u2657a4 \u265ef6 5. O-O \u265de7 6. \u2655e2 b5",
        "1.e2-e4 e7-e5 2.Ng1-f3!? Nb8-c6! 3.Bf1-b5 a7a6 4.Bb5-a4 Ng8f6 5.O-O Bf8-e7 6.Qd1-e2 \u00b1 b7-b5",
    ],
)
def test_moves_may_have_the_letters_of_other_languages(text: str) -> None:
    assert moves_of(text) == ["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Qe2 b5"]


def test_r_is_a_king_in_a_french_file() -> None:
    """R means king in French and rook in English; the earlier games in the file show its language."""
    assert moves_of("1. e4 e5 2. Cf3 *\n\n1. e4 e5 2. Re2 *\n\n1. e4 e5 2. Nf3 *")[1:] == ["e4 e5 Ke2", "e4 e5 Nf3"]
    with pytest.raises(GamesearchError, match="'Re2' is not a legal move"):
        moves_of("1. e4 e5 2. Re2 *")


def test_promotions_and_captures_are_read_in_all_spellings() -> None:
    start = '[FEN "1n2k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1"]\n\n'
    for promoted in ("axb8=Q+", "axb8Q", "a:b8(Q)", "axb8/Q+", "axb8=D", "axb8D+"):
        assert moves_of(f"{start}1. {promoted}") == ["axb8=Q+"]
    for passed in ("exd6", "exd6e.p.", "e5xd6 e.p.", "e:d6ep", "exd6 {en passant} ep", "ed6! e.p. Nc6", "exd6+ ep"):
        assert moves_of(f"{start}1. {passed}")[0].split()[0] == "exd6"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("This is a letter.\nIt has no game.", "game 1, line 1: 'This'"),
        ("1. e4 e5\n2. Nf3 Nc6\n3. ed? a6", "game 1, line 3: 'ed'"),
        ("1. e4 e5 2. Sf3 Nc6", "game 1, line 1: 'Sf3'"),
        ("1. e4 *\n\n1. e4 e5 2. Ke2xx *", "game 2, line 3: 'Ke2xx'"),
        ("1. e4 e5 2. Ke3", "game 1, line 1: 'Ke3'"),
        ("1. e4 e5 2. Nf3 foo Nc6", "game 1, line 1: 'foo'"),
        ("1. e4 0000 2. d4", "game 1, line 1: '0000'"),
        ("1. e4 -- 2. d4", "game 1, line 1: '--'"),
        ("1. f3 e5 2. g4 Qh4# 3. a3", "game 1, line 1: 'a3'"),
        ("1. Nf3 e.p. e5", "game 1, line 1: 'e.p.'"),
        ('[White Ann]\n[Result "*"]\n\n1. e4', "game 1, line 1"),
        ("1. e4 {no end", "game 1, line 1: the comment"),
        ('1. e4 {no end\n\n[White "B"]\n\n1. d4 {x} *', "game 1, line 1: the comment"),
        ("1. e4 (1. d4\n", "game 1, line 1: the variation"),
        ("1. e4 ) e5", "game 1, line 1: '\\)'"),
        ('[Variant "Atomic"]\n\n1. e4', "game 1, line 1: .*atomic"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "game 1, line 1"),
        ('[FEN "5rk1/4R2R/5r2/8/8/8/5PPP/6K1 w - - 0 1"]\n\n1. Rg7+', "game 1, line 3: 'Rg7\\+' may mean several"),
        ("1. e4 e5 2. Nf3 Nf4", r"game 1, line 1: 'Nf4' is not a legal move here \(move 2 of Black\)"),
        ("1. " + "x" * 500, "game 1, line 1: 'x"),
    ],
)
def test_errors_name_their_place(text: str, place: str) -> None:
    with pytest.raises(GamesearchError, match=f"^{place}"):
        moves_of(text)


@pytest.mark.parametrize(
    ("game", "variants"),
    [
        ("chess", ("", "Standard", "chess", "From Position", "Normal")),
        ("chess(variant=chess960)", ("Chess960", "Chess 960", "chess-960", "fischerandom", "Fischer Random")),
        ("chess(variant=kingofthehill)", ("King of the Hill", "KOTH", "king_of_the_hill")),
        ("chess(variant=threecheck)", ("Three-check", "3check", "3-Check")),
    ],
)
def test_variants_have_many_names(game: str, variants: Sequence[str]) -> None:
    rules = load(game)
    for name in variants:
        assert moves_of(f'[Variant "{name}"]\n\n1. Nf3 *', game) == ["Nf3"]
        headers = {"Variant": name} if name else {}
        assert load(type(rules).rules_of_headers(headers)).parameters() == rules.parameters()


def test_a_fen_may_identify_an_initial_position_of_chess960() -> None:
    text = '[FEN "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1"]\n\n1. b3 c5 2. Nf3 d5 3. d4 b6 4. O-O'
    assert moves_of(text, "chess(variant=chess960)")[0].endswith("O-O")


def test_unclaimed_draws_do_not_end_a_recorded_game() -> None:
    game = load("chess")
    fifty = '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 98 60"]\n\n60. Kd1 Kd8 61. Kc1 Kc8 62. e4'
    circle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. e4"
    assert [len(moves.split()) for text in (fifty, circle) for moves in moves_of(text)] == [5, 13]
    assert game.terminal(game.parse("4k3/8/8/8/8/8/4P3/4K3 w - - 100 60"))
    assert not game.has_ended(game.parse("4k3/8/8/8/8/8/4P3/4K3 w - - 100 60"))
    assert game.has_ended(game.parse("startpos moves f3 e5 g4 Qh4#"))


def test_results_may_stand_in_the_tags_or_after_the_moves() -> None:
    texts = ['[Result "1-0"]\n\n1. e4', "1. e4 1-0", '[Result "*"]\n\n1. e4 1-0', "1. e4 1\u20130"]
    texts += ["1. e4 \u00bd-\u00bd", "1. e4"]
    assert [read("chess", text)[0][2] for text in texts] == [1.0, 1.0, 1.0, 1.0, 0.5, None]


def test_quotes_in_tags() -> None:
    for text in ('[White "Joe \\"the\\" Bot"]\n\n1. e4', '[White "Joe "the" Bot"]\n\n1. e4'):
        [game] = read_records(load("chess"), text)
        assert game.headers["White"] == 'Joe "the" Bot'


# Other formats. -----------------------------------------------------------------------------------
def test_draughts_are_read_from_pdn() -> None:
    text = '[GameType "21"]\n[Result "1-0"]\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n[Result "1-1"]\n1. 9-13 1-1'
    assert [(moves, won) for _, moves, won in read("checkers", text)] == [
        ("11-15 23-19 8-11 22-17", 0.0),  # White won, and Black is Max
        ("9-13", 0.5),
    ]
    assert read("draughts", "1. 32-28 19-23 2. 28x19 14x23 2-0")[0][1:] == ("32-28 19-23 28x19 14x23", 1.0)
    with pytest.raises(GamesearchError, match="game 1, line 2: '11-99'"):
        read("checkers", "1. 11-15\n11-99")
    with pytest.raises(GamesearchError, match="it is a game of draughts"):
        read("checkers", '[GameType "20"]\n1. 32-28')


def test_go_is_read_from_sgf() -> None:
    text = "(;GM[1]FF[4]SZ[5]KM[6.5]RE[B+3]AB[aa:ba][ee]PL[W]C[a \\] and (;B[aa\\])];W[cc]\n(;B[dd];W[])(;B[cc]))"
    assert read("go(size=5)", text) == [("XX.../...../...../...../....X O", "C3 D2 pass", 1.0)]
    for wrong, place in (
        ("(;SZ[5];B[zz])", "game 1, line 1"),
        ("(;SZ[5];B[aa]\n;B[bb])", "game 1, line 2: .*White is to move"),
        ("(;SZ[5];B[aa];W[aa])", "not a legal move"),
        ("(;SZ[9];B[aa])", "its board has 9 rows"),
        ("(;SZ[5];B[aa]", "has no end"),
        ("(;GM[2]SZ[5])", "not Go"),
    ):
        with pytest.raises(GamesearchError, match=place):
            read("go(size=5)", wrong)
    with pytest.raises(GamesearchError, match=r"B\[ab\] is not a legal move"):  # it repeats a position
        read("go(size=2)", "(;SZ[2];B[ab];W[ba];B[aa];W[bb];B[ab];W[aa];B[ab])")


def test_othello_is_read_from_ggf() -> None:
    start = "---------------------------O*------*O---------------------------"
    text = f"(;GM[Othello]PB[a]PW[b]RE[-4.00]TY[8]BO[8 {start} *]B[F5//3.2]W[D6/1.00/2];)(;GM[Othello]B[d3];)"
    assert [(moves, won) for _, moves, won in read("othello", text)] == [("f5 d6", 0.0), ("d3", None)]
    with pytest.raises(GamesearchError, match=r"^game 1, line 1: 'a1'"):
        read("othello", "(;GM[Othello]B[A1];)")


# Positions and moves in common notation. ----------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "position", "moves"),
    [
        ("chess", "startpos moves e4 e5", "Ke2xx Ke2x Ke2- Ke2= Ke2=Q f4=Q f2f4q Ke2e.p. Ke2( Nf3:: e2-e3-"),
        ("morris", "", "a1- a1--"),
        ("nim", "3,4", "a3:: a3- 1"),
        ("ultimate", "", "5--5 55/ /55"),
        ("go", "", "D4xx D4-"),
        ("othello", "", "d3x d3d3 d3-"),
        ("gomoku", "", "h8x h8-"),
        ("connect4", "", "4x 4- 44"),
        ("checkers", "", "11-15x 11-15- 11-15--"),
        ("backgammon", "4HPwATDgc/ABMA max 31", "8/5,6/5x 8/5,6/5//"),
        ("hex(size=3)", "", "a1x a1-"),
        ("dotsandboxes", "", "a1-b1- a1-b1x"),
        ("kalah", "", "1x 1-"),
        ("tictactoe", "", "5x b2x 55"),
    ],
)
def test_text_after_a_move_is_refused(game: str, position: str, moves: str) -> None:
    rules, state = load(game).setup(position)
    for text in moves.split():
        with pytest.raises(GamesearchError):
            rules.parse_move(state, text)
