"""Defang the URLs of the output of `extract`."""

from typing import cast

from urlscan.cli.tables import UrlBatch
from urlscan.formats.records import Record, dumps
from urlscan.uri.transform.defang import defang

# The fields of a record that contain a URL.
_FIELDS = ("url", "raw", "assumed", "original")


def defanged_batch(batch: UrlBatch) -> UrlBatch:
    """Return a batch whose URLs no program turns into links."""
    return UrlBatch(
        batch.path, [defang(url) for url in batch.urls], [dumps(_defanged(record)) for record in batch.records]
    )


def _defanged(record: Record) -> Record:
    fields = {name: defang(str(record[name])) for name in _FIELDS if name in record}
    readings: list[Record] = cast("list[Record]", record["alternatives"])
    alternatives = [{**reading, "url": defang(str(reading["url"]))} for reading in readings]
    return {**record, **fields, "alternatives": alternatives}
