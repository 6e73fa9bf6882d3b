"""The notebook that contains all lessons runs from start to end."""

import re
from pathlib import Path
from typing import Any

import pytest
from commands import output

nbclient = pytest.importorskip("nbclient", reason="it needs: pip install 'gamesearch[notebook]'")
nbformat = pytest.importorskip("nbformat")

ANSWER = re.compile(r"^(?:value|best) +(\S+)", re.MULTILINE)
COLOR = re.compile(r"\x1b\[[\d;]*m")


def texts(notebook: Any) -> list[str]:
    """Return the output of each cell of a notebook as plain text, without color codes."""
    cells = [cell for cell in notebook.cells if cell.source.startswith("!")]
    joined = ("".join(each["text"] for each in cell.outputs) for cell in cells)
    return [COLOR.sub("", text).replace("\r", "").replace("−", "-") for text in joined]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_of_the_course_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "course.ipynb"
    output(capsys, "lesson", "--to", str(file))
    notebook = nbformat.read(file, as_version=4)
    shown = texts(notebook)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    sources = [cell.source for cell in notebook.cells if cell.source.startswith("!")]
    assert len(sources) > 150
    for source, before, printed in zip(sources, shown, texts(notebook), strict=True):
        assert "gamesearch: " not in printed, source
        assert "\x1b" not in printed, source
        if "--question" in source:
            assert printed.startswith(before), source
        else:
            assert ANSWER.findall(printed) == ANSWER.findall(before), source
            assert printed.strip(), source
