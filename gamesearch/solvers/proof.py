"""Who wins, by proof numbers: depth first, always on where least is missing to a proof or to a disproof.

A. Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications", thesis, University of Tokyo; proof
numbers: L. V. Allis, M. van der Meulen and H. J. van den Herik 1994, "Proof-number search", Artificial Intelligence 66.

A search answers yes or no: whether Max can get a payoff, or more. The first one asks whether the player to move wins;
others, for a draw or for points, halve the payoffs that are left. What is known of a position stays in a table for all
searches; it may be overwritten, which costs time alone. Positions must not recur, or a proof could go in a circle.
"""

from bisect import bisect_left, bisect_right
from typing import Any

from gamesearch.algorithms.parts.records import Held, Record, Rows, integers, reals
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.algorithms.parts.table import MEGABYTE
from gamesearch.algorithms.parts.workspace import ENDLESS_MOVES, MAX_PLY, OUT_OF_SPACE, TOO_DEEP, Run
from gamesearch.bits import mix
from gamesearch.compiler import Borrowed, kernel
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import MAX, Game
from gamesearch.solvers.solution import Solution, solution_from

__all__ = ["prove", "solve_by_proof"]

NEVER_PROVEN = 1 << 40
"""A proof number that no proof is behind, or a disproof number of what is proven."""
LARGEST = NEVER_PROVEN - 1
"""Where many paths lead to a position, its numbers are added up more than once, to no more than this."""
MEMORY = 128
"""Megabytes of the table."""
LEAST_EFFORT = 1
SALT = 0x5A17
"""No game's key is hashed with it, so that no key and goal look like another key and goal."""


class Known(Record):
    """An entry of the table: 32 bytes."""

    key = integers()
    proof = integers()  # how many positions have to be won at least, to prove it
    disproof = integers()
    effort = integers()  # nodes visited for it; 0 where the entry is empty


class Question(Record):
    """What is asked: whether Max can get `goal` or more; and what is found to make it unanswerable."""

    goal = reals()
    salt = integers()  # mixed into the keys, for the same table serves all goals
    is_odd = integers()  # whether a payoff is neither win, draw nor loss
    proofs = integers(1 << 16)  # the numbers of the moves of all nodes on the path, beside `path.moves`
    disproofs = integers(1 << 16)


@kernel
def prove(
    game: Game[Any], s: Any, most_proof: int, most_disproof: int, ply: int, question: Question, table: Any, run: Run
) -> tuple[int, int]:
    """The proof and disproof numbers of s, searched until one of them reaches the most that is allowed for it.

    A proof number of 0 says that Max can get the goal, a disproof number of 0 that he cannot.
    """
    counts, path = run.counts, run.path
    counts.nodes += 1
    counts.deepest = max(counts.deepest, ply)
    key, top, begun = mix(game.key(s)) ^ question.salt, path.top, counts.nodes
    if ply >= MAX_PLY:
        counts.stop = TOO_DEEP
        return 1, 1
    count = list_children(game, s, question, table, run)
    maximizing = game.player(s) == MAX
    proof, disproof, best, second = gathered(maximizing, top, count, question)
    while not counts.stop and proof < most_proof and disproof < most_disproof:
        # Of a Max node, the move is followed that is easiest to prove, as long as it is and the node's disproof
        # number is not reached; of a Min node the one that is easiest to disprove.
        if maximizing:
            bound = min(most_proof, second + 1)
            other = most_disproof - disproof + question.disproofs[best]
        else:
            bound = most_proof - proof + question.proofs[best]
            other = min(most_disproof, second + 1)
        after = game.result(s, path.moves[best])
        question.proofs[best], question.disproofs[best] = prove(
            game, after, bound, other, ply + 1, question, table, run
        )
        proof, disproof, best, second = gathered(maximizing, top, count, question)
    path.top = top
    if not counts.stop:
        remember(table, key, proof, disproof, counts.nodes - begun + LEAST_EFFORT)
    return proof, disproof


@kernel
def list_children(game: Game[Any], s: Any, question: Question, table: Any, run: Run) -> int:
    """Write the moves of s and their numbers into the path from `top` on; how many there are."""
    path, count = run.path, 0
    for move in game.moves(s):
        place = path.top + count
        if place >= len(path.moves):
            run.counts.stop = ENDLESS_MOVES if path.top == 0 else OUT_OF_SPACE
            break
        path.moves[place] = move
        after = game.result(s, move)
        question.proofs[place], question.disproofs[place] = first_numbers(game, after, question, table)
        count += 1
    path.top += count
    return count


@kernel
def first_numbers(game: Game[Any], s: Any, question: Question, table: Any) -> tuple[int, int]:
    """What is known of a position before it is searched: by the rules, by the game's bounds, or from the table."""
    if game.terminal(s):
        payoff = float(game.utility(s))
        if game.win_or_loss and payoff != game.MAXSCORE and payoff != game.MINSCORE and payoff != game.draw_value():
            question.is_odd = 1
        return (0, NEVER_PROVEN) if payoff >= question.goal else (NEVER_PROVEN, 0)
    least, greatest = game.bounds(s)
    if least >= question.goal:
        return 0, NEVER_PROVEN
    if greatest < question.goal:
        return NEVER_PROVEN, 0
    key = mix(game.key(s)) ^ question.salt
    place = 2 * key & (len(table) - 1)
    for i in range(place, place + 2):
        if table[i].key == key and table[i].effort > 0:
            return int(table[i].proof), int(table[i].disproof)
    return 1, 1


@kernel
def gathered(maximizing: bool, top: int, count: int, question: Question) -> tuple[int, int, int, int]:
    """The numbers of a node from those of its moves; the move to follow; and the second least number of those.

    To prove a Max node one move has to be proven, to disprove it all; of a Min node it is the other way round.
    """
    least, second, best, total = NEVER_PROVEN, NEVER_PROVEN, top, 0
    for i in range(top, top + count):
        one = question.proofs[i] if maximizing else question.disproofs[i]
        each = question.disproofs[i] if maximizing else question.proofs[i]
        total = NEVER_PROVEN if total == NEVER_PROVEN or each == NEVER_PROVEN else min(LARGEST, total + each)
        if one < least:
            least, second, best = one, least, i
        elif one < second:
            second = one
    return (least, total, best, second) if maximizing else (total, least, best, second)


@kernel
def remember(table: Any, key: int, proof: int, disproof: int, effort: int) -> None:
    """Keep the numbers of a hashed key: in its own place, else in the one of two where less effort is lost."""
    place = 2 * key & (len(table) - 1)
    first, other = table[place], table[place + 1]
    takes_first = first.key == key or (other.key != key and first.effort <= other.effort)
    entry = first if takes_first else other
    entry.effort = effort + (entry.effort if entry.key == key else 0)
    entry.key = key
    entry.proof = proof
    entry.disproof = disproof


class Prover:
    """Answers questions about positions of one game, with one table."""

    def __init__(self, runner: Runner) -> None:
        self.runner, self.game = runner, runner.game
        self.payoffs = possible_payoffs(runner.game)
        self.entries = Known.rows(MEMORY * MEGABYTE // Known.layout().itemsize)

    def value(self, s: Any) -> float:
        """The value of a position."""
        game, payoffs = self.game, self.payoffs
        if game.terminal(s):
            return float(game.utility(s))
        find = bisect_right if game.player(s) == MAX else bisect_left
        least, greatest = 0, len(payoffs) - 1
        asked = min(max(1, find(payoffs, game.draw_value())), greatest)
        while least < greatest:
            if self.can_get(s, asked):
                least = asked
            else:
                greatest = asked - 1
            asked = (least + greatest + 1) // 2
        return payoffs[least]

    def can_get(self, s: Any, number: int) -> bool:
        """Whether Max can get the payoff of this number, or more."""
        if self.game.terminal(s):
            return bool(self.game.utility(s) >= self.payoffs[number])
        runner, salt = self.runner, mix((number, SALT))
        held: list[Held] = []

        def arguments() -> tuple[Any, ...]:
            is_compiled = runner.speed == "compiled"
            held[:] = [Held(Question, is_compiled)]
            held[0].write(goal=self.payoffs[number], salt=salt)
            table = Borrowed(self.entries) if is_compiled else Rows(self.entries)
            return self.game, s, NEVER_PROVEN, NEVER_PROVEN, 0, held[0].record, table, runner.run

        proof, _ = runner.execute(prove, arguments)
        self.check(bool(held[0].read("is_odd")))
        return bool(proof == 0)

    def move_that_gets(self, s: Any, value: float) -> int:
        """A move with which the player to move gets the value of the position."""
        game, number = self.game, self.payoffs.index(value)
        is_max = game.player(s) == MAX
        *moves, last = game.steps(s)
        if value == self.payoffs[0 if is_max else -1]:
            return last
        for move in moves:
            after = game.result(s, move)
            if self.can_get(after, number) if is_max else not self.can_get(after, number + 1):
                return move
        return last

    def check(self, is_odd: bool) -> None:
        """Raise what keeps a question from being answered."""
        if is_odd:
            raise GamesearchError(f"{self.game.name} pays more than wins and draws, which proof cannot tell: use memo")
        if self.runner.stopped == "space":
            raise GamesearchError(f"{self.game.name} goes deeper than proof can hold: use memo")
        if self.runner.stopped:
            raise Interrupted(f"solving was interrupted after {int(self.runner.counts.nodes):,} positions")


def possible_payoffs(game: Game[Any]) -> list[float]:
    """What a game can pay, from the least on: a loss, a draw and a win, or all whole numbers between the extremes."""
    least, greatest = float(game.MINSCORE), float(game.MAXSCORE)
    if game.win_or_loss:
        return [least, float(game.draw_value()), greatest]
    if not game.whole_payoffs:
        raise GamesearchError(f"{game.name} pays points that are no whole numbers, and proof counts none: use memo")
    return [float(payoff) for payoff in range(int(least), int(greatest) + 1)]


def solve_by_proof(runner: Runner, state: Any) -> Solution:
    """Who wins, and by which moves; without distances."""
    runner.begin()
    prover, values = Prover(runner), dict[Any, float]()

    def lookup(s: Any) -> tuple[float, None]:
        if s not in values:
            values[s] = prover.value(s)
        return values[s], None

    lookup(state)

    def choose(s: Any) -> int:
        value, _ = lookup(s)
        return prover.move_that_gets(s, value)

    return solution_from(
        runner, state, "proof", lookup, choose, positions=int(runner.counts.nodes), kept=0, bytes=prover.entries.nbytes
    )
