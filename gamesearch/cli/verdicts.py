"""`gamesearch solve --check`: whether a strategy in a file shows what it claims."""

from typing import Any

import click

from gamesearch.algorithms.parts.formatting import data_number, plural, value_text
from gamesearch.cli.consoles import print_json
from gamesearch.game import Game
from gamesearch.play.files import read_text
from gamesearch.questions import Measured
from gamesearch.solvers.strategy_files import Claim, game_of, read_claim, read_moves
from gamesearch.solvers.verification import Verdict, verify

__all__ = ["print_verdict"]

LARGEST = 100_000_000
"""No strategy that is read is larger (bytes)."""


def print_verdict(name: str, given: str, as_json: bool) -> int:
    """Check the strategy in a file, and print what was found; the exit code. A game may be given, too."""
    text = read_text(name, "a strategy", LARGEST)
    claim = read_claim(text, name)
    game, state = game_of(claim, name, given)
    verdict = verify(game, state, claim, read_moves(text, name, game))
    if as_json:
        print_json(verdict_data(claim, verdict))
    elif verdict.reason:
        click.echo(f"{name} does not show what it claims: {verdict.reason}")
    else:
        click.echo(
            f"{name} is right: {claim_sentence(game, state, claim)}; {plural(verdict.positions, 'position')} visited"
        )
    return 1 if verdict.reason else 0


def claim_sentence(game: Game[Any], state: Any, claim: Claim) -> str:
    """What is claimed."""
    shown = {game.MAXSCORE: "Max's moves show it", game.MINSCORE: "Min's moves show it"}
    who = shown.get(claim.value, "Max's moves show that it is no less, Min's that it is no more")
    within = f" within {claim.error:g}" if claim.error else ""
    plies = f", in {plural(claim.plies, 'ply', 'plies')} at most" if claim.plies is not None else ""
    note = f", {game.for_solving(state)[2]}" if isinstance(game, Measured) and game.for_solving(state)[2] else ""
    return f"{claim.game} {claim.position} is worth {value_text(claim.value)}{within}{plies} ({who}){note}"


def verdict_data(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON has it."""
    return {
        "game": claim.game,
        "position": claim.position,
        "value": data_number(claim.value),
        "error": claim.error,
        "plies": claim.plies,
        "moves": claim.moves,
        "holds": not verdict.reason,
        "reason": verdict.reason,
        "positions": verdict.positions,
    }
