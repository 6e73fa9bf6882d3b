"""Draw a saved search: HTML, SVG, TikZ and other formats."""

from pathlib import PurePath

import click

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_json
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.reading import format_of, game_of_trace, read_trace
from gamesearch.errors import GamesearchError
from gamesearch.play.files import writable_path, write_file
from gamesearch.render.documents.frames import Frames
from gamesearch.render.exports import PAGE, export_fitting, exporter, suffixes
from gamesearch.render.trees.picture import Style
from gamesearch.trace.excerpts import limit_recording

__all__ = ["command"]

FRAMED = (".svg", ".tex")
"""The formats for --frames."""


@click.command(
    cls=Command,
    examples=[
        'gamesearch analyze "[[3,12,8],[2,4,6],[14,5,2]]" --trace lecture.trace',
        "gamesearch export lecture.trace --to lecture.svg",
        "gamesearch export lecture.trace --to worksheet.tex --blank",
        "gamesearch export lecture.trace --to ranges.svg --windows ranges --pruned",
        "gamesearch analyze tictactoe -a 'minimax(depth=2)' --trace plies.trace",
        "gamesearch export plies.trace --to plies.svg --boards --moves none",
        "gamesearch export lecture.trace --to slides.tex --frames",
    ],
)
@cli.trace_argument
@cli.file_option("--to", "path", required=True, text=f"File to write: {', '.join(suffixes())}.")
@cli.number_option("--plies", least=0, text="Draw the first N plies of the tree.  [default: all]")
@cli.number_option("--width", text="Draw at most N moves at each node.  [default: all]")
@cli.number_option("--nodes", text="Draw only the N nodes nearest to the root.")
@cli.flag_option(
    "--frames", text="Draw slides: a picture (frame) for each event, as LaTeX beamer overlays or several SVG files."
)
@cli.flag_option("--blank", text="Make a worksheet without values and windows.")
@cli.boards_option
@cli.pruned_option
@cli.move_labels_option
@cli.windows_option
@cli.values_only_option
@cli.flag_option("--no-title", text="Leave out the title, the result and the legend; not for .html.")
@cli.trusted_game_option
@cli.flag_option(
    "--fit",
    text=f"Draw as much of the tree as fits the format. Pictures are at most {PAGE:,} pixels wide and high.",
)
@cli.force_option
@cli.json_option
def command(
    trace: str,
    path: str,
    plies: int | None,
    width: int | None,
    nodes: int | None,
    frames: bool,
    blank: bool,
    boards: bool,
    pruned: bool,
    moves: str,
    windows: str,
    values_only: bool,
    no_title: bool,
    game: str,
    fit: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Draw a saved search: the tree, its values and its cutoffs. The suffix of the file decides the format.

    TRACE is a file that analyze --trace or solve --trace has written ('-' reads standard input). A table of values
    (dynamic programming) is drawn as a graph in .dot and .mmd files and, if Graphviz is installed, in .svg, .tex and
    .html files. A worksheet (--blank) shows only the values of leaves and the pruned moves; the same picture without
    --blank is its solution. If students should find the cutoffs of alpha-beta, make the worksheet from a trace of
    minimax.
    """
    suffix = format_of(path, suffixes(), overwrite=force)
    if frames and suffix not in FRAMED:
        raise GamesearchError(f"--frames writes only {' and '.join(FRAMED)} files, not {suffix}")
    if no_title and suffix == ".html":
        raise GamesearchError("a page always has a title: leave out --no-title")
    if frames and (blank or fit):
        raise GamesearchError("--frames shows a whole search: leave out --blank and --fit")
    recording = read_trace(trace)
    if (plies, width, nodes) != (None, None, None):
        recording = limit_recording(recording, plies, width, nodes)
    style = Style(
        moves="none" if values_only else moves,
        windows="none" if values_only else windows,
        notes=not values_only,
        headings=not no_title,
        boards=boards,
        pruned=pruned,
        game=game_of_trace(recording, game) if boards or pruned else None,
    )
    if frames:
        write_frames(path, Frames(recording, style), force, as_json)
        return
    text, part, limit = export_fitting(exporter(suffix), recording, blank, fit, style)
    write_file(path, text, overwrite=force)
    root = part.root
    drawn = len(list(part.below(root.number))) if root is not None else 0
    say(f"{path}: {plural(drawn, 'node')} drawn" + (f" ({limit})" if limit else ""))
    if as_json:
        print_json({"file": path, "nodes": drawn, "searched": recording.end["nodes"], "limit": limit, "blank": blank})


def write_frames(path: str, frames: Frames, overwrite: bool, as_json: bool) -> None:
    """Write the frames to one TeX file, or to SVG files with numbers before the suffix."""
    name = PurePath(path)
    if name.suffix.casefold() == ".tex":
        texts = {path: frames.beamer()}
    else:
        images = frames.images()
        digits = len(str(len(images)))
        texts = {str(name.with_stem(f"{name.stem}-{number:0{digits}}")): each for number, each in enumerate(images, 1)}
    for file in texts:
        writable_path(file, overwrite=overwrite)
    for file, written in texts.items():
        write_file(file, written, overwrite=overwrite)
    files = list(texts)
    say(f"{files[0] if len(files) == 1 else f'{files[0]} to {files[-1]}'}: {plural(len(frames.sentences), 'frame')}")
    if not frames.is_readable:
        say("the values are too small to read on a slide: draw a part of the tree with --plies, --width or --nodes")
    if as_json:
        print_json({"files": files, "frames": len(frames.sentences), "readable": frames.is_readable})
