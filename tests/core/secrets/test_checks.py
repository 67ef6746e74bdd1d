"""Compare the fast checks with the tables of tokens and parameters."""

import pytest

from urlscan.core.secrets.checks import NAME_END, TOKEN_START
from urlscan.core.secrets.known import PARAMETERS, TOKENS, Parameter, Token


@pytest.mark.parametrize("token", TOKENS)
def test_each_token_is_noticed(token: Token) -> None:
    for start in token.example.removesuffix("...eyJ...").split(", "):
        assert TOKEN_START.match(f"/{start}0"), start


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_each_parameter_is_noticed(parameter: Parameter) -> None:
    for name in (parameter.name, parameter.name.upper(), parameter.name.title().replace(" ", "")):
        for joint in ("", " ", "_", "-", "."):
            assert NAME_END.search(name.replace(" ", joint) + "="), name
