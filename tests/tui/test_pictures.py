"""The pictures of full screens in the documentation are up to date."""

import asyncio
import re
import runpy
from pathlib import Path

import pytest

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def texts(svg: str) -> list[str]:
    """Return the texts of a picture without times and styles, because styles depend on the version of Textual."""
    return [re.sub(r"\d:\d\d", "0:00", text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


@pytest.mark.parametrize("name", ["screen", "watch"])
def test_the_picture_is_current(name: str) -> None:
    drawn = asyncio.run(runpy.run_path(str(PICTURES / f"{name}.py"))["picture"]())
    assert texts(drawn) == texts((PICTURES / f"{name}.svg").read_text(encoding="utf-8")), "run: make pictures"
