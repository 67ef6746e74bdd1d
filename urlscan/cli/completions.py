"""Implement `urlscan completions`: write the script that completes the command line in a shell."""

from urlscan.cli import output
from urlscan.cli.completion_scripts import SHELLS
from urlscan.cli.parser import Parser
from urlscan.cli.usage import commands, general_options
from urlscan.core.errors import ConfigError

_EXAMPLES = """\
examples:
  bash, in ~/.bashrc:
    eval "$(urlscan completions bash)"
  zsh, in ~/.zshrc after compinit, or as a file _urlscan in a directory of $fpath:
    eval "$(urlscan completions zsh)"
  fish:
    urlscan completions fish > ~/.config/fish/completions/urlscan.fish
  PowerShell, in the file that $PROFILE names:
    (& urlscan completions powershell) -join "`n" | Invoke-Expression
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("completions", "Write the script that completes commands, options and values.", _EXAMPLES)
    parser.usage = "urlscan completions SHELL"
    parser.add_argument("paths", metavar="SHELL", nargs="*", choices=tuple(SHELLS), help=", ".join(SHELLS))
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    shells = create_parser().read(arguments).paths
    if len(shells) != 1:
        raise ConfigError("expected one shell", hint=f"write {', '.join(SHELLS)}")
    output.write(SHELLS[shells[0]](commands(), general_options()))
    return 0
