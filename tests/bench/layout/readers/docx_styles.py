"""Heading and list levels of a paragraph, from its own properties, its style and the base styles."""

import re
from collections.abc import Iterator

from docx.document import Document as Package
from lxml import etree

from readers.docx_names import W, qualified, value

HEADING = re.compile(r"heading (\d)$", re.IGNORECASE)
LIST = re.compile(r"list.* (\d)$", re.IGNORECASE)
BODY_TEXT = 9  # outline level of body text


class Styles:
    def __init__(self, package: Package):
        elements = package.styles.element.findall("w:style", W)
        self.styles = {style.get(qualified("styleId")): style for style in elements}

    def heading(self, paragraph: etree._Element) -> int | None:
        """The level of a heading, from 1."""
        for source in self.sources(paragraph):
            outline = value(source, "pPr/w:outlineLvl", -1)
            if 0 <= outline < BODY_TEXT:
                return outline + 1
            if named := HEADING.match(name(source)):
                return int(named[1])
        return None

    def item(self, paragraph: etree._Element) -> int | None:
        """The level of a list item, from 0; the names of styles such as `List Bullet 2` contain it."""
        for source in self.sources(paragraph):
            if source.find("w:pPr/w:numPr", W) is None:
                continue
            if value(source, "pPr/w:numPr/w:numId", 0) == 0:
                return None
            level = value(source, "pPr/w:numPr/w:ilvl", 0)
            named = LIST.match(name(source))
            return int(named[1]) - 1 if named and level == 0 else level
        return None

    def sources(self, paragraph: etree._Element) -> Iterator[etree._Element]:
        """The paragraph, its style, and the style's base styles."""
        yield paragraph
        style = paragraph.find("w:pPr/w:pStyle", W)
        seen: set[str] = set()
        while style is not None and (key := style.get(qualified("val"))) in self.styles and key not in seen:
            seen.add(key)
            yield self.styles[key]
            style = self.styles[key].find("w:basedOn", W)


def name(style: etree._Element) -> str:
    found = style.find("w:name", W)
    return "" if found is None else found.get(qualified("val"), "")
