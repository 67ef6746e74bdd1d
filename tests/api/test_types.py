"""The types of options and records agree with the values that the code accepts."""

import pytest

import urlscan
from tests.reference import values_of
from urlscan.core import choices, records, settings
from urlscan.documents import KINDS, MAIL
from urlscan.documents.mail.parts import PARTS
from urlscan.formats import FORMATS
from urlscan.uri.transform import escapes, normal, resolve


@pytest.mark.parametrize(
    ("alias", "values"),
    [
        (choices.Profile, settings.PROFILES),
        (choices.ReferenceKind, settings.REFERENCE_KINDS),
        (choices.Rejoin, settings.REJOIN),
        (choices.Level, normal.LEVELS),
        (choices.Dots, resolve.DOTS),
        (choices.Component, escapes.COMPONENTS),
        (choices.Kind, tuple(KINDS)),
        (choices.MailboxKind, tuple(kind for kind in MAIL if kind != "mail")),
        (choices.Parts, PARTS),
        (choices.Format, tuple(FORMATS)),
        (choices.Context, records.CONTEXTS),
    ],
)
def test_literal_lists_the_values_that_the_code_accepts(alias: object, values: tuple[str, ...]) -> None:
    assert sorted(values_of(alias)) == sorted(values)


def test_every_alias_is_public() -> None:
    aliases = {name for name, value in vars(choices).items() if values_of(value) and name != "Literal"}
    assert aliases <= set(urlscan.__all__)
