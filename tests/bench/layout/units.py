"""The body of a document as one sequence of words, each of which knows the unit that it stands in."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from model import Block, Document, Footnote, Heading, Item, Paragraph, Table
from words import unmarked, words


@dataclass
class Flow:
    """Words in reading order; `units` numbers the paragraph or cell of each, `tables` its table, None outside one."""

    words: list[str] = field(default_factory=list)
    units: list[int] = field(default_factory=list)
    tables: list[int | None] = field(default_factory=list)


def flow(document: Document) -> Flow:
    """The words of headings, paragraphs, items and cells, then those of footnotes: they stand at the foot of pages, at
    the end or beside their mark, and none of these is a wrong order."""
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
    """What a block says. Markers count nowhere, not even where an item or a heading was taken for a paragraph."""
    match block:
        case Heading(text=text) | Item(text=text) | Paragraph(text=text) | Footnote(text=text):
            yield unmarked(text)
        case Table(cells=cells):
            yield from (cell.text for cell in cells)
