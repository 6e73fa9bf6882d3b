"""The evaluation features of each game have names, one for each weight."""

import pytest

from gamesearch.game import Game
from gamesearch.registry import game_names, load


@pytest.mark.parametrize("name", game_names())
def test_each_weight_has_a_feature_and_a_name(name: str) -> None:
    game = load(name)
    if type(game).features is Game.features:
        assert game.feature_names == ()
        return
    assert len(game.features(game.initial())) == len(game.weights)
    assert len(game.feature_names) == len(game.weights)
    assert len(set(game.feature_names)) == len(game.feature_names)


def test_names_are_those_of_the_features_that_were_chosen() -> None:
    assert load("chess(features=material+mobility)").feature_names == ("material", "mobility")
    assert load("hex").feature_names == load("y").feature_names != ()
