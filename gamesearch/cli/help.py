"""Commands whose `--help` fits on one screen, and whose options can also be given under their old names."""

import inspect
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import click

from gamesearch.cli.messages import say, terminal_size

__all__ = ["Command"]

MOST_LINES = 40  # the greatest number of lines of `--help` if the output is not a terminal
FIRST_SENTENCE = re.compile(r"[.;] |  \[")  # a pattern that matches the end of the first sentence of an option's help
UNBROKEN = "\N{NO-BREAK SPACE}"  # keeps a default value together with the word before it
MOST_EXAMPLES, FEW_EXAMPLES = 5, 2  # the greatest numbers of examples in a short help page, on high and low screens


class Command(click.Command):
    """A command whose `--help` fits on the screen: it shows examples and, if necessary, only the first options.
    `--help-all` shows everything. `old_names` maps old names of options to new names."""

    def __init__(
        self, *arguments: Any, examples: Sequence[str], old_names: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.examples, self.old_names = examples, old_names or {}
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=self.print_all_help,
                help="Show all options and details.",
            )
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; an old name of an option is accepted with a notice. If an argument is written like an
        option, the error message shows how to write it."""
        for number, each in enumerate(args):
            name, equals, value = each.partition("=")
            if name in self.old_names:
                say(f"{name} is now called {self.old_names[name]}")
                args[number] = self.old_names[name] + equals + value
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name[2:] in (each.name for each in self.params if isinstance(each, click.Argument)):
                usage = " ".join([ctx.command_path, *self.collect_usage_pieces(ctx)[1:]])  # without [OPTIONS]
                raise click.UsageError(f"write the argument without {error.option_name}: {usage}", ctx) from None
            raise

    def print_all_help(self, ctx: click.Context, parameter: click.Parameter, is_given: bool) -> None:  # noqa: ARG002
        """Print the complete help and exit, if --help-all was given."""
        if is_given and not ctx.resilient_parsing:
            click.echo(self.complete_help(ctx))
            ctx.exit()

    def get_help(self, ctx: click.Context) -> str:
        """Return the complete help if it fits on the screen. Otherwise, return a short page with the first options that
        fit."""
        screen = terminal_size(sys.stdout)
        found, most = self.complete_help(ctx), MOST_LINES if screen is None else screen.lines - 2  # room for a prompt
        examples = MOST_EXAMPLES if most >= MOST_LINES else FEW_EXAMPLES
        count = len(self.option_lines(ctx)) - 2
        while len(found.splitlines()) > most and count:
            found = self.short_help_page(ctx, count, examples)
            count -= 1
        return found

    def complete_help(self, ctx: click.Context) -> str:
        """Return a help page with the summary, all examples, the details, and all options."""
        summary, _, details = inspect.cleandoc(self.help or "").partition("\n\n")
        formatter = self.begin_page(ctx, summary, self.examples)
        if details:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(details)
        with formatter.section("Options"):
            lines = self.option_lines(ctx)
            formatter.write_dl([(names, text.replace("default: ", f"default:{UNBROKEN}")) for names, text in lines])
        return formatter.getvalue().replace(UNBROKEN, " ").rstrip("\n")

    def short_help_page(self, ctx: click.Context, count: int, examples: int) -> str:
        """Return a short help page. It contains the summary, the first `examples` examples, and one sentence about each
        of the first `count` options."""
        summary = inspect.cleandoc(self.help or "").partition("\n\n")[0]
        formatter = self.begin_page(ctx, summary, self.examples[:examples])
        *lines, _, _ = self.option_lines(ctx)  # except --help-all and --help
        with formatter.section("Options"):
            formatter.write_dl([(names, FIRST_SENTENCE.split(text)[0].rstrip(".")) for names, text in lines[:count]])
        others = ", ".join(re.findall(r"--[a-z-]+", " ".join(names for names, _ in lines[count:])))
        formatter.write_paragraph()
        words = f"{f'Other options: {others}. ' * bool(others)}Details: {ctx.command_path} --help-all"
        formatter.write("\n".join(textwrap.wrap(words, formatter.width, break_on_hyphens=False)))
        return formatter.getvalue().rstrip("\n")

    def begin_page(self, ctx: click.Context, summary: str, examples: Sequence[str]) -> click.HelpFormatter:
        """Return a help formatter that already contains the usage, the summary and the examples."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(summary)
        with formatter.section("Examples"):
            for example in examples:
                formatter.write(f"  {example}\n")
        return formatter

    def option_lines(self, ctx: click.Context) -> list[tuple[str, str]]:
        """For each option, return a pair: the option's names and its help."""
        options = (each for each in self.get_params(ctx) if isinstance(each, click.Option))
        return [line for each in options if (line := each.get_help_record(ctx)) is not None]
