"""Aliases of games, algorithms, players, solving methods and lessons.

An alias that means the same as a known name is replaced by this name. If an alias means something similar but not the
same, the error message suggests what to write.
"""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from gamesearch.errors import GamesearchError
from gamesearch.specification import Specification, nearest, parse_specification

__all__ = [
    "ALGORITHMS", "GAMES", "LESSONS", "METHODS", "PLAYERS", "WATCHED", "by_alias", "plain", "replace_old_parameters",
    "resolve",
]  # fmt: skip


@dataclass(frozen=True)
class Aliases:
    """The aliases of games, algorithms and so on, in lower case without spaces and punctuation."""

    kind: str
    same: Mapping[str, str]
    """Maps each alias to the specification that replaces it."""
    similar: Mapping[str, str] = field(default_factory=dict)
    """Some names are ambiguous, or have only a similar meaning. Maps each of these names to the text that the error
    message suggests."""


def plain(name: str) -> str:
    """The letters and digits of a name, in lower case."""
    return "".join(filter(str.isalnum, name.casefold().replace("&", "and")))


def by_alias(names: Mapping[str, str]) -> dict[str, str]:
    """Map each alias to its name. `names` contains the aliases of each name, separated by spaces."""
    return {alias: name for name, aliases in names.items() for alias in aliases.split()}


LEVELS = {
    f"{word}{level}": f"computer(level={level})"
    for level in (*range(1, 11), "easy", "normal", "hard", "best")
    for word in ("level", "computer")
}
"""Maps each name of a level, such as `level3`, to the player `computer(level=...)` with this level."""
GAMES = Aliases(
    "game",
    by_alias(
        {
            "tictactoe": "noughts noughtsandcrosses noughtscrosses crossesandnoughts xsandos threeinarow ttt",
            "othello": "reversi",
            "connect4": "connectfour fourinarow 4inarow fourinaline c4",
            "kalah": "kalaha",
            "gomoku(size=19, captures=true)": "pente",
            "gomoku": "fiveinarow 5inarow",
            "go": "weiqi baduk igo",
            "checkers": "englishdraughts englishcheckers americancheckers",
            "draughts": "internationaldraughts internationalcheckers polishdraughts",
            "morris": "ninemensmorris merels",
            "chess(variant=chess960)": "chess960 fischerrandom fischerandom freestylechess",
            "chess(variant=antichess)": "antichess",
            "chess(variant=crazyhouse)": "crazyhouse",
            "chess(variant=atomic)": "atomicchess",
            "ultimate": "ultimatetictactoe",
            "dawson": "dawsonschess",
            "dotsandboxes": "boxes",
            "nim(misere=true)": "miserenim",
        }
    ),
    {
        "mancala": "kalah, which is sold as Mancala; gamesearch has no other mancala games",
        "oware": "kalah, the only mancala game in gamesearch",
        "awari": "kalah, the only mancala game in gamesearch",
        "morabaraba": "morris, which is nine men's morris",
        "renju": "gomoku, or gomoku(exact=true) if only rows of exactly five win; Renju's limits on Black are missing",
        "gametree": "tree, as in tree([[3,12,8],[2,4,6],[14,5,2]])",
        "kriegspiel": "chess; gamesearch has no games with hidden information",
    },
)
METHODS = Aliases(
    "method",
    by_alias(
        {
            "memo": "memoization memoisation topdown",
            "dynamic_programming": "dp bottomup tabulation backwardinduction",
            "retrograde": "retrogradeanalysis",
            "iteration": "valueiteration",
            "grundy": "spraguegrundy grundynumbers nimbers nimsum",
            "search": "alphabeta alphabetasearch iterativedeepening",
            "proof": "proofnumbers dfpn",
            "proof(search=pn)": "proofnumbersearch pns pn",
            "proof(search=pn2)": "pn2",
        }
    ),
    {
        "quiescence": "search, which is exact, or gamesearch analyze GAME -a pvs, which uses quiescence search",
        "minimax": "memo, which solves each position once, or search, which is alpha-beta",
        "negamax": "memo, which solves each position once, or search, which is alpha-beta",
        "mcts": "search, which is exact, or gamesearch analyze GAME -a mcts",
        "pvs": "search, which is alpha-beta to the end of the game, or gamesearch analyze GAME -a pvs",
    },
)
WATCHED = ("memo", "dynamic_programming", "retrograde", "proof")
"""The solving methods that `gamesearch watch` shows."""


def method_hint(method: str) -> str:
    """The option that selects a solving method. The error message about an unknown algorithm names this option."""
    option = f"--method '{method}'" if "(" in method else f"--method {method}"
    also = " and gamesearch watch" if method.partition("(")[0] in WATCHED else ""
    return f"{option}, an option of gamesearch solve{also}"


ALGORITHMS = Aliases(
    "algorithm",
    by_alias(
        {
            "minimax": "negamax",
            "minimax(bounds=true)": "minimaxuntilwon",
            "alphabeta": "alphabetapruning alphabetasearch ab",
            "alphabeta(fail=hard)": "failhard failhardalphabeta",
            "alphabeta(deepen=true)": "iterativedeepening",
            "pvs": "principalvariationsearch",
            "expectimax": "expectimaxsearch",
            "expectiminimax": "expectminimax expectiminmax",
            "expectiminimax(pruning=star1)": "star1",
            "expectiminimax(pruning=star2)": "star2",
            "mcts": "montecarlotreesearch uct",
            "bestfirst": "bestfirstminimax",
            "montecarlo": "rollouts flatmontecarlo",
        }
    ),
    by_alias(
        {
            "pvs(quiescence=true)": "quiescence quiescencesearch",
            "pvs(null_move=true)": "nullmove",
            "pvs(exact=true)": "negascout scout",
            "alphabeta(table=true, window=null)": "mtdf mtd",
            "alphabeta(table=true)": "transpositiontable",
            "alphabeta(order=killer)": "killer",
            "alphabeta(order=history)": "historyheuristic",
        }
    )
    | {plain(name): method_hint(name) for name in METHODS.same.values() if "(" not in name and name != "search"}
    | {name: method_hint(method) for name, method in METHODS.same.items() if method != "search"}
    | {level: f"gamesearch play GAME --min '{player}': a level is a player" for level, player in LEVELS.items()},
)
PLAYERS = Aliases("player", {**ALGORITHMS.same, **LEVELS}, ALGORITHMS.similar)
LESSONS = Aliases(
    "lesson",
    by_alias(
        {
            "minimax": "negamax",
            "alpha-beta": "alphabetapruning ab",
            "deepening": "iterativedeepening",
            "monte-carlo": "mcts montecarlotreesearch",
            "chance": "expectiminimax expectimax",
            "multiplayer": "maxn",
        }
    ),
    by_alias(
        {
            "memory": "memoization memoisation memo dynamicprogramming dp transpositiontable nim grundy nimsum "
            "spraguegrundy",
            "monte-carlo": "uct ucb ucb1 playouts rollouts",
            "chance": "star1 star2 pig",
            "alpha-beta": "pruning window",
            "horizon": "quiescence horizoneffect",
            "endgame-databases": "database retrograde retrogradeanalysis",
        }
    ),
)


def resolve(given: Specification, known: Iterable[str], aliases: Aliases) -> Specification:
    """Replace an alias in a specification by the known name. Spaces, case and punctuation of the alias do not matter.

    Raises GamesearchError, with a suggestion, if the name is unknown.

    >>> resolve(Specification("Connect 4"), ["connect4"], GAMES).name
    'connect4'
    >>> resolve(Specification("pente", (), {"size": 13}), ["gomoku"], GAMES).parameters
    {'size': 13, 'captures': True}
    """
    known = list(known)
    if given.name in known:
        return given
    wanted = plain(given.name)
    same = {plain(each): each for each in known}.get(wanted) or aliases.same.get(wanted)
    if same is not None:
        meant = parse_specification(same)
        return replace(given, name=meant.name, parameters={**meant.parameters, **given.parameters})
    hint = f"write {aliases.similar[wanted]}" if wanted in aliases.similar else nearest(given.name, known)
    if " " in given.name and {*given.name.split()} <= {*known}:
        hint = f"give one name, or separate several names by commas: {','.join(given.name.split())}"
    if aliases.kind in ("game", "algorithm") and given.name.isidentifier() and Path(f"{given.name}.py").is_file():
        hint = f"did you mean ./{given.name}.py?"
    raise GamesearchError(f"there is no {aliases.kind} {given.name!r}: {hint}")


REPLACED = {("mcts", "bias"): ("prior", "the number of virtual playouts with which each move begins")}
"""Maps each old parameter of an algorithm to the new parameter and its meaning."""


def replace_old_parameters(given: Specification) -> Specification:
    """Replace old parameters of an algorithm by the parameters with the closest meaning, and issue a warning."""
    parameters = dict(given.parameters)
    for name in given.parameters:
        if (given.name, name) in REPLACED:
            new, meaning = REPLACED[given.name, name]
            if new in parameters:
                raise GamesearchError(
                    f"{given.name} has the parameter {new!r} instead of the old parameter {name!r}: leave out {name!r}"
                )
            value = parameters[new] = parameters.pop(name)
            warnings.warn(
                f"{given.name} no longer has the parameter {name!r}: {name}={value} is read as {new}={value}, "
                f"{meaning}",
                FutureWarning,
                stacklevel=2,
            )
    return replace(given, parameters=parameters)
