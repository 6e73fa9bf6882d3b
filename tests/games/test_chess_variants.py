import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import new_chess, playout

from gamesearch.errors import GamesearchError
from gamesearch.files.records import read_record
from gamesearch.registry import load, specification_of

HOUSE = "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[Pn] w KQkq - 0 1"


def play_moves(game: Any, s: Any, names: str) -> Any:
    for name in names.split():
        s = game.result(s, game.parse_move(s, name))
    return s


@pytest.mark.parametrize(
    ("variant", "position", "note", "value"),
    [
        ("standard", "startpos moves f3 e5 g4 Qh4", "checkmate", -1000),
        ("standard", "k7/8/1Q6/8/8/8/8/K7 b - - 0 1", "draw by stalemate", 0),
        ("standard", "k7/8/8/8/8/8/8/K1B5 b - - 0 1", "draw by insufficient material", 0),
        ("standard", "k7/8/8/8/8/8/8/K1R5 b - - 100 80", "draw by the fifty-move rule", 0),
        ("standard", "startpos moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "draw by threefold repetition", 0),
        ("atomic", "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1 moves Qxd7", "White wins by the rules of atomic", 1000),
        ("antichess", "8/8/8/8/8/8/1p6/R7 b - - 0 1 moves bxa1=Q", "White wins by the rules of antichess", 1000),
        ("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1", "White wins by the rules of antichess", 1000),
        ("suicide", "8/8/8/8/p7/P7/8/7B b - - 0 1", "Black wins by the rules of suicide", -1000),
        ("kingofthehill", "k7/8/8/8/8/4K3/8/8 w - - 0 1 moves Ke4",
         "White wins by the rules of king of the hill", 1000),
        ("kingofthehill", "8/8/4k3/8/8/8/8/K7 b - - 0 1 moves Kd5",
         "Black wins by the rules of king of the hill", -1000),
        ("threecheck", "4k3/8/8/8/8/8/8/4KQ2 w - - 1+3 0 1 moves Qb5", "White wins by the rules of three-check", 1000),
        ("racingkings", "8/K6k/8/8/8/8/8/8 w - - 0 1 moves Ka8 Kh8", "draw by the rules of racing kings", 0),
        ("racingkings", "8/K7/7k/8/8/8/8/8 w - - 0 1 moves Ka8", "White wins by the rules of racing kings", 1000),
        ("racingkings", "8/7k/K7/8/8/8/8/8 b - - 0 1 moves Kh8", "Black wins by the rules of racing kings", -1000),
        ("horde", "4k3/8/8/8/8/8/r7/P7 b - - 0 1 moves Rxa1", "Black wins by the rules of horde", -1000),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1 moves R@e8", "checkmate", 1000),
        ("crazyhouse", "8/8/8/8/8/8/8/k1K5[] w - - 0 1", "draw by insufficient material", 0),
        ("chess960", "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1 moves Rd8", "checkmate", 1000),
    ],
)  # fmt: skip
def test_ends_by_the_rules_of_the_variant(variant: str, position: str, note: str, value: int) -> None:
    game = new_chess(variant)
    s = game.parse(position)
    assert game.terminal(s)
    assert game.board(s).notes == (note,)
    assert game.utility(s) == value
    if variant == "standard":
        assert new_chess(draws=False).terminal(s) == (not list(game.moves(s)))


@pytest.mark.parametrize(
    ("variant", "position", "value"),
    [
        ("antichess", "k7/8/8/8/8/8/P7/KQ6 w - - 0 1", -10),
        ("giveaway", "k7/8/8/8/8/8/8/KR6 w - - 0 1", -5),
        ("atomic", "k7/8/8/8/8/8/P7/KQ6 w - - 0 1", 10),
        ("crazyhouse", "k7/8/8/8/8/8/P7/KQ6[RRn] w - - 0 1", 17),
        ("kingofthehill", "7k/8/8/8/8/2K5/8/8 w - - 0 1", 1),
        ("racingkings", "8/8/8/8/K7/8/8/7k w - - 0 1", 3),
        ("threecheck", "k7/8/8/8/8/8/8/K7 w - - 1+3 0 1", 4),
        ("threecheck", "k7/8/8/8/8/8/8/K7 w - - 3+2 0 1", -2),
    ],
)
def test_the_evaluation_has_the_features_of_the_variant(variant: str, position: str, value: float) -> None:
    game = new_chess(variant)
    s = game.parse(position)
    assert game.evaluate(s) == value
    assert value == pytest.approx(sum(f * w for f, w in zip(game.features(s), game.weights, strict=True)))


def test_pawns_are_dropped_but_not_on_the_last_rank() -> None:
    game = new_chess("crazyhouse")
    s = game.parse("k7/8/8/8/8/8/8/K7[P] w - - 0 1")
    names = {game.move_name(s, m) for m in game.moves(s)}
    assert {"@e4", "@b7+"} <= names or {"P@e4"} <= names
    assert not any(name.rstrip("+#")[-2:] in ("e8", "e1") for name in names)
    for text in ("P@e4", "@e4", "p@e4"):
        assert game.format(game.result(s, game.parse_move(s, text))).startswith("k7/8/8/8/4P3/8/8/K7[]")
    for text in ("e4", "P@e8", "N@e4", "@", "@@", "K@e4"):
        with pytest.raises(GamesearchError):
            game.parse_move(s, text)


def test_captured_men_change_sides_and_promoted_ones_are_pawns_again() -> None:
    game = new_chess("crazyhouse")
    s = play_moves(game, game.parse("k6r/6P1/8/8/8/8/8/K7[] w - - 0 1"), "gxh8=Q")
    assert game.format(s).startswith("k6Q~/8/8/8/8/8/8/K7[R] b")
    s = play_moves(game, game.parse("k6r/6P1/7r/8/8/8/8/K7[] w - - 0 1"), "gxh8=Q+ Rxh8")
    assert "[Rp]" in game.format(s)


def test_positions_recur_in_crazyhouse_even_across_captures() -> None:
    game: Any = new_chess("crazyhouse")
    start = s = game.parse("8/3k3p/8/8/8/8/P7/K7[Nn] w - - 0 1")
    for _ in range(2):  # the knights were captured, so both sides have one in hand
        assert not game.terminal(s)
        s = play_moves(game, s, "N@d4 N@e6 Nxe6 Kxe6 Kb1 Ke7 Ka1 Kd7")
        assert s.key() == start.key()
        assert s.halfmove_clock == 4
    assert game.terminal(s)
    assert game.board(s).notes == ("draw by threefold repetition",)
    assert game.progress(s) == game.progress(start) == 0


def test_positions_differ_by_pieces_in_hand_and_checks_given() -> None:
    for variant, texts in (
        ("crazyhouse", ("KQ6[Nn] w - -", "KQ6[N] w - -", "KQ~6[Nn] w - -")),
        ("threecheck", ("KQ6 w - - 3+3", "KQ6 w - - 2+3", "KQ6 w - - 3+2")),
    ):
        game = new_chess(variant)
        assert len({game.key(game.parse("k7/8/8/8/8/8/8/" + text)) for text in texts}) == len(texts)


def test_there_is_no_fifty_move_rule_in_crazyhouse() -> None:
    text = "k7/8/8/8/8/8/8/K1R5 w - - 120 80"
    assert new_chess().terminal(new_chess().parse(text))
    assert not new_chess("crazyhouse").terminal(new_chess("crazyhouse").parse(text.replace("K1R5", "K1R5[]")))


@pytest.mark.parametrize(("start", "rank"), [(0, "BBQNNRKR"), (1, "BQNBNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB")])
def test_the_initial_positions_of_chess960_have_their_published_numbers(start: int, rank: str) -> None:
    game = new_chess("chess960", start=start)
    assert game.format(game.initial()).split()[0].endswith(rank)
    again = load(specification_of(game))
    assert again.initial() == game.initial()
    assert specification_of(again) == specification_of(game)


def test_chess960_castles_by_taking_the_rook() -> None:
    game = new_chess("chess960")
    s = game.parse("k7/8/8/8/8/8/8/1R2K1R1 w GB - 0 1")
    for text, placed in (("O-O", "1R3RK1"), ("O-O-O", "2KR2R1"), ("e1g1", "1R3RK1"), ("0-0-0", "2KR2R1")):
        assert game.format(game.result(s, game.parse_move(s, text))).split()[0].endswith(placed)


def test_a_game_of_another_variant_is_refused() -> None:
    text = new_chess("atomic").record(new_chess("atomic").initial(), [], {})
    assert '[Variant "Atomic"]' in text
    for variant in ("standard", "crazyhouse", "chess960"):
        with pytest.raises(GamesearchError, match="it is a game of atomic chess"):
            read_record(new_chess(variant), text)
    ninety = new_chess("chess960", start=5)
    assert '[Variant "Chess960"]' in ninety.record(ninety.initial(), [], {})
    usual = new_chess("chess960")
    start, moves = read_record(ninety, usual.record(usual.initial(), [], {}))
    assert (start, moves) == (usual.initial(), [])


@pytest.mark.parametrize("variant", ["standard", "crazyhouse", "threecheck", "atomic", "antichess", "chess960"])
@given(data=st.data())
@settings(max_examples=15)
def test_damaged_positions_are_refused_or_played(variant: str, data: st.DataObject) -> None:
    game = new_chess(variant)
    text = HOUSE if variant == "crazyhouse" else game.format(playout(game, 7, 20)[-1])
    place = data.draw(st.integers(0, len(text) - 1))
    text = text[:place] + data.draw(st.sampled_from("KQRBNPkqrbnp1278/ w-a3e6~[]+x")) + text[place + 1 :]
    with contextlib.suppress(GamesearchError):
        s = game.parse(text)
        assert game.parse(game.format(s)) == s
        game.board(s)
        if not game.terminal(s):
            for m in list(game.moves(s))[:10]:
                game.evaluate(game.result(s, m))
