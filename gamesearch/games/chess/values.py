"""What the pieces are worth, by the names of those who said so."""

from typing import NamedTuple

__all__ = ["ALIASES", "VALUES", "Values"]


class Values(NamedTuple):
    """What the pieces are worth in pawns, what two bishops are worth on top, and who says so."""

    pawn: float
    knight: float
    bishop: float
    rook: float
    queen: float
    pair: float
    source: str


VALUES = {
    "standard": Values(1, 3, 3, 5, 9, 0, "the Modenese school (18th century), as in most textbooks"),
    "sarratt": Values(1, 3.1, 3.3, 5, 7.9, 0, "J. H. Sarratt (?), 1813, rounded"),
    "philidor": Values(1, 3.05, 3.5, 5.48, 9.94, 0, "Philidor 1817; given by Staunton, too, in 1847"),
    "pratt": Values(1, 3, 3, 5, 10, 0, "P. Pratt, early 19th century (Hooper & Whyld 1992, p. 439)"),
    "bilguer": Values(1, 3.5, 3.5, 5.7, 10.3, 0, "Bilguer 1843 (Hooper & Whyld 1992, p. 439)"),
    "lasker1934": Values(1, 3, 3, 5, 9.5, 0, "Lasker 1934, p. 73, where the queen is worth 9 to 10"),
    "euwe": Values(1, 3.5, 3.5, 5.5, 10, 0, "Euwe & Kramer, The Middlegame, 1944"),
    "lasker": Values(1, 3.5, 3.5, 5, 8.5, 0, "Lasker 1947, rounded: the wings the same"),
    "shannon": Values(1, 3, 3, 5, 9, 0, "C. Shannon, Programming a Computer for Playing Chess, 1949"),
    "horowitz": Values(1, 3, 3.125, 5, 9, 0, "Horowitz 1951: a bishop is 3 and a small fraction, here an eighth"),
    "turing": Values(1, 3, 3.5, 5, 10, 0, "A. Turing, Digital Computers Applied to Games, 1953"),
    "evans": Values(1, 3.5, 3.5, 5, 10, 0.5, "Evans 1958: each bishop of a pair is worth 3.75"),
    "styeklov": Values(1, 3.5, 3.5, 5, 9.5, 0, "Styeklov 1961, an early Soviet program (Soltis 2004, p. 6)"),
    "fischer": Values(1, 3, 3.25, 5, 9, 0, "Fischer, Mosenfelder & Margulies 1972, p. 14"),
    "ecc": Values(1, 3, 3, 4.5, 8.5, 0, "European Committee on Computer Chess, 1970s (Brace 1977, p. 236)"),
    "kasparov": Values(1, 3, 3, 4.5, 9, 0, "Kasparov 1986, p. 9"),
    "soviet": Values(1, 3, 3, 5, 9.5, 0, "the Soviet chess encyclopedia, 1990, where the queen is worth 9 to 10"),
    "computer": Values(1, 4, 3.5, 7, 13.5, 0, "a computer's, 1992 (Hooper & Whyld, p. 439), without its bishop pair"),
    "kaufman": Values(1, 3.25, 3.25, 5, 9.75, 0.5, "L. Kaufman, Evaluation of Material Imbalances, 1999"),
    "berliner": Values(1, 3.2, 3.33, 5.1, 8.8, 0, "H. Berliner, The System, 1999"),
    "kurzdorfer": Values(1, 3.5, 3.5, 5, 9, 0, "Kurzdorfer 2003, p. 94"),
    "soltis": Values(1, 3, 3, 4.5, 9, 0, "another popular system (Soltis 2004, p. 6)"),
    "gik": Values(1, 2.4, 4, 6.4, 10.4, 0, "Y. Gik, from average mobility (Soltis 2004, pp. 10-12)"),
    "alphazero": Values(1, 3.05, 3.33, 5.63, 9.5, 0, "Tomasev et al., arXiv:2009.04374, 2020"),
}
"""The systems of piece values, by name."""
ALIASES = {"lasker1947": "lasker"}
"""Other names by which they are known."""
