"""Twenty won positions in which a draw by repetition hid the win from a search with `paths=practical`.

Earlier versions stored a draw by repetition, or a value that depended on such a draw, as proven in the table. Deeper
searches took such wrong values from the table, so they found a longer win late or never.
"""

from typing import NamedTuple

import pytest
from choices import chosen, only_with_everything

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.api import search
from gamesearch.registry import load

pytestmark = pytest.mark.xdist_group("repetition suite")

SELECTIVE = "pvs(paths=practical)"
TO_A_DEPTH = "pvs(exact=true, paths=practical)"
MORRIS = "morris(men=4, rings=2, flying=false)"


class Win(NamedTuple):
    """A won position, and the value that a search to a given depth must find."""

    game: str
    position: str
    best: str
    """The moves after which the position is still won."""
    value: float
    depth: int


FROM_LITERATURE = (
    # R. Fine 1941, "Basic Chess Endings", no. 70 (E. Lasker and G. Reichhelm 1901), once with colors exchanged.
    Win("chess", "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", "Kb1", 2.0, 28),
    Win("chess", "k7/8/8/p2p1p2/P2p1P2/3P4/K7/8 b - - 0 1", "Kb8", -2.0, 34),
)
"""If White wins, the search must find at least the given value. If Black wins, the value is negative, and the search
must find at most this value."""
VALUES = (
    # The winning moves are from databases of KPK and of four pieces of checkers. The values are those of
    # `pvs(exact=true)` to the same depth, which uses the table only if the path to a position cannot matter.
    Win("chess", "8/K7/8/8/3P4/5k2/8/8 w - - 0 1", "Kb6 d5", 9.0, 14),
    Win("chess", "4k3/8/8/2P5/2K5/8/8/8 w - - 0 1", "Kb5", 9.0, 14),
    Win("chess", "8/8/8/8/2P5/5k2/8/K7 w - - 0 1", "Kb2 Ka2 c5", 9.0, 14),
    Win("chess", "8/8/8/8/K7/2k5/P7/8 w - - 0 1", "Kb5", 9.0, 14),
    Win("chess", "8/8/8/1K6/8/4P3/5k2/8 w - - 0 1", "e4", 9.0, 14),
    Win("chess", "8/K7/8/5P2/3k4/8/8/8 w - - 0 1", "f6", 9.0, 14),
    Win("checkers", "B:W20,K25:BK4,K8", "8-11", 2.31125, 16),
    Win("checkers", "B:WK12,32:B22,K23", "22-26 23-19", 2.31125, 16),
    Win("checkers", "B:WK12,31:B17,K19", "19-23 17-22 19-24", 0.772, 16),
    Win("checkers", "B:W8,14:BK6,K31", "31-27 31-26", 2.31125, 16),
)
DISTANCES = (
    # The depth is the number of plies to the win, found by retrograde analysis.
    Win("checkers", "B:W22,23:B1,K32", "32-27", 100.0, 25),
    Win(MORRIS, "WW./W../.B../B.B/BW. 0,0 white", "c1-c2", 100.0, 11),
    Win(MORRIS, "B../WWB/W.../..B/B.W 0,0 white", "b4-b3", 100.0, 11),
    Win(MORRIS, "..B/.W./...W/.B./W.B 0,0 white", "a1-a3", 100.0, 9),
    Win(MORRIS, "BWB/W../W.BW/..B/... 0,0 white", "c5-c4 b4-b3", 100.0, 13),
    Win(MORRIS, "W../.W./BB../B../.W. 0,0 white", "c4-b4", 100.0, 11),
    Win(MORRIS, ".BB/W.B/W.WW/.../B.. 0,0 white", "a3-a5 b4-c4 d3-d2", 100.0, 17),
    Win(MORRIS, ".WB/.W./..../.B./.BW 0,0 white", "e1-e3", 100.0, 9),
)


SHORT = [win for win in DISTANCES if win.depth <= 11 and "..B/B.W" not in win.position]
"""Positions in which even an interpreted search takes less than half a second."""
LONG = [win for win in DISTANCES if win not in SHORT]


@only_with_everything
@pytest.mark.parametrize("win", FROM_LITERATURE, ids=lambda win: win.position)
def test_a_win_from_the_literature_is_found(win: Win) -> None:
    game = load(win.game)
    s = game.parse(win.position)
    result = search(game, s, SELECTIVE, limits=Limits(depth=win.depth, nodes=3_000_000))
    assert result.best is not None
    assert isinstance(result.value, float)
    assert (game.move_name(s, result.best), result.stopped) == (win.best, "")
    assert result.value * win.value >= win.value**2


@pytest.mark.parametrize("win", chosen(SHORT, (*VALUES, *LONG)), ids=lambda win: win.position)
def test_no_draw_by_repetition_hides_the_value_to_a_depth(win: Win) -> None:
    game = load(win.game)
    s = game.parse(win.position)
    speed = "interpreted" if win in SHORT else "auto"
    result = search(game, s, TO_A_DEPTH, limits=Limits(depth=win.depth, nodes=3_000_000), speed=speed)
    assert result.value == pytest.approx(win.value)
    assert result.best is not None
    assert game.move_name(s, result.best) in win.best.split()
    assert result.distance == (win.depth if win in DISTANCES else None)


@pytest.mark.parametrize("algorithm", chosen([TO_A_DEPTH], ["pvs(exact=true)", "alphabeta(table=true, deepen=true)"]))
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
