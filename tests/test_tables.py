"""The tables in urlscan/data are exactly what tools/generate_tables.py writes, without manual edits."""

import importlib.util
import re
from pathlib import Path

import pytest

from urlscan.data import link_end, ports, schemes, tlds

ROOT = Path(__file__).resolve().parent.parent
_SPEC = importlib.util.spec_from_file_location("generate_tables", ROOT / "tools" / "generate_tables.py")
assert _SPEC is not None
assert _SPEC.loader is not None
generator = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(generator)


def without_digest(text: str) -> str:
    return re.sub(r"^SHA-256: [0-9a-f]{64}$", "SHA-256:", text, flags=re.MULTILINE)


def terms() -> str:
    """Return the rows of LinkTerm.txt that the table was generated from."""
    rows = [f"{ord(character):04X} ; Soft" for character in link_end.SOFT]
    return "\n".join(["# Date: 2025-12-26, 00:00:00 GMT", *rows])


def brackets() -> str:
    """Return the rows of LinkBracket.txt that the table was generated from."""
    return "\n".join(f"{ord(close):04X} ; {ord(opener):04X}" for close, opener in link_end.OPENING.items())


def services() -> str:
    """Return the rows of /etc/services that the table was generated from."""
    rows = [f"{name} {port}/tcp" for port, name in ports.SERVICE_PORTS.items()]
    for line in generator._DEFAULT_PORTS.strip().splitlines():
        scheme, service, _ = line.split(maxsplit=2)
        if not service.isdecimal():
            rows.append(f"{service} {ports.DEFAULT_PORTS[scheme]}/tcp")
    return "\n".join(rows)


SOURCES = {
    "link_end": [terms, brackets],
    "ports": [services],
    "schemes": [lambda: "\n".join(schemes.REGISTERED)],
    "tlds": [lambda: "\n".join(tlds.TLDS)],
}


@pytest.mark.parametrize("table", SOURCES)
def test_generator_writes_the_table(table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for number, source in enumerate(SOURCES[table]):
        path = tmp_path / f"{number}.txt"
        path.write_text(source(), encoding="utf-8")
        paths.append(str(path))
    assert generator.main([table, *paths]) == 0
    expected = (ROOT / "urlscan" / "data" / f"{table}.py").read_text(encoding="utf-8")
    assert without_digest(capsys.readouterr().out) == without_digest(expected)


# Written by hand, since no publisher of the parameters has a list, and by benchmarks/records.py.
WITHOUT_GENERATOR = {"records", "tracking"}


def test_every_table_has_a_generator() -> None:
    assert set(SOURCES) | WITHOUT_GENERATOR == {path.stem for path in (ROOT / "urlscan" / "data").glob("[!_]*.py")}


def test_unknown_table_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert generator.main(["colors", "colors.txt"]) == 2
    assert "usage:" in capsys.readouterr().err
