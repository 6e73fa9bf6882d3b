"""Problems seen in use: pictures that do not fit, files that print or contain two games, invalid colors."""

import json
from pathlib import Path

import pytest
from commands import complaint, output

from gamesearch.cli import run
from gamesearch.errors import GamesearchError
from gamesearch.play.files import saved_game
from gamesearch.render.exports import tex
from gamesearch.toolkit.boards import Palette

GAME = """
print("loaded")
from gamesearch import Game

class {name}(Game):
    \"\"\"Take one or two of five; who takes the last wins.\"\"\"

    def initial(self):
        return (5, 0)

    def player(self, s):
        return s[1]

    def moves(self, s):
        print("asked")
        yield 1
        if s[0] > 1:
            yield 2

    def result(self, s, m):
        return (s[0] - m, 1 - s[1])

    def terminal(self, s):
        return s[0] == 0

    def utility(self, s):
        return 1 if s[1] else -1
"""


@pytest.fixture
def trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = str(tmp_path / "a.trace")
    output(capsys, "analyze", "nim(2-2-1)", "-a", "minimax", "--trace", file)
    return file


@pytest.mark.parametrize("suffix", ["svg", "tex", "mmd"])
def test_what_fits_is_said_and_taken(
    suffix: str, trace: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tex, "MOST_NODES", 20)
    monkeypatch.setattr("gamesearch.render.exports.svg.WIDEST", 1400)
    monkeypatch.setattr("gamesearch.render.exports.mmd.MOST_EDGES", 20)
    file = str(Path(trace).with_name(f"tree.{suffix}"))
    said = complaint(capsys, "export", trace, "--to", file)
    assert "--fit takes it" in said
    ways = said.split(": ")[-1].split(" fits")[0].split(" or ")
    assert [way.split()[0] for way in ways] == ["--plies", "--nodes"]
    for way in ways:
        flag, number = way.split()
        assert run(["export", trace, "--to", file, "--force", flag, number]) == 0
        assert "--fit" in complaint_after(capsys, "export", trace, "--to", file, "--force", flag, str(int(number) + 1))
    answer = json.loads(output(capsys, "export", trace, "--to", file, "--force", "--fit", "--json"))
    assert answer["limit"] == ways[0]
    assert 0 < answer["nodes"] < answer["searched"]


def complaint_after(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    return complaint(capsys, *arguments)


def test_what_fits_needs_no_limit(trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(Path(trace).with_name("tree.svg"))
    answer = json.loads(output(capsys, "export", trace, "--to", file, "--fit", "--json"))
    assert (answer["limit"], answer["nodes"]) == ("", answer["searched"])


def test_what_a_file_prints_is_no_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "five.py"
    file.write_text(GAME.format(name="Five"))
    assert run(["analyze", str(file), "--json", "--speed", "interpreted"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["value"] == 1
    assert "loaded\n" in err
    assert "asked\n" in err


def test_two_games_in_a_file_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "five.py"
    file.write_text(GAME.format(name="Five") + GAME.format(name="Six").partition("Game\n")[2])
    assert "has several games: Five, Six; keep one in each file" in complaint_of_the_end(capsys, str(file))


def complaint_of_the_end(capsys: pytest.CaptureFixture[str], game: str) -> str:
    assert run(["analyze", game]) == 2
    return capsys.readouterr().err.splitlines()[-1]


def test_watch_tells_events_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "watch", "[[3,12],[2,4]]", "--json").splitlines()
    assert [json.loads(line)["event"] for line in lines] == list(range(1, len(lines) + 1))
    assert [json.loads(line)["sentence"] for line in lines] == output(capsys, "watch", "[[3,12],[2,4]]").splitlines()
    assert "leave out --quiz" in complaint(capsys, "watch", "[[3,12],[2,4]]", "--json", "--quiz")


@pytest.mark.parametrize("command", [("compare", "[[3,12],[2,4]]"), ("graph", "nim(3, max_take=2)")])
def test_a_picture_replaces_no_file_unasked(
    command: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "picture.svg"
    file.write_text("mine")
    assert "--force" in complaint(capsys, *command, "--to", str(file))
    assert file.read_text() == "mine"
    assert run([*command, "--to", str(file), "--force"]) == 0
    assert "<svg" in file.read_text()


def test_a_pgn_names_its_game(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    for header, game in (
        ("", "chess"),
        ('[Variant "Standard"]\n', "chess"),
        ('[Variant "Atomic"]\n', "chess(variant=atomic)"),
        ('[Variant "King of the Hill"]\n', "chess(variant=kingofthehill)"),
        ('[Variant "Chess960"]\n', "chess(variant=chess960)"),
    ):
        file.write_text(f'[White "a"]\n{header}\n1. e4 *\n')
        found = saved_game(str(file))
        assert found is not None
        assert found[0] == game


@pytest.mark.parametrize(
    "wrong", [{"board": "green"}, {"sides": ()}, {"sides": ("#ff", "#00ff00")}, {"layout": "round"}, {"mark": ""}]
)
def test_colours_are_checked_where_they_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(GamesearchError, match="of a palette"):
        Palette(**wrong)  # type: ignore[arg-type]
