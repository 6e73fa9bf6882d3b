"""Methods of solving reject unsuitable games and wrong parameters with a one-sentence message."""

import pytest

from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.solving import solve

REFUSED = """
pig: memo => can repeat
pig: search => can repeat
pig: retrograde => use the method iteration
pig: proof => use the method iteration
chess: memo => use the method retrograde
go(size=3): retrograde => use the method search
go(size=2): proof => use the method search
checkers(size=4): proof(search=dfpn) => leave out search=
checkers(size=4): proof(search=pn) => leave out search=
checkers(size=4): proof(search=pn2) => leave out search=
random_tree(chance=true): proof => chance nodes
tree({1,2}): search => use the method memo
tree([(1,2,3),(3,2,1)]): auto => with the algorithm maxn
tictactoe: grundy => not a sum of impartial games
nim(misere=true): grundy => not a sum of impartial games
nim: proof(search=pn3) => did you mean pn
nim: proof(memory=0) => at least 1 MB
nim: proof(memory=100000000) => smaller number
nim: proof(nodes=3) => no parameter 'nodes'
nim: memo(memory=3) => the method memo has no parameters
nim: proof(attack=forcing) => does not define forcing moves
gomoku: proof(attack=al) => did you mean all
nim: prof => did you mean proof
nim: memory => did you mean memo
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_refusals(line: str) -> None:
    asked, words = line.split(" => ")
    text, method = asked.split(": ")
    game = load(text)
    with pytest.raises(GamesearchError) as refused:
        solve(game, game.initial(), method, speed="interpreted")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
