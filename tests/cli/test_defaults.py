"""The default algorithms, evaluations and limits of commands, and their description in the output."""

import json

import pytest
from commands import Cli

from gamesearch import load
from gamesearch.algorithms.catalog import exact_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.cli import defaults as choosing
from gamesearch.cli.defaults import choose_search
from gamesearch.commands.solving.solve import say_book
from gamesearch.errors import GamesearchError
from gamesearch.learned.evaluation import LearnedEvaluation
from gamesearch.play.players.computer import Computer
from gamesearch.play.players.loading import best_play, default_player, load_player
from gamesearch.registry import game_names


# One place for all defaults. --------------------------------------------------------------------------
def test_commands_use_the_settings_of_the_strongest_level() -> None:
    for name in sorted(set(game_names()) - {"tree"}):
        game = load(name)
        chosen, best = choose_search(game, "", None, Limits()), best_play(game)
        if game.suggested_depth is None:
            assert (chosen.algorithm.name, chosen.game, chosen.limits) == (exact_algorithm(game), game, Limits()), name
            continue
        player = load_player("computer(level=best)", game)
        computer = getattr(player, "player", player)  # a player with a book wraps the computer player
        assert isinstance(computer, Computer)
        assert chosen.algorithm.name == computer.algorithm.name, name
        assert type(chosen.game) is type(computer.evaluation_game or game), name
        assert chosen.book == best.book, name
        same = {"deepen": chosen.algorithm.deepen} if chosen.algorithm.can_deepen else {}
        assert computer.algorithm.copy_with(time=0.0, **same).specification == chosen.algorithm.specification, name


def test_an_evaluation_that_is_named_is_used() -> None:
    game = load("chess")
    assert choose_search(game, "", "simple", Limits()).game is game
    assert choose_search(game, "alphabeta", None, Limits()).game is game, "the algorithm uses the game's evaluation"
    assert isinstance(choose_search(game, "alphabeta", "learned", Limits()).game, LearnedEvaluation)
    own = load("chess(weights=[2])")
    assert choose_search(own, "", None, Limits()).game is own
    with pytest.raises(GamesearchError, match="leave out --evaluation"):
        choose_search(own, "", "learned", Limits())
    with pytest.raises(GamesearchError, match="no weights"):
        choose_search(load("ultimate"), "", "learned", Limits())


def test_limits_keep_answers_repeatable() -> None:
    game = load("chess")
    chosen = choose_search(game, "", None, Limits())
    assert (chosen.limits.time, chosen.has_usual_limit) == (None, True)
    assert chosen.limits.nodes is not None
    for given in (Limits(depth=4), Limits(time=1.0), Limits(nodes=50)):
        assert choose_search(game, "", None, given).limits == given
    recorded = choose_search(game, "", None, Limits(), is_recorded=True)
    assert recorded.algorithm.limits(game, recorded.limits).depth == game.suggested_depth
    crazyhouse = load("chess(variant=crazyhouse)")  # a variant whose rules are never compiled
    assert choose_search(crazyhouse, "", None, Limits()).limits == Limits()
    assert choose_search(load("go"), "", None, Limits(depth=2)).algorithm.has_depth, "playouts have no depth limit"


def test_only_searches_limited_by_time_use_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("chess")

    def threads(limits: Limits, text: str = "", *, is_recorded: bool = False) -> int:
        chosen = choose_search(game, text, None, limits, is_recorded=is_recorded)
        return int(vars(chosen.algorithm)["threads"])

    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(4), raising=False)
    assert threads(Limits(time=1.0)) == 2
    assert "threads=2" in default_player(game)
    for limits in (Limits(), Limits(depth=4), Limits(time=1.0, nodes=50)):
        assert threads(limits) == 1, "threads divide a limit on nodes"
    assert threads(Limits(time=1.0), "pvs") == 1
    assert threads(Limits(time=1.0), is_recorded=True) == 1
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(1))
    assert threads(Limits(time=1.0)) == 1
    assert "threads" not in default_player(game)


# Messages and data. ----------------------------------------------------------------------------------------
def test_chess_after_e4_e5(cli: Cli) -> None:
    given = ("analyze", "chess", "startpos moves e2e4 e7e5", "--nodes", "400")
    answer = cli.data(*given)
    assert (answer["evaluation"], answer["bound"], answer["sees_the_end"]) == ("learned", "estimate", False)
    assert answer["algorithm"].startswith("pvs(")
    assert abs(answer["value"]) < 1
    assert answer["game"] == cli.data("analyze chess --depth 1 -a alphabeta")["game"]
    assert "learned weights" in cli.output(*given)
    simple = cli.data(*given, "--evaluation", "simple")
    assert (simple["evaluation"], simple["value"]) == ("simple", 0)
    assert "simple: material" in cli.output(*given, "--evaluation", "simple")


def test_the_usual_limit_is_shown_and_reproducible(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "USUAL_NODES", 300)
    first, second = (cli.data("analyze kalah") for _ in range(2))
    first["statistics"]["seconds"] = second["statistics"]["seconds"]
    assert first == second
    assert (first["limits"]["nodes"], first["statistics"]["nodes"]) == (300, 300)
    assert "300 nodes, the default" in cli.output("analyze kalah")


def test_each_answer_names_its_evaluation(cli: Cli) -> None:
    for game, algorithm, evaluation in (
        ("tictactoe", "mcts(playouts=20, solver=false)", "random games"),
        ("kalah", "alphabeta(depth=1)", "simple"),
        ("kalah(weights=[1, 0, 0])", "alphabeta(depth=1)", "weights"),
        ("kalah(weights=learned)", "alphabeta(depth=1)", "learned"),
        ("tictactoe", "alphabeta", None),
        ("tictactoe", "random", None),
    ):
        assert cli.data("analyze", game, "-a", algorithm)["evaluation"] == evaluation, (game, algorithm)


def test_an_opening_book_answers_first(cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    answer = cli.data("analyze connect4")
    assert (answer["evaluation"], answer["best"], answer["statistics"]["nodes"]) == ("opening book", "4", 0)
    found = cli.output("analyze connect4 --time 0.01")
    assert "X wins" in found
    assert "pvs" not in found, "no algorithm searched"
    moves = cli.data("analyze connect4 --moves")["moves"]
    assert [(each["move"], each["value"], each["distance"]) for each in moves[:2]] == [("4", 1, 41), ("3", 0, None)]
    assert [each["move"] for each in cli.data("analyze connect4 --multipv 1")["moves"]] == ["4"]
    searched = cli.output("analyze connect4 4453 --depth 2 --explain")
    assert "\nbook   O wins in 18 moves with best move 3 (exact value -2;" in searched, "the book's value is shown"
    for given in (("--depth", "2"), ("--depth", "2", "--moves"), ("--evaluation", "simple", "--nodes", "50")):
        assert cli.data("analyze connect4", *given)["statistics"]["nodes"] > 0
    assert "   X wins in 20 moves, line 4, by opening book\n" in cli.output(
        "play connect4 --max computer(level=best) --min human", typed="quit\n"
    )
    assert cli.output("play connect4", typed="hint\nquit\n").count("by opening book") == 1
    game = load("connect4")
    say_book(game, game.parse("4453441256"))
    assert "opening book: " in capsys.readouterr().err


# Certainty. -------------------------------------------------------------------------------------
WON = ("tictactoe", "XX./OO./...")


@pytest.mark.parametrize(
    "options",
    [
        "", "-a alphabeta(depth=1)", "-a alphabeta(depth=2,distance=false)", "-a alphabeta(deepen=true,bounds=true)",
        "-a minimax(depth=2,bounds=true)", "-a pvs(depth=3)", "-a mcts(playouts=200)",
        "-a alphabeta(depth=3) --nodes 65",  # stopped while it searches for the distance
    ],
)  # fmt: skip
def test_a_proven_win_is_exact(cli: Cli, options: str) -> None:
    answer = cli.data("analyze", *WON, *options.split())
    assert (answer["value"], answer["bound"], answer["sees_the_end"]) == (1, "exact", True)


def test_an_estimate_is_never_exact(cli: Cli) -> None:
    for given in ("tictactoe --depth 3", "kalah --nodes 99", "pig"):
        answer = cli.data(f"analyze {given}")
        assert answer["bound"] != "exact"
        assert not answer["sees_the_end"]


MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def test_the_end_of_a_game_names_the_winner(cli: Cli) -> None:
    for game, position, words, winner in (
        ("tictactoe", "XXX/OO./...", "X has won", "X"),
        ("kalah", "0,0,0,0,0,0:18/0,0,0,0,0,0:30", "North has won by 12 seeds", "North"),
        ("chess", MATE, "Black has won", "Black"),
        ("chess", "8/8/8/8/8/5k2/8/5K2 w - - 0 1", "a draw", None),
        ("pig(target=10)", "3,10,0", "Min has won", "Min"),
        ("[3,[4,5]]", "a", "for Max", None),
        ("[(1,2,6),(4,2,3)]", "a", "P3 has won", "P3"),
    ):
        answer = cli.data("analyze", game, position)
        found = answer["over"], answer["winner"], answer["bound"], answer["sees_the_end"]
        assert found == (True, winner, "exact", True), game
        assert words in cli.output("analyze", game, position)


# The second search, for the distance to the end. ----------------------------------------------
def test_the_nodes_of_the_second_search_are_reported(cli: Cli) -> None:
    answer = cli.data("analyze", *WON, "--tree")
    nodes, distance = answer["statistics"]["nodes"], answer["statistics"]["distance_nodes"]
    once = cli.data("analyze", *WON, "-a", "alphabeta(distance=false)", "--tree")
    assert nodes - distance == answer["tree"]["nodes"] == once["statistics"]["nodes"] == once["tree"]["nodes"]
    assert once["statistics"]["distance_nodes"] == 0
    text = cli.output("analyze", *WON, "--tree")
    assert f"{nodes} nodes ({distance} in a second search, for the fastest win)" in text
    assert f"{distance} of {nodes} nodes are in searches not shown" in text
    lines = [json.loads(line) for line in cli.output("analyze", *WON, "--trace", "-").splitlines()]
    end = lines[-1]
    assert (end["nodes"], end["distance_nodes"], end["recorded"]) == (nodes, distance, nodes)
    begun = [number for number, each in enumerate(lines) if each["event"] == "iteration"]
    entered = [sum(each["event"] == "enter" for each in part) for part in (lines[: begun[1]], lines[begun[1] :])]
    assert entered == [nodes - distance, distance]
