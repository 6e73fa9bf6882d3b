"""The tables of `gamesearch games`: sizes of games and piece values of chess."""

import math
from itertools import product

import pytest
from commands import Cli

from gamesearch.games.capturing.chess.features import VALUES
from gamesearch.registry import game_names, load
from gamesearch.solvers.solving import solve
from gamesearch.study.sizes import MEASURED, MEASURED_GAMES, PUBLISHED, count_positions, count_stones, measure_size


def test_every_game_has_a_size_with_a_source(cli: Cli) -> None:
    listed = {each["game"]: each for each in cli.data("games --sizes")}
    assert list(listed) == list(game_names())
    assert all(value for each in listed.values() for value in each.values())
    assert (listed["tictactoe"]["positions"], listed["tictactoe"]["tree"]) == ("5,478", "549,946")
    assert listed["chess"]["tree"] == "10^123"
    assert listed["hex"]["branching"] == measure_size(load("hex"), MEASURED_GAMES).branching
    rows = {line.split()[0]: line.split()[1:3] for line in cli.output("games --sizes").splitlines() if line.strip()}
    assert all(each.startswith("~") for each in rows["hex"])
    assert rows["chess"] == ["35", "80"]
    one, other = cli.data("games chess --sizes"), cli.data("games go(size=3) --sizes")
    assert one[0] == listed["chess"]
    assert one[1]["source"] == MEASURED
    assert [each["source"].endswith(f"earlier positions; {MEASURED}") for each in other] == [True], (
        "a published size is of the standard game"
    )


def test_published_trees_are_moves_to_the_power_of_plies() -> None:
    digits = {
        name: (size.plies * math.log10(size.branching), float(size.tree.removeprefix("10^")))
        for name, size in PUBLISHED.items()
        if size.branching and size.plies
    }
    assert len(digits) >= 8
    assert {name: pair for name, pair in digits.items() if abs(pair[0] - pair[1]) >= 1} == {}


def test_positions_are_counted(cli: Cli) -> None:
    (counted,) = cli.data("games nim(heaps=2-3,max_take=2) --sizes")
    game = load("nim(heaps=2-3, max_take=2)")
    assert int(counted["positions"]) == solve(game, game.initial(), method="memo", speed="interpreted").positions
    assert count_positions(load("tictactoe"), 100)[0] == "> 100"
    assert count_positions(load("hex"), seconds=0)[1].endswith("stopped after 0 s")
    boards = product("XO.", repeat=6)
    assert count_stones(6) == sum(each.count("X") - each.count("O") in (0, 1) for each in boards)


def test_a_measured_size(cli: Cli) -> None:
    """Sizes are measured exactly for uniform trees, and for Nim with one counter, which has only one move."""
    size = measure_size(load("random_tree(branching=3, depth=5)"), 4)
    assert (size.branching, size.plies, size.tree) == (3, 5, "10^2")
    (measured,) = cli.data("games nim(1) --sizes")
    assert (measured["branching"], measured["plies"]) == (1, 1)
    assert measure_size(load("pig(target=6)"), 5) == measure_size(load("pig(target=6)"), 5), "equal seeds, equal games"
    assert measure_size(load("backgammon"), 1).branching == pytest.approx(20, abs=15)


def test_piece_values_have_sources_and_the_king_a_note(cli: Cli) -> None:
    data = cli.data("games chess --values")
    assert data["systems"].keys() == VALUES.keys()
    assert "200" in data["king"]
    assert [data["systems"][name]["king"] for name in ("shannon", "turing")] == [200, None]
    assert "Tomasev" in cli.output("games --values")
    assert "only chess" in cli.refusal("games go --values")
