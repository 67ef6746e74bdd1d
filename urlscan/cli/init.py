"""Implement `urlscan init`: write a configuration, a baseline and a hook for the current directory."""

import os
import textwrap
from collections.abc import Iterator

from urlscan import __version__
from urlscan.cli import main, output
from urlscan.cli.parser import Parser
from urlscan.cli.signals import unwound
from urlscan.config import NAMES, file_in, name_of
from urlscan.config.describe import CONFIGURATION_PAGE
from urlscan.config.keys import KEYS, Key
from urlscan.core.project import REPOSITORY, install_source
from urlscan.core.secrets import redact
from urlscan.files import atomic_write
from urlscan.files.safe_open import state_of

_EXAMPLES = """\
examples:
  urlscan init && pre-commit install

The current directory gets three files:
  urlscan.toml             a configuration that explains every key
  urlscan-baseline.json    today's findings, which are not reported again
  .pre-commit-config.yaml  the hook

Existing files are kept.  In a directory with a configuration, no baseline is
written.
"""
CONFIGURATION, BASELINE, HOOKS = NAMES[1], "urlscan-baseline.json", ".pre-commit-config.yaml"
_ENTRY = """\
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: urlscan
"""
_REPLACE = (
    f"{REPOSITORY} # replace with the address of the repository of urlscan",
    f"v{__version__} # a tag or the full hash of a commit; no release is tagged yet",
)


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    return Parser("init", "Set up urlscan for the current directory.", _EXAMPLES, "")


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    create_parser().read(arguments)
    status = 0
    with unwound():
        existing = file_in(os.curdir)
        if existing is not None or not _is_free(CONFIGURATION):
            output.write(f"Kept {name_of(existing or CONFIGURATION)}. `urlscan config` shows the settings.\n")
        else:
            status = main(["check", "--write-baseline", BASELINE, os.curdir])
            if _is_free(BASELINE):  # `check` has said why
                return status
            atomic_write.write(CONFIGURATION, template(BASELINE).encode(), "written", new=True)
            output.write(f"Wrote {BASELINE}: only new findings are reported.\nWrote {CONFIGURATION}.\n")
        entry, is_complete = hook_entry()
        if _is_free(HOOKS):
            atomic_write.write(HOOKS, f"repos:\n{entry}".encode(), "written", new=True)
            output.write(f"Wrote {HOOKS}.\n")
            if not is_complete:
                output.write("In it, replace the address after `repo` and the revision after `rev`.\n")
            output.write("Then `pre-commit install` runs the hook before each commit.\n")
        else:
            output.write(f"Kept {HOOKS}. Add this unless it has the hook:\n{entry}")
    return status


def hook_entry() -> tuple[str, bool]:
    """Return the entry for the hook, and whether it is complete: installed from a repository, at a known commit."""
    source = install_source()
    (repository, revision), commit = _REPLACE, source.get("vcs_info", {}).get("commit_id")
    if commit is not None:
        repository, revision = redact(source["url"]), commit
    return _ENTRY.format(repository=repository, revision=revision), commit is not None


def _is_free(path: str) -> bool:
    """Return whether a path is free; a symbolic link that leads nowhere is not."""
    return state_of(path, follow=False) is None


# --- a configuration in which every key is explained

_WIDTH = 96


def template(baseline: str) -> str:
    """Return the text of a new urlscan.toml, which sets the baseline only."""
    lines = [
        "# Settings of urlscan. Each line below shows an example: remove the # before a key to set it.",
        f"# See {CONFIGURATION_PAGE}",
    ]
    for key in KEYS:
        setting = f"# {key.name} = {key.example}"
        if key.name == "baseline":
            setting = f'baseline = "{baseline}"'
        lines += ["", *_comment(key), setting]
    return "\n".join(lines) + "\n"


def _comment(key: Key) -> Iterator[str]:
    description = f"{key.description[:1].upper()}{key.description[1:]}."
    if key.shape.words.startswith("one of "):
        description += f" {key.shape.words[:1].upper()}{key.shape.words[1:]}."
    if key.name == "relaxed-paths":  # a long list
        description += " Default: the usual names of test data."
    elif key.default:
        description += f" Default: {key.default}."
    for line in textwrap.wrap(description, _WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"
