"""An engine for one of three protocols that plays badly and may crash, hang, print nonsense or resign.

The arguments are the protocol (gtp, uci, external), the behavior of the engine, and the path of a log file for all
received lines. The engine misbehaves only once: if the log file exists when the engine starts, the engine plays
normally. The engine needs only Python.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

IS_PROGRAM = __name__ == "__main__"
"""Whether this file runs as a program, so that it must act as an engine.

No engine must start if pytest imports this file to look for doctests.
"""
protocol, behaviour, log_name = sys.argv[1:4] if IS_PROGRAM else ("gtp", "good", "")
is_second = Path(log_name).is_file()
log: Any = Path(log_name).open("a") if IS_PROGRAM else None  # noqa: SIM115
COLUMNS = "ABCDEFGHJ"


def say(text: str) -> None:
    print(text, flush=True)


def misbehave() -> str:
    """Fail as `behaviour` says; return the text of a wrong move, or an empty text to play normally."""
    if is_second:
        return ""
    if behaviour == "crash":
        print("something\nlast words", file=sys.stderr, flush=True)
        sys.exit(3)
    if behaviour == "hang":
        log.write(f"child {os.getpid()}\n")
        log.flush()
        time.sleep(600)
    if behaviour == "parent":  # both this process and its child process hang
        if os.fork() == 0:
            log.write(f"child {os.getpid()}\n")
            log.flush()
        time.sleep(600)
    if behaviour == "flood":
        while True:
            say("nonsense without end")
    if behaviour == "garbage":
        sys.stdout.buffer.write(b"\xff\x00 \xc3\n\nmoved\n=no\n?\ninfo\nbest\n" + b"x" * 70000 + b"\n")
        sys.stdout.buffer.flush()
    return {"illegal": "z99", "resign": "resign"}.get(behaviour, "")


class Gtp:
    def __init__(self) -> None:
        self.taken: list[str] = []

    def handle(self, line: str) -> None:
        words = line.split()
        number = words.pop(0) if words[0].isdigit() else ""
        if words[0] == "clear_board":
            self.taken = []
        elif words[0] == "play":
            self.taken.append(words[2].upper())
        answer = self.genmove() if words[0] == "genmove" else ""
        if words[0] == "play" and behaviour == ("no pass" if words[2] == "pass" else "refuse"):
            say(f"?{number} syntax error\n")
        else:
            say(f"={number} {answer}\n")

    def genmove(self) -> str:
        wrong = misbehave()
        if wrong:
            return wrong
        points = [f"{column}{row}" for row in range(1, 4) for column in COLUMNS[:3]]
        self.taken.append(next(point for point in points if point not in self.taken))
        return self.taken[-1]


class Uci:
    def __init__(self) -> None:
        self.moves: list[str] = []

    def handle(self, line: str) -> None:
        words = line.split()
        if words[0] == "uci":
            if behaviour == "garbage":
                misbehave()
            say("id name fake\noption name Hash type spin default 16 min 1 max 64")
            say("option name Skill Level type spin default 1 min 1 max 9\nuciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            self.moves = words[3:]
        elif words[0] == "go":
            mine = "e2e4" if len(self.moves) % 2 == 0 else "e7e5"
            if behaviour == "patient":
                return
            wrong = misbehave()
            say(f"info depth 7 seldepth 9 score cp 35 nodes 1234 pv {mine}")
            say(f"bestmove {'e2e5' if wrong else mine}")
        elif words[0] == "stop":
            say("info depth 3 score mate 2 nodes 99 pv e2e4 e7e5\nbestmove e2e4")


class External:
    def __init__(self) -> None:
        self.legal: list[str] = []

    def handle(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "begin":
            say("ready 2" if behaviour == "newer" else "ready")
        elif word == "position":
            self.legal = []
        elif word == "legal":
            self.legal.append(rest)
        elif word == "stop" or (word == "go" and behaviour != "patient"):
            wrong = misbehave() if word == "go" else ""
            if behaviour == "error":
                say("error the cat sat on it")
            elif wrong == "resign":
                say("resign")
            else:
                say(f"info depth 2 value 0.25 nodes 17 line {self.legal[0]}; nowhere")
                say(f"move {wrong or self.legal[0]} depth 3")


speakers: dict[str, Any] = {"gtp": Gtp, "uci": Uci, "external": External}
speaker = speakers[protocol]()
for line in sys.stdin if IS_PROGRAM else ():
    log.write(line)
    log.flush()
    if line.strip() == "quit":
        break
    speaker.handle(line.strip())
