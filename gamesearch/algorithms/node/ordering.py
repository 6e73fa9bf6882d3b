"""Move ordering: which move to search first.

Alpha-beta has the most cutoffs if the best move comes first (Knuth and Moore 1975). Moves are searched in phases:

1. the best move from the transposition table or from the previous iteration (Slate and Atkin 1977);
2. forcing moves (threats and captures), sorted by the game's `order`;
3. killer moves, which caused a cutoff at another node of the same ply (Akl and Newborn 1977);
4. the countermove, which caused a cutoff in another position after the same move of the opponent (J. W. H. M. Uiterwijk
   1992, "The countermove heuristic", ICCA Journal 15);
5. the other moves, sorted by `order` and, if `order` is equal, by how often they caused cutoffs (history, Schaeffer
   1983).

If the option `history` of `pvs` is on, the last phase sorts by history first, and then by `order`. With this option, a
quiet move's history increases if the move causes a cutoff. It decreases if a later move of the node causes a cutoff
(chessprogramming wiki, "History Heuristic"). The score of a quiet move also includes its history as a reply to the
opponent's last move, and its history as a continuation of the mover's own last move (wiki, "Continuation History").
Captures that lose the exchange on their target square come last.

The parameter `order` of an algorithm selects the phases. If the search has a transposition table, the first phase is
always used. Moves with equal scores keep the order in which the game yields them.
"""

import math
from typing import Any

from gamesearch.algorithms.node.bounds import fetch_entry, looks_ahead
from gamesearch.algorithms.node.records import Record, RecordHandle, integer_field
from gamesearch.algorithms.node.repetition import is_forbidden
from gamesearch.algorithms.node.table import stored_move
from gamesearch.algorithms.node.workspace import (
    ENDLESS_MOVES,
    OUT_OF_SPACE,
    VARIATION_PLIES,
    Memory,
    Path,
    Search,
    note_cutoff,
)
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, MAX, THREAT, Game
from gamesearch.specification import nearest
from gamesearch.toolkit.bits import mix

__all__ = [
    "CONTINUATIONS", "KIND", "ORDERS", "follow", "generate", "is_forcing", "loses_exchange", "make_move",
    "new_ordering", "next_move", "note_refutation", "parse_order", "remember_previous", "score_of", "sort_by_score",
    "sort_moves",
]  # fmt: skip

GAME, EVALUATE, PREVIOUS, KILLER, HISTORY, KIND, COUNTERMOVE = 1, 2, 4, 8, 16, 32, 64
ORDERS = {
    "generated": 0,
    "game": GAME,
    "evaluate": EVALUATE,
    "previous": PREVIOUS,
    "killer": KILLER,
    "countermove": COUNTERMOVE,
    "history": HISTORY,
    "kind": KIND,
}
"""The values of the parameter `order`, with their flags. Users can join several values with `+`."""
FOLLOWING = PREVIOUS | COUNTERMOVE
"""The flags of the orders that depend on earlier moves of the path."""

FIRST = 2.0**40
"""The bonus for the best move from the transposition table or from the previous iteration."""
PHASE = 2.0**30
"""The bonus for a forcing move, which exceeds all values of the game's `order`. If `order=kind`, the bonus of each move
is PHASE * kind."""
KILLER_SCORE = 2.0**26
COUNTERMOVE_SCORE = 2.0**24
HISTORY_SIZE = 1 << 12
"""The number of entries for history and countermoves. Moves with equal low bits share an entry."""
CONTINUATIONS = 1 << 16
"""The number of entries for the history of pairs of moves. Pairs with equal hashes share an entry."""
MOST_HISTORY = 1 << 20
"""If a count in a player's history exceeds this limit, all counts of this player are halved."""
HISTORY_UNIT = 2.0**-40
"""The weight of history in a score. It is so small that history decides only between moves whose scores are otherwise
equal."""
LEADING_UNIT = 2.0**-6
"""If the option `history` of `pvs` is on, history has this weight in a score."""
MOST_LEADING, MOST_CHANGE = 1 << 14, 1 << 10
"""If the option `history` of `pvs` is on, history scores stay between -MOST_LEADING and MOST_LEADING. A cutoff changes
a score by at most MOST_CHANGE, before `bounded_change` adjusts the change."""


class Ordering(Record):
    """What the move ordering remembers during a search, such as killer moves and history."""

    orders = integer_field()  # the sum of the flags of the chosen orders
    followed = integer_field()  # number of plies in which the path agrees with `previous`; -1 if `previous` is unknown
    previous = integer_field(VARIATION_PLIES)
    killers = integer_field(VARIATION_PLIES, 2)
    made = integer_field(VARIATION_PLIES)  # the move made at each ply of the path
    countermoves = integer_field(2, HISTORY_SIZE)  # for each move: 1 + the move that refuted it; 0 if unknown
    history = integer_field(2, HISTORY_SIZE)


def parse_order(text: str) -> int:
    """Convert a text such as `killer+history` to a sum of flags."""
    orders = 0
    for name in text.split("+"):
        if name.strip() not in ORDERS:
            raise GamesearchError(f"there is no order {name.strip()!r}: {nearest(name.strip(), ORDERS)}")
        orders |= ORDERS[name.strip()]
    return orders


def new_ordering(orders: int, is_compiled: bool) -> RecordHandle | None:
    """The memory of the move ordering. If `orders` is 0, the result is None, so that Numba omits the code for move
    ordering."""
    if not orders:
        return None
    held = RecordHandle(Ordering, is_compiled)
    ordering = held.fields
    previous, killers = ordering.previous, ordering.killers
    for ply in range(VARIATION_PLIES):
        previous[ply] = killers[ply][0] = killers[ply][1] = -1
    ordering.followed = -1
    ordering.orders = orders
    return held


def remember_previous(held: RecordHandle | None, variation: tuple[int, ...]) -> None:
    """Store the principal variation of an iteration. The next iteration searches the moves of this variation first."""
    if held is not None and held.read("orders") & PREVIOUS:
        held.write(followed=0 if variation else -1)
        previous = held.fields.previous
        for ply in range(VARIATION_PLIES):
            previous[ply] = variation[ply] if ply < len(variation) else -1


@kernel
def follow(ply: int, move: int, ordering: Ordering) -> None:
    """Record that a move is made at a ply. Also record whether the path still follows the principal variation of the
    previous iteration. Do nothing if no order needs these records."""
    if ordering.orders & FOLLOWING:
        if ply < VARIATION_PLIES:
            ordering.made[ply] = move
        if ordering.followed >= ply:
            ordering.followed = ply + 1 if ply < VARIATION_PLIES and move == ordering.previous[ply] else ply


@kernel
def generate(game: Game, s: Any, table_move: int, ply: int, only_needed: bool, search: Search) -> tuple[int, int]:
    """Write the legal moves of s into `path.moves`, from index `top` on. Returns the number of moves, and the index of
    the move to search first.

    Moves that are forbidden because they repeat a position are omitted. If `only_needed` is True, moves for which
    `Shortcuts.is_needed` returns False are also omitted. The moves after the first are not sorted, because the first
    move often causes a cutoff. `next_move` sorts them when the second move is needed.
    """
    path, memory = search.run.path, search.memory
    moves, scores, top = path.moves, path.scores, path.top
    last = len(moves) - 1
    forbids = game.repetition == FORBIDDEN
    fetches = ply > 0 and looks_ahead(game, s, search)
    end, first, best = top, top, -math.inf
    for move in game.moves(s):
        if end >= last:
            search.run.counts.stop = ENDLESS_MOVES if 2 * (end - top) > last else OUT_OF_SPACE
            break
        if forbids and is_forbidden(game, game.result(s, move), ply, path):
            continue
        if search.groups.shortcuts is not None:
            if only_needed and not game.is_needed(s, move):  # type: ignore[attr-defined]
                continue
        moves[end] = move
        end += 1
        if fetches:
            fetch_entry(game, game.result(s, move), search)
    if memory.ordering is not None:
        for i in range(top, end if end > top + 1 else top):  # a single move needs no score
            scores[i] = score_of(game, s, moves[i], ply, search)
            if scores[i] > best:
                first, best = i, scores[i]
    path.top = end
    return end - top, table_first(table_move, top, first, memory, path)


@kernel
def table_first(table_move: int, top: int, first: int, memory: Memory, path: Path) -> int:
    """Find the transposition table's move in `path.moves`, and return its index. If it is not there, return `first`. If
    moves are ordered, also increase the score of this move."""
    if memory.table is not None and table_move >= 0:
        for i in range(top, path.top):
            if stored_move(path.moves[i]) != table_move:
                continue
            if memory.ordering is None:
                first = i
                continue
            scores = path.scores
            scores[i] += FIRST
            if scores[i] > scores[first] or (scores[i] == scores[first] and i < first):
                first = i
    return first


@kernel
def next_move(i: int, first: int, top: int, count: int, search: Search) -> int:
    """The i-th move in the order of the search. The moves of the node begin at index `top`. The move at index `first`
    comes first."""
    path = search.run.path
    if i == 1:
        sort_moves(top, first, top + count, search.memory, path)
    return int(path.moves[top + i if i > 0 else first])


@kernel
def make_move(game: Game, s: Any, move: int, depth: int, ply: int, search: Search) -> Any:
    """Make a move: report it to the observer, record it for move ordering, and return the position after it."""
    if search.run.observer is not None:
        search.run.observer.move(ply, move)
    if search.memory.ordering is not None:
        follow(ply, move, search.memory.ordering)
    after = game.result(s, move)
    if depth > 1:
        fetch_entry(game, after, search)
    return after


@kernel
def sort_moves(top: int, first: int, end: int, memory: Memory, path: Path) -> None:
    """Bring the move at index `first` to index `top`, and sort the other moves, up to index `end`, by descending
    score."""
    if first > top:
        move_forward(first, top, path)
    if memory.ordering is not None:
        sort_by_score(top + 1, end, path)
    if path.swaps:  # so that two threads do not search the same moves first
        moves = path.moves
        for i in range(top + 1, end - 1, 2):
            moves[i], moves[i + 1] = moves[i + 1], moves[i]


@kernel
def sort_by_score(begin: int, end: int, path: Path) -> None:
    """Sort the moves in `path.moves` from index `begin` to `end` by descending score. Insertion sort keeps the order of
    moves with equal scores."""
    scores = path.scores
    for i in range(begin + 1, end):
        place, score = i, scores[i]
        while place > begin and scores[place - 1] < score:
            place -= 1
        if place < i:
            move_forward(i, place, path)


@kernel
def move_forward(i: int, place: int, path: Path) -> None:
    """Put the move at index i at the earlier index `place`, and shift the moves in between by one."""
    moves = path.moves
    scores = path.scores
    move, score = moves[i], scores[i]
    while i > place:
        moves[i] = moves[i - 1]
        scores[i] = scores[i - 1]
        i -= 1
    moves[place] = move
    scores[place] = score


@kernel
def history_leads(search: Search) -> bool:
    """Whether quiet moves are ordered by history first, and only then by the game's `order`."""
    if search.selection is not None:
        return bool(search.selection.parts.history)
    return False


@kernel
def score_of(game: Game, s: Any, move: int, ply: int, search: Search, is_sound: bool = False) -> float:
    """The score of a move for ordering. `is_sound` says that the move is known not to lose the exchange on its target
    square."""
    ordering, leads = search.memory.ordering, history_leads(search)
    score, orders = 0.0, ordering.orders
    if orders & GAME:
        score += game.order(s, move)
        if game.has_move_kinds and not orders & KIND and game.kind_of_move(s, move) >= THREAT:
            is_losing = leads and not is_sound and loses_exchange(game, s, move, 0, search)
            score += -PHASE if is_losing else PHASE
    if orders & ~GAME:
        if game.has_move_kinds and orders & KIND:
            score += PHASE * game.kind_of_move(s, move)
        if orders & EVALUATE:
            score += value_after(game, s, move)
        if orders & PREVIOUS and continues(move, ply, ordering):
            score += FIRST
        if orders & KILLER and ply < VARIATION_PLIES:
            if move == ordering.killers[ply][0]:
                score += KILLER_SCORE
            elif move == ordering.killers[ply][1]:
                score += KILLER_SCORE / 2
        if orders & COUNTERMOVE and move + 1 == countermove(game, s, ply, ordering):
            score += COUNTERMOVE_SCORE
        if orders & HISTORY:
            past = ordering.history[history_side(game, s)][move & (HISTORY_SIZE - 1)]
            score += LEADING_UNIT * (past + continuation(move, ply, search)) if leads else HISTORY_UNIT * past
    return score


@kernel
def loses_exchange(game: Game, s: Any, move: int, most: float, search: Search) -> bool:
    """Whether a move loses more than `most` in the exchange on its target square. The unit of `most` is the unit of the
    game's `order`."""
    if search.groups.exchanging is not None:
        return bool(game.gain(s, move) < -most)  # type: ignore[attr-defined]
    return False


@kernel
def continues(move: int, ply: int, ordering: Ordering) -> bool:
    """Whether `move` is the next move of the principal variation of the previous iteration. All moves of the path must
    also be from this variation."""
    return ordering.followed >= ply and ply < VARIATION_PLIES and move == ordering.previous[ply]


@kernel
def value_after(game: Game, s: Any, move: int) -> float:
    """The evaluation of the position after a move, for the player who makes the move."""
    after = game.result(s, move)
    value = float(game.utility(after)) if game.terminal(after) else float(game.evaluate(after))
    return value if game.player(s) == MAX else -value


@kernel
def history_side(game: Game, s: Any) -> int:
    """The index of the history of the player to move."""
    return 0 if game.player(s) == MAX else 1


@kernel
def countermove(game: Game, s: Any, ply: int, ordering: Ordering) -> int:
    """Find the countermove: the latest move that caused a cutoff in reply to the same move. Return the countermove + 1,
    or 0 if none is known."""
    if 0 < ply <= VARIATION_PLIES:
        return int(ordering.countermoves[history_side(game, s)][ordering.made[ply - 1] & (HISTORY_SIZE - 1)])
    return 0


@kernel
def pair_of_moves(back: int, move: int, ply: int, search: Search) -> int:
    """The index in `continuations` for a pair of moves: `move`, and the move that was made `back` plies earlier. The
    index is -1 if the earlier move is unknown."""
    before = search.selection.trail.moves[ply - back] if ply >= back else -1
    if before < 0:  # no move, a null move, or a search of ProbCut
        return -1
    return int(mix((before & HISTORY_SIZE - 1) << 16 | (move & HISTORY_SIZE - 1) << 2 | back) & CONTINUATIONS - 1)


@kernel
def continuation(move: int, ply: int, search: Search) -> int:
    """The history of a move after the opponent's last move, plus its history after the mover's own last move."""
    total = 0
    if search.selection is not None:
        for back in range(1, 3):
            place = pair_of_moves(back, move, ply, search)
            if place >= 0:
                total += search.selection.trail.continuations[place]
    return total


@kernel
def note_refutation(game: Game, s: Any, move: int, i: int, count: int, depth: int, ply: int, search: Search) -> None:
    """The i-th of `count` moves causes a cutoff: count the cutoff, and remember the move for ordering."""
    if search.memory.ordering is not None and depth > 0:
        if not history_leads(search):
            remember_refutation(game, s, move, ply, depth, search.memory.ordering)
        elif not is_forcing(game, s, move):
            remember_refutation(game, s, move, ply, 0, search.memory.ordering)
            change_histories(game, s, move, i, count, depth, ply, search)
    note_cutoff(ply, i, count, search.run)


@kernel
def is_forcing(game: Game, s: Any, move: int) -> bool:
    """Whether the game declares that a move is a threat or a capture."""
    return bool(game.has_move_kinds and game.kind_of_move(s, move) >= THREAT)


@kernel
def change_histories(game: Game, s: Any, move: int, i: int, count: int, depth: int, ply: int, search: Search) -> None:
    """The i-th of `count` moves caused a cutoff: increase its history, and decrease the history of the quiet moves
    before it."""
    path = search.run.path
    if search.memory.ordering.orders & HISTORY:
        change, first = min(depth * depth + 8 * depth, MOST_CHANGE), path.top - count
        for j in range(first, first + i):
            if not is_forcing(game, s, path.moves[j]):
                change_history(game, s, path.moves[j], -change, ply, search)
        change_history(game, s, move, change, ply, search)


@kernel
def change_history(game: Game, s: Any, move: int, change: int, ply: int, search: Search) -> None:
    """Change the history of a move. Also change two histories in `continuations`: of the move after the opponent's last
    move, and of the move after the mover's own last move."""
    history, place = search.memory.ordering.history[history_side(game, s)], move & (HISTORY_SIZE - 1)
    history[place] += bounded_change(history[place], change)
    if search.selection is not None:
        continuations = search.selection.trail.continuations
        for back in range(1, 3):
            place = pair_of_moves(back, move, ply, search)
            if place >= 0:
                continuations[place] += bounded_change(continuations[place], change)


@kernel
def bounded_change(score: int, change: int) -> int:
    """The change of a history score, adjusted so that the score stays between -MOST_LEADING and MOST_LEADING."""
    return change - score * abs(change) // MOST_LEADING


@kernel
def remember_refutation(game: Game, s: Any, move: int, ply: int, depth: int, ordering: Ordering) -> None:
    """Record a move that caused a cutoff. The move becomes a killer and a countermove. If the depth is above 0, the
    history also counts the move."""
    if ordering.orders & KILLER and ply < VARIATION_PLIES and ordering.killers[ply][0] != move:
        ordering.killers[ply][1] = ordering.killers[ply][0]
        ordering.killers[ply][0] = move
    if ordering.orders & COUNTERMOVE and 0 < ply <= VARIATION_PLIES:
        ordering.countermoves[history_side(game, s)][ordering.made[ply - 1] & (HISTORY_SIZE - 1)] = move + 1
    if ordering.orders & HISTORY and depth > 0:
        history, place, weight = ordering.history[history_side(game, s)], move & (HISTORY_SIZE - 1), min(depth, 64)
        history[place] += weight * weight
        if history[place] > MOST_HISTORY:
            for i in range(HISTORY_SIZE):
                history[i] >>= 1
