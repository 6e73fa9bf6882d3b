"""The tables of `gamesearch games`: sizes of games and piece values of chess."""

from itertools import product

import pytest
from commands import Cli

from gamesearch.games.chess.features import VALUES
from gamesearch.registry import load
from gamesearch.study.sizes import count_seeds, count_stones, count_with_kings, measure_size, published_sizes


def test_sizes_are_exact_or_have_a_source(cli: Cli) -> None:
    listed = {each["game"]: each for each in cli.data("games --sizes")}
    assert all(each["source"] for each in listed.values())
    assert (listed["tictactoe"]["positions"], listed["tictactoe"]["tree"]) == ("5,478", "549,946")
    assert listed["chess"]["tree"] == "10^123"


def test_positions_are_counted() -> None:
    boards = product("XO.", repeat=6)
    assert count_stones(6) == sum(each.count("X") - each.count("O") in (0, 1) for each in boards)
    assert count_with_kings(32, 4, 12) == 500_995_484_682_338_672_639, "Schaeffer et al. 2007"
    men_and_kings = [
        each
        for each in product("wbWB.", repeat=5)
        if each[0] != "w" and each[4] != "b" and all(0 <= sum(map(each.count, side)) <= 2 for side in ("wW", "bB"))
    ]
    assert count_with_kings(5, 1, 2) == len(men_and_kings) - 1
    assert count_seeds(1, 2) == 2 * sum(sum(each) == 4 for each in product(range(5), repeat=4))


@pytest.mark.parametrize("name", ["draughts", "hex"])
def test_means_over_random_games_are_measured_again(name: str) -> None:
    size, measured = published_sizes()[name], measure_size(load(name), 20)
    assert (size.branching, size.plies) == (round(measured.branching), round(measured.plies))


def test_a_measured_size(cli: Cli) -> None:
    """The size of a uniform tree is measured exactly; so is that of Nim with one counter, a tree with one move."""
    size = measure_size(load("random_tree(branching=3, depth=5)"), 4)
    assert (size.branching, size.plies, size.tree) == (3, 5, "10^2")
    *_, measured = cli.data("games nim(1) --sizes")
    assert (measured["branching"], measured["plies"]) == (1, 1)
    assert measure_size(load("pig(target=6)"), 5) == measure_size(load("pig(target=6)"), 5), "equal seeds, equal games"
    assert measure_size(load("backgammon"), 1).branching == pytest.approx(20, abs=15)


def test_piece_values_have_sources_and_the_king_a_note(cli: Cli) -> None:
    data = cli.data("games chess --values")
    assert data["systems"].keys() == VALUES.keys()
    assert "200" in data["king"]
    assert "Tomasev" in cli.output("games --values")
    assert "only chess" in cli.refusal("games go --values")
