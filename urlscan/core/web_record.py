"""Define the record of a web archive."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


class WebRecord(NamedTuple):
    """A record of a web archive (ISO 28500).

    Attributes:
        record_id: its WARC-Record-ID without brackets, or "".
        record_type: response, resource, conversion, metadata, ...
        target_uri: the URI that was requested, or "". It may contain a secret.
        date: its date in UTC without a zone, or None.
        kind: the kind of its content; "" to detect it.
        charset: the encoding that the record declares for its content, or "".
    """

    record_id: str
    record_type: str
    target_uri: str
    date: "datetime | None"
    kind: str
    charset: str
