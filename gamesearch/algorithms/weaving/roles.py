"""Textbooks and lectures use different names for the parameters of search functions and for the methods of games."""

from gamesearch.aliases import by_alias, plain

__all__ = ["FILLED_IN", "HINTS", "METHODS", "MOVERS", "is_maxn", "is_negamax", "role_of"]

MOVERS = ("search", "decision", "move")
"""The name of a function that returns a move ends with a word from this tuple. An example is ALPHA-BETA-SEARCH in the
textbook."""

FILLED_IN = ("depth", "max_depth", "alpha", "beta", "color", "maximizing", "ply", "me")
"""The roles of parameters that gamesearch sets. The name of a parameter decides its role."""


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
"""Maps the name of each parameter (in lower case without underscores) to its role."""
HINTS = by_alias(
    {
        "color (if it is 1 or -1), maximizing (if it is True or False) or me (if it is the player at the root), "
        "or call game.player(s) instead": "player turn agent agentindex",
        "maximizing (if it is True or False)": "maxplayer",
        "alpha": "a",
        "beta": "b",
        "depth": "d level levels plies",
        "max_depth": "limit cutoff",
    }
)
"""Maps each ambiguous name of a parameter to a hint that suggests a better name."""
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
"""Textbooks and lectures use other names for the methods of games. Maps each of these names to the name in
gamesearch."""


def role_of(name: str) -> str | None:
    """The role of a parameter; None if gamesearch does not set the parameter."""
    return ROLES.get(plain(name))


def is_maxn(name: str) -> bool:
    """Whether a function's name begins with maxn. If so, its values are tuples with a payoff for each player."""
    return name.casefold().replace("_", "").startswith("maxn")


def is_negamax(name: str) -> bool:
    """Whether a function's name begins with nega, as in negamax. Such a function returns values for the player to
    move."""
    return name.casefold().lstrip("_").startswith("nega")
