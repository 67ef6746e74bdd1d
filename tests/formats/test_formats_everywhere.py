"""Test that every output format shows every finding in every sample of mail and every kind of document."""

import base64
import binascii
import csv
import html
import io
import json
import quopri
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.test_corpus import CORPUS, score
from urlscan.cli import main
from urlscan.documents import KINDS, MAIL
from urlscan.formats import FORMATS, STATISTICS

LONG = "http://h.example/" + "a" * 2000 + "/%zz"
SECRET = "ftp://jo:s3cr3t-pw@ftp.mills.zz/a"  # reported in code as well
TEXT = f"See HTTP://h.example:80/%zz é\r\nand <URL:http://h.exam\r\nple/a|b>\r\n{LONG}\r\n"
HEAD = "From: jo@h.example\nSubject: a\nMIME-Version: 1.0\n"


def mail(body: bytes, kind: str = "plain", coding: str = "", charset: str = "utf-8") -> bytes:
    """Return a message of one part."""
    coding = coding and f"Content-Transfer-Encoding: {coding}\n"
    return f"{HEAD}Content-Type: text/{kind}; charset={charset}\n{coding}\n".encode() + body


def uuencoded(data: bytes) -> bytes:
    lines = [binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)]
    return b"begin 644 a.txt\n" + b"".join(lines) + b"`\nend\n"


def in_header(text: str) -> bytes:
    words = [f"=?utf-8?B?{base64.b64encode(text[at : at + 40].encode()).decode()}?=" for at in range(0, len(text), 40)]
    return (HEAD.replace("Subject: a", "Subject: " + "\n ".join(words)) + "\nnothing\n").encode()


PAGE = f'<p><a href="{LONG}&amp;%zz">x</a> {TEXT}</p>'.encode()
GENERATED = {
    "page": mail(quopri.encodestring(PAGE), "html", "quoted-printable"),
    "quoted": mail(quopri.encodestring(TEXT.encode()), "plain", "quoted-printable"),
    "base64": mail(base64.encodebytes(TEXT.encode()), "plain", "base64"),
    "utf-16": mail(base64.encodebytes(TEXT.encode("utf-16")), "plain", "base64", "utf-16"),
    "page in base64": mail(base64.encodebytes(PAGE), "html", "base64"),
    "header": in_header(TEXT.replace("\r\n", " ")),
    "utf-7": mail(TEXT.replace("%", "+ACU-").replace("é", "+AOk-").encode("ascii"), "plain", "", "utf-7"),
    "uuencode": mail(uuencoded(TEXT.encode())),
    "calendar": mail(quopri.encodestring(f"BEGIN:VEVENT\r\nURL:{LONG}\r\n".encode()), "calendar", "quoted-printable"),
    "flowed": mail(TEXT.encode(), "plain; format=flowed; delsp=yes"),
    "latin-1": mail(TEXT.encode("latin-1"), "plain", "8bit", "iso-8859-1"),
}
# A document of each kind that needs more than the text.
AROUND: dict[str, Callable[[str], str]] = {
    "ipynb": lambda text: json.dumps({"cells": [{"cell_type": "markdown", "source": [text, f"[x]({LONG})"]}]}),
    "html": lambda text: f'<a href="{LONG}">{html.escape(text)}</a>',
    "xml": lambda text: f'<a b="{LONG}">{html.escape(text)}</a>',
    "json": json.dumps,
    "jsonl": json.dumps,
    "python": lambda text: f"{text!r}\n# {LONG}\n",
    "markdown": lambda text: f"{text}\n\n[x](<{LONG}>)\n",
    "latex": lambda text: f"{text}\n\\url{{{LONG}}}\n",
    "vcf": lambda text: f"BEGIN:VCARD\nURL:{LONG}\nNOTE:{text}\n",
}


def samples() -> dict[str, bytes]:
    """Return all sample files by name."""
    found = {f"g{number}.eml": data for number, data in enumerate(GENERATED.values())}
    cases = score.load(CORPUS / "documents" / "mail.toml")
    for number, case in enumerate(cases):
        text = score.unmarked(case["text"]).text
        suffix = case["path"].rpartition(".")[2]
        found[f"m{number}.{suffix}"] = text.encode()
        found[f"n{number}.{suffix}"] = text.replace("http://", "HTTP://").encode()  # invalid, with the same length
    found["box.mbox"] = b"".join(b"From jo@h.example Mon Jan  1 00:00:00 2024\n" + one for one in GENERATED.values())
    return found


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("mails")
    for name, data in samples().items():
        (directory / name).write_bytes(data)
    return directory


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a document of each kind, and a configuration that names the kinds."""
    directory = tmp_path_factory.mktemp("kinds")
    lines = []
    for kind in KINDS:
        if kind not in MAIL:
            (directory / f"{kind}.x").write_bytes(AROUND.get(kind, str)(TEXT + SECRET + "\r\n").encode())
            lines.append(f'"{kind}.x" = "{kind}"')
    (directory / ".urlscan.toml").write_text("[per-file-kinds]\n" + "\n".join(lines) + "\n")
    return directory


def output(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command in this process and return its output; the command must succeed."""
    status = main([*arguments, "--jobs", "1"])
    pattern = capfd.readouterr()
    assert "internal error" not in pattern.err
    assert status == (arguments[0] == "check"), pattern.err
    return pattern.out


def count(format: str, text: str) -> int:
    """Return the number of findings in a report, parsed in its format."""
    match format:
        case "html":
            return text.count("<article ")
        case "json" | "gitlab":
            return len(json.loads(text))
        case "jsonl":
            return len([json.loads(line) for line in text.splitlines()])
        case "sarif":
            return len(json.loads(text)["runs"][0]["results"])
        case "rdjson":
            return len(json.loads(text)["diagnostics"])
        case "junit":
            return len(list(ElementTree.fromstring(text).iter("testcase")))
        case "github":
            return len(re.findall(r"^::(?:error|warning|notice) ", text, re.MULTILINE))
        case "full" | "concise":
            return len(re.findall(r"^\S[^\n]*:\d+:\d+: U\d\d\d ", text, re.MULTILINE))
        case _:
            return len(re.findall(r"^  \d+:\d+: U\d\d\d ", text, re.MULTILINE))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("directory", ["mails", "kinds"])
@pytest.mark.slow
def test_every_format_shows_every_finding(
    capfd: pytest.CaptureFixture[str], request: pytest.FixtureRequest, directory: str, format: str
) -> None:
    folder: Path = request.getfixturevalue(directory)
    arguments = ["check", "--select", "ALL", str(folder)]
    records = [json.loads(line) for line in output(capfd, *arguments, "--format", "jsonl").splitlines()]
    names = {Path(record["path"]).name for record in records}
    # Some corpus cases about mail have no findings.
    assert names >= {path.name for path in folder.iterdir() if path.name[0] not in ".mn"}
    assert len(names) > (50 if directory == "mails" else 40)
    assert count(format, output(capfd, *arguments, "--format", format)) == len(records)
    if format in STATISTICS:
        assert output(capfd, *arguments, "--format", format, "--statistics")


@pytest.mark.parametrize("directory", ["mails", "kinds"])
def test_extract_writes_every_url_in_every_format(
    capfd: pytest.CaptureFixture[str], request: pytest.FixtureRequest, directory: str
) -> None:
    folder = str(request.getfixturevalue(directory))
    number = len(output(capfd, "extract", folder).splitlines())
    assert number > 50
    assert len(output(capfd, "extract", "--format", "jsonl", folder).splitlines()) == number
    assert len(json.loads(output(capfd, "extract", "--format", "json", folder))) == number
    for format, delimiter in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.reader(io.StringIO(output(capfd, "extract", "--format", format, folder)), delimiter=delimiter))
        assert len(rows) == number + 1


@pytest.mark.parametrize("option", [["--diff"], ["--fix"], ["--fix", "--unsafe-fixes"], ["--add-ignore"]])
@pytest.mark.parametrize("directory", ["mails", "kinds"])
def test_options_that_edit_files_do_not_fail(
    capfd: pytest.CaptureFixture[str], request: pytest.FixtureRequest, tmp_path: Path, directory: str, option: list[str]
) -> None:
    for path in request.getfixturevalue(directory).iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert main(["check", *option, "--select", "ALL", "--jobs", "1", str(tmp_path)]) in (0, 1)
    assert "internal error" not in capfd.readouterr().err


@pytest.mark.parametrize("name", GENERATED)
def test_page_marks_the_span_in_the_decoded_text(capfd: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    (tmp_path / "a.eml").write_bytes(GENERATED[name])
    page = output(capfd, "check", "--isolated", "--select", "U201", "--format", "html", str(tmp_path / "a.eml"))
    marked = re.findall("<mark>(.*?)</mark>", page)
    assert marked
    # Encoded words and UTF-7 are shown as written: the spans are those of the encoded text.
    pattern = {"header": r"=\?utf-8\?B\?\S+\?=", "utf-7": r"\+ACU-zz"}.get(name, "%zz")
    assert all(re.fullmatch(pattern, one) for one in marked), marked


def test_columns_of_rdjson_count_bytes(capfd: pytest.CaptureFixture[str], mails: Path) -> None:
    found = output(capfd, "check", "--select", "ALL", "--format", "jsonl", str(mails))
    records = [json.loads(line) for line in found.splitlines()]
    diagnostics = json.loads(output(capfd, "check", "--select", "ALL", "--format", "rdjson", str(mails)))["diagnostics"]
    assert len(diagnostics) == len(records) > 100
    for record, diagnostic in zip(records, diagnostics, strict=True):
        start = diagnostic["location"]["range"]["start"]
        data = Path(record["path"]).read_bytes()
        before = data[: record["start"]]
        column = record["start"] - max(before.rfind(b"\n"), before.rfind(b"\r")) - 1
        assert (start["line"], start["column"]) == (record["line"], column + 1)
