"""A searched tree in LaTeX, drawn by TikZ: for handouts. The drawing has the same layout as the SVG image."""

from gamesearch.render.exports.svg import choose_joins, image_of
from gamesearch.render.formats.tikz import LARGEST, tikz_document, tikz_picture
from gamesearch.render.trees.picture import PLAIN, Style, TooLargeError, picture_of
from gamesearch.trace.recording import Recording

__all__ = ["export"]

LONGEST = 1_000_000
"""The greatest number of characters of a document. The memory of TeX is limited."""


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The tree as a complete LaTeX document; raises TooLargeError if the tree is too large for TeX."""
    image = image_of(picture_of(recording, blank, choose_joins(recording, style)))
    if max(image.size) > LARGEST:
        raise TooLargeError(
            f"this tree would be {max(image.size):,.0f} pixels wide or high, but TeX allows at most {LARGEST:,}: "
            "draw a smaller part"
        )
    text = tikz_document(tikz_picture(image.parts()), image.picture.headings)
    if len(text) > LONGEST:
        raise TooLargeError(
            f"this tree needs {len(text):,} characters of TeX, and the limit is {LONGEST:,}: draw a smaller part"
        )
    return text
