"""Parses DOCX: headings by style, list items by numbering, tables with spans, text boxes at their anchors."""

from collections.abc import Iterator
from pathlib import Path

import docx
from docx.opc.part import Part
from docx.section import _BaseHeaderFooter
from lxml import etree

from model import Block, Cell, Document, Footnote, Heading, Image, Item, Paragraph, Table
from readers.docx_names import XML, W, children, qualified, value
from readers.docx_styles import Styles
from readers.docx_text import Text

BLOCKS = {qualified("p"), qualified("tbl")}
NOT_NOTES = {"separator", "continuationSeparator", "continuationNotice"}


def read_docx(path: Path) -> Document:
    package = docx.Document(str(path))
    reader = Reader(Styles(package), package.part)
    blocks = list(reader.blocks(package.element.body))
    blocks += reader.footnotes()
    sections = package.sections
    header = next((text for section in sections if (text := reader.margin(section.header))), "")
    footer = next((text for section in sections if (text := reader.margin(section.footer))), "")
    return Document(blocks, reader.links, header, footer)


class Reader:
    """Walks the body; `links` collects link targets."""

    def __init__(self, styles: Styles, part: Part):
        self.styles = styles
        self.part = part
        self.links: list[str] = []

    def blocks(self, parent: etree._Element) -> Iterator[Block]:
        for child in children(parent, BLOCKS):
            if child.tag == qualified("tbl"):
                yield from self.table(child)
            else:
                yield from self.paragraph(child)

    def paragraph(self, element: etree._Element) -> Iterator[Block]:
        text = self.text(element)
        if text.words.strip():
            yield self.text_block(element, text.words.strip())
        yield from [Image()] * text.images
        for box in text.boxes:
            yield from self.blocks(box)

    def text_block(self, element: etree._Element, text: str) -> Block:
        level = self.styles.heading(element)
        if level is not None:
            return Heading(level, text)
        level = self.styles.item(element)
        return Paragraph(text) if level is None else Item(level, text)

    def text(self, element: etree._Element) -> Text:
        text = Text(element)
        for target in text.targets:
            address = self.part.rels[target].target_ref if target in self.part.rels else target
            if ":" in address:
                self.links.append(address)
        return text

    def table(self, element: etree._Element) -> Iterator[Block]:
        cells: list[Cell] = []
        images = 0
        for number, row in enumerate(children(element, {qualified("tr")})):
            column = value(row, "trPr/w:gridBefore", 0)
            for cell in children(row, {qualified("tc")}):
                width = value(cell, "tcPr/w:gridSpan", 1)
                blocks = list(self.blocks(cell))
                images += sum(isinstance(block, Image) for block in blocks)
                if not (continues(cell) and lengthen(cells, number, column)):
                    cells.append(Cell(number, column, 1, width, " ".join(texts(blocks))))
                column += width
        yield Table(tuple(cell for cell in cells if cell.text))
        yield from [Image()] * images

    def margin(self, part: _BaseHeaderFooter) -> str:
        """The text of a header or footer; empty if it is inherited from the previous section."""
        if part.is_linked_to_previous:
            return ""
        return " ".join(words for child in children(part._element, BLOCKS) if (words := Text(child).words.strip()))

    def footnotes(self) -> Iterator[Footnote]:
        for relationship in self.part.rels.values():
            if relationship.reltype.endswith("/footnotes"):
                notes = etree.fromstring(relationship.target_part.blob, XML)
                for note in notes:
                    words = " ".join(Text(child).words.strip() for child in children(note, BLOCKS))
                    if note.get(qualified("type")) not in NOT_NOTES and words:
                        yield Footnote(words)


def continues(cell: etree._Element) -> bool:
    merge = cell.find("w:tcPr/w:vMerge", W)
    return merge is not None and merge.get(qualified("val"), "continue") == "continue"


def lengthen(cells: list[Cell], row: int, column: int) -> bool:
    """Extends the cell above by a row if it is merged with this position."""
    for place, cell in enumerate(cells):
        if cell.column == column and cell.row + cell.rows == row:
            cells[place] = Cell(cell.row, column, cell.rows + 1, cell.columns, cell.text)
            return True
    return False


def texts(blocks: list[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Table):
            yield from (cell.text for cell in block.cells)
        elif not isinstance(block, Image):
            yield block.text
