"""`gamesearch --version`: this program, and what it stands on."""

import click

__all__ = ["print_versions"]

LIBRARIES = ("numba", "numpy", "chess", "rich", "click", "textual")
"""By the names of their distributions, of which only the data are read: none is imported."""


def print_versions(context: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    """Print the versions and end, if that is asked."""
    if not is_asked or context.resilient_parsing:
        return
    import platform  # both take as long to import as half of `--help`
    from importlib import metadata

    click.echo(f"gamesearch {metadata.version('gamesearch')}")
    click.echo(f"{platform.python_implementation()} {platform.python_version()}, {platform.system() or 'unknown'}")
    for name in LIBRARIES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            version = "is not installed"
        click.echo(f"{'python-chess' if name == 'chess' else name} {version}")
    context.exit(0)
