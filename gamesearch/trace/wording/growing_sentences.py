"""One sentence for each event of a search that keeps its tree: best-first search, playouts, beliefs and proof numbers.

Each event in `EXPLAINED` has a method with its name, which returns the sentence. The sentence says why the event
happened. `TreeSentences` is for best-first search. Its subclasses are for the other kinds of search; they override the
sentences that differ.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gamesearch.algorithms.engine.formatting import plural, probability_text, share_text, value_text
from gamesearch.trace.events import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF, TABLE
from gamesearch.trace.node_values import STUCK, answer_of, numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import NodeState, Stepper
from gamesearch.trace.wording.phrases import (
    beside,
    capital,
    does,
    game_and_position,
    names_text,
    short_notation,
    turn_words,
)

__all__ = [
    "EXPLAINED", "SENTENCES_OF", "TreeSentences", "back_up_cost", "child_behind", "place_of",
    "value_before", "why_dropped",
]  # fmt: skip

EXPLAINED = (
    "iteration", "enter", "choose", "playout", "count", "proven", "expand", "revalue", "rescale", "settle", "chances",
    "expanded", "best", "level", "drop",
)  # fmt: skip
"""The events for which the classes of this module have sentences. A method or attribute whose name is not in this list
is a helper, or a phrase for questions."""


class TreeSentences:
    """Sentences about best-first search, and phrases for questions about it. All other kinds of growing trees have
    subclasses."""

    leaf = "at the end of the best line"
    """A phrase that describes the leaf that is expanded."""
    why_expanded = "This leaf is the end of the best line"

    # Sentences. ----------------------------------------------------------------------------------
    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        return f"{stepper.algorithm} grows a tree from {place_of(stepper)}: each step expands the leaf {self.leaf}."

    def enter(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        turn = turn_words(node.side)
        if node.parent is None:
            text = f"At the root, {turn}"
        elif node.chance is not None and node.same is None:
            text = f"The outcome {node.move} has probability {probability_text(node.chance)}: {turn}"
        else:
            text = self.describe_move(stepper, node, turn)
        return f"{text}; {self.first_value(event, node)}." if "value" in event else f"{text}."

    def describe_move(self, stepper: Stepper, node: RecordedNode, turn: str) -> str:
        """Describe the position to which the move of a new node leads."""
        if node.same is not None:
            return f"{node.move} leads to the same position as node {node.same}, and they share one node: {turn}"
        return f"{node.move} leads to a new leaf: {turn}"

    def first_value(self, event: dict[str, Any], node: RecordedNode) -> str:
        """The first value of a node."""
        if node.side == "end" and event["bound"] == "exact":
            return f"the payoff is {event['shown']}"
        if event["bound"] == "exact":
            return f"its exact value is {event['shown']}"
        return f"the estimate is {event['shown']}"

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        move, child = event["move"], child_behind(stepper, event, node)
        shown = "" if child is None else f" ({child.shown})"
        most = {"Max": "the greatest value", "Min": "the least value"}.get(node.side, "the best value")
        return capital(
            f"{does(node.side, 'follows')} {move}: it has {most}{shown} among the moves without an exact value."
        )

    def playout(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        if event["known"]:
            over = "The game is over" if node.side == "end" else "The payoff here is known"
            return f"{over}: {event['shown']}."
        moves = f" ({names_text(event['moves'])})" if event["moves"] else ""
        return f"Random playout{moves}: the payoff is {event['shown']}."

    def count(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        root = stepper.state_of(event["path"][0])
        nodes = plural(len(event["path"]), "node")
        has = f"is worth {root.shown} after" if root.bound == "exact" else f"averages {root.shown} over"
        return f"The payoff is added to {nodes}: the root {has} {plural(root.visits, 'playout')}."

    def proven(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        what = "the outcomes" if node.side == "chance" else f"{node.side}'s moves"
        proves = "this node is worth" if event["lower"] == event["upper"] else "the value lies in"
        return f"The values of {what} prove that {proves} {event['shown']}."

    def expand(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        if node.parent is None:
            return "The root is expanded: all its children are added."
        return f"{self.why_expanded}: it is expanded, and all its children are added."

    def revalue(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        return f"The value changes from {value_before(stepper, node)} to {event['shown']}: {self.rule(stepper, node)}"

    def rescale(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        changed = plural(len(event["path"]), "belief")
        if not event["error"]:
            return f"The scale of values changes: {changed} updated."
        error = value_text(round(event["error"], 4))
        return f"The standard error of evaluations is now {error}: {changed} updated."

    def settle(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        attacker, failed = stepper.question.attacker, sum(cost is None for (cost,) in event["values"])
        changed = f"All costs are computed again, in increasing order: {plural(len(event['path']), 'node')} changed."
        if not failed:
            return changed
        what = "One has" if failed == 1 else f"{failed:,} have"
        why = f"{attacker} cannot win there, because the defender can stay among these nodes"
        return f"{changed} {what} infinite cost: {why}."

    def chances(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """For each move of the root, list the probability that it is the best move."""
        pairs = sorted(zip(event["values"], event["path"], strict=True), key=lambda pair: -pair[0])
        shares = [f"{stepper.recording.nodes[number].move} {share_text(share)}" for share, number in pairs]
        return f"Probability that each move is the best: {names_text(shares)}."

    def expanded(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        progress = self.progress_text(stepper.state_of(node.number))
        return f"After {plural(event['number'], 'expansion')}, the root {progress}."

    def progress_text(self, root: NodeState) -> str:
        """Words for the value of the root after an expansion."""
        best_move = "" if root.best is None else f", with {root.best}"
        return f"is worth {'' if root.bound == 'exact' else 'about '}{root.shown}{best_move}"

    def best(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        return f"{event['move']} is now the best of {node.side}'s moves, worth {event['shown']}."

    # Questions. ----------------------------------------------------------------------------------
    leaves, kind_of_leaf = "the leaves", ""
    """Phrases for questions about the next leaf: a heading for the list of leaves, and an adjective for the expanded
    leaf."""
    why_leaf = "the best line, {line}, ends there."
    kind, what = "value", "What is its value now?"
    """The kind of a question about the value of a node, and the last sentence of the question."""

    def reason_for_choice(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Explain why the search follows one of several moves; empty if the recorded values do not explain it."""
        most = "greatest" if node.side == "Max" else "least"
        return f"it has the {most} value among the moves without an exact value (the first if several are equal)."

    def back_up(self, stepper: Stepper, node: RecordedNode) -> tuple[float, ...]:
        """The value of a node, computed from the values of its children."""
        choose = max if node.side == "Max" else min
        return choose(numbers(stepper.state_of(child.number).value) for child in stepper.children(node.number))

    def rule(self, stepper: Stepper, node: RecordedNode) -> str:
        """The rule by which the value of a node follows from its children."""
        takes = {"Max": "greatest", "Min": "least"}[node.side]
        return f"{node.side} takes the {takes} value of its moves."


def place_of(stepper: Stepper) -> str:
    """A phrase that names the searched position and its game."""
    game, position = game_and_position(stepper.recording)
    return f"position {position} of {game}" if position else game


def child_behind(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> NodeState | None:
    """The state of the child to which the move of an event leads; None if this child is not in the tree."""
    found = next((each for each in stepper.children(node.number) if each.move == event["move"]), None)
    return None if found is None else stepper.state_of(found.number)


def value_before(stepper: Stepper, node: RecordedNode) -> str:
    """The value of a node before the current event."""
    return stepper.state_of(node.number, stepper.at - 1).shown


class PlayoutSentences(TreeSentences):
    """Sentences for searches by playouts."""

    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        return f"{stepper.algorithm} runs playouts from {place_of(stepper)}."

    def describe_move(self, stepper: Stepper, node: RecordedNode, turn: str) -> str:
        assert node.parent is not None
        tries = does(stepper.recording.nodes[node.parent].side, "tries")
        return f"{capital(f'{tries} {node.move}: {turn}')}. A node is added to the tree"

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        move, bounds = event["move"], {name: (visits, bound) for name, visits, bound in event["bounds"]}
        if node.side == "chance":
            return f"Chance draws {move}."
        if move not in bounds:
            return capital(
                f"{does(node.side, 'tries')} {move}: of the remaining candidates, it has the fewest playouts."
            )
        follows, (visits, bound) = f"{does(node.side, 'follows')} {move}", bounds[move]
        if not visits:
            return capital(f"{follows}, which has no playout yet: its upper confidence bound is set to {bound:g}.")
        others = beside({name: other for name, (_, other) in bounds.items()}, move)
        return capital(f"{follows}: it has the greatest upper confidence bound, {bound:g}{others}.")

    def best(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        visits = "" if event["child"] is None else f", {stepper.state_of(event['child']).visits:,}"
        return f"{event['move']} now has the most playouts of {node.side}'s moves{visits}."


class BeliefSentences(TreeSentences):
    """Sentences for searches that expand the leaves whose values matter most."""

    leaf = "with the greatest value of computation"
    why_expanded = "The chosen moves lead to this leaf"

    def first_value(self, event: dict[str, Any], node: RecordedNode) -> str:
        if event["bound"] == "exact" or event.get("deviation") is None:
            return super().first_value(event, node)
        is_payoff = node.side == "end"  # only with leaves=payoffs; otherwise, a payoff is exact
        return f"{'its payoff counts as an estimate:' if is_payoff else 'the estimate is'} {worth_words(event)}"

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        move, bounds = event["move"], {name: bound for name, _, bound in event["bounds"]}
        worth = f"{bounds.get(move, 0.0):g}{beside(bounds, move)}"
        if node.parent is None and node.side != "chance":
            if not any(bounds.values()):  # only with leaves=payoffs; otherwise, the search ends here
                return (
                    "No computation can change the decision now: every value of computation is 0. Because of "
                    f"leaves=payoffs, the search still follows {move}."
                )
            return f"{move} has the greatest value of computation, {worth}."
        return f"{move} matters most here: it may change the value of this node by {worth}."

    def revalue(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        before = value_before(stepper, node)
        if node.parent is None:
            why = "the mean of its outcomes" if node.side == "chance" else "the mean value of the best move"
            return f"The value of the root changes from {before} to {event['shown']}: {why}."
        why = {"Max": "the greatest value of the moves", "Min": "the least value of the moves"}.get(
            node.side, "the sum of the outcomes' values, weighted by their probabilities"
        )
        return f"The estimate changes from {before} to {worth_words(event)}: {why}."

    def reason_for_choice(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Explain why the search follows one of several moves. The text gives each move's value of computation. If
        several moves have the greatest value, the text is empty."""
        shown = {name: f"{bound:g}" for name, _, bound in event["bounds"]}
        if len(shown) < 2 or list(shown.values()).count(shown.get(event["move"], "")) > 1:
            return ""
        gains = (
            "it has the greatest value of computation"
            if node.parent is None and node.side != "chance"
            else "it matters most"
        )
        return f"{gains}: {names_text([f'{name} {bound}' for name, bound in shown.items()])}."


class ProofSentences(TreeSentences):
    """Sentences for proof number search."""

    why_expanded = "This is the most-proving node"
    leaves, kind_of_leaf = "the leaves with their proof and disproof numbers", "most proving and therefore "
    why_leaf = (
        "{line} leads there: Max follows the least proof number and Min the least disproof number (the first if "
        "several are equal)."
    )
    kind, what = "numbers", "What are its proof and disproof numbers now?"

    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        asks = "Next question"
        if event["number"] == 0:
            asks = f"{stepper.algorithm} searches {place_of(stepper)}"
        elif is_left_open(stepper, event["number"] - 1):
            asks = "The memory for this question is full. Next question"
        return f"{asks}: can Max get at least {event['goal_shown']}, whatever Min does?"

    def numbers(self, value: list[Any]) -> str:
        """The proof and disproof numbers in words."""
        proof, disproof = ("infinite" if each is None else f"{each:,}" for each in value)
        return f"proof number {proof}, disproof number {disproof}"

    def first_value(self, event: dict[str, Any], node: RecordedNode) -> str:
        """The proof and disproof numbers of a new node; if one of them is 0, the node is decided."""
        solved = {True: ": it is proven", False: ": it is disproven", None: ""}
        return self.numbers(event["value"]) + solved[answer_of(event["value"], attacker="")]

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        which, child = "proof" if node.side == "Max" else "disproof", child_behind(stepper, event, node)
        known = None if child is None else child.value
        number = f", {known[node.side != 'Max']:,}" if isinstance(known, list) else ""
        return f"{node.side} follows {event['move']}: of all moves, it has the least {which} number{number}."

    def why(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """The reason for the current proof and disproof numbers of a node, as the end of a sentence."""
        if node.children and node.side in ("Max", "Min"):
            return self.rule(stepper, node).rstrip(".")
        return "they follow from unrecorded nodes below this node"  # in the second tree of pn2, or left out

    def revalue(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        found = capital(self.numbers(event["value"]))
        change = f"{found} (before: {value_before(stepper, node)}): {self.why(stepper, event, node)}."
        answer, goal = answer_of(event["value"], stepper.question.attacker), stepper.question.goal_shown
        if answer is None:
            return change
        found = f"proven: Max gets at least {goal}" if answer else f"disproven: Max cannot get {goal}"
        return f"{change} So the goal is {found}."

    def progress_text(self, root: NodeState) -> str:
        assert isinstance(root.value, list)
        return f"has {self.numbers(root.value)}"

    def adjective(self, stepper: Stepper, node: RecordedNode) -> str:
        """The adjective for the move that the search follows."""
        return "most proving"

    def best(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        return (
            f"{event['move']} is now the {self.adjective(stepper, node)} of {node.side}'s moves, with {event['shown']}."
        )

    def reason_for_choice(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """The reason why the search follows a move: the move has the least proof or disproof number."""
        which = "proof" if node.side == "Max" else "disproof"
        return f"it has the least {which} number (the first if several are equal)."

    def back_up(self, stepper: Stepper, node: RecordedNode) -> tuple[float, ...]:
        below = (numbers(stepper.state_of(child.number).value) for child in stepper.children(node.number))
        proofs, disproofs = zip(*below, strict=True)
        return (min(proofs), math.fsum(disproofs)) if node.side == "Max" else (math.fsum(proofs), min(disproofs))

    def rule(self, stepper: Stepper, node: RecordedNode) -> str:
        one, other = ("proof", "disproof") if node.side == "Max" else ("disproof", "proof")
        return f"the least {one} number of a move, and the sum of all moves' {other} numbers."


class CostSentences(ProofSentences):
    """Sentences for proofs on a graph. Each node has a cost instead of a proof number and a disproof number."""

    why_expanded = "This is the most promising node"
    leaves, kind_of_leaf = "the leaves with their costs", "most promising and therefore "
    why_leaf = (
        "{line} leads there: the attacker follows the least cost and the defender the greatest (the first if several "
        "are equal)."
    )
    kind, what = "cost", "What is its cost now?"

    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Explain that a search begins: its goal, the attacker and the defender."""
        attacker, defender = event["attacker"], "Min" if event["attacker"] == "Max" else "Max"
        aim = "to get it" if attacker == "Max" else "to prevent it"
        return (
            f"{super().iteration(stepper, event, node)} {attacker} attacks {aim}; "
            f"{defender} defends and may repeat positions, because endless play counts against {attacker}."
        )

    def numbers(self, value: list[Any]) -> str:
        (cost,) = value
        return STUCK if cost == STUCK else "cost infinite" if cost is None else f"cost {cost:,}"

    def first_value(self, event: dict[str, Any], node: RecordedNode) -> str:
        """The cost of a new node; if it is 0 or infinite, the node is decided."""
        solved = {0: ": the attacker wins", None: ": the attacker cannot win"}
        return self.numbers(event["value"]) + solved.get(event["value"][0], "")

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        most = "the least" if node.side == stepper.question.attacker else "the greatest"
        child = child_behind(stepper, event, node)
        cost = f", {child.value[0]}" if child is not None and isinstance(child.value, list) else ""
        return f"{node.side} follows {event['move']}: of all moves, it has {most} cost{cost}."

    def adjective(self, stepper: Stepper, node: RecordedNode) -> str:
        """The adjective for the move that the search follows. The attacker chooses the move with the least cost, and
        the defender chooses the move with the greatest cost."""
        return "least costly" if node.side == stepper.question.attacker else "most costly"

    def why(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        (cost,), attacker, side = event["value"], stepper.question.attacker, node.side
        if cost == STUCK:
            return f"{'every open move' if side == attacker else 'a move'} repeats a position on the path"
        if cost is None:
            return f"no move of {side} wins" if side == attacker else f"one of {side}'s moves refutes {attacker}"
        if cost == 0:
            return f"one of {side}'s moves costs 0" if side == attacker else f"all of {side}'s moves cost 0"
        if side == attacker:
            return f"one more than the least cost of {side}'s moves"
        return f"the greatest cost of {side}'s moves, plus the number of moves that are not proven"

    def reason_for_choice(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """The reason why the search follows a move: the move has the least or the greatest cost. Empty if some moves
        have no cost, because they lead back to the path."""
        costs, is_attackers = costs_of(stepper, node), node.side == stepper.question.attacker
        followed = [child.move for child in stepper.children(node.number)].index(event["move"])
        if not costs or costs.index((min if is_attackers else max)(costs)) != followed:
            return ""
        most, does = ("least", "attacks") if is_attackers else ("greatest", "defends")
        return f"{node.side} {does}, so the search follows the {most} cost (the first if several are equal)."

    def back_up(self, stepper: Stepper, node: RecordedNode) -> tuple[float, ...]:
        """The cost of a node, computed from the costs of its moves; empty if a cost depends on the path."""
        costs = costs_of(stepper, node)
        return (back_up_cost(costs, node.side == stepper.question.attacker),) if costs else ()

    def rule(self, stepper: Stepper, node: RecordedNode) -> str:
        if node.side == stepper.question.attacker:
            return f"0 if a move costs 0, otherwise one more than the least cost of {node.side}'s moves."
        return f"the greatest cost of {node.side}'s moves, plus the number of moves that do not cost 0."


class TableSentences(TreeSentences):
    """Sentences for solvers that fill a table of values."""

    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        how = {
            "memo": "memoization searches depth first and never searches a position twice",
            "dynamic_programming": "dynamic programming computes the values of each level from the levels below it. It "
            "does not search the tree. The tree is drawn first, so that it can show the values"
            if stepper.has_levels
            else "dynamic programming first finds all positions, because this game does not list the positions of a "
            "level. It then goes back along the moves from the ends of the game",
            "retrograde": "retrograde analysis first finds all positions, and then goes back along the moves from the "
            "ends of the game",
        }[stepper.recording.header["algorithm"]]
        return f"To solve {place_of(stepper)}, {how}."

    def describe_move(self, stepper: Stepper, node: RecordedNode, turn: str) -> str:
        if node.same is None:
            return f"{node.move} leads to a new position: {turn}"
        known = stepper.state_of(node.number)
        has = f"the table has its value, {known.shown}" if known.bound == "exact" else "its value is not known yet"
        first = stepper.recording.nodes.get(node.same, node)
        return f"{node.move} leads to {self.position_name(first)} again: {has}"

    def position_name(self, node: RecordedNode) -> str:
        """Name a position by the number of its first node. If the notation of the position is short, the name contains
        it, too."""
        notation = short_notation(node)
        return f"position {notation} (node {node.number})" if notation else f"node {node.number}"

    def enter(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        if node.side == "end" and node.same is None:
            return super().enter(stepper, event, node)
        return super().enter(stepper, {name: fact for name, fact in event.items() if name != "value"}, node)

    def expand(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        return f"All moves of {self.position_name(node)} are made, one after the other."

    def revalue(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        children = stepper.children(node.number)
        is_open = any(stepper.state_of(child.number).bound != "exact" for child in children)
        stored = f"The table gets the value {event['shown']} for {self.position_name(node)}"
        if not is_open:
            return f"{stored}: {self.rule(stepper, node)}"
        reached = [child for child in children if stepper.state_of(child.number).value == event["value"]]
        if not reached or event["value"] not in (stepper.recording.scale or (None,))[:2]:
            return f"{stored}: neither side can force more, because both can continue forever."
        return f"{stored}: {reached[0].move} reaches the best payoff for {node.side}, so the other moves do not matter."

    def drop(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        gone, kept = plural(len(event["path"]), "value"), plural(event["kept"], "value")
        if "level" not in event:  # a trace of an earlier version
            return f"{gone} dropped: all positions before them are solved. {kept} kept."
        return f"Level {event['level']} is dropped ({gone}, {kept} kept): {why_dropped(event)}"

    def level(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        count, drawn = event["count"], len(event["path"])
        rest = f"; {drawn} in the tree, {count - drawn} not reached from the root" if drawn < count else ""
        ends = all(stepper.recording.nodes[each].side == "end" for each in event["path"])
        how = "have their payoffs" if ends and drawn else "are computed from the levels below"
        return f"Level {event['number']}: its {plural(count, 'position')} {how}{rest}."

    def expanded(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        nodes = stepper.recording.nodes.values()
        entered = sum(each.same is None and each.first_event <= stepper.at for each in nodes)
        return f"{event['number']:,} of {plural(entered, 'position')} have a value."

    def rule(self, stepper: Stepper, node: RecordedNode) -> str:
        if node.side == "chance":
            return "the mean of its outcomes."
        return super().rule(stepper, node)


def why_dropped(event: dict[str, Any]) -> str:
    """An event drops a level from the table. Return the reason why the level is no longer needed."""
    levels = plural(event.get("reach", 1), "level")
    return f"a move goes down by at most {levels}, so no later level needs this level."


def worth_words(event: dict[str, Any]) -> str:
    """The value of a node. If the value is uncertain, its standard deviation follows."""
    deviation = event.get("deviation")
    off = "" if deviation is None else f", with a standard deviation of {value_text(round(deviation, 2))}"
    return f"{event['shown']}{off}"


def is_left_open(stepper: Stepper, number: int) -> bool:
    """Whether the goal of an iteration was still open (neither proven nor disproven) before the current event."""
    root = next((each.root for each in stepper.recording.iterations if each.number == number), None)
    value = None if root is None else stepper.state_of(root, stepper.at - 1).value
    return isinstance(value, list) and 0 not in value and None not in value


def costs_of(stepper: Stepper, node: RecordedNode) -> list[float]:
    """The current costs of the moves of a node. The list is empty if a move is stuck, because this cost holds only for
    the current path."""
    values = [stepper.state_of(child.number).value for child in stepper.children(node.number)]
    return [] if [STUCK] in values else [cost for value in values for cost in numbers(value)]


def back_up_cost(costs: Sequence[float], is_attackers: bool) -> float:
    """The cost of a node, computed from the costs of its moves."""
    if not is_attackers:
        return max(costs) + sum(cost > 0 for cost in costs)
    return min(costs) + 1 if min(costs) else 0


SENTENCES_OF: Mapping[str, TreeSentences] = {
    PLAYOUTS: PlayoutSentences(),
    EXPANSIONS: TreeSentences(),
    BELIEFS: BeliefSentences(),
    PROOF: ProofSentences(),
    COSTS: CostSentences(),
    TABLE: TableSentences(),
}
"""The object that makes the sentences, for each kind of search that keeps its tree."""
