"""Test that defanged URLs are found at their places in the source, in any division, and that nothing else changes."""

import json
import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import urlscan
from tests.command import urlscan as command
from tests.linear_time import assert_linear
from tests.test_corpus import score
from urlscan.core.document import Document
from urlscan.core.settings import FindOptions
from urlscan.files.chunks import file_chunks
from urlscan.files.random_access import Memory
from urlscan.finder import find_in_document
from urlscan.finder.refang import refang, refanged
from urlscan.pipeline.divide import chunks_in, map_batches
from urlscan.uri.transform.defang import defang

OPTIONS = FindOptions(defanged=True)
CASES = [case for path in score.files(("defanged",)) for case in score.load(path)]
TEXTS = [score.unmarked(case["text"]).text for case in CASES if "path" not in case]
JOINED = "\n\n".join(TEXTS)


def test_offsets_and_raw_are_those_of_the_source() -> None:
    text = "See hxxps://h[.]example/a[.]php, then http://h.example/b.\n"
    first, second = urlscan.scan(text, defanged=True)
    assert (first.url, first.original) == ("https://h.example/a.php", "hxxps://h[.]example/a[.]php")
    assert text[first.start : first.end] == first.raw == first.original
    assert text[second.start : second.end] == second.raw == second.url
    assert second.original == ""


def test_breaks_are_those_of_the_source() -> None:
    text = "<hxxp://www[.]h[.]example/a\nb>"
    (found,) = urlscan.scan(text, defanged=True)
    assert found.url == "http://www.h.example/ab"
    assert found.original == "hxxp://www[.]h[.]example/ab"
    (gap,) = found.breaks
    assert found.raw[: gap.offset] + found.raw[gap.offset + gap.length :] == found.original


def test_record_has_bytes_of_the_source() -> None:
    data = "für hxxp://h[.]example/ü und http://h.example/\n".encode()
    records = list(urlscan.scan_bytes(data, defanged=True))
    assert [data[one.start : one.end].decode() for one in records] == ["hxxp://h[.]example/ü", "http://h.example/"]
    assert [one.column for one in records] == [5, 30]


def test_mail_is_decoded_first() -> None:
    mail = (
        b"Message-ID: <1@h.example>\nContent-Type: text/plain; charset=utf-8\n"
        b"Content-Transfer-Encoding: quoted-printable\n\nSee hxxp://h[.]exam=\nple/=C3=BC.\n"
    )
    (found,) = [one for one in urlscan.scan_bytes(mail, name="a.eml", defanged=True) if one.part == "1"]
    assert (found.url, found.message_id) == ("http://h.example/ü", "1@h.example")
    assert mail[found.start : found.end] == b"hxxp://h[.]exam=\nple/=C3=BC"


def test_usual_urls_are_found_as_without_the_option() -> None:
    text = "\n".join(case["text"] for path in score.files(("find",)) for case in score.load(path))
    text, _ = score.unmarked(text)
    others = {one.start: one for one in urlscan.scan(text, defanged=True) if not one.original}
    usual = {one.start: one for one in urlscan.scan(text)}
    assert {start: one for start, one in usual.items() if start in others} == others
    assert len(others) > 400


def test_segment_without_defanged_urls_is_returned_unchanged() -> None:
    document = Document("See http://h.example/a[1] and x = a[0].b.")
    assert refanged(document) is document


@pytest.mark.parametrize("seed", range(5))
def test_division_does_not_change_what_is_found(seed: int) -> None:
    random_ = random.Random(seed)
    text = "\n\n".join(random_.choice(TEXTS) for _ in range(60))
    whole = refanged(Document(text))

    def found(chunk: Document) -> list[tuple[str, int, int]]:
        places = []
        for match in find_in_document(chunk, OPTIONS):
            one = match
            places.append((one.url, *chunk.to_source(one.start, one.end)))
        return places

    expected = found(whole)
    cuts = sorted(random_.sample([match.end() for match in re.finditer("\n\n", text)], 3))
    divided = []
    for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True):
        divided += found(refanged(Document(text).chunk(start, stop)))
    assert divided == expected
    batches = map_batches(lambda: chunks_in(whole, 2), 1, lambda chunks: list(map(found, chunks)))
    assert [one for batch, _ in batches for part in batch for one in part] == expected


def test_large_file_is_read_in_chunks() -> None:
    text = ("x" * 70 + "\n\nSee hxxp://h[.]example/a and b[.]example\n\n") * 300
    found = list[int]()
    for make in file_chunks(Memory(text.encode()), None, 4000):
        chunk = refanged(make())
        matches = list(find_in_document(chunk, OPTIONS))
        found += [chunk.to_source(one.start, one.end)[0] for one in matches]
    assert found == [match.start() for match in re.finditer("hxxp|b\\[", text)]


@example(['h[.]example/a?b=c"h[.]example"'])  # the second host is in the query of the first
@given(st.lists(st.sampled_from([*TEXTS, "[.]", "hxxp", "://", " dot ", "[at]", "(", "]", "h", ".com", "/", "\n"])))
def test_any_mixture_has_consistent_offsets(pieces: list[str]) -> None:
    text = "".join(pieces)
    done = 0
    for one in urlscan.scan(text, defanged=True):
        assert done <= one.outer_start <= one.start < one.end <= one.outer_end
        assert text[one.start : one.end] == one.raw
        assert one.original != one.url
        done = one.outer_end
    refang(text)


@given(st.text(alphabet="hxtp:/[](){}.@dotae \\_*1\n", max_size=80))
def test_any_text_has_consistent_offsets(text: str) -> None:
    for one in urlscan.scan(text, defanged=True):
        assert text[one.start : one.end] == one.raw


@pytest.mark.parametrize(
    "piece",
    ["[.]", "h[.]", "hxxp://", "a[.]com ", "a dot ", "[at]", "hxxp://a[. ", "a.", "x@", "(dot)", "hxxp://jo:", "[:]//"],
)
@pytest.mark.slow
def test_time_is_linear(piece: str) -> None:
    assert_linear(lambda size: sum(1 for _ in urlscan.scan(piece * (size // len(piece)), defanged=True)), 160_000)


# --- refang and defang

URLS = sorted({case["url"] for path in score.files(("urls",)) for case in score.load(path) if "url" in case})


@pytest.mark.parametrize(
    "url", ["http://h.example/a.b?c=d.e", "https://jo@h.example:80/", "ftp://192.0.2.7/a", "jo@h.example"]
)
def test_defang_and_refang_are_inverse(url: str) -> None:
    assert urlscan.refang(urlscan.defang(url)) == url
    assert urlscan.defang(urlscan.defang(url)) == urlscan.defang(url) != url


@given(
    st.from_regex(
        r"(https?|ftp)://[a-z]([a-z0-9-]{0,9}[a-z0-9])?(\.[a-z]{2,6}){1,3}(/[a-z0-9._~-]{1,9}){0,3}", fullmatch=True
    )
)
def test_any_usual_url_is_restored(url: str) -> None:
    assert urlscan.refang(urlscan.defang(url)) == url


def test_defanged_urls_are_no_links() -> None:
    for url in URLS:
        shown = defang(url)
        links = urlscan.scan(shown, schemeless=True, emails=True)
        assert [one.url for one in links if one.scheme in ("", "http", "https", "ftp", "mailto")] == [], url
        assert defang(shown) == shown


def test_defang_keeps_the_text_around_urls() -> None:
    text = "e.g. http://h.example/a, jo@h.example or www.h.example in 1.5 s; http://{id}.h.example/"
    assert urlscan.defang(text) == (
        "e.g. hxxp://h[.]example/a, jo[@]h[.]example or www[.]h[.]example in 1.5 s; hxxp://{id}.h.example/"
    )


# --- the command


def test_extract_lists_defanged_urls() -> None:
    text = b"Seen: hxxps://h[.]example/a and b[.]example, not www.h.example\n"
    assert command("extract", "--defanged", stdin=text).lines == ["https://h.example/a", "b.example"]
    assert command("extract", "--defanged", "--schemes", "https", stdin=text).lines == ["https://h.example/a"]


def test_extract_without_the_option_lists_no_defanged_url() -> None:
    text = b"Seen: hxxps://h.example/a and b[.]example\n"
    assert command("extract", stdin=text).lines == []
    assert b"original" not in command("extract", "--format", "csv", stdin=text).out


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "csv", "tsv"])
def test_defang_writes_no_link_in_any_format(format: str) -> None:
    text = (
        b"See http://h.example/a, <http://h.exam\nple/b->, ftp://jo:pw@h.example/, www.h.example and jo@h.example,\n"
        b"https://www.google.com/url?q=http%3A%2F%2Fa.example%2F&x=1\n"
    )
    done = command("extract", "--defang", "--unwrap", "--schemeless", "--emails", "--format", format, stdin=text)
    assert done.status == 0
    assert not re.search(rb"https?://|ftp://|h\.example|a\.example|google\.com|jo@", done.out.replace(b"urn:", b""))
    assert b"h[.]example" in done.out


def test_counts_are_defanged() -> None:
    assert command("extract", "--defang", "--count", stdin=b"http://h.example/ http://h.example/").lines == [
        "      2 hxxp://h[.]example/"
    ]


def test_original_of_a_defanged_url_is_masked() -> None:
    text = b"hxxp://jo:zebra@h[.]example/ and hxxp://h[.]example/?access_token=zebrazebra12&a=b\n"
    done = command("extract", "--defanged", "--format", "jsonl", stdin=text)
    records = [json.loads(line) for line in done.lines]
    assert b"zebra" not in done.out
    assert records[0]["original"] == records[0]["raw"] == "hxxp://jo:***@h[.]example/"
    assert all(record["redacted"] for record in records)
    shown = command("extract", "--defanged", "--show-secrets", "--format", "jsonl", stdin=text)
    assert json.loads(shown.lines[0])["original"] == "hxxp://jo:zebra@h[.]example/"


@pytest.mark.parametrize("format", ["text", "jsonl", "csv"])
def test_secrets_of_an_original_are_masked_everywhere(format: str) -> None:
    text = (
        b"https://www.google.com/url?q=http%3A%2F%2Fjo%3Azebra%40h.example%2F&x=1\n"
        b"https://us.protection.sophos.com/?u=aHR0cDovL2pvOnplYnJhQGguZXhhbXBsZS8&d=h.example\n"
        b"hxxps://us[.]protection[.]sophos[.]com/?u=aHR0cDovL2pvOnplYnJhQGguZXhhbXBsZS8=\n"
    )
    done = command("extract", "--unwrap", "--defanged", "--format", format, stdin=text)
    assert b"zebra" not in done.out
    assert b"OnplYnJh" not in done.out
    assert done.out.count(b"http://jo:***@h.example/") == 3


def test_unwrapped_links_name_the_original() -> None:
    text = b"<https://nam02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh.example\n%2Fa&data=05>\n"
    (record,) = [json.loads(line) for line in command("extract", "--unwrap", "--format", "jsonl", stdin=text).lines]
    assert (record["url"], record["scheme"]) == ("http://h.example/a", "http")
    assert record["original"].startswith(
        "https://nam02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh.example%2Fa"
    )
    assert text[record["start"] : record["end"]].decode() == record["raw"]


def test_schemes_select_by_the_original() -> None:
    text = b"https://www.google.com/url?q=ftp%3A%2F%2Fh.example%2F https://h.example/\n"
    assert command("extract", "--unwrap", "--schemes", "ftp", stdin=text).lines == ["ftp://h.example/"]


def test_both_options_work_together() -> None:
    text = "hxxps://www[.]google[.]com/url?q=http%3A%2F%2Fh.example%2Fa"
    (found,) = urlscan.scan(text, defanged=True, unwrap=True)
    assert (found.url, found.original, found.raw) == ("http://h.example/a", text, text)


def test_records_follow_their_schema() -> None:
    from importlib.resources import files

    from jsonschema import Draft202012Validator

    schema = json.loads(files("urlscan.data").joinpath("occurrence.schema.json").read_text("utf-8"))
    for option in ("--defanged", "--unwrap", "--defang"):
        done = command("extract", option, "--format", "jsonl", stdin=JOINED.encode())
        for line in done.lines:
            Draft202012Validator(schema).validate(json.loads(line))
