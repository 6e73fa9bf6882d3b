import random
from itertools import product

import pytest

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, MAX, MIN, REPETITION_DRAWS
from gamesearch.games.capturing.go.position import NOWHERE, Position
from gamesearch.games.capturing.go.rules import Go
from gamesearch.solvers.solving import solve
from gamesearch.toolkit.bits import popcount

Grid = dict[tuple[int, int], str]
"""For each row and column, counted from the top left, the mark of the point: a stone, or empty."""


# A second implementation of the rules, on grids. --------------------------------------------------
def grid_of(game: Go, s: Position) -> Grid:
    rows = game.format(s).split()[0].split("/")
    return {(i, j): mark for i, row in enumerate(rows) for j, mark in enumerate(row)}


def around(grid: Grid, point: tuple[int, int]) -> list[tuple[int, int]]:
    i, j = point
    return [each for each in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)) if each in grid]


def region(grid: Grid, point: tuple[int, int]) -> tuple[set[tuple[int, int]], set[str]]:
    """Return the points connected to a point by the same mark, and the other marks next to them."""
    inside, touched, waiting = {point}, set(), [point]
    while waiting:
        for each in around(grid, waiting.pop()):
            if grid[each] != grid[point]:
                touched.add(grid[each])
            elif each not in inside:
                inside.add(each)
                waiting.append(each)
    return inside, touched


def put(grid: Grid, point: tuple[int, int], mark: str) -> Grid:
    """Place a stone, remove the opponent's chains without liberties, then those of the player; return the new grid."""
    after = grid | {point: mark}
    for near in (*around(grid, point), point):
        inside, touched = region(after, near)
        if after[near] != "." and "." not in touched and (near == point or after[near] != mark):
            after |= dict.fromkeys(inside, ".")
    return after


def legal(grid: Grid, mark: str, suicide: bool) -> set[tuple[int, int]]:
    """Return the points on which a stone may be placed, ignoring superko."""
    found = set()
    for point in grid:
        if "." in [grid[near] for near in around(grid, point)] and grid[point] == ".":
            found.add(point)
        elif grid[point] == ".":
            after = put(grid, point, mark)
            if after[point] == mark or (suicide and after != grid):
                found.add(point)
    return found


def area(grid: Grid) -> int:
    """Return Black's area minus White's: stones, and empty points that reach only one color (by Tromp and Taylor)."""
    score = 0
    for point, mark in grid.items():
        reached = {mark} if mark != "." else region(grid, point)[1]
        score += (reached == {"X"}) - (reached == {"O"})
    return score


def coordinates(game: Go, m: int) -> tuple[int, int]:
    return game.size - 1 - m // game.width, m % game.width


def play(game: Go, text: str, *names: str) -> Position:
    s = game.parse(text)
    for name in names:
        s = game.result(s, game.parse_move(s, name))
    return s


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(("size", "games"), [(2, 5), (3, 4), (5, 2), (9, 1)])
def test_rules_agree_with_a_grid(size: int, games: int, suicide: bool) -> None:
    game = Go(size, komi=0, suicide=suicide)
    for seed in range(games):
        source, s = random.Random(seed), game.initial()
        for _ in range(min(3 * size * size, 90)):
            grid, mark = grid_of(game, s), "XO"[game.player(s)]
            moves = list(game.moves(s))
            assert moves[-1] == game.pass_move
            assert {coordinates(game, m) for m in moves[:-1]} == legal(grid, mark, suicide)
            assert game.utility(s) == area(grid)
            assert game.consistent(s)
            m = source.choice(moves[:-1] or moves)
            s = game.result(s, m)
            if m != game.pass_move:
                assert grid_of(game, s) == put(grid, coordinates(game, m), mark)


@pytest.mark.parametrize(("size", "count"), [(2, 57), (3, 12_675)])
def test_number_of_legal_arrangements_is_tromps(size: int, count: int) -> None:
    # OEIS A094777.
    game = Go(size)
    sound = 0
    for marks in product(".XO", repeat=size * size):
        black, white = (
            sum(1 << i // size * game.width + i % size for i, mark in enumerate(marks) if mark == side) for side in "XO"
        )
        sound += game.consistent(Position(black, white, MAX, 0, -1, -1))
    assert sound == count


# Each rule separately. ---------------------------------------------------------------------------
def test_two_passes_end_the_game_and_a_stone_between_them_does_not() -> None:
    game = Go(2)
    s = play(game, "../.. X", "pass")
    assert (game.player(s), game.terminal(s)) == (MIN, False)
    assert not game.terminal(play(game, "../.. X", "pass", "A1", "pass"))
    assert game.terminal(play(game, "../.. X", "pass", "pass"))
    assert game.terminal(game.parse("../.. X pass pass"))


# Repetition. -------------------------------------------------------------------------------------
KO = ".XO./X.XO/.XO./.... O"
"""White captures a stone at C3 by playing B3."""


def test_superko_compares_only_the_stones() -> None:
    game = Go(4)
    assert game.repetition == FORBIDDEN
    s = game.parse(KO)
    taken = game.result(s, game.parse_move(s, "B3"))
    retaken = game.result(taken, game.parse_move(taken, "C3"))
    assert game.arrangement(retaken) == game.arrangement(s) != game.arrangement(taken)
    passed = game.result(taken, game.pass_move)
    assert game.arrangement(passed) == game.arrangement(taken)
    assert game.key(passed) != game.key(taken)


def test_without_superko_a_ko_may_not_be_retaken_immediately() -> None:
    game = Go(4, superko=False)
    assert game.repetition == REPETITION_DRAWS
    taken = play(game, KO, "B3")
    assert game.format(taken) == ".XO./XO.O/.XO./.... X ko C3"
    with pytest.raises(GamesearchError, match="'C3' would retake a stone immediately, which ko forbids"):
        game.parse_move(taken, "C3")
    later = play(game, game.format(taken), "A1", "D1")
    assert game.format(play(game, game.format(later), "C3")) == ".XO./X.XO/.XO./X..O O ko B3"


def test_no_ko_after_other_captures() -> None:
    game = Go(4, superko=False)
    for text, name in (
        (".XO./XX.O/.XO./.... X", "C3"),  # captures no stone
        (".XO./X.XO/.O.O/.... O", "B3"),  # no capture here
        ("OO../XX../..../.... X", "C4"),  # captures two stones
        ("OX../.X../X.../.... X", "A3"),  # is connected to other stones
        ("OX../..../..../.... X", "A3"),  # has a liberty
    ):
        assert "ko" not in game.format(play(game, text, name))


# Search. -----------------------------------------------------------------------------------------
def test_a_player_who_can_end_the_game_gets_the_current_score() -> None:
    game, source = Go(4, komi=0.5), random.Random(4)
    for _ in range(5):
        s = game.initial()
        for _ in range(40):
            passed = game.result(s, game.pass_move)
            if game.terminal(passed):
                assert game.utility(passed) in game.bounds(s)
                break
            if not game.certain_points(s.black, s.white) and not game.certain_points(s.white, s.black):
                assert game.bounds(s) == (-16.5, 15.5)
            s = game.result(s, source.choice(list(game.moves(s))))


@pytest.mark.parametrize("bounds", [False, True])
def test_without_superko_a_pass_brings_no_position_back(bounds: bool) -> None:
    game = Go(2, superko=False)
    for text, value in (("X./.X O", 4), ("X./.X X", 4), ("O./.O X", -4), (".X/X. O pass", 4), ("../.. X", 0)):
        s = game.parse(text)
        algorithm = f"alphabeta(depth=8, table=true, bounds={str(bounds).lower()})"
        assert search(game, s, algorithm, speed="interpreted").value == value
        assert solve(game, s, method="retrograde", speed="interpreted").value == value
        assert game.arrangement(game.result(s, game.pass_move)) != game.arrangement(s)


# Notation. ---------------------------------------------------------------------------------------
def test_the_default_komi_is_shown_with_the_board() -> None:
    assert [Go(size).komi for size in (2, 5, 8, 9, 13, 19)] == [0, 0, 0, 7.5, 7.5, 7.5]
    assert Go(9, komi=0).komi == 0
    assert "komi: 7.5 points for White" in Go(9).board(Go(9).initial()).notes
    assert Go(9).setup("../..")[0] == Go(2)
    assert Go(9, komi=1.5).setup("../..")[0] == Go(2, komi=1.5)


# Unconditional life: White cannot capture the stones even if Black always passes. ----------------------
def safe_stones(game: Go, black: int, white: int) -> int:
    """Return the stones of Black that White cannot capture even if Black always passes."""
    left, seen, waiting = int(black), {(int(black), int(white))}, [(black, white)]
    while waiting:
        s = Position(*waiting.pop(), MIN, 0, NOWHERE, NOWHERE)
        for move in game.moves(s):
            after = game.result(s, move)
            if (int(after.black), int(after.white)) not in seen:
                seen.add((int(after.black), int(after.white)))
                waiting.append((after.black, after.white))
                left &= int(after.black)
    return left


def random_board(game: Go, source: random.Random, empty: int, black: float) -> Position | None:
    """Return a random board; each stone is black with probability `black`. Return None if a chain has no liberty."""
    places = [row * game.width + column for row in range(game.size) for column in range(game.size)]
    stones = source.sample(places, len(places) - empty)
    blacks = sum(1 << place for place in stones if source.random() < black)
    s = Position(blacks, sum(1 << place for place in stones) & ~blacks, MAX, 0, NOWHERE, NOWHERE)
    return s if game.consistent(s) else None


@pytest.mark.parametrize(("size", "empty", "count"), [(3, 2, 200), (3, 4, 100), (4, 4, 40)])
def test_chains_that_cannot_be_captured_live(size: int, empty: int, count: int) -> None:
    game, source, seen = Go(size), random.Random(size * empty), set()
    for _ in range(count):
        s = random_board(game, source, empty, 0.85)
        if s is None:
            continue
        alive, regions = game.unconditionally_alive(s.black, s.white)
        chains = [chain for player, chain in game.groups(s) if player == MAX]
        left = safe_stones(game, s.black, s.white)
        assert int(alive) == sum(chain for chain in chains if chain & left == chain)
        assert int(alive) & int(regions) == 0
        seen.add(alive != 0)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("rows", "black", "white"),
    [
        (".X.X./XXXXX/OOOOO/...../.....", 10, 0),  # three eyes of one point; the white chain below has no second eye
        (".X.X./XXXXX/OOOOO/.O.../O.O..", 10, 0),  # the eye at A2 is not surrounded by one chain
        (".X.X./XXXXX/OOOOO/.O.OO/OOOO.", 10, 15),
        ("..X../XXXXX/OOOOO/...../.....", 6, 0),  # in larger eyes, no point is certain to remain empty
        (".X.../XX.../...../...../.....", 0, 0),
        ("X.X../.XX../XX.../...../.....", 8, 0),  # two eyes on a diagonal
    ],
)
def test_points_that_are_certain_are_counted(rows: str, black: int, white: int) -> None:
    game = Go(5)
    s = game.parse(rows)
    assert game.certain_points(s.black, s.white) == black
    assert game.certain_points(s.white, s.black) == white
    least, greatest = Go(5, komi=1.5).bounds(s)
    assert (least, greatest) == (max(-26.5, 2 * black - 26.5), min(26.5, 23.5 - 2 * white))


def test_no_life_is_claimed_if_suicide_is_allowed() -> None:
    text = ".X.X./XXXXX/OOOOO/...../....."
    assert Go(5, suicide=True).bounds(Go(5).parse(text)) == (-25, 25)
    assert popcount(Go(5).unconditionally_alive(*Go(5).parse(text)[:2])[0]) == 7


def test_a_list_of_moves_has_the_positions_before() -> None:
    small = Go(2)
    assert small.positions_before("A1 B2") == [small.initial(), small.parse("A1")]
    small.parse("A1 B2 A2 B1 A1 A2")
