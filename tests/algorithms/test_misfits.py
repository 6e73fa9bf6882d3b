"""Algorithms reject wrong parameters and unsuitable games with one sentence that says what to do instead."""

import pytest

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.registry import load

SHARED = "[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]"
REFUSED = f"""
pig: minimax => use expectiminimax
pig: alphabeta => use expectiminimax
pig: bestfirst => cannot search the chance nodes
{SHARED}: minimax => use the algorithm maxn
{SHARED}: expectiminimax => use the algorithm maxn
{SHARED}: bestfirst => for two players
{SHARED}: beliefs => for two players
yavalath: mcts(wins=1) => the parameter wins is for two players
tictactoe: maxn => use minimax
tictactoe: paranoid => use alphabeta
tree({{(1,2,3),(3,2,1)}}): paranoid => use maxn
go(size=3): mcts(transpositions=true) => can repeat
tictactoe: mcts(prior=1) => tictactoe does not define a move order
tictactoe: minimaxx => did you mean minimax
tictactoe: minimax(depth=0) => depth must be a whole number
tictactoe: minimax(depth=deep) => depth must be a whole number
tictactoe: minimax(time=inf) => time must be a number of seconds
tictactoe: alphabeta(dept=3) => did you mean depth
tictactoe: alphabeta(window=narrow) => window must be full or null
tictactoe: alphabeta(window=null) => needs table=true
tictactoe: alphabeta(window=null, table=true, fail=hard) => fail=hard cannot
tictactoe: alphabeta(fail=medium) => fail must be soft or hard
tictactoe: alphabeta(memory=0, table=true) => at least 1 MB
tictactoe: alphabeta(order=best) => there is no order 'best'
tictactoe: alphabeta(order=kind) => does not divide its moves into kinds
checkers: alphabeta(database=nowhere) => there is no folder nowhere
tictactoe: expectiminimax(pruning=star3) => pruning 'star3' is unknown
tictactoe: expectiminimax(opponent=bad) => opponent must be best, random or softmax(T)
tictactoe: expectiminimax(opponent=softmax(0)) => softmax(0) needs one number greater than 0
tictactoe: expectiminimax(opponent=softmax) => write softmax(0.5)
tictactoe: expectiminimax(error=1.5) => from 0 to 1
tictactoe: expectiminimax(opponent=random, error=0.5) => leave out error
tictactoe: pvs(exact=true, width=3) => width
tictactoe: pvs(extensions=perhaps) => true, false or auto
tictactoe: montecarlo(race=halving, time=0.1) => playouts=
tictactoe: mcts(implicit=2) => from 0 to 1
tictactoe: mcts(rave=-1) => at least 0
tictactoe: mcts(policy=none) => uniform or order
tictactoe: mcts(threads=0) => threads must be a whole number from 1
tictactoe: pvs(threads=257) => threads must be a whole number from 1 to 256
tictactoe: alphabeta(threads=2) => needs table=true
tictactoe: alphabeta(table=true, memory=1000000000) => memory
tictactoe: mcts(solver=false, database=nowhere) => leave out solver=false
nim: mcts(database=nowhere) => there is no folder nowhere
tictactoe: bestfirst(expansions=-1) => whole number of at least 0
tictactoe: beliefs(leaves=payoffs) => needs a value for error=
tictactoe: beliefs(leaves=none) => leaves must be estimates, playouts or payoffs, not 'none'
tictactoe: beliefs(error=-1) => at least 0
tictactoe: beliefs(gain=-1) => at least 0
tictactoe: beliefs(leaves=playouts, playouts=0) => at least 1, not 0
tictactoe: beliefs(leaves=playouts, playouts=2.5) => whole number
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_refusals(line: str) -> None:
    asked, words = line.split(" => ")
    text, algorithm = asked.split(": ")
    game = load(text)
    with pytest.raises(GamesearchError) as refused:
        search(game, game.initial(), algorithm, speed="interpreted")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("algorithm", ["minimax", "mcts", "beliefs"])
def test_a_finished_game_is_not_searched(algorithm: str) -> None:
    game = load("tictactoe")
    with pytest.raises(GamesearchError, match="the game is over"):
        search(game, game.parse("XXX/OO./..."), algorithm)
