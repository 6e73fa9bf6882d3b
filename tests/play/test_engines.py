"""Programs that crash, hang, print nonsense or play illegal moves are detected, and all their processes end."""

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess.engine
import pytest
from engine_support import after, fake_command, is_running, load_fake, need

from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE
from gamesearch.notation import line_names
from gamesearch.play.clock import Clock
from gamesearch.play.engines.uci_player import information_of
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import IllegalAnswerError, NoAnswerError, PlayerError, Resigned
from gamesearch.registry import load

GAMES = {"gtp": "gomoku(size=3, connect=3)", "uci": "chess", "external": "tictactoe"}


def pid_of(player: Any) -> int:
    """Return the process number of the program that a player runs."""
    process = player.process
    pid: int = process.transport.get_pid() if hasattr(process, "transport") else process.process.pid
    return pid


@pytest.mark.parametrize("protocol", GAMES)
def test_unknown_output_of_a_program_is_ignored(protocol: str, tmp_path: Path) -> None:
    game = load(GAMES[protocol])
    with load_fake(protocol, "garbage", tmp_path / "log", game) as player:
        turn = after(game, ())
        result = player.answer(turn)
        assert result.best in game.steps(turn.state)
        assert result.line == (result.best,)
        assert result.algorithm == player.specification
        with load_player(player.specification, game) as equal:
            assert equal.specification == player.specification
        again = after(game, [game.move_name(turn.state, result.best or 0)])
        assert player.answer(again).best in game.steps(again.state)
        pid = pid_of(player)
    assert not is_running(pid)


@pytest.mark.parametrize(
    ("protocol", "behaviour", "said"),
    [
        ("gtp", "crash", r"ended \(code 3\): last words"),
        ("uci", "crash", "exit code: 3"),
        ("uci", "parent", "has not answered for 0.4 s, and was killed"),
        ("external", "parent", "has not answered for 0.4 s, and was killed"),
        ("gtp", "illegal", "z99"),
        ("uci", "illegal", "e2e5"),
        ("external", "illegal", "z99"),
    ],
)
def test_a_program_that_fails_is_started_again(protocol: str, behaviour: str, said: str, tmp_path: Path) -> None:
    game = load(GAMES[protocol])
    turn = after(game, (), patience=0.3)
    with load_fake(protocol, behaviour, tmp_path / "log", game) as player:
        pid = pid_of(player) if protocol == "uci" else None
        with pytest.raises(PlayerError, match=said) as failure:
            player.answer(turn)
        kind = {"crash": PlayerError, "parent": NoAnswerError, "illegal": IllegalAnswerError}[behaviour]
        assert type(failure.value) is kind
        assert "\n" not in str(failure.value)
        assert pid is None or not is_running(pid)
        children = re.findall(r"^child (\d+)$", (tmp_path / "log").read_text(), re.MULTILINE)
        assert len(children) == (behaviour == "parent")
        assert not any(is_running(int(child)) for child in children)
        assert player.answer(turn).best in game.steps(turn.state)


@pytest.mark.parametrize(
    ("protocol", "behaviour", "names", "kind", "said"),
    [
        ("uci", "flood", [], PlayerError, "has not answered for 0.4 s, and was killed"),
        ("gtp", "resign", [], Resigned, "resigns"),
        ("external", "resign", [], Resigned, "resigns"),
        ("gtp", "refuse", ["b2"], PlayerError, "refused 'play black B2': syntax error"),
        ("external", "newer", [], PlayerError, "uses version 2 of the protocol, not 1"),
    ],
)
def test_a_program_may_resign_or_refuse(
    protocol: str, behaviour: str, names: list[str], kind: type[PlayerError], said: str, tmp_path: Path
) -> None:
    game = load(GAMES[protocol])
    with load_fake(protocol, behaviour, tmp_path / "log", game) as player, pytest.raises(kind, match=said):
        player.answer(after(game, names, patience=0.3))


@pytest.mark.parametrize("protocol", ["gtp", "uci"])
def test_a_program_can_be_interrupted(protocol: str, tmp_path: Path) -> None:
    game = load(GAMES[protocol])
    behaviour = "hang" if protocol == "gtp" else "patient"
    with load_fake(protocol, behaviour, tmp_path / "log", game, "time=100") as player:
        result = player.answer(after(game, ()), Monitor(poll=lambda progress: progress.seconds > 0.1))
        assert result.stopped == "interrupted"
        assert (result.best is None) == (protocol == "gtp")  # a GTP program cannot be stopped early


ASKING = """
import sys, threading, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from engine_support import after
from gamesearch.play.players.loading import load_player
from gamesearch.registry import load
game = load(sys.argv[2])
player = load_player(sys.argv[3], game)
threading.Thread(target=player.answer, args=[after(game, ())], daemon=True).start()
log = Path(sys.argv[5])
while sys.argv[4] != "exit" or not (log.exists() and "child" in log.read_text()):
    time.sleep(0.02)
"""
"""A program that asks a player for a move; if its fourth argument is `exit`, it exits while the player thinks."""


@pytest.mark.parametrize(
    ("end", "protocol"), [("interrupt", "gtp"), ("exit", "external"), ("term", "uci"), ("kill", "uci")]
)
def test_programs_end_when_gamesearch_ends(protocol: str, end: str, tmp_path: Path) -> None:
    command = fake_command(protocol, "hang", tmp_path / "log")
    log, until = tmp_path / "log", time.monotonic() + 60
    player = f"{protocol}(path={command!r}, time=100)"
    arguments = [sys.executable, "-c", ASKING, str(Path(__file__).parents[1]), GAMES[protocol], player, end, str(log)]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, start_new_session=True)
    while time.monotonic() < until and not (log.exists() and "child" in log.read_text()):
        time.sleep(0.02)
    child = int(log.read_text().rpartition("child ")[2])
    if end != "exit":
        os.kill(process.pid, {"interrupt": signal.SIGINT, "term": signal.SIGTERM, "kill": signal.SIGKILL}[end])
    process.communicate(timeout=60)
    assert not is_running(child)


# The input that programs receive. -----------------------------------------------------------------
def test_a_program_receives_only_new_moves(tmp_path: Path) -> None:
    game = load(GAMES["gtp"])
    with load_fake("gtp", "good", tmp_path / "log", game, "") as player:
        player.answer(after(game, ["b2"]))
        player.answer(after(game, ["b2", "a1", "c3"]))
        player.answer(after(game, ["b2"]))  # two moves were taken back
        player.begin()
        player.answer(after(game, []))
    told = [line.split(" ", 1)[1].strip() for line in (tmp_path / "log").read_text().splitlines() if " " in line]
    start = ["boardsize 3", "clear_board"]
    assert told == [
        *(*start, "play black B2", "genmove white"),
        *("play black C3", "genmove white"),
        *(*start, "play black B2", "genmove white"),
        *(*start, "genmove black"),
    ]


def test_a_program_may_refuse_a_forced_pass(tmp_path: Path) -> None:
    game, names = load("othello(size=4)"), list[str]()
    while names[-1:] != ["pass"]:
        turn = after(game, names)
        names.append(game.move_name(turn.state, game.steps(turn.state)[-1]))
    with (
        load_fake("gtp", "no pass", tmp_path / "log", game, "") as player,
        pytest.raises(PlayerError, match="not a legal move"),  # the board of the program now differs
    ):
        player.answer(after(game, names))
    told = [line.split()[1:] for line in (tmp_path / "log").read_text().splitlines() if line != "quit"]
    assert told[-2][-1] == "pass"
    assert told[-1][0] == "genmove"


def test_programs_receive_the_clock(tmp_path: Path) -> None:
    clock = Clock((60.0, 42.5), 0.5, 7)
    for protocol, game in ((protocol, load(name)) for protocol, name in GAMES.items()):
        with load_fake(protocol, "good", tmp_path / protocol, game, "") as player:
            player.answer(after(game, (), clock=clock, limits=Limits(time=9)))
    assert "time_left black 60 0\n" in (tmp_path / "gtp").read_text()
    assert "go wtime 60000 btime 42500 winc 500 binc 500 movestogo 7 movetime 9000\n" in (tmp_path / "uci").read_text()
    told = (tmp_path / "external").read_text()
    assert "clock 0 60.000\nclock 1 42.500\nincrement 0.5\nmovestogo 7\nlimit time 9\nseed 0\ngo 0\n" in told


def test_time_settings_are_sent_once_in_a_game(tmp_path: Path) -> None:
    game = load(GAMES["gtp"])
    with load_fake("gtp", "good", tmp_path / "log", game, "") as player:
        for names, left in (([], 60.0), (["a1", "b1"], 50.5)):
            player.answer(after(game, names, clock=Clock((left, 60.0))))
        player.begin()
        player.answer(after(game, [], clock=Clock((30.0, 30.0))))
    told = [line.split(" ", 1)[1] for line in (tmp_path / "log").read_text().splitlines() if "time_" in line]
    assert told == [
        *("time_settings 60 0 0", "time_left black 60 0", "time_left black 50 0"),
        *("time_settings 30 0 0", "time_left black 30 0"),
    ]


@pytest.mark.parametrize(("kind", "names", "bound"), [
    ("lowerbound", [], "lower"), ("upperbound", [], "upper"), ("lowerbound", ["e4"], "upper"), ("", [], "exact"),
])  # fmt: skip
def test_bounds_of_scores_are_read(kind: str, names: list[str], bound: str) -> None:
    game = load("chess")
    turn = after(game, names)
    score = chess.engine.PovScore(chess.engine.Cp(30), not names)
    assert information_of(game, turn.state, {"score": score, **({kind: True} if kind else {})})["bound"] == bound


def test_values_and_lines_of_programs_are_kept(tmp_path: Path) -> None:
    game = load("chess")
    with load_fake("uci", "good", tmp_path / "uci", game) as player:
        result = player.answer(after(game, ()))
        assert (result.value, result.distance) == (0.35, None)
        assert (result.statistics.depth, result.statistics.nodes) == (7, 1234)
        black = player.answer(after(game, ("e4",)))
        assert black.value == -0.35  # values are for Max, and White is Max
    with load_fake("uci", "patient", tmp_path / "mate", game) as player:
        mate = player.answer(after(game, ()), Monitor(poll=lambda _: True))
        assert (mate.value, mate.distance) == (1000, 3)
        assert line_names(game, game.initial(), mate.line) == ["e4", "e5"]
    game = load("tictactoe")
    with load_fake("external", "good", tmp_path / "external", game) as player:
        result = player.answer(after(game, ()))
        assert (result.value, result.statistics.depth, result.statistics.nodes) == (0.25, 3, 17)


# Errors before a game starts. ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "game", "said"),
    [
        ("uci", "chess", r'needs a program: uci\(path="..."\)'),
        ("uci(path=no-such-program)", "chess", "program 'no-such-program' not found"),
        ("uci(path=cat)", "tictactoe", "UCI is for chess and its variants, not for tictactoe"),
        ("gtp(path=cat)", "chess", "not for chess"),
        ("gtp(path=cat, depth=3)", "go", "GTP can limit only time"),
        ("gtp(path=cat)", "gomoku(captures=true)", "without captures"),
        ('gtp(path="cat \'a")', "go", "has no closing quote"),
        ("gtp(path=cat, level=3)", "go", "no parameter 'level'"),
        ("external(path=cat, nodes=-1)", "nim", "at least 1, not -1"),
        ("gnubg", "nim", "gnubg plays backgammon, not nim"),
        ("gnubg(plies=9)", "backgammon", "from 0 to 4, not 9"),
        ("gnubgg", "backgammon", "did you mean gnubg"),
    ],
)
def test_programs_that_cannot_play_are_refused(text: str, game: str, said: str) -> None:
    with pytest.raises(GamesearchError, match=said):
        load_player(text, load(game))


@pytest.mark.parametrize(
    ("options", "game", "said"),
    [
        ("hush=3", "chess", "has no option 'hush': did you mean hash"),
        ("hash=1000", "chess", "refuses Hash=1000"),
        ("elo=1350", "chess", "has no option 'elo'"),
        ("hash=16", "chess(variant=atomic)", "does not play atomic"),
        ("hash=16", "chess(variant=chess960)", "does not play chess960"),
    ],
)
def test_unknown_options_are_refused(options: str, game: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(GamesearchError, match=said):
        load_fake("uci", "good", tmp_path / "log", load(game), options)


def test_options_have_the_spelling_of_the_program(tmp_path: Path) -> None:
    with load_fake("uci", "good", tmp_path / "log", load("chess"), "hash=8, skill_level=4") as player:
        assert player.specification.endswith("time=2.0, hash=8, skill_level=4)")
    told = (tmp_path / "log").read_text()
    assert "setoption name Hash value 8\n" in told
    assert "setoption name Skill Level value 4\n" in told


# Real engines, if they are installed. -------------------------------------------------------------
@pytest.mark.parametrize(
    ("program", "text", "game"),
    [
        ("gnugo", 'gtp(path="gnugo --mode gtp --level 1", time=1)', "go(size=5)"),
        ("gtp-rhino", 'gtp(path="gtp-rhino -l 1")', "othello"),
        ("stockfish", "uci(path=stockfish, depth=5, elo=1350, hash=1)", "chess"),
        ("stockfish", "uci(path=stockfish, nodes=100)", "chess(variant=chess960, start=7)"),
        ("gnuchess", 'uci(path="gnuchess --uci", depth=3)', "chess"),
        ("fairy-stockfish", "uci(path=fairy-stockfish, depth=4)", "chess(variant=threecheck)"),
    ],
)
def test_moves_are_legal(program: str, text: str, game: str) -> None:
    need(program)
    rules, dice = load(game), random.Random(1)
    with load_player(text, rules) as player:
        match = Match(rules, rules.initial(), [player, player], seed=3)
        for _ in range(3):
            result = player.answer(match.player_turn())
            assert result.best in match.steps
            assert result.line[:1] == (result.best,)
            match.play(result.best)
            match.play(dice.choice(match.steps))


def test_gnubg_plays_published_openings() -> None:
    need("gnubg")
    game = load("backgammon")
    with load_player("gnubg(plies=0)", game) as player:
        for roll, best in (("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7")):
            for side, sign in (("max", 1), ("min", -1)):
                start = game.parse(f"4HPwATDgc/ABMA {side} {roll}")
                result = player.answer(Match(game, start, [player, player]).player_turn())
                assert result.best is not None
                assert game.move_name(start, result.best) == best
                assert isinstance(result.value, float)
                assert 0.05 < sign * result.value < 0.3


# The page about the protocol. ---------------------------------------------------------------------
SCRIPTED = """
import sys
answers = {answers!r}
with open({log!r}, "w", encoding="utf-8") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        if line.split()[0] in ("begin", "go"):
            print(answers.pop(0), flush=True)
"""
"""A program that writes its input to a file, and answers with given texts."""


def load_scripted(answers: list[str], folder: Path, game: Any, options: str = "") -> Any:
    """Return a player that runs such a program; its input is in the file `log`."""
    program = folder / "scripted.py"
    program.write_text(SCRIPTED.format(answers=["ready", *answers], log=str(folder / "log")), encoding="utf-8")
    return load_player(f"external(path='{shlex.join([sys.executable, '-I', '-S', str(program)])}', {options})", game)


def test_the_example_of_the_protocol_is_what_is_sent(tmp_path: Path) -> None:
    page = (CLIENTS.parent / "reference" / "protocol.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    ([<>]) (.*)$", page, re.MULTILINE)
    answers = "".join(f"{text}\n" for sign, text in lines if sign == "<").partition("\n")
    assert answers[0] == "ready 1"
    game = load("connect4")
    with load_scripted([answers[2].strip(), "move 1"], tmp_path, game, "time=2") as player:
        found = player.answer(after(game, ["4"]))
        player.answer(after(game, ["4", "4", "3"]))
    assert line_names(game, after(game, ["4"]).state, found.line) == ["4", "4", "3"]
    assert (found.value, found.statistics.depth, found.statistics.nodes) == (-0.25, 6, 20100)
    sent = [".*" if text.startswith("...") else re.escape(text) for sign, text in lines if sign == ">"]
    read = (tmp_path / "log").read_text().strip()
    assert re.fullmatch("\n".join(sent), read, re.DOTALL), read


@pytest.mark.parametrize("value", ["50", "-19", "1e308", "18", "-1e5"])
def test_impossible_values_of_a_program_are_ignored(value: str, tmp_path: Path) -> None:
    game = load("connect4")
    turn = after(game, list("44337766"))  # X wins with the fifth stone, and a win with the fourth would pay 18
    counts = "depth -3 nodes 1e308"
    with load_scripted(
        [f"move 1 value {value} {counts}", "move 1 value 17", "move 1 value -17"], tmp_path, game
    ) as player:
        results = [player.answer(turn) for _ in range(3)]
    assert [result.value for result in results] == [None, 17, -17]
    assert (results[0].statistics.depth, results[0].statistics.nodes) == (0, 0)


# The reference clients. ---------------------------------------------------------------------------
CLIENTS = Path(__file__).parents[2] / "docs" / "clients"
CLIENT_COMMANDS = {
    "python": shlex.join([sys.executable, "-I", "-S", str(CLIENTS / "client.py")]),
    "shell": shlex.join(["sh", str(CLIENTS / "client.sh")]),
}


@pytest.mark.parametrize(
    ("name", "language"),
    [("backgammon", "python"), ("[[(1,2,3),(3,2,1)],[(2,2,2),(0,4,0)]]", "python"), ("go(size=3)", "shell")],
)
def test_a_client_plays_legal_moves_only(name: str, language: str) -> None:
    game = load(name)
    dice = random.Random(5)
    with load_player(f"external(path='{CLIENT_COMMANDS[language]}')", game) as player:
        match = Match(game, game.initial(), [player] * game.players, seed=2)
        for _ in range(30):
            if match.is_over:
                break
            if match.turn == CHANCE:
                match.roll()
            elif dice.random() < 0.3:
                match.play(dice.choice(match.steps))  # the server sends this move to the client
            else:
                match.play(player.answer(match.player_turn()).best or 0)
        assert match.moves
