"""Implement `urlscan server`: the language server for editors."""

import logging

from urlscan.cli import output
from urlscan.cli.parser import Parser
from urlscan.core.errors import ConfigError
from urlscan.core.project import install_command

_EXAMPLES = """\
An editor starts this command and uses the Language Server Protocol on its
standard input and output; see the page about editors for ready configurations.

examples:
  Neovim 0.11 or newer, in init.lua:
    vim.lsp.config("urlscan", { cmd = { "urlscan", "server" } })
    vim.lsp.enable("urlscan")

exit status: 0 ended by the editor, 1 the editor went away, 2 error
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("server", "Check the documents that are open in an editor.", _EXAMPLES, "[OPTION]...")
    parser.add_argument("--stdio", action="store_true", help="use standard input and output (always done)")
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    create_parser().read(arguments)
    try:
        from urlscan.server.features import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise ConfigError("the language server needs pygls", hint=install_command("lsp")) from None
    logging.disable()  # libraries log messages of the editor, which hold whole documents
    with output.protocol_streams() as (stdin, stdout):
        return int(not serve(stdin, stdout))
