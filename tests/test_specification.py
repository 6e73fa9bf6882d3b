from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.errors import GamesearchError
from gamesearch.specification import (
    Specification,
    construct,
    format_specification,
    nearest,
    parse_specification,
    runs_own_code,
)

names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
texts = st.text(max_size=12).filter(lambda text: not ("'" in text and '"' in text))
"""Texts that a specification can contain; a text must not contain both kinds of quotes."""
values = st.one_of(
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False),
    texts,
    st.sampled_from(
        ["true", "12", "-3.5", "1e5", "", " ", "a=b", "x, y", "(", ")", "[1,2]", "f(x=1)", "'", '"', "1/2"]
    ),
)


@given(names, st.dictionaries(names, values, max_size=4))
def test_written_specifications_can_be_read_back(name: str, parameters: dict[str, Any]) -> None:
    text = format_specification(name, parameters)
    read = parse_specification(text)
    assert (read.name, read.values) == (name, ())
    assert dict(read.parameters) == parameters
    assert {k: type(v) for k, v in read.parameters.items()} == {k: type(v) for k, v in parameters.items()}
    assert format_specification(read.name, read.parameters) == text


@given(st.one_of(st.text(), st.text(alphabet="ab=,()[]{}'\" .1-")))
def test_unreadable_text_raises_only_gamesearch_errors(text: str) -> None:
    with suppress(GamesearchError):
        read = parse_specification(text)
        assert parse_specification(format_specification(read.name, read.parameters)).name == read.name


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("tictactoe", Specification("tictactoe")),
        (" connect4 ( rows = 5 , columns=4 ) ", Specification("connect4", (), {"rows": 5, "columns": 4})),
        ("nim(3-4-5, misere=true)", Specification("nim", ("3-4-5",), {"misere": True})),
        ("tree([[3,12,8],[2,4,6]])", Specification("tree", ("[[3,12,8],[2,4,6]]",))),
        ("tree({1/2: 3, 1/2: [1,2]})", Specification("tree", ("{1/2: 3, 1/2: [1,2]}",))),
        ("a(b=c(d=1, e=2), f='x, y')", Specification("a", (), {"b": "c(d=1, e=2)", "f": "x, y"})),
        ("a(-3, 2.5, 1e3, TRUE, word)", Specification("a", (-3, 2.5, 1000.0, True, "word"))),
        ("a()", Specification("a")),
        ("a(1,,2)", Specification("a", (1, 2))),
    ],
)
def test_the_grammar(text: str, wanted: Specification) -> None:
    assert parse_specification(text) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not of the form"),
        ("(rows=5)", "not of the form"),
        ("connect 4!", "not of the form"),
        ("connect4(rows=5", "without a closing bracket"),
        ("connect4(rows=5))", "without an opening bracket"),
        ("a(b=[1)", "lacks a closing"),
        ("a(b='x)", "lacks a closing"),
        ("a(b=1, b=2)", "gives b twice"),
        ("a(b=1, 2)", "needs the name of its parameter"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(GamesearchError, match=message) as caught:
        parse_specification(text)
    assert "\n" not in str(caught.value)


def take(rows: int = 6, speed: float | None = 1.0, strict: bool = False, heaps: str | int = "", who: str = "") -> Any:
    return rows, speed, strict, heaps, who


def needy(stones: int) -> int:
    return stones


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x", (6, 1.0, False, "", "")),
        ("x(7, 2)", (7, 2.0, False, "", "")),
        ("x(strict=true, heaps=21)", (6, 1.0, True, 21, "")),
        ("x(heaps=3-4, who=7)", (6, 1.0, False, "3-4", "7")),
        ("x(who=true)", (6, 1.0, False, "", "true")),
        ("x(speed=none)", (6, None, False, "", "")),
    ],
)
def test_values_are_converted_to_the_declared_type(text: str, wanted: Any) -> None:
    found = construct("the thing", take, parse_specification(text))
    assert found == wanted
    assert [type(value) for value in found] == [type(value) for value in wanted]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x(row=5)", "has no parameter 'row': did you mean rows?"),
        ("x(zzz=5)", "has no parameter 'zzz': the choices are heaps, rows, speed, strict, who"),
        ("x(rows=five)", "rows of x must be a whole number, not 'five'"),
        ("x(rows=5.5)", "rows of x must be a whole number, not 5.5"),
        ("x(rows=true)", "rows of x must be a whole number, not True"),
        ("x(speed=fast)", "speed of x must be a number, not 'fast'"),
        ("x(strict=1)", "strict of x must be true or false, not 1"),
        ("x(5, rows=6)", "has the parameter 'rows' twice"),
        ("x(1, 2, true, 4, 5, 6)", "has 5 parameters, but 6 values were given"),
        (f"x(rows={10**20})", "out of range"),
        ("needy", "needs a value for the parameter 'stones': write needy(stones=...)"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(text: str, message: str) -> None:
    with pytest.raises(GamesearchError) as caught:
        construct("the thing", needy if text == "needy" else take, parse_specification(text))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("./mine.py", True),
        ("mine.py(size=3)", True),
        ("connect4(evaluation=mine)", True),
        ('seeing(game="connect4(evaluation=mine)", algorithm=pvs)', True),
        ("seeing(./mine.py, pvs)", True),
        ('tree("[\\"\',evaluation=mine.py,x=\'")', True),
        ("connect4", False),
        ("[[1, 2], 3]", False),
        ("[\"',evaluation=mine.py,x='", False),
        ("A. Player", False),
    ],
)
def test_specifications_that_run_a_users_code_are_found(text: str, runs: bool) -> None:
    assert runs_own_code(text) == runs


def test_the_most_similar_word_is_suggested() -> None:
    words = ["alphabeta", "minimax", "expectimax"]
    assert nearest("minmax", words) == "did you mean minimax?"
    assert nearest("AlphaBet", words) == "did you mean alphabeta?"
    assert nearest("qqq", words) == "the choices are alphabeta, expectimax, minimax"
    assert nearest("", words) == nearest("qqq", words)
    assert nearest("expec", ["expectimax", "maxn"]) == "did you mean expectimax?"
    assert nearest("human", ["maxn", "minimax"]) == "the choices are maxn, minimax"
    assert nearest("x", ["nim-sum"]) == "the choice is nim-sum"
