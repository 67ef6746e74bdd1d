"""Test the fuzzer: inputs, reduction, known differences, and a few inputs for each target."""

import random
from pathlib import Path

import pytest

from tests.fuzzing import inputs
from tests.fuzzing.differences import DIFFERENCES, reason_to_set_aside
from tests.fuzzing.survey import fails, reduced
from tests.fuzzing.targets import COUNTS, TARGETS
from urlscan.documents import KINDS

CORPUS = Path(__file__).parents[1] / "corpus"
READERS = {"html": "lxml", "xml": "lxml", "markdown": "markdown_it", "rst": "docutils", "asciidoc": "asciidoctor"}


def test_bytes_encode_tokens_or_characters():
    assert inputs.text_of(bytes([inputs.TOKENS, 0, 1, 2]), ["a", "bc"]) == "abc "
    assert inputs.text_of(bytes([inputs.RAW]) + "é<".encode(), ["a"]) == "é<"
    assert inputs.bytes_of(b"\x00\xff", []) == b"\xff"


def test_vocabularies_fit_into_a_byte():
    assert all(len(target.tokens) <= inputs.LAST_TOKEN for target in TARGETS.values())


def test_seeds_are_excerpts_of_the_corpus_and_sequences_of_tokens():
    found = list(inputs.seeds(("markdown",), [CORPUS], b"\x07", 3))
    assert all(seed.startswith((b"\x07\x00", b"\x07\x01")) and "⟦".encode() not in seed for seed in found)
    assert {seed[1] for seed in found} == {inputs.RAW, inputs.TOKENS}


def test_failing_input_is_reduced_to_its_cause():
    def check(data):
        assert b"x" not in data

    how = fails(check, b"\x01abcxdef")
    assert how
    assert reduced(check, b"\x01abcxdef", how) == b"\x01x"


def test_differences_have_known_kinds_and_distinct_reasons():
    assert all(set(difference.kinds) <= set(KINDS) for difference in DIFFERENCES)
    assert len({difference.reason for difference in DIFFERENCES}) == len(DIFFERENCES)


def test_ordinary_documents_are_not_set_aside():
    for kind, text in {"html": '<p class="a"><a href="b">c</a>', "markdown": "# a\n\n[b](c) d\n- e\n"}.items():
        assert not reason_to_set_aside(kind, text)


@pytest.mark.parametrize("name", TARGETS)
def test_target_accepts_a_few_random_inputs(name):
    if name in READERS:
        pytest.importorskip(READERS[name])
    target, chosen = TARGETS[name], random.Random(7)
    COUNTS.clear()
    for _ in range(20):
        body = bytes(chosen.randrange(len(target.tokens)) for _ in range(6))
        target.check(target.prefix + bytes([inputs.TOKENS]) + body)
    assert name not in (*READERS, "mail") or COUNTS["compared"]
