"""The search for leaked secrets finds none in a short run, and detects a leak."""

import itertools
import random
from pathlib import Path

import pytest

from tests import secret_search
from urlscan.documents import KINDS
from urlscan.finder import find


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_search_finds_no_leak(tmp_path: Path, seed: int) -> None:
    found = itertools.islice(secret_search.search(random.Random(seed), tmp_path), 250)
    leaks = [leak for leak in found if leak is not None]
    assert not leaks, "\n".join(
        f"{leak.probe.labels} {leak.command}: {leak.piece}\n{leak.probe.document!r}\n{leak.output}"
        for leak in leaks[:3]
    )


def test_leak_is_detected() -> None:
    secret = "abcDEF123ghi"
    for output in (
        "x abcDE x", r"x EF\u0031\u0032\u0033g", r"a\bc\DE", "%61bcDE", "%2561bcDE", "&#97;bcDE", "F123g"
    ):  # fmt: skip
        assert secret_search.leak(secret, output), output
    assert not secret_search.leak(secret, "x *** x bcDE abc DEF1 3gh")


def test_documents_contain_urls() -> None:
    rng = random.Random(1)
    names = {secret_search.probe(rng).kind for _ in range(2000)}
    assert names == {name.partition(" ")[0] for name in secret_search.KINDS}
    assert names - {"mail"} <= set(KINDS)
    plain = (one for one in (secret_search.probe(rng) for _ in range(3000)) if one.kind == "plain")
    found = [bool(list(find(one.document))) for one in itertools.islice(plain, 30)]
    assert sum(found) > 20, "most URLs have a scheme"
