"""Converts to the common model with pdfplumber: tables between lines of text, by position.

pdfplumber does not detect paragraphs, so each line is one.
"""

import json
from pathlib import Path

import pdfplumber
from pdfplumber.page import Page
from pdfplumber.table import Table


def convert(source: str, target: Path) -> None:
    with pdfplumber.open(source) as document:
        blocks = [block for page in document.pages for block in on_page(page)]
        links = [link["uri"] for page in document.pages for link in page.hyperlinks]
    target.write_text(json.dumps({"blocks": blocks, "links": links}), encoding="utf-8")


def on_page(page: Page) -> list[dict]:
    """Lines outside tables, tables and images, sorted by their upper edges."""
    tables = page.find_tables()
    found = [(table.bbox[1], as_table(table)) for table in tables]
    found += [(image["top"], {"type": "image"}) for image in page.images]
    lines = page.filter(lambda thing: not any(within(thing, table) for table in tables)).extract_text_lines()
    found += [(line["top"], {"type": "paragraph", "text": line["text"]}) for line in lines]
    return [block for _, block in sorted(found, key=lambda entry: entry[0])]


def within(thing: dict, table: Table) -> bool:
    left, top, right, bottom = table.bbox
    across, down = (thing["x0"] + thing["x1"]) / 2, (thing["top"] + thing["bottom"]) / 2
    return left <= across <= right and top <= down <= bottom


def as_table(table: Table) -> dict:
    """The cell texts, and the merges derived from the grid lines that each cell spans."""
    rows = [[text or "" for text in row] for row in table.extract()]
    columns = sorted({edge for cell in table.cells for edge in (cell[0], cell[2])})
    lines = sorted({edge for cell in table.cells for edge in (cell[1], cell[3])})
    merges = [
        [lines.index(top), columns.index(left), lines.index(bottom) - 1, columns.index(right) - 1]
        for left, top, right, bottom in table.cells
    ]
    return {"type": "table", "rows": rows, "merges": [merge for merge in merges if merge[:2] != merge[2:]]}
