"""`evaluation=./mine.py` replaces a game's evaluation by a user's function, at both speeds and in all processes."""

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Cli

import gamesearch
from gamesearch.compiler.identity import digest_of
from gamesearch.errors import GamesearchError
from gamesearch.files.records import read_record
from gamesearch.optional import SelectiveGame

CONSTANT = "def evaluate(game, s):\n    return 0.25\n"
MOBILITY = """
from gamesearch import MAX

WEIGHT = 0.01

def count(game, s):
    n = 0
    for _ in game.moves(s):
        n += 1
    return n

def evaluate(game, s):
    return WEIGHT * (count(game, s) if game.player(s) == MAX else -count(game, s))
"""
Write = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path) -> Write:
    """A function that writes an evaluation to a file and returns the path."""

    def write(source: str, name: str = "mine.py") -> str:
        (tmp_path / name).write_text(source)
        return str(tmp_path / name)

    return write


def value(game: str, speed: str = "interpreted", depth: int = 2) -> float:
    loaded = gamesearch.load(game)
    found = gamesearch.search(loaded, loaded.initial(), f"minimax(depth={depth})", speed=speed).value
    assert isinstance(found, float)
    return found


def test_both_speeds_use_an_evaluation_in_a_file(file: Write) -> None:
    game = f"tictactoe(evaluation={file(MOBILITY)})"
    assert value(game, depth=1) == value(game, "compiled", depth=1) == -0.08
    assert value("tictactoe", depth=1) != -0.08


@pytest.mark.parametrize("name", ["connect4(rows=5)", "nim", "pig", "chess(atomic)", "OWN"])
def test_every_game_accepts_an_evaluation_in_a_file(file: Write, name: str) -> None:
    if name == "OWN":
        source = Path(gamesearch.__file__).with_name("games") / "counting" / "nim.py"
        name = file(source.read_text(), "mynim.py")
    text = name[:-1] + ", " if "(" in name else name + "("
    game = gamesearch.load(f"{text}evaluation={file(CONSTANT)})")
    assert game.evaluate(game.initial()) == 0.25
    assert game.moves.__func__ is gamesearch.load(name).moves.__func__  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize("name", ["othello", "checkers", "kalah", "chess"])
def test_declarations_about_an_evaluation_apply_only_to_this_evaluation(file: Write, name: str) -> None:
    own = gamesearch.load(name)
    assert isinstance(own, SelectiveGame)
    others = [gamesearch.load(f"{name}(evaluation={file(CONSTANT)})")]
    if name == "othello":
        assert own.predictions()
        others.append(gamesearch.load("othello(weights=learned)"))
    s = own.initial()
    (m, *_) = own.steps(s)
    widest = own.MAXSCORE - own.MINSCORE
    assert own.most_gain(s, m) < widest
    for other in others:
        assert isinstance(other, SelectiveGame)
        assert other.most_gain(s, m) == widest
        assert other.predictions() == getattr(other, "learned_predictions", ())


def test_the_evaluation_file_is_part_of_the_specification_and_of_a_pickle(file: Write) -> None:
    path = file(CONSTANT)
    game = gamesearch.load(f"connect4(rows=5, evaluation={path})")
    text = gamesearch.specification_of(game)
    assert text == f"connect4(rows=5, columns=7, connect=4, evaluation={path})"
    assert gamesearch.load(text) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != gamesearch.load("connect4(rows=5)")
    start, moves = read_record(game, game.record(game.initial(), [3, 3], {}))
    assert (start, moves) == (game.initial(), [3, 3])


def test_the_code_of_an_evaluation_file_is_part_of_the_identity(file: Write) -> None:
    texts = (CONSTANT, MOBILITY, MOBILITY.replace("0.01", "0.02"), MOBILITY.replace("n += 1", "n += 2"))
    digests = [digest_of(gamesearch.load(f"tictactoe(evaluation={file(text)})")) for text in texts]
    assert len({*digests, digest_of(gamesearch.load("tictactoe"))}) == 5
    again = [digest_of(gamesearch.load(f"tictactoe(evaluation={file(text)})")) for text in texts]
    assert again == digests


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1", "has no function: define `evaluate"),
        ("def a(game, s): return 0\ndef b(game, s): return 0", "has a, b: rename one to `evaluate"),
        ("def evaluate(s): return 0", r"evaluate \(mine.py, line 1\) has the parameters \(s\): write def evaluate\("),
        ("def evaluate(game, s): return 100", "but payoffs range from -1 to 1"),
        ("def evaluate(game, s): pass", "perhaps a `return` is missing"),
        (
            "def evaluate(game, s):\n    return 1 / 0",
            r"ZeroDivisionError in mine\.py, line 2: .*, in the state Position",
        ),
        ("def evaluate(", "SyntaxError"),
    ],
)
def test_files_without_an_evaluation_are_refused(file: Write, source: str, message: str) -> None:
    with pytest.raises(GamesearchError, match=message):
        gamesearch.load(f"tictactoe(evaluation={file(source)})")


def test_an_evaluation_replaces_features_and_weights(file: Write, cli: Cli) -> None:
    game = f"othello(evaluation={file(CONSTANT)})"
    text = cli.output("analyze", game, "--depth", "1", "--explain", "--json")
    assert "mine.py" in text
    assert "mobility" not in text
    assert "leave out `weights`" in cli.refusal("analyze", f"{game[:-1]}, weights=[1])")
    assert "did you mean evaluation" in cli.refusal("analyze", "othello(evalution=./mine.py)")
