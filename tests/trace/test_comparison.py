"""Several searches on one tree."""

from recordings import TWO_PLY

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.trace.comparison import ComparedNode, Mark, compare_recordings, record


def compared(
    text: str, *algorithms: str, position: str = "", depth: int = 9, plies: int = 3, width: int = 9
) -> ComparedNode:
    game, state = load(text).setup(position)
    recordings = [record(game, state, load_algorithm(each), depth, plies) for each in algorithms]
    return compare_recordings(game, state, recordings, plies, width)


def at(root: ComparedNode, *path: str) -> ComparedNode:
    for move in path:
        root = next(child for child in root.children if child.move == move)
    return root


def test_the_textbooks_cuts() -> None:
    root = compared(TWO_PLY, "minimax", "alphabeta")
    assert [mark.nodes for mark in root.marks] == [13, 11]
    assert (root.side, root.value) == ("Max", "3")
    assert at(root, "b", "b").marks == [Mark("visited", 1), Mark("cut")]
    assert at(root, "b", "c").marks == [Mark("visited", 1), Mark("cut")]
    cut = [node for child in root.children for node in child.children if node.marks[1].kind == "cut"]
    assert len(cut) == 2


def test_nodes_below_a_cutoff_are_unreached() -> None:
    root = compared("[[3,12],[2,[4,5]]]", "alphabeta", "minimax")
    assert at(root, "b", "b").marks[0] == Mark("cut")
    assert at(root, "b", "b", "a").marks == [Mark("unreached"), Mark("visited", 1)]


def test_the_table_answers_for_transpositions() -> None:
    root = compared("tictactoe", "minimax", "alphabeta(table=true)", position="XO./.../...", depth=4)
    found = {mark.kind for mark in marks_below(root, 1)}
    assert {"visited", "cut", "table"} <= found
    assert {mark.kind for mark in marks_below(root, 0)} == {"visited"}


def marks_below(node: ComparedNode, number: int) -> list[Mark]:
    return [node.marks[number], *(mark for child in node.children for mark in marks_below(child, number))]


def test_null_windows_are_counted_together_and_of_deepening_the_last_depth() -> None:
    game = load(TWO_PLY)
    null = record(game, game.initial(), load_algorithm("alphabeta(table=true, window=null)"), 2, 3)
    deepened = record(game, game.initial(), load_algorithm("alphabeta(deepen=true)"), 2, 3)
    root = compare_recordings(game, game.initial(), [null, deepened], 3, 9)
    assert root.marks == [Mark("visited", null.end["nodes"]), Mark("visited", deepened.end["nodes"] - 4)]


def test_of_deepening_the_last_depth_is_shown_though_less_is_drawn() -> None:
    root = compared("tictactoe", "minimax", "alphabeta(deepen=true)", position="X.O/.X./...", depth=5, plies=1)
    found = [load_algorithm(text) for text in ("alphabeta(deepen=true)", "alphabeta(deepen=true, depth=4)")]
    game = load("tictactoe")
    nodes = [
        search(game, game.parse("X.O/.X./..."), algorithm, limits=Limits(depth), speed="interpreted").statistics.nodes
        for algorithm, depth in zip(found, (5, 4), strict=True)
    ]
    assert root.marks[1].nodes == nodes[0] - nodes[1]


def test_a_node_is_there_once_however_often_it_is_visited() -> None:
    root = compared("pig(target=12)", "expectiminimax", "expectiminimax(pruning=star2)", depth=4)
    assert [child.move for child in at(root, "roll").children] == ["1", "2", "3", "4", "5", "6"]
    assert root.side == "Max"
    assert at(root, "roll").side == "chance"
    plain, star2 = at(root, "roll", "1").marks
    assert star2.nodes > plain.nodes, "it was probed and searched"


def test_the_best_move_is_drawn_however_narrow_the_tree() -> None:
    root = compared("[[1],[2],[3],[9],[4]]", "minimax", width=2)
    assert [child.move for child in root.children] == ["a", "d"]
    assert root.left_out == 3
    assert compared(TWO_PLY, "minimax", plies=1).children[0].children == []


def test_an_opponent_at_random_is_another_search_of_the_same_tree() -> None:
    root = compared("tictactoe", "alphabeta", "expectimax", position="XX./OX./.OO")
    assert [child.move for child in root.children] == ["3", "6", "7"]
    game = load("tictactoe")
    for number, algorithm in enumerate(["alphabeta(distance=false)", "expectimax"]):
        result = search(game, game.parse("XX./OX./.OO"), algorithm, speed="interpreted")
        assert root.marks[number].nodes == result.statistics.nodes
