"""The DOT language of Graphviz: how graphs of positions and searched trees write it."""

from collections.abc import Iterable

from gamesearch.support.escaping import dot_text, xml_text

__all__ = ["arrow", "digraph", "markup", "node", "quote"]


def digraph(name: str, statements: Iterable[str]) -> str:
    """A whole graph."""
    return "\n".join([f"digraph {name} {{", *(f"  {statement}" for statement in statements), "}", ""])


def node(name: str, **attributes: str) -> str:
    """A node; if its name is `graph`, `node` or `edge`, the defaults of the following statements.

    Attributes are written as they are: texts come from `quoted` or `markup`. Empty ones are left out.

    >>> node("n1", shape="box", label=quoted("a", "b"), style="")
    'n1 [shape=box label="a\\\\nb"]'
    """
    return f"{name} [{' '.join(f'{key}={value}' for key, value in attributes.items() if value)}]"


def arrow(source: str, target: str, **attributes: str) -> str:
    """An edge."""
    return node(f"{source} -> {target}", **attributes)


def quote(*lines: str) -> str:
    """Lines below each other, as DOT writes a string; empty ones are left out."""
    return '"' + "\\n".join(dot_text(line) for line in lines if line) + '"'


def markup(text: str, *, bold: bool = False, color: str = "") -> str:
    """A part of a label between angle brackets, which keeps its spaces.

    >>> markup("a < b", bold=True)
    '<b>a&#160;&lt;&#160;b</b>'
    """
    found = xml_text(text).replace(" ", "&#160;")
    if not found:
        return ""
    found = f"<b>{found}</b>" if bold else found
    return f'<font color="{color}">{found}</font>' if color else found
