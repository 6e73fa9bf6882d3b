"""Several searches on one tree."""

from recordings import TWO_PLY

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.trace.comparison import ComparedNode, Mark, compare_recordings, record


def compare(
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
    root = compare(TWO_PLY, "minimax", "alphabeta")
    assert [mark.nodes for mark in root.marks] == [13, 11]
    assert (root.side, root.value) == ("Max", "3")
    assert at(root, "b", "b").marks == [Mark("visited", 1), Mark("cut")]
    assert at(root, "b", "c").marks == [Mark("visited", 1), Mark("cut")]
    cut = [node for child in root.children for node in child.children if node.marks[1].kind == "cut"]
    assert len(cut) == 2

    root = compare("[[3,12],[2,[4,5]]]", "alphabeta", "minimax")
    assert at(root, "b", "b").marks[0] == Mark("cut")
    assert at(root, "b", "b", "a").marks == [Mark("unreached"), Mark("visited", 1)]


def test_transpositions_are_marked_as_table_hits() -> None:
    root = compare("tictactoe", "minimax", "alphabeta(table=true)", position="XO./.../...", depth=4)
    assert {"visited", "cut", "table"} <= kinds_below(root, 1)
    assert kinds_below(root, 0) == {"visited"}


def kinds_below(node: ComparedNode, number: int) -> set[str]:
    """Return the kinds of the marks of a search at a node and below it."""
    return {node.marks[number].kind}.union(*(kinds_below(child, number) for child in node.children))


def test_all_null_windows_but_only_the_last_depth_of_deepening_are_counted() -> None:
    game = load(TWO_PLY)
    searches = "alphabeta(table=true, window=null)", "alphabeta(deepen=true)"
    null, deepened = (record(game, game.initial(), load_algorithm(each), 2, 3) for each in searches)
    root = compare_recordings(game, game.initial(), [null, deepened], 3, 9)
    assert root.marks == [Mark("visited", null.end["nodes"]), Mark("visited", deepened.end["nodes"] - 4)]


def nodes_of(algorithm: str, position: str, depth: int | None = None) -> int:
    """Return the number of nodes that a search of tic-tac-toe visits."""
    game = load("tictactoe")
    found = search(game, game.parse(position), algorithm, limits=Limits(depth), speed="interpreted")
    return found.statistics.nodes


def test_the_marks_count_the_nodes_of_each_search() -> None:
    position = "X.O/.X./..."
    root = compare("tictactoe", "minimax", "alphabeta(deepen=true)", position=position, depth=5, plies=1)
    last = nodes_of("alphabeta(deepen=true)", position, 5) - nodes_of("alphabeta(deepen=true, depth=4)", position, 4)
    assert root.marks[1].nodes == last
    root = compare("tictactoe", "alphabeta", "expectimax", position="XX./OX./.OO")
    assert [child.move for child in root.children] == ["3", "6", "7"]
    counts = [nodes_of(each, "XX./OX./.OO") for each in ("alphabeta(distance=false)", "expectimax")]
    assert [mark.nodes for mark in root.marks] == counts


def test_a_node_is_drawn_once_even_if_it_is_visited_several_times() -> None:
    root = compare("pig(target=12)", "expectiminimax", "expectiminimax(pruning=star2)", depth=4)
    assert [child.move for child in at(root, "roll").children] == ["1", "2", "3", "4", "5", "6"]
    assert root.side == "Max"
    assert at(root, "roll").side == "chance"
    plain, star2 = at(root, "roll", "1").marks
    assert star2.nodes > plain.nodes, "Star2 visits this node twice: as a probe and in the search"


def test_the_best_move_is_drawn_however_narrow_the_tree() -> None:
    root = compare("[[1],[2],[3],[9],[4]]", "minimax", width=2)
    assert [child.move for child in root.children] == ["a", "d"]
    assert root.left_out == 3
    assert compare(TWO_PLY, "minimax", plies=1).children[0].children == []
