"""Draw a saved search: HTML, SVG, TikZ and other formats."""

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath

import click

from gamesearch.algorithms.engine.formatting import plural, typeset, with_signs
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_json
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.reading import format_of, game_of_trace, read_trace
from gamesearch.errors import GamesearchError
from gamesearch.play.files import writable_path, write_file
from gamesearch.render.exports import PAGE, export_fitting, exporter, suffixes
from gamesearch.render.exports.svg import FONT, MARGIN, MOST_ROWS, SMALL, Image, choose_joins, image_of, text_width
from gamesearch.render.formats.svg import text
from gamesearch.render.formats.tikz import PIXEL, PREAMBLE, tikz_lines, tikz_picture
from gamesearch.render.trees.graph import GraphImage
from gamesearch.render.trees.picture import Style, apply_style, picture_of
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import sentence

__all__ = ["Frames", "command"]


# Frames. ------------------------------------------------------------------------------------------
MOST = 500
"""The greatest number of frames."""
LINE = 20.0
"""The height of a line of text, in pixels."""
SLIDE = (436.0, 242.0)
"""The space for the drawing on a slide with the aspect ratio 16:9, in points."""
LARGEST_SCALE = 1.3
READABLE = 5.0
"""The least font size that can be read from the back of a lecture hall, in points: 14 pixels on a slide of 1280 x
720."""
BOARD_SCALES = (1.0, 0.85, 0.7, 0.55)
"""The sizes of boards, relative to their usual size. A slide uses the first size at which its values are readable."""


class Frames:
    """A frame for each event of a search: the tree after the event, and below the tree a sentence about the event.

    Frames are slides: either numbered SVG images, or overlays in a LaTeX document (class beamer). All frames have the
    layout of the complete tree, so that nothing moves from one frame to the next.
    """

    def __init__(self, recording: Recording, style: Style) -> None:
        if len(recording.iterations) > 1:  # only the last tree is drawn
            recording = limit_recording(recording)
        if len(recording.events) > MOST:
            raise GamesearchError(
                f"this search has {len(recording.events):,} events, but at most {MOST} frames can be drawn: "
                "draw a smaller part with --plies, --width or --nodes"
            )
        recording = apply_style(recording, style)
        # The title contains the number of drawn nodes, so the last sentence need not count the nodes that are left out.
        self.recording = recording = replace(recording, end=recording.end | {"left_out": 0})
        style = choose_joins(recording, style)
        # Options that `apply_style` has already applied to the recording are reset.
        style = replace(style, pruned=False, moves="none" if style.moves == "none" else "names")
        self.style, self.whole = choose_image(recording, style)
        stepper, (width, height) = Stepper(recording), self.whole.size
        self.sentences = list[list[str]]()
        for number in range(len(stepper.events)):
            stepper.go(number)
            words = with_signs(sentence(stepper))
            self.sentences.append(textwrap.wrap(words, round((width - 2 * MARGIN) / (FONT / 2))))
        self.size = width, height + LINE * max(map(len, self.sentences)) + MARGIN

    @property
    def is_readable(self) -> bool:
        """Whether the values on a slide can be read from the back of a lecture hall."""
        return value_size(self.whole) >= READABLE

    def parts(self) -> Iterator[list[str]]:
        """Yield the SVG elements of each frame."""
        bottom = self.whole.size[1] + LINE / 2
        for number, lines in enumerate(self.sentences):
            picture = picture_of(self.recording, style=self.style, moment=number)
            caption = [text(MARGIN, bottom + LINE * row, line, "start") for row, line in enumerate(lines)]
            yield [*self.whole.parts(picture), *caption]

    def images(self) -> list[str]:
        """Each frame as an SVG image."""
        return [self.whole.image(parts, self.size) for parts in self.parts()]

    def beamer(self) -> str:
        """A document with one slide, whose overlays are the frames."""
        frames = [tikz_lines("".join(parts)) for parts in self.parts()]
        width, height = self.size
        box = f"\\path[use as bounding box] (0,0) rectangle ({width:.0f},{height:.0f});"
        parts = list(enumerate(overlays(frames), 1))
        return "\n".join(
            [
                r"\documentclass[aspectratio=169]{beamer}",
                PREAMBLE,
                r"\usefonttheme{serif}",
                r"\setbeamertemplate{navigation symbols}{}",
                r"\setbeamersize{text margin left=3mm,text margin right=3mm}",
                r"\begin{document}",
                # TeX draws each part only once, in a box, because beamer reads the slide again for each overlay.
                *(line for number, (_, lines) in parts for line in saved_box(number, tikz_picture([], [box, *lines]))),
                r"\begin{frame}[plain]",
                r"\centering",
                f"\\scalebox{{{scale_of(self.size):.3f}}}{{%",
                *(f"{shown}{{\\rlap{{{use_box(number)}}}}}%" for number, (shown, _) in parts),
                f"\\phantom{{{use_box(1)}}}}}",
                r"\end{frame}",
                r"\end{document}",
                "",
            ]
        )


def choose_image(recording: Recording, style: Style) -> tuple[Style, Image | GraphImage]:
    """The image of the whole tree, and its style. The function chooses the size of the boards, and the number of rows
    in a stack of boards, so that the text on a slide is as large as possible. If even the smallest boards leave no
    space for readable text, the deepest levels are drawn without boards."""
    deepest = max(node.ply for node in recording.nodes.values()) if style.boards else 0
    rooms = widest_texts(recording, style)
    smaller = [(scale, None) for scale in (BOARD_SCALES if style.boards else (1.0,))]
    fewer = [(1.0, plies) for plies in reversed(range(deepest))]
    # If no choice makes the text readable, all boards are drawn as small as possible.
    for board_scale, plies in (*smaller, *fewer, smaller[-1]):
        style = replace(style, board_scale=board_scale, board_plies=plies)
        picture = picture_of(recording, style=style)
        for node in picture.nodes():
            node.room = rooms.get(node.name, node.room)
        has_rows = style.boards and not picture.is_graph
        images = [Image(picture, rows) for rows in range(1, MOST_ROWS + 1)] if has_rows else [image_of(picture)]
        image = max(images, key=value_size)
        if value_size(image) >= READABLE:
            break
    return style, image


def widest_texts(recording: Recording, style: Style) -> dict[str, tuple[float, float]]:
    """The space that each picture node needs for its texts, so that they fit in every frame. The keys are the names of
    the nodes. For each node, the first number is the greatest width of its value, and the second is the greatest width
    of its window or note."""
    rooms: dict[str, tuple[float, float]] = {}
    for moment in range(len(recording.events) + 1):
        for node in picture_of(recording, style=style, moment=moment).nodes():
            value, other = rooms.get(node.name, (0.0, 0.0))
            texts = max(text_width(typeset(words), SMALL) for words in (node.window, node.note))
            rooms[node.name] = max(value, text_width(typeset(node.value))), max(other, texts)
    return rooms


def value_size(image: Image | GraphImage) -> float:
    """The font size of a tree's values on a slide, in points. Below the tree, there is space for two lines of text."""
    width, height = image.size
    return FONT * PIXEL * scale_of((width, height + 2 * LINE))


def scale_of(size: tuple[float, float]) -> float:
    """The scale of a drawing on a slide. The width and the height of the drawing are in pixels."""
    return min(SLIDE[0] / (PIXEL * size[0]), SLIDE[1] / (PIXEL * size[1]), LARGEST_SCALE)


def saved_box(number: int, lines: list[str]) -> list[str]:
    """The lines of TeX that store a picture in the box with the given number."""
    name = f"\\csname part{number}\\endcsname"
    return [f"\\expandafter\\newsavebox{name}", f"\\sbox{{{name}}}{{%", *lines, "}"]


def use_box(number: int) -> str:
    """The command that draws the content of a box."""
    return f"\\usebox{{\\csname part{number}\\endcsname}}"


def overlays(frames: list[list[str]]) -> list[tuple[str, list[str]]]:
    """Join the lines of all frames into one list, in which texts come last. Divide the list into groups of lines that
    appear in the same frames. Return each group with a command of beamer that lists these frames. If a group appears in
    all frames, its command is empty.

    >>> overlays([["a;"], ["a;", "b;", "d;"], ["a;", "c;"], ["a;", "b;", "d;"]])
    [('', ['a;']), ('\\\\only<3>', ['c;']), ('\\\\only<2,4>', ['b;', 'd;'])]
    """
    order = list[str]()
    places: dict[str, list[int]] = {}
    for number, lines in enumerate(frames, 1):
        at = 0
        for line in lines:
            if line in places:
                at = max(at, order.index(line) + 1)
            else:
                order.insert(at, line)
                at += 1
            shown = places.setdefault(line, [])
            if number not in shown[-1:]:
                shown.append(number)
    order.sort(key=lambda line: line.startswith(r"\node"))
    return [
        (f"\\only<{numbers_text(numbers)}>" if len(numbers) < len(frames) else "", list(group))
        for numbers, group in groupby(order, places.__getitem__)
    ]


def numbers_text(numbers: list[int]) -> str:
    """Write increasing numbers in beamer's notation, in which 1-3 stands for 1, 2 and 3.

    >>> numbers_text([1, 2, 3, 5, 8, 9])
    '1-3,5,8-9'
    """
    spans = list[list[int]]()
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


# The command. -------------------------------------------------------------------------------------
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
