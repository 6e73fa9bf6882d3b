"""Charts of counts by depth, at a fixed width and as SVG."""

import io
from xml.etree import ElementTree

from rich.console import Console

from gamesearch.render.charts.chart import ChartView, Series
from gamesearch.render.charts.svg import chart_svg

TWO = [Series("A", "all", [10, 100, 1000]), Series("B", "few", [10, 30, 100], [(10, 10), (10, 100), (32, 316)])]
SVG = "{http://www.w3.org/2000/svg}"


def draw(series: list[Series], encoding: str = "ascii", width: int = 60) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=stream, width=width, color_system=None, force_terminal=False).print(ChartView(series))
    stream.flush()
    stream.seek(0)
    return "\n".join(line.rstrip() for line in stream.read().splitlines())


def test_each_count_is_a_letter_at_its_height_and_each_range_has_colons() -> None:
    lines = [line.strip() for line in draw(TWO).splitlines()]
    assert [line for line in lines if "," in line or "0|" in line] == [
        "1,000|         A",
        "100|     A:   B",
        "10| AB   :",
    ]
    assert (lines[-1], draw(TWO).count(":")) == ("depth  1   2   3", 8)


def test_charts_are_ascii_narrow_or_empty() -> None:
    assert "└────" in draw(TWO, "utf-8")
    many = [Series(letter, letter, [float(2**depth) for depth in range(1, 15)]) for letter in "ABCDEFGHIJKL"]
    assert max(map(len, draw(many, width=60).splitlines())) <= 60
    assert draw([]) == draw([Series("A", "stopped immediately", [])]) == ""


def test_the_svg_distinguishes_its_series_without_colors() -> None:
    theory = Series("1", "theory <b^d> & more", [3, 9, 27], is_theory=True)
    text = chart_svg(ChartView([*TWO, theory]), 'a "title"')
    root = ElementTree.fromstring(text)
    assert root.get("aria-label") == 'Nodes against depth: a "title"'
    lines = root.findall(f"{SVG}polyline")
    assert len(lines) == 3
    assert len({line.get("stroke-dasharray") for line in lines}) == 3
    marks = {element.get("class") for element in root.iter() if (element.get("class") or "").startswith("mark")}
    assert marks == {"mark circle", "mark square"}
    assert len([line for line in root.findall(f"{SVG}line") if line.get("class") == "range"]) == 3
    texts = [element.text for element in root.findall(f"{SVG}text")]
    assert {"1,000", "100", "10", "1", "A  all", "1  theory <b^d> & more"} <= set(texts)
    assert "prefers-color-scheme: dark" in text
