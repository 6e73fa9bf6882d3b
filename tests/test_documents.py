"""Every file, module, function, make target, command and link that the documents name exists.

In a document, `folder/file.py` means a file of the repository or of the package, `folder/file.py::Class.method` means a
definition in this file, and `gamesearch.module.name` must be importable. Names in capitals, such as `games/NAME.py`,
are placeholders. A single name in backquotes, such as `enter`, must occur in a source file.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamesearch.cli import COMMANDS

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
READER_FILES = {
    *("mygame.py", "mygame.json", "mine.py", "mine.md", "learned.json", "anna.py", "ben.py", "lecture.trace"),
}
"""Files that readers of the documents write themselves, so they are not in the repository."""
PLACEHOLDER = re.compile(r"(\b|(?<=_))(NAME|SUFFIX)\b")
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
PATH = re.compile(
    r"(?<![\w/.~$-])((?:[\w-]+/)*[\w-]+\.(?:py|md|toml|json|txt|trace)|(?:[\w-]+/)+)(?:::([\w.]+))?(?![\w/])"
)
LINK = re.compile(r"\]\((?!http)([^)#]+)\)")
DOTTED = re.compile(r"\bgamesearch(?:\.[A-Za-z_]\w*)+")
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
SOURCES = [path for folder in ("gamesearch", "tests", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]
WORDS = {path.stem for path in SOURCES} | {
    word for path in SOURCES if path != Path(__file__) for word in re.findall(r"\w+", path.read_text())
}
TOP_NAMES = {path.name for path in ROOT.iterdir()} | {path.name for path in (ROOT / "gamesearch").iterdir()}
"""First parts of paths.

In code blocks, such as shell commands, a path is checked only if it begins with one of these names.
"""


def find(path: str) -> Path | None:
    """Return the file or folder of a path that begins in the repository or in the package."""
    candidates = (folder / path for folder in (ROOT, ROOT / "gamesearch"))
    return next((each for each in candidates if (each.is_dir() if path.endswith("/") else each.is_file())), None)


def defines(body: list[ast.stmt], name: str) -> bool:
    """Whether the given statements define a name; a dotted name is a definition inside a class."""
    first, _, rest = name.partition(".")
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) and statement.name == first:
            return defines(statement.body, rest) if rest else True
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if not rest and any(isinstance(each, ast.Name) and each.id == first for each in targets):
            return True
    return False


def can_import(name: str) -> bool:
    """Whether a dotted name is a module or an attribute of a module."""
    head, _, last = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return head != "" and can_import(head) and hasattr(importlib.import_module(head), last)
    return True


def missing_names(text: str, folder: Path = ROOT) -> Iterator[str]:
    """Yield the names in a document that do not exist. Links are relative to the document's folder."""
    prose, fences = FENCE.sub("", text), " ".join(block for _, block in FENCE.findall(text))
    spans = SPAN.findall(prose)
    for code in [*spans, *fences.splitlines()]:
        for path, name in PATH.findall(code):
            if PLACEHOLDER.search(path) or path in READER_FILES:
                continue
            if code not in spans and path.split("/")[0] not in TOP_NAMES:
                continue
            file = find(path)
            if file is None or (name and not defines(ast.parse(file.read_text()).body, name)):
                yield f"{path}::{name}" if name else path
        for target in re.findall(r"\bmake ([a-z]+)\b", code):
            if target not in TARGETS:
                yield f"make {target}"
        for command in re.findall(r"^(?:\$ )?gamesearch ([a-z]+)", code):
            if command not in COMMANDS:
                yield f"gamesearch {command}"
    for name in spans:
        if re.fullmatch(r"(?!gamesearch\.)[A-Za-z_][\w.]*", name) and not PLACEHOLDER.search(name):
            if find(name) is None and name not in READER_FILES and not WORDS.issuperset(name.split(".")):
                yield name
    for link in LINK.findall(prose):
        if not (folder / link).exists():
            yield link
    for name in DOTTED.findall(text):
        if not can_import(name):
            yield name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_name_in_a_document_exists(document: Path) -> None:
    assert list(missing_names(document.read_text(encoding="utf-8"), document.parent)) == []


def test_each_term_of_the_glossary_has_one_entry_and_a_source() -> None:
    lines = (ROOT / "docs" / "reference" / "glossary.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
    terms = [row[0] for row in rows if row[0] not in ("term", "---")]
    assert len(terms) > 70
    assert len(set(terms)) == len(terms)
    assert all(len(row) == 3 and all(row) for row in rows)


def test_missing_names_in_documents_are_found() -> None:
    wrong = (
        "`gamesearch/compiler.py`", "`compiler/kernels.py::nothing`", "`algorithms/node/table.py::Table.nothing`",
        "`games/capturing/chess/nothing/`", "`gamesearch.compiler.nothing`", "`record_nothing`", "`make nothing`",
        "`gamesearch nothing tictactoe`", "[how](docs/nothing.md)", "```\npytest tests/test_nothing.py\n```\n",
    )  # fmt: skip
    assert [name for name in wrong if len(list(missing_names(name))) != 1] == []


def test_the_site_and_the_index_list_every_page() -> None:
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} - {"index.md"}
    site = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)) - {"index.md"}
    index = set(LINK.findall((ROOT / "docs" / "index.md").read_text())) - {"pictures/screen.svg"}
    assert site == pages
    assert index == pages
