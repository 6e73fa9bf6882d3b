"""Questions about a search, and their answers."""

import math
import re

import pytest
from recordings import TWO_PLY, proved, recorded

from gamesearch.errors import GamesearchError
from gamesearch.trace.answers import Question
from gamesearch.trace.questions import Quiz, growing_questions, questions
from gamesearch.trace.stepping import Stepper

PLACES = {0: "The root,", 5: "The node after b,", 7: "The node after c,"}


def question(kind: str, node: int) -> Question:
    """Return the last question of a kind about a node, in a search of the textbook's tree."""
    return [each for each in questions(recorded()) if each.kind == kind and each.text.startswith(PLACES[node])][-1]


def test_a_quiz_asks_which_value_is_backed_up() -> None:
    asked = question("value", 5)
    assert asked.text.startswith("The node after b, Min to move; alpha=3, beta=+inf on entry; its move a is worth 2. ")
    assert asked.answer == "at most 2"
    assert asked.reason.startswith("Min takes the least value")
    assert asked.reason.endswith("could only make it smaller.")
    assert question("value", 0).reason == "Max takes the greatest value of its moves."


def test_a_question_names_a_deep_node_by_its_path() -> None:
    texts = [each.text for each in questions(recorded("[[[5,6],[7,4]],[[3,9],[8,2]]]", "alphabeta"))]
    assert any(each.startswith("The node after b a, Max to move") for each in texts)


def test_a_quiz_asks_for_the_window() -> None:
    asked = question("window", 7)
    assert "its moves: a is worth 14, b is worth 5. With which window is its move c searched?" in asked.text
    assert asked.answer == "[3, 5]"
    assert "for Max on the path (3)" in asked.reason
    assert "for Min (5)" in asked.reason


def test_whether_a_child_is_searched() -> None:
    asked = question("cut", 5)
    assert asked.text.endswith("Will its move b be searched?")
    assert asked.answer == "no"
    assert asked.reason.startswith("2 moves cut (b, c): Min already has 2 here")
    asked = question("searched", 7)
    assert asked.answer == "yes"
    assert asked.reason == "alpha=3, beta=5: alpha is still less than beta."


def test_the_quiz_asks_about_the_textbook_tree() -> None:
    kinds = [each.kind for each in questions(recorded())]
    assert {kind: kinds.count(kind) for kind in kinds} == {"window": 6, "searched": 6, "value": 4, "cut": 1}


@pytest.mark.parametrize(
    ("given", "is_right"),
    [
        *((given, True) for given in ("2", "2.0", " <= 2", "at most 2", "≤2", "4/2", "+2")),
        *((given, False) for given in ("3", "", "two", "2 3", "1/0", "inf", "nan")),
    ],
)
def test_answers_with_a_value(given: str, is_right: bool) -> None:
    assert question("value", 5).accepts(given) is is_right


@pytest.mark.parametrize(
    ("given", "is_right"),
    [
        *((given, True) for given in ("[3, +inf]", "3, inf", "(3, ∞)", "[3 inf]", "3 inf")),
        *((given, False) for given in ("[3, 2]", "[-inf, +inf]", "3", "[3, 4, 5]", "")),
    ],
)
def test_answers_with_a_window(given: str, is_right: bool) -> None:
    assert question("window", 0).accepts(given) is is_right


@pytest.mark.parametrize(
    ("given", "is_right"), [("no", True), ("N", True), ("y", False), ("yes", False), ("", False), ("2", False)]
)
def test_answers_with_yes_or_no(given: str, is_right: bool) -> None:
    assert question("cut", 5).accepts(given) is is_right


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        ("value", "two", "'two' is not a value: enter a number, such as 3, -1 or 7/2"),
        *(("value", given, "is not a value") for given in ("", "1/0", "nan", "2, 3", "1e999999999")),
        ("window", "3", "'3' is not a window: enter alpha and beta, such as [-2, 7]"),
        *(("window", given, "is not a window") for given in ("", "yes", "[3, x]", "1,2,3")),
        ("cut", "2", "'2' is neither yes nor no: enter y or n"),
        *(("cut", given, "is neither yes nor no") for given in ("", "nope")),
    ],
)
def test_an_answer_of_the_wrong_kind_is_no_answer(kind: str, given: str, said: str) -> None:
    quiz = Quiz(recorded(), 7, 100)
    while quiz.question is not None and quiz.question.kind != kind:
        quiz.judge(quiz.question.answer)
    answered = quiz.answered
    with pytest.raises(GamesearchError) as error:
        quiz.judge(given)
    assert said in str(error.value)
    assert quiz.answered == answered


def test_the_value_of_several_players_has_a_number_for_each() -> None:
    quiz = Quiz(recorded("[(1,2,6),(4,2,3)]", "maxn"), 1)
    with pytest.raises(GamesearchError, match=r"enter 3 numbers, such as \(1, 2, 3\)"):
        quiz.judge("4")
    assert quiz.judge("4 2 3").is_right


def test_a_mean_may_be_rounded() -> None:
    (asked,) = questions(recorded("{1/3: 1, 2/3: 3}", "expectiminimax"))
    assert asked.answer == "2.3333"
    assert [asked.accepts(given) for given in ("7/3", "2.3", "2.3333", "2.4", "2")] == [True, True, True, False, False]
    assert "its outcomes: a (probability 1/3) is worth 1, b (probability 2/3) is worth 3." in asked.text
    assert asked.reason.endswith(": 1/3 * 1 + 2/3 * 3 = 2.3333.")


def test_algorithms_without_cutoffs_have_no_questions_about_them() -> None:
    assert {each.kind for each in questions(recorded(TWO_PLY, "minimax"))} == {"value"}


def test_a_seed_repeats_its_questions() -> None:
    texts = [[each.text for each in Quiz(recorded(), seed, 5).questions] for seed in (7, 7, 8)]
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0]) == 5
    befores = [each.before for each in Quiz(recorded(), 7, 100).questions]
    assert befores == sorted(set(befores))
    assert "cut" in {each.kind for each in Quiz(recorded(), 3, 4).questions}


def test_the_score() -> None:
    quiz = Quiz(recorded(), 7, 3)
    first = quiz.question
    assert first is not None
    assert quiz.judge(first.answer).text.startswith(f"Right. The answer is {first.answer}: {first.reason}")
    assert not quiz.judge("yes").is_right
    assert quiz.score == "1 of 2 right, 1 not answered (--seed 7 repeats these questions)"
    assert quiz.judge("77").text.startswith("Wrong. ")
    assert quiz.question is None
    assert quiz.score == "1 of 3 right (--seed 7 repeats these questions)"


def test_one_against_the_others_go_by_their_names() -> None:
    texts = " ".join(
        f"{each.text} {each.reason}"
        for each in questions(recorded("[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[(5,1,1),(1,5,2)]]", "paranoid", "a"))
    )
    assert "P2 takes the greatest value of its moves." in texts
    assert "for P2 on the path (2), and beta for the others (none yet)" in texts
    assert "the others to move" in texts
    assert "the others take the least value of their moves" in texts
    assert not {"Max", "Min"} & set(texts.replace(",", " ").split())


def test_a_search_without_decisions() -> None:
    with pytest.raises(GamesearchError, match="no questions can be asked about this search"):
        Quiz(recorded(most=1), 0)


# Growing trees. ----------------------------------------------------------------------------------
def test_a_quiz_asks_which_leaf_is_expanded_next() -> None:
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


def test_a_quiz_asks_for_the_numbers_of_a_node() -> None:
    found = [
        each
        for each in growing_questions(Stepper(proved("hex(size=3)", "proof(search=pn)")[0]))
        if each.kind == "numbers"
    ]
    assert found[0].text == (
        "The root, Max to move; its numbers were (1, 1). Its moves: b2 (1, 1); b1 (1, 1); c1 (1, 1); "
        "a2 (1, 1); c2 (1, 1); a3 (1, 1); b3 (1, 1); a1 (1, 1); c3 (1, 1). What are its proof and disproof numbers now?"
    )
    assert [found[0].accepts(given) for given in ("(1, 9)", "1 9", "1, 9", "9 1", "1")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert found[0].input_error("one") == "'one' is not a value: enter 2 numbers, such as (1, 2)"
    last = found[-1]
    assert last.numbers == (0, math.inf)
    assert last.accepts("(0, inf)")


def test_a_quiz_asks_for_the_values_of_a_best_first_search() -> None:
    found = growing_questions(Stepper(recorded("connect4", "bestfirst(expansions=40)", "4453")))
    asked = [each for each in found if each.kind == "value"]
    assert {each.reason for each in asked} >= {
        "Max takes the greatest value of its moves.",
        "Min takes the least value of its moves.",
    }
    assert (len(asked), asked[-1].answer) == (75, "0.0312")


def test_beliefs_have_questions() -> None:
    found = list(growing_questions(Stepper(recorded("connect4", "beliefs(expansions=20, error=0.3)", "4453"))))
    assert any("Which move is followed to the next leaf?" in each.text for each in found)
    best = [each for each in found if "Which move is most probably the best?" in each.text]
    assert best
    assert all("best " not in each.text.partition("Which move")[0] for each in best)


@pytest.mark.parametrize("tree", ["[[1,1,1,1],[1,1,0,0]]", "[[1,1,1,1],[1,1,-1,-1]]", "[[5,5,5,5],[5,5,2,9]]"])
def test_upper_confidence_bounds_follow_from_the_numbers_in_the_question(tree: str) -> None:
    recording = recorded(tree, "mcts(playouts=30, seed=1, solver=false)")
    asked = [each for each in growing_questions(Stepper(recording)) if each.kind == "choice"]
    equal = [each for each in asked if "because all payoffs so far are equal" in each.text]
    assert 0 < len(equal) < len(asked)
    for each in asked:
        known = re.findall(r"(\w+): (\d+) playouts?, average ([-+]?\d+(?:\.\d+)?)", each.text)
        formula = re.findall(r"The bound is (.+?) \+ C \*", each.text)[0]
        if "not tried yet" in each.text:
            assert each.reason == "it is not tried yet, so it is tried first."
            assert f"{each.answer}: not tried yet" in each.text
            continue
        visits = int(re.findall(r"ln\((\d+)\)", each.text)[0])
        for move, playouts, average in known:
            bound = eval(formula, {"average": float(average)}) + math.sqrt(math.log(visits) / int(playouts))
            shown = float(re.findall(rf"\b{move} (\d+(?:\.\d+)?)", each.reason)[0])
            assert shown == pytest.approx(bound, abs=2e-4)


@pytest.mark.parametrize("algorithm", ["mcts(playouts=120)", "montecarlo(playouts=60, race=ucb)"])
def test_the_greatest_bound_is_asked_unless_several_moves_have_it(algorithm: str) -> None:
    recording = recorded("tictactoe", algorithm, "XO./.../...")
    asked = {each.before + 1 for each in growing_questions(Stepper(recording)) if each.kind == "choice"}
    unique = set()
    for number, event in enumerate(recording.events):
        if event["event"] == "choose" and len(event["bounds"]) > 1:
            bounds = [bound for *_, bound in event["bounds"]]
            if bounds.count(max(bounds)) == 1:
                unique.add(number)
    assert asked == unique
    assert 0 < len(unique) < sum(event["event"] == "choose" for event in recording.events)
