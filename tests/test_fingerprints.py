"""Files that depend on the rules of a game stay valid if the rules behave the same, and are rejected if they do not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from countdown import COUNTDOWN
from database_support import build_database

from gamesearch import registry
from gamesearch.algorithms.databases.layer_files import HEADER_BYTES
from gamesearch.algorithms.node.database import Database
from gamesearch.errors import GamesearchError
from gamesearch.files import fingerprint
from gamesearch.files.books import Book, read_book, write_book
from gamesearch.files.fingerprint import fingerprint_of_layer, fingerprint_of_rules
from gamesearch.game import Game
from gamesearch.games.connecting.tictactoe import TicTacToe
from gamesearch.optional import NumberedGame
from gamesearch.registry import load
from gamesearch.solvers.databases.building import verify
from gamesearch.solvers.databases.folders import BuiltLayer, WrongCode

REWRITTEN = COUNTDOWN.replace("range(1, largest(s.left) + 1)", "(3, 2, 1)[-largest(s.left) :]").replace(
    "1 if s.turn == 1 else -1", "2 * s[1] - 1\n\n    def evaluate(self, position):\n        return 0.25"
)
"""Countdown with rewritten source: moves in another order, and an evaluation, but the same rules."""


def rules_in(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Game:
    path.write_text(text)
    monkeypatch.setattr(registry, "_in_files", {})
    return load(str(path))


def test_rewritten_rules_keep_a_database_and_a_book_but_other_rules_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, folder, book = tmp_path / "counters.py", tmp_path / "database", tmp_path / "book.json"
    build_database(rules_in(own, COUNTDOWN, monkeypatch), "start", folder)
    write_book(book, Book(rules_in(own, COUNTDOWN, monkeypatch)))
    Database(str(folder), rules_in(own, REWRITTEN, monkeypatch))
    read_book(str(book), rules_in(own, REWRITTEN, monkeypatch))
    for old, new in (("min(left, 3)", "min(left, 4)"), ("s.turn == 1", "s.turn == 0")):
        changed = rules_in(own, COUNTDOWN.replace(old, new), monkeypatch)
        for read in (lambda: Database(str(folder), changed), lambda: read_book(str(book), changed)):
            with pytest.raises(GamesearchError, match="built with other rules"):
                read()


def test_a_rule_that_matters_in_few_positions_is_found_by_verifying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, folder = tmp_path / "counters.py", tmp_path / "database"
    build_database(rules_in(own, COUNTDOWN, monkeypatch), "start", folder)
    changed = rules_in(own, COUNTDOWN.replace("largest(s.left)", "min(s.left, 3 + (s == (4, 1)))"), monkeypatch)
    (found,) = verify(changed, "start", str(folder), speed="interpreted")
    assert isinstance(found, WrongCode)
    assert found.state == (4, 1)


class MisereTicTacToe(TicTacToe):
    """A different game with the name of tic-tac-toe: a player with three in a row loses."""

    name = "tictactoe"

    def utility(self, s: Any) -> int:
        return -super().utility(s)


class ReorderedTicTacToe(TicTacToe):
    """Tic-tac-toe that generates its moves in the opposite order."""

    name = "tictactoe"

    def moves(self, s: Any) -> Iterator[int]:
        yield from reversed(list(super().moves(s)))


def test_fingerprints_distinguish_behavior() -> None:
    usual, misere, reordered = TicTacToe(), MisereTicTacToe(), ReorderedTicTacToe()
    assert fingerprint_of_layer(usual, 5) == fingerprint_of_layer(reordered, 5) != fingerprint_of_layer(misere, 5)
    start = usual.initial()
    by_rules, by_order = fingerprint_of_rules(usual, start), fingerprint_of_rules(usual, start, is_ordered=True)
    assert fingerprint_of_rules(reordered, start) == by_rules != fingerprint_of_rules(misere, start)
    assert fingerprint_of_rules(reordered, start, is_ordered=True) != by_order


def test_a_small_layer_is_compared_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    game = TicTacToe()
    whole = fingerprint_of_layer(game, 8)
    monkeypatch.setattr(fingerprint, "MOVES", 0)
    assert fingerprint_of_layer(game, 8) == whole


def write_format_before(path: Path, to: Path, **facts: Any) -> None:
    content = path.read_bytes()
    header = json.loads(content[:HEADER_BYTES])
    del header["start"]
    header |= {"format": 4, "rules": "0123456789abcdef"} | facts
    to.write_bytes(json.dumps(header).encode().ljust(HEADER_BYTES - 1) + b"\n" + content[HEADER_BYTES:])


def test_old_layers_whose_positions_are_now_in_another_layer_are_ignored(tmp_path: Path) -> None:
    chess = load("chess")
    assert isinstance(chess, NumberedGame)
    (lowest,) = build_database(chess, "2", tmp_path).headers
    reversed_queen = 243 * chess.layers_for("KQK")[-1]
    write_format_before(tmp_path / "KK.layer", tmp_path / "KKQ.layer", layer=reversed_queen, name="KKQ")
    assert list(Database(str(tmp_path), chess).headers) == [lowest]


@pytest.mark.parametrize(("text", "layers"), [("checkers(size=4)", "2"), ("hex(size=2)", "start")])
def test_a_database_of_the_previous_format_is_valid_after_verification(text: str, layers: str, tmp_path: Path) -> None:
    game, folder = load(text), tmp_path / "now"
    build_database(game, layers, folder)
    before = tmp_path / "before"
    before.mkdir()
    for path in folder.glob("*.layer"):
        write_format_before(path, before / path.name)
    with pytest.raises(GamesearchError, match=r"earlier version of gamesearch: add --verify .*gamesearch database"):
        Database(str(before), game)
    with pytest.raises(GamesearchError, match="--verify"):
        build_database(game, layers, before)
    found = list(verify(game, layers, str(before), speed="interpreted"))
    assert all(isinstance(each, BuiltLayer) for each in found)
    Database(str(before), game)
    for path in folder.glob("*.layer"):
        assert (before / path.name).read_bytes() == path.read_bytes()
