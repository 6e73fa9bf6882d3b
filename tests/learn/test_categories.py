"""`gamesearch learn --categories` compares the results of games for each value of a feature."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import complaint, output
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.learn.categories import MOST_CATEGORIES, MOST_KINDS, categories_of
from gamesearch.registry import load

OWN = str(Path(__file__).with_name("own_game.py"))


def test_the_side_that_is_ahead_wins_more(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["learn", OWN, "--categories", "sum", "--games", "60", "--speed", "interpreted", "--depth", "1"]
    found = json.loads(output(capsys, *arguments, "--json"))
    rows = found["categories"]
    assert (found["feature"], found["games"]) == ("sum", 60)
    assert rows[0]["value"] < rows[-1]["value"]
    assert rows[0]["label"].endswith(" or less")
    assert rows[-1]["label"].endswith(" or more")
    for row in rows:
        assert row["wins"] + row["draws"] + row["losses"] == pytest.approx(1)
        assert row["value"] == pytest.approx(row["wins"] - row["losses"])
        assert 1 <= row["games"] <= row["positions"]
    text = output(capsys, *arguments)
    assert "bar: + = -" in text


@given(
    st.lists(
        st.tuples(st.floats(-50, 50), st.sampled_from([0.0, 0.5, 1.0]), st.floats(-1, 1), st.integers(0, 9)),
        min_size=1,
        max_size=60,
    ),
    st.sampled_from([0, 1, 3, 40]),
)
def test_every_position_is_in_one_category(rows: list[tuple[float, float, float, int]], count: int) -> None:
    array = np.array(rows, np.float64)
    kinds = [f"kind {number % count}" if count else "" for number in range(len(rows))]
    found = categories_of(array, kinds)
    assert sum(each.positions for each in found) == len(rows)
    assert len({each.label for each in found}) == len(found)
    shown = [each for each in found if each.label.startswith("kind")]
    assert len(shown) == min(count, len(rows), MOST_KINDS)
    assert all(each.positions == kinds.count(each.label) for each in shown)
    assert len(found) - len(shown) <= MOST_CATEGORIES + 1
    mean = sum(each.value * each.positions for each in found) / len(rows)
    assert mean == pytest.approx(float(np.mean(2 * array[:, 1] - 1)))


@pytest.mark.parametrize("rules", ["usual", "python-chess"])
@pytest.mark.parametrize(
    ("position", "category"),
    [
        ("1n2k3/p7/8/8/8/8/P7/2B1K3 w - - 0 1", "+B -N"),
        ("rr2k3/8/8/8/8/8/PPP5/Q3K3 w - - 0 1", "+Q +3P -2R"),
        ("r3k3/8/8/8/8/8/8/4K2R w - - 0 1", "even"),
    ],
)
def test_material_of_chess_is_described_by_pieces(rules: str, position: str, category: str) -> None:
    game: Any = load(f"chess(rules={rules})")
    assert game.category(game.parse(position), "material") == category
    assert game.category(game.parse(position), "mobility") == ""


def test_the_categories_of_the_lectures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    moves = "1. e4 d5 2. Nf3 dxe4 3. Ng1 e3 4. Nf3 exf2+ 5. Kxf2"
    results = ("1-0", "0-1", "0-1", "1/2-1/2", "*")  # the last game is not finished
    path.write_text("\n".join(f'[Result "{won}"]\n\n{moves} {won}\n' for won in results))
    arguments = ["learn", "chess", "--categories", "material", "--speed", "interpreted", "--json"]
    rows = {each["label"]: each for each in json.loads(output(capsys, *arguments, "--from", str(path)))["categories"]}
    assert list(rows) == ["-P", "even"]  # Black is two pawns up only just after a capture with check
    pawn_down = rows["-P"]
    assert (pawn_down["games"], pawn_down["wins"], pawn_down["losses"], pawn_down["draws"]) == (4, 0.25, 0.5, 0.25)
    assert (pawn_down["value"], pawn_down["estimate"]) == (-0.25, -1)
    path.write_text('[Result "1/2-1/2"]\n\n1. f3 e5 2. g4 Qh4# 1/2-1/2\n')  # mate, whatever the header says
    (found,) = json.loads(output(capsys, *arguments, "--from", str(path)))["categories"]
    assert (found["label"], found["losses"]) == ("even", 1)
    path.write_text('[FEN "8/8/8/3k4/8/8/4P3/4K3 w - - 99 80"]\n[Result "*"]\n\n80. Kf2 *\n')  # fifty moves: a draw
    (found,) = json.loads(output(capsys, *arguments, "--from", str(path)))["categories"]
    assert (found["label"], found["draws"]) == ("+P", 1)


def test_options_of_categories_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no feature 'material'" in complaint(capsys, "learn", "connect4", "--categories", "material")
    assert "leave out --to" in complaint(capsys, "learn", "connect4", "--categories", "discs", "--to", "a.json")
    for option in (("--plot", "a.svg"), ("--method", "td"), ("--workers", "2"), ("--errors",)):
        said = complaint(capsys, "learn", "connect4", "--categories", "cells that would win", *option)
        assert f"leave out {option[0]}" in said
    assert "leave out --games" in complaint(
        capsys, "learn", "chess", "--categories", "material", "--from", "a.pgn", "--games", "30"
    )


def test_games_of_a_journal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    journal = tmp_path / "match.jsonl"
    arguments = ["match", OWN, "random", "minimax(depth=1)", "--games", "4", "--speed", "interpreted"]
    output(capsys, *arguments, "--journal", str(journal))
    found = json.loads(output(capsys, "learn", OWN, "--categories", "sum", "--from", str(journal), "--json"))
    records = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    assert found["games"] == len(records) == 4
    made = sum(len(each["opening"]) + len(each["moves"]) for each in records)
    assert sum(row["positions"] for row in found["categories"]) == made


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("games.txt", "", "is not a file of games: use a .pgn"),
        ("games.pgn", '[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0', "game 1, line 3: 'Ke3'"),
        ("games.pgn", "", "has no finished games of chess"),
        ("games.pgn", '[Result "*"]\n\n1. e4 e5 *', "has no finished games of chess"),
        ("games.jsonl", "{}\n", "is not the journal of a match"),
    ],
)
def test_files_without_games_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, said: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert said in complaint(capsys, "learn", "chess", "--categories", "material", "--from", str(path))
    assert "--from needs --categories" in complaint(capsys, "learn", "chess", "--to", "a.json", "--from", str(path))
