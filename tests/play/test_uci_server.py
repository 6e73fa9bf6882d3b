"""Sessions of the UCI server: expected output for a given input, and python-chess as a client."""

import io
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.variant
import pytest

from gamesearch.cli import run
from gamesearch.play.players.computer import ELO_RANGE, LEVELS, Computer, level_of_elo
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.play.serving.uci_server import UciServer


class Session:
    """A UCI server, with a list of its output lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.more = threading.Condition()
        self.server = UciServer(self.heard, speed="interpreted")

    def heard(self, line: str) -> None:
        with self.more:
            self.lines.append(line)
            self.more.notify_all()

    def say(self, *lines: str) -> None:
        for line in lines:
            assert self.server.obey(line)

    def wait(self, pattern: str, seconds: float = 20) -> str:
        """Return the first output line that matches a pattern; remove this line and all lines before it."""

        def find_line() -> int | None:
            return next((i + 1 for i, line in enumerate(self.lines) if re.match(pattern, line)), None)

        with self.more:
            assert self.more.wait_for(lambda: find_line() is not None, seconds), self.lines
            end = find_line() or 0
            line = self.lines[end - 1]
            del self.lines[:end]
            return line


@pytest.fixture
def session() -> Session:
    return Session()


def moves_in(line: str) -> list[str]:
    return line.partition(" pv ")[2].split()


@pytest.mark.usefixtures("interpreted")
def test_a_whole_session(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = "uci\nnonsense\n\nsetoption name Hash value 1\nisready\nposition startpos moves e2e4\njoho go depth 2\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert run(["uci"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("id name gamesearch ")
    assert said[said.index("uciok") + 1] == "readyok"
    infos = said[said.index("readyok") + 1 : -1]
    for depth, info in enumerate(infos, 1):
        counts = r"nodes \d+ nps \d+ hashfull \d+ time \d+"
        assert re.fullmatch(rf"info depth {depth} seldepth \d+ multipv 1 score cp -?\d+ {counts} pv .+", info)
    assert len(infos) == 2
    assert said[-1] == "bestmove {} ponder {}".format(*moves_in(infos[-1]))


def test_every_option_that_is_announced_can_be_set(session: Session) -> None:
    session.say("uci")
    options = [line for line in session.lines if line.startswith("option")]
    session.lines.clear()
    for option in options:
        if option.endswith("type button"):
            session.say(f"setoption name {option.split(' name ')[1].removesuffix(' type button')}")
            continue
        match = re.match(r"option name (.+) type (\w+) default (.+?)( min.*| var.*)?$", option)
        assert match
        session.say(f"setoption name {match[1]} value {match[3]}")
        for variant in re.findall(r"var (\S+)", match[4] or ""):
            session.say(f"setoption name {match[1]} value {variant}")
            assert session.server.board.uci_variant == variant
    assert session.lines == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("setoption name Hush value 3", "unknown option 'hush'"),
        ("setoption name UCI_Variant value ludo", "unknown variant 'ludo'"),
        ("setoption name Algorithm value alphabet", "did you mean alphabeta"),
        ("setoption Hash 3", "needs a name"),
        ("position fen 8/8 w", "is not a position"),
        ("position startpos moves e2e4 e2e4", "'e2e4' is not a legal move in"),
    ],
)
def test_impossible_requests_get_an_info_line(session: Session, line: str, said: str) -> None:
    session.say(line)
    assert re.search(said, session.wait("info string "))
    session.say("go nodes 1")
    is_set_up = "moves e2e4 e2e4" in line or not line.startswith("position")
    session.wait("bestmove [a-h]" if is_set_up else r"bestmove \(none\)")
    session.say("position startpos", "go nodes 1")
    session.wait("bestmove [a-h]")


def test_the_engine_answers_isready_after_a_failure(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(AlgorithmPlayer, "answer", fail)
    session.say("isready", "isready")
    assert session.wait("info string ") == "info string MemoryError: no room"
    session.wait("readyok")
    session.wait("readyok")


def test_a_limited_strength_is_a_level(session: Session) -> None:
    assert level_of_elo(ELO_RANGE[0]) == LEVELS["1"]
    assert level_of_elo(ELO_RANGE[1]) == LEVELS["10"]
    levels = [level_of_elo(elo) for elo in range(*ELO_RANGE, 50)]
    assert [each.nodes for each in levels] == sorted(each.nodes or 0 for each in levels)
    assert [each.temperature for each in levels] == sorted((each.temperature for each in levels), reverse=True)
    session.say("setoption name UCI_Elo value 1", "setoption name UCI_LimitStrength value true")
    session.say("position startpos moves e2e4", "go infinite", "stop")
    move = session.wait("bestmove ").split()[1]
    assert session.server.legal_move(move) is not None
    assert isinstance(session.server.player, Computer)
    assert session.server.player.level == LEVELS["1"]
    moves = []
    for _ in range(4):
        session.say("ucinewgame", "position startpos moves e2e4", "go depth 1")
        moves.append(session.wait("bestmove "))
    assert len(set(moves)) > 1, "weak players choose their moves at random, so games differ"


def test_quit_ends_the_process_during_a_compilation(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "GAMESEARCH_CACHE_MB": "0"}
    command = [sys.executable, "-m", "gamesearch", "uci"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write("uci\nisready\n")
        engine.stdin.flush()
        assert "uciok\n" in engine.stdout  # the engine has started
        time.sleep(0.3)
        engine.stdin.write("quit\n")
        engine.stdin.flush()
        begun = time.monotonic()
        assert engine.wait(20) == 0
        assert time.monotonic() - begun < 3


@pytest.mark.parametrize("started", ["isready", "go movetime 100"])
def test_stop_answers_during_a_compilation(session: Session, monkeypatch: pytest.MonkeyPatch, started: str) -> None:
    is_compiled, before = threading.Event(), AlgorithmPlayer.answer

    def compile_first(*arguments: Any) -> Any:
        assert is_compiled.wait(60)
        return before(*arguments)

    monkeypatch.setattr(AlgorithmPlayer, "answer", compile_first)
    session.say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", started, "go infinite", "stop")
    assert session.wait("bestmove [a-h]") == "bestmove d1d8"  # a short search finds the mate
    session.say("go infinite searchmoves g2g3", "stop", "go infinite searchmoves h2h3", "stop")
    assert [session.wait("bestmove").split()[1] for _ in range(2)] == ["g2g3", "h2h3"]
    session.server.run(["go infinite", "quit"])
    assert not any(line.startswith("bestmove") for line in session.lines)
    is_compiled.set()
    session.say("setoption name UCI_Variant value atomic", "position startpos", "go depth 1")
    session.wait("info depth 1 ")
    session.wait("bestmove [a-h]")


def test_it_values_positions_by_the_weights_of_the_option(session: Session) -> None:
    said = []
    for value in ("learned", "<empty>", "", "learned"):
        session.say(f"setoption name Weights value {value}".rstrip(), "position startpos", "go depth 1")
        said.append(session.wait("info depth 1 ").partition(" score ")[2].split()[1])
        session.wait("bestmove ")
    assert said[1:3] == ["0", "0"]  # this evaluation counts only material
    assert said[0] == said[3] != "0"
    session.say("setoption name MultiPV value 2", "position startpos", "go depth 1")
    assert session.wait("info depth 1 .*multipv 1").partition(" score ")[2].split()[1] == said[0]
    session.say("setoption name UCI_Variant value atomic", "position startpos", "go depth 1")
    assert session.wait("bestmove ")
    session.say("setoption name Weights value nowhere.json")
    assert "there is no file nowhere.json" in session.wait("info string ")


def test_legal_moves_before_an_illegal_one_are_played(session: Session) -> None:
    session.say("position startpos moves e2e4 e2e4", "position startpos moves e2e4 e7e5 g1f3")
    assert session.server.board.fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b")
    assert len(session.server.states) == 4


def test_moves_are_read_in_capitals(session: Session) -> None:
    session.say("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves A7A8Q")
    assert session.server.board.fen().startswith("Q7/7k/")
    session.say("setoption name UCI_Variant value crazyhouse", "position startpos moves e2e4 d7d5 e4d5 a7a6 p@e4")
    assert session.server.board.piece_at(chess.E4) is not None


def test_it_answers_while_it_thinks(session: Session) -> None:
    session.say("isready", "go infinite")
    session.wait("info depth 1 ")
    session.say("isready", "go depth 1")
    session.wait("readyok")
    session.wait("info string a search is running")
    assert not any(line.startswith("bestmove") for line in session.lines)
    session.say("stop")
    session.wait("bestmove ")
    session.say("stop", "ponderhit", "isready")
    session.wait("readyok")
    assert not any(line.startswith("bestmove") for line in session.lines)


def test_go_infinite_waits_for_stop(session: Session) -> None:
    session.say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go infinite")
    session.wait("info .* score mate 1 .* pv d1d8")
    time.sleep(0.05)
    assert session.lines == []
    session.say("stop")
    assert session.wait("bestmove") == "bestmove d1d8"


def test_ponder_waits_for_ponderhit(session: Session) -> None:
    session.say("position startpos moves e2e4", "go ponder movetime 100")
    session.wait("info depth 2 ")
    time.sleep(0.12)
    assert not any(line.startswith("bestmove") for line in session.lines)
    session.say("ponderhit")
    session.wait("bestmove ")
    session.say("go ponder wtime 1000 btime 1000", "stop")
    session.wait("bestmove ")


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        ("movetime 500", 0.49),
        ("wtime 60000 btime 1000", 4 * 59.89 / 30),
        ("wtime 60000 winc 1000 movestogo 2", 30.745 + 29.145 / 4),
        ("wtime -50 btime 10", 0.001),
        ("movetime oops depth 3", None),
    ],
)
def test_the_thinking_time_follows_from_the_clock(session: Session, limit: str, seconds: float | None) -> None:
    asked = session.server.parse_go(limit.split())
    assert asked.limits.time == (None if seconds is None else pytest.approx(seconds, rel=0.01))


def test_limits_hold(session: Session) -> None:
    server = session.server
    assert server.parse_go(["mate", "2"]).limits.depth == 3
    assert server.parse_go(["depth", "0"]).limits.depth == 1
    assert server.parse_go([]).is_endless
    session.say("go nodes 50")
    line = session.wait("bestmove ")
    assert line
    session.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2")
    session.wait("info depth 3 .* score mate 2 .* pv a1a6")
    assert session.wait("bestmove").startswith("bestmove a1a6")
    session.say("setoption name Algorithm value pvs(width=4)", "position startpos", "go mate 1")
    assert session.wait("bestmove [a-h]")
    session.say("setoption name Hash value 1000000000")
    assert 16 << 20 <= server.memory << 20 <= max(16 << 20, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))


def test_only_some_moves_are_searched(session: Session) -> None:
    session.say("go depth 2 searchmoves a2a3 h2h4 e2e5")
    assert session.wait("bestmove").split()[1] in ("a2a3", "h2h4")
    session.say("setoption name MultiPV value 3", "go nodes 1 searchmoves a2a3 h2h4")
    assert session.wait("bestmove").split()[1] in ("a2a3", "h2h4")


@pytest.mark.parametrize(
    ("words", "said", "best"),
    [
        ("depth abc", ["depth, which needs a whole number", "'abc'"], r"\(none\)"),
        ("depth", ["depth, which needs a whole number"], r"\(none\)"),
        ("perft 3", ["'perft'", "'3'"], r"\(none\)"),
        ("movetime 1.5 nodes 1 x", ["movetime, which needs a whole number", "'1.5'", "'x'"], "[a-h]"),
        ("searchmoves e7e5 a2a3 depth 1", ["'e7e5', which is not a legal move"], "a2a3"),
        (
            "searchmoves e7e5 depth 1",
            ["'e7e5', which is not a legal move", "searchmoves, which needs a legal move"],
            "[a-h]",
        ),
        ("depth 1 wtime -5 btime 9 winc 0 binc 0 movestogo 0", [], "[a-h]"),
    ],
)
def test_go_names_the_words_that_it_ignores(session: Session, words: str, said: list[str], best: str) -> None:
    session.say(f"go {words}")
    server = session.server
    if server.running is not None:
        server.running.thread.join()
    ignored = [line for line in session.lines if line.startswith("info string ")]
    assert ignored == [f"info string go ignores {each}" for each in said]
    session.wait(f"bestmove {best}")


@pytest.mark.parametrize(
    ("fen", "info"), [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0")]
)
def test_the_end_of_the_game_has_no_move(session: Session, fen: str, info: str) -> None:
    session.say(f"position fen {fen}", "go depth 3")
    assert session.wait("info") == f"info depth 0 score {info}"
    assert session.wait("bestmove") == "bestmove (none)"


SHUFFLE = "a1b1 h8g8 b1a1 g8h8"  # four moves that lead back to the position before them
PAWN = "fen 7k/8/8/8/8/8/P7/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("position", "go", "score"),
    [
        (f"{PAWN} moves {SHUFFLE} {SHUFFLE}", "", "cp 0"),  # the third occurrence of the position
        (f"{PAWN} moves {SHUFFLE}", "", "cp 100"),
        (f"{PAWN} moves {SHUFFLE}", "searchmoves a1b1", "cp 0"),  # a position before the root comes again
        (f"{PAWN} moves {SHUFFLE}", "searchmoves a1b2", "cp 100"),
        ("fen 8/8/8/4k3/8/8/8/K7 w - - 0 1", "", "cp 0"),
        ("fen 8/8/8/4k3/8/8/8/KR6 w - - 150 120", "", "cp 0"),
    ],
)
def test_drawn_positions_score_0_and_have_a_move(session: Session, position: str, go: str, score: str) -> None:
    session.say("setoption name Weights value", f"position {position}", f"go depth 1 {go}")
    assert f"score {score} " in session.wait("info depth 1")
    assert session.wait("bestmove [a-h]")


def test_lines_at_the_end_of_input_wait_for_the_answer(session: Session) -> None:
    session.server.run(["go depth 1"])
    session.wait("bestmove")
    session.server.run(["go infinite"])  # the input has ended, so no `stop` can arrive
    session.wait("bestmove")


def test_python_chess_as_a_client() -> None:
    command = [sys.executable, "-m", "gamesearch", "uci", "--speed", "interpreted"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        played = engine.play(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), chess.engine.Limit(depth=2))
        assert played.move == chess.Move.from_uci("d1d8")
        infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=1), multipv=2)
        assert len({info["pv"][0] for info in infos}) == 2
        boards: list[Callable[[], chess.Board]] = [chess.variant.AtomicBoard, chess.variant.ThreeCheckBoard]
        for board in (*(make() for make in boards), chess.Board.from_chess960_pos(0)):
            assert engine.play(board, chess.engine.Limit(nodes=30)).move in list(board.legal_moves)
        with engine.analysis(chess.Board()) as analysis:
            analysis.get()
            analysis.stop()
            assert analysis.wait().move
