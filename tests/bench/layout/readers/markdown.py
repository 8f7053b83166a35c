"""Parses GitHub-flavored Markdown by rendering it to HTML."""

import re
from pathlib import Path

from markdown_it import MarkdownIt

from model import Document
from readers.html import from_html

# `[^1]:` starts a footnote; `[^1]` is its reference.
NOTE = re.compile(r"^\[\^[^\]]+\]:[ \t]*(.*)$", re.MULTILINE)
MARK = re.compile(r"\[\^[^\]]+\]")


def read_markdown(path: Path) -> Document:
    return from_markdown(path.read_text(encoding="utf-8"))


def from_markdown(source: str) -> Document:
    source = MARK.sub("", NOTE.sub(r'\n<aside role="doc-footnote">\1</aside>\n', source))
    return from_html(MarkdownIt("commonmark", {"html": True}).enable("table").render(source))
