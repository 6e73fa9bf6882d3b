"""How a search by playouts is told."""

from typing import Any

from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording import Wording, place_of
from gamesearch.trace.words import beside, capital, does

__all__ = ["PlayoutWording"]


class PlayoutWording(Wording):
    """Games are played out, and no leaf is estimated."""

    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """A search of the root begins."""
        return f"{stepper.recording.header['algorithm']} plays {place_of(stepper)} out, again and again."

    def led(self, stepper: Stepper, node: RecordedNode, turn: str) -> str:
        """A move has led to a node that is new in the tree, where somebody moves."""
        assert node.parent is not None
        tries = does(stepper.recording.nodes[node.parent].side, "tries")
        return f"{capital(f'{tries} {node.move}: {turn}')}. A node for this is new in the tree"

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """A playout follows a move."""
        move, bounds = event["move"], {name: (visits, bound) for name, visits, bound in event["bounds"]}
        if node.side == "chance":
            return f"Chance draws {move}."
        if move not in bounds:
            return capital(f"{does(node.side, 'plays')} {move} out: of those in the race, it has the fewest playouts.")
        follows, (visits, bound) = f"{does(node.side, 'follows')} {move}", bounds[move]
        if not visits:
            return capital(f"{follows}, which was not played out yet: that counts {bound:g}.")
        others = beside({name: other for name, (_, other) in bounds.items()}, move)
        return capital(f"{follows}: of its moves it has the greatest upper confidence bound, {bound:g}{others}.")

    def best(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Another move than before is the best."""
        visits = stepper.known(event["child"]).visits
        return f"{event['move']} has the most playouts of {node.side}'s moves now, {visits:,}."
