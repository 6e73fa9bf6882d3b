"""A searched tree in LaTeX, drawn by TikZ: for handouts. The drawing has the same layout as the SVG image."""

from gamesearch.render.exports.svg import Image
from gamesearch.render.tikz import LARGEST, PREAMBLE, tikz_picture
from gamesearch.render.trees.picture import PLAIN, Style, TooLargeError, picture_of
from gamesearch.support.escaping import tex_text
from gamesearch.trace.recording import Recording

__all__ = ["export"]


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The tree as a complete LaTeX document; raises TooLargeError if it is too large for TeX."""
    image = Image(picture_of(recording, blank, style))
    if max(image.size) > LARGEST:
        raise TooLargeError(
            f"this tree would be {max(image.size):,.0f} pixels large, and the limit of TeX is {LARGEST:,}: "
            "draw less of it"
        )
    lines = [
        *(f"% {tex_text(text)}" for text in image.picture.headings if text),
        r"\documentclass[border=6pt]{standalone}",
        PREAMBLE,
        r"\begin{document}",
        *tikz_picture(image.parts()),
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"
