"""Games that number their positions satisfy the requirements of databases and have the published numbers of
positions."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesearch.errors import GamesearchError
from gamesearch.games._shared.cells import choose, numbered_set, set_number
from gamesearch.optional import NumberedGame
from gamesearch.registry import game_names, load
from gamesearch.toolkit.bits import pack_bits, spread_bits

ENDINGS = {
    "tictactoe": "9",
    "checkers": "3",
    "checkers(size=4)": "4",
    "draughts(size=6)": "3",
    "connect4": "9",
    "connect4(rows=3, columns=4, connect=3)": "12",
    "kalah(pits=3, seeds=2)": "12",
    "kalah": "9",
    "morris": "4-3",
    "morris(men=3, rings=1)": "3-3",
    "chess": "KPK",
    "chess(variant=chess960)": "KBNK",
    "chess(draws=false)": "KRKQ",
}
"""For each game with layers, the name of a layer."""


def load_numbered(specification: str) -> tuple[NumberedGame[Any], list[int]]:
    """Return a game, and its layers up to the one in ENDINGS."""
    game = load(specification)
    assert isinstance(game, NumberedGame)
    return game, game.layers_for(ENDINGS[specification]) if specification in ENDINGS else []


def position(game: NumberedGame[Any], layer: int, number: int) -> Any:
    """Return the position with a given number in a layer, or None if no position has this number."""
    s = game.unrank(layer, number)
    return s if game.is_numbered(s) and game.layer(s) == layer and game.rank(s) == number else None


def test_every_game_that_numbers_its_positions_is_tested() -> None:
    names = {name for name in game_names() if isinstance(load(name), NumberedGame)}
    assert names == {specification.partition("(")[0] for specification in ENDINGS}


@pytest.mark.parametrize("specification", ENDINGS)
@given(random_seed=st.integers(0, 1 << 32))
@settings(max_examples=20)
def test_ranks_and_layers(specification: str, random_seed: int) -> None:
    """A position has the same number as its symmetric positions, and no move leads to a higher layer."""
    game, layers = load_numbered(specification)
    chance = random.Random(random_seed)
    layer = chance.choice(layers)
    s = position(game, layer, chance.randrange(game.layer_size(layer)))
    if s is None:
        return
    number = game.rank(s)
    assert game.consistent(s)
    images = list(game.symmetries(s))
    assert game.key(s) in {game.key(each) for each in images}
    if game.name != "connect4":  # its ranks do not fold symmetries
        assert {(game.layer(each), game.rank(each)) for each in images} == {(layer, number)}
    assert {(game.terminal(each), len(set(game.moves(each)))) for each in images} == {
        (game.terminal(s), len(set(game.moves(s))))
    }
    if game.terminal(s):
        return
    for move in game.moves(s):
        after = game.result(s, move)
        below = game.layer(after)
        assert game.terminal(after) or (0 <= below <= layer and below in layers)
        if below >= 0:
            assert 0 <= game.rank(after) < game.layer_size(below)
            again = game.unrank(below, game.rank(after))
            assert game.rank(again) == game.rank(after)
            assert game.is_numbered(again)
            if not game.certain_payoff(after):  # otherwise, stores may differ
                key = game.key(again)
                assert len(set(game.moves(again))) == len(set(game.moves(after)))
                if game.player(again) == game.player(after) and not specification.startswith("kalah"):
                    assert key in {game.key(each) for each in game.symmetries(after)}


@pytest.mark.parametrize(("last", "ways"), [("1", 120), ("2", 6_972), ("3", 261_224), ("4", 7_092_774)])
def test_numbers_of_checkers_agree_with_chinook(last: str, ways: int) -> None:
    """The counts of positions are from R. Lake, J. Schaeffer and P. Lu 1994, table 1."""
    game, _ = load_numbered("checkers")
    assert game.layer_size(game.layers_for(last)[-1]) == ways


def test_different_numbers_of_checkers_are_different_positions() -> None:
    game, layers = load_numbered("checkers")
    states = [position(game, layer, number) for layer in layers[:2] for number in range(game.layer_size(layer))]
    assert None not in states
    assert len(set(states)) == 120 + 6_972


def test_tictactoe_has_765_positions_up_to_symmetry() -> None:
    game, layers = load_numbered("tictactoe")
    sizes = [(layer, number) for layer in layers for number in range(game.layer_size(layer))]
    assert sum(position(game, *each) is not None for each in sizes) == 765


def test_morris_numbers_all_placements_of_its_pieces() -> None:
    game, _ = load_numbered("morris(men=3, rings=1)")
    states = [position(game, 0, number) for number in range(game.layer_size(0))]
    assert sum(len(set(game.symmetries(s))) for s in states if s is not None) == 560  # C(8, 3) C(5, 3)


def test_layers_of_chess_are_named_by_their_material() -> None:
    game, _ = load_numbered("chess")
    assert [game.layer_name(layer) for layer in game.layers_for("kpk")] == ["KK", "KNK", "KBK", "KRK", "KQK", "KPK"]
    assert game.layers_for("3") == game.layers_for("KKP")
    assert [game.layer_name(layer) for layer in game.layers_for("KRKQ")] == ["KK", "KRK", "KQK", "KQKR"]


@pytest.mark.parametrize(
    ("position", "reversed_colors"),
    [
        ("8/8/8/3bb3/8/k7/8/1K6 w - - 0 1", "1k6/8/K7/8/3BB3/8/8/8 b - - 0 1"),
        ("8/8/8/8/4k3/4p3/8/4K3 b - - 0 1", "4k3/8/4P3/4K3/8/8/8/8 w - - 0 1"),
        ("8/8/8/8/3rk3/8/8/3QK3 w - - 0 1", "3qk3/8/8/3RK3/8/8/8/8 b - - 0 1"),
    ],
)
def test_reversed_colors_share_a_number_in_chess(position: str, reversed_colors: str) -> None:
    game, _ = load_numbered("chess")
    one, two = game.parse(position), game.parse(reversed_colors)
    assert game.layer(one) == game.layer(two) >= 0
    assert game.rank(one) == game.rank(two)
    other_turn = game.parse(position.replace(" w ", " x ").replace(" b ", " w ").replace(" x ", " b "))
    assert game.rank(other_turn) != game.rank(one)


@pytest.mark.parametrize(
    ("specification", "text", "says"),
    [
        ("checkers", "KQK", "write the greatest number of pieces"),
        ("checkers", "9", "write the greatest number of pieces"),
        ("checkers(no_progress=40)", "3", "leave out no_progress"),
        ("chess", "KPKP", "only one side may have pawns"),
        ("chess", "QK", "such as KQK"),
        ("chess", "KQQQK", "2 pieces of the same kind"),
        ("chess", "KQRBNK", "at most 5"),
        ("morris", "2-3", "such as 3-3"),
        ("morris(men=5, rings=2)", "6-3", "such as 3-3"),
        ("kalah(pits=1, seeds=1)", "3", "number of the last layer"),
        ("tictactoe", "-1", "number of the last layer"),
    ],
)
def test_missing_layers_are_refused(specification: str, text: str, says: str) -> None:
    game, _ = load_numbered(specification)
    with pytest.raises(GamesearchError, match=says):
        game.layers_for(text)


def test_positions_with_castling_or_en_passant_have_no_numbers() -> None:
    game, _ = load_numbered("chess")
    assert game.layer(game.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) == -1
    assert game.layer(game.parse("4k3/8/8/8/8/8/8/4K2R w - - 0 1")) >= 0


@given(st.sets(st.integers(0, 60), max_size=9), st.integers(0, (1 << 61) - 1))
def test_sets_of_squares_are_numbered(members: set[int], among: int) -> None:
    bits = sum(1 << each for each in members)
    number = set_number(bits)
    assert 0 <= number < choose(61, len(members)) or not members
    assert numbered_set(number, 61, len(members)) == bits
    inside = bits & among
    assert spread_bits(pack_bits(inside, among), among) == inside
