"""Reading of option values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.cli import options as o
from podium.cli._requests import Wanted, parse_method, parse_weights
from podium.errors import DataError
from podium.importers.options import CONFLICT_RULES, KIND_NAMES
from podium.methods._registry import METHODS
from podium.words import check_names


def test_choices_are_those_of_the_importers() -> None:
    assert set(o.Kind) == set(KIND_NAMES)
    assert set(o.OnConflict) == set(CONFLICT_RULES)


def test_method_without_options() -> None:
    assert parse_method("copeland") == Wanted("copeland", {})


def test_dashes_in_option_names_are_underscores() -> None:
    assert parse_method("copeland:tie-credit=0.3").options == {"tie_credit": "0.3"}


def test_an_option_value_may_hold_equal_signs() -> None:
    assert parse_method("mean:low=a=b").options == {"low": "a=b"}


@pytest.mark.parametrize("text", ["approval:", "approval:k", "approval:=3", "approval:k=1,,"])
def test_options_that_set_nothing_are_refused(text: str) -> None:
    with pytest.raises(DataError, match="sets nothing"):
        parse_method(text)


@given(st.dictionaries(st.text(min_size=1), st.floats(allow_nan=False)))
def test_weights_are_read_back(weights: dict[str, float]) -> None:
    texts = [f"{task}={weight!r}" for task, weight in weights.items()]
    assert parse_weights(texts) == weights


@pytest.mark.parametrize("text", ["", "pong", "pong=", "pong=high", "=3"])
def test_what_is_no_weight_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="write TASK=NUMBER"):
        parse_weights([text])


def test_completion_names_every_method() -> None:
    import podium.methods  # noqa: F401, fills the registry

    assert set(o.complete_method("")) == set(METHODS.cards)
    assert all(name.startswith("m") for name in o.complete_method("m"))


def test_completion_names_bundled_data() -> None:
    assert "agent57" in o.complete_data("ag")
    check_names("bundled data", o.complete_data(""))
