"""A fixed sample of the comparisons that `make torture` makes."""

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from gamesearch.algorithms.catalog import all_algorithms
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.api import search
from torture import comparison as comparison_module
from torture.combinations import accepted_options, combinations_of, fitting, load_once
from torture.comparison import Comparison, compare
from torture.games import FAMILIES, load_game
from torture.sample import cases, combinations_for, family_game

CASES = 3
"""The number of cases of each family; each case has eight comparisons."""
SEED = 10
SHOWN = 5
GUARD = 4_000
"""The number of nodes at which a search counts as endless; `make torture` searches much further."""


@pytest.mark.parametrize("family", FAMILIES)
def test_every_option_finds_what_plain_minimax_finds(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_module, "GUARD", GUARD)
    failures: list[str] = []
    for _, comparisons in islice(cases(SEED, (family,)), CASES):
        for each in comparisons:
            comparison = replace(each, compiled=False)  # `make torture` compiles, too
            _, complaints = compare(comparison)
            failures += [f"{what}: {detail}\n  {comparison}" for what, detail in complaints]
    assert not failures, f"{len(failures)} failures, among them\n" + "\n".join(failures[:SHOWN])


@pytest.mark.parametrize("family", FAMILIES)
def test_each_algorithm_comes_up(family: str) -> None:
    _, *by_algorithm = combinations_for(family_game(family), family.endswith("compiled"))
    drawn = [each.algorithm for _, comparisons in islice(cases(SEED, (family,)), CASES) for each in comparisons]
    assert all(set(texts) & set(drawn) for texts in by_algorithm)


def test_every_option_of_every_algorithm_is_tried() -> None:
    texts = accepted_options()
    assert len(set(texts)) == len(texts)
    assert {text.partition("(")[0] for text in texts} == set(all_algorithms())
    parameters = {name for cls in all_algorithms().values() for name in cls.parameter_help}
    tried = {name for text in texts for name in parameters if f"{name}=" in text}
    assert parameters - tried <= {"depth", "time", "database"}  # tests/algorithms/test_database.py tests `database`
    assert "order=game+evaluate+previous+killer+history" in " ".join(texts)
    assert all(load_once(text).specification == text for text in texts)
    assert any(text.startswith("maxn") for text in fitting(load_game(str(FAMILIES["yavalath"])), texts))


def test_a_new_text_parameter_needs_values_to_try() -> None:
    class Changed(load_once("minimax").__class__):  # type: ignore[misc]
        def __init__(self, number: int = 5, opening: str = "") -> None:
            pass

    with pytest.raises(NotImplementedError, match=r"opening.*FREE.*combinations\.py"):
        next(combinations_of(Changed))


@pytest.mark.parametrize(
    "algorithm",
    [
        "expectiminimax(pruning=none)",
        "expectiminimax(deepen=true, order=previous+history)",
        "expectimax(pruning=star2)",
    ],
)
def test_repetition_never_forbids_an_outcome_of_chance(algorithm: str) -> None:
    game = "walk(payoffs=bits, estimates=wild, turns=owned, bounding=good, loops=forbidden, chance=true)"
    comparison = Comparison(game, "18489,0,0,0", "0", past=True, algorithm=algorithm, depth=4)
    assert compare(comparison)[1] == []


def test_a_comparison_is_read_back_from_its_line() -> None:
    for _, comparisons in islice(cases(SEED), 2 * len(FAMILIES)):
        for comparison in comparisons:
            assert Comparison.parse(str(comparison)) == comparison
            assert "'" not in str(comparison), "a comparison is quoted on the command line"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"value": 0.25}, "value"),
        ({"bound": "lower"}, "bound"),
        ({"best": 2, "line": (2,)}, "best"),
        ({"line": (5, 9)}, "line"),
        ({"distance": 4}, "distance"),
        ({"stopped": "nodes"}, "endless"),
    ],
)
def test_wrong_results_are_found(change: dict[str, Any], what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = Comparison("nim(heaps=2-3)", "2,3", "", True, "alphabeta(table=true, memory=1)", 0)
    assert compare(comparison) == (1, [])

    def search_wrongly(*given: Any, **options: Any) -> SearchResult:
        return replace(search(*given, **options), **change)

    monkeypatch.setattr("torture.comparison.search", search_wrongly)
    assert what in [each for each, _ in compare(comparison)[1]]
