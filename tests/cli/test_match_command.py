"""`gamesearch match` and `gamesearch ratings` on the command line."""

import json
import re
from pathlib import Path

import pytest
from commands import Cli
from engine_support import fake_command
from terminal import Terminal

from gamesearch.commands.measuring.match import ladder_of, read_players
from gamesearch.play.matches.game_task import GameRecord, Terms
from gamesearch.play.matches.series import Journal, Series
from gamesearch.registry import load

QUICK = ("--speed", "interpreted", "--nodes", "20", "--plies", "1")
MATCH = ("match", "tictactoe", "alphabeta", "random", *QUICK)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that the test writes nothing into the user's folders."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


def journal_of(
    path: Path, players: tuple[str, ...], winners: dict[int, int | None], failed: int = 0, game: str = "tictactoe"
) -> None:
    """Write a journal with the given results, as `gamesearch match ... --nodes 20 --plies 1` would write it."""
    terms = Terms(nodes=20, speed="interpreted")
    series = Series(game, players, plies=1, terms=terms)
    with Journal(path, series) as journal:
        for number, winner in winners.items():
            labels = series.task(number).labels
            record = GameRecord(number, labels, moves=("1",) * 6, winner=winner, asked=(3, 3), has_chance=True)
            journal.append(record.with_failure_of(0, "hang", "x") if number < failed else record)


def test_a_match_is_played_and_resumed(cli: Cli) -> None:
    first = cli.data(*MATCH, "--games", "2")
    assert (first["games"], first["of"], first["pairs"]) == (2, 2, 1)
    path = Path(first["journal"])
    assert path.parent == Path("state/gamesearch/matches").absolute()
    before = path.read_bytes()
    captured = cli.run(*MATCH, "--games", "4", "--json")
    assert f"continuing {path}: 2 of 4 games, 1 pair" in captured.err
    second = json.loads(captured.out)
    assert path.read_bytes().startswith(before)
    assert (second["games"], second["journal"]) == (4, str(path))
    one, other = second["players"]
    assert one["wins"] + one["draws"] / 2 + other["wins"] + other["draws"] / 2 == 4
    assert one["pentanomial"] == other["pentanomial"][::-1]
    after = path.read_bytes()
    captured = cli.run(*MATCH, "--games", "4", "--json")
    assert "this match is finished" in captured.err
    assert json.loads(captured.out) == second
    assert path.read_bytes() == after


def test_the_table_shows_the_results(cli: Cli) -> None:
    winners = {number: [0, 1, 0, None, 0, 1, 1, 1][number % 8] for number in range(40)}
    journal_of(Path("journal"), ("alphabeta", "random"), winners, failed=3)
    said = cli.output(*MATCH, "--games", "40", "--journal", "journal")
    alphabeta, random = (line.split() for line in said.splitlines()[1:3])
    assert alphabeta[:5] == ["alphabeta", "28", "5", "7", "76.2%"]
    assert random[:5] == ["random", "7", "5", "28", "23.8%"]
    assert (
        "40 of 40 games, 20 pairs; "
        "points of the first player: 1/2 in 1 pair, 1 in 6 pairs, 1 1/2 in 4 pairs, 2 in 9 pairs\n" in said
    )
    journal_of(Path("drawn"), ("alphabeta", "random"), dict.fromkeys(range(4)))
    assert "95 % and LOS need two pairs" in cli.output(*MATCH, "--games", "4", "--journal", "drawn")
    assert "12.5% draws, 6.0 plies per game" in said
    assert "alphabeta: 2 hangs; started again 2 times" in said
    assert "random: 1 hang; started again once" in said
    assert "random in game 2: x" in said
    assert "SPRT" not in said
    assert "95 % and LOS need" not in said


def test_a_match_reports_average_payoffs(cli: Cli) -> None:
    words = ("match", "othello(size=4)", "alphabeta(depth=1)", "random", "--games", "4", "--speed", "interpreted")
    said = cli.output(*words)
    pattern = r"^([+-][0-9.]+) discs per game for the first player \(95 % interval \+- ([0-9.]+)\)$"
    found = re.search(pattern, said, re.M)
    assert found
    data = cli.data(*words)
    path = Path(data["journal"])
    paid = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    game = load("othello(size=4)")
    for record in paid:  # each payoff agrees with the rules
        s = game.parse(record["position"])
        for move in record["opening"] + record["moves"]:
            s = game.result(s, game.parse_move(s, move))
        assert game.terminal(s)
        assert record["payoff"] == game.utility(s)
    first = [record["payoff"] * (1 if record["players"][0] == "alphabeta(depth=1)" else -1) for record in paid]
    assert float(found[1]) == pytest.approx(sum(first) / 4, abs=0.001)
    one, other = data["players"]
    assert one["payoff"]["mean"] == -other["payoff"]["mean"] == sum(first) / 4
    assert float(found[2]) == pytest.approx(one["payoff"]["half_interval"], abs=0.001)


def test_the_result_of_sprt_is_reported(cli: Cli) -> None:
    journal_of(Path("journal"), ("alphabeta", "random"), {number: number % 2 for number in range(80)})
    captured = cli.run(*MATCH, "--sprt", "0,100", "--journal", "journal")
    said = captured.out
    assert "--games" not in captured.err, "the test is decided, so more games cannot be added"
    found = re.search(
        r"SPRT 0 against 100 Elo, alpha 0.05, beta 0.05: log-likelihood ratio (\S+) in -2.94 .. 2.94 "
        r"after (\d+) pairs: accepted: a difference of 100 Elo fits the games better than 0",
        said,
    )
    assert found
    assert float(found[1]) >= 2.94
    pairs = int(found[2])
    assert f"{2 * pairs} of 1,000,000 games ({80 - 2 * pairs} more games played" in said
    data = cli.data(*MATCH, "--sprt", "0,100", "--journal", "journal")
    assert (data["sprt"]["verdict"], data["sprt"]["pairs"], data["games"]) == ("accepted", pairs, 2 * pairs)


def test_a_match_of_several_depths_draws_a_chart(cli: Cli) -> None:
    words = ("match", "tictactoe", "alphabeta(deepen=true)", "--depths", "1,2,3", "--speed", "interpreted")
    players = tuple(f"alphabeta(deepen=true, depth={depth})" for depth in (1, 2, 3))
    series = Series("tictactoe", players, plies=4, terms=Terms(speed="interpreted"))
    with Journal("journal", series) as journal:
        for number in range(12):
            labels = series.task(number).labels
            winner = int(labels[1] > labels[0])  # the player that searches deeper wins
            journal.append(GameRecord(number, labels, f"from {number}", winner=winner))
    said = cli.output(*words, "--games", "4", "--journal", "journal", "--to", "chart.svg")
    rows = [line.split() for line in said.splitlines() if re.match(r"[ABC]  alphabeta.*%", line)]
    elo = [int(row[3]) for row in rows]
    assert elo[0] == 0
    assert elo == sorted(elo)
    assert "alphabeta(deepen=true, depth=1) has 0 Elo" in said
    assert Path("chart.svg").read_text().count("<circle") == 3


def test_players_of_files_are_rated_together(cli: Cli) -> None:
    journal_of(Path("a.jsonl"), ("alphabeta", "random"), {0: 0, 1: 1, 2: 0, 3: None}, game="chess")
    Path("b.pgn").write_text('[White "random"]\n[Black "new"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    data = cli.data("ratings a.jsonl b.pgn --anchor random")
    found = {each["player"]: each for each in data["players"]}
    assert [each["player"] for each in data["players"]] == ["alphabeta", "random", "new"]
    assert found["random"]["elo"] == 0
    assert found["alphabeta"]["against"] == {"random": {"points": 3.5, "games": 4}}
    said = cli.output("ratings a.jsonl b.pgn --to r.svg")
    assert "5 games; the average player has 0 Elo" in said
    assert "3.5/4" in said
    svg = Path("r.svg").read_text()
    assert "alphabeta" in svg
    assert svg.count("<circle") == 3
    assert "--force" in cli.refusal("ratings a.jsonl --to r.svg")


def test_players_that_cannot_play_so_fast_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player = f"gtp(path='{fake_command('gtp', 'good', tmp_path / 'log')}')"
    game = load("gomoku(size=3, connect=3)")
    for seconds in (0.1, 1.0):
        read_players(game, (player, "random"), {"depths": None, "times": None}, Terms(time=seconds))
        assert ("needs at least 1 s per move" in capsys.readouterr().err) == (seconds < 1)


def test_the_live_table_fits_a_terminal_and_ctrl_c_keeps_the_games(terminal: Terminal, tmp_path: Path) -> None:
    terminal.run(*MATCH, "--games", "2000", "--workers", "1", "--journal", str(tmp_path / "journal"))
    screen = terminal.wait_until(lambda text: re.search(r"\n[1-9]\d* of 2,000 games, [1-9]", text) is not None, "games")
    rows = screen.splitlines()
    assert next(row for row in rows if row.startswith("player")).split() == [
        *("player", "W", "D", "L", "score", "Elo", "95", "%", "LOS", "nodes/s")
    ]
    assert "…" not in screen
    terminal.press("C-c")
    screen = terminal.wait_for("stopped:", " of 2,000 games, ", "the same command continues", "code=130")
    assert "Traceback" not in screen
    assert (tmp_path / "journal").read_bytes().endswith(b"}\n")


def test_a_match_that_removes_dead_stones_has_its_own_journal() -> None:
    plain, without = (Series("go", ("random",) * 2, terms=Terms(without_dead=each), plies=1) for each in (False, True))
    assert "without_dead" not in plain.header()["terms"]  # journals without this option remain valid
    assert without.header()["terms"]["without_dead"] is True
    assert plain.name != without.name


def test_players_with_several_depths_or_times_keep_their_names() -> None:
    assert ladder_of(("./a.py(x=1, depth=9)",), [("depth", "1,2")], Terms()) == (
        "./a.py(x=1, depth=1)",
        "./a.py(x=1, depth=2)",
    )
    assert ladder_of(("alphabeta",), [("time", "0.1,0.25")], Terms()) == ("alphabeta(time=0.1)", "alphabeta(time=0.25)")
    external = "external(path=./a.py, depth={})"
    assert ladder_of((external.format(9),), [("depth", "1,2")], Terms()) == (external.format(1), external.format(2))


def test_a_refused_journal_names_the_options_that_differ(cli: Cli) -> None:
    others = (
        *("--max-plies 9", "--time-margin 1", "--hang-timeout 3", "--clock 9+1", "--gauntlet", "--resign 2,5"),
        *("--draw 2,5,9", "--seed 4", "--plies 2", "--depth 2", "--time 2"),
    )
    journal_of(Path("journal"), ("alphabeta", "random"), {})
    for other in others:
        said = cli.refusal(*MATCH, "--journal", "journal", *other.split())
        assert re.findall(r"--[a-z-]+", said.partition(": name another")[0]) == [other.split()[0]], said


def test_the_score_in_json_agrees_with_wins_and_draws(cli: Cli) -> None:
    series = Series("tictactoe", ("alphabeta", "random"), plies=1, terms=Terms(nodes=20, speed="interpreted"))
    with Journal("journal", series) as journal:
        for number, winner in enumerate((0, 1, 0, 1, None, None)):  # the second pair repeats the first
            record = GameRecord(number, series.task(number).labels, moves=("1",) * (6 + number // 4), winner=winner)
            journal.append(record)
    data = cli.data(*MATCH, "--games", "6", "--journal", "journal")
    assert data["repeated_pairs"] == 1
    for each in data["players"]:
        assert each["score"] == (each["wins"] + each["draws"] / 2) / each["games"]
    assert data["players"][0]["score"] == 5 / 6
    assert cli.data("ratings journal")["repeated_games"] == 2
    assert "6 games (2 not counted" in cli.output("ratings journal")
