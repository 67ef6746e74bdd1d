"""Test which file a missing path means, and how paths and anchors are written."""

from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote

import pytest

import urlscan
from tests.linear_time import assert_linear
from tests.trees import make_work_tree
from urlscan.files.tree import Tree
from urlscan.targets.index import TargetIndex
from urlscan.targets.suggest import closest_file, encoded, is_moved


class Listing(Tree):
    """A tree of the files that are given."""

    def __init__(self, files: Iterable[str]) -> None:
        super().__init__("/", None)
        self.files = tuple(files)


def meant(missing: str, *files: str) -> str:
    return closest_file(TargetIndex(), Listing(files), missing)


@pytest.mark.parametrize(
    ("missing", "files", "expected"),
    [
        # in the same directory
        ("docs/instal.md", "docs/install.md docs/index.md", "docs/install.md"),
        ("docs/guide", "docs/guide.md docs/guided.md", "docs/guide.md"),
        ("docs/guide", "docs/guide.md docs/guide.png", ""),
        ("set_alias_pages.py", "set-alias-page.py", "set-alias-page.py"),
        ("docs/install.rst", "docs/install.md", ""),
        ("docs/setup-on-linux.md", "docs/setup-on-windows.md", ""),
        ("fig-1.png", "fig-2.png", ""),
        ("text/0003-traits.md", "text/0019-traits.md", ""),
        ("docs/instal.md", "install.md", ""),
        # in another directory
        (".github/.github/plan.md", ".github/plan.md other/x/plan.md", ".github/plan.md"),
        ("plan.md", "docs/plan.md", "docs/plan.md"),
        ("dosc/plan.md", "dcos/plan.md", ""),
        ("documnts/plan.md", "documents/plan.md", "documents/plan.md"),
        ("a/b/c/release-plan.md", "release-plan.md", "release-plan.md"),
        ("a/b/c/plan.md", "plan.md", ""),
        ("python/start-here.md", "java/start-here.md", ""),
        ("docs/plan.md", "a/docs/plan.md docs/b/plan.md", ""),
        ("docs/v1/plan.md", "docs/plan.md", ""),
        ("docs/shapes/README.md", "docs/README.md", ""),
        ("shapes/README.md", "docs/shapes/README.md", "docs/shapes/README.md"),
    ],
)
def test_the_same_file_is_meant(missing: str, files: str, expected: str) -> None:
    assert meant(missing, *files.split()) == expected


@pytest.mark.parametrize(
    ("path", "missing", "reference", "document", "expected"),
    [
        ("a/instal.md", "a/install.md", "install.md", "a/b.md", False),  # misspelled
        ("docs/b/c.md", "docs/a/b/c.md", "../b/c.md", "docs/a/x/y.md", False),  # one "../" too few
        ("src/a.py", "src/b/src/a.py", "src/a.py", "src/b/c.md", False),  # relative to the root
        ("a.md", "docs/a.md", "./a.md", "docs/b.md", False),
        ("docs/a.md", "site/docs/a.md", "a.md", "site/docs/_sidebar.md", True),  # a build merges site/ and docs/
        ("docs/manual/a/b.md", "docs/a/b.md", "../a/b.md", "docs/notes/c.md", True),
        ("a/client.v", "a/examples/client.v", "examples/client.v", "a/README.md", True),
    ],
)
def test_moved_file(path: str, missing: str, reference: str, document: str, expected: bool) -> None:
    assert is_moved(path, missing, reference, document) is expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [lambda n: f"name-of-file-{n}.md", lambda n: f"name.{n}", lambda n: f"name{n}", lambda n: f"{n}/name.md"],
    ids=["names", "extensions", "no extension", "directories"],
)
def test_missing_files_take_linear_time(name: Callable[[int], str]) -> None:
    """A name took 13 ms among 100,000."""

    def search(count: int) -> None:
        index, tree = TargetIndex(), Listing([name(number) for number in range(count)])
        for number in range(count // 20):
            closest_file(index, tree, f"{number}x/name.md")
            closest_file(index, tree, f"x{name(number)}")

    assert_linear(search, 40_000)


@pytest.mark.parametrize(
    ("text", "like", "written"),
    [
        ("हिंदी", "hindi", "हिंदी"),
        ("हिंदी", "हदी", "हिंदी"),
        ("می‌خواهم", "x", "می‌خواهम"[:0] + "می‌خواهم"),
        ("é b", "a%20b", "%C3%A9%20b"),
        ("a\u202eb", "x", "a%E2%80%AEb"),
    ],
)
def test_other_scripts_stay_readable(text: str, like: str, written: str) -> None:
    assert encoded(text, like) == written


@pytest.mark.parametrize(
    ("fragment", "suggestion"),
    [
        ("हिंदी-में_लिखें", "हिंदी-में-लिखें"),
        (quote("हिंदी-में_लिखें"), quote("हिंदी-में-लिखें")),
    ],
    ids=["letters", "escapes"],
)
def test_messages_show_an_anchor_as_it_is_read(tmp_path: Path, fragment: str, suggestion: str) -> None:
    make_work_tree(tmp_path, {"a.md": f"[a](#{fragment})\n\n# हिंदी में लिखें\n"})
    (finding,) = urlscan.lint_paths([tmp_path / "a.md"], jobs=1)
    assert isinstance(finding, urlscan.Finding)
    assert finding.message.endswith('did you mean "#हिंदी-में-लिखें"?')
    assert finding.suggestion == suggestion
