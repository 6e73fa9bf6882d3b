"""Depth-first proof-number search (df-pn), which always expands the most proving node.

A. Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications", thesis, University of Tokyo. A table
keeps the proof and disproof numbers of positions for later searches. If an entry is overwritten, the search takes
longer, but its result stays correct.
"""

from typing import Any

from gamesearch.algorithms.engine.result import NEVER_PROVEN
from gamesearch.algorithms.node.records import Record, integer_field
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, NODE_LIMIT, OUT_OF_SPACE, TOO_DEEP, Run
from gamesearch.compiler import kernel
from gamesearch.game import MAX, Game
from gamesearch.solvers.proof.tree import Question, add_numbers, numbers_by_rules
from gamesearch.toolkit.bits import mix

__all__ = ["TableEntry", "dfpn"]

LEAST_EFFORT = 1


class TableEntry(Record):
    """An entry of the table: 32 bytes."""

    key = integer_field()
    proof = integer_field()  # the least number of positions that must be proven to prove the position
    disproof = integer_field()
    effort = integer_field()  # number of nodes visited to find these two numbers; 0 if the entry is empty


@kernel
def dfpn(
    game: Game, s: Any, most_proof: int, most_disproof: int, ply: int, question: Question, table: Any, run: Run
) -> tuple[int, int]:
    """Search s until its proof number reaches `most_proof` or its disproof number reaches `most_disproof`; returns both
    numbers. A proof number of 0 means that Max can reach the goal. A disproof number of 0 means that Max cannot reach
    the goal."""
    counts, path = run.counts, run.path
    counts.nodes += 1
    counts.deepest = max(counts.deepest, ply)
    key, top, begun = mix(game.key(s)) ^ question.salt, path.top, counts.nodes
    if ply >= counts.room:
        if not counts.stop:  # keep the reason of an earlier stop
            counts.stop = TOO_DEEP
        return 1, 1
    if 0 < question.node_limit < counts.nodes:
        counts.stop = NODE_LIMIT
        return 1, 1
    if run.observer is not None:
        run.observer.reaches(s, ply, key)
        if ply == 0:
            run.observer.lacks(key, 1, 1)
        run.observer.expands(ply)
    count = list_children(game, s, question, table, run)
    maximizing = game.player(s) == MAX
    proof, disproof, best, second = combine_numbers(maximizing, top, count, question)
    if run.observer is not None:
        run.observer.lacks(key, proof, disproof)
    while not counts.stop and proof < most_proof and disproof < most_disproof:
        # A Max node follows the move that is easiest to prove. It stops if another move becomes easier, or if the
        # disproof number of the node reaches its limit. A Min node does the same with the two numbers exchanged.
        if maximizing:
            bound = min(most_proof, second + 1)
            other = most_disproof - disproof + question.disproofs[best]
        else:
            bound = most_proof - proof + question.proofs[best]
            other = min(most_disproof, second + 1)
        after = game.result(s, path.moves[best])
        if run.observer is not None:
            run.observer.finish_expansion()
            run.observer.follows(ply, path.moves[best])
        question.proofs[best], question.disproofs[best] = dfpn(game, after, bound, other, ply + 1, question, table, run)
        proof, disproof, best, second = combine_numbers(maximizing, top, count, question)
        if run.observer is not None and not counts.stop:
            run.observer.lacks(key, proof, disproof)
    path.top = top
    if not counts.stop:
        remember(table, key, proof, disproof, counts.nodes - begun + LEAST_EFFORT)
    return proof, disproof


@kernel
def list_children(game: Game, s: Any, question: Question, table: Any, run: Run) -> int:
    """Write the moves of s into `path.moves`, and the proof and disproof numbers of the moves into `question`. Both
    begin at the index `path.top`. Returns the number of moves."""
    path, count = run.path, 0
    for move in game.moves(s):
        place = path.top + count
        if place >= len(path.moves):
            run.counts.stop = ENDLESS_MOVES if path.top == 0 else OUT_OF_SPACE
            break
        path.moves[place] = move
        after = game.result(s, move)
        question.proofs[place], question.disproofs[place] = first_numbers(game, after, question, table)
        if run.observer is not None:
            number = mix(game.key(after)) ^ question.salt
            run.observer.grows(after, move, number)
            run.observer.lacks(number, question.proofs[place], question.disproofs[place])
        count += 1
    path.top += count
    return count


@kernel
def first_numbers(game: Game, s: Any, question: Question, table: Any) -> tuple[int, int]:
    """The first proof and disproof numbers of a position: from the rules, the game's bounds, or the table."""
    proof, disproof = numbers_by_rules(game, s, question)
    if proof == 0 or disproof == 0:
        return proof, disproof
    key = mix(game.key(s)) ^ question.salt
    place = 2 * key & (len(table) - 1)
    for i in range(place, place + 2):
        if table[i].key == key and table[i].effort > 0:
            return int(table[i].proof), int(table[i].disproof)
    return 1, 1


@kernel
def combine_numbers(maximizing: bool, top: int, count: int, question: Question) -> tuple[int, int, int, int]:
    """Combine the proof and disproof numbers of a node's moves. Returns the node's two numbers, the index of the move
    to follow, and the least proof number of the other moves. At Min nodes, the last number is the least disproof number
    of the other moves.

    A Max node is proven when one of its moves is proven, so the move with the least proof number is followed. The
    search of this move stops when its proof number exceeds the least proof number of the other moves. A Max node is
    disproven when all its moves are disproven. Proof and disproof exchange their roles at Min nodes.
    """
    least, second, best, total = NEVER_PROVEN, NEVER_PROVEN, top, 0
    for i in range(top, top + count):
        one = question.proofs[i] if maximizing else question.disproofs[i]
        each = question.disproofs[i] if maximizing else question.proofs[i]
        total = add_numbers(total, each)
        if one < least:
            least, second, best = one, least, i
        elif one < second:
            second = one
    return (least, total, best, second) if maximizing else (total, least, best, second)


@kernel
def remember(table: Any, key: int, proof: int, disproof: int, effort: int) -> None:
    """Store the numbers for a hashed key in one of its two possible entries. If neither entry has this key, the entry
    with the smaller effort is overwritten."""
    place = 2 * key & (len(table) - 1)
    first, other = table[place], table[place + 1]
    takes_first = first.key == key or (other.key != key and first.effort <= other.effort)
    entry = first if takes_first else other
    entry.effort = effort + (entry.effort if entry.key == key else 0)
    entry.key = key
    entry.proof = proof
    entry.disproof = disproof
