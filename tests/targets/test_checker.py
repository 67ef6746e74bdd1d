"""References are reported if they lead nowhere, and only then: one tree, many references."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.command import urlscan
from tests.trees import make_work_tree
from urlscan import lint_paths
from urlscan.core.document import Document
from urlscan.core.records import Finding, Severity
from urlscan.core.settings import FileSettings, Settings, TargetSettings
from urlscan.documents import read_documents
from urlscan.files.tree import Tree, tree_of
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets
from urlscan.targets.index import TargetIndex

TREE = {
    "README.md": "# Project\n\n## Usage of A\n",
    "docs/guide.md": "---\ntitle: The Guide\n---\n\n## Install it\n\n## Install it\n\n<a name='Old'></a>\n",
    "docs/index.md": "# Start\n\n## First steps\n",
    "docs/API.md": "# API\n",
    "docs/page.html": "<h1 id='one'>1</h1>\n",
    "docs/img/a b.png": "",
    "docs/v1.2/notes.md": "",
    "src/main.py": "a = 1\n",
    "site.gen/x.md": "",
    ".gitignore": "/out/\n",
}


class Provider:
    """Gives every file the same settings."""

    def __init__(self, targets: TargetSettings) -> None:
        self.settings = FileSettings(Settings(select=("U911", "U912", "U913", "U914")), targets=targets)

    def of(self, _path: str) -> FileSettings:
        return self.settings

    def is_relaxed(self, _path: str) -> bool:
        return False

    def excludes(self, _path: str, _root: str | None) -> bool:
        return False


def findings(
    root: Path, text: str, name: str = "docs/a.md", settings: TargetSettings | None = None, **files: str
) -> list[Finding]:
    """Return the findings about a document in TREE."""
    make_work_tree(root, {**TREE, **files, name: text})
    provider = Provider(settings or TargetSettings())
    options = ReadOptions(provider=provider, targets=Targets())
    results = check.check([str(root / name)], provider.settings.settings, options)
    return [one for result in results if isinstance(result, Document) for one in result.findings]


def reported(root: Path, url: str, name: str = "docs/a.md", settings: TargetSettings | None = None) -> str:
    """Return the codes of the findings about a link, with the suggestion of the first."""
    text = f"# Owner\n\n[a]({url})\n" if name.endswith(".md") else f"<!DOCTYPE html><h1>1</h1><a href='{url}'>a</a>\n"
    found = findings(root, text, name, settings)
    return " ".join([*(one.code for one in found), *(one.suggestion for one in found[:1] if one.suggestion)])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        # fragments
        ("#owner", ""),
        ("#Owner", "U914 owner"),
        ("#ownr", "U911 owner"),
        ("#", ""),
        ("##", ""),
        ("#top", ""),
        ("#user-content-owner", ""),
        ("#:~:text=owner", ""),
        ("guide.md#install-it", ""),
        ("guide.md#install-it-1", ""),
        ("guide.md#install%2Dit", ""),
        ("guide.md#Old", ""),
        ("guide.md#the-guide", "U911"),
        ("guide.md#instal-it", "U911 install-it"),
        ("page.html#one", ""),
        ("page.html#two", "U911"),
        ("../README.md#usage-of-a", ""),
        ("../#usage-of-a", ""),
        ("../#usage-of-b", "U911"),
        (".#first-steps", ""),
        ("../src/main.py#L10", ""),
        ("../src/main.py#anything", ""),
        # files
        ("guide.md", ""),
        ("./guide.md?raw=1", ""),
        ("img/a%20b.png", ""),
        ("<img/a b.png>", ""),
        ("guid.md", "U912 guide.md"),
        ("img/guide.md", "U912 guide.md"),
        ("guide.html", ""),
        ("guide", ""),
        ("v1.2", ""),
        ("v1.2/", ""),
        ("v1.3", "U912"),
        ("nothing", "U912"),
        ("nothing.html", "U912"),
        ("api.md", "U913 API.md"),
        ("IMG/a%20b.png", "U913 img/a%20b.png"),
        ("../DOCS/API.md", "U913 ../docs/API.md"),
        # doubt
        ("../../issues", ""),
        ("../../../x.md", ""),
        ("/guide.md", ""),
        ("//h.example/a.md", ""),
        ("{{ base }}/a.md", ""),
        ("$ROOT/a.md", ""),
        ("@site/a.md", ""),
        ("path/to/file.md", ""),
        ("url", ""),
        ("...", ""),
        ("..\\\\guide.md", ""),
        ("../out/report.html", ""),
        ("a%00b.md", ""),
        ("a%ffb.md", ""),
        ("%2e%2e/%2e%2e/%2e%2e/etc/passwd", ""),
    ],
)
def test_a_reference_in_markdown(tmp_path: Path, url: str, expected: str) -> None:
    assert reported(tmp_path, url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [("page.html#one", ""), ("page.htm", "U912"), ("#two", "U911"), ("#/route", ""), ("#a=b", "U911")],
)
def test_a_reference_in_html(tmp_path: Path, url: str, expected: str) -> None:
    assert reported(tmp_path, url, "docs/b.html") == expected


@pytest.mark.parametrize(
    "text",
    [
        "<script src='app.js'></script>",
        "<link rel='stylesheet' href='style.css'>",
        "<base href='http://h.example/'><a href='nothing.html'>a</a>",
        "<form action='submit.php'></form>",
        "<svg><use xlink:href='#shape'/></svg>",
        "<a href='{{ url }}/a.html'>a</a>",
    ],
)
def test_pages_with_files_of_a_build_and_templates_are_not_reported(tmp_path: Path, text: str) -> None:
    assert findings(tmp_path, text, "docs/b.html") == []


@pytest.mark.parametrize(
    "name",
    [
        "vendor/a/README.md",
        "node_modules/a/README.md",
        "templates/README.md",
        ".github/ISSUE_TEMPLATE/bug.md",
        "docs/a.md.j2",
    ],
)
def test_copies_and_templates_are_not_reported(tmp_path: Path, name: str) -> None:
    assert findings(tmp_path, "# A\n\n[a](nothing.md)\n", name) == []


@pytest.mark.parametrize(
    ("files", "url", "expected"),
    [
        ({"mkdocs.yml": "site_name: A\n"}, "nothing", ["U912"]),
        ({"docusaurus.config.js": ""}, "nothing.html", []),
        ({"mkdocs.yml": "site_name: A\n"}, "nothing.md", ["U912"]),
        ({"mkdocs.yml": "site_name: A\n"}, "../nothing.md", ["U912"]),
        ({"_config.yml": "title: a\n"}, "nothing.png", []),
        ({"_config.yml": "title: a\n"}, "nothing.md", ["U912"]),
        ({"website/docusaurus.config.js": ""}, "nothing", []),
        ({"docs/conf.py": "a = 1\n"}, "nothing", ["U912"]),
        ({"docs/conf.py": "extensions = []\n"}, "nothing", []),
    ],
)
def test_site_generators_make_pages(tmp_path: Path, files: Mapping[str, str], url: str, expected: list[str]) -> None:
    assert [one.code for one in findings(tmp_path, f"# A\n\n[a]({url})\n", **files)] == expected


@pytest.mark.parametrize(
    ("settings", "url", "expected"),
    [
        ({"root_dirs": ("docs",)}, "/guide.md", ""),
        ({"root_dirs": ("docs",)}, "/guid.md", "U912 guide.md"),
        ({"static_dirs": ("docs/img",)}, "/a%20b.png", ""),
        ({"prefix_map": (("/latest/", "docs"),)}, "/latest/guide.md#install-it", ""),
        ({"prefix_map": (("/latest/", "docs"),)}, "/latest/guide.md#instal-it", "U911 install-it"),
        ({"root_dirs": ("..",)}, "/guide.md", ""),
        ({"fallback_extensions": (".png",)}, "img/a%20b", ""),
        ({"fallback_extensions": ()}, "guide", "U912 guide.md"),
        ({"index_files": ("guide",)}, ".#install-it", ""),
        ({"anchors": "github"}, "guide.md#install-it", ""),
        ({"generated": ("nothing.md",)}, "nothing.md", ""),
        ({"redirects": (("/docs/old/", "/new/"),)}, "old/", ""),
    ],
)
def test_settings(tmp_path: Path, settings: dict[str, object], url: str, expected: str) -> None:
    def absolute(value: object) -> object:
        return str(tmp_path / str(value))

    for key in ("root_dirs", "static_dirs"):
        if key in settings:
            settings = {**settings, key: tuple(absolute(one) for one in settings[key])}  # type: ignore[attr-defined]
    if "prefix_map" in settings:
        settings = {**settings, "prefix_map": (("/latest/", absolute("docs")),)}
    if "generated" in settings:
        settings = {**settings, "generated": ((str(tmp_path / "docs"), "nothing.md"),)}
    found = reported(tmp_path, url, settings=TargetSettings(**settings))  # type: ignore[arg-type]
    assert found == expected


def test_a_suggestion_is_a_fix_for_the_reference(tmp_path: Path) -> None:
    found = findings(tmp_path, "# Owner\n\n[a](guid.md#x) [b](api.md) [c](#ownr)\n")
    fixes = [(one.fix.applicability, [edit.text for edit in one.fix.edits]) for one in found if one.fix]
    assert fixes == [("unsafe", ["guide.md"]), ("safe", ["API.md"]), ("unsafe", ["owner"])]


def test_a_file_that_was_moved_is_only_suggested(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "[a](old/release-plan.md)\n", **{"docs/release-plan.md": "# Plan\n"})
    assert (found.suggestion, found.fix) == ("release-plan.md", None)


def test_a_document_does_not_mean_itself(tmp_path: Path) -> None:
    reported = findings(tmp_path, "[a](../release-plan.md) [b](relese-plan.md)\n", "docs/release-plan.md")
    assert [finding.suggestion for finding in reported] == ["", ""]


def test_an_anchor_with_a_hyphen_that_programs_drop_is_not_suggested(tmp_path: Path) -> None:
    text = "# Owner\n\n[a](#wheel-parts)\n\n## Wheel parts <b/>\n"
    for config, suggestion in (("astro.config.mjs", ""), ("x", "wheel-parts-")):
        (found,) = findings(tmp_path / config, text, "src/a.md", **{config: ""})
        assert found.suggestion == suggestion


def test_ignored_files_are_not_named(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {"out/secret-plan.md": "# Plan\n"})
    found = findings(tmp_path, "# A\n\n[a](secret-plan.md) [b](../out/secret-plan.md#plam) [c](secret-plam.md)\n")
    assert [one.code for one in found] == ["U912", "U912"]
    assert not any("out/" in one.message or one.suggestion for one in found)


@pytest.mark.parametrize(
    ("select", "read"),
    [
        (("U912", "U913", "U918"), set()),
        (("U915",), set()),
        (("U911",), {"docs/guide.md"}),
    ],
)
def test_only_targets_of_fragments_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, select: tuple[str, ...], read: set[str]
) -> None:
    text = "# A\n\n[a](guide.md#install-it) [b](guide.md#Old) [c](API.md) [d](../README.md) [e](#a)\n"
    make_work_tree(tmp_path, {**TREE, "docs/a.md": text, "docs/b.md": text})
    paths: list[str] = []
    read_file = Tree.read
    monkeypatch.setattr(Tree, "read", lambda tree, path, size: paths.append(path) or read_file(tree, path, size))
    settings = Settings(select=select)
    list(check.check([str(tmp_path / "docs")], settings, ReadOptions(targets=Targets())))
    assert sorted(path for path in paths if path.endswith(".md")) == sorted(read)


@pytest.mark.parametrize("code", ["U911", "U912", "U913", "U914", "U915", "U916", "U917", "U918"])
def test_each_rule_works_alone(tmp_path: Path, code: str) -> None:
    text = "[a](guide.md#instal) [b](no.md) [c](api.md) [d](guide.md#OLD) [for][us] [f](../../x)\n\n[g]: /a\n[g]: /b\n"
    make_work_tree(tmp_path, {**TREE, "docs/a.md": text})
    results = check.check([str(tmp_path / "docs/a.md")], Settings(select=(code,)), ReadOptions(targets=Targets()))
    assert [f.code for one in results if isinstance(one, Document) for f in one.findings] == [code]


def test_a_step_too_many_leaves_the_root_where_missing_files_are_not_reported(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {**TREE, "docs/a.md": "[a](../../docs/guide.md)\n"})
    for code in ("U912", "U918"):
        results = check.check([str(tmp_path / "docs/a.md")], Settings(select=(code,)), ReadOptions(targets=Targets()))
        assert [f.code for one in results if isinstance(one, Document) for f in one.findings] == [code]


def test_the_anchors_of_a_document_are_those_of_its_text_in_memory(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {"a.md": "# Old\n", "b.md": "[b](a.md#old)\n"})
    index = TargetIndex()
    tree = tree_of(str(tmp_path), {})
    (document,) = read_documents(b"# New\n", kind="markdown")
    for _ in range(2):
        anchors = index.anchors_in_memory(tree, "a.md", "github", document.decoded, "markdown")
        assert anchors is not None
        assert list(anchors.lines) == ["new"]


def test_a_file_that_is_a_link_is_read_where_it_is(tmp_path: Path) -> None:
    make_work_tree(tmp_path, TREE)
    (tmp_path / "GUIDE.md").symlink_to("docs/guide.md")
    (tmp_path / "docs/guide.md").write_text("# A\n\n[a](API.md)\n")
    options = ReadOptions(targets=Targets())
    results = check.check([str(tmp_path / "GUIDE.md")], Settings(), options)
    assert not any(one.findings for one in results if isinstance(one, Document))


def test_a_symbolic_link_names_the_documents_of_a_site(tmp_path: Path) -> None:
    files = {"mkdocs.yml": "site_name: a\n", "mill/docs/a.md": "# Door / Gate\n\n[a](#door-gate) [b](#door--gate)\n"}
    make_work_tree(tmp_path, files)
    (tmp_path / "docs").symlink_to("mill/docs", target_is_directory=True)
    results = check.check([str(tmp_path / "mill")], Settings(), ReadOptions(targets=Targets()))
    (finding,) = (finding for item in results if isinstance(item, Document) for finding in item.findings)
    assert finding.url == "#door--gate"


def test_a_suggested_letter_case_has_the_normal_form_of_the_file(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {"a.md": "[a](m%C3%BChle.md)\n", "Mu\u0308hle.md": ""})
    results = check.check([str(tmp_path / "a.md")], Settings(), ReadOptions(targets=Targets()))
    (finding,) = (finding for item in results if isinstance(item, Document) for finding in item.findings)
    assert finding.fix is not None
    assert [edit.text for edit in finding.fix.edits] == ["Mu%CC%88hle.md"]


def test_missing_files_of_a_package_are_not_reported(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# A\n\n[a](docs/missing.md) [b](#b) [c](readme.md)\n")
    results = check.check([str(tmp_path / "README.md")], Settings(), ReadOptions(targets=Targets()))
    assert [f.code for one in results if isinstance(one, Document) for f in one.findings] == ["U911", "U913"]


# --- documents that refer to the checked files


def test_references_to_changed_and_deleted_files_are_reported(tmp_path: Path) -> None:
    files = {
        "docs/guide.md": "# Guide\n\n## Install\n",
        "a.md": "[a](docs/guide.md#install) [b](docs/old.md) [c](docs/guide.md#setup) [d](nothing.md)\n",
        "docs/b.md": "[b](old.html#x) [c](OLD.md) [d](guide#setup) [e](#nowhere)\n",
        "docs/index.md": "# Start\n",
        "c.md": "[c](docs#begin)\n",
        "tests/d.md": "[b](../docs/old.md)\n",
    }
    make_work_tree(tmp_path, files)
    done = urlscan(
        *("check", "--isolated", "--with-referrers", "--format", "concise"),
        *("docs/guide.md", "docs/old.md", "docs/index.md"),
        cwd=tmp_path,
    )
    assert [tuple(line.split(" ")[:2]) for line in done.text.splitlines() if ": U9" in line] == [
        ("a.md:1:32:", "U912"),
        ("a.md:1:63:", "U911"),
        ("c.md:1:10:", "U911"),
        ("docs/b.md:1:5:", "U912"),
        ("docs/b.md:1:21:", "U912"),
        ("docs/b.md:1:39:", "U911"),
    ]
    assert done.status == 1


def test_the_detected_generator_is_shown(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {"mkdocs.yml": "site_name: a\n", "docs/a.md": ""})
    done = urlscan("config", "--isolated", "docs/a.md", cwd=tmp_path)
    assert "# site generator: mkdocs (mkdocs.yml)\n" in done.text
    assert "site generator" not in urlscan("config", "--isolated", "README.md", cwd=tmp_path).text


@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_report_the_same_findings(tmp_path: Path, jobs: int) -> None:
    text = "# A\n\n[a](guide.md#install) [b](no.md) [c](api.md) [d](guide.md#Install-it) [e](Guide.md#x) [f][g h]\n"
    files = {f"docs/{number}.md": text + f"[n]({number + 1}.md#A{number})\n" for number in range(40)}
    make_work_tree(tmp_path, {**TREE, **files})

    def lines(jobs: int) -> list[str]:
        options = ReadOptions(targets=Targets())
        found = check.check([str(tmp_path)], Settings(extend_select=("U91",)), options, jobs=jobs)
        return [repr(one) for result in found if isinstance(result, Document) for one in result.findings]

    alone = lines(1)
    assert len(alone) > 200
    assert lines(jobs) == alone


@pytest.mark.parametrize(
    "path", ["../../secret.md", "%2e%2e/%2E%2E/secret.md", "..%2f..%2fsecret.md", "../out/secret.md"]
)
def test_no_reference_opens_a_file_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    (tmp_path / "secret.md").write_text("# Key\n")
    root = tmp_path / "repository"
    make_work_tree(root, {**TREE, "docs/a.md": f"[a]({path}#kay)\n"})
    (root / "out").symlink_to(tmp_path)
    opened: list[str] = []
    read_file = Tree.read
    monkeypatch.setattr(Tree, "read", lambda tree, path, size: opened.append(path) or read_file(tree, path, size))
    settings = Settings(select=("U911", "U912", "U913", "U914"))
    results = check.check([str(root / "docs/a.md")], settings, ReadOptions(targets=Targets()))
    assert not any(one.findings for one in results if isinstance(one, Document))
    assert not any("secret" in one for one in opened)


def test_the_pointer_of_a_large_file_is_a_file(tmp_path: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    assert not findings(
        tmp_path, "# A\n\n![a](a.png) [b](b.md#any)\n", **{"docs/a.png": pointer, "docs/b.md": "# Any\n"}
    )


@pytest.mark.parametrize(("url", "expected"), [("no.md", ["U912"]), ("no.html", []), ("no", [])])
def test_ignored_pages_are_written_by_a_build(tmp_path: Path, url: str, expected: list[str]) -> None:
    found = findings(tmp_path, f"# Owner\n\n[a]({url})\n", **{"docs/.gitignore": "*.html\n"})
    assert [one.code for one in found] == expected


def test_text_that_is_nearly_a_link_is_made_one(tmp_path: Path) -> None:
    text = "[a] (https://h.org/a) (b)[https://h.org/b] [c]((https://h.org/c) [d](https://h.org/d e)\n"
    make_work_tree(tmp_path, {"a.md": text})
    assert urlscan("check", "--isolated", "--fix", "--unsafe-fixes", "a.md", cwd=tmp_path).status == 1
    fixed = text.replace("[a] (", "[a](").replace("((", "(")
    assert (tmp_path / "a.md").read_text() == fixed, "the others have no fix"


def test_message_tells_which_anchor_the_site_makes(tmp_path: Path) -> None:
    text = "# The mill\n\n## Wheel - undershot\n\n[a](#wheel---undershot)\n"
    make_work_tree(tmp_path, {"mkdocs.yml": "site_name: mill\n", "docs/a.md": text})
    [finding] = lint_paths([tmp_path / "docs"])
    assert isinstance(finding, Finding)
    assert finding.message.endswith('; only the forge makes this anchor, the site makes "#wheel-undershot"')
    assert finding.fix is None


def test_message_tells_that_the_anchor_of_the_site_is_decomposed(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {".vitepress/config.js": "", "a.md": "# \u30d0\n\n[a](#\u30d0)\n"})
    [finding] = lint_paths([tmp_path / "a.md"])
    assert isinstance(finding, Finding)
    assert finding.message.endswith('the site makes "#\u30cf\u3099" of decomposed characters')


@pytest.mark.parametrize(
    ("documents", "links", "severity"), [(6, 4, Severity.ERROR), (1, 120, Severity.ERROR), (6, 20, Severity.INFO)]
)
def test_many_anchors_in_another_spelling_are_those_of_a_program(
    tmp_path: Path, documents: int, links: int, severity: Severity
) -> None:
    text = "".join(f"## Mill::Wheel{number}\n\n[a](#mill-wheel{number})\n\n" for number in range(links))
    make_work_tree(tmp_path, {f"a{number}.md": text for number in range(documents)})
    found = [finding for finding in lint_paths([tmp_path]) if isinstance(finding, Finding)]
    assert {finding.severity for finding in found} == {severity}
    assert {finding.fix is None for finding in found} == {severity == Severity.INFO}


def test_message_tells_two_equal_paths_apart(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {"docs/a.md": "[b](../parts/b.md)\n", "docs/parts/b.md": ""})
    [finding] = lint_paths([tmp_path / "docs" / "a.md"])
    assert isinstance(finding, Finding)
    assert finding.message == 'no file "parts/b.md" at the root; did you mean "parts/b.md"?'


def test_reference_with_the_name_to_which_a_symbolic_link_leads(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {"docs/a.md": "[b](MILL.md) [c](Wheel.md)\n", "MILL.md": "", "docs/wheel.md": ""})
    (tmp_path / "docs" / "mill.md").symlink_to("../MILL.md")
    (tmp_path / "docs" / "barn.md").symlink_to("../MILL.md")
    (tmp_path / "docs" / "b.md").write_text("[b](Barn.md)\n")
    found = [(one.code, one.message) for one in lint_paths([tmp_path]) if isinstance(one, Finding)]
    assert [code for code, _ in found] == ["U912", "U913", "U913"]
    assert found[0][1] == 'no file "docs/MILL.md"; did you mean "../MILL.md"?'


@pytest.mark.parametrize(
    ("remote", "count"),
    [
        ('[remote "origin"]\n\turl = https://github.com/mill/house.git\n', 1),
        ('[remote "origin"]\n\turl = git@github.com:mill/house\n', 1),
        ('[remote "origin"]\n\turl = https://github.com/jo/house\n', 0),
        ('[submodule "house"]\n\turl = https://github.com/mill/house\n', 0),
    ],
)
def test_the_remotes_of_a_clone_name_its_repository(tmp_path: Path, remote: str, count: int) -> None:
    make_work_tree(tmp_path, {"a.md": "[b](https://github.com/mill/house/blob/main/docs/b.md)\n"})
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write(remote)
    assert len(list(lint_paths([tmp_path]))) == count


@pytest.mark.parametrize(
    ("head", "count"), [("ref: refs/heads/next\n", 1), ("ref: refs/heads/main\n", 0), ("0" * 40 + "\n", 0), ("", 0)]
)
def test_url_of_the_branch_that_is_checked_out(tmp_path: Path, head: str, count: int) -> None:
    make_work_tree(tmp_path, {"a.md": "[b](https://github.com/mill/house/blob/next/docs/b.md)\n"})
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write('[remote "origin"]\n\turl = https://github.com/mill/house.git\n')
    (tmp_path / ".git" / "HEAD").write_text(head)
    assert len(list(lint_paths([tmp_path]))) == count


_MASTER = "refs/remotes/origin/master"


@pytest.mark.parametrize(
    ("head", "default", "packed", "loose", "count"),
    [
        pytest.param("main", "next", _MASTER, "", 0, id="another default branch"),
        pytest.param("main", "master", _MASTER, "", 1, id="the default branch"),
        pytest.param("main", "next", "refs/heads/caf\udce9", _MASTER, 0, id="branch in a file of its own"),
        pytest.param("main", "", _MASTER, "", 0, id="branch that is checked out for the default"),
        pytest.param("main", "next", "refs/tags/origin/master", "", 1, id="tag with the name of the branch"),
    ],
)
def test_another_branch_of_the_remote_is_not_judged(
    tmp_path: Path, head: str, default: str, packed: str, loose: str, count: int
) -> None:
    make_work_tree(tmp_path, {"a.md": "[b](https://github.com/mill/house/blob/master/docs/b.md)\n"})
    git, commit = tmp_path / ".git", "0" * 40
    with (git / "config").open("a") as config:
        config.write('[remote "origin"]\n\turl = https://github.com/mill/house.git\n')
    files = {"HEAD": f"ref: refs/heads/{head}\n", "packed-refs": f"{commit} {packed}\n{commit} refs/tags/v1\n"}
    if default:
        files["refs/remotes/origin/HEAD"] = f"ref: refs/remotes/origin/{default}\n"
    if loose:
        files[loose] = commit + "\n"
    for name, text in files.items():
        (git / name).parent.mkdir(parents=True, exist_ok=True)
        (git / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    assert len(list(lint_paths([tmp_path]))) == count


@pytest.mark.parametrize(("repository", "count"), [("jo/house", 1), ("jo/barn", 0)])
def test_repository_that_moved_has_its_name_under_both_owners(tmp_path: Path, repository: str, count: int) -> None:
    names = {"mill/house": "abcd", repository: "abc"}
    urls = [f"https://github.com/{name}/blob/main/docs/{file}.md" for name, files in names.items() for file in files]
    missing = f"https://github.com/{repository}/blob/main/docs/e.md"
    make_work_tree(tmp_path, {"a.md": "\n".join([*urls, missing]), **{f"docs/{file}.md": "" for file in "abcd"}})
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write('[remote "origin"]\n\turl = https://github.com/mill/house.git\n')
    assert len(list(lint_paths([tmp_path]))) == count


@pytest.mark.parametrize(("remote", "count"), [("jo/house", 1), ("mill/manual", 0)])
def test_metadata_names_the_repository_if_its_remotes_have_the_same_name(
    tmp_path: Path, remote: str, count: int
) -> None:
    url = "https://github.com/mill/house"
    make_work_tree(tmp_path, {"mkdocs.yml": f"repo_url: {url}\n", "docs/a.md": f"[b]({url}/blob/main/docs/b.md)\n"})
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write(f'[remote "origin"]\n\turl = https://github.com/{remote}\n')
    assert len(list(lint_paths([tmp_path]))) == count


def test_uncertain_information_stays_information(tmp_path: Path) -> None:
    forge = "https://github.com/mill/house/blob/main/docs"
    links = " ".join(f"[{name}]({forge}/{name}.md)" for name in ("a", "b", "c"))
    text = f"{links} [d]({forge}/a.md#Wheel-Rim)\n\n## Wheel Rim\n"
    make_work_tree(tmp_path, {"docs/a.md": text, "docs/b.md": "", "docs/c.md": ""})
    [finding] = lint_paths([tmp_path / "docs" / "a.md"])
    assert isinstance(finding, Finding)
    assert (finding.code, finding.severity) == ("U914", Severity.INFO)


def test_message_about_a_url_of_the_forge_names_the_path_from_the_root(tmp_path: Path) -> None:
    forge = "https://github.com/mill/house/blob/main/docs"
    links = " ".join(f"[{name}]({forge}/{name}.md)" for name in ("a", "b", "c", "d", "B"))
    make_work_tree(tmp_path, {"docs/a.md": links, "docs/b.md": "", "docs/c.md": "", "docs/d.md": ""})
    [finding] = lint_paths([tmp_path / "docs"])
    assert isinstance(finding, Finding)
    assert finding.message == 'the letter case of "docs/B.md" is wrong; the file is "docs/b.md"'
    assert finding.severity == Severity.WARNING
    assert finding.fix is not None
    assert finding.fix.applicability == "unsafe"


@pytest.mark.parametrize("names", [["."], ["a"], ["a/mill.md"]])
def test_relative_names_outside_of_a_repository_belong_to_one_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in {"a/mill.md": "[b](../b/barn.md#door)\n", "b/barn.md": "# Barn\n"}.items():
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text)
    [finding] = lint_paths(names)
    assert isinstance(finding, Finding)
    assert finding.code == "U911"
