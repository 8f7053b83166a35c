"""The common model: a document as blocks in reading order. Ground-truth files and all readers use it.

Its JSON is the format of the corpus's layout truth: `{"blocks": [...], "header": text or null, "footer": text or null}`
with, where a document has any, `"links": [target, ...]`. A block is one of

    {"type": "heading", "level": 1, "text": "..."}            levels count from 1
    {"type": "paragraph", "text": "..."}
    {"type": "list", "items": [{"level": 0, "text": "..."}]}  levels count from 0; texts exclude markers
    {"type": "table", "rows": [["...", ...], ...], "merges": [[top, left, bottom, right], ...]}
    {"type": "image"}
    {"type": "footnote", "text": "..."}

Other types and members (runs, sizes, page breaks) are ignored. All rows of a table have the same length, positions
count from 0, and merged cells are "" except at the top left. `{PAGE}` in a header or footer is the page number.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Item:
    """A list item; separate lists are not distinguished."""

    level: int
    text: str


@dataclass(frozen=True)
class Cell:
    """A table cell with its top left position and its row and column span."""

    row: int
    column: int
    rows: int
    columns: int
    text: str


@dataclass(frozen=True)
class Table:
    """The non-empty cells, row by row."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Image:
    pass


@dataclass(frozen=True)
class Footnote:
    text: str


Block = Heading | Paragraph | Item | Table | Image | Footnote


@dataclass
class Document:
    """The measured parts of a document; `header` and `footer` are empty if it has none."""

    blocks: list[Block] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    header: str = ""
    footer: str = ""


def load(path: Path) -> Document:
    """Loads a document from a file in the common model; raises ValueError or KeyError for any other format."""
    return from_json(json.loads(path.read_text(encoding="utf-8")))


def from_json(value: dict[str, Any]) -> Document:
    blocks = [block for entry in value["blocks"] for block in read_block(entry)]
    return Document(blocks, list(value.get("links") or ()), value.get("header") or "", value.get("footer") or "")


def read_block(entry: dict[str, Any]) -> Iterator[Block]:
    match entry["type"]:
        case "heading":
            yield Heading(entry["level"], entry["text"])
        case "paragraph":
            yield Paragraph(entry["text"])
        case "list":
            yield from (Item(item["level"], item["text"]) for item in entry["items"])
        case "table":
            yield table(entry["rows"], entry.get("merges") or ())
        case "image":
            yield Image()
        case "footnote":
            yield Footnote(entry["text"])


def table(rows: list[list[str]], merges: Any = ()) -> Table:
    """A table of these rows; each merge is (top, left, bottom, right), inclusive."""
    spans = {(top, left): (bottom - top + 1, right - left + 1) for top, left, bottom, right in merges}
    cells = (
        Cell(row, column, *spans.get((row, column), (1, 1)), text)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text and text.strip()
    )
    return Table(tuple(cells))
