"""`gamesearch compare --dice`, and games with several evaluations, each with a name."""

import pickle

import pytest
from commands import Cli

from gamesearch.algorithms.root.search import search
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.registry import load, specification_of
from gamesearch.render.value_words import value_heading
from gamesearch.toolkit.derived_games import ChosenDice


def test_three_views_of_chance(cli: Cli) -> None:
    command = 'compare "[{1/2: [3,5], 1/2: [1,9]},{1/4: 4, 3/4: 1}]" --dice'
    data, kinds = cli.data(command), ("pessimistic", "expected", "optimistic")
    assert data["values"] == dict(zip(kinds, (1, 2, 4), strict=True))
    assert data["moves"]["a"] == dict(zip(kinds, (1, 2, 3), strict=True))
    assert data["moves"]["b"] == dict(zip(kinds, (1, 1.75, 4), strict=True))
    assert data["best"] == dict(zip(kinds, "aab", strict=True))
    assert "b 1 1.75 *4" in " ".join(cli.output(command).split())
    exact = cli.data('compare "{1/10: 1, 1/5: 1, 3/10: -1, 2/5: 0}" --dice')["values"]["expected"]
    assert exact == 0, "the value must not have a rounding error"
    assert "with chance" in cli.refusal("compare tictactoe --dice")
    assert "leave out --shuffle" in cli.refusal("compare pig --dice --shuffle 3")


def test_the_expected_value_lies_between_the_others() -> None:
    rules = load("pig(target=8)")
    searches = ((ChosenDice(rules, MIN), "alphabeta"), (rules, "expectiminimax"), (ChosenDice(rules, MAX), "alphabeta"))
    results = [search(game, rules.initial(), f"{name}(depth=2)", speed="interpreted") for game, name in searches]
    low, expected, high = (each.value for each in results if isinstance(each.value, float))
    assert low <= expected <= high
    assert low < high


def test_minimax_by_open_lines_begins_in_the_centre(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nilsson's figure of a search to depth 2 gives 1 open line for the centre, and -1 for the corner."""
    game = load("tictactoe(evaluation=lines)")
    result = search(game, game.initial(), "minimax(depth=2)", moves=True, speed="interpreted")
    assert game.move_name(game.initial(), result.best or 0) == "5"
    values = {game.move_name(game.initial(), each.move): each.value for each in result.moves}
    assert (values["5"], values["1"], values["2"]) == pytest.approx((0.1, -0.1, -0.2))
    assert specification_of(game) == "tictactoe(evaluation=lines)"
    for position, value in (("X../.../...", 0.3), (".X./.../...", 0.2), ("XO./.../...", 0.1)):
        assert game.evaluate(game.parse(position)) == pytest.approx(value)
    compiled = search(game, game.initial(), "minimax(depth=2)", speed="compiled")
    assert (compiled.value, compiled.best) == (result.value, result.best)
    written = pickle.dumps(game)
    monkeypatch.chdir("/")
    assert specification_of(pickle.loads(written)) == specification_of(game)
    with pytest.raises(GamesearchError, match="has no evaluation 'lines'"):
        load("connect4(evaluation=lines)")


def test_named_evaluations_have_features_and_weights(cli: Cli) -> None:
    """After X../.X./.O., six lines are open to X, and two to O."""
    given = "analyze {} -a minimax(depth=1) --explain --json --speed interpreted"
    for weights, value in (("", 0.4), (",weights=[0.5]", 0.2)):
        found = cli.data(given.format(f"tictactoe(evaluation=lines{weights}) X../.../.O."))
        (term,) = found["explanation"]["ending"]["features"]
        assert (term["amount"], term["product"], found["value"]) == pytest.approx((0.4, value, value))
    found = cli.data(given.format("buildorder(evaluation=landmarks)"))
    assert sum(each["product"] for each in found["explanation"]["ending"]["features"]) == found["value"]


def test_the_bounds_of_a_game_change_no_estimate_of_a_named_evaluation(cli: Cli) -> None:
    """`bounds=true` does not change the values of minimax. The same option of alpha-beta clips the values of the
    position and of its moves to the game's bounds."""
    for algorithm, value in (("", -104), ("-a alphabeta(bounds=true)", -132), ("-a minimax(bounds=true)", -104)):
        found = cli.data("analyze buildorder(evaluation=landmarks) --depth 1 --moves", *algorithm.split())
        assert [found["value"], max(each["value"] for each in found["moves"])] == [value] * 2


BOUNDS = ("landmarks", "resources")


def test_named_lower_bounds_of_build_orders() -> None:
    """Each named evaluation is a lower bound on the time; the usual evaluation uses the greatest bound."""
    games = [load(f"buildorder(goal=marine=2{more})") for more in ("", *(f", evaluation={name}" for name in BOUNDS))]
    for position in ("", "time=38 minerals=2.6 gas=0 base=1 worker=4 barracks@118"):
        states = [game.parse(position) if position else game.initial() for game in games]
        usual, landmarks, resources = (game.evaluate(s) for game, s in zip(games, states, strict=True))
        assert usual <= min(landmarks, resources)
        assert landmarks != resources
        exact = search(games[0], states[0], "alphabeta", speed="interpreted").value
        assert isinstance(exact, float)
        assert exact <= max(landmarks, resources)
        # A barracks takes 80 seconds, and two barracks can train one marine each in 24.
        assert position or landmarks == -104


@pytest.mark.parametrize(
    ("command", "game"),
    [
        ("compare backgammon --dice --depth 1", "backgammon"),
        ("horizon kalah --depth 1", "kalah"),
    ],
)
def test_tables_of_values_name_the_unit_and_the_player(cli: Cli, command: str, game: str) -> None:
    assert value_heading(load(game)) in cli.output(command)
