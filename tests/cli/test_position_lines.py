"""`gamesearch analyze GAME - --json`: one line of output for each line of input."""

import io
import json
import subprocess
import sys

import pytest

from gamesearch.cli import run

GIVEN = ("analyze", "connect4(rows=4, columns=4)", "-", "--json", "--depth", "3", "--speed", "interpreted")


def answers(
    lines: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *more: str, code: int = 0
) -> tuple[list[dict[str, object]], str]:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert run((*GIVEN, *more)) == code
    out, err = capsys.readouterr()
    return [json.loads(line) for line in out.splitlines()], err


def test_each_position_has_a_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = answers(b"1122\n\n12\n", capsys, monkeypatch, "--multipv", "2")
    assert [each["line_number"] for each in found] == [1, 3]
    assert [each["position"] for each in found] == ["..../..../OO../XX..", "..../..../..../XO.."]
    assert all(len(each["moves"]) == 2 for each in found)  # type: ignore[arg-type]


def test_a_bad_line_is_told_and_the_others_are_answered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, told = answers(b"12\nwhat\n\xff\n1212121212\n11\n", capsys, monkeypatch, code=2)
    assert [each["line_number"] for each in found] == [1, 2, 3, 4, 5]
    assert [sorted(each) == ["error", "line_number"] for each in found] == [False, True, True, True, False]
    assert [line.partition(": ")[2].partition(":")[0] for line in told.splitlines()] == ["line 2", "line 3", "line 4"]
    assert found[2]["error"] == "this is not text"


def test_a_large_bad_line_is_not_repeated_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, told = answers(b"x" * 100_000 + b"\n", capsys, monkeypatch, code=2)
    assert len(str(found[0]["error"])) < 1000
    assert len(told) < 1000
    assert run(("analyze", "connect4", "y" * 100_000)) == 2
    assert "99,4" in (said := capsys.readouterr().err)
    assert len(said) < 1000


def test_a_finished_game_is_an_answer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(b"1212121\n", capsys, monkeypatch)[0][0]["over"] is True


def test_nothing_to_read_is_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a position on each line" in answers(b"\n", capsys, monkeypatch, code=2)[1]


def test_an_answer_comes_before_the_next_question() -> None:
    """Another program may wait for each answer before it sends the next position."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-m", "gamesearch", *GIVEN], **pipes) as process:  # type: ignore[call-overload]
        for position in ("11", "22"):
            process.stdin.write(f"{position}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["stopped"] == ""
        process.stdin.close()
        assert process.wait() == 0


def test_without_json_each_position_is_answered_in_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1122\nwhat\n12\n")))
    assert run([each for each in GIVEN if each != "--json"]) == 2
    out, err = capsys.readouterr()
    assert out.count("value ") == 2
    assert "line 2:" in err
