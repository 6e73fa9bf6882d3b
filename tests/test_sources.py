"""Only a few source files use POSIX, and only a few read files.

Failed imports of modules that exist only on POSIX are handled, and the documents name the files that use POSIX.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import gamesearch

ROOT = Path(gamesearch.__file__).parent
MODULES = {"curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
"""Modules of the standard library that Windows does not have."""
NAMES = {
    *("os.fork", "os.forkpty", "os.getpgid", "os.getpgrp", "os.getuid", "os.killpg", "os.openpty"),
    *("os.register_at_fork", "os.sched_yield", "os.setsid", "os.sysconf", "os.uname", "os.wait", "os.waitpid"),
    *("select.poll", "select.select", "signal.SIGALRM", "signal.SIGCHLD", "signal.SIGHUP", "signal.SIGKILL"),
    *("signal.SIGPIPE", "signal.SIGQUIT", "signal.SIGSTOP", "signal.SIGTSTP", "signal.SIGUSR1", "signal.SIGWINCH"),
    *("signal.alarm", "signal.pause", "signal.pthread_kill", "signal.pthread_sigmask", "signal.setitimer"),
    "signal.sigwait",
}
"""Functions that do not work on Windows, although their modules exist; Windows has `select`, but only for sockets."""
SYSTEM = {"os.name", "sys.platform"}
"""Expressions that contain the name of the operating system."""
LAST = {name.rpartition(".")[2] for name in NAMES | SYSTEM}


TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted(ROOT.rglob("*.py"))}


def sources(words: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield the name and the syntax tree of each source file that contains one of these words."""
    contains = re.compile(rf"\b({'|'.join(words)})\b").search
    return ((name, ast.parse(text)) for name, text in TEXTS.items() if contains(text))


def is_guard(node: ast.AST) -> bool:
    """Whether a statement handles a failed import."""
    if isinstance(node, ast.With):
        return any("suppress(ImportError)" in ast.unparse(item.context_expr) for item in node.items)
    return isinstance(node, ast.Try) and any("ImportError" in ast.unparse(each) for each in node.handlers if each.type)


def unguarded_imports(tree: ast.AST, guarded: bool = False) -> set[str]:
    """Return the POSIX modules that a file imports without handling an ImportError."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and not guarded:
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            found |= {name for name in names if name.partition(".")[0] in MODULES}
        found |= unguarded_imports(node, guarded or is_guard(node))
    return found


def test_no_file_needs_a_module_of_posix() -> None:
    assert {name: needed for name, tree in sources(MODULES) if (needed := unguarded_imports(tree))} == {}
    assert unguarded_imports(ast.parse("import os\ndef f():\n    from termios import ECHO")) == {"termios"}
    assert unguarded_imports(ast.parse("try:\n    import fcntl\nexcept ImportError:\n    fcntl = None")) == set()


def uses(node: ast.AST) -> bool:
    """Whether a syntax node imports, calls or tests something of POSIX, or reads the name of the operating system."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        of = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        names = {f"{of}{each.name}" for each in node.names}
        return bool(names & (NAMES | SYSTEM)) or any(each.partition(".")[0] in MODULES for each in names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr":
        return ".".join(ast.unparse(each).strip("'") for each in node.args) in NAMES
    return isinstance(node, ast.Attribute) and node.attr in LAST and ast.unparse(node) in NAMES | SYSTEM


def test_the_documents_name_the_files_that_use_posix() -> None:
    words = MODULES | {"os", "platform", "select", "signal"}
    using = {name for name, tree in sources(words) for node in ast.walk(tree) if uses(node)}
    text = (ROOT.parent / "docs" / "where.md").read_text(encoding="utf-8")
    section = text.partition("## What needs POSIX")[2].partition("\n## ")[0]
    assert using == set(re.findall(r"^\| `([\w/]+\.py)`", section, re.MULTILINE))


# Reading files. ----------------------------------------------------------------------------------
OWN = {
    "files/whole.py",
    "files/books.py",  # reads the header of a book that comes with gamesearch
    "render/pages/__init__.py",  # reads a file of the package
    "lessons/lesson.py",  # reads a shipped lesson or starter file
    "lessons/worksheets.py",  # reads the shipped topics of worksheets
    "cli/__init__.py",  # reads the first lines of the commands of the package
    "registry.py",  # reads the sources of installed games
    "compiler/cache.py",  # the sources of kernels
    "compiler/cache_files.py",  # reads compiled code in a separate folder
    "algorithms/engine/execution.py",  # reads times in the same folder
    "play/matches/game_process.py",  # opens the null device
}
"""Files of the package that read only files which gamesearch itself has written or installed."""


def reads(node: ast.AST) -> bool:
    """Whether a syntax node opens or reads a file."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    return name in ("open", "io.open", "os.open", "np.load", "np.memmap") or name.endswith(
        (".read_text", ".read_bytes", ".open")
    )


def test_nothing_else_reads_files() -> None:
    found = {
        ast.unparse(node)
        for name, tree in sources(("open", "read_text", "read_bytes", "load", "memmap"))
        if name not in OWN
        for node in ast.walk(tree)
        if reads(node)
    }
    assert found == {
        "np.load(io.BytesIO(read_regular(self.path, LARGEST)), allow_pickle=False)",
        "path.open('r+b')",  # replaces the header of a layer that has been read
        "np.memmap(path, np.uint8, 'r')",  # maps the data of a layer whose header has been read
        "os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 438)",  # opens a journal for writing
        "os.open(os.devnull, os.O_WRONLY)",
        "self.open(command)",  # starts an engine
    }
