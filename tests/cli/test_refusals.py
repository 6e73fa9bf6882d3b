"""Each wrong command is refused with one sentence that says what to type instead."""

import pytest
from commands import Cli

NEARLY = "XX./OX./.OO"
MATE = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
REFUSED = f"""
analyze => missing argument 'GAME'
analyze chez => did you mean chess?
analyze tictactoe XXX => not nine squares
analyze chess '1. e4 e5 2. Nf4' => move 2 of White in '1. e4 e5 2. Nf4': 'Nf4' is not a legal move here
analyze nim -3,0 => '-3,0' is not a list of heaps of Nim
analyze tictactoe XX. OX. .OO => in quotes
analyze tictactoe -a alfabeta => did you mean alphabeta?
analyze pig -a minimax => use expectiminimax
analyze tictactoe --depth x => depth must be a whole number
analyze tictactoe --depth 0 => depth must be a whole number
analyze tictactoe --time 0 => 0 is not in the range 0<x<=1000000 (
analyze tictactoe --time nan => time must be a number of seconds
analyze tictactoe -a mcts(iterations=5) => did you mean playouts?
analyze tictactoe -a mcts --depth 3 => mcts has no depth limit
analyze tictactoe --tree --speed compiled => leave out --tree
analyze tictactoe --trace a.trace --speed compiled => leave out --trace or --speed compiled
analyze tictactoe XXX/OO./... --trace a.trace => so nothing is searched
analyze tictactoe --trace /nowhere/a.trace => there is no folder
analyze tictactoe -a 'alphabeta(depth=2, book=b.json)' => leave book=b.json out of alphabeta here
analyze checkers -a 'alphabeta(depth=1, database=/nowhere)' => there is no folder
analyze tictactoe {NEARLY} --why-not 1 => is taken
analyze tictactoe --why-not 1 --moves => leave out --moves
analyze '{{1/2: 8, 1/2: 2}}' --why-not a => chance decides
analyze connect4 --why-not 1 --depth 1 --tree => at least 2 plies
analyze tictactoe {NEARLY} --why-not 3 --tree => the game is over after this move
analyze tictactoe --multipv 2 --moves => leave out --moves
analyze tictactoe --multipv 2 --trace a.trace => leave out --trace
analyze tictactoe -a minimax --beliefs => minimax does not compute beliefs
analyze tictactoe --to beliefs.svg => add --beliefs
analyze tictactoe --beliefs --to beliefs.png => should end in .svg
analyze tictactoe --beliefs --why-not 1 => leave out --beliefs
analyze [[9,8],[7]] -a beliefs(leaves=payoffs) --beliefs => needs a value for error=
analyze pig --depth 1 --ask human => --ask cannot ask a human
analyze tictactoe --ask uci(path=cat) => UCI is for chess
play chess --min uci(path=cat,depth=1000000) => the depth of uci must be from 1 to
play chess --min uci(path=cat,nodes=-1) => the node limit of uci must be at least 1
analyze backgammon --depth 1 --ask random => chance decides here
analyze chess '{MATE}' --mate 2 --depth 3 => leave out --depth
analyze chess '{MATE}' --mate 2 --plies 2 => leave out --plies
analyze chess '{MATE}' --mate 2 --to mate.svg => leave out --to
analyze chess '{MATE}' --mate 2 --force => leave out --force
perft tictactoe => missing argument 'DEPTH'
perft tictactoe x => DEPTH
perft tictactoe --depth 4 => write the argument without --depth: gamesearch perft GAME DEPTH [POSITION]
analyze tictactoe --position=x => write the argument without --position
perft tictactoe 4453 1 => DEPTH
solve tictactoe --method grundy => use the method memo
solve pig --method memo => use the method iteration
solve pig --method retrograde => use the method iteration
solve [[(1,2,3),(4,5,6)]] => with the algorithm maxn
solve tictactoe --method magic => magic
solve nim --estimate => leave out --estimate
solve nim --trace - => the steps of the method auto cannot be shown
solve chess --method proof(search=pn) --tree => can repeat
solve nim --method proof(search=pn) --tree --speed compiled => can be recorded only if the search runs interpreted
solve nim --method proof(search=pn) --trace - --symmetries => leave out --symmetries
solve --verify a.jsonl --tree => leave out POSITION and other options
solve --verify none.jsonl => there is no file
watch tictactoe minimax => minimax is an algorithm, not a position: write --algorithm minimax
bench tictactoe minimax(depth=3) => minimax is an algorithm, not a position: write --algorithms 'minimax(depth=3)'
bench tictactoe -a 'minimax alphabeta' => separate several names by commas: minimax,alphabeta
analyze chess --depth 1.5 => depth must be a whole number from 1 to 10000 or the word full, not 1.5
cache clear => did you mean --clear?
chess => did you mean gamesearch play chess?
'Connect Four' => did you mean gamesearch play 'Connect Four'?
./nowhere.py => there is no command
cache foo => got unexpected extra argument (foo) (see gamesearch cache --help)
watch none.trace => there is no file none.trace
watch a.trace X => a saved trace already contains game
watch a.trace --method proof => a saved trace already contains game
watch tictactoe --trace-nodes 0 => trace-nodes
watch tictactoe XX./OO./... --trace-nodes 1 --quiz => no questions can be asked about this search
watch nim -a minimax --method proof => leave out one of them
watch nim 0,0,0 --method proof => the game is over
export README.md => missing option '--to'
graph tictactoe => give a later POSITION, or allow up to 1,000 with --max-positions N
graph tictactoe XX./OO./... --max-positions 50 => 69 positions from here, but the graph may have at most 50
graph go => depend on earlier positions
graph nim 2,3 3,2 => positions of different games
graph nim x => is not a list of heaps of Nim
graph nim 3 --to graph.png => the name should end in .html, .svg, .tex or .dot
compare tictactoe XXX/OO./... => nothing to compare
compare [1,2] --shuffle 2 --speed compiled => leave out --shuffle or --speed
compare nim --algorithms mcts --playouts 20 --shuffle 3 => write --seeds, not --shuffle
compare [1,2] --seeds 3 => none of these algorithms makes playouts
compare pig --transform x --algorithms minimax => leave out --algorithms
analyze {{1/2:8, 1/2:[3,4]}} => max[; put a tree that contains spaces in quotes
watch [3, 12] => put a tree that contains spaces in quotes
compare [(1,2,3),(3,2,1)] --transform x => players
compare nim --transform x --positions 0 => is not in the range
bench tictactoe --signature => leave out game
bench --signature --depth 3 => leave out --depth
bench tictactoe --algorithms minmax => did you mean minimax?
bench tictactoe --algorithms , => no algorithm to measure
bench tictactoe --algorithms minimax,random => random does not search
bench pig --algorithms alphabeta => use expectiminimax
bench tictactoe XXX/OO./... => the game is over
bench othello --save => add --probcut
bench othello --probcut --save => name this file, as in othello(weights=FILE)
bench tictactoe --algorithms 'alphabeta(table=true, memory=100000000)' => smaller number
opponents chess => repeat
opponents buildorder => has no player Min
opponents tictactoe --opponents best,weak => softmax(0.5), random or softmax(1)+error=0.1
opponents tictactoe --opponents ' ' => name an opponent
opponents tictactoe --opponents random+error=0.1 => leave out error
opponents tictactoe --opponents softmax(1)+random => two kinds of play
opponents tictactoe --opponents softmax(scale=1)+error=0.1 => write softmax(0.5)
opponents tictactoe --opponents error => such as error=0.2
match yavalath maxn random => a match is for two players, but yavalath has 3
match [[1,2],[3,4]] alphabeta random => do not show which side wins
match tictactoe alphabeta,random => at least two players, separated by a space
match tictactoe alphabeta alphabta => did you mean alphabeta
match tictactoe external(path=false) random => ended (code 1)
match tictactoe human random => no human players
match tictactoe alphabeta random --games 3 => --games 4
match tictactoe alphabeta random --sprt 5 => --sprt needs 2 numbers, such as 0,5
match tictactoe alphabeta random --alpha 0.1 => --sprt
match tictactoe alphabeta random --beta 0.05 => --sprt
match tictactoe alphabeta random --sprt 5,0 => the smaller first
match tictactoe minimax alphabeta random --sprt 0,5 => give two
match tictactoe alphabeta random --clock 10+x => such as 5m+3s
match tictactoe alphabeta random --resign 0,5 => at least 1
match tictactoe alphabeta random --draw 2,5 => --draw needs 3 numbers
match tictactoe alphabeta random --depths 1,2 => one player play against itself
match tictactoe alphabeta --depths 2 => at least two different positive numbers
match tictactoe alphabeta --depths 2,3 --depth 3 => leave out --depth
match tictactoe alphabeta random --openings none.txt => there is no file none.txt
match tictactoe alphabeta random --journal . => not a file
match othello alphabeta random --remove-dead => othello has no dead stones
play tictactoe --max humam => did you mean human?
play pig --min alphabeta => use expectiminimax
play [[(1,2,3),(3,2,1)],(2,2,2)] --max alphabeta => use the algorithm maxn
play tictactoe --players human => for 2 players, but --players lists 1
play tictactoe --players human,human --max human => leave out --max and --min
play tictactoe --load nowhere.json => there is no file nowhere.json
play tictactoe .../.../... --load nowhere.json => leave out POSITION or --load
play tictactoe --save nowhere/game.json => there is no folder nowhere
play nowhere => there is no game 'nowhere'
play chess(variant=foo) => unknown variant 'foo': the choices are antichess,
play chess(rules=python-chess) --max random --speed compiled => cannot be compiled
play tictactoe --level 12 => write a number from 1 to 10, or easy, normal, hard or best
play tictactoe --level hrad => did you mean hard?
play tictactoe --level 3 --max human --min random => --level needs a player `computer`
play yavalath --players human,maxn,random --level 1 => put `computer` into --players
games nimm => did you mean nim?
games ./nope.py => there is no file
games nim(heap=3) => did you mean heaps?
algorithms pvs --source => pvs has no textbook function
algorithms alphabeta(table=true) --woven => is not made from a textbook function
algorithms --source => --source
agree chess --against nim => different games
agree nim --against nim - => standard input is empty
database pig 3 --to d => chance nodes
database checkers x --to d => write the greatest number of pieces
database checkers(size=4) 2 --to /nowhere --verify => there is no folder
learn pig --games x => --games
"""
"""Pairs of a wrong command and a part of the expected error message, one pair on each line."""


@pytest.mark.parametrize(
    "line", [line for line in REFUSED.splitlines() if line], ids=lambda line: line.partition(" => ")[0]
)
def test_a_wrong_command_is_refused_in_one_sentence(line: str, cli: Cli) -> None:
    command, _, message = line.partition(" => ")
    assert message in cli.refusal(command)
