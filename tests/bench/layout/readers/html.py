"""Parses HTML: the page's first `header` and `footer` separately, everything else in source order."""

from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree
from lxml import html as parser

from model import Block, Cell, Document, Footnote, Heading, Image, Item, Paragraph, Table

HEADINGS = {f"h{level}": level for level in range(1, 7)}
LISTS = ("ul", "ol")
PARTS = {"td", "th"}
CONTAINERS = {
    *("html", "body", "main", "article", "section", "div", "p", "figure", "figcaption", "blockquote", "pre", "aside"),
    *("dl", "dt", "dd", "address", "nav", "header", "footer", "details", "summary", "hr", "table", "li", *LISTS),
    *HEADINGS,
}
UNSEEN = {"head", "script", "style", "template"}
NOTES = {"doc-footnote", "doc-endnote"}
NOTE_MARK = "doc-noteref"


def read_html(path: Path) -> Document:
    return from_html(path.read_text(encoding="utf-8"))


def from_html(source: str) -> Document:
    if not source.strip():
        return Document()
    root = parser.document_fromstring(source)
    header, footer = remove_margin(root, "header"), remove_margin(root, "footer")
    reader = Reader()
    reader.container(root)
    reader.flush()
    return Document(reader.blocks, reader.links, header, footer)


def remove_margin(root: etree._Element, tag: str) -> str:
    """Removes the page's own header or footer and returns its text."""
    for element in root.xpath(f"/html/body/{tag}"):
        text = " ".join(element.text_content().split())
        element.drop_tree()
        return text
    return ""


class Reader:
    """Collects blocks; inline content outside blocks becomes a paragraph up to the next block."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.links: list[str] = []
        self.parts: list[str] = []
        self.pictures = 0

    def flush(self) -> None:
        if text := " ".join("".join(self.parts).split()):
            self.blocks.append(Paragraph(text))
        self.blocks += [Image()] * self.pictures
        self.parts, self.pictures = [], 0

    def container(self, element: etree._Element, depth: int = -1) -> None:
        self.parts.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str) and child.tag not in UNSEEN:
                self.child(child, depth)
            self.parts.append(child.tail or "")

    def child(self, element: etree._Element, depth: int) -> None:
        if element.tag in CONTAINERS:
            self.flush()
            self.block(element, depth)
            self.flush()
        elif element.tag == "img":
            self.pictures += 1
        elif element.get("role") != NOTE_MARK:
            self.inline(element, depth)

    def inline(self, element: etree._Element, depth: int) -> None:
        if element.tag == "a" and ":" in element.get("href", ""):
            self.links.append(element.get("href"))
        if element.tag == "br":
            self.parts.append(" ")
        self.container(element, depth)

    def block(self, element: etree._Element, depth: int) -> None:
        if element.tag in HEADINGS:
            self.single_block(element, lambda text: Heading(HEADINGS[element.tag], text))
        elif element.tag in LISTS:
            self.container(element, depth + 1)
        elif element.tag == "li" and element.get("role") not in NOTES:
            self.item(element, max(depth, 0))
        elif element.tag == "table":
            self.table(element)
        elif element.get("role") in NOTES:
            self.single_block(element, Footnote)
        else:
            self.container(element, depth)

    def single_block(self, element: etree._Element, make: Callable[[str], Block]) -> None:
        """One block with all of the element's text, and its images."""
        inner = self.nested(element)
        if text := joined(inner.blocks):
            self.blocks.append(make(text))
        self.blocks += pictures(inner)

    def item(self, element: etree._Element, depth: int) -> None:
        """An item of the text before a nested list, then the items of that list."""
        inner = self.nested(element, depth)
        own = [block for block in inner.blocks if not isinstance(block, Item | Image)]
        if text := joined(own):
            self.blocks.append(Item(depth, text))
        self.blocks += [block for block in inner.blocks if isinstance(block, Item | Image)]

    def nested(self, element: etree._Element, depth: int = -1) -> "Reader":
        inner = Reader()
        inner.links = self.links
        inner.container(element, depth)
        inner.flush()
        return inner

    def table(self, element: etree._Element) -> None:
        taken: set[tuple[int, int]] = set()
        cells: list[Cell] = []
        found: list[Block] = []
        for number, row in enumerate(rows(element)):
            for cell in (child for child in row if child.tag in PARTS):
                column = next(place for place in range(len(taken) + len(row) + 1) if (number, place) not in taken)
                height, width = span(cell, "rowspan"), span(cell, "colspan")
                taken |= {(number + down, column + right) for down in range(height) for right in range(width)}
                inner = self.nested(cell)
                cells.append(Cell(number, column, height, width, joined(inner.blocks)))
                found += pictures(inner)
        self.blocks.append(Table(tuple(cell for cell in cells if cell.text)))
        self.blocks += found


def rows(table: etree._Element) -> Iterator[etree._Element]:
    """The table's own rows, without those of nested tables."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def span(cell: etree._Element, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), 1000) if value.isdigit() else 1


def pictures(reader: Reader) -> list[Block]:
    return [block for block in reader.blocks if isinstance(block, Image)]


def joined(blocks: list[Block]) -> str:
    texts: list[str] = []
    for block in blocks:
        if isinstance(block, Table):
            texts += [cell.text for cell in block.cells]
        elif not isinstance(block, Image):
            texts.append(block.text)
    return " ".join(texts)
