"""Adds a table to a .docx."""

from collections.abc import Sequence
from typing import TypedDict

from docx.document import Document as Package
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Mm, Pt
from docx.table import Table
from docx.text.paragraph import Paragraph

from truth import ooxml

RULES = {"grid": ooxml.EDGES, "rows": ("top", "bottom", "insideH"), "ends": ("top", "bottom"), "none": ()}


class Shape(TypedDict, total=False):
    """Options of a table: its RULES (default: all), merges (none), whether it has a header row (yes), which is bold and
    repeated on each page, whether all but the first column are right-aligned (no), and column widths in mm."""

    rules: str
    merges: Sequence[tuple[int, int, int, int]]
    header: bool
    numbers_right: bool
    widths: Sequence[int]


def add_table(package: Package, rows: list[list[str]], right_to_left: bool, shape: Shape) -> None:
    table = package.add_table(len(rows), len(rows[0]))
    rules = shape.get("rules", "grid")
    ooxml.set_borders(table, RULES[rules])
    fill(table, rows, right_to_left, shape)
    for column, width in enumerate(shape.get("widths", ())):
        table.columns[column].width = Mm(width)
        for row in table.rows:
            row.cells[column].width = Mm(width)
    for top, left, bottom, right in shape.get("merges", ()):
        table.cell(top, left).merge(table.cell(bottom, right))
    if shape.get("header", True):
        ooxml.repeat_header(table)
        if rules == "ends":
            ooxml.underline_row(table, 0)
    if right_to_left:
        ooxml.child(table._tbl.tblPr, "bidiVisual")


def fill(table: Table, rows: list[list[str]], right_to_left: bool, shape: Shape) -> None:
    for number, (row, texts) in enumerate(zip(table.rows, rows, strict=True)):
        for column, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
            paragraph = cell.paragraphs[0]
            add_text(paragraph, text, bold=shape.get("header", True) and number == 0)
            if shape.get("numbers_right") and column:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            if right_to_left:
                ooxml.right_to_left(paragraph)


def add_text(paragraph: Paragraph, text: str, *, bold: bool) -> None:
    paragraph.paragraph_format.space_after = Pt(2)
    if text:
        paragraph.add_run(text).bold = bold or None
