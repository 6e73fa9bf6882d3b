"""Watch a proof: run the searches of one position in interpreted code, and report every event to an observer."""

from typing import Any

from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.aliases import WATCHED
from gamesearch.errors import GamesearchError, Interrupted, refuse
from gamesearch.game import MAX, Game
from gamesearch.notation import zero_sum_words
from gamesearch.solvers.proof.search import FORCING, ForcingGame, ProofSearch, check_forcing, prover_for, search_for
from gamesearch.solvers.solving import fitting_method, known_method
from gamesearch.specification import construct, parse_specification

__all__ = ["proof_to_watch", "watch_proof"]


def proof_to_watch(game: Game, state: Any, method: str) -> ProofSearch:
    """The search that a method such as `proof(search=pn)` specifies. Raises GamesearchError if this search cannot be
    watched."""
    given = parse_specification(known_method(method))
    refuse(
        (
            given.name != "proof",
            f"the steps of the method {method} cannot be shown: choose one of --method {', '.join(WATCHED)}; for a "
            "search, use gamesearch analyze or watch with --algorithm",
        ),
        (game.payoff_count > 1, f"proof is {zero_sum_words(game)}"),
    )
    fitting_method(game, method)
    asked: ProofSearch = construct("the method", ProofSearch, given)
    if asked.attack == FORCING:
        check_forcing(game)
    search_for(game, asked)
    if game.terminal(state):
        raise GamesearchError(f"the game is over in {game.format(state)!r}: there is nothing to prove")
    return asked


def watch_proof(
    game: Game,
    state: Any,
    asked: ProofSearch,
    observer: Observer,
    *,
    monitor: Monitor | None = None,
    nodes: int | None = None,
) -> SearchResult:
    """Find the value of a position by proof-number searches; the observer sees all of them. `solve` begins with the
    same searches, which visit the same nodes. Then it finds the values of the moves by further searches. `nodes` limits
    the number of visited positions."""
    is_attack, side = asked.attack == FORCING, game.player(state)
    runner = Runner(ForcingGame(game, side) if is_attack else game, "interpreted")
    runner.start(Limits(nodes=nodes), monitor=monitor, observer=observer)
    runner.begin()
    prover, value, best = prover_for(runner, asked), None, None
    try:
        value = prover.value(state)
        counted = runner.statistics()
        runner.observer = None
        best = prover.move_that_gets(state, value)
    except Interrupted:
        counted = runner.statistics()
    is_won = value == (1.0 if side == MAX else -1.0)
    if is_attack and value is not None:
        value = float(game.MAXSCORE if side == MAX else game.MINSCORE) if is_won else None
        best = best if is_won else None
    return SearchResult(
        algorithm=asked.specification,
        value=value,
        bound="exact",
        best=best,
        line=() if best is None else (best,),
        statistics=counted,
        stopped=runner.stopped if value is None else "",
        sees_the_end=value is not None,
    )
