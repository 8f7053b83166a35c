"""The body of a document as a sequence of words with their units."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from model import Block, Document, Footnote, Heading, Item, Paragraph, Table
from words import unmarked, words


@dataclass
class Flow:
    """Words in reading order; `units` has each word's paragraph or cell number, `tables` its table number or None."""

    words: list[str] = field(default_factory=list)
    units: list[int] = field(default_factory=list)
    tables: list[int | None] = field(default_factory=list)


def flow(document: Document) -> Flow:
    """The words of headings, paragraphs, items and cells, then those of footnotes: outputs place footnotes at the page
    end, at the document end or at their reference, and each of these is a correct order."""
    notes = [block for block in document.blocks if isinstance(block, Footnote)]
    body = [block for block in document.blocks if not isinstance(block, Footnote)]
    result = Flow()
    unit = 0
    for number, block in enumerate(body + notes):
        for text in texts(block):
            found = words(text)
            result.words += found
            result.units += [unit] * len(found)
            result.tables += [number if isinstance(block, Table) else None] * len(found)
            unit += 1
    return result


def texts(block: Block) -> Iterator[str]:
    """The texts of a block. Markers never count, even if an item or a heading was detected as a paragraph."""
    match block:
        case Heading(text=text) | Item(text=text) | Paragraph(text=text) | Footnote(text=text):
            yield unmarked(text)
        case Table(cells=cells):
            yield from (cell.text for cell in cells)
