"""Each statement in an explanation of a move agrees with the result of a search."""

from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.commands.solving.analyze.explanation import Explanation, explain
from gamesearch.game import Game
from gamesearch.registry import load

HORIZON = "tree([[[-9,1],[4]],[[3],[2]]])"


def explain_search(text: str, algorithm: str, position: str = "", **limits: Any) -> tuple[Game, Any, Explanation]:
    game, state = load(text).setup(position)
    chosen, given = load_algorithm(algorithm), Limits(**limits)
    result = search(game, state, chosen, limits=given, speed="interpreted")
    return game, state, explain(game, state, chosen, given, result, speed="interpreted")


def test_each_move_is_explained_with_its_best_reply() -> None:
    game, state, explanation = explain_search("[[3,12,8],[2,4,6],[14,5,2]]", "alphabeta")
    replies = {game.move_name(state, each.move): each.line for each in explanation.moves}
    assert replies == {"a": (0,), "b": (0,), "c": (2,)}


def test_each_depth_is_searched_by_itself() -> None:
    _, _, explanation = explain_search(HORIZON, "minimax")
    assert [(each.depth, each.value, each.best) for each in explanation.depths] == [
        (1, -2.5, 0),
        (2, -2.5, 0),
        (3, 2, 1),
    ]
    assert [(first.depth, last.depth) for first, last in explanation.choices] == [(1, 2), (3, 3)]


def test_the_evaluation_at_the_end_of_the_line_is_split_into_terms() -> None:
    _, _, explanation = explain_search("connect4", "alphabeta(depth=5)", "4453")
    ending = explanation.ending
    assert (ending.kind, ending.plies) == ("horizon", 5)
    assert [term.name for term in ending.terms] == ["cells that would win", "stones in the middle"]
    assert ending.total == ending.value == explanation.depths[-1].value
    assert [term.product for term in ending.terms] == [term.amount * term.weight for term in ending.terms]


def test_a_line_may_end_with_the_game_or_at_a_chance_node() -> None:
    assert explain_search("tictactoe", "alphabeta", "XX./OX./.OO")[2].ending.kind == "over"
    pig = explain_search("pig(target=20)", "expectiminimax(depth=4)", "5,3,4")[2].ending
    assert (pig.kind, pig.plies) == ("chance", 1)
    assert pig.total != pig.value, "the evaluation of pig is the logistic function of the sum"
    root = explain_search("{1/2: 8, 1/3: 24, 1/6: -12}", "expectiminimax")[2]
    assert (root.ending.kind, root.ending.plies, root.ending.terms) == ("chance", 0, ())
    assert [each.value for each in root.moves] == [8, 24, -12]
    null = explain_search("connect4", "alphabeta(depth=4, table=true, window=null)", "4453")[2].ending
    assert null.kind in ("known", "horizon")


def test_a_stopped_search_is_explained_to_the_depth_it_reached() -> None:
    _, _, explanation = explain_search("tictactoe", "alphabeta(deepen=true)", nodes=200)
    assert [each.depth for each in explanation.depths] == [1, 2, 3]
    assert len(explanation.moves) == 9
