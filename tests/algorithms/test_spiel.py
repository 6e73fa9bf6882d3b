"""`benchmarks/spiel.py` compares gamesearch with OpenSpiel, and says how to install OpenSpiel if it is missing."""

import random
import sys

import pytest

from benchmarks.spiel import GAMES, main, pair_after, search_here, search_in_cpp, search_in_python
from gamesearch import load


def test_without_openspiel_it_explains_the_installation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    main()
    assert "pip install open_spiel" in capsys.readouterr().out


@pytest.mark.parametrize(("ours", "theirs", "plies"), GAMES, ids=[ours for ours, _, _ in GAMES])
def test_both_search_the_same_positions_by_the_same_number_of_playouts(ours: str, theirs: str, plies: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, spiel = load(ours), pyspiel.load_game(theirs)
    for seed in range(5):
        pair = pair_after(game, spiel, plies, random.Random(seed))
        assert len(list(game.moves(pair.ours))) == len(pair.theirs.legal_actions())
        assert (game.player(pair.ours) == game.player(game.initial())) == (pair.theirs.current_player() == 0)
    assert search_here(game, 20, pair) == search_in_python(spiel, 20, pair) == search_in_cpp(spiel, 20, pair) == 20
