"""The end of a run: its summary on a terminal, in a pipe, and beside formats for programs."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.command import urlscan, urlscan_process
from tests.terminal import Terminal, urlscan_in_terminal
from tests.trees import make_work_tree
from urlscan import lint
from urlscan.core.project import rule_page
from urlscan.formats import FORMATS, SUMMARIZED
from urlscan.formats.base import RenderOptions, headline

GOOD = "See http://h.example/a.\n"
BAD = "<http://h.example/a|b> <http://h.example:99999/> <http://h.example/%zz>\n"
INFO = "<http://h.example/a-\nb>\n"
CLEAN = "All checks passed: 1 file, 1 URL, 0 links.\n"
PEOPLE = ("full", "concise", "grouped")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "good.txt").write_text(GOOD)
    (tmp_path / "bad.txt").write_text(BAD)
    (tmp_path / "info.txt").write_text(INFO)
    return tmp_path


def found(text: str) -> str:
    """Return the line that counts the findings."""
    (line,) = [line for line in text.splitlines() if line.startswith("Found ")]
    return line


@pytest.mark.parametrize("format", PEOPLE)
def test_summary_of_findings_is_on_standard_output(tree: Path, format: str) -> None:
    done = urlscan("check", "--format", format, "bad.txt", cwd=tree)
    assert done.lines[-2:] == ["Found 3 errors.", "2 fixes available with --fix --unsafe-fixes."]
    assert done.err == ""
    done = urlscan("check", "--format", format, "bad.txt", "info.txt", cwd=tree)
    assert found(done.text) == "Found 3 errors, 1 info."
    status, shown = urlscan_in_terminal("check", "--format", format, "bad.txt", cwd=tree, NO_COLOR="1")
    assert (status, found(shown)) == (1, "Found 3 errors.")


def test_quiet_omits_the_summary(tree: Path) -> None:
    for format in PEOPLE:
        assert "Found" not in urlscan("check", "-q", "--format", format, "bad.txt", cwd=tree).text
    assert urlscan_in_terminal("check", "-q", "good.txt", cwd=tree) == (0, "")


@pytest.mark.parametrize("format", sorted(set(FORMATS) - set(PEOPLE)))
def test_formats_for_programs_have_no_summary(tree: Path, format: str) -> None:
    assert format not in SUMMARIZED
    status, shown = urlscan_in_terminal("check", "--format", format, "bad.txt", cwd=tree)
    assert status == 1
    assert "Found 3" not in shown
    _, shown = urlscan_in_terminal("check", "--format", format, "good.txt", cwd=tree)
    assert "All checks passed" not in shown
    if format in ("json", "sarif", "gitlab", "rdjson"):
        json.loads(shown)


@pytest.mark.parametrize("format", PEOPLE)
def test_clean_run_is_confirmed(tree: Path, format: str) -> None:
    assert urlscan_in_terminal("check", "--format", format, "good.txt", cwd=tree) == (0, CLEAN)
    assert urlscan("check", "--format", format, "good.txt", cwd=tree) == (0, CLEAN.encode(), "")
    assert urlscan("check", "-q", "--format", format, "good.txt", cwd=tree) == (0, b"", "")


def test_clean_run_counts_files_urls_and_links(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {
        "a.md": "# A\n\nSee <http://h.example/>, http://h.example/a, [b](b.md#b), [a](#a) and [x]({{ x }}).\n",
        "b.md": "# B\n\nSee [pages](https://h.example/b).\n",
    })  # fmt: skip
    done = urlscan("check", "-j", "1", ".", cwd=tmp_path)
    assert done == (0, b"All checks passed: 2 files, 3 URLs, 3 links (1 not checked).\n", "")
    assert urlscan("check", "-j", "4", ".", cwd=tmp_path) == done
    done = urlscan("check", "--ignore", "U91,U92", ".", cwd=tmp_path)
    assert done.text == "All checks passed: 2 files, 3 URLs, 0 links.\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_urls_of_a_text_in_chunks_are_counted(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "large.txt").write_text(f"See http://h.example/a.\n{'mill ' * 30}\n\n" * (1 << 15))
    done = urlscan("check", "-j", jobs, "large.txt", cwd=tmp_path)
    assert done.text == "All checks passed: 1 file, 32,768 URLs, 0 links.\n"


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        ("--fix --unsafe-fixes good.txt", 0, CLEAN),
        ("--statistics good.txt", 0, CLEAN),
        ("--diff good.txt", 0, ""),
        ("--fix-only good.txt", 0, ""),
        ("--write-baseline known.json good.txt", 0, "urlscan: known.json: 0 findings in 0 files\n"),
        ("--select U601 bad.txt", 0, CLEAN.replace("1 URL", "3 URLs")),
        ("good.txt missing.txt", 2, "urlscan: missing.txt: No such file or directory\n"),
        ("--exclude good.txt good.txt", 0, "urlscan: warning: no files were checked\n"),
        ("--format concise --output-file c.txt good.txt", 0, ""),
    ],
)
def test_clean_run_is_confirmed_only_if_findings_would_be_reported(
    tree: Path, arguments: str, status: int, text: str
) -> None:
    assert urlscan_in_terminal("check", *arguments.split(), cwd=tree) == (status, text)


def test_findings_below_the_threshold_are_not_a_clean_run(tree: Path) -> None:
    status, shown = urlscan_in_terminal("check", "info.txt", cwd=tree, NO_COLOR="1")
    assert (status, found(shown)) == (0, "Found 1 info.")


def test_tree_of_binary_files_is_not_a_clean_run(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\0\0")
    expected = "urlscan: warning: no files were checked\n"
    assert urlscan_in_terminal("check", cwd=tmp_path) == (0, expected)
    assert urlscan("check", ".", cwd=tmp_path).err == expected
    assert urlscan("check", "-j", "1", ".", cwd=tmp_path).err == expected


# --- fixes


def test_show_fixes_lists_them_by_file_and_rule(tree: Path) -> None:
    (tree / "more.txt").write_text("<http://h.example/a|b> <http://h.example/c|d>\n")
    options = ["--fix", "--unsafe-fixes", "--show-fixes"]
    done = urlscan("check", *options, "bad.txt", "more.txt", cwd=tree)
    assert done.text.endswith(
        "Fixed 4 findings:\n- bad.txt:\n    1 × U101 (unsafe-character)\n    1 × U201 (bad-escape)\n"
        "- more.txt:\n    2 × U101 (unsafe-character)\nFound 1 error.\n"
    )
    assert urlscan("check", *options, "more.txt", cwd=tree).text == CLEAN.replace("1 URL", "2 URLs")


def test_show_fixes_beside_formats_for_programs_and_diffs_is_on_standard_error(tree: Path) -> None:
    rules = "urlscan:     1 × U101 (unsafe-character)\nurlscan:     1 × U201 (bad-escape)\n"
    listed = "urlscan: {}:\nurlscan: - bad.txt:\n" + rules
    options = ["--unsafe-fixes", "--show-fixes", "bad.txt"]
    assert urlscan("check", "--diff", *options, cwd=tree).err == listed.format("would fix 2 findings")
    done = urlscan("check", "--fix", "--format", "jsonl", *options, cwd=tree)
    assert done.err == listed.format("fixed 2 findings")
    assert [json.loads(line)["code"] for line in done.lines] == ["U403"]
    assert urlscan("check", "--show-fixes", "bad.txt", cwd=tree).status == 2


# --- the limit


def test_max_findings_limits_what_is_shown_and_not_what_is_counted(tree: Path) -> None:
    done = urlscan("check", "--max-findings", "2", "--format", "concise", "bad.txt", "info.txt", cwd=tree)
    assert done.status == 1
    assert [line.split(": ")[1].split()[0] for line in done.lines[:2]] == ["U101", "U403"]
    assert done.lines[2] == "Found 3 errors, 1 info; 2 shown (--max-findings)."
    done = urlscan("check", "--max-findings", "1", "info.txt", "bad.txt", cwd=tree)
    assert done.status == 1  # the errors count although only the info is shown
    assert urlscan("check", "--max-findings", "0", "bad.txt", cwd=tree).status == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_max_findings_applies_to_formats_for_programs(tree: Path, jobs: str) -> None:
    done = urlscan("check", "--max-findings", "1", "--format", "jsonl", "-j", jobs, "bad.txt", "info.txt", cwd=tree)
    assert len(done.lines) == 1
    assert done.err == "urlscan: 3 more findings not reported (--max-findings 1)\n"
    done = urlscan("check", "--max-findings", "9", "--format", "jsonl", "bad.txt", "info.txt", cwd=tree)
    assert (len(done.lines), done.err) == (4, "")


def test_success_counts_the_findings_that_a_baseline_hides(tree: Path) -> None:
    urlscan("check", "--write-baseline", "known.json", "bad.txt", cwd=tree)
    done = urlscan("check", "--baseline", "known.json", "bad.txt", "good.txt", cwd=tree)
    assert (done.status, done.text) == (
        0, "All checks passed: 2 files, 4 URLs, 0 links; 3 findings in the baseline.\n"
    )  # fmt: skip
    assert urlscan("check", "--baseline", "known.json", "good.txt", cwd=tree).text == CLEAN


def test_max_findings_does_not_change_statistics_and_baselines(tree: Path) -> None:
    for options in (["--statistics"], ["--statistics", "--format", "json"]):
        limited = urlscan("check", "--max-findings", "1", *options, "bad.txt", cwd=tree)
        assert limited == urlscan("check", *options, "bad.txt", cwd=tree)
    urlscan("check", "--max-findings", "1", "--write-baseline", "known.json", "bad.txt", cwd=tree)
    assert urlscan("check", "-q", "--baseline", "known.json", "bad.txt", cwd=tree) == (0, b"", "")


# --- links


LINK = f"\x1b]8;;{rule_page('U101')}\x1b\\"


@pytest.mark.parametrize(
    ("environment", "has_links"),
    [
        ({}, False),
        ({"VTE_VERSION": "6800"}, True),
        ({"VTE_VERSION": "4600"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"WT_SESSION": "1"}, True),
        ({"FORCE_HYPERLINK": "1"}, True),
        ({"VTE_VERSION": "6800", "FORCE_HYPERLINK": "0"}, False),
        ({"VTE_VERSION": "6800", "NO_COLOR": "1"}, False),
        ({"VTE_VERSION": "6800", "TERM": "dumb"}, False),
    ],
    ids=str,
)
def test_codes_are_links_on_terminals_that_show_them(tree: Path, environment: dict[str, str], has_links: bool) -> None:
    _, shown = urlscan_in_terminal("check", "--format", "concise", "bad.txt", cwd=tree, **environment)
    assert (LINK in shown) == has_links
    assert "U101" in shown
    assert (
        re.sub(r"\x1b\]8;;[^\x1b]*\x1b\\|\x1b\[[\d;]*m", "", shown)
        == urlscan("check", "--format", "concise", "bad.txt", cwd=tree).text
    )


@pytest.mark.parametrize("form", ["concise", "full", "grouped"])
def test_names_of_files_are_links_to_them(tree: Path, form: str) -> None:
    name = "a b%é.txt"
    (tree / name).write_bytes((tree / "bad.txt").read_bytes())
    terminal = {"VTE_VERSION": "6800"}
    _, shown = urlscan_in_terminal("check", "--format", form, name, cwd=tree, **terminal)
    link = re.search(r"\x1b\]8;;(file:[^\x1b]*)\x1b\\([^\x07]*?)\x1b\]8;;\x1b\\", shown)
    assert link is not None
    assert link[1] == f"file://{tree}/a%20b%25%C3%A9.txt"
    assert name in link[2]


def test_standard_input_is_no_link(tree: Path) -> None:
    options = RenderOptions(links=True)
    finding = lint("See <http://h.example/a|b>.")[0]
    assert "file:" not in headline(finding, options)
    assert LINK in headline(finding, options)


def test_links_are_not_written_to_pipes_files_and_formats_for_programs(tree: Path) -> None:
    terminal = {"VTE_VERSION": "6800"}
    assert b"\x1b" not in urlscan_process("check", "bad.txt", cwd=tree, **terminal).out
    assert urlscan_in_terminal("check", "--color", "never", "bad.txt", cwd=tree, **terminal)[1].count("\x1b") == 0
    _, shown = urlscan_in_terminal("check", "--format", "json", "bad.txt", cwd=tree, **terminal)
    assert "\x1b" not in shown
    options = ["--format", "concise", "--output-file", "c.txt", "--format", "full", "bad.txt"]
    assert LINK in urlscan_in_terminal("check", *options, cwd=tree, **terminal)[1]
    assert "\x1b" not in (tree / "c.txt").read_text()


def test_other_commands_link_codes_too(tree: Path) -> None:
    terminal = {"VTE_VERSION": "6800"}
    commands = (["check", "--statistics", "bad.txt"], ["parse", "http://h.example/a|b"], ["rules"], ["rules", "U101"])
    for arguments in commands:
        assert LINK in urlscan_in_terminal(*arguments, cwd=tree, **terminal)[1]
        assert b"\x1b" not in urlscan(*arguments, cwd=tree).out


# --- URLs in place of paths


@pytest.mark.parametrize("command", ["check", "extract"])
@pytest.mark.parametrize(
    "url", ["https://h.example/", "HTTP://h.example", "mailto:jo@h.example", "ftp://jo:pw@h.example/"]
)
def test_url_in_place_of_a_path_is_an_error_that_names_parse(tree: Path, command: str, url: str) -> None:
    done = urlscan(command, "good.txt", url, cwd=tree)
    assert (done.status, done.lines) == (2, ["http://h.example/a"] if command == "extract" else [])
    shown = url.replace(":pw@", ":***@")
    hint = "(nothing is fetched; `urlscan parse URL` judges a URL)"
    assert done.err == f"urlscan: {shown}: No such file or directory {hint}\n"


def test_file_with_the_name_of_a_url_is_read(tree: Path) -> None:
    (tree / "https:" / "h.example").mkdir(parents=True)
    (tree / "https:" / "h.example" / "a.txt").write_text(BAD)
    assert urlscan("check", "https://h.example/a.txt", cwd=tree).status == 1


def test_help_in_a_terminal_names_the_commands(tree: Path) -> None:
    with Terminal(sys.executable, "-m", "urlscan", "help", cwd=tree) as terminal:
        terminal.expect("completions")
        assert terminal.finish()[0] == 0
