import io
import itertools
import math
import random
import re
from pathlib import Path
from typing import Any

import pytest
from commands import Cli
from hypothesis import given, settings
from recordings import recording_of
from rich.console import Console
from support import trees

from gamesearch import search, solve
from gamesearch.algorithms.engine.result import Monitor, SearchResult
from gamesearch.commands.solving.analyze.view import AnalysisView, DeepeningView
from gamesearch.commands.visualizing.graph import graph_data
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.games.trees.tree.rules import Tree
from gamesearch.optional import is_determined
from gamesearch.registry import load, specification_of
from gamesearch.render.graphs import picture_of
from gamesearch.render.value_words import Analysis, found_text
from gamesearch.solvers.graphs.positions import solve_graph
from gamesearch.solvers.verification import refuse_unfit
from gamesearch.trace.recorder.tables import record_table

THREE_PLAYERS = "[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]"
NOTATIONS = [
    "5",
    "[-1,1/2,.25,1e3]",
    "[[3,12,8],[2,4,6],[14,5,2]]",
    "{1/2: 8, 1/3: 24, 1/6: -12}",
    "[{1,2,[3,4]},max[1,min[2,3]],p2[0]]",
    "[{0.25: {1, [2,-3]}, 3/4: 7},1]",
    THREE_PLAYERS,
    "p3[{(1,2,3), p1[(4,5,6)]},(0,0,1/3)]",
]


def payoffs(game: Any, s: Any) -> tuple[float, ...]:
    """Return each player's payoff if all maximize their own payoff: max^n, or expectiminimax for two players."""
    if game.terminal(s):
        paid = game.utility(s)
        return paid if isinstance(paid, tuple) else (paid, -paid)
    if game.player(s) == CHANCE:
        parts = [[p * x for x in payoffs(game, game.result(s, m))] for m, p in game.outcomes(s)]
        return tuple(map(sum, zip(*parts, strict=True)))
    return max((payoffs(game, game.result(s, m)) for m in game.moves(s)), key=lambda paid: paid[game.player(s)])


def test_three_players() -> None:
    game = Tree(THREE_PLAYERS)
    assert (game.players, game.chance, game.names) == (3, False, ("P1", "P2", "P3"))
    assert (game.MINSCORE, game.MAXSCORE) == (1, 7)
    assert payoffs(game, game.initial()) == (1, 2, 6)  # Russell & Norvig, figure 5.4
    assert payoffs(game, game.parse("b")) == (1, 5, 2)
    assert [game.player(game.parse(path)) for path in ("root", "a", "a.b")] == [0, 1, 2]
    assert game.name == "tree"


def test_the_properties_of_a_tree_follow_from_its_text() -> None:
    game = Tree("[{0.25: {1, [2,-3]}, 3/4: 7},1]")
    assert (game.players, game.chance, game.win_or_loss) == (2, True, False)
    assert (game.MINSCORE, game.MAXSCORE, game.evaluate(game.initial())) == (-3, 7, 2)
    assert not Tree().chance


def test_sides_alternate_between_decisions_on_the_path() -> None:
    game = Tree("[{[1],[{[2,3],4}]},max[[5],6],min[[7],8]]")
    sides = {path: game.player(game.parse(path)) for path in ("root", "a.a", "a.b", "a.b.a.a", "b", "b.a", "c", "c.a")}
    assert sides == {
        "root": MAX, "a.a": MIN, "a.b": MIN, "a.b.a.a": MAX, "b": MAX, "b.a": MIN, "c": MIN, "c.a": MAX,
    }  # fmt: skip
    assert game.player(game.parse("a")) == game.player(game.parse("a.b.a")) == CHANCE


@pytest.mark.parametrize("denominator", [3, 7, 64, 96, 999, 1001, 4999])
def test_fractions_are_read_back_as_they_were_typed(denominator: int) -> None:
    game = Tree(f"{{1/{denominator}: 1/{denominator}, {denominator - 1}/{denominator}: -2/{denominator}}}")
    again = load(specification_of(game))
    assert isinstance(again, Tree)
    assert list(again.probabilities) == list(game.probabilities)
    assert again.payoffs.tolist() == game.payoffs.tolist()
    assert "1/3: 1/3, 2/3: -2/3" in Tree("{1/3: 1/3, 2/3: -2/3}").text


@pytest.mark.parametrize("text", NOTATIONS)
def test_notation_round_trips(text: str) -> None:
    game, source = Tree(text), random.Random(text)
    again = Tree(game.text)
    assert again.text == game.text
    assert list(again.sides) == list(game.sides)
    assert again.payoffs.tolist() == game.payoffs.tolist()
    assert list(again.probabilities) == list(game.probabilities)
    for _ in range(20):
        s = game.initial()
        while not game.terminal(s):
            assert game.parse(game.format(s)) == s
            assert game.setup(game.format(s)) == (game, s)
            moves = list(game.moves(s))
            assert [game.parse_move(s, game.move_name(s, m)) for m in moves] == moves
            assert len(game.board(s).notes) == len(moves) + 1
            s = game.result(s, source.choice(moves))
        assert game.parse(game.format(s)) == s
        leaf = Tree(game.board(s).notes[0].partition(": ")[2])
        assert payoffs(leaf, leaf.initial()) == payoffs(game, s)


def test_trees_can_be_written_in_json(tmp_path: Path) -> None:
    file = tmp_path / "lecture.json"
    file.write_text('{"max": [[1, 2],\n {"chance": [[0.5, {"p1": [3, 4]}], [0.5, {"payoff": [5]}]]}]}\n')
    wanted = "max[[1,2],{0.5: p1[3,4], 0.5: 5}]"
    for game in (Tree(file=str(file)), Tree(str(file)), Tree().setup(str(file))[0]):
        assert isinstance(game, Tree)
        assert game.text == Tree(wanted).text
    vectors = Tree('[{"payoff": [1, 2, 6]}, {"p3": [(0,0,1), (0,0,2)]}]')
    assert vectors.text == "[(1,2,6),p3[(0,0,1),(0,0,2)]]"


def test_many_branches_have_numbers() -> None:
    game = Tree("[" + ",".join(map(str, range(40))) + "]")
    assert game.utility(game.parse("27")) == 26
    assert game.format(game.parse("40")) == "40"
    assert len(game.board(game.initial()).notes) < 40
    lone, _ = game.setup("3.5")
    assert lone.utility(lone.initial()) == 3.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: write a number"),
        ("[[3,12,8],[2,4,6]", "column 18: ] is missing"),
        ("[1,2]]", "column 6: the tree is complete"),
        ("[1,\n  x]", "column 3 of line 2"),
        ("[]", "column 2: write a number"),
        ("[1 2]", "] is missing before 2"),
        ("{1/2: 3, 1/3: 2}", "sum to 1, not to 0.833"),
        ("{3/2: 3, -1/2: 2}", "above 0"),
        ("{1/2: 3, 2}", "at every branch, or at no branch"),
        ("{[1]: 2}", "write a probability"),
        ("[1,1/0]", "1/0 is not a number"),
        ("1e13", "not a number up to"),
        ('{"max": 3}', 'write "max", "min", "p1"'),
        ("[" * 200, "too large"),
        ("[1,(1,2,3)]", "2 to 8 numbers"),
        ("[(1,2),(1,2,3)]", "2 to 8 numbers"),
        ("[?,?]", "all leaves of the tree are unknown"),
        ("[3:4]", "an estimate must be followed by a colon and a node"),
        ("3:4:[1,2]", "an estimate must be followed by a colon and a node"),
        ("p3[1,2]", "2 players, but a node names a player with a greater number"),
        ("missing.json", "there is no file missing.json"),
        ("tests", "a number"),
    ],
)
def test_malformed_trees_are_refused(text: str, message: str) -> None:
    with pytest.raises(GamesearchError, match=message):
        Tree(text)


def test_a_wrong_path_is_reported() -> None:
    with pytest.raises(GamesearchError, match="not a path of moves"):
        Tree().setup("a.b.c")
    with pytest.raises(GamesearchError, match="not a legal move"):
        Tree().parse_move(Tree().initial(), "d")


@settings(max_examples=25)
@given(trees(chance=True))
def test_any_tree_is_read_back(text: str) -> None:
    game = Tree(text)
    if "/" not in text:  # fractions are reduced
        assert game.text.replace(" ", "") == text.replace(" ", "")
    assert payoffs(Tree(game.text), game.initial()) == payoffs(game, game.initial())
    rounding = 1e-9  # three times a third of 7 is slightly less than 7
    assert game.MINSCORE - rounding <= payoffs(game, game.initial())[0] <= game.MAXSCORE + rounding


# Notation of lectures. --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[3,12,8],[2,?,?],[14,5,2]]", "do not matter: the value is always 3"),
        ("[[3,12,?],[2,?,?],[14,5,2]]", "The value is at least 2 and at most 3. A search assumes"),
        ("[[3,12,?],[2,?,?],[14,5,2]]", "the unknown leaf a.c, but not on b.b, b.c"),
        ("[[3,?],[?,9]]", "the unknown leaves a.b, b.a. The value is at most 9"),
        ("{1/2: ?, 1/2: [3,?]}", "the unknown leaves a, b.b. The value can be any number"),
        ("max[5,min[?,2],?]", "depends on the unknown leaf c, but not on b.a. The value is at least 5"),
        (
            "max[5,{1/2: min[?,3], 1/2: 4},?]",
            "depends on the unknown leaf c, but not on b.a.a. The value is at least 5",
        ),
        ("max[5,min[3,{1/2: ?, 1/2: ?}],?]", "depends on the unknown leaf c, but not on b.b.a, b.b.b"),
        ("max[5,{1/2: min[?,7], 1/2: 4},?]", "depends on the unknown leaves b.a.a, c. The value is at least 5"),
        ("max[{min[?,3], 3, 3, 3, 3},3]", "does not matter: the value is always 3"),
        (
            "max[{min[?,2], 1, 1, 1, 1},6/5,?]",
            "depends on the unknown leaf c, but not on a.a.a. The value is at least 1.2",
        ),
    ],
)
def test_unknown_leaves_are_needed_or_not(text: str, words: str) -> None:
    game = load(text)
    assert words in game.board(game.initial()).notes[-1]


@pytest.mark.parametrize("seed", range(8))
def test_a_leaf_is_needed_if_its_payoff_can_change_the_value(seed: int) -> None:
    """The test gives unknown leaves every combination of a very small and a very large payoff."""
    source = random.Random(seed)

    def tree(plies: int) -> str:
        if plies == 0 or (plies < 3 and source.random() < 0.2):
            return "?" if source.random() < 0.25 else str(source.randrange(10))
        return f"[{','.join(tree(plies - 1) for _ in range(source.choice((2, 3))))}]"

    game = Tree(f"[{tree(3)},{tree(3)},5,?]")
    unknown = [i for i, node in enumerate(game._nodes) if node.is_unknown][:8]

    def value(node: int, payoffs: dict[int, float]) -> float:
        if not game.counts[node]:
            return payoffs.get(node, float(game.payoffs[node]))
        best = max if game.sides[node] == MAX else min
        return best(value(child, payoffs) for child in game._children(node))

    trials = [
        dict(zip(unknown, each, strict=True)) for each in itertools.product((-math.inf, math.inf), repeat=len(unknown))
    ]
    changing = {
        leaf for each in trials for leaf in unknown if value(0, {**each, leaf: -99}) != value(0, {**each, leaf: 99})
    }
    assert set(game._needed_leaves(0)) & set(unknown) == changing
    low, high = game._limits(0)
    assert (low == high) == (not set(game._needed_leaves(0)))


def test_two_payoffs_with_a_constant_sum_make_a_game_of_max_and_min() -> None:
    game = load("p1[(3,-3),p2[(0,0),(4,-4)]]")
    assert (game.players, game.MINSCORE, game.MAXSCORE) == (2, 0, 4)
    assert search(game, game.initial(), "alphabeta").value == 3
    assert load(Tree("p1[(3,-3),p2[(0,0),(4,-4)]]").text).board(game.initial()).notes[1].endswith("(3,-3)")


def test_two_payoffs_with_different_sums_are_searched_by_maxn() -> None:
    """The tree is a centipede game: after a pass, the other player takes more, so the first player takes
    immediately."""
    game = load("p1[(1,0),p2[(0,2),p1[(3,1),p2[(2,4),(4,3)]]]]")
    found = search(game, game.initial(), "maxn")
    assert (game.players, game.names, found.value) == (2, ("P1", "P2"), (1, 0))
    assert [game.move_name(game.initial(), m) for m in found.line] == ["a"]
    with pytest.raises(GamesearchError, match=r"minimax is for zero-sum payoffs, .* use the algorithm maxn"):
        search(game, game.initial(), "minimax")
    with pytest.raises(GamesearchError, match=r"solve` is for zero-sum payoffs, .* with the algorithm maxn"):
        solve(game, game.initial())


def test_an_estimate_counts_at_the_depth_limit() -> None:
    text = "[4:[3,12,8],0.7:[2,4,6],-9:max[14,{1/2: 5:[0,1], 1/2: 2}]]"
    game = load(text)
    assert Tree(Tree(text).text).text == Tree(text).text
    assert search(game, game.initial(), "expectiminimax(depth=1)").value == 4
    assert search(game, game.initial(), "expectiminimax").value == 14


def test_estimates_for_several_players() -> None:
    game = load("[(1,2,3):[(5,1,0),(3,0,9)],(2,2,2)]")
    assert search(game, game.initial(), "maxn(depth=1)", speed="interpreted").value == (2, 2, 2)


def test_a_value_that_depends_on_an_unknown_leaf_is_an_estimate() -> None:
    needed, other = load("[[3,?],[2,?]]"), load("[[3,12,8],[2,?,?],[14,5,2]]")
    assert not search(needed, needed.initial(), "alphabeta").is_proven
    assert search(other, other.initial(), "alphabeta").is_proven
    assert not search(other, other.parse("b"), "minimax").is_proven
    assert solve(other, other.initial()).value == 3
    with pytest.raises(GamesearchError, match="depends on unknown payoffs"):
        solve(needed, needed.initial())


def test_a_best_move_does_not_depend_on_an_unknown_leaf() -> None:
    """The test replaces unknown leaves by all combinations of a very small and a very large payoff."""
    source, determined = random.Random(3), 0

    def tree(plies: int) -> str:
        if plies == 0 or (plies < 3 and source.random() < 0.2):
            return "?" if source.random() < 0.2 else str(source.randrange(3))
        return f"[{','.join(tree(plies - 1) for _ in range(source.choice((1, 2, 3))))}]"

    def solutions(text: str) -> set[tuple[int, ...]]:
        payoffs = itertools.product(("-9", "9"), repeat=text.count("?"))
        games = [
            load("".join(map("".join, itertools.zip_longest(text.split("?"), each, fillvalue="")))) for each in payoffs
        ]
        return {solve(game, game.initial()).best for game in games}

    for _ in range(60):
        text = f"[1,{tree(3)},{tree(3)}]"
        game = load(text)
        if not 0 < text.count("?") < 6 or not is_determined(game, game.initial()):
            continue
        found, always = solve(game, game.initial()), set.intersection(*map(set, solutions(text)))
        assert set(found.best) == always, text
        for count in (0, 1, 2):
            best = search(game, game.initial(), "alphabeta", speed="interpreted", multipv=count).best
            assert best in always, (text, count)
        assert {each.move for each in found.moves} >= always
        determined += 1
    assert determined > 10
    chance = load("{5,[[?,3],4]}")
    found_there = search(chance, chance.initial(), "expectiminimax")
    assert (found_there.best, found_there.value, found_there.is_proven) == (None, 4.5, True)
    chances = load("[[?,5],[5,6],[1,30]]")
    assert search(chances, chances.initial(), "expectimax").best == 2, "a search of another game is not corrected"
    for algorithm in ("mcts", "bestfirst", "alphabeta"):
        other = load("[[?,5],3]")
        answer = search(other, other.initial(), algorithm, speed="interpreted")
        assert (answer.best, answer.is_proven) == (0, False), algorithm
    with pytest.raises(GamesearchError, match=r"replace each \? in the tree by a number"):
        refuse_unfit(load("[[?,5],5]"))


@pytest.mark.parametrize("seed", range(6))
def test_displays_mark_each_value_that_depends_on_an_unknown_leaf(seed: int) -> None:
    """The test gives unknown leaves every combination of a very small and a very large payoff."""
    source = random.Random(seed)

    def tree(plies: int) -> str:
        if plies == 0 or (plies < 3 and source.random() < 0.2):
            return "?" if source.random() < 0.25 else str(source.randrange(10))
        branches = [tree(plies - 1) for _ in range(source.choice((2, 3)))]
        return f"{{{','.join(branches)}}}" if plies == 1 and seed > 3 else f"[{','.join(branches)}]"

    game = Tree(f"max[{tree(3)},{tree(3)},5]")
    unknown = [i for i, node in enumerate(game._nodes) if node.is_unknown][:8]
    assert unknown
    trials = [dict(zip(unknown, each, strict=True)) for each in itertools.product((-99.0, 99.0), repeat=len(unknown))]
    possible = [set[float]() for _ in game._nodes]
    for trial in trials:
        values = dict[int, float]()
        for node in reversed(range(len(game._nodes))):
            below = [(values[child], float(game.probabilities[child])) for child in game._children(node)]
            if not below:
                values[node] = trial.get(node, float(game.payoffs[node]))
            elif game.sides[node] == CHANCE:
                values[node] = sum(value * share for value, share in below)
            else:
                values[node] = (max if game.sides[node] == MAX else min)(value for value, _ in below)
            possible[node].add(round(values[node], 9))

    def check(position: str, value: Any, shown: str, *, is_exact: bool = True) -> None:
        found = possible[game.parse(position).node]
        assert shown.endswith("?") == (len(found) > 1), (game.text, position, shown)
        assert len(found) > 1 or not is_exact or round(float(value), 9) in found, (game.text, position, shown)

    exact, growing = ("expectiminimax", "mcts") if game.chance else ("alphabeta", "bestfirst")
    for algorithm in (exact, growing, "mcts(playouts=40)"):
        recording = recording_of(game.text, algorithm)
        for reached in recording.nodes.values():
            if reached.kind != "unfinished":
                is_exact = reached.bound == "exact" and reached.kind in ("end", "searched", "proven")
                check(reached.position, reached.value, reached.shown, is_exact=is_exact)
    root = game.initial()
    for entry in record_table(game, root, "memo").nodes.values():
        check(entry.position, entry.value, entry.shown)
    graph = solve_graph(game, [root], most=200)
    for each, drawn, facts in zip(
        graph.positions, picture_of(graph).nodes, graph_data(graph)["positions"], strict=True
    ):
        check(facts["position"], each.value, drawn.worth)
        assert facts.get("assumed", False) == drawn.worth.endswith("?")
    found = search(game, root, exact, speed="interpreted", moves=True)
    assert {each.move for each in found.moves} == set(game.moves(root))
    view = AnalysisView(Analysis(game, root, found, with_moves=True))
    for after in found.moves:
        check(game.format(game.result(root, after.move)), after.value, view.number_after(after))


@pytest.mark.parametrize("algorithm", ["expectimax", "expectimax(depth=2)"])
def test_a_search_of_another_game_depends_on_each_unknown_leaf(algorithm: str) -> None:
    """A random opponent may choose the unknown leaf, although Min would not need it."""
    game = Tree("[[?,5],[5,6]]")
    found = search(game, game.initial(), algorithm)
    assert is_determined(game, game.initial())
    assert found.is_assumed
    assert not found.is_proven
    assert recording_of(game.text, algorithm).end["shown"].endswith("?")


@pytest.mark.parametrize("command", ["bench", "compare", "horizon", "compare --algorithms mcts --playouts 9"])
def test_measurements_mark_a_value_that_depends_on_an_unknown_leaf(cli: Cli, command: str) -> None:
    for tree, is_marked in (("[[?,5],[3,?]]", True), ("[[8,5],[3,4]]", False)):
        assert bool(re.search(r"\d\?", cli.output(command, tree))) == is_marked


@pytest.mark.parametrize(
    ("command", "rows"),
    [
        ('analyze "[[4,?],[2,9]]"', "value  "),
        ('analyze "{[4,?],[4,?]}"', "value  "),
        ('analyze "[[(4,4),?],[(2,3),(9,1)]]" --algorithm maxn', "value  "),
        ('play "[[4,?],[2,9]]" --max minimax --min minimax', "   estimate "),
        ('play "[[0,?],[-4,4]]" --max minimax --min minimax', "   "),
        ('horizon "[[4,?],[2,9]]"', "At depth 1, the value"),
        ('compare "[[4,?],[2,9]]" --transform "x^3"', "a   "),
        ('compare "{[4,?],[4,?]}" --dice', "position "),
    ],
)
def test_the_value_of_a_result_is_marked_in_all_texts(cli: Cli, command: str, rows: str) -> None:
    lines = [line for line in cli.output(command).splitlines() if line.startswith(rows)]
    assert lines
    for line in lines:
        assert re.search(r"[\d)]\?", line), line


def test_the_result_of_each_depth_is_marked() -> None:
    game, found = load("[[4,?],[2,9]]"), list[SearchResult]()
    search(game, game.initial(), "alphabeta(deepen=true)", monitor=Monitor(finished=found.append))
    view = DeepeningView(game, game.initial(), only_ascii=True)
    view.depths = found
    console = Console(file=io.StringIO(), width=80, height=24)
    console.print(view)
    rows = console.file.getvalue().splitlines()[1:]  # type: ignore[attr-defined]
    assert len(rows) == len(found) == 2
    for row, each in zip(rows, found, strict=True):
        assert re.search(r"\d\? ", row)
        assert "?" in found_text(game, game.initial(), each)


def test_a_game_that_ends_in_an_unknown_leaf_has_no_result(cli: Cli) -> None:
    tree = "[[?,-5],[5,3]]"
    played = cli.data(f'play "{tree}" --max human --min human', typed="a\na\n")
    assert (played["winner"], played["utility"]) == (None, None)
    analyzed = cli.data(f'analyze "{tree}" a.a')
    assert (analyzed["value"], analyzed["winner"], analyzed["sees_the_end"]) == (None, None, False)
