"""Questions about searches that expand leaves: they are correct and can be answered."""

import math

import pytest
from recordings import proved, recorded

from gamesearch.errors import GamesearchError
from gamesearch.trace.questions import growing_questions
from gamesearch.trace.quiz import Quiz
from gamesearch.trace.stepping import Stepper


def test_the_leaf_that_is_expanded_next_is_asked() -> None:
    recording, _ = proved("nim(heaps=1-2)", "proof(search=pn)")
    quiz = Quiz(recording, 3)
    assert {each.kind for each in quiz.questions} == {"leaf", "numbers", "choice"}
    while quiz.question is not None and quiz.question.kind != "leaf":
        quiz.judge(quiz.question.answer)
    assert quiz.question is not None
    assert "Which leaf is most proving and therefore expanded next?" in quiz.question.text
    with pytest.raises(GamesearchError, match="is not a leaf of this tree: enter its number, such as "):
        quiz.judge("a2")
    following = next(event for event in recording.events[quiz.question.before :] if event["event"] == "expand")
    assert quiz.judge(str(following["node"])).is_right


def test_the_numbers_of_a_node_are_asked() -> None:
    found = [
        each
        for each in growing_questions(Stepper(proved("hex(size=3)", "proof(search=pn)")[0]))
        if each.kind == "numbers"
    ]
    assert found[0].text == (
        "Node 0, the root, Max to move; its numbers were (1, 1). Its moves: b2 (1, 1); b1 (1, 1); c1 (1, 1); "
        "a2 (1, 1); c2 (1, 1); a3 (1, 1); b3 (1, 1); a1 (1, 1); c3 (1, 1). What are its proof and disproof numbers now?"
    )
    assert [found[0].accepts(given) for given in ("(1, 9)", "1 9", "1, 9", "9 1", "1")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert found[0].misread("one") == "'one' is not a value: enter 2 numbers, such as (1, 2)"
    last = found[-1]
    assert last.numbers == (0, math.inf)
    assert last.accepts("(0, inf)")


def test_beliefs_are_asked_what_is_worth_knowing_and_what_is_most_probably_best() -> None:
    found = list(growing_questions(Stepper(recorded("connect4", "beliefs(expansions=20, error=3)", "4453"))))
    assert any("Which move is followed to the next leaf?" in each.text for each in found)
    best = [each for each in found if "Which move is most probably the best?" in each.text]
    assert best
    assert all("best " not in each.text.partition("Which move")[0] for each in best)
