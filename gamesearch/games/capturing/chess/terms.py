"""The terms of the tapered evaluation of chess: their names, their indices among the weights, and initial weights.

Each term has two weights in pawns, one for the middlegame and one for the endgame. The initial weights were mostly
computed by simple formulas. `gamesearch learn "chess(features=tapered)"` improves the initial weights. Squares are seen
from the side that owns the piece. A square and its mirror image on the other half of the board (left or right) share a
weight.
"""

from collections.abc import Callable, Iterator

__all__ = [
    "ATTACK",
    "BACKWARD",
    "BAD_BISHOP",
    "BISHOP_MOBILITY",
    "BISHOP_PAIR",
    "BLOCKED",
    "CONNECTED",
    "COUNT",
    "DOUBLED",
    "FIRST_WEIGHTS",
    "ISOLATED",
    "KINGS_DISTANCE",
    "KNIGHT_MOBILITY",
    "MATERIAL",
    "MOST_ATTACK",
    "NAMES",
    "OPEN_TO_KING",
    "OUTPOST",
    "PASSED",
    "PLACEMENT",
    "QUEEN_MOBILITY",
    "ROOK_FILES",
    "ROOK_MOBILITY",
    "SEVENTH",
    "SHELTER",
    "STORM",
    "TEMPO",
    "TERMS",
    "THREAT_BY_MINOR",
    "THREAT_BY_PAWN",
    "THREAT_BY_ROOK",
]

Pair = tuple[float, float]
"""The weights of a term in the middlegame and in the endgame, in hundredths of a pawn."""
TERMS = "terms"
"""The name under which gamesearch ships the learned weights of the terms."""
PIECES = ("pawn", "knight", "bishop", "rook", "queen", "king")
MOST_ATTACK = 20
"""The number of levels of an attack on a king. Each level of attack has its own weight."""


def placement(piece: int, rank: int, file: int) -> Pair:
    """The weights of a piece on a square of the left half of the board. Ranks and files are numbered from 0; file 0 is
    at the edge."""
    middle = file + min(rank, 7 - rank)  # from 0 in a corner to 6 in the center
    if piece == 0:
        early = (0, 0, 2, 6, 14, 30, 60, 0)[rank] + (-8, -2, 0, 4)[file]
        early += {3: (0, -14, 4, 18, 16, 10, 0, 0), 2: (0, -2, 2, 10, 8, 4, 0, 0)}.get(file, (0,) * 8)[rank]
        return early, (0, 0, 3, 8, 18, 40, 80, 0)[rank] + (2, 2, 0, -2)[file]
    if piece == 1:
        early = (-45, -28, -14, -2, 8, 16, 20)[middle] + (-12, -4, 4, 8, 14, 14, 4, -10)[rank]
        return early, (-40, -28, -16, -6, 4, 12, 16)[middle]
    if piece == 2:
        early = (-12, -6, 0, 5, 9, 12, 14)[middle] + (-12, 4, 4, 4, 4, 0, -2, -8)[rank]
        return early + (10 if (rank, file) == (1, 1) else 0), (-14, -8, -3, 1, 5, 8, 10)[middle]
    if piece == 3:
        return (-4, 0, 4, 8)[file] + (0, -6, -4, -2, 0, 4, 22, 12)[rank], (0, 0, 0, 0, 3, 6, 12, 8)[rank]
    if piece == 4:
        return (-4, 0, 2, 3)[file] + (0, 2, 2, 0, 0, 2, 4, 2)[rank], (-20, -12, -4, 2, 8, 14, 18)[middle]
    early = (24, 32, 8, -12)[file] if rank == 0 else (14, 12, -14, -32)[file] - (0, 14, 36, 56, 70, 80, 90, 100)[rank]
    return early, (-48, -28, -12, 2, 14, 24, 30)[middle] + (-8, 0, 2, 6, 10, 10, 6, -4)[rank]


def by_number(count: int, weight: Callable[[int], Pair]) -> dict[str, Pair]:
    """One term for each number from 0 to `count` - 1."""
    return {str(number): weight(number) for number in range(count)}


GROUPS: dict[str, dict[str, Pair]] = {
    "material": dict(zip(PIECES, ((85, 110), (335, 305), (350, 325), (490, 535), (985, 985)), strict=False)),
    "placement": {
        f"{name} {'abcd'[file]}{rank + 1}": placement(piece, rank, file)
        for piece, name in enumerate(PIECES)
        for rank in range(8)
        for file in range(4)
    },
    "mobility": {
        **{f"knight {n}": (4 * (n - 4), 4 * (n - 4)) for n in range(9)},
        **{f"bishop {n}": (4 * (n - 6), 5 * (n - 6)) for n in range(14)},
        **{f"rook {n}": (2 * (n - 7), 4 * (n - 7)) for n in range(15)},
        **{f"queen {n}": (1 * (n - 13), 3 * (n - 13)) for n in range(28)},
    },
    "bishops": {"pair": (25, 45), "pawns on its color": (-3, -6)},
    "outposts": {"knight": (20, 12), "bishop": (12, 4)},
    "rooks": {"half-open file": (13, 8), "open file": (28, 12), "seventh rank": (8, 20)},
    "passed pawns": {
        **by_number(8, lambda rank: ((0, 2, 4, 12, 30, 60, 100, 0)[rank], (0, 8, 14, 30, 60, 105, 170, 0)[rank])),
        "blocked": (-2, -8),
        "steps of own king": (0, -2),
        "steps of other king": (0, 4),
    },
    "pawns": {"doubled": (-8, -18), "isolated": (-10, -12), "isolated, open": (-18, -14), "backward": (-8, -8)},
    "connected pawns": by_number(
        8, lambda rank: ((0, 3, 7, 9, 16, 30, 50, 0)[rank], (0, 0, 4, 6, 12, 24, 40, 0)[rank])
    ),
    "king shelter": by_number(8, lambda rank: ((-14, 16, 9, 0, -4, -6, -8, 0)[rank], 0)),
    "pawn storm": by_number(8, lambda rank: ((0, 0, -10, -14, -6, 0, 0, 0)[rank], 0)),
    "file open to king": {"": (-14, 0)},
    "king attack": by_number(MOST_ATTACK, lambda strength: (strength * strength, 0)),
    "threats": {
        **{f"pawn on {PIECES[n]}": ((2, 40, 40, 50, 50)[n], (4, 30, 35, 30, 40)[n]) for n in range(5)},
        **{f"minor on {PIECES[n]}": ((4, 18, 18, 36, 36)[n], (8, 16, 16, 30, 36)[n]) for n in range(5)},
        **{f"rook on {PIECES[n]}": ((2, 12, 12, 4, 36)[n], (10, 14, 14, 4, 36)[n]) for n in range(5)},
    },
    "tempo": {"": (12, 8)},
}
"""The initial weights of all terms, by group."""


def starts() -> Iterator[tuple[str, int]]:
    """Yield the name and index of the first term of each group, and of each single term."""
    place = 0
    for group, terms in GROUPS.items():
        yield group, place
        for detail in terms:
            yield f"{group}: {detail}", place
            place += 1


PLACES = dict(starts())
COUNT = sum(map(len, GROUPS.values()))
"""The number of terms. The weight of term i for the endgame is at COUNT + i."""
MATERIAL, PLACEMENT, BISHOP_PAIR, OUTPOST = (PLACES[name] for name in ("material", "placement", "bishops", "outposts"))
KNIGHT_MOBILITY, BISHOP_MOBILITY = PLACES["mobility: knight 0"], PLACES["mobility: bishop 0"]
ROOK_MOBILITY, QUEEN_MOBILITY = PLACES["mobility: rook 0"], PLACES["mobility: queen 0"]
BAD_BISHOP, ROOK_FILES, SEVENTH = BISHOP_PAIR + 1, PLACES["rooks"], PLACES["rooks: seventh rank"]
PASSED, BLOCKED, KINGS_DISTANCE = (PLACES[f"passed pawns{rest}"] for rest in ("", ": blocked", ": steps of own king"))
DOUBLED, ISOLATED, BACKWARD = (PLACES[f"pawns: {name}"] for name in ("doubled", "isolated", "backward"))
CONNECTED, SHELTER, STORM = (PLACES[name] for name in ("connected pawns", "king shelter", "pawn storm"))
OPEN_TO_KING, ATTACK, TEMPO = (PLACES[name] for name in ("file open to king", "king attack", "tempo"))
THREAT_BY_PAWN, THREAT_BY_MINOR = PLACES["threats"], PLACES["threats: minor on pawn"]
THREAT_BY_ROOK = PLACES["threats: rook on pawn"]

NAMES = tuple(
    f"{group}: {detail}{', ' * bool(detail)}{phase}"
    for phase in ("middlegame", "endgame")
    for group, terms in GROUPS.items()
    for detail in terms
)
"""The name of each weight: the group, a colon, the term in the group, and the phase (middlegame or endgame)."""
FIRST_WEIGHTS = tuple(pair[phase] / 100 for phase in (0, 1) for terms in GROUPS.values() for pair in terms.values())
