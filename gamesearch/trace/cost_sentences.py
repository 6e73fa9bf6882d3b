"""Each event of a proof on a graph of positions as a sentence: what the attacker lacks, and why."""

from typing import Any

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.trace.recording import Iteration, RecordedNode
from gamesearch.trace.standing import STUCK
from gamesearch.trace.stepping import Stepper

__all__ = [
    "attacks",
    "choice_words",
    "cost_words",
    "kind_of_best",
    "question_of",
    "revalue_words",
    "settle",
    "solved_words",
]


def question_of(stepper: Stepper) -> Iteration:
    """What is asked at the present moment."""
    root = stepper.path[0].number
    return next(each for each in stepper.recording.iterations if each.root == root)


def attacks(event: dict[str, Any]) -> str:
    """Who has to make progress, and what the other one needs for it not to."""
    attacker, defender = event["attacker"], "Min" if event["attacker"] == "Max" else "Max"
    aim = "to get it" if attacker == "Max" else "to prevent it"
    return f"{attacker} attacks, and has to make progress {aim}; {defender} defends, and may go in circles."


def cost_words(value: list[Any]) -> str:
    """A cost in words."""
    cost = value[0]
    return STUCK if cost == STUCK else "cost infinite" if cost is None else f"cost {cost:,}"


def solved_words(stepper: Stepper, value: list[Any]) -> str:
    """What a cost says that decides its node; else empty."""
    if value[0] not in (0, None):
        return ""
    question = question_of(stepper)
    if (value[0] == 0) == (question.attacker == "Max"):
        return f" This is proven: Max gets at least {question.goal_shown}."
    return f" This is disproven: Max does not get {question.goal_shown}."


def choice_words(stepper: Stepper, node: RecordedNode, move: str, child: RecordedNode | None) -> str:
    """Why a move is followed."""
    most = "the least" if node.side == question_of(stepper).attacker else "the greatest"
    known = None if child is None else stepper.known(child.number).value
    cost = f", {known[0]}" if isinstance(known, list) else ""
    return f"{node.side} follows {move}: of its moves it has {most} cost{cost}."


def kind_of_best(stepper: Stepper, node: RecordedNode) -> str:
    """What the move is that is followed: the least of the attacker's, the greatest of the defender's."""
    return "least costly" if node.side == question_of(stepper).attacker else "most costly"


def revalue_words(stepper: Stepper, node: RecordedNode, value: list[Any]) -> str:
    """Why the cost of a node is what it is."""
    cost, is_attackers = value[0], node.side == question_of(stepper).attacker
    attacker = question_of(stepper).attacker
    if cost == STUCK:
        return "all that is open leads back to the way here" if is_attackers else "a move leads back to the way here"
    if cost is None:
        return f"{attacker} wins by no move" if is_attackers else f"against one of {node.side}'s moves {attacker} fails"
    if cost == 0:
        return (
            f"one of {node.side}'s moves costs nothing" if is_attackers else f"all of {node.side}'s moves cost nothing"
        )
    if is_attackers:
        return f"one more than the least cost of {node.side}'s moves"
    return f"the greatest cost of {node.side}'s moves, and one more for each that is not proven"


def settle(stepper: Stepper, event: dict[str, Any], _: RecordedNode) -> str:
    """All costs are found anew."""
    attacker, failed = question_of(stepper).attacker, sum(cost is None for (cost,) in event["values"])
    changed = f"All costs are found anew, from the least on: {plural(len(event['path']), 'node')} changed."
    if not failed:
        return changed
    what = "one has none" if failed == 1 else f"{failed:,} have none"
    return f"{changed} Of them {what}, so {attacker} never wins there: whoever defends stays among such positions."
