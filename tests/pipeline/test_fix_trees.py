"""Test that a fixed XML, SVG, JSON, YAML or TOML file parses to the same tree, except for the values it edits."""

import json
import tomllib
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests.strategies import examples

BEGINNINGS = [
    "http://h.zz/", "http://h.zz", "https://u:pw@h.zz/", "http://h.zz:80/", "http://H.Zz:/x", "http:/h.zz/",
    "htp://h.zz/", "www.h.zz/", "http://joe@h.zz/", "<URL:http://h.zz/", "<http://h.zz/", "mailto:a@h.zz",
    "http://ex\u00adample.zz/", "http://h_x.zz/", "http://münchen.zz/", "//h.zz/",
]  # fmt: skip
PARTS = [
    "a", "b/c", "?x=1", "a|b", "^", " ", '"', "'", "&", "&amp;", "&amp;amp;", "%2D%2D", "--", "->", "%7E", "~", "[x]",
    "{x}", "\\", "<", ">", "é", "%zz", "%", "%41", "#f", "#f#g", "=3D", "\u00ad", "\u2010", "\n  ", ".", ",", ")",
    "`", "%22", "%26", "%3C", "%2541", "/../", ":", "#", "\t", "%5D%5D>", "]]", "%5d", "%7c", "\\u0041", "''", "?",
]  # fmt: skip
PLAIN = ["", "word", "1", "true"]
# With one fault, and with any number of them.
urls = st.one_of(
    st.builds("http://h.zz/a?b=1{}c".format, st.sampled_from(PARTS)),
    st.builds("{}a".format, st.sampled_from(BEGINNINGS)),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(BEGINNINGS),
        st.lists(st.sampled_from(PARTS), max_size=5).map("".join),
        st.sampled_from(["", ">", " word", "."]),
    ),
)
values = st.one_of(
    urls,
    urls,
    st.builds("{}{}{}".format, st.sampled_from(["see ", "(", "# "]), urls, st.sampled_from(["", ")", ": x", " and "])),
    st.sampled_from(PLAIN),
)
# Two keys that a fix of the port would make equal.
keys = st.one_of(st.sampled_from(["a", "b", "http://h.zz:80/", "http://h.zz/"]), urls)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


attributes = st.lists(
    st.builds(
        "{}={q}{}{q}".format,
        st.sampled_from(["href", "src", "xlink:href", "title", "style", "xmlns:y", "srcset"]),
        st.one_of(values.map(escaped), values, values.map("a:url({})".format)),
        q=st.sampled_from("\"'"),
    ),
    max_size=2,
    unique_by=lambda written: written.partition("=")[0],
).map(" ".join)
css = st.builds(
    "@import url({q}{}{q});".format,
    st.sampled_from(["http://h.zz/a?b=1&amp;c=2", ""]) | values | values.map(escaped),
    q=st.sampled_from(["", "'"]),
)
xml_texts = st.one_of(
    values.map(escaped),
    values,
    st.builds(
        str.format,
        st.sampled_from(["<!--{}-->", "<![CDATA[{}]]>", '<?p href="{}"?>', "<title>{}</title>", "<script>{}</script>"]),
        values,
    ),
    st.builds(str.format, st.sampled_from(["<style>{}</style>", "<style>a <![CDATA[{}]]></style>"]), css),
)
elements = st.recursive(
    xml_texts,
    lambda inner: st.builds(
        "<{name} {}>{}</{name}>\n".format,
        attributes,
        inner,
        name=st.sampled_from("a image script p link title textarea code".split()),
    ),
    max_leaves=3,
)
PROLOGS = ["", '<?xml version="1.0"?>\n', '<!DOCTYPE svg SYSTEM "http://h.zz/a|b">\n']
xml = st.builds(
    '{}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'.format,
    st.sampled_from(PROLOGS),
    st.lists(elements, min_size=1, max_size=4).map("".join),
)
trees = st.recursive(
    st.one_of(values, values, st.integers(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=5,
)
json_texts = st.builds(json.dumps, trees, ensure_ascii=st.booleans(), indent=st.sampled_from([None, 2]))


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def block(first: str, second: str) -> str:
    return "|\n" + "\n".join("    " + line for line in f"{first}\n{second}".split("\n"))


scalars = st.one_of(
    values,
    values.map(quoted),
    values.map(lambda text: "'" + text.replace("'", "''") + "'"),
    values.map("&x {}".format),
    st.builds("x # {}".format, urls),
    st.builds("{}\n      {}".format, values, values),
    st.builds(block, values, values),
)
yaml_lines = st.one_of(
    st.builds("{}: {}".format, st.uuids(), scalars),
    st.builds("{}: [{}, b]".format, st.uuids(), scalars),
    st.builds("{}: {{a: {}, b: c}}".format, st.uuids(), scalars),
    st.builds("{}:\n  - {}\n  - b".format, st.uuids(), scalars),
    st.builds("{}: {}".format, keys.map(quoted), scalars),
    st.builds("{}: {}".format, keys, scalars),
    st.builds("? {}\n: {}".format, keys.map(quoted), scalars),
)
strings = st.one_of(
    values.map(quoted), values.map("'{}'".format), values.map("'''{}'''".format), values.map('"""{}"""'.format)
)
toml_lines = st.one_of(
    st.builds("k{} = {}".format, st.uuids(), strings),
    st.builds("k{} = [{}, 'b']".format, st.uuids(), strings),
    st.builds("k{} = {{a = {}}}".format, st.uuids(), strings),
    st.builds("{} = {}".format, keys.map(quoted), strings),
    st.builds("# {}".format, urls),
)


def lines(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(strategy, min_size=1, max_size=4).map(lambda drawn: "\n".join(drawn) + "\n")


DOCUMENTS = {"xml": xml, "json": json_texts, "yaml": lines(yaml_lines), "toml": lines(toml_lines)}


def xml_tree(text: str) -> object:
    def tree(element: ElementTree.Element) -> list[object]:
        return [element.tag, element.attrib, element.text, element.tail, *map(tree, element)]

    return tree(ElementTree.fromstring(text))


PARSERS: dict[str, Callable[[str], object]] = {
    "xml": xml_tree,
    "json": json.loads,
    "yaml": yaml.safe_load,
    "toml": tomllib.loads,
}


def leaves(tree: object) -> Iterator[object]:
    """Yield the leaves of a tree in order, and the names of its branches."""
    if isinstance(tree, dict):
        yield "{"
        for key, value in tree.items():
            yield key
            yield from leaves(value)
        yield "}"
    elif isinstance(tree, list):
        yield "["
        for value in tree:
            yield from leaves(value)
        yield "]"
    else:
        yield tree


def parsed(kind: str, text: str) -> list[object] | None:
    try:
        return list(leaves(PARSERS[kind](text)))
    except (ValueError, SyntaxError, yaml.YAMLError):  # ElementTree.ParseError is a SyntaxError
        return None


@pytest.mark.slow
@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("kind", DOCUMENTS)
@examples(400)
@given(data=st.data())
def test_fixed_file_parses_to_the_same_tree_but_for_the_edited_values(
    kind: str, unsafe: bool, data: st.DataObject
) -> None:
    text = data.draw(DOCUMENTS[kind])
    before = parsed(kind, text)
    if before is None:
        return
    fixed = urlscan.fix(text, kind=kind, unsafe=unsafe, settings=urlscan.Settings(select=("ALL",)))  # type: ignore[arg-type]
    after = parsed(kind, fixed.text)
    assert after is not None, fixed.text
    assert len(after) == len(before), fixed.text
    edited = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(edited) <= len(fixed.applied), fixed.text
    assert all(isinstance(old, str) and isinstance(new, str) and old not in PLAIN for old, new in edited), fixed.text


def test_style_of_an_svg_image_is_decoded_and_stays_well_formed() -> None:
    text = '<svg><style>@import url("http://h.zz/?a=1&amp;b=2");</style></svg>'
    assert [found.url for found in urlscan.scan(text, kind="xml")] == ["http://h.zz/?a=1&b=2"]
    assert urlscan.fix(text, kind="xml", unsafe=True).text == text
