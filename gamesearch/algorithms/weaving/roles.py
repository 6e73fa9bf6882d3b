"""Other common names for the parameters of search functions and for the methods of games."""

__all__ = ["FILLED_IN", "HINTS", "METHODS", "MOVERS", "is_maxn", "is_negamax", "plain", "role_of"]

MOVERS = ("search", "decision", "move")
"""Suffixes of names of functions that return a move, as in the textbook."""

FILLED_IN = ("depth", "max_depth", "alpha", "beta", "color", "maximizing", "ply", "me")
"""The roles of parameters for which gamesearch provides a value. A parameter has one of them by its name."""


def by_alias(table: dict[str, str]) -> dict[str, str]:
    """A table with the name for each alias, from a table with the aliases of each name."""
    return {alias: name for name, aliases in table.items() for alias in aliases.split()}


ROLES = by_alias(
    {
        "depth": "depth",
        "max_depth": "maxdepth maximumdepth depthlimit limitdepth maxply",
        "alpha": "alpha \N{GREEK SMALL LETTER ALPHA}",
        "beta": "beta \N{GREEK SMALL LETTER BETA}",
        "color": "color colour sign",
        "maximizing": "maximizing maximising maximize maximise maximizer maximizingplayer maximisingplayer ismax "
        "ismaxplayer ismaxturn ismaximizing ismaximising ismaximizer ismaximizingplayer maxturn",
        "ply": "ply",
        "me": "me rootplayer",
    }
)
"""The role of a parameter by its name in lower case without underscores."""
HINTS = by_alias(
    {
        "color if it is 1 or -1, maximizing if it is True or False, me for the player at the root; else call "
        "game.player(s)": "player turn agent agentindex",
        "maximizing if it is True or False": "maxplayer",
        "alpha": "a",
        "beta": "b",
        "depth": "d level levels plies",
        "max_depth": "limit cutoff",
    }
)
"""Better names for parameters whose names are ambiguous."""
METHODS = by_alias(
    {
        "moves": "actions legal_actions legal_moves get_actions get_moves get_legal_actions get_legal_moves "
        "getLegalActions getLegalMoves possible_moves",
        "terminal": "is_terminal isTerminal terminal_test is_over game_over is_game_over",
        "player": "to_move current_player get_player whose_turn",
        "result": "apply apply_action make_move next_state successor generate_successor transition",
        "evaluate": "eval evaluation heuristic",
        "outcomes": "chances",
        "utility": "payoff",
    }
)
"""The methods of a game by other names that textbooks and lectures use."""


def plain(name: str) -> str:
    """A name in lower case and without separators, so that files, functions and classes can be compared."""
    return name.casefold().replace("_", "").replace("-", "")


def role_of(name: str) -> str | None:
    """The role of a parameter; None if gamesearch provides no value for it."""
    return ROLES.get(plain(name))


def is_maxn(name: str) -> bool:
    """Whether a function has a name like maxn: its values are tuples with a payoff for each player."""
    return name.casefold().replace("_", "").startswith("maxn")


def is_negamax(name: str) -> bool:
    """Whether a function has a name like negamax. Even if it has no color, its values are for the player to move."""
    return name.casefold().lstrip("_").startswith("nega")
