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


def test_each_kind_of_object_shows_its_result() -> None:
    game = gamesearch.load("tictactoe")
    s = game.parse("XX./OX./.OO")
    tree = gamesearch.load("[[3,12,8],[2,4,6],[14,5,2]]")
    result = gamesearch.search(game, s, "alphabeta", multipv=2, speed="interpreted")._repr_html_()
    solution = solve(game, s, speed="interpreted")._repr_html_()
    recording = gamesearch.record(tree, tree.initial())._repr_html_()
    for text in (result, solution, recording):
        Balanced(text)
        assert "<svg" in text
    assert "X wins in 1 move" in result
    assert "<td>7</td><td>0</td><td>3 6</td>" in result
    assert "11 of 11 nodes" in recording
    alone = search_with(game, s, load_algorithm("alphabeta"), Limits(), speed="interpreted")
    assert alone._repr_html_().startswith("<pre>SearchResult("), "a result without its game is its text"
    assert "searched" not in repr(alone)
    large = gamesearch.record(game, game.initial(), limits=Limits(4), most=500)._repr_html_()
    assert re.search(r"60 of [0-9,]+ nodes", large), "a large tree is cut near its root"
