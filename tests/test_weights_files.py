"""Which files of learned weights are accepted, and which files are rejected."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from gamesearch.commands.solving.analyze.explanation import terms_of
from gamesearch.errors import GamesearchError
from gamesearch.learned import weights_files
from gamesearch.learned.weights_files import FORMER_NAMES, LearnedWeights, MatchScore, names_of_features
from gamesearch.registry import game_names, load, specification_of


def weights_of(name: str, **changed: Any) -> LearnedWeights:
    game = load(name)
    weights = tuple(0.5 + i for i in range(len(game.weights)))
    found = LearnedWeights(
        game=type(game).name,
        parameters=game.parameters(),
        features=names_of_features(game),
        weights=weights,
        method="td",
        games=10,
        seed=1,
        beat=(MatchScore("random", 4, 3.5),),
    )
    return dataclasses.replace(found, **changed)


def test_every_game_with_features_takes_a_file(tmp_path: Path) -> None:
    names = [name for name in game_names() if load(name).has_features]
    assert len(names) > 15
    for name in names:
        learned = weights_of(name)
        path = tmp_path / f"{name} learned.json"
        path.write_text(learned.text())
        game = load(f"{name}(weights={path})")
        assert game.weights == learned.weights
        assert load(specification_of(game)) == game  # the specification contains all weights


def test_features_without_names_are_numbered_from_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("pacman")
    monkeypatch.setattr(type(game), "feature_names", game.feature_names[:1])
    names = [f"feature {number}" for number in range(2, len(game.weights) + 1)]
    learned = weights_of("pacman")
    assert [*learned.features] == [*game.feature_names[:1], *names]
    assert [each.name for each in terms_of(game, game.initial())] == [*learned.features]
    earlier = (*game.feature_names[:1], *map(str, range(1, len(game.weights))))
    path = tmp_path / "learned.json"
    for features in (learned.features, earlier):  # names of features, as current and older files contain them
        path.write_text(weights_of("pacman", features=features).text())
        assert load(f"pacman(weights={path})").weights == learned.weights


NAMED = ("gomoku", "kalah", "buildorder", "backgammon(features=counts)")  # games whose features have been renamed


def test_files_with_former_names_of_features_are_read(tmp_path: Path) -> None:
    current = {each for name in NAMED for each in names_of_features(load(name))}
    assert current >= {*FORMER_NAMES}
    path = tmp_path / "learned.json"
    men = tuple(name.replace("checkers", "men") for name in weights_of("backgammon").features)
    assert "men behind" in men
    for name, features in (
        ("backgammon", men),
        ("kalah", ("seeds in the store", "seeds in the pits", "moves that give a turn more")),
    ):
        path.write_text(weights_of(name, features=features).text())
        assert load(f"{name}(weights={path})").weights == weights_of(name).weights


def refusal(tmp_path: Path, text: str, game: str = "othello", more: str = "") -> str:
    path = tmp_path / "weights.json"
    path.write_text(text)
    with pytest.raises(GamesearchError) as found:
        load(f"{game}({more}weights={path})")
    said = str(found.value)
    assert "\n" not in said
    return said


def test_unsuitable_weights_are_refused_in_one_sentence(tmp_path: Path) -> None:
    whole = weights_of("othello").text()
    assert "weights of othello, not of pig" in refusal(tmp_path, whole, "pig")
    assert "othello(size=8): use the game with these" in refusal(tmp_path, whole, "othello", "size=6, ")
    assert "version 9" in refusal(tmp_path, whole.replace('weights": 1', 'weights": 9'))
    assert "a weight for each feature" in refusal(tmp_path, weights_of("othello", features=("a", "b", "c", "d")).text())
    assert "a weight for each feature" in refusal(tmp_path, weights_of("othello", weights=(1.0, 2.0)).text())
    for wrong in (float("nan"), float("inf")):
        said = refusal(tmp_path, weights_of("othello", weights=(1.0, 2.0, wrong, 4.0)).text())
        assert "the weight of corners in" in said
    for cut in range(0, len(whole) - 2, 40):
        assert "is damaged" in refusal(tmp_path, whole[:cut])


def test_other_files_are_not_read_as_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not a weights file" in refusal(tmp_path, "{}")
    assert "not a weights file" in refusal(tmp_path, "[1, 2]")
    data = json.loads(weights_of("othello").text())
    for name in data:
        if name != "gamesearch weights":
            part = {key: value for key, value in data.items() if key != name}
            assert "header is missing" in refusal(tmp_path, json.dumps(part))
    assert "header is missing" in refusal(tmp_path, json.dumps(data | {"weights": ["1", 2, 3, 4]}))
    assert "header is missing" in refusal(tmp_path, json.dumps(data | {"weights": [10**400, 2, 3, 4]}))
    assert "header is missing" in refusal(tmp_path, json.dumps(data | {"beat": [{"x": 1}]}))
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe{}")
    for name, said in (
        (tmp_path / "nothing.json", r"there is no file .*nothing\.json"),
        (tmp_path / "binary.json", "is damaged"),
        ("learnt", "did you mean learned"),
    ):
        with pytest.raises(GamesearchError, match=said):
            load(f"othello(weights={name})")
    monkeypatch.setattr(weights_files, "LARGEST", 10)
    assert "it has more than 10 bytes" in refusal(tmp_path, json.dumps(data))
