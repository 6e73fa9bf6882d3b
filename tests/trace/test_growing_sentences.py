"""The sentences of growing trees are found by the names of events, and what helps them is never taken for one."""

import inspect

import pytest

from gamesearch.trace.events import EVENTS
from gamesearch.trace.growing_sentences import EXPLAINED, SENTENCES_OF, TreeSentences

each_wording = pytest.mark.parametrize("words", SENTENCES_OF.values(), ids=lambda words: type(words).__name__)


def test_what_is_told_are_events() -> None:
    assert set(EXPLAINED) <= EVENTS.keys()


@each_wording
def test_no_helper_has_the_name_of_an_event(words: TreeSentences) -> None:
    names = {name for name in dir(words) if not name.startswith("_")}
    assert {"leaf", "kind", "what", "numbers"} & names
    assert names & EVENTS.keys() == set(EXPLAINED)


@each_wording
@pytest.mark.parametrize("event", EXPLAINED)
def test_each_sentence_is_told_by_where_the_search_is(words: TreeSentences, event: str) -> None:
    assert list(inspect.signature(getattr(words, event)).parameters) == ["stepper", "event", "node"]
