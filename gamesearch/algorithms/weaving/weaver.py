"""The weaver, which adds the bookkeeping of a search to the syntax tree of a textbook function.

If a function calls itself for the position after each move, each of its calls visits a node. The woven function begins
with `enter_node`, ends with `leave_node`, and compares the value of each child with the best value so far. For example,

    for move in game.moves(s):
        best = max(best, minimax(game, game.result(s, move)))

becomes

    for move in game.moves(s):
        after_ = game.result(s, move)
        if game.repetition == FORBIDDEN_ and is_forbidden(game, after_, ply_, run_.path):
            continue
        count_ = try_move(ply_, move, count_, run_)
        child_1 = minimax(game, after_, ply_ + 1, options_, run_)
        best_ = better_value(game, ply_, move, child_1, best_, player_, run_)
        best = max(best, child_1)

Names that end with an underscore or a number are added by the weaver. The added functions are in `bookkeeping`.
"""

import ast
import copy
from collections.abc import Mapping, Sequence

from gamesearch.algorithms.weaving.bookkeeping import NAMES
from gamesearch.algorithms.weaving.call_graph import (
    NODE,
    PART,
    START,
    CallGraph,
    NotWovenError,
    is_name,
    is_one_of,
    state_of,
)
from gamesearch.algorithms.weaving.roles import METHODS, is_negamax, role_of

__all__ = ["weave"]

UNSUPPORTED: dict[type[ast.AST], str] = {
    ast.Try: "try",
    ast.TryStar: "except*",
    ast.With: "with",
    ast.Yield: "yield",
    ast.YieldFrom: "yield from",
    ast.Match: "match",
    ast.NamedExpr: ":=",
}
"""Kinds of Python syntax that a woven function must not contain. Each has a name for error messages."""
HANDED = ("ply_", "options_", "run_")
"""The additional parameters of woven functions."""


def weave(tree: ast.Module, entry: str) -> set[str]:
    """Weave the function `entry` and the functions that it calls. Changes the tree, and returns the names of the woven
    functions. Raises NotWovenError if a function cannot be woven."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_name(node.value, "game"):
            node.attr = METHODS.get(node.attr, node.attr)
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "name", "")
        if name in NAMES:
            raise NotWovenError(node, f"{name} is a name that gamesearch uses itself")
    if entry not in functions:
        node = definition_of(tree, entry)
        is_class = isinstance(node, ast.ClassDef)
        reason = "is a class" if is_class else "is not defined by `def` without indentation"
        raise NotWovenError(node, f"{entry} {reason}")
    calls = CallGraph(functions, entry)
    for name in calls.kinds:
        calls.functions[name].body = FunctionWeaver(calls.functions[name], calls).woven_body()
    tree.body += [each for name, each in calls.functions.items() if name not in functions]
    ast.fix_missing_locations(tree)
    return set(calls.kinds)


def definition_of(tree: ast.Module, name: str) -> ast.AST:
    """The statement that defines a name, or the whole tree if no statement defines it."""
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        if getattr(node, "name", "") == name or any(is_name(each, name) for each in targets):
            return node
    return tree


# One function. -----------------------------------------------------------------------------------
class Substitution(ast.NodeTransformer):
    """Replaces names in a syntax tree by other names or expressions."""

    def __init__(self, names: Mapping[str, ast.AST | str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace a name."""
        found = self.names.get(node.id, node.id)
        return ast.Name(found, node.ctx) if isinstance(found, str) else copy.deepcopy(found)


def template(text: str, **names: ast.AST | str) -> list[ast.stmt]:
    """Parse a text as statements, and replace names in the statements by other names or expressions."""
    statements = ast.parse(text).body
    for node in (each for statement in statements for each in ast.walk(statement)):
        for attribute in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(node, attribute):
                delattr(node, attribute)  # later, the location of the replaced statement is set
    return [Substitution(names).visit(each) for each in statements]


def locate(new: ast.stmt, node: ast.AST) -> ast.stmt:
    """Give a new statement, and all statements in it, the location of a node."""
    return ast.fix_missing_locations(ast.copy_location(new, node))


def expression(text: str, **names: ast.AST | str) -> ast.expr:
    """Parse a text as an expression, and replace names in it as `template` does."""
    statement = template(text, **names)[0]
    assert isinstance(statement, ast.Expr)
    return statement.value


class FunctionWeaver:
    """Weaves one function."""

    def __init__(self, function: ast.FunctionDef, calls: CallGraph) -> None:
        self.function, self.calls = function, calls
        self.kind, self.state = calls.kinds[function.name], state_of(function)
        parameters = [each.arg for each in function.args.args]
        self.by_role = {role_of(name): name for name in parameters[2:]}
        self.is_in_loop = False
        """Whether the current statement is in a loop that enters nodes. A jump out of such a loop is a cutoff."""
        self.moves: dict[str, ast.expr] = {}
        """Maps each variable that contains a state to the move that led to this state."""
        self.number = 0
        self.has_begun = self.lists_values = False
        """`has_begun`: whether a child may already have been searched when the current statement begins.
        `lists_values`: whether the values of children are put into a list."""

    # The whole function. -------------------------------------------------------------------------
    def woven_body(self) -> list[ast.stmt]:
        """Weave the function. Returns the new statements of the function, and changes its parameters."""
        function = self.function
        self.check(function)
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        first = next((i for i, each in enumerate(body) if self.calls.enters(each)), None)
        woven: list[ast.stmt] = []
        for i, each in enumerate(body):
            if i == first and self.kind != START:
                woven += template(
                    "player_, count_ = game.player(S), 0\nbest_ = worst_value(game, player_)", S=self.state
                )
                self.has_begun = True
            woven += self.statement(each)
        handed = ("known_", *HANDED) if self.kind == PART else HANDED
        function.args.args += [ast.arg(name) for name in handed]
        function.args.defaults = []
        return (self.entry() if self.kind == NODE else []) + woven

    def check(self, function: ast.FunctionDef) -> None:
        """Raise NotWovenError if a function contains something that the weaver does not support."""
        arguments = function.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise NotWovenError(function, f"the parameters of {function.name} contain * or /")
        if function.decorator_list:
            raise NotWovenError(function, f"{function.name} is decorated")
        for each in ast.walk(function):
            if isinstance(each, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) and each is not function:
                raise NotWovenError(each, f"{each.name} is defined inside {function.name}")
            if type(each) in UNSUPPORTED:
                raise NotWovenError(each, f"{UNSUPPORTED[type(each)]} is not supported in a search")
            if isinstance(each, ast.Name | ast.arg) and (name := getattr(each, "id", "") or getattr(each, "arg", "")):
                if name in HANDED or name in ("known_", "nodes_", "best_", "player_", "count_", "after_", "value_"):
                    raise NotWovenError(each, f"{name} is a name that gamesearch uses itself")
        if self.kind == NODE and not always_returns(function.body):
            raise NotWovenError(function, f"{function.name} may end without return")

    def entry(self) -> list[ast.stmt]:
        """The statements at the beginning of a node."""
        window = [self.by_role.get(role) for role in ("alpha", "beta")]
        alpha, beta = window if None not in window else ("-INFINITY_", "INFINITY_")
        depth = self.by_role.get("depth") if self.counts_down() else None
        known = f"enter_node(game, S, {depth or 'FULL_DEPTH_'}, {alpha}, {beta}, COLOR, {', '.join(HANDED)})"
        entry = template(f"known_, nodes_ = {known}", S=self.state, COLOR=self.color())
        if self.lists_values:
            stuck = f"known_ = check_forbidden_moves(game, S, known_, {depth or 'FULL_DEPTH_'}, ply_, run_)"
            entry += template(stuck, S=self.state)
        return entry

    def counts_down(self) -> bool:
        """Whether the parameter for the depth is the number of remaining plies."""
        return "max_depth" not in self.by_role and not any(
            isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add) and is_name(each.left, self.by_role["depth"])
            for each in ast.walk(self.function)
            if "depth" in self.by_role
        )

    def color(self) -> ast.expr:
        """An expression whose value is 1 if the function's values are for Max, and -1 if they are for Min."""
        given = ast.Name(self.by_role["color"], ast.Load()) if "color" in self.by_role else None
        return color_of_values(self.function, given, self.state)

    @property
    def is_entry_for_moves(self) -> bool:
        """Whether the search begins with this function, and the function returns a move."""
        return self.function.name == self.calls.entry and self.calls.returns_moves

    def after_search(self, value: ast.expr) -> ast.expr:
        """After the function has searched its moves, it returns the value of this expression."""
        searched = "searched_value(game, VALUE, COLOR, count_)"
        if self.function.name not in self.calls.returns_pairs:
            return expression(searched, VALUE=value, COLOR=self.color())
        if isinstance(value, ast.Tuple):
            value.elts[0] = expression(searched, VALUE=value.elts[0], COLOR=self.color())
        return value

    def node_value(self, value: ast.expr) -> ast.expr:
        """If the function returns `value`, this expression is the value of the node for Max."""
        if self.is_entry_for_moves:
            return ast.Name("best_", ast.Load())
        return self.for_max(value, self.color(), self.function.name)

    def for_max(self, value: ast.expr, color: ast.expr, function: str) -> ast.expr:
        """The result of a function is a value, or a pair of a value and a move. Return an expression that converts the
        result to the value for Max."""
        if function in self.calls.returns_pairs:
            value = ast.Subscript(value, ast.Constant(0), ast.Load())
        return value if isinstance(color, ast.Constant) else ast.BinOp(copy.deepcopy(color), ast.Mult(), value)

    # Statements. ---------------------------------------------------------------------------------
    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [new for each in statements for new in self.statement(each)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """The woven statements that replace a statement."""
        new = [ast.copy_location(each, node) for each in self.replace_statement(node)]
        for each in new:
            ast.fix_missing_locations(each)
        return new

    def replace_statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.If):
            before, node.test = self.lift_calls(node.test)
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return [*before, node]
        if isinstance(node, ast.While | ast.For):
            return self.loop(node)
        before = []
        if isinstance(node, ast.Assign) and self.is_asked(node.value, "result") and len(node.targets) == 1:
            if isinstance(node.targets[0], ast.Name):
                self.moves[node.targets[0].id] = node.value.args[1]  # type: ignore[attr-defined]
        if isinstance(node, ast.Break | ast.Return) and self.is_in_loop:
            before = template("cut_off(game, S, count_, ply_, run_)", S=self.state)
        if isinstance(node, ast.Return):
            return self.replace_return(node, before)
        if getattr(node, "value", None) is not None:
            lifted, node.value = self.lift_calls(node.value)  # type: ignore[attr-defined]
            return [*lifted, *before, node]
        if self.calls.visits(node):
            raise NotWovenError(node, f"a search is called in a statement of the kind {type(node).__name__.lower()}")
        return [*before, node]

    def replace_return(self, node: ast.Return, before: list[ast.stmt]) -> list[ast.stmt]:
        """The woven return statement. A returned conditional expression becomes an if statement with a return statement
        in each branch."""
        if isinstance(node.value, ast.IfExp) and self.calls.visits(node.value.body, node.value.orelse):
            branches = node.value.body, node.value.orelse
            either: list[list[ast.stmt]] = [[ast.copy_location(ast.Return(each), node)] for each in branches]
            return self.replace_statement(ast.If(node.value.test, *either))
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            raise NotWovenError(node, "it returns no value")
        lifted, value = self.lift_calls(node.value)
        if self.has_begun and not self.is_in_loop and not (self.is_entry_for_moves or self.lists_values):
            value = self.after_search(value)
        if self.kind == NODE:
            if not isinstance(value, ast.Name):
                lifted += template("value_ = VALUE", VALUE=value)
                value = ast.Name("value_", ast.Load())
            before += template("leave_node(known_, nodes_, VALUE, ply_, run_)", VALUE=self.node_value(value))
        return [*lifted, *before, ast.Return(value)]

    def loop(self, node: ast.For | ast.While) -> list[ast.stmt]:
        """The woven statements that replace a loop. The woven loop skips forbidden moves and impossible outcomes."""
        if isinstance(node, ast.While):
            if self.calls.visits(node.test):
                raise NotWovenError(node, "a search is called in the condition of a loop")
            before, node.test = self.lift_calls(node.test)
            if before:
                raise NotWovenError(node, "its condition lists moves")
        outer, self.is_in_loop = self.is_in_loop, self.kind != START and self.calls.enters(*node.body)
        begin: list[ast.stmt] = []
        before = []
        if isinstance(node, ast.For):
            if self.is_asked(node.iter, "moves") or self.is_asked(node.iter, "outcomes"):
                before, begin = self.statements_for_loop(node) if self.kind != START else ([], [])
            else:
                before, node.iter = self.lift_calls(node.iter)
        body = self.block(node.body)
        self.is_in_loop = outer
        node.body, node.orelse = begin + body, self.block(node.orelse)
        return [*before, node]

    def statements_for_loop(self, node: ast.For) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """A loop over moves or outcomes needs additional statements. Return the statements to add before the loop, and
        the statements to add at the beginning of the loop's body."""
        is_chance, target = self.is_asked(node.iter, "outcomes"), node.target
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        if len(names) != 1 + is_chance or not all(isinstance(each, ast.Name) for each in names):
            raise NotWovenError(node, "a loop over outcomes needs two variables, and a loop over moves needs one")
        move = ast.Name(names[0].id, ast.Load())  # type: ignore[attr-defined]
        after, begin = self.state_after(node, move)
        if not is_chance:
            skip = "if game.repetition == FORBIDDEN_ and is_forbidden(game, AFTER, ply_, run_.path):\n continue"
            return [], begin + template(skip, AFTER=after)
        probability = ast.Name(names[1].id, ast.Load())  # type: ignore[attr-defined]
        share = self.new_name("share")
        skip = "if is_skipped_outcome(game, S, AFTER, P, ply_, run_):\n continue\nP = P / SHARE"
        begin += template(skip, S=self.state, AFTER=after, P=probability.id, SHARE=share)
        return template("SHARE = allowed_share(game, S, ply_, run_)", SHARE=share, S=self.state), begin

    def state_after(self, loop: ast.For, move: ast.Name) -> tuple[ast.expr, list[ast.stmt]]:
        """An expression for the state after the move of a loop, and the statements to insert before the loop's body. If
        the body always computes this state, the statements store it in a variable, which the body then uses."""
        after = expression("game.result(S, MOVE)", S=self.state, MOVE=move)
        same = ast.dump(after)
        first = loop.body[0]
        uses = [getattr(first, "value", None), getattr(first, "iter", None), getattr(first, "test", None)]
        if not any(ast.dump(each) == same for use in uses if use is not None for each in ast.walk(use)):
            return after, []

        class ResultReader(ast.NodeTransformer):
            def visit_Call(self, call: ast.Call) -> ast.AST:
                is_same = ast.dump(call) == same
                return ast.Name("after_", ast.Load()) if is_same else self.generic_visit(call)

        loop.body = [ResultReader().visit(each) for each in loop.body]
        self.moves["after_"] = move
        return ast.Name("after_", ast.Load()), template("after_ = AFTER", AFTER=after)

    # Expressions. --------------------------------------------------------------------------------
    def is_asked(self, node: ast.AST | None, method: str) -> bool:
        """Whether the expression `node` calls a method of the game with the searched position."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and is_name(node.func.value, "game")
            and node.func.attr == method
            and bool(node.args)
            and is_name(node.args[0], self.state)
        )

    def lift_calls(self, node: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
        """Replace the calls of woven functions in an expression by variables. Returns the calls, and the new
        expression."""
        before: list[ast.stmt] = []
        return before, self.lift(node, before)

    def lift(self, node: ast.expr, before: list[ast.stmt]) -> ast.expr:
        """Replace woven calls in an expression by variables, and add the calls to `before`."""
        if self.calls.visits(node):
            if isinstance(node, ast.IfExp):
                return self.choice(node, before)
            if isinstance(node, ast.ListComp):
                return self.loop_for_list(node, before)
            if is_reduction(node):
                return self.loop_for_reduction(node, before)  # type: ignore[arg-type]
            if isinstance(node, ast.Lambda | ast.GeneratorExp | ast.SetComp | ast.DictComp):
                place = "lambda" if isinstance(node, ast.Lambda) else "comprehension of a kind that is not supported"
                raise NotWovenError(node, f"a search is called in a {place}")
            if isinstance(node, ast.BoolOp) and self.calls.visits(*node.values[1:]):
                raise NotWovenError(node, "a search is called after `and` or `or`")
        elif isinstance(node, ast.ListComp | ast.GeneratorExp) and self.is_asked(node.generators[0].iter, "outcomes"):
            return self.loop_for_list(node, before)
        elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.Lambda):
            return self.replace_calls_in_place(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self.lift(value, before))
            elif isinstance(value, list):
                value[:] = [self.lift(each, before) if isinstance(each, ast.expr) else each for each in value]
                for each in value:
                    if isinstance(each, ast.keyword):
                        each.value = self.lift(each.value, before)
        if isinstance(node, ast.Call):
            kind = self.calls.kind_of_called(node)
            if kind is not None:
                return self.visit_child(node, kind, before)
            return self.replace_method_call(node)
        return node

    def replace_calls_in_place(self, node: ast.expr) -> ast.expr:
        """Replace calls of the game's methods in a comprehension or a lambda. This expression must not call a woven
        function."""
        weaver = self

        class Answer(ast.NodeTransformer):
            def visit_Call(self, call: ast.Call) -> ast.AST:
                self.generic_visit(call)
                return weaver.replace_method_call(call)

        found: ast.expr = Answer().visit(node)
        return found

    def replace_method_call(self, node: ast.Call) -> ast.expr:
        """The woven expression that replaces a call of a method of the game."""
        if self.kind == START:
            return node
        forms = {
            "terminal": "known_ != OPEN_",
            "utility": "node_payoff(game, S, known_, ply_, options_)",
            "evaluate": "node_estimate(game, S, run_)",
            "moves": "iter(legal_moves(game, S, ply_, run_))",
        }
        for method, form in forms.items():
            if self.is_asked(node, method):
                if len(node.args) > 1 or node.keywords:
                    raise NotWovenError(node, f"game.{method} has an argument after the state")
                return expression(form, S=self.state)
        return node

    def visit_child(self, call: ast.Call, kind: str, before: list[ast.stmt]) -> ast.expr:
        """Append the statements that search a child to the list `before`. Returns the variable that contains the
        result."""
        is_own = is_name(call.args[1], self.state)
        if is_own and kind == NODE and self.kind != START:
            call.func.id += f"_{PART}"  # type: ignore[attr-defined]
            kind = PART
        function = self.calls.functions[call.func.id]  # type: ignore[attr-defined]
        called = {each.arg: value for each, value in arguments_of(call, function)}
        values = {**self.calls.defaults[function.name], **called}
        is_child = kind == NODE and self.kind != START
        extra = ["known_"] * (kind == PART) + ["ply_ + 1" if is_child else "ply_", *HANDED[1:]]
        try:
            call.args = [copy.deepcopy(values[each.arg]) for each in function.args.args if not each.arg.endswith("_")]
        except KeyError as missing:
            raise NotWovenError(call, f"{function.name} is called without {missing.args[0]}") from None
        call.args, call.keywords = call.args + [expression(text) for text in extra], []
        if not is_child:
            return call
        child, state = self.new_name("child"), call.args[1]
        move = self.moves.get(state.id) if isinstance(state, ast.Name) else None
        if self.is_asked(state, "result"):
            move = state.args[1]  # type: ignore[attr-defined]
        if move is None:
            raise NotWovenError(call, "it is not clear which move leads to the state: write game.result(s, move)")
        given = next((value for name, value in values.items() if role_of(name) == "color"), None)
        value = self.for_max(ast.Name(child, ast.Load()), color_of_values(function, given, state), function.name)
        before += template(
            "count_ = try_move(ply_, MOVE, count_, run_)\n"
            "CHILD = CALL\n"
            "best_ = better_value(game, ply_, MOVE, VALUE, best_, player_, run_)",
            MOVE=move, CHILD=child, CALL=call, VALUE=value,
        )  # fmt: skip
        return ast.Name(child, ast.Load())

    def new_name(self, base: str) -> str:
        self.number += 1
        return f"{base}_{self.number}"

    def choice(self, node: ast.IfExp, before: list[ast.stmt]) -> ast.expr:
        """Replace a conditional expression by an if statement. Returns the variable that contains the value."""
        name = self.new_name("chosen")
        branches = [template("NAME = VALUE", NAME=name, VALUE=each) for each in (node.body, node.orelse)]
        before += self.statement(locate(ast.If(node.test, *branches), node))
        return ast.Name(name, ast.Load())

    def loop_for_list(self, node: ast.ListComp | ast.GeneratorExp, before: list[ast.stmt]) -> ast.expr:
        """Replace a comprehension by a loop that fills a list. Returns the variable that contains the list."""
        name = self.new_name("list")
        self.lists_values = self.lists_values or self.calls.visits(node)
        before += template("NAME = []", NAME=name)
        before += self.as_loop(node, template("NAME.append(ITEM)", NAME=name, ITEM=node.elt))
        is_iterator = isinstance(node, ast.GeneratorExp)
        return expression("iter(NAME)" if is_iterator else "NAME", NAME=name)

    def loop_for_reduction(self, node: ast.Call, before: list[ast.stmt]) -> ast.expr:
        """Replace `max`, `min` or `sum` by a loop. Returns the variable with the result."""
        kind, items = node.func.id, node.args[0]  # type: ignore[attr-defined]
        if not isinstance(items, ast.GeneratorExp | ast.ListComp):  # max(game.moves(s), key=...)
            item = self.new_name("move")
            loop = ast.comprehension(ast.Name(item, ast.Store()), items, [], 0)
            items = ast.GeneratorExp(ast.Name(item, ast.Load()), [loop])
        name = self.new_name("result")
        worst, sign = ("-INFINITY_", ">") if kind == "max" else ("INFINITY_", "<")
        if kind == "sum":
            before += template("NAME = 0.0", NAME=name)
            keep = template("NAME += VALUE", NAME=name, VALUE=items.elt)
        elif node.keywords:
            best_key, item = self.new_name("key"), self.new_name("item")
            before += template(f"KEY = {worst}", KEY=best_key)
            keep = template(
                f"ITEM_ = VALUE\nNEW = WORTH\nif NEW {sign} KEY:\n KEY = NEW\n NAME = ITEM_",
                ITEM_=item, VALUE=items.elt, NEW=f"new_{best_key}", WORTH=apply_lambda(node.keywords[0].value, item),
                KEY=best_key, NAME=name,
            )  # fmt: skip
        elif isinstance(items.elt, ast.Tuple):
            raise NotWovenError(node, f"{kind} compares tuples: give it a key")
        else:
            before += template(f"NAME = {worst}", NAME=name)
            keep = template(f"NAME = {kind}(NAME, VALUE)", NAME=name, VALUE=items.elt)
        before += self.as_loop(items, keep)
        return ast.Name(name, ast.Load())

    def as_loop(self, node: ast.ListComp | ast.GeneratorExp, body: list[ast.stmt]) -> list[ast.stmt]:
        """Convert a comprehension to a loop over its items."""
        if len(node.generators) > 1:
            raise NotWovenError(node, "a comprehension has more than one `for`")
        over = node.generators[0]
        for condition in over.ifs:
            body = [ast.If(condition, body, [])]
        return self.statement(locate(ast.For(over.target, over.iter, body, []), node))


def color_of_values(function: ast.FunctionDef, given: ast.expr | None, state: ast.expr | str) -> ast.expr:
    """A function returns values for Max or for Min. Return an expression for this player (the color in negamax): 1 for
    Max, -1 for Min. `given` is the argument for the color; None if the function has no parameter for the color."""
    if given is None:
        return expression("color_of(game, S)", S=state) if is_negamax(function.name) else ast.Constant(1)
    return given


def is_reduction(node: ast.expr) -> bool:
    """Whether an expression calls `max`, `min` or `sum` with one argument, and with no keyword except `key`."""
    if not (isinstance(node, ast.Call) and is_one_of(node.func, {"max", "min", "sum"}) and len(node.args) == 1):
        return False
    return all(each.arg == "key" for each in node.keywords)


def apply_lambda(function: ast.expr, name: str) -> ast.expr:
    """Return the expression of a lambda, and replace the lambda's parameter in it by a variable."""
    if not isinstance(function, ast.Lambda):
        raise NotWovenError(function, "the key is not a lambda")
    found: ast.expr = Substitution({function.args.args[0].arg: name}).visit(copy.deepcopy(function.body))
    return found


def arguments_of(call: ast.Call, function: ast.FunctionDef) -> list[tuple[ast.arg, ast.expr]]:
    """Pair each parameter of a function with the argument that a call passes for it."""
    parameters = function.args.args
    named = {each.arg: each for each in parameters}
    return [*zip(parameters, call.args, strict=False)] + [
        (named[each.arg], each.value) for each in call.keywords if each.arg in named
    ]


def always_returns(body: Sequence[ast.stmt]) -> bool:
    """Whether every path through a block ends with a return or raises an error."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return always_returns(last.body) and always_returns(last.orelse)
    is_endless = isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
    return isinstance(last, ast.Return | ast.Raise) or is_endless
