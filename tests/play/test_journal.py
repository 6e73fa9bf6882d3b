"""The journal of a match loses no finished game, and other files are not read as journals."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.errors import GamesearchError
from gamesearch.play.matches.game_task import GameRecord, Terms
from gamesearch.play.matches.series import Journal, Series, differences, read_journal, usual_path

SERIES = Series("tictactoe", ("random", "minimax"))


def record(number: int) -> GameRecord:
    return GameRecord(number, ("random", "minimax"), moves=("1", "2"), winner=number % 2)


def begun(path: Path, games: int) -> bytes:
    with Journal(path, SERIES) as journal:
        for number in range(games):
            journal.append(record(number))
    return path.read_bytes()


def test_a_journal_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    begun(path, 3)
    with Journal(path, SERIES) as journal:
        assert journal.records == {number: record(number) for number in range(3)}
        journal.append(record(7))
        with pytest.raises(GamesearchError, match="game 8 is in"):
            journal.append(record(7))
    assert [each.number for each in read_journal(path.read_bytes(), path)] == [0, 1, 2, 7]


def test_a_journal_that_was_cut_off_continues(tmp_path: Path) -> None:
    """A journal is cut at many places: within a game, within the first line, and near the end of each line."""
    path = tmp_path / "journal.jsonl"
    whole = begun(path, 2)
    ends = [number for number, byte in enumerate(whole, 1) if byte == ord("\n")]
    lengths = {*range(0, len(whole), 23), *(end + more for end in ends for more in (-2, -1, 0))}
    for length in sorted(lengths):
        path.write_bytes(whole[:length])
        games = max(0, sum(end <= length for end in ends) - 1)
        assert len(read_journal(path.read_bytes(), path) if length >= ends[0] else []) == games
        with Journal(path, SERIES) as journal:
            assert len(journal.records) == games
            for number in range(games, 2):
                journal.append(record(number))
        assert path.read_bytes() == whole


@given(st.binary(max_size=60))
def test_other_files_are_not_written(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        if json.dumps(SERIES.header()).encode().startswith(data):  # this text is the beginning of a journal
            return
        path.write_bytes(data)
        with pytest.raises(GamesearchError, match="not the journal of a match"):
            Journal(path, SERIES)
        assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("other", "different"),
    [
        (Series("tictactoe", ("random", "maxn")), "players is"),
        (Series("connect4", ("random", "minimax"), seed=1), "game and seed are"),
        (Series("tictactoe", ("random", "minimax"), terms=Terms(nodes=5)), "nodes is"),
    ],
)
def test_the_journal_of_another_match_is_refused(other: Series, different: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    before = begun(path, 1)
    with pytest.raises(GamesearchError, match=f"whose {different} different"):
        Journal(path, other)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{}\n", "line 3 .* is not a recorded game; delete the line"),
        (b"what\n", "line 3 of .* cannot be read"),
        (record(0).text().encode() + b"\n", "line 3 of .* repeats game 1"),
    ],
)
def test_damaged_lines_are_named(line: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(begun(path, 1) + line)
    before = path.read_bytes()
    with pytest.raises(GamesearchError, match=said):
        Journal(path, SERIES)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"winner": 0', '"winner": 2'),
        ('"number": 2', '"number": -1'),
        ('"details": ""', '"details": 3'),
        ('"rolls": 0', '"rolls": true'),
        ('"nodes": [0, 0]', '"nodes": [0, 0, 0]'),
        ('"seconds": [0.0, 0.0]', '"seconds": [-1, 0]'),
        ('"moves": ["1", "2"]', '"moves": ["1", 2]'),
        ('"payoff": null', '"payoff": "1"'),
    ],
)
def test_each_fact_of_a_record_has_its_type(old: str, new: str) -> None:
    text = record(2).text()
    assert GameRecord.read(text) == record(2)
    with pytest.raises(GamesearchError, match=f"the field {old.split(chr(34))[1]} is invalid"):
        GameRecord.read(text.replace(old, new))


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, SERIES), pytest.raises(GamesearchError, match="another process is playing this match"):
        Journal(path, SERIES)
    with Journal(path, SERIES) as journal:
        assert journal.records == {}


FULL = """
import resource, signal, sys
from pathlib import Path
from gamesearch.errors import GamesearchError
from gamesearch.play.matches.game_task import GameRecord
from gamesearch.play.matches.series import Journal
from gamesearch.play.matches.series import Series, differences
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Journal(sys.argv[1], Series("tictactoe", ("random", "minimax"))) as journal:
    journal.append(GameRecord(0, ("random", "minimax")))
    resource.setrlimit(resource.RLIMIT_FSIZE, (journal.size + 100, resource.RLIM_INFINITY))  # within the next line
    try:
        journal.append(GameRecord(1, ("random", "minimax")))
    except GamesearchError as error:
        print(error)
    assert list(journal.records) == [0]
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    journal.append(GameRecord(2, ("random", "minimax")))
"""


def test_a_full_disk_damages_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout
    assert "the earlier games in it are safe: make room, and give the same command again" in done.stdout
    assert [each.number for each in read_journal(path.read_bytes(), path)] == [0, 2]


@pytest.mark.parametrize("form", ["{}(depth=2)", "alphabeta(depth=2), connect4(weights={})"])
def test_another_text_of_the_same_file_is_another_player(form: str, tmp_path: Path) -> None:
    mine = tmp_path / ("weights.json" if "weights" in form else "mine.py")
    mine.write_text("one")
    series = Series("connect4", (form.format(mine), "random"))
    before = series.header(), series.name
    assert before == (series.header(), series.name)
    mine.write_text("two")
    assert series.name != before[1]
    assert differences(before[0], series.header()) == ["files"]
    assert "files" not in Series("connect4", ("random", "random")).header()


def test_the_name_of_a_journal_depends_on_its_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = usual_path(SERIES)
    assert path.parent.is_dir()
    assert path.name.startswith("tictactoe-")
    assert usual_path(Series("tictactoe", ("random", "minimax"))) == path
    assert usual_path(Series("tictactoe", ("random", "minimax"), seed=1)) != path
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(GamesearchError, match="cannot be created"):
        usual_path(SERIES)


@pytest.mark.parametrize("name", ["/", "/nowhere/at/all"])
def test_other_files_are_not_read_as_journals(name: str) -> None:
    with pytest.raises(GamesearchError, match=r"not a file|cannot be written"):
        Journal(name, SERIES)


def test_older_journals_are_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [json.loads(line) for line in begun(path, 2).splitlines()]
    for each in lines[1:]:
        del each["rolls"], each["payoff"]
        each["by_lot"] = each.pop("has_chance")
    found = read_journal("".join(json.dumps(each) + "\n" for each in lines).encode(), path)
    assert [(each.rolls, each.payoff) for each in found] == [(0, None)] * 2
