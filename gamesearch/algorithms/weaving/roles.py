"""Common alternative names for the parameters of search functions and for the methods of games."""

__all__ = ["FILLED_IN", "HINTS", "METHODS", "MOVERS", "is_negamax", "plain", "role_of"]

MOVERS = ("search", "decision", "move")
"""Suffixes of names of functions that return a move, as in the textbook."""

FILLED_IN = ("depth", "max_depth", "alpha", "beta", "color", "maximizing", "ply")
"""The roles of parameters for which gamesearch provides a value."""
ROLES = {
    "depth": "depth",
    "maxdepth": "max_depth",
    "maximumdepth": "max_depth",
    "depthlimit": "max_depth",
    "limitdepth": "max_depth",
    "maxply": "max_depth",
    "alpha": "alpha",
    "beta": "beta",
    "\N{GREEK SMALL LETTER ALPHA}": "alpha",
    "\N{GREEK SMALL LETTER BETA}": "beta",
    "color": "color",
    "colour": "color",
    "sign": "color",
    "maximizing": "maximizing",
    "maximising": "maximizing",
    "maximize": "maximizing",
    "maximise": "maximizing",
    "maximizer": "maximizing",
    "maximizingplayer": "maximizing",
    "maximisingplayer": "maximizing",
    "ismax": "maximizing",
    "ismaxplayer": "maximizing",
    "ismaxturn": "maximizing",
    "ismaximizing": "maximizing",
    "ismaximising": "maximizing",
    "ismaximizer": "maximizing",
    "ismaximizingplayer": "maximizing",
    "maxturn": "maximizing",
    "ply": "ply",
}
"""The role of a parameter by its name in lower case without underscores."""
HINTS = {
    "player": "color if it is 1 or -1, maximizing if it is True or False; else call game.player(s)",
    "turn": "color if it is 1 or -1, maximizing if it is True or False; else call game.player(s)",
    "agent": "color if it is 1 or -1, maximizing if it is True or False; else call game.player(s)",
    "agentindex": "color if it is 1 or -1, maximizing if it is True or False; else call game.player(s)",
    "maxplayer": "maximizing if it is True or False",
    "a": "alpha",
    "b": "beta",
    "d": "depth",
    "level": "depth",
    "levels": "depth",
    "plies": "depth",
    "limit": "max_depth",
    "cutoff": "max_depth",
}
"""Better names for parameters whose names are ambiguous."""
METHODS = {
    "actions": "moves",
    "legal_actions": "moves",
    "legal_moves": "moves",
    "get_actions": "moves",
    "get_moves": "moves",
    "get_legal_actions": "moves",
    "get_legal_moves": "moves",
    "getLegalActions": "moves",
    "getLegalMoves": "moves",
    "possible_moves": "moves",
    "is_terminal": "terminal",
    "isTerminal": "terminal",
    "terminal_test": "terminal",
    "is_over": "terminal",
    "game_over": "terminal",
    "is_game_over": "terminal",
    "to_move": "player",
    "current_player": "player",
    "get_player": "player",
    "whose_turn": "player",
    "apply": "result",
    "apply_action": "result",
    "make_move": "result",
    "next_state": "result",
    "successor": "result",
    "generate_successor": "result",
    "transition": "result",
    "eval": "evaluate",
    "evaluation": "evaluate",
    "heuristic": "evaluate",
    "chances": "outcomes",
    "payoff": "utility",
}
"""The methods of a game by other names that textbooks and lectures use."""


def plain(name: str) -> str:
    """A name in lower case and without separators, so that files, functions and classes can be compared."""
    return name.casefold().replace("_", "").replace("-", "")


def role_of(name: str) -> str | None:
    """The role of a parameter; None if gamesearch provides no value for it."""
    return ROLES.get(plain(name))


def is_negamax(name: str) -> bool:
    """Whether a function is named like negamax: without a color, its values are for the player to move."""
    return name.casefold().lstrip("_").startswith("nega")
