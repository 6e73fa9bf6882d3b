"""Playouts: random games from a position to the end of the game, or for a number of plies.

Random number n is a hash of a start value plus n (a Weyl sequence, scrambled as in SplitMix: Steele, Lea and Flood,
2014, "Fast splittable pseudorandom number generators"). So interpreted and compiled searches use the same numbers.
"""

import math
from typing import Any, NamedTuple

from gamesearch.algorithms.node.records import Record, float_field, integer_field
from gamesearch.algorithms.node.repetition import is_forbidden, is_repetition, note_position
from gamesearch.algorithms.node.values import estimate_within, estimates_within
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, FULL_DEPTH, MAX_PLY, NODE_LIMIT, Options, Run
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES, REPETITION_DRAWS, Game
from gamesearch.optional import MOST_NOTED
from gamesearch.toolkit.bits import mix

__all__ = [
    "MOST_PLAYERS", "PlayoutRecord", "Playouts", "list_moves", "list_outcomes", "note_draw", "note_payoff", "payoff_of",
    "play_out", "random_outcome", "random_unit", "stop_at_limit", "weigh_moves", "width_of", "win_of",
]  # fmt: skip

LONGEST = 1_000
"""The number of moves after which a playout ends with the game's evaluation. Some random games would never end."""
MOST_PLAYERS = 64
"""Playouts are possible only in games with at most this number of players."""


class PlayoutRecord(Record):
    """The settings of playouts, the state of the random numbers, and the result of the last playout."""

    drawn = integer_field()  # start value of the random numbers, plus the count of drawn numbers
    plies = integer_field()  # number of moves after which a playout ends with the evaluation; 0 for LONGEST
    temperature = float_field()  # temperature of the softmax over the game's order; 0 for uniformly random moves
    length = integer_field()  # ply, counted from the root, at which the last playout ended
    payoffs = float_field(MOST_PLAYERS)  # last payoffs: of Max or, with more than two players, of all players
    moves = integer_field(MAX_PLY + 1 + MOST_NOTED)  # moves of the last playout by ply, including moves in the tree
    players = integer_field(MAX_PLY + 1 + MOST_NOTED)  # the player who made each move


class Playouts(NamedTuple):
    """The record of playouts, and two flags. The flags say whether the game itself plays random games (`PlayoutGame`).

    `quick` is 1 if playouts call the game's `random_payoff`, otherwise None. `noted` is 1 if playouts call the game's
    `random_moves`, otherwise None.
    """

    record: Any
    quick: Any
    noted: Any


# Random numbers. ---------------------------------------------------------------------------------
@kernel
def random_number(record: PlayoutRecord) -> int:
    """The next random number: a signed integer of 64 bits."""
    record.drawn += 1
    return mix(mix(mix(record.drawn)))


@kernel
def random_below(count: int, record: PlayoutRecord) -> int:
    """A random integer from 0 to `count` - 1, for `count` up to 2**31."""
    return (random_number(record) >> 1 & 0xFFFFFFFF) * count >> 32


@kernel
def random_unit(record: PlayoutRecord) -> float:
    """A random number from 0 (inclusive) to 1 (exclusive)."""
    return float(random_number(record) >> 11 & 0x1FFFFFFFFFFFFF) * 2.0**-53


# Payoffs. ----------------------------------------------------------------------------------------
@kernel
def width_of(game: Game) -> int:
    """The number of payoffs that a playout returns: 1 if only Max has a payoff, otherwise one for each player."""
    return game.payoff_count


@kernel
def note_payoff(game: Game, payoff: Any, record: PlayoutRecord) -> None:
    """Store the payoff of a finished game as the result of the playout."""
    if game.payoff_count > 1:
        for i in range(game.players):
            record.payoffs[i] = payoff[i]
    else:
        record.payoffs[0] = float(payoff)


@kernel
def note_estimate(game: Game, s: Any, record: PlayoutRecord, run: Run) -> None:
    """Store the estimate of a position as the result of the playout."""
    run.counts.truncated += 1
    if game.payoff_count > 1:
        note_payoff(game, estimates_within(game, game.evaluate(s)), record)
    else:
        note_payoff(game, estimate_within(game, float(game.evaluate(s))), record)


@kernel
def note_draw(game: Game, record: PlayoutRecord) -> None:
    """Store the payoff of a draw as the result of the playout."""
    for i in range(width_of(game)):
        record.payoffs[i] = game.draw_value()


@kernel
def payoff_of(game: Game, player: int, record: PlayoutRecord) -> float:
    """The payoff of a player in the last playout. If only Max has a payoff, returns this payoff."""
    return float(record.payoffs[player if game.payoff_count > 1 else 0])


@kernel
def win_of(game: Game, record: PlayoutRecord) -> float:
    """The score of Max in the last playout of a game for two players: 1 for a win, 1/2 for a draw, 0 for a loss."""
    payoff, draw = record.payoffs[0], game.draw_value()
    if payoff == draw:
        return 0.5
    return 1.0 if payoff > draw else 0.0


# Moves. ------------------------------------------------------------------------------------------
@kernel
def list_moves(game: Game, s: Any, run: Run) -> int:
    """Write all moves of s, even forbidden moves, into `path.moves`. Returns the number of moves."""
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
    """Write the possible outcomes of s into `path.moves`, and their probabilities into `path.scores`. Returns the
    number of outcomes."""
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
    """Write the weight of each move in `path.moves` into `path.scores`: a softmax over the game's order. Returns the
    sum of the weights.

    The move with the greatest `order` has weight 1. The scale of `order` differs between games, so the temperature is a
    fraction of the difference between the greatest and the smallest value of `order`.
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
    """Choose an outcome of a chance node at random, according to the probabilities."""
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
    """The index of a random move in `path.moves`. The probability of a move is proportional to its weight in
    `path.scores`. `total` is the sum of the weights."""
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
    """Make a random legal move. Returns whether s has a legal move, and the position after the move."""
    path, total = run.path, 0.0
    count = list_moves(game, s, run)
    if record.temperature > 0.0:
        total = weigh_moves(game, s, count, record.temperature, run)
    while count > 0:
        place = random_place(count, total, record, run)
        move = path.moves[place]
        after = game.result(s, move)
        if game.repetition != FORBIDDEN or not is_forbidden(game, after, ply, path):
            record.moves[ply] = move
            record.players[ply] = game.player(s)
            return True, after
        count -= 1  # the last move replaces the forbidden move; then another move is drawn
        total -= path.scores[place]
        path.moves[place] = path.moves[count]
        path.scores[place] = path.scores[count]
    return False, s


@kernel
def play_out(game: Game, s: Any, ply: int, playouts: Playouts, run: Run) -> None:
    """Play a random game from s, and store its payoff in `record.payoffs`.

    A `PlayoutGame` plays the random game by its own methods. If it does not record the moves of a random game,
    `record.length` is the ply of s. In other games, the playout is a draw if a position is repeated or every move is
    forbidden. A playout that lasts too long ends with the estimate of its last position. Each position after s counts
    as a node, and each playout as a leaf.
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
        if game.repetition == REPETITION_DRAWS and is_repetition(game, s, FULL_DEPTH, ply, run.path):
            note_draw(game, record)
            break
        if ply >= last or counts.stop == ENDLESS_MOVES:
            note_estimate(game, s, record, run)
            break
        if game.repetition == FORBIDDEN:
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
    """Use the game's method `random_moves` to play a random game, and store the moves and the payoff. The players must
    alternate."""
    run.counts.leaves += 1
    payoff, record.length = game.random_moves(s, random_number(record), record.moves, ply)  # type: ignore[attr-defined]
    note_payoff(game, payoff, record)
    player = game.player(s)
    for i in range(ply, record.length):
        record.players[i] = player
        player = 1 - player


@kernel
def stop_at_limit(options: Options, run: Run) -> None:
    """Stop the search if the node limit is reached. Searches call this function after each playout."""
    if run.counts.nodes >= options.node_limit:
        run.counts.stop = NODE_LIMIT
