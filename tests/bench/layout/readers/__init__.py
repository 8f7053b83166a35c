"""Parses converters' outputs into the common model, by file suffix."""

import json
from pathlib import Path

import model
from model import Document
from readers.docx import read_docx
from readers.html import read_html
from readers.markdown import read_markdown
from readers.pages import from_pages


def read_json(path: Path) -> Document:
    """Parses the common model, or pages of the layout model: a list, or an object with `pages`."""
    value = json.loads(path.read_text(encoding="utf-8"))
    pages = value if isinstance(value, list) else value.get("pages")
    return model.from_json(value) if pages is None else from_pages(pages)


READERS = {".docx": read_docx, ".html": read_html, ".json": read_json, ".md": read_markdown}


def read(path: Path) -> Document:
    """Parses a file; raises KeyError for an unsupported suffix."""
    return READERS[path.suffix](path)
