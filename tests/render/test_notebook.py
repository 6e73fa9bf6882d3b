"""Results, solutions and recordings as a notebook displays them, opened in a browser."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import driven, needs_browser

import gamesearch
from gamesearch import Limits
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.errors import GamesearchError
from gamesearch.solvers.solving import solve

VOID = {"meta", "br", "hr", "img", "input"}


class Balanced(HTMLParser):
    """A parser that fails if an element is not closed correctly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def shown() -> list[str]:
    """Return the notebook display of one object of each kind."""
    game = gamesearch.load("tictactoe")
    s = game.parse("XX./OX./.OO")
    tree = gamesearch.load("[[3,12,8],[2,4,6],[14,5,2]]")
    result = gamesearch.search(game, s, "alphabeta", multipv=2, speed="interpreted")
    solution = solve(game, s, speed="interpreted")
    recording = gamesearch.record(tree, tree.initial())
    return [each._repr_html_() for each in (result, solution, recording)]


def test_each_kind_of_object_shows_its_result() -> None:
    result, solution, recording = shown()
    for text in (result, solution, recording):
        Balanced(text)
        assert "<svg" in text
    assert "X wins in 1 move" in result
    assert "<td>7</td><td>0</td><td>3 6</td>" in result
    assert "11 of 11 nodes" in recording


def test_a_result_without_its_game_is_its_text() -> None:
    game = gamesearch.load("tictactoe")
    found = search_with(game, game.parse("XX./OX./.OO"), load_algorithm("alphabeta"), Limits(), speed="interpreted")
    assert found._repr_html_().startswith("<pre>SearchResult(")
    assert "searched" not in repr(found)


def test_a_large_tree_is_cut_near_its_root() -> None:
    game = gamesearch.load("tictactoe")
    text = gamesearch.record(game, game.initial(), limits=Limits(4), most=500)._repr_html_()
    assert re.search(r"60 of [0-9,]+ nodes", text)


@needs_browser
def test_a_browser_draws_notebook_outputs(tmp_path: Path) -> None:
    game = gamesearch.load("connect4")
    board = gamesearch.draw(game, game.parse("4453"))._repr_svg_()
    parts = "".join(f"<section>{each}</section>" for each in [*shown(), board])
    page = f"<!doctype html><meta charset=utf-8><body>{parts}</body>"
    widths = driven(page, "log.push(...all('section svg').map((each) => each.getBoundingClientRect().width))", tmp_path)
    assert len(widths) == 4
    assert min(widths) > 50


def test_a_bad_argument_is_one_sentence() -> None:
    game = gamesearch.load("tictactoe")
    s = game.initial()
    calls: dict[str, Callable[[], object]] = {
        "not an algorithm": lambda: gamesearch.search(game, s, 6),  # type: ignore[arg-type]
        "not a Limits object": lambda: gamesearch.search(game, s, limits=6),  # type: ignore[arg-type]
        "write a game as text": lambda: gamesearch.load(6),  # type: ignore[arg-type]
        "is not a move": lambda: gamesearch.draw(game, s, 77),
        "is text": lambda: gamesearch.draw(game, "XX./OX./.OO"),
        "the depth must": lambda: gamesearch.perft(game, s, "3"),  # type: ignore[arg-type]
        "did you mean": lambda: gamesearch.search(game, s, "alphabta"),
    }
    for words, call in calls.items():
        with pytest.raises(GamesearchError, match=words) as caught:
            call()
        assert "\n" not in str(caught.value)
