"""The attributes whose value is a URL: one table by vocabulary.

An attribute is a URL only where a vocabulary defines it as one: `src` of another XML language may be a search
expression or a path of Windows. Names are compared without a namespace prefix, in lower case.
"""

import functools

from urlscan.core.record import NamedTuple


class Vocabulary(NamedTuple):
    """The URLs in the attributes of a vocabulary.

    Attributes:
        source: the document that defines it.
        kinds: the kinds of documents in which its elements occur.
        attributes: the elements of each attribute; "*" is any element.
    """

    source: str
    kinds: str
    attributes: dict[str, str]


VOCABULARIES = (
    Vocabulary(
        "HTML Living Standard, Attributes; obsolete ones: HTML 4.01, Index of Attributes", "html xml",
        {
            "action": "form", "archive": "applet object", "background": "body table tbody td tfoot th thead tr",
            "cite": "blockquote del ins q", "classid": "object", "codebase": "applet object", "data": "object",
            "formaction": "button input", "href": "a area base link", "icon": "command menuitem",
            "imagesrcset": "link", "longdesc": "frame iframe img", "manifest": "html", "ping": "a area",
            "poster": "video", "profile": "head", "srcset": "img source", "usemap": "img input object",
            "src": "audio bgsound embed frame iframe image img input script source track video",
        },
    ),
    Vocabulary("HTML Living Standard, section 5.2 (microdata)", "html", {"itemid": "*", "itemtype": "*"}),
    Vocabulary(
        "SVG 2, section 16.1; MathML 4, section 2.1.6", "html xml",
        {
            "href": "a animate animatemotion animatetransform discard feimage filter image lineargradient mpath pattern"
            " radialgradient script set textpath use math mi mn mo mrow mtext"
        },
    ),
    Vocabulary("XLink 1.1, section 5.4", "html xml", {"xlink:href": "*"}),
    Vocabulary("RFC 4287, sections 4.1.3 and 4.2.7 (Atom)", "xml", {"href": "link", "src": "content"}),
    Vocabulary("RSS 2.0, elements of item", "xml", {"url": "enclosure source"}),
    Vocabulary("XInclude 1.1, section 3.1", "xml", {"href": "include"}),
    Vocabulary("XSLT 3.0, sections 3.11 and 3.12", "xml", {"href": "import include"}),
    Vocabulary("RELAX NG, section 4.5 and 4.6", "xml", {"href": "externalref include"}),
    Vocabulary("XML Catalogs 1.1, section 7", "xml", {"href": "nextcatalog"}),
    Vocabulary("EPUB 3.3, section 5.6; NCX (DAISY Z39.86)", "xml", {"href": "item reference", "src": "content"}),
    Vocabulary("DITA 1.3, Link relationship attributes", "xml",
               {"href": "author chapter image link mapref navref source topichead topicref xref"}),
    Vocabulary("DocBook 4.5, ulink", "xml", {"url": "ulink"}),
    Vocabulary("Erlang/OTP, erl_docgen, url", "xml", {"href": "url"}),
)  # fmt: skip
# Attributes with several URLs: those of srcset are separated by commas, those of the others by white space.
URL_LISTS = frozenset("archive imagesrcset itemtype ping profile srcset".split())
SOURCE_SETS = frozenset(("imagesrcset", "srcset"))


URL_ATTRIBUTES = frozenset(name for vocabulary in VOCABULARIES for name in vocabulary.attributes)
# The attributes of components and custom elements, whose authors follow HTML.
_OF_COMPONENTS = frozenset(("href", "src", *SOURCE_SETS))
# The usual elements with `href` and with `src`, which a pattern reads without a look at this table.
WITH_HREF = frozenset("a area link".split())
WITH_SRC = frozenset("embed img source".split())
# Elements whose text is not markup, and the kind of the document in it (HTML standard, section 13.2.6.4: "rawtext",
# "script data", "RCDATA" and "PLAINTEXT"); in XML only those that hold another language by convention.
RAW_TEXT_OF_XML = {"script": "javascript", "style": "css"}
ESCAPABLE_TEXT = ("textarea", "title")
RAW_TEXT = {**RAW_TEXT_OF_XML, **dict.fromkeys((*ESCAPABLE_TEXT, *"iframe noembed noframes plaintext xmp".split()), "")}


@functools.cache
def _elements() -> dict[tuple[str, str], frozenset[str]]:
    """Return the elements of each attribute, by the kind of document."""
    elements: dict[tuple[str, str], frozenset[str]] = {}
    for vocabulary in VOCABULARIES:
        for kind in vocabulary.kinds.split():
            for name, tags in vocabulary.attributes.items():
                elements[kind, name] = elements.get((kind, name), frozenset()).union(tags.split())
    return elements


def is_url_attribute(tag: str, name: str, kind: str) -> bool:
    """Return whether the attribute of an element holds one or more URLs.

    The name of the element is as written, that of the attribute in lower case.

    >>> is_url_attribute("object", "data", "html"), is_url_attribute("div", "data", "html")
    (True, False)
    """
    elements = _elements().get((kind, name))
    if elements is None:
        return False
    # HTML standard, "valid custom element name": names with a hyphen. Components have capitals or a full stop.
    is_component = kind == "html" and ("-" in tag or "." in tag or not tag.islower())
    return (
        "*" in elements
        or tag.rpartition(":")[2].lower() in elements
        or (is_component and tag.upper() != tag and name in _OF_COMPONENTS)
    )
