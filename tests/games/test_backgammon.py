import random
from collections.abc import Mapping
from contextlib import suppress
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import Watcher, playout

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.games.chance.backgammon.position import Position, count, write_id
from gamesearch.games.chance.backgammon.rules import Backgammon
from gamesearch.games.chance.backgammon.without_cube import ROLLS
from gamesearch.registry import load, specification_of

Men = list[int]
OFF, BAR = 0, 25
GAME = Backgammon()


# A simple recursive generator of plays, on lists. ------------------------------------------------
def step(mine: Men, theirs: Men, start: int, die: int) -> tuple[Men, Men] | None:
    """Return the checkers of both sides after one die is used, or None if this is illegal."""
    end = start - die
    if not mine[start] or (mine[BAR] and start != BAR):
        return None
    if end <= 0:
        if any(mine[7:]) or (end < 0 and any(mine[start + 1 :])):
            return None
        end = OFF
    elif theirs[25 - end] > 1:
        return None
    mine, theirs = list(mine), list(theirs)
    mine[start] -= 1
    mine[end] += 1
    if end != OFF and theirs[25 - end] == 1:
        theirs[25 - end] = 0
        theirs[BAR] += 1
    return mine, theirs


def sequences(mine: Men, theirs: Men, dice: list[int]) -> list[tuple[list[int], Men, Men]]:
    """Return each way to use the dice in the given order, until a die cannot be used. A way is the list of the used
    dice and the checkers after it."""
    found: list[tuple[list[int], Men, Men]] = []
    for start in range(1, 26):
        after = step(mine, theirs, start, dice[0]) if dice else None
        if after is not None:
            found += [([dice[0], *used], ours, others) for used, ours, others in sequences(*after, dice[1:])]
    return found or [([], mine, theirs)]


def plays(mine: Men, theirs: Men, roll: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the positions after all legal plays."""
    larger, smaller = divmod(roll, 10)
    orders = [[larger] * 4] if larger == smaller else [[larger, smaller], [smaller, larger]]
    found = [each for dice in orders for each in sequences(mine, theirs, dice)]
    most = max((len(used), max(used) if len(used) == 1 else 0) for used, *_ in found)
    return {
        (tuple(mine), tuple(theirs))
        for used, mine, theirs in found
        if (len(used), max(used) if len(used) == 1 else 0) == most
    }


def pieces_of_kind(board: int) -> Men:
    return [count(board, place) for place in range(26)]


def board_of(men: Men) -> int:
    return sum(number << 4 * place for place, number in enumerate(men))


def check_plays(s: Position) -> None:
    moves = list(GAME.moves(s))
    after = [GAME.result(s, m) for m in moves]
    assert {(tuple(pieces_of_kind(t.theirs)), tuple(pieces_of_kind(t.mine))) for t in after} == plays(
        pieces_of_kind(s.mine), pieces_of_kind(s.theirs), s.roll
    )
    assert len(set(after)) == len(set(moves)) == len(moves)


def random_position(source: random.Random) -> Position:
    """Return random checkers on a few points, with many blots, and with some checkers on the bar or borne off."""
    boards = []
    for _ in range(2):
        men = [0] * 26
        furthest = source.choice([3, 6, 6, 8, 14, 24, 25, 25])
        places = [source.randint(1, furthest) for _ in range(source.choice([2, 4, 7, 15]))]
        places += [OFF] * source.choice([0, 0, 0, 3, 20])
        for _ in range(15):
            men[source.choice(places)] += 1
        boards.append(men)
    mine, theirs = boards
    for point in range(1, 25):
        if mine[point] and theirs[25 - point]:
            loser = source.choice([(mine, point), (theirs, 25 - point)])
            loser[0][OFF] += loser[0][loser[1]]
            loser[0][loser[1]] = 0
    s = Position(board_of(mine), board_of(theirs), source.randrange(2), source.choice(ROLLS))
    return s if mine[OFF] < 15 and theirs[OFF] < 15 else random_position(source)


def test_plays_of_random_positions() -> None:
    source = random.Random(0)
    for _ in range(800):
        s = random_position(source)
        assert GAME.consistent(s)
        check_plays(s)


def test_plays_in_random_games() -> None:
    for seed in range(2):
        for s in playout(GAME, seed):
            assert GAME.consistent(s)
            if s.roll > 0:
                check_plays(s)


# Special rules, each in a small position. --------------------------------------------------------
def position(mine: Mapping[int, int], theirs: Mapping[int, int], roll: int = 0) -> Position:
    """Return the position with the given checkers; each side numbers the points from its own view."""
    boards = []
    for men in (mine, theirs):
        numbers = [men.get(place, 0) for place in range(26)]
        numbers[OFF] = 15 - sum(numbers[1:])
        boards.append(board_of(numbers))
    return Position(boards[0], boards[1], MAX, roll)


def names(s: Position) -> list[str]:
    return sorted(GAME.move_name(s, m) for m in GAME.moves(s))


HOME = range(1, 7)
AWAY = {1: 2}
"""Two checkers of the opponent at a place where they block no move."""


def test_the_first_roll_is_never_a_double_and_decides_the_first_player() -> None:
    s = GAME.initial()
    assert GAME.player(s) == CHANCE
    outcomes = dict(GAME.outcomes(s))
    assert sum(outcomes.values()) == pytest.approx(1)
    after = {roll: GAME.result(s, roll) for roll in outcomes}
    for white, black in permutations(range(1, 7), 2):
        t = after.pop(10 * white + black)
        expected = GAME.parse(f"opening {'max' if white > black else 'min'} {max(white, black)}{min(white, black)}")
        assert t == expected
    assert not after
    assert GAME.outcome_text(s, 26) == "White rolls 2, Black rolls 6: Black begins"
    assert GAME.outcome_text(GAME.parse("min"), 63) == "Black rolls 6-3"


def test_the_dice() -> None:
    s = GAME.parse("max")
    assert GAME.player(s) == CHANCE
    rolls = {(a, b): 10 * max(a, b) + min(a, b) for a, b in product(range(1, 7), repeat=2)}
    outcomes = dict(GAME.outcomes(s))
    assert len(outcomes) == 21
    for roll, probability in outcomes.items():
        assert probability == pytest.approx(list(rolls.values()).count(roll) / 36)
        assert GAME.player(GAME.result(s, roll)) == MAX


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        pytest.param({1: 14}, 1, id="a loser who has borne off a checker loses 1"),
        pytest.param({1: 15}, 2, id="a gammon"),
        pytest.param({18: 15}, 2, id="a gammon from just outside"),
        pytest.param({1: 14, 19: 1}, 3, id="a backgammon in the winner's home"),
        pytest.param({6: 14, 25: 1}, 3, id="a backgammon on the bar"),
    ],
)
def test_payoffs(loser: dict[int, int], points: int) -> None:
    for turn in (MAX, MIN):
        before = position({1: 1}, loser, 21)._replace(turn=turn)
        after = GAME.result(before, GAME.parse_move(before, "1/off"))
        assert GAME.terminal(after)
        assert not GAME.terminal(before)
        assert GAME.utility(after) == (points if turn == MAX else -points)
        lower, upper = GAME.bounds(before)
        assert lower <= GAME.utility(after) <= upper


# Notation. ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "mine", "theirs"),
    [
        ("4HPwATDgc/ABMA", {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}),
        ("sOfgEwDg8+AIBg", {6: 5, 8: 4, 13: 3, 16: 1, 21: 2}, {5: 2, 6: 4, 8: 3, 13: 5, 15: 1}),
        ("/z4AADBsuxsEAA", {3: 2, 4: 2, 5: 2, 6: 3, 7: 3, 8: 2, 13: 1}, {1: 8, 2: 5, 24: 2}),
    ],
)
def test_position_ids_that_gnu_backgammon_printed(text: str, mine: dict[int, int], theirs: dict[int, int]) -> None:
    s = GAME.parse(text)
    assert {place: men for place, men in enumerate(pieces_of_kind(s.mine)) if men and place} == mine
    assert {place: men for place, men in enumerate(pieces_of_kind(s.theirs)) if men and place} == theirs
    assert GAME.format(s) == text + " max"


@pytest.mark.parametrize(
    ("mine", "theirs", "rest", "sentence"),
    [
        ({6: 1}, {19: 1}, "max", "both sides have checkers on the mover's 6 point"),
        ({}, {19: 1}, "max", "White has won but is to move"),
        ({6: 1}, {}, "min 31", "Black has a roll although the game is over"),
        (dict.fromkeys(HOME, 2) | {25: 1}, dict.fromkeys(HOME, 2) | {25: 1}, "max", "neither can enter"),
    ],
)
def test_positions_that_no_play_reaches_are_refused(
    mine: dict[int, int], theirs: dict[int, int], rest: str, sentence: str
) -> None:
    s = position(mine, theirs)
    with pytest.raises(GamesearchError, match=sentence):
        GAME.parse(f"{write_id(s.mine, s.theirs)} {rest}")


def test_hits_and_the_bar_in_plays() -> None:
    s = position({25: 1, 6: 1}, {5: 1, 21: 1, 22: 2}, 52)
    assert names(s) == ["bar/18", "bar/20* 6/4*", "bar/20*/18", "bar/23 6/1"]
    for text in ("bar/20* 6/4*", "25/20 6/4", "BAR/20 6/4*"):
        assert GAME.move_name(s, GAME.parse_move(s, text)) == "bar/20* 6/4*"
    s = position({13: 1}, {14: 1}, 32)
    for text, name in (("13/8", "13/8"), ("13/10/8", "13/8"), ("13/11/8", "13/11*/8"), ("13/11* 11/8", "13/11*/8")):
        assert GAME.move_name(s, GAME.parse_move(s, text)) == name
    s = position({13: 1}, {14: 1, 15: 2}, 32)
    assert GAME.move_name(s, GAME.parse_move(s, "13/8")) == "13/11*/8"
    s = position({3: 2}, AWAY, 33)
    for text in ("3/off(2)", "3/off 3/off", "3/0(2)"):
        assert GAME.move_name(s, GAME.parse_move(s, text)) == "3/off(2)"


def test_a_pass_is_written_as_pass() -> None:
    s = position({25: 1, 13: 5}, dict.fromkeys(HOME, 2), 61)
    assert [GAME.parse_move(s, text) for text in ("pass", " PASS ")] == [0, 0]
    with pytest.raises(GamesearchError, match="no checker can move by 61, so pass"):
        GAME.parse_move(s, "13/7")


def test_an_ambiguous_play_is_refused() -> None:
    with pytest.raises(GamesearchError, match=r"'13/8' may mean 13/1[01]\*/8 or 13/1[01]\*/8"):
        GAME.parse_move(position({13: 1}, {14: 1, 15: 1}, 32), "13/8")


@settings(max_examples=15)
@given(st.from_regex(r"[A-Za-z0-9+/]{14}( (max|min))?( [1-6]{2})?", fullmatch=True))
def test_positions_that_can_be_read_are_sound(text: str) -> None:
    with suppress(GamesearchError):
        s = GAME.parse(text)
        assert GAME.consistent(s)
        assert GAME.parse(GAME.format(s)) == s


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("player", [MAX, MIN])
def test_points_have_the_numbers_in_which_the_player_to_move_writes(player: int, is_turned: bool) -> None:
    """A play such as 24/22 begins in the column with the label 24, in which the player has a checker."""
    s = GAME.parse(f"4HPwATDgc/ABMA {'max' if player == MAX else 'min'} 21")
    board = GAME.board(s).flip() if is_turned else GAME.board(s)
    halves = ((board.top_labels, board.rows[0]), (board.column_labels, board.rows[-1]))
    occupied = {label for names, row in halves for label, cell in zip(names, row, strict=True) if cell.owner == player}
    assert occupied == {"6", "8", "13", "24"}
    starts = {GAME.move_name(s, m).partition("/")[0] for m in GAME.moves(s)}
    assert starts <= occupied


# Evaluation and search. --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("roll", "play"), [(31, "8/5 6/5"), (42, "8/4 6/4"), (61, "13/7 8/7"), (53, "8/3 6/3"), (65, "24/13")]
)
def test_first_moves_as_in_the_books(roll: int, play: str) -> None:
    s = GAME.parse(f"max {roll}")
    found = search(GAME, s, "expectiminimax(depth=1)", speed="interpreted")
    assert found.best is not None
    assert GAME.move_name(s, found.best) == play


def test_shots_are_counted_as_in_the_books() -> None:
    for distance in range(1, 13):
        hits = 0
        for roll, probability in GAME.outcomes(GAME.parse("max")):
            s = position({20: 1}, {5 + distance: 1}, roll)
            if any("*" in name for name in names(s)):
                hits += round(36 * probability)
        assert GAME.shots[distance] == hits


@pytest.mark.parametrize(
    ("text", "limit", "depths"),
    [("max 31", 1, [1]), ("max 31", 2, [1]), ("max 31", 3, [1, 3]), ("max", 1, [1]), ("max", 2, [2]), ("max", 3, [2])],
)
def test_deepening_leaves_out_depths_that_end_at_a_roll(text: str, limit: int, depths: list[int]) -> None:
    watcher = Watcher()
    algorithm = f"expectiminimax(depth={limit}, deepen=true, pruning=star2, order=game)"
    found = search(GAME, GAME.parse(text), algorithm, observer=watcher)
    assert watcher.iterations == depths
    assert found.statistics.depth == depths[-1]


# Evaluation features that lectures use. ------------------------------------------------------------
def test_counts_agree_with_lists_of_checkers() -> None:
    game = load("backgammon(features=counts)")
    assert game.parameters() == {"features": "counts"}
    assert load(specification_of(game)) == game
    for seed in range(2):
        for s in playout(game, seed):
            lists = [[count(board, place) for place in range(BAR + 1)] for board in (s.mine, s.theirs)]
            mine, theirs = (
                (
                    sum(men[place] == 1 for place in range(1, 25)), men[BAR], sum(men[1:7]), sum(men[7:13]),
                    sum(men[13:19]), sum(men[19:25]), men[OFF], sum(place * number for place, number in enumerate(men)),
                )
                for men in lists
            )  # fmt: skip
            sign = 1 if s.turn == MAX else -1
            assert game.features(s) == (*(sign * (one - other) for one, other in zip(mine, theirs, strict=True)), sign)
            assert len(game.features(s)) == len(game.feature_names) == len(game.weights)
            lower, upper = game.bounds(s) if not game.terminal(s) else (game.MINSCORE, game.MAXSCORE)
            assert lower <= game.evaluate(s) <= upper
