"""Hostile text in every field of every kind of file and input is harmless for every exporter and command."""

import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.table import Table
from rich.text import Text
from torture.readers import EPD, TRACED, InternalError, call, examples_of

from gamesearch.cli.consoles import OutputConsole
from gamesearch.files.records import read_record
from gamesearch.registry import load
from gamesearch.support.escaping import (
    dot_text,
    escape_invisible,
    json_text,
    markdown_text,
    mermaid_text,
    pgn_text,
    terminal_text,
    tex_text,
    visible_data,
    xml_text,
)

HOSTILE = (
    "\x1b[31m\x9b2J\x07\n\r\u2028\u202e\ud800 \\input{x} \\write18{id} $x$ ^^M % <script>alert(1)</script>&\"' ]]> "
    "[/red][bold] `id` --> ; | , {} #1 ~_ \\"
)
SEEN = escape_invisible(HOSTILE)


# Functions. ---------------------------------------------------------------------------------------
def test_every_function_makes_characters_visible() -> None:
    for escape in (
        escape_invisible, terminal_text, xml_text, dot_text, mermaid_text, pgn_text, markdown_text, tex_text,
        json_text,
    ):  # fmt: skip
        for number in range(0x3000):
            character = chr(number)
            text = escape(f"a{character}b")
            assert (
                text.isprintable() or escape_invisible(character) == character or (character == "\n" and "\n" in text)
            ), escape
            text.encode()
    for text in ("Müller – Nguyễn", "王", "👩\u200d🔬", "a\u00a0b", "שלום"):
        assert escape_invisible(text) == terminal_text(text) == text
    assert terminal_text("one\ntwo") == "one\ntwo"
    data = {"é\x9b": [HOSTILE, 1, None]}
    for text in (json_text(data), json_text(data, indent=2)):
        assert json.loads(text) == data
        assert all(escape_invisible(each) == each or each == "\n" for each in text)
    assert visible_data(data) == {"é\\x9b": [SEEN, 1, None]}


# Terminals. ---------------------------------------------------------------------------------------
def test_a_status_line_has_only_characters_of_the_terminal() -> None:
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    with OutputConsole(file=output, force_terminal=True).status("working ..."):
        pass
    output.seek(0)
    printed = output.read()
    assert "working ..." in printed
    assert "\\" not in printed


def test_the_console_prints_texts_as_they_are() -> None:
    output, narrow = io.StringIO(), io.StringIO()
    console = OutputConsole(file=output, force_terminal=True, width=60, color_system="standard")
    table, cells = Table(), Table.grid()
    table.add_row(HOSTILE, Text(HOSTILE))
    for shown in (HOSTILE, Text(HOSTILE, style="bold"), table):
        console.print(shown)
    cells.add_column(width=6)
    cells.add_column()
    cells.add_row("a\x1b\x1b\x1b", "next")
    OutputConsole(file=narrow, width=40).print(cells)
    assert all(line[6:10] in ("next", "    ", "") for line in narrow.getvalue().splitlines())
    printed = re.sub(r"\x1b\[[0-9;]*m", "", output.getvalue())
    assert terminal_text(printed) == printed
    assert "\x1b[31m" not in output.getvalue()  # the hostile color sequence must not reach the terminal
    assert "[/red]" in printed


# Traces. ------------------------------------------------------------------------------------------
MOVES = ("move", "best", "line", "moves", "pruned", "bounds")
"""Fields of trace events that contain names of moves."""
SHOWN = ("shown", "window_shown", "goal_shown", "game", "position", "algorithm", "why", "board", "stopped")
"""Fields of trace events that contain free texts."""


def hostile_trace(number: int) -> str:
    """Return a trace in which every free text is a hostile text."""

    def change(fact: Any) -> Any:
        if isinstance(fact, list):
            return [change(each) for each in fact]
        return fact + HOSTILE if isinstance(fact, str) and fact else fact

    lines = [json.loads(line) for line in examples_of("trace")[number].decode().splitlines()]
    for event in lines:
        for name in (*MOVES, *SHOWN):
            if name in event:
                event[name] = change(event[name])
        if event.get("refuted"):
            event["refuted"] = {**event["refuted"], "move": HOSTILE, "shown": HOSTILE}
    return "".join(json.dumps(each) + "\n" for each in lines)


def export(trace: str, suffix: str, *more: str) -> str:
    call("export", trace, "--to", f"tree.{suffix}", "--force", *more)
    text = Path(f"tree.{suffix}").read_text(encoding="utf-8")
    assert terminal_text(text) == text
    return text


@pytest.mark.parametrize("number", range(len(TRACED)))
def test_commands_and_exports_of_a_hostile_trace_are_harmless(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMESEARCH_DEBUG", "1")
    trace = "case.trace"
    Path(trace).write_text(hostile_trace(number))
    for arguments in (["show", trace], ["watch", trace]):
        assert "input{x}" in call(*arguments), arguments
    assert "input{x}" in str(json.loads(call("show", trace, "--json")))
    call("watch", trace, "--quiz", "--seed", "1", typed=b"3\nno\n" * 20)
    root = ElementTree.fromstring(export(trace, "svg"))
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {
        "svg", "title", "style", "rect", "text", "line", "path", "circle", "g",
    }  # fmt: skip
    assert SEEN in str(root.findtext("{http://www.w3.org/2000/svg}title"))
    tex = export(trace, "tex", "--fit")
    body = tex.partition(r"\sbox{\drawing}{%")[2].partition(r"\end{tikzpicture}")[0]
    assert "input" in body
    assert set(re.findall(r"\\([A-Za-z]+)", body)) <= {
        "begin", "end", "path", "node", "fontsize", "selectfont", "bfseries", "symbol", "leq", "geq", "approx", "infty",
        "dots", "rule", "textbackslash", "textasciitilde", "textasciicircum", "textbar", "textless", "textgreater",
    }  # fmt: skip
    lines = [line.lstrip() for line in body.splitlines() if line.strip()]
    assert all(line.startswith(("\\path[", "\\node[", "\\begin{", "\\end{")) for line in lines)
    assert all(line.startswith("%") for line in tex.partition("\\documentclass")[0].splitlines())
    dot, chart = export(trace, "dot"), export(trace, "mmd")
    assert all(re.fullmatch(r'[^"]*("([^"\\]|\\.)*"[^"]*)*', line) for line in dot.splitlines())
    assert all(line.count('"') % 2 == 0 for line in chart.splitlines())
    assert "<script" not in chart
    if number == 0 and shutil.which("dot"):
        subprocess.run(["dot", "-Tcanon"], input=dot, text=True, check=True, capture_output=True)
    page = export(trace, "html")
    assert len(re.findall(r"<script\b", page, re.IGNORECASE)) == 2  # the JSON data, and the script that draws the page


# Other files. -------------------------------------------------------------------------------------


def in_epd(folder: Path) -> list[str]:
    name = "".join(each for each in HOSTILE if each not in '\n\r"\ud800;\u2028')
    (folder / "case.epd").write_text(EPD.replace("one", name))
    return ["suite", "case.epd", "--nodes", "1", "--speed", "interpreted", "-a", "alphabeta(depth=1)"]


def in_pgn(folder: Path) -> list[str]:
    name = "".join(each for each in HOSTILE if each not in '\n\r"\\\ud800\u2028')
    (folder / "case.pgn").write_text(f'[White "{name}"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    return ["ratings", "case.pgn"]


def in_journal(folder: Path) -> list[str]:
    header, *records = [json.loads(line) for line in examples_of("journal")[0].splitlines()]
    header["players"][0] = HOSTILE
    for record in records:
        record["players"] = [HOSTILE if each == "random" else each for each in record["players"]]
        record["details"] = record["reason"] = HOSTILE
    (folder / "case.jsonl").write_text("".join(json.dumps(each) + "\n" for each in (header, *records)))
    return ["ratings", "case.jsonl", "--to", "case.svg"]


def in_saved_game(folder: Path) -> list[str]:
    game = load("tictactoe")
    text = game.record(game.initial(), [4], {"X": HOSTILE, "O": "human", HOSTILE: HOSTILE})
    (folder / "case.json").write_text(text)
    return ["play", "case.json", "--plain", "--max", "human", "--min", "human", "--speed", "interpreted"]


def in_error(folder: Path) -> list[str]:
    (folder / "own.py").write_text(f"def search(game, state, depth):\n    raise RuntimeError({HOSTILE!r})\n")
    return ["analyze", "tictactoe", "-a", "./own.py(depth=1)"]


def in_rules(folder: Path) -> list[str]:
    (folder / "own.py").write_text(
        "from gamesearch.games.connecting.tictactoe import TicTacToe\n"
        f"class Own(TicTacToe):\n    def move_name(self, s, m):\n        return {HOSTILE!r} + str(m)\n"
    )
    return ["analyze", "./own.py", "--depth", "1", "--moves", "--tree", "--speed", "interpreted"]


@pytest.mark.parametrize("case", [in_epd, in_pgn, in_journal, in_saved_game, in_error, in_rules])
def test_commands_show_texts_of_foreign_files(case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = case(tmp_path)
    call(*words)  # invisible characters in the output raise InternalError
    for picture in tmp_path.glob("*.svg"):
        ElementTree.fromstring(picture.read_text())
        picture.unlink()
    call(*words, "--json")


def test_error_messages_escape_what_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = f"{HOSTILE}\nsave {HOSTILE}\nload {HOSTILE}\nquit\n".encode(errors="replace")
    for command in (
        "analyze tictactoe {}", "analyze {}", "analyze tictactoe -a {}", "analyze tictactoe --why-not {}",
        "solve tictactoe --method {}", "games {}", "algorithms {}", "play tictactoe --plain --max {}",
        "match tictactoe random {}", "ratings {}", "show {}", "perft tictactoe {}", "suite {}", "{}",
        "play tictactoe --plain --max human --min human --speed interpreted",
    ):  # fmt: skip
        call(*(HOSTILE if word == "{}" else word for word in command.split()), typed=typed)


def test_a_tag_of_a_pgn_is_read_back() -> None:
    game = load("chess")
    text = game.record(game.initial(), [], {"White": 'a "b" \\ c\n[Result "1-0"]', "Black": "x"})
    results = [line for line in text.splitlines() if line.startswith("[Result")]
    assert (results, read_record(game, text)[1]) == (['[Result "*"]'], [])


def test_a_command_that_prints_a_control_character_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = in_epd(tmp_path)
    for name in ("cli.consoles", "render.tables"):
        monkeypatch.setattr(f"gamesearch.{name}.terminal_text", lambda text: text)
    with pytest.raises(InternalError, match="unescaped"):
        call(*arguments)
