"""Export of searched trees to other formats. The module for a format is named after the suffix of its files.

Each module has a function `export(recording, blank, style)` that returns the text. If `blank` is true, the text is a
worksheet.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import replace

from gamesearch.render.trees.picture import PLAIN, Style, TooLargeError
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.recording import Recording

__all__ = ["PAGE", "export_fitting", "exporter", "suffixes"]

Export = Callable[[Recording, bool, Style], str]
PAGE = 2_000
"""With --fit, a picture is at most this number of pixels wide and high. Larger trees are not readable on a page."""


def suffixes() -> list[str]:
    """The suffixes of all formats, such as `.svg`."""
    return [f".{module.name}" for module in pkgutil.iter_modules(__path__)]


def exporter(suffix: str) -> Export:
    """The export function for a suffix."""
    export: Export = importlib.import_module(f"{__name__}.{suffix[1:]}").export
    return export


def export_fitting(
    write: Export, recording: Recording, blank: bool, fits: bool, style: Style = PLAIN
) -> tuple[str, Recording, str]:
    """Export a tree; return the text, the recording of the part that was drawn, and the limit that was applied, such as
    `--plies 3`.

    If `fits` is true, the tree is made smaller until it fits on a page and within the limits of the format. The
    subtrees of pruned branches are left out first. If the tree is still too large, complete plies are left out. If not
    even one ply below the root fits, the nodes nearest to the root are drawn. If `fits` is false and the tree is too
    large, raises TooLargeError, whose message names limits that fit.
    """
    if fits and style.widest is None:
        try:
            return export_fitting(write, recording, blank, fits, replace(style, widest=PAGE))
        except TooLargeError:  # not even the root fits on a page, for example because its position is a long text
            pass
    try:
        return write(recording, blank, style), recording, ""
    except TooLargeError as error:
        reason = error
    if fits and style.pruned:
        style = replace(style, pruned_plies=1)
        try:
            return write(recording, blank, style), recording, "no subtrees of pruned branches"
        except TooLargeError:
            pass
    plies = find_largest_fit(
        write, recording, blank, style, "plies", max(node.ply for node in recording.nodes.values())
    )
    nodes = find_largest_fit(write, recording, blank, style, "nodes", len(recording.nodes))
    if not nodes:  # not even the root
        raise reason
    if not fits:
        ways = [*([f"--plies {plies}"] if plies else []), f"--nodes {nodes}"]
        raise TooLargeError(f"{reason}: {' or '.join(ways)} fits; --fit draws the largest part") from None
    limit, most = ("plies", plies) if plies else ("nodes", nodes)
    part = limit_recording(recording, **{limit: most})
    return write(part, blank, style), part, f"--{limit} {most}"


def find_largest_fit(write: Export, recording: Recording, blank: bool, style: Style, limit: str, most: int) -> int:
    """Use bisection to find the greatest number of plies or nodes that a format can show; 0 if it can show none."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        try:
            write(limit_recording(recording, **{limit: middle}), blank, style)
            low = middle
        except TooLargeError:
            high = middle - 1
    return low
