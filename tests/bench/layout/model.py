"""The common form: a document as blocks in reading order, as truth files say it and every reader gives it.

As JSON it is the form of the corpus's layout truth: `{"blocks": [...], "header": text or null, "footer": text or null}`
with, where a document has any, `"links": [target, ...]`. A block is one of

    {"type": "heading", "level": 1, "text": "..."}            levels count from 1
    {"type": "paragraph", "text": "..."}
    {"type": "list", "items": [{"level": 0, "text": "..."}]}  levels count from 0; texts are without their markers
    {"type": "table", "rows": [["...", ...], ...], "merges": [[top, left, bottom, right], ...]}
    {"type": "image"}
    {"type": "footnote", "text": "..."}

and other types and members (runs, sizes, page breaks) are passed over. Rows of a table are equally long, places count
from 0, and what a merge covers holds "" except at its top left. `{PAGE}` in a header or footer is the page's number.
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
    """One item of a list; lists themselves are not told apart."""

    level: int
    text: str


@dataclass(frozen=True)
class Cell:
    """A cell of a table by its top left place and how many rows and columns it covers."""

    row: int
    column: int
    rows: int
    columns: int
    text: str


@dataclass(frozen=True)
class Table:
    """The cells that hold text, row by row."""

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
    """What is measured of a document; `header` and `footer` are empty where it has none."""

    blocks: list[Block] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    header: str = ""
    footer: str = ""


def load(path: Path) -> Document:
    """The document in a file of the common form; ValueError or KeyError where it is of another form."""
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
    """The table of these rows, where each merge is (top, left, bottom, right), the last two included."""
    spans = {(top, left): (bottom - top + 1, right - left + 1) for top, left, bottom, right in merges}
    cells = (
        Cell(row, column, *spans.get((row, column), (1, 1)), text)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text and text.strip()
    )
    return Table(tuple(cells))
