"""`gamesearch agree` checks whether two implementations of the rules of a game agree."""

from commands import Cli

USUAL, OTHER = "chess(features=material+check)", "chess(features=material+check, rules=python-chess)"
FEW = ("--positions", "60", "--speed", "interpreted")


def test_no_difference(cli: Cli) -> None:
    assert cli.output("agree", USUAL, "--against", OTHER, *FEW) == "no difference in 60 positions\n"


def test_a_difference(cli: Cli) -> None:
    shown = cli.output("agree chess --against chess(values=evans)", *FEW, code=1)
    assert "differs in its estimate" in shown
    data = cli.data("agree chess --against chess(draws=false)", *FEW, "8/8/8/8/8/2k5/8/K7 w - - 0 1", code=1)
    assert data["difference"]["what"] == "end of the game"


def test_positions_from_standard_input(cli: Cli) -> None:
    lines = "8/8/8/8/8/2k5/8/K7 w - - 0 1\n\n8/8/8/8/8/2k5/8/K6R w - - 0 1\n"
    shown = cli.output("agree chess --against chess(draws=false)", *FEW, "-", code=1, typed=lines)
    assert shown.startswith("8/8/8/8/8/2k5/8/K7 w")
    assert "line 2: 'six' is not a list of heaps" in cli.refusal("agree nim --against nim -", typed="3,4,5\nsix\n")
