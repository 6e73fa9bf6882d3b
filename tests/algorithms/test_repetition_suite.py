"""Won positions in which a draw by repetition hid the win from a search with `paths=practical`.

Earlier versions stored a draw by repetition, or a value that depended on such a draw, as proven in the table. Deeper
searches took such wrong values from the table, so they found a longer win late or never.
"""

import pytest
from choices import choose, only_with_everything

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.api import search
from gamesearch.registry import load

pytestmark = pytest.mark.xdist_group("repetition suite")

SELECTIVE = "pvs(paths=practical)"
TO_A_DEPTH = "pvs(exact=true, paths=practical)"
FROM_LITERATURE = (
    # R. Fine 1941, "Basic Chess Endings", no. 70 (E. Lasker and G. Reichhelm 1901), once with colors exchanged.
    ("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", "Kb1", 2.0, 28),
    ("k7/8/8/p2p1p2/P2p1P2/3P4/K7/8 b - - 0 1", "Kb8", -2.0, 34),
)
"""If White wins, the search must find at least the given value. If Black wins, the value is negative, and the search
must find at most this value."""
DISTANCES = (
    # The depth is the number of plies to the win, found by retrograde analysis.
    ("WW./W../.B../B.B/BW. 0,0 white", "c1-c2", 11),
    ("..B/.W./...W/.B./W.B 0,0 white", "a1-a3", 9),
    ("W../.W./BB../B../.W. 0,0 white", "c4-b4", 11),
    (".WB/.W./..../.B./.BW 0,0 white", "e1-e3", 9),
)


@only_with_everything
@pytest.mark.parametrize(("position", "best", "value", "depth"), FROM_LITERATURE)
def test_a_win_from_the_literature_is_found(position: str, best: str, value: float, depth: int) -> None:
    game = load("chess")
    s = game.parse(position)
    result = search(game, s, SELECTIVE, limits=Limits(depth=depth, nodes=3_000_000))
    assert result.best is not None
    assert isinstance(result.value, float)
    assert (game.move_name(s, result.best), result.stopped) == (best, "")
    assert result.value * value >= value**2


@pytest.mark.parametrize(("position", "best", "depth"), DISTANCES)
def test_no_draw_by_repetition_hides_a_win(position: str, best: str, depth: int) -> None:
    game = load("morris(men=4, rings=2, flying=false)")
    s = game.parse(position)
    result = search(game, s, TO_A_DEPTH, limits=Limits(depth=depth, nodes=3_000_000), speed="interpreted")
    assert (result.value, result.distance) == (100, depth)
    assert result.best is not None
    assert game.move_name(s, result.best) == best


@pytest.mark.parametrize("algorithm", choose([TO_A_DEPTH], ["pvs(exact=true)", "alphabeta(table=true, deepen=true)"]))
def test_the_table_distinguishes_the_fifty_move_clock(algorithm: str) -> None:
    """A mate in 3 plies is in time if the fifty-move clock is at 97, but not at 98, whatever was searched before."""
    game = load("chess")
    s = game.parse("7k/8/5K2/8/8/8/8/1Q6 w - - 0 101")
    with Searcher(game, load_algorithm(algorithm), "interpreted") as kept:
        for clock, value in ((99, 0.0), (0, 1000.0), (98, 0.0), (97, 1000.0)):
            at_clock = s._replace(clock=clock)
            assert kept.search(at_clock, Limits(depth=3)).value == value
            assert search(game, at_clock, algorithm, limits=Limits(depth=3), speed="interpreted").value == value
    assert game.arrangement(s) == game.arrangement(s._replace(clock=99)), "repetition ignores the clock"
    assert game.key(s._replace(clock=40)) == game.key(s), "far from the draw, the clock is not a part of the key"


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    game = load("checkers")
    states = [game.parse("B:WK5:BK28,K32")]
    values: list[float] = []
    for name in ("28-24", "5-1", "24-28", "1-5") * 2:
        states.append(game.result(states[-1], game.parse_move(states[-1], name)))
        value = search(game, states[-1], "pvs(depth=1)", past=states[:-1], speed="interpreted").value
        assert isinstance(value, float)
        values.append(value)
    found = search(game, states[-1], "pvs(depth=1)", past=states[:-1], speed="interpreted")
    assert (found.value, found.bound, found.sees_the_end, found.distance) == (0.0, "exact", True, None)
    assert found.best in game.steps(states[-1])
    assert values[3] > 0, "Max leads with two kings to one if the position has occurred only twice"
