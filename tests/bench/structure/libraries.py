"""Converts PDFs with a library: `libraries.py FUNCTION DIRECTORY SUFFIX SOURCE...`.

Prints each source before it is converted, and the traceback of a failure. The functions write Markdown, or the tables
as JSON: each a list of cells [row, column, height, width, text].
"""

import json
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any


def pymupdf4llm(source: str, target: Path) -> None:
    target.write_text(import_module("pymupdf4llm").to_markdown(source), encoding="utf-8")


def markitdown(source: str, target: Path) -> None:
    target.write_text(import_module("markitdown").MarkItDown().convert(source).text_content, encoding="utf-8")


def pdf_oxide(source: str, target: Path) -> None:
    target.write_text(import_module("pdf_oxide").PdfDocument(source).to_markdown_all(), encoding="utf-8")


def opendataloader(sources: list[str], directory: Path, **options: bool) -> None:
    """All documents in one run, because each starts Java."""
    import_module("opendataloader_pdf").convert(sources, str(directory), format="markdown", quiet=True, **options)


def opendataloader_tables(sources: list[str], directory: Path) -> None:
    """With tables as HTML, which keeps merged cells."""
    opendataloader(sources, directory, markdown_with_html=True)


def pymupdf_tables(source: str, target: Path) -> None:
    pages = import_module("pymupdf").open(source)
    write(target, [grid(table) for page in pages for table in page.find_tables().tables])


def pdfplumber_tables(source: str, target: Path) -> None:
    with import_module("pdfplumber").open(source) as document:
        write(target, [grid(table) for page in document.pages for table in page.find_tables()])


def camelot_tables(source: str, target: Path) -> None:
    found = import_module("camelot").read_pdf(source, pages="all", flavor="auto")
    write(target, [unmerged(table.df.values.tolist()) for table in found])


def grid(table: Any) -> list[list]:
    """The cells of a table of pdfplumber or PyMuPDF, with the spans derived from the edges of all cells."""
    boxes = [cell for row in table.rows for cell in row.cells if cell]
    columns = sorted({round(edge, 1) for box in boxes for edge in (box[0], box[2])})
    lines = sorted({round(edge, 1) for box in boxes for edge in (box[1], box[3])})
    cells = []
    for row, texts in zip(table.rows, table.extract(), strict=True):
        for box, text in zip(row.cells, texts, strict=True):
            if box:
                left, top, right, bottom = (round(edge, 1) for edge in box)
                place = lines.index(top), columns.index(left)
                cells.append([*place, lines.index(bottom) - place[0], columns.index(right) - place[1], text or ""])
    return cells


def unmerged(rows: list[list[str]]) -> list[list]:
    return [[row, column, 1, 1, text] for row, texts in enumerate(rows) for column, text in enumerate(texts)]


def write(target: Path, tables: list[list[list]]) -> None:
    target.write_text(json.dumps(tables), encoding="utf-8")


def main(function: str, directory: Path, suffix: str, sources: list[str]) -> None:
    convert = globals()[function]
    if convert in (opendataloader, opendataloader_tables):
        convert(sources, directory)
        return
    for source in sources:
        print(f"converting {source}", flush=True)
        try:
            convert(source, directory / f"{Path(source).stem}{suffix}")
        except Exception:  # a missing output counts as a failure
            traceback.print_exc()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
