"""Names of WordprocessingML, and access to its elements."""

from collections.abc import Iterator

from lxml import etree

MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
W = {"w": MAIN}
XML = etree.XMLParser(resolve_entities=False, no_network=True)
# Elements that only wrap blocks, rows, cells or runs.
WRAPPERS = ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml")


def qualified(name: str) -> str:
    return f"{{{MAIN}}}{name}"


def children(parent: etree._Element, tags: set[str]) -> Iterator[etree._Element]:
    """Children with these tags, including those in wrappers."""
    for child in parent:
        if child.tag in tags:
            yield child
        elif child.tag in WRAPPED:
            yield from children(child, tags)


def value(element: etree._Element, path: str, otherwise: int) -> int:
    """The numeric value of a property."""
    found = element.find(f"w:{path}", W)
    return otherwise if found is None else int(found.get(qualified("val"), otherwise))


WRAPPED = {qualified(name) for name in WRAPPERS}
