"""Implement `urlscan clean`: remove the cache of a project."""

from urlscan.cli import output
from urlscan.cli.parser import Parser
from urlscan.config import Configuration
from urlscan.core.errors import ConfigError
from urlscan.files.digests import remove_digests
from urlscan.formats.escape import escape

_EXAMPLES = """\
examples:
  urlscan clean     remove .urlscan_cache of the project of the current directory

exit status: 0 success, even if there is no cache, 2 error
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("clean", "Remove the cache of `urlscan check`.", _EXAMPLES)
    parser.usage = "urlscan clean"
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    create_parser().parse_args(arguments)
    root = Configuration().marked_root()
    if root is None:
        raise ConfigError("no project", hint="the current directory is below no configuration file and no repository")
    if path := remove_digests(root):
        output.write(f"Removed {escape(path)}\n")
    return 0
