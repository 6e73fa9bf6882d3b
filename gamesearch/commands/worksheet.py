"""`gamesearch worksheet`: write exercises with blanks and their solutions, a variant for each student."""

from pathlib import PurePath

import click

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.cli.consoles import print_json
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.options import file_option, force_option, json_option, number_option
from gamesearch.cli.reading import format_of
from gamesearch.play.files import writable_path, write_file
from gamesearch.render.worksheets import TOPICS, variants, worksheet_html, worksheet_pdf, worksheet_tex

__all__ = ["command"]

FORMATS = (".tex", ".html", ".pdf")
SOLUTIONS = "-solutions"


@click.command(
    cls=Command,
    examples=[
        "gamesearch worksheet alpha-beta --count 20 --seed 7 --to sheet.tex",
        "gamesearch worksheet tictactoe --to sheet.html",
        "gamesearch worksheet minimax --count 3 --json",
    ],
)
@click.argument("topic", metavar="TOPIC", type=click.Choice(list(TOPICS)))
@number_option("--count", most=500, default=1, text="Number of variants.")
@click.option("--seed", type=int, metavar="N", default=1, show_default=True, help="Seed for the random instances.")
@file_option(
    "--to",
    "path",
    text=f"Write the sheet: {', '.join(FORMATS)}. The solutions are in a file with {SOLUTIONS} before the suffix.",
)
@force_option
@json_option
def command(topic: str, count: int, seed: int, path: str | None, force: bool, as_json: bool) -> None:
    """Write an exercise with blanks and its solutions, a variant for each student.

    TOPIC is minimax, alpha-beta, expectiminimax, maxn or tictactoe. Each student can get the variant with his or her
    number: variant 7 depends only on the seed and the number 7. --json prints the instances and their answers.
    """
    if path is None and not as_json:
        raise click.UsageError("name a file by --to, or print the answers by --json")
    suffix = format_of(path, FORMATS, overwrite=force)
    files = [] if path is None else [path, str(PurePath(path).with_stem(PurePath(path).stem + SOLUTIONS))]
    for file in files:
        writable_path(file, overwrite=force)
    found = variants(TOPICS[topic], count, seed)
    for file, is_solution in zip(files, (False, True), strict=False):
        if suffix == ".pdf":
            write_file(file, worksheet_pdf(TOPICS[topic], found, is_solution), overwrite=force)
        else:
            write = worksheet_tex if suffix == ".tex" else worksheet_html
            write_file(file, write(TOPICS[topic], found, is_solution), overwrite=force)
    if files:
        say(f"{plural(count, 'variant')} in {files[0]}, the solutions in {files[1]}")
    if as_json:
        each = [{"number": one.number, "on": one.on, "answers": dict(one.answers)} for one in found]
        print_json({"topic": topic, "seed": seed, "files": files, "variants": each})
