"""Kernels that decide the positions of a layer by sweeps. All lower layers must already be decided.

A sweep examines all undecided positions. Sweeps are repeated until nothing changes. The sweeps need memory only for the
codes (`gamesearch.algorithms.databases.codes`). If positions can repeat, sweep d finds the positions that are won or
lost in d plies. Positions that are still undecided after the last sweep are draws.
"""

import math
from typing import Any

from gamesearch.algorithms.databases.codes import (
    DRAWN,
    NO_POSITION,
    UNDECIDED,
    Layers,
    certain_payoff,
    code_in_layers,
    decode,
    encode,
    plies_of,
)
from gamesearch.compiler import kernel
from gamesearch.game import MAX, NEVER
from gamesearch.optional import NumberedGame
from gamesearch.solvers.store import prefers

__all__ = ["begin_layer", "code_after", "code_by_moves", "count_codes", "first_wrong", "is_other", "sweep"]


@kernel
def is_other(game: NumberedGame[Any], s: Any, layer: int, number: int) -> bool:
    """Whether s is not a legal position, or its number differs from `number`. Such numbers are skipped."""
    if not game.is_numbered(s):
        return True
    return not game.numbers_are_exact and (game.layer(s) != layer or game.rank(s) != number)


@kernel
def payoff_code(game: Any, s: Any, layers: Layers) -> int:
    """The code of a terminal position; UNDECIDED if the payoff contradicts the declaration `win_or_loss`."""
    payoff = float(game.utility(s))
    is_one_of_three = payoff == game.MAXSCORE or payoff == game.MINSCORE or payoff == game.draw_value()
    if game.win_or_loss and not is_one_of_three:
        return UNDECIDED
    return encode(game, payoff if game.win_or_loss else payoff - certain_payoff(game, s, layers), 0, game.player(s))


@kernel
def begin_layer(
    game: NumberedGame[Any], layer: int, start: int, end: int, most: int, codes: Any, layers: Layers
) -> int:
    """For the numbers `start` to `end` - 1, write the codes that are known before the first sweep.

    The code of a terminal position is the code of its payoff. The code of a number without a position is NO_POSITION.
    If positions cannot repeat, the codes of all other positions follow from their children; a code greater than `most`
    is not written. Returns the number of positions, or -1 if a payoff contradicts `win_or_loss`.
    """
    positions = 0
    s = game.unrank(layer, start)
    for number in range(start, end):
        if number > start:
            s = game.unrank_after(layer, number, s)
        if is_other(game, s, layer, number):
            codes[number] = NO_POSITION
            continue
        positions += 1
        if game.terminal(s):
            code = payoff_code(game, s, layers)
            if code == UNDECIDED:
                return -1
            codes[number] = code
        elif game.repetition == NEVER:
            code = code_by_moves(game, s, layer, -1, codes, layers)
            if code <= most:
                codes[number] = code
    return positions


@kernel
def code_after(game: Any, s: Any, layer: int, codes: Any, layers: Layers) -> int:
    """The code of s. A move from a position in `layer` leads to s, so s is in `layer`, in a lower layer, or
    terminal."""
    if layers.codes is not None:
        if game.layer(s) == layer:
            return int(codes[game.rank(s)])
    code = code_in_layers(game, s, layers)
    return payoff_code(game, s, layers) if code == UNDECIDED and game.terminal(s) else code


@kernel
def code_by_moves(game: Any, s: Any, layer: int, plies: int, codes: Any, layers: Layers) -> int:
    """The code of a position, computed from its children; UNDECIDED if the children do not decide it. Children that are
    won or lost in at least `plies` plies count as undecided, unless `plies` is negative."""
    player, is_whole = game.player(s), True
    maximizing = player == MAX
    best, distance, even = -math.inf if maximizing else math.inf, 0, float(game.draw_value())
    paid = 0.0 if game.win_or_loss else certain_payoff(game, s, layers)
    for move in game.moves(s):
        after = game.result(s, move)
        code = code_after(game, after, layer, codes, layers)
        if code == UNDECIDED or (plies >= 0 and plies_of(code) >= plies):
            is_whole = False
            continue
        value, far = decode(game, code, game.player(after))
        if not game.win_or_loss:
            value += certain_payoff(game, after, layers) - paid
        if prefers(value, far + 1, best, distance, maximizing, even):
            best, distance = value, far + 1
    if not is_whole and (game.repetition == NEVER or not (best > even if maximizing else best < even)):
        return UNDECIDED
    return encode(game, best, distance, player)


@kernel
def sweep(
    game: NumberedGame[Any], layer: int, start: int, end: int, plies: int, most: int, codes: Any, layers: Layers
) -> int:
    """Decide positions with the numbers `start` to `end` - 1; returns the number of decided positions, or -1 if a code
    exceeds `most`."""
    found = 0
    for number in range(start, end):
        if codes[number] != UNDECIDED:
            continue
        s = game.unrank(layer, number)
        code = code_by_moves(game, s, layer, plies, codes, layers)
        if code > most:
            return -1
        if code != UNDECIDED:
            codes[number] = code
            found += 1
    return found


@kernel
def first_wrong(game: NumberedGame[Any], layer: int, start: int, end: int, codes: Any, layers: Layers) -> int:
    """Check the codes of positions with the rules and a search of one ply; returns the number of the first wrong code,
    or -1."""
    for number in range(start, end):
        s, code = game.unrank(layer, number), int(codes[number])
        if is_other(game, s, layer, number):
            expected = NO_POSITION
        elif game.terminal(s):
            expected = payoff_code(game, s, layers)
        else:
            expected = code_by_moves(game, s, layer, -1, codes, layers)
        if code != expected:
            return number
    return -1


@kernel
def count_codes(game: NumberedGame[Any], _layer: int, start: int, end: int, block: int, codes: Any, counts: Any) -> int:
    """Count the wins, draws and losses of the side to move. Positions that are still UNDECIDED become draws.

    The function writes the three counts and the greatest number of plies to a win into `counts[start // block]`. In a
    game for points, a position is a win if the side to move gains points from there to the end of the game. Returns the
    greatest code.
    """
    even, most = float(game.draw_value()) if game.win_or_loss else 0.0, 0
    row = counts[start // block]
    for number in range(start, end):
        code = int(codes[number])
        if code == UNDECIDED:
            codes[number] = code = DRAWN
        most = max(most, code)
        if code != NO_POSITION:
            value, plies = decode(game, code, MAX)
            row[0 if value > even else 2 if value < even else 1] += 1
            row[3] = max(row[3], plies)
    return most
