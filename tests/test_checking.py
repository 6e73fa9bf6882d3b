"""Error messages for common mistakes in a user's game."""

import time
from pathlib import Path

import pytest

from benchmarks.random_play import play_at_random
from gamesearch import optional
from gamesearch.api import perft, search, solve
from gamesearch.errors import GamesearchError
from gamesearch.game import REPETITION_DRAWS
from gamesearch.registry import load, specification_of
from gamesearch.toolkit import bits
from gamesearch.trace.recorder.tables import record_table
from gamesearch.user_code import checking

GAME = """
from typing import NamedTuple
from gamesearch import Game


class Position(NamedTuple):
    stones: int
    turn: int


class Take(Game):
    def initial(self):
        return Position(7, 0)

    def player(self, s):
        return s.turn

    def moves(self, s):
        for take in range(1, min(3, s.stones) + 1):
            yield take

    def result(self, s, take):
        return Position(s.stones - take, 1 - s.turn)

    def terminal(self, s):
        return s.stones == 0

    def utility(self, s):
        return 1 if s.turn == 1 else -1
"""


CHANCE = "return -1\n\n    chance = True\n\n    def outcomes(self, s):\n        yield "
PAYS = "return 1 if s.turn == 1 else -1"
MOVED = "return Position(s.stones - take, 1 - s.turn)"
TURN = "return s.turn"
FIELDS = "class Position(NamedTuple):\n    stones: int\n    turn: int\n"
PLAIN = """class Position:
    def __init__(self, stones, turn):
        self.stones, self.turn = stones, turn
"""
HASH = """
    def __hash__(self):
        return hash((self.stones, self.turn))
"""
EQUALITY = """
    def __eq__(self, other):
        return (self.stones, self.turn) == (other.stones, other.turn)
"""
NESTED = f"""{PLAIN.replace("Position", "Pile")}

class Position(NamedTuple):
    pile: Pile
    turn: int
    stones = property(lambda self: self.pile.stones)
"""
MUTABLE = f"import dataclasses\n\n@dataclasses.dataclass(unsafe_hash=True)\n{FIELDS.replace('(NamedTuple)', '')}"
IN_PLACE = "s.stones, s.turn = s.stones - take, 1 - s.turn\n        return s"
UNEQUAL = "that two positions of Take are equal, because objects of the class {} are equal only to themselves"


def rules(*changes: tuple[str, str]) -> str:
    """The rules of GAME with changes."""
    text = GAME
    for right, wrong in changes:
        assert right in text
        text = text.replace(right, wrong)
    return text


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("def moves", "def move", "no method `moves`: it defines `move`, which is probably a misspelling"),
        ("1 - s.turn", "s.turn + 1", "`player` of Take returned 2"),
        ("return s.stones == 0", "return False", "no move in the position 0,"),
        (PAYS, "return 4", "which is not between -1 and 1: set MINSCORE and MAXSCORE"),
        (PAYS, "return 0.5", "set win_or_loss = False"),
        (PAYS, "return s.turn == 1", "`utility` of Take returned (True|False) instead of a number"),
        ("yield take", "yield str(take)", "moves must be whole numbers"),
        ("yield take", "yield take\n            yield take", "`moves` of Take yields 1 more than once in"),
        (
            "min(3, s.stones) + 1",
            "__import__('random').randint(2, 9)",
            r"`moves` of Take yields \[1.* in the position .*, but \[1.* when it is called again: make each random",
        ),
        ("yield take", "pass\n        return None", "`moves` of Take returned None, which is not iterable"),
        ("yield take", "while True:\n                yield 1", "yields more than 65,536 moves for '7,0' .such as 1."),
        (MOVED, f"self.last = take\n        {MOVED}", "self.last of Take changes during a game"),
        (MOVED, "pass", "`result` of Take returned None"),
        (
            "        return Position(s.stones - take",
            "        import random\n        return Position(s.stones - random.randint(1, take)",
            "for the same move: make each random event a chance node",
        ),
        ("def terminal(self, s)", "terminal = False\n\n    def over(self, s)", "is False, but must be a method"),
        (TURN, CHANCE + "1", "`outcomes` of Take must yield pairs: write `yield outcome, probability`"),
        (TURN, CHANCE + "1, 0.7\n        yield 2, 0.7", "add up to 1.4 in the position 7,0, but must add up to 1"),
        (TURN, CHANCE + "1, 10**400", "in the position 7,0, but a probability must be between 0 and 1"),
        (TURN, CHANCE + "1, 'all'", "probability 'all' in the position 7,0, but a probability must be a number"),
        (
            "def result(self, s, take)",
            "def result(self, s)",
            r"has the parameters \(self, s\): write def result\(self, s",
        ),
        ("return Position(7, 0)", "Position(7, 0)", "returned None, perhaps because a `return` is missing"),
        ("return Position(7, 0)", "return [7, 0]", r"returned \[7, 0\], which is not hashable: make it a tuple"),
        ("min(3, s.stones) + 1", "4", "Take does not end: stones was 7 and is -[0-9]+ after 3,300 plies"),
        ("s.stones - take, 1", "s.stones, 1", "Take never ends: its moves reach only 2 positions"),
        ("s.stones - take, 1", "s.stones % 5 + take, 1", "Take never ends"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert right in GAME
    (tmp_path / "take.py").write_text(GAME.replace(right, wrong))
    with pytest.raises(GamesearchError, match=said):
        load(str(tmp_path / "take.py"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([(FIELDS, PLAIN)], UNEQUAL.format("Position")),
        ([(FIELDS, PLAIN + HASH)], UNEQUAL.format("Position")),
        ([(FIELDS, PLAIN + EQUALITY)], "not hashable: make it a tuple"),
        ([(FIELDS, PLAIN + EQUALITY + "\n    __hash__ = object.__hash__\n")], UNEQUAL.format("Position")),
        (
            [(FIELDS, NESTED), ("(7", "(Pile(7, 0)"), ("(s.stones - take", "(Pile(s.stones - take, 0)")],
            UNEQUAL.format("Pile"),
        ),
        ([(MOVED, "return Position(s.stones - take, float('nan'))")], "contains NaN"),
        ([(FIELDS, PLAIN), (MOVED, IN_PLACE)], "`result` of Take changes the state that it is given"),
        ([(FIELDS, MUTABLE), (MOVED, IN_PLACE)], "`result` of Take changes the state that it is given"),
        (
            [
                (FIELDS, NESTED),
                ("(7", "(Pile(7, 0)"),
                (MOVED, "s.pile.stones -= take\n        return Position(s.pile, 0)"),
            ],
            "`result` of Take changes the state that it is given",
        ),
    ],
)
def test_positions_that_python_cannot_compare_are_refused(
    tmp_path: Path, changes: list[tuple[str, str]], said: str
) -> None:
    (tmp_path / "take.py").write_text(rules(*changes))
    with pytest.raises(GamesearchError, match=said):
        load(str(tmp_path / "take.py"))


@pytest.mark.parametrize("fields", [PLAIN + EQUALITY + HASH, MUTABLE, f"import functools\n\n@functools.cache\n{PLAIN}"])
def test_positions_of_a_class_are_accepted_if_python_can_compare_them(tmp_path: Path, fields: str) -> None:
    (tmp_path / "take.py").write_text(rules((FIELDS, fields)))
    game = load(str(tmp_path / "take.py"))
    assert solve(game, game.initial()).value == 1


PARENTS = """
    def parents(self, s):
        for take in range(1, min(3, 7 - s.stones) + 1):
            yield Position(s.stones + take, 1 - s.turn)
"""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("", "", ""),
        ("range(1, min(3, 7 - s.stones) + 1)", "(2, 3)", "`parents` of Take leaves out .*, from which"),
        ("min(3, 7 - s.stones) + 1", "5", "`parents` of Take yields .* as a parent of .*, but no move"),
        ("1 - s.turn)", "s.turn)", "`parents` of Take leaves out"),
    ],
)
def test_moves_and_parents_must_agree(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    text = GAME.replace("import Game", "import Game\nfrom gamesearch.optional import ReversibleGame")
    text = text.replace("Take(Game)", "Take(ReversibleGame)") + PARENTS.replace(right, wrong)
    (tmp_path / "take.py").write_text(text)
    if not said:
        game = load(str(tmp_path / "take.py"))
        assert record_table(game, game.initial(), "retrograde").end["shown"] == "+1"
        return
    with pytest.raises(GamesearchError, match=said):
        load(str(tmp_path / "take.py"))


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (
            "def __init__(self, stones): pass",
            r"write .*take.py\(stones=...\), or give 'stones' a default value in `__init__` of Take",
        ),
        ("def __init__(): pass", r"write def __init__\(self\)"),
        ("def __init__(self): self.moves = 3", "self.moves of Take hides the method `moves`: rename"),
        ("def board(self): return None", r"\(take.py, line \d+\) has the parameters \(self\): write def board"),
        (
            "def grundy(self, size): return size % 4",
            "gamesearch.optional.ImpartialGame: derive the game",
        ),
        ("def moves_by_lot(self, s): return False", "`moves_by_lot`, which is now called `moves_at_random`"),
        ("def passed(self, s): return s", "defines `passed`, which is now called `make_null_move`"),
        ("def evaluate(self, s): return s.stones", "returned 7 in the position 7,0, but payoffs range from -1 to 1"),
        ("def evaluate(self, s): return '0'", "evaluate` of Take returned '0' instead of a number"),
        ("def features(self, s): return ('x',)", "feature 1 of Take is 'x', which is not a number"),
        ("def features(self, s): return 0.1", "features` of Take returned 0.1 instead of a tuple of numbers"),
        (
            "feature_names = 'a', 'b'\n    def features(self, s): return (0.1,)",
            r"\('a', 'b'\): make it a tuple of one string",
        ),
        ("feature_names = ('ab')\n    def features(self, s): return 0.1, 0.1", "'ab': make it a tuple of 2 strings"),
        ("def format(self, s): return s.stones", "`format` of Take returned 7, which is not a string"),
        ("def move_name(self, s, m): return 'take'", "returned 'take' for the moves 1 and 2 in the position 7,0: give"),
        ("def move_name(self, s, m): return 'aAb'[m - 1]", "returned 'A' for the moves 1 and 2 .*upper or lower case"),
        ("def board(self, s): 'o' * s.stones", r"`board` of Take returned None, not a gamesearch.Board: perhaps"),
        ("def board(self, s): return ['o']", r"`board` of Take returned \['o'\], not a gamesearch.Board: write"),
        ("def board(self, s): return gamesearch.Board([['o']])", r"contains 'o': write gamesearch.Cell\('o'\)"),
        ("def board(self, s): return gamesearch.Board([gamesearch.Cell('o')])", "rows are .*: write a list of lists"),
        (
            "def board(self, s): return gamesearch.Board([[gamesearch.Cell(7)]])",
            "a cell that contains 7 instead of a string",
        ),
        ("def board(self, s): return gamesearch.Board([[gamesearch.Cell(owner='A')]])", "whose owner is 'A': give"),
        ("def board(self, s): return gamesearch.Board(notes='7')", "notes='7': make it a list of strings"),
        ("def features(self, s): return (0.1,) * max(1, 8 - s.stones)", r"returned \d numbers in .*, but 1 in the"),
    ],
)
def test_a_wrong_method_is_named(tmp_path: Path, method: str, said: str) -> None:
    text = f"import gamesearch\n{GAME}\n    {method}\n"
    if "passed" in method:  # an old name of a method of this class
        text = text.replace("import Game", "import Game, optional").replace("(Game)", "(optional.SelectiveGame)")
    (tmp_path / "take.py").write_text(text)
    with pytest.raises(GamesearchError, match=said):
        load(str(tmp_path / "take.py"))


def test_moves_to_the_same_state_may_have_the_same_name(tmp_path: Path) -> None:
    """Two equal cards, for example, may have one name."""
    text = f"{GAME}\n    def result(self, s, m):\n        return s._replace(stones=s.stones - 1, turn=1 - s.turn)\n"
    (tmp_path / "take.py").write_text(f"{text}\n    def move_name(self, s, m):\n        return 'take'\n")
    assert load(str(tmp_path / "take.py")).parse("2,0") == (2, 0)


def test_a_slow_board_is_checked_in_few_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "TEXT_SECONDS", 0.0)
    (tmp_path / "take.py").write_text(
        f"import gamesearch\n{GAME}\n    def board(self, s):\n        assert s.stones == 7\n"
        "        return gamesearch.Board()\n"
    )
    assert load(str(tmp_path / "take.py"))


def test_a_list_of_weights_of_the_class_is_as_good_as_a_tuple(tmp_path: Path) -> None:
    own = tmp_path / "take.py"
    own.write_text(f"{GAME}\n    weights = [0.1]\n\n    def features(self, s):\n        return (s.stones,)\n")
    game = load(str(own))
    assert game.weights == (0.1,)
    assert specification_of(game) == str(own)  # the weights are not changed, so the specification does not contain them
    assert game.evaluate(game.initial()) == pytest.approx(0.7)
    given = load(f"{own}(weights=[2.5])")  # the form in which learned weights are passed to another process
    assert given.evaluate(given.initial()) > given.MAXSCORE  # only the weights of the file must fit the payoffs
    assert load(specification_of(given)) == given


def test_weights_that_are_no_tuple_are_refused_when_the_file_is_loaded(tmp_path: Path) -> None:
    features = "    def features(self, s):\n        return (s.stones / 100, s.turn / 100)\n"
    own, learned = tmp_path / "take.py", tmp_path / "learned.json"
    learned.write_text('{"gamesearch weights": 1, "game": "take.py"}')
    own.write_text(f"{GAME}\n    def __init__(self):\n        self.weights = [0.1, 0.1]\n\n{features}")
    for given in ("", "(weights=[1, 2])", f"(weights={learned})"):
        with pytest.raises(GamesearchError, match=r"is \[0.1, 0.1\]: make it a tuple of numbers"):
            load(f"{own}{given}")
    (tmp_path / "one.py").write_text(f"{GAME}\n    weights = (0.1,)\n\n{features}")
    with pytest.raises(GamesearchError, match="must be 2 numbers, one for each feature, not 1"):
        load(str(tmp_path / "one.py"))


def test_player_must_return_the_number_of_a_player(tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(GAME)
    game = load(str(tmp_path / "take.py"))
    assert game.parse("5,1") == (5, 1)
    with pytest.raises(GamesearchError, match="player 5 is to move, but there are only 2 players"):
        game.parse("5,5")


LAZY = (
    "    import functools\n\n    @functools.cached_property\n    def takes(self):\n        return (3,)\n\n    def moves"
)

OWNER = """    def board(self, s):
        return gamesearch.Board([[gamesearch.Cell(owner=numpy.int64(s.turn))]])"""
READ = """    def move_name(self, s, m): return "aAb"[m - 1]
    def parse_move(self, s, text): return "aAb".index(text) + 1"""


@pytest.mark.parametrize(
    "changes",
    [
        {"Position(7, 0)": "Position(5_000, 0)"},
        {"s.stones - take": "s.stones + take"},  # too many positions to check
        {"s.stones - take": "(s.stones if take < 3 else 0)"},  # the game ends only if a player chooses to end it
        {"s.stones - take": "s.stones", "def initial": "repetition = 1\n\n    def initial"},
        {"turn: int": "turn: int\n    x: int = 0", "(7, 0)": "(2_000, 0, 0)", "1 - s.turn)": "1 - s.turn, s.x - 1)"},
        {"1 if s.turn == 1": "3 if s.turn == 1", "class Take(Game):": "class Take(Game):\n    MAXSCORE = 3\n"},
        {"    def moves": LAZY, "        for take": "        assert self.takes\n        for take"},
        {"    def moves": f"{OWNER}\n\n    def moves"},
        {"    def moves": f"{READ}\n\n    def moves"},
        {"    def moves": "    def passed(self, s): return s\n\n    def moves"},  # an old name in another class
    ],
)
def test_rules_are_accepted_if_their_games_can_end(tmp_path: Path, changes: dict[str, str]) -> None:
    rules = f"import gamesearch, numpy\n{GAME}"
    for right, changed in changes.items():
        assert right in rules
        rules = rules.replace(right, changed)
    (tmp_path / "take.py").write_text(rules)
    load(str(tmp_path / "take.py"))


@pytest.mark.parametrize("old", ["recurrence = 1", "def __init__(self): self.recurrence = 1"])
def test_recurrence_is_the_old_name_of_repetition(tmp_path: Path, old: str) -> None:
    (tmp_path / "take.py").write_text(GAME.replace("def initial", f"{old}\n\n    def initial"))
    with pytest.warns(FutureWarning, match="Take: recurrence is now called repetition"):
        game = load(str(tmp_path / "take.py"))
    assert game.repetition == game.recurrence == REPETITION_DRAWS


def test_files_that_use_old_methods_work(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(
        "from gamesearch.game import split_moves\nfrom gamesearch.games.counting.nim import Nim\n\n\nclass Old(Nim):\n"
        "    def parse(self, text):\n        return self.play_moves(' '.join(split_moves(text)))[-1]\n\n"
        "    def value_words(self, s, value):\n        return self.player_name(0)\n"
    )
    game = load(str(tmp_path / "old.py"))
    first = game.move_name(game.initial(), game.steps(game.initial())[0])
    assert game.parse(f"1. {first}") == game.result(game.initial(), game.steps(game.initial())[0])
    assert game.value_words(game.initial(), 1) == "Max"


def test_games_that_are_too_long_for_a_method_are_refused(tmp_path: Path) -> None:
    rules = GAME.replace("Position(7, 0)", "Position(9_000, 0)").replace("min(3, s.stones) + 1", "4")
    (tmp_path / "take.py").write_text(rules)
    game = load(str(tmp_path / "take.py"))
    for method, said in (("auto", "10,000 plies .*use the method retrograde"), ("search", "too long for the search")):
        with pytest.raises(GamesearchError, match=said):
            solve(game, game.initial(), method, speed="interpreted")


def test_an_estimate_is_for_each_of_three_players(tmp_path: Path) -> None:
    three = GAME.replace("1 - s.turn", "(s.turn + 1) % 3").replace("1 if s.turn == 1 else -1", "(1, 0, 0)")
    three = three.replace("    def initial", "    players = 3\n    names = ('A', 'B', 'C')\n\n    def initial")
    (tmp_path / "none.py").write_text(three)
    with pytest.raises(GamesearchError, match=r"evaluate` of Take returned 0\.0 instead of a tuple of 3 numbers"):
        load(str(tmp_path / "none.py"))
    (tmp_path / "take.py").write_text(three + "\n    def evaluate(self, s):\n        return (0, 0, 0)\n")
    game = load(str(tmp_path / "take.py"))
    for algorithm in ("maxn(depth=2)", "paranoid(depth=2)"):
        assert search(game, game.initial(), algorithm, speed="interpreted").best in (1, 2, 3)


def test_rules_that_do_not_answer_are_stopped_with_their_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "ANSWER_SECONDS", 0.2)
    (tmp_path / "take.py").write_text(GAME.replace("yield take", "while True:\n                pass"))
    with pytest.raises(GamesearchError, match=r"moves of Take \(take.py, line 2\d\) has not returned after 0.2 s"):
        load(str(tmp_path / "take.py"))
    (tmp_path / "slow.py").write_text(
        GAME.replace("        return s.turn", "        time.sleep(0.004)\n        return s.turn").replace(
            "from typing", "import time\nfrom typing", 1
        )
    )
    monkeypatch.setattr(checking, "ANSWER_SECONDS", 0.4)  # the limit is for one call, not for all calls
    began = time.monotonic()
    assert load(str(tmp_path / "slow.py")).initial() == (7, 0)
    assert time.monotonic() - began > 0.4


ENDLESS_DEEP = GAME.replace("Position(7, 0)", "Position(900, 0)").replace(
    "        for take in", "        while s.stones == 2:\n            yield 1\n        for take in"
)


def test_endless_moves_are_reported_immediately(tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(ENDLESS_DEEP)
    game = load(str(tmp_path / "take.py"))
    s = game.parse("5,0")
    said = "`moves` of Take yields more than 65,536"
    for method in ("auto", "retrograde", "search"):
        with pytest.raises(GamesearchError, match=said):
            solve(game, s, method, speed="interpreted")
    with pytest.raises(GamesearchError, match=said):
        perft(game, s, 4, speed="interpreted")
    with pytest.raises(GamesearchError, match="moves has no end"):
        play_at_random(game, s, 1_000, speed="interpreted")
    for ask in (lambda: game.steps(game.parse("2,0")), lambda: game.parse_move(game.parse("2,0"), "7")):
        with pytest.raises(GamesearchError, match="for '2,0'"):
            ask()


def test_old_names_work_with_a_notice() -> None:
    with pytest.warns(FutureWarning, match="Patterned is now called PatternGame"):
        assert optional.Patterned is optional.PatternGame
    with pytest.warns(FutureWarning, match="replaced is now called replace_item"):
        assert bits.replaced is bits.replace_item
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = optional.Nothing
