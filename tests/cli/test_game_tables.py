"""The tables of `gamesearch games`: sizes of games and piece values of chess."""

import pytest
from commands import Cli

from gamesearch.games.chess.features import VALUES
from gamesearch.registry import load
from gamesearch.study.sizes import measure_size


def test_sizes_are_exact_or_have_a_source(cli: Cli) -> None:
    listed = {each["game"]: each for each in cli.data("games --sizes")}
    assert all(each["source"] for each in listed.values())
    assert (listed["tictactoe"]["positions"], listed["tictactoe"]["tree"]) == ("5,478", "549,946")
    assert listed["chess"]["tree"] == "10^123"


def test_a_measured_size(cli: Cli) -> None:
    """A measured size is exact for a uniform tree and for Nim with one counter, which has one move and one ply."""
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
