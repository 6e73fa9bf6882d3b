"""Playouts: random games from a position, to the end or for some plies.

Random numbers are drawn by counting: the n-th is a hash of the start plus n (a Weyl sequence, scrambled as in SplitMix:
Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). So they are the same at both speeds.
"""

import math
from typing import Any, NamedTuple

from gamesearch.algorithms.node.records import Record, integers, reals
from gamesearch.algorithms.node.repetition import is_forbidden, note_position, recurs
from gamesearch.algorithms.node.values import estimate_within, estimates_within
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, FULL_DEPTH, MAX_PLY, NODE_LIMIT, Options, Run
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES, RECURRENCE_DRAWS, Game
from gamesearch.optional import MOST_NOTED
from gamesearch.toolkit.bits import mix

__all__ = [
    "MOST_PLAYERS",
    "PlayoutRecord",
    "Playouts",
    "list_moves",
    "list_outcomes",
    "note_draw",
    "note_payoff",
    "payoff_of",
    "play_out",
    "random_outcome",
    "random_unit",
    "stop_at_limit",
    "weigh_moves",
    "width_of",
    "win_of",
]

LONGEST = 1_000
"""After so many moves a playout is estimated in any case: at random, some games go on and on."""
MOST_PLAYERS = 64
"""The greatest number of players in a game that is played out."""


class PlayoutRecord(Record):
    """The settings of playouts, the state of the random numbers, and the result of the last playout."""

    drawn = integers()  # the start of the random numbers, plus how many were drawn
    plies = integers()  # the number of moves after which a playout is estimated; 0 for never
    temperature = reals()  # of the softmax over the game's order; 0 if all moves are equally likely
    length = integers()  # the ply, counted from the root, at which the last playout ended
    payoffs = reals(MOST_PLAYERS)  # what it paid: for Max, or for each of more than two players
    moves = integers(MAX_PLY + 1 + MOST_NOTED)  # its moves, those in the tree too, by ply
    players = integers(MAX_PLY + 1 + MOST_NOTED)  # who made them


class Playouts(NamedTuple):
    """What the playouts of a search use."""

    record: Any
    quick: Any
    """Set if the game plays random games itself (`PlayedOut.random_payoff`); otherwise None."""
    noted: Any
    """Set if these random games return their moves (`PlayedOut.random_moves`); otherwise None."""


# Random numbers. ---------------------------------------------------------------------------------
@kernel
def random_number(record: PlayoutRecord) -> int:
    """The next random number of 64 bits, with sign."""
    record.drawn += 1
    return mix(mix(mix(record.drawn)))


@kernel
def random_below(count: int, record: PlayoutRecord) -> int:
    """A random number from 0 to `count` - 1; `count` is at most 2**31."""
    return (random_number(record) >> 1 & 0xFFFFFFFF) * count >> 32


@kernel
def random_unit(record: PlayoutRecord) -> float:
    """A random number from 0 to 1, less than 1."""
    return float(random_number(record) >> 11 & 0x1FFFFFFFFFFFFF) * 2.0**-53


# Payoffs. ----------------------------------------------------------------------------------------
@kernel
def width_of(game: Game) -> int:
    """How many numbers a payoff is: one, Max's, or one for each of more than two players."""
    return game.payoff_count


@kernel
def note_payoff(game: Game, payoff: Any, record: PlayoutRecord) -> None:
    """Keep what a game paid."""
    if game.payoff_count > 1:
        for i in range(game.players):
            record.payoffs[i] = payoff[i]
    else:
        record.payoffs[0] = float(payoff)


@kernel
def note_estimate(game: Game, s: Any, record: PlayoutRecord, run: Run) -> None:
    """Store the estimate of a position as the payoff of the game."""
    run.counts.truncated += 1
    if game.payoff_count > 1:
        note_payoff(game, estimates_within(game, game.evaluate(s)), record)
    else:
        note_payoff(game, estimate_within(game, float(game.evaluate(s))), record)


@kernel
def note_draw(game: Game, record: PlayoutRecord) -> None:
    """Keep that a game was drawn."""
    for i in range(width_of(game)):
        record.payoffs[i] = game.draw_value()


@kernel
def payoff_of(game: Game, player: int, record: PlayoutRecord) -> float:
    """The payoff of a player in the last playout; for two players, always Max's payoff."""
    return float(record.payoffs[player if game.payoff_count > 1 else 0])


@kernel
def win_of(game: Game, record: PlayoutRecord) -> float:
    """1 if the last playout was won by Max, 1/2 if it was drawn, else 0; for two players."""
    payoff, draw = record.payoffs[0], game.draw_value()
    if payoff == draw:
        return 0.5
    return 1.0 if payoff > draw else 0.0


# Moves. ------------------------------------------------------------------------------------------
@kernel
def list_moves(game: Game, s: Any, run: Run) -> int:
    """Write the moves of s into the path from place 0 on, those too that superko forbids; how many there are."""
    path, count = run.path, 0
    for move in game.moves(s):
        if count >= MOST_MOVES:
            run.counts.stop = ENDLESS_MOVES
            break
        path.moves[count] = move
        count += 1
    return count


@kernel
def list_outcomes(game: Game, s: Any, run: Run) -> int:
    """Write the possible outcomes of s into the path from place 0 on, with their probabilities; how many there are."""
    path, count = run.path, 0
    for outcome, probability in game.outcomes(s):
        if count >= MOST_MOVES:
            run.counts.stop = ENDLESS_MOVES
            break
        if probability > 0.0:
            path.moves[count] = outcome
            path.scores[count] = probability
            count += 1
    return count


@kernel
def weigh_moves(game: Game, s: Any, count: int, temperature: float, run: Run) -> float:
    """Write the weights of the moves on the path beside them, and return their sum: a softmax over the game's order.

    The best has weight 1. Orders have another scale in each game, so the temperature is a part of the difference
    between the greatest and the least.
    """
    path, greatest, least = run.path, -math.inf, math.inf
    for i in range(count):
        score = float(game.order(s, path.moves[i]))
        path.scores[i] = score
        greatest, least = max(greatest, score), min(least, score)
    scale, total = temperature * (greatest - least), 0.0
    for i in range(count):
        path.scores[i] = math.exp((path.scores[i] - greatest) / scale) if scale > 0.0 else 1.0
        total += path.scores[i]
    return total


@kernel
def random_outcome(game: Game, s: Any, record: PlayoutRecord) -> int:
    """An outcome of a chance node, by its probability."""
    left, chosen = random_unit(record), 0
    for outcome, probability in game.outcomes(s):
        if probability > 0.0:
            chosen = outcome
            left -= probability
            if left < 0.0:
                break
    return chosen


@kernel
def random_place(count: int, total: float, record: PlayoutRecord, run: Run) -> int:
    """The place of a random move on the path, by weights whose sum is `total`."""
    if record.temperature == 0.0:
        return random_below(count, record)
    left = total * random_unit(record)
    for i in range(count):
        left -= run.path.scores[i]
        if left < 0.0:
            return i
    return count - 1


@kernel
def after_random_move(game: Game, s: Any, ply: int, record: PlayoutRecord, run: Run) -> tuple[bool, Any]:
    """Whether s has a legal move, and the position after a random one."""
    path, total = run.path, 0.0
    count = list_moves(game, s, run)
    if record.temperature > 0.0:
        total = weigh_moves(game, s, count, record.temperature, run)
    while count > 0:
        place = random_place(count, total, record, run)
        move = path.moves[place]
        after = game.result(s, move)
        if game.recurrence != FORBIDDEN or not is_forbidden(game, after, ply, path):
            record.moves[ply] = move
            record.players[ply] = game.player(s)
            return True, after
        count -= 1  # the last move takes its place, and another one is drawn
        total -= path.scores[place]
        path.moves[place] = path.moves[count]
        path.scores[place] = path.scores[count]
    return False, s


@kernel
def play_out(game: Game, s: Any, ply: int, playouts: Playouts, run: Run) -> None:
    """Play on from s at random, and keep the payoff of the game in `record.payoffs`.

    A game with its own random games plays one; `record.length` is then the ply of s, unless the game noted its moves.
    Otherwise the game is drawn if a position occurs again or superko forbids every move, and estimated if it lasts too
    long. The positions after s count as nodes, and s as a leaf.
    """
    record, counts = playouts.record, run.counts
    if playouts.quick is not None:
        counts.leaves += 1
        note_payoff(game, game.random_payoff(s, random_number(record)), record)  # type: ignore[attr-defined]
        record.length = ply
        return
    if playouts.noted is not None:
        play_out_noted(game, s, ply, record, run)
        return
    last = min(MAX_PLY, ply + min(LONGEST, record.plies) if record.plies > 0 else ply + LONGEST)
    counts.leaves += 1
    while True:
        if game.terminal(s):
            note_payoff(game, game.utility(s), record)
            break
        if game.recurrence == RECURRENCE_DRAWS and recurs(game, s, FULL_DEPTH, ply, run.path):
            note_draw(game, record)
            break
        if ply >= last or counts.stop == ENDLESS_MOVES:
            note_estimate(game, s, record, run)
            break
        if game.recurrence == FORBIDDEN:
            note_position(game, s, ply, run.path)
        if game.player(s) == CHANCE:
            record.moves[ply] = random_outcome(game, s, record)
            record.players[ply] = CHANCE
            s = game.result(s, record.moves[ply])
        else:
            has_move, s = after_random_move(game, s, ply, record, run)
            if not has_move:
                note_draw(game, record)
                break
        ply += 1
        counts.nodes += 1
    record.length = ply


@kernel
def play_out_noted(game: Game, s: Any, ply: int, record: PlayoutRecord, run: Run) -> None:
    """Ask the game for a random end from s, and for its moves, which the players make in turns."""
    run.counts.leaves += 1
    payoff, record.length = game.random_moves(s, random_number(record), record.moves, ply)  # type: ignore[attr-defined]
    note_payoff(game, payoff, record)
    player = game.player(s)
    for i in range(ply, record.length):
        record.players[i] = player
        player = 1 - player


@kernel
def stop_at_limit(options: Options, run: Run) -> None:
    """Stop the search after the playout that reaches the limit of nodes."""
    if run.counts.nodes >= options.node_limit:
        run.counts.stop = NODE_LIMIT
