"""Parts of the DOT language of Graphviz, for graphs of positions and for searched trees."""

from collections.abc import Iterable

from gamesearch.support.escaping import dot_text, xml_text

__all__ = ["arrow", "digraph", "markup", "node", "quote"]


def digraph(name: str, statements: Iterable[str]) -> str:
    """A complete directed graph with the given statements."""
    return "\n".join([f"digraph {name} {{", *(f"  {statement}" for statement in statements), "}", ""])


def node(name: str, **attributes: str) -> str:
    """The statement for a node. If `name` is `graph`, `node` or `edge`, it sets defaults for the statements after it.

    Attributes are not escaped, so texts have to come from `quote` or `markup`. Empty attributes are left out.

    >>> node("n1", shape="box", label=quote("a", "b"), style="")
    'n1 [shape=box label="a\\\\nb"]'
    """
    return f"{name} [{' '.join(f'{key}={value}' for key, value in attributes.items() if value)}]"


def arrow(source: str, target: str, **attributes: str) -> str:
    """The statement for an edge."""
    return node(f"{source} -> {target}", **attributes)


def quote(*lines: str) -> str:
    """Some lines of text as one string of DOT; empty lines are left out."""
    return '"' + "\\n".join(dot_text(line) for line in lines if line) + '"'


def markup(text: str, *, bold: bool = False, color: str = "") -> str:
    """Text for an HTML-like label (a label between angle brackets). Spaces are kept.

    >>> markup("a < b", bold=True)
    '<b>a&#160;&lt;&#160;b</b>'
    """
    found = xml_text(text).replace(" ", "&#160;")
    if not found:
        return ""
    found = f"<b>{found}</b>" if bold else found
    return f'<font color="{color}">{found}</font>' if color else found
