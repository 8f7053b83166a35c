"""Opens an office document with an independent library; prints its text and its number of parts as JSON.

Each library takes up to half a second to import, so it is imported where it is used.
"""

# ruff: noqa: PLC0415
import csv
import json
import sys
import zipfile
from pathlib import Path, PurePosixPath

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table"
PAGE = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}page"


def read_docx(path):
    import docx
    from docx.oxml.ns import qn

    document = docx.Document(path)
    margins = (margin for section in document.sections for margin in (section.header, section.footer))
    stories = [document, *(margin for margin in margins if not margin.is_linked_to_previous)]
    texts = [paragraph.text for story in stories for paragraph in story.paragraphs]
    for table in (table for story in stories for table in story.tables):
        texts += [cell.text for row in table.rows for cell in row.cells]
    boxes = document.element.body.iter(qn("w:txbxContent"))
    texts += ["".join(text.text for text in box.iter(qn("w:t"))) for box in boxes]
    return 1, texts


def read_xlsx(path):
    import openpyxl

    # Opening by name requires an extension.
    with open(path, "rb") as file:
        book = openpyxl.load_workbook(file, data_only=True)
    cells = (cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row)
    values = [str(cell.value) for cell in cells if cell.value is not None]
    return len(book.worksheets), values + texts_of(path, "xl/charts/*.xml")


def read_pptx(path):
    import pptx

    slides = pptx.Presentation(path).slides
    shapes = [shape for slide in slides for shape in slide.shapes]
    texts = [shape.text_frame.text for shape in shapes if shape.has_text_frame]
    tables = (shape.table for shape in shapes if shape.has_table)
    return len(slides), texts + [cell.text for table in tables for cell in table.iter_cells()]


def read_open_document(path, part):
    from lxml import etree

    with zipfile.ZipFile(path) as package:
        first = package.infolist()[0]
        if (first.filename, first.compress_type) != ("mimetype", zipfile.ZIP_STORED) or package.testzip():
            raise ValueError("not an OpenDocument package")
        content = etree.fromstring(package.read("content.xml"))
    parts = len(list(content.iter(part))) if part else 1
    return parts, list(content.itertext()) + texts_of(path, "Object */content.xml")


def texts_of(path, parts):
    """The texts in parts of a package, such as charts."""
    from lxml import etree

    with zipfile.ZipFile(path) as package:
        names = [name for name in package.namelist() if PurePosixPath(name).match(parts)]
        return [text for name in names for text in etree.fromstring(package.read(name)).itertext()]


def read_rtf(path):
    from striprtf.striprtf import rtf_to_text

    return 1, [rtf_to_text(Path(path).read_text(encoding="ascii"), errors="strict")]


def read_txt(path):
    return 1, [Path(path).read_text(encoding="utf-8")]


def read_table(path, separator):
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter=separator, strict=True)
        return 1, [field for row in rows for field in row]


def read_html(path):
    import lxml.html

    page = lxml.html.document_fromstring(Path(path).read_bytes().decode("utf-8"))
    return 1, list(page.body.itertext())


def read_json(path):
    with open(path, encoding="utf-8") as file:
        pages = json.load(file)["pages"]
    return len(pages), list(texts_within(pages))


def texts_within(value):
    """The texts of a model, with the runs of one paragraph joined without spaces."""
    match value:
        case {"runs": runs, **rest}:
            yield "".join(run["text"] for run in runs)
            yield from texts_within(rest)
        case dict():
            yield from texts_within(list(value.values()))
        case list():
            for item in value:
                yield from texts_within(item)


READERS = {
    "docx": read_docx,
    "xlsx": read_xlsx,
    "pptx": read_pptx,
    "odt": lambda path: read_open_document(path, None),
    "ods": lambda path: read_open_document(path, TABLE),
    "odp": lambda path: read_open_document(path, PAGE),
    "rtf": read_rtf,
    "txt": read_txt,
    "md": read_txt,
    "html": read_html,
    "json": read_json,
    "csv": lambda path: read_table(path, ","),
    "tsv": lambda path: read_table(path, "\t"),
}

if __name__ == "__main__":
    parts, texts = READERS[sys.argv[2]](sys.argv[1])
    print(json.dumps({"parts": parts, "text": " ".join(texts)}))
