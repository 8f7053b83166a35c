"""Reads what converters write into the common form, by the ending of the file's name."""

from pathlib import Path

import model
from model import Document
from readers.docx import read_docx
from readers.html import read_html
from readers.markdown import read_markdown

READERS = {".docx": read_docx, ".html": read_html, ".json": model.load, ".md": read_markdown}


def read(path: Path) -> Document:
    """The document in a file; KeyError for an ending that no reader is for."""
    return READERS[path.suffix](path)
