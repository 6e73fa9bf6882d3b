"""The call graph of a search: which functions enter nodes, and which functions belong to the node of their caller.

A function has one of three kinds. A *node* calls itself, directly or indirectly, with the position after a move. Each
call of such a function enters a node of the game tree. A *part* is called with the position of its caller: for example,
`value` calls `max_value`. A *start*, such as `alpha_beta_search`, is called before the search enters its first node.
"""

import ast
import copy
from collections.abc import Iterator

from gamesearch.algorithms.weaving.roles import MOVERS
from gamesearch.errors import GamesearchError

__all__ = [
    "NODE", "PART", "START", "CallGraph", "NotWovenError", "is_name", "is_one_of", "reachable_functions", "state_of",
]  # fmt: skip

NODE, PART, START = "node", "part", "start"


class NotWovenError(GamesearchError):
    """Raised if a function cannot be woven. The message contains the line and the reason."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(f"counting and limits cannot be added to line {getattr(node, 'lineno', 1)}, because {reason}")


class CallGraph:
    """The call graph of an algorithm: its functions, the kind of each function, and the calls between them."""

    def __init__(self, functions: dict[str, ast.FunctionDef], entry: str) -> None:
        self.functions, self.entry = dict(functions), entry
        self.defaults = {name: defaults_of(each) for name, each in functions.items()}
        takes_state = {name for name, each in functions.items() if len(each.args.args) > 1 and game_of(each) == "game"}
        used = {name: names_in(each) & takes_state for name, each in functions.items()}
        recursive = {name for name in takes_state if name in reachable_functions(name, used)}
        self.returns_moves = entry.casefold().endswith(MOVERS) and entry not in recursive
        if entry not in takes_state:
            raise NotWovenError(functions[entry], f"the first two parameters of {entry} are not game and a state")
        inside = {entry} | reachable_functions(entry, used)
        for each in ast.walk(functions[entry]):
            if isinstance(each, ast.FunctionDef) and each is not functions[entry]:
                raise NotWovenError(each, f"{each.name} is defined inside {entry}")
        if not inside & recursive:
            raise NotWovenError(functions[entry], "no function calls itself for the position after a move")
        self.callers: dict[str, list[tuple[str, bool]]] = {}
        """Maps each function to its callers. Each caller is a pair: the name of the caller, and whether the caller
        passes on its own position."""
        for name in sorted(inside):
            replace_aliases(functions[name], inside)
            if used[name] & inside and changes_state(functions[name]):
                raise NotWovenError(functions[name], f"{name} assigns to its state {state_of(functions[name])}")
            for call in calls_of(functions[name], inside):
                is_own = is_name(call.args[1], state_of(functions[name])) if len(call.args) > 1 else False
                self.callers.setdefault(call.func.id, []).append((name, is_own))  # type: ignore[attr-defined]
        nodes = {name for name in inside & recursive if any(not own for _, own in self.callers.get(name, ()))}
        if any((entry, False) in self.callers[each] for each in nodes):
            nodes.add(entry)
        self.kinds = dict.fromkeys(sorted(nodes), NODE)
        if entry not in nodes:
            self.kinds[entry] = START
        self.add_parts(inside - nodes - {entry}, nodes, used)
        pairs = self.returns_pairs = set[str]()
        """The functions that return a value with a move."""
        while more := {name for name in self.kinds.keys() - pairs if returns_pair(self.functions[name], pairs)}:
            pairs |= more

    def add_parts(self, others: set[str], nodes: set[str], used: dict[str, set[str]]) -> None:
        """Find the functions that are called only for the caller's own position. Their kind is START or PART. But if a
        function is called before the first node and calls one of the `nodes` after a move, it is the node of the
        root."""
        waiting = True
        while waiting:
            waiting = False
            for name in sorted(others - self.kinds.keys()):
                callers = self.callers.get(name, ())
                kinds = {self.kinds.get(caller) for caller, _ in callers}
                if None in kinds or not all(own for _, own in callers):
                    continue
                if not self.enters(self.functions[name]) and changes_state(self.functions[name]):
                    continue  # such as a random playout, which is not woven
                if len({START if kind == START else PART for kind in kinds}) > 1:
                    raise NotWovenError(
                        self.functions[name], f"{name} is called both before the first node and at nodes"
                    )
                plays_root = any((name, False) in self.callers.get(each, ()) for each in nodes)
                self.kinds[name] = PART if kinds != {START} else NODE if plays_root else START
                waiting = True
        for name in sorted(others - self.kinds.keys()):
            if used[name] & {each for each, kind in self.kinds.items() if kind == NODE}:
                raise NotWovenError(self.functions[name], f"it is not clear for which positions {name} is called")
        for name, kind in list(self.kinds.items()):
            own_callers = {caller for caller, own in self.callers.get(name, ()) if own}
            if kind == NODE and any(self.kinds.get(caller) in (NODE, PART) for caller in own_callers):
                if own_callers & ({name} | reachable_functions(name, self.own_calls())):
                    reason = f"{name} calls itself, directly or indirectly, for the same position"
                    raise NotWovenError(self.functions[name], reason)
                self.add_part_form(name)

    def own_calls(self) -> dict[str, set[str]]:
        """Maps each function to the functions that it calls with its own position (not with the position after a
        move)."""
        found: dict[str, set[str]] = {}
        for name, callers in self.callers.items():
            for caller, own in callers:
                if own:
                    found.setdefault(caller, set()).add(name)
        return found

    def add_part_form(self, name: str) -> None:
        """Copy a function of the kind *node*, and give the copy the kind *part*."""
        form = copy.deepcopy(self.functions[name])
        form.name = f"{name}_{PART}"
        self.functions[form.name], self.kinds[form.name] = form, PART
        self.defaults[form.name] = self.defaults[name]

    def kind_of_called(self, node: ast.AST) -> str | None:
        """If an expression calls a woven function, return the kind of this function; otherwise None."""
        return self.kinds.get(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None

    def visits(self, *nodes: ast.AST) -> bool:
        """Whether the code in syntax trees calls a woven function."""
        return any(self.kind_of_called(each) is not None for node in nodes for each in ast.walk(node))

    def enters(self, *nodes: ast.AST) -> bool:
        """Whether the code in syntax trees contains a call that enters a node."""
        return any(self.kind_of_called(each) == NODE for node in nodes for each in ast.walk(node))


def names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def reachable_functions(name: str, used: dict[str, set[str]]) -> set[str]:
    """The functions that a function uses, directly or indirectly."""
    found, waiting = set[str](), [name]
    while waiting:
        new = used.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def calls_of(function: ast.FunctionDef, names: set[str]) -> Iterator[ast.Call]:
    """Yield the calls of the functions in `names`. Raises NotWovenError if a function in `names` is used as a value
    instead of being called."""
    called = [each for each in ast.walk(function) if isinstance(each, ast.Call) and is_one_of(each.func, names)]
    heads = {id(each.func) for each in called}
    for each in ast.walk(function):
        if is_one_of(each, names) and id(each) not in heads:
            raise NotWovenError(each, f"{each.id} is used as a value and not called")  # type: ignore[attr-defined]
    for call in called:
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            raise NotWovenError(call, "a search is called with unpacked arguments")
        if len(call.args) < 2 or not is_name(call.args[0], "game"):
            raise NotWovenError(call, "a search is called without the game and a state as its first arguments")
    yield from called


def replace_aliases(function: ast.FunctionDef, names: set[str]) -> None:
    """Remove assignments such as `best = max_value if c else min_value`, and replace each call `best(...)` by a
    conditional expression that calls one of the two functions."""
    for place, statement in enumerate(function.body):
        choice = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign) and isinstance(choice, ast.IfExp):
            target = statement.targets[0]
            if isinstance(target, ast.Name) and is_one_of(choice.body, names) and is_one_of(choice.orelse, names):
                function.body[place] = ast.copy_location(ast.Pass(), statement)
                ConditionalCalls(target.id, choice).visit(function)


class ConditionalCalls(ast.NodeTransformer):
    """Replaces each call of an alias by a conditional expression that calls one of two functions."""

    def __init__(self, alias: str, choice: ast.IfExp) -> None:
        self.alias, self.choice = alias, choice

    def visit_Call(self, call: ast.Call) -> ast.AST:
        """Replace a call."""
        self.generic_visit(call)
        if not is_name(call.func, self.alias):
            return call
        functions = self.choice.body, self.choice.orelse
        either = [ast.Call(each, copy.deepcopy(call.args), copy.deepcopy(call.keywords)) for each in functions]
        return ast.copy_location(ast.IfExp(copy.deepcopy(self.choice.test), *either), call)


def is_name(node: ast.AST, name: str) -> bool:
    """Whether a node of a syntax tree is the name `name`."""
    return isinstance(node, ast.Name) and node.id == name


def is_one_of(node: ast.AST, names: set[str]) -> bool:
    """Whether a node of a syntax tree is a name in `names`."""
    return isinstance(node, ast.Name) and node.id in names


def game_of(function: ast.FunctionDef) -> str:
    return function.args.args[0].arg


def state_of(function: ast.FunctionDef) -> str:
    """The name of the parameter through which a function gets the state."""
    return function.args.args[1].arg


def changes_state(function: ast.FunctionDef) -> bool:
    """Whether a function assigns to its parameter for the state."""
    stored = [each for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return any(each.id == state_of(function) for each in stored)


def defaults_of(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """The defaults of a function's parameters."""
    names = [each.arg for each in function.args.args]
    defaults = function.args.defaults
    return dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))


def is_pair(node: ast.expr | None, pairs: set[str]) -> bool:
    """Whether an expression is a pair of a value and a move. `pairs` contains the variables that contain such pairs,
    and the functions that return them."""
    if isinstance(node, ast.IfExp):
        return is_pair(node.body, pairs)
    if isinstance(node, ast.Call) and is_one_of(node.func, {"max", "min"}) and node.args:
        first = node.args[-1]
        return is_pair(first.elt if isinstance(first, ast.GeneratorExp | ast.ListComp) else first, pairs)
    if isinstance(node, ast.Call):
        return is_one_of(node.func, pairs)
    return (isinstance(node, ast.Tuple) and len(node.elts) == 2) or is_one_of(node or ast.Pass(), pairs)


def returns_pair(function: ast.FunctionDef, functions: set[str]) -> bool:
    """Whether a function returns pairs of a value and a move. `functions` contains functions that return such pairs."""
    assigned = [each for each in ast.walk(function) if isinstance(each, ast.Assign)]
    pairs = {n.id for a in assigned if is_pair(a.value, functions) for n in a.targets if isinstance(n, ast.Name)}
    return any(isinstance(each, ast.Return) and is_pair(each.value, pairs | functions) for each in ast.walk(function))
