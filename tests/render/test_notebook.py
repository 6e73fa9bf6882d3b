"""Results, solutions and recordings as a notebook displays them, opened in a browser."""

import re
from html.parser import HTMLParser

import gamesearch
from gamesearch import Limits
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.searcher import search_with
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
