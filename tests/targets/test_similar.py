"""Test which name a missing one means: a careful reader takes both for the same."""

from pathlib import Path

import pytest

import urlscan
from tests.linear_time import assert_linear
from urlscan.targets.similar import SimilarNames

MEANT = [
    # missing, existing, meant
    ("kinds_of_tests", "kinds-of-tests tests", "kinds-of-tests"),
    ("set-up", "setup", "setup"),
    ("1.1-foo", "11-foo", "11-foo"),
    ("instalation", "installation install", "installation"),
    ("tetsing-it", "testing-it", "testing-it"),
    ("seperate-parts", "separate-parts", "separate-parts"),
    ("middleware", "middlewares", "middlewares"),
    ("key", "keys", "keys"),
    ("如何处理一个面试题", "如何处理一个的面试题", "如何处理一个的面试题"),
    ("अच्छे-/-बुरे", "अच्छे--बुरे", "अच्छे--बुरे"),
    ("seting-up", "_setting_up setting-up", "setting-up"),
    ("räder-am-bach", "rader-am-bach", "rader-am-bach"),
    ("_seting_up", "setting-up _setting_up", "_setting_up"),
    ("setup", "\ufe0f-setup", "\ufe0f-setup"),
]
OTHERS = [
    ("how-do-i-mend-the-sails", "how-do-i"),
    # a number
    ("eip-7683", "eip-7883"),
    ("figure3", "figure2"),
    ("notes-1", "notes"),
    ("notes", "notes-1"),
    ("release-weeks-14", "release-weeks"),
    ("v1.12", "v11-2"),
    ("utf8-text", "utf-text"),
    # another word
    ("setup-on-linux", "setup-on-windows"),
    ("horizontal-lines", "horizontal-rules"),
    ("content", "context"),
    ("cos", "cosh"),
    ("encode-url", "decode-url"),
    ("where-in", "where-not-in"),
    ("semantics", "use-semantics"),
    ("alternatives", "alternate-syntax"),
    ("fill-out-the-issue", "filling-out-an-issue"),
    ("हिंदी", "हदी"),
    # a word more or less
    ("analysis-of-goals", "analysis-of-design-goals"),
    ("analysis-of-the-goals", "analysis-of-goals"),
    ("language", "language-and-tone"),
    ("appearance-type", "appearance"),
    ("README.de", "README"),
    ("README.de", "README.fr"),
    # an escape
    ("a-b", "a%2Fb a%2fb"),
    ("wind%2Fwater-mils", "wind%2Fwater-mills"),
    # several
    ("chapter", "chapter-one chapter-two"),
    ("settings-of-it-all", "settings settings-of"),
    ("colour-lists", "colour-list colours-lists"),
    # too short, or nothing
    ("api", "api-of-it"),
    ("", "a"),
    ("#", "-"),
]


@pytest.mark.parametrize(("missing", "existing", "meant"), MEANT)
def test_the_same_name_is_meant(missing: str, existing: str, meant: str) -> None:
    assert SimilarNames(existing.split()).closest(missing) == meant


@pytest.mark.parametrize(("missing", "existing"), OTHERS)
def test_another_name_is_not_meant(missing: str, existing: str) -> None:
    assert SimilarNames(existing.split()).closest(missing) == ""


def test_names_that_cannot_be_written_are_not_meant() -> None:
    assert SimilarNames(["a\udc80b-c"]).closest("a\udc80b_c") == ""


def test_neighbors_are_found_among_many() -> None:
    names = [f"the-{chr(97 + number % 26)}{number}-section-of-{number}" for number in range(3000)]
    index = SimilarNames([*names, "installation-of-it", "the-installation"])
    assert index.closest("instalation-of-it") == "installation-of-it"
    assert index.closest("the-instalation") == "the-installation"


@pytest.mark.parametrize("name", ["part-{}-off-it", "x", "a" * 300, "part"])
def test_each_search_takes_the_same_time(name: str) -> None:
    def search(count: int) -> None:
        index = SimilarNames([f"part-{number}-of-it" for number in range(count)])
        for number in range(count // 10):
            index.closest(name.format(number))

    assert_linear(search, 20_000)


@pytest.mark.slow
def test_broken_fragments_of_a_document_take_linear_time(tmp_path: Path) -> None:
    def check(count: int) -> None:
        parts = (f"## Part {number} of it\n\n[a](#part-{number}-off-it)\n" for number in range(count))
        (tmp_path / "a.md").write_text("\n".join(parts))
        assert len(list(urlscan.lint_paths([tmp_path / "a.md"], jobs=1))) == count

    assert_linear(check, 4000)
