"""Write exercises with blanks, and their solutions."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import PurePath
from typing import Any

import click
from rich.table import Column

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.cli.consoles import print_found, print_json
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.options import file_option, force_option, json_option, number_option, offer_topics
from gamesearch.cli.reading import format_of
from gamesearch.commands.learning.lesson import load_checked, run_quietly
from gamesearch.lessons.worksheets import find_topic, make_worksheet, worksheet_topics
from gamesearch.play.files import writable_path, write_file
from gamesearch.render.documents.worksheets import Variant, Worksheet, worksheet_html, worksheet_pdf, worksheet_tex
from gamesearch.render.tables import plain_table, text_column

__all__ = ["command"]

FORMATS: Mapping[str, Callable[[Worksheet, bool], str | bytes]] = {
    ".tex": worksheet_tex,
    ".html": worksheet_html,
    ".pdf": worksheet_pdf,
}
SOLUTIONS = "-solutions"


@click.command(
    cls=Command,
    examples=[
        "gamesearch worksheet",
        "gamesearch worksheet alpha-beta --count 20 --seed 7 --to sheet.tex",
        "gamesearch worksheet nim --variant 3 --to sheet.html",
        "gamesearch worksheet minimax --count 3 --json",
    ],
)
@click.argument("topic", metavar="[TOPIC|FILE.md]", default="", required=False, shell_complete=offer_topics)
@number_option("--count", most=500, text="Number of variants.  [default: 1]")
@number_option("--variant", text="Write only the variant with this number.")
@click.option("--seed", type=int, metavar="N", default=1, show_default=True, help="Seed for the random instances.")
@file_option(
    "--to",
    "path",
    text=f"Write the worksheet to FILE ({', '.join(FORMATS)}). The solutions get a file with {SOLUTIONS} in its name.",
)
@force_option
@json_option
def command(
    topic: str, count: int | None, variant: int | None, seed: int, path: str | None, force: bool, as_json: bool
) -> None:
    """Write exercises with blanks, and their solutions. Each student can get a different variant.

    If TOPIC is missing, the command lists the topics. FILE.md is a lesson of your own; the exercises are the questions
    of this lesson that can have random instances. Variant 7 depends only on the seed and the number 7, so you can
    number the students and print a variant for each number. --json prints the questions and their answers.
    """
    if not topic:
        topics = worksheet_topics()
        data = [{"topic": name, "title": title} for name, title in topics.items()]
        table = plain_table(text_column("topic", "bold"), Column("title"), rows=[*topics.items()], gap=2)
        print_found(table, lambda: data, as_json)
        return
    topic = find_topic(topic)
    if variant is not None and count is not None:
        raise click.UsageError("--variant writes one variant: leave out --count")
    if path is None and not as_json:
        raise click.UsageError("name a file with --to, or print the answers with --json")
    suffix = format_of(path, tuple(FORMATS), overwrite=force)
    files = [] if path is None else [path, str(PurePath(path).with_stem(PurePath(path).stem + SOLUTIONS))]
    for file in files:
        writable_path(file, overwrite=force)
    numbers = range(1, (count or 1) + 1) if variant is None else [variant]
    run = cache(run_quietly)
    if topic.casefold().endswith(".md"):
        load_checked(topic, run)
    worksheet = make_worksheet(topic, numbers, seed, run)
    for file, is_solution in zip(files, (False, True), strict=False):
        write_file(file, FORMATS[suffix](worksheet, is_solution), overwrite=force)
    if files:
        what = plural(len(numbers), "variant") if variant is None else f"variant {variant}"
        say(f"wrote {what} to {files[0]}, and the solutions to {files[1]}")
    if as_json:
        print_json(
            {"topic": topic, "seed": seed, "files": files, "variants": list(map(variant_data, worksheet.variants))}
        )


def variant_data(variant: Variant) -> dict[str, Any]:
    """A variant as JSON."""
    questions = [{"on": each.on, **asdict(answer)} for each in variant.exercises for answer in each.answers]
    return {"number": variant.number, "questions": questions}
