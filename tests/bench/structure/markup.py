"""Tables and headings of Markdown, as the metrics compare them: pipe tables become HTML tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from lxml import etree
from lxml import html as parser

TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL | re.IGNORECASE)
DELIMITERS = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)[\s#]*")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
CELLS = ("td", "th")
# HTML limits a span to this many rows or columns.
SPAN_LIMIT = 1000


@dataclass(frozen=True)
class Cell:
    row: int
    column: int
    height: int
    width: int
    text: str


def collapsed(text: str) -> str:
    return " ".join(text.split())


def with_html_tables(markdown: str) -> str:
    """Replaces each pipe table by an HTML table. A header row of empty cells stands for no header and is omitted."""
    lines, result = markdown.split("\n"), []
    at = 0
    while at < len(lines):
        if "|" in lines[at] and is_delimiter_row(lines[at + 1 : at + 2]):
            header, first = lines[at], at + 2
            at = first + rows_from(lines, first)
            result.append(html_table([split_row(line) for line in [header, *lines[first:at]]]))
        else:
            result.append(lines[at])
            at += 1
    return "\n".join(result)


def is_delimiter_row(lines: list[str]) -> bool:
    return any("|" in line and DELIMITERS.fullmatch(line) for line in lines)


def rows_from(lines: list[str], first: int) -> int:
    return next((at for at, line in enumerate(lines[first:]) if "|" not in line), len(lines) - first)


def split_row(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]


def html_table(rows: list[list[str]]) -> str:
    """One line of HTML without space between its tags, because the text distance counts markup too."""
    if len(rows) > 1 and not any(rows[0]):
        rows = rows[1:]
    width = max(map(len, rows))
    padded = [row + [""] * (width - len(row)) for row in rows]
    parts = [
        "".join(f"<{tag}>{escape(cell, quote=False)}</{tag}>" for cell in row)
        for tag, row in zip(["th"] + ["td"] * len(rows), padded, strict=False)
    ]
    return f"<table>{''.join(f'<tr>{part}</tr>' for part in parts)}</table>\n"


def without_tables(markup: str) -> str:
    return TABLE.sub(" ", markup)


def tables(markup: str) -> list[list[list[Cell]]]:
    """The HTML tables, by row. Tables that cannot be parsed are omitted."""
    return [list(rows(element)) for source in TABLE.findall(markup) for element in parsed(source)]


def parsed(source: str) -> Iterator[etree._Element]:
    try:
        yield parser.fragment_fromstring(source)
    except (etree.ParserError, ValueError):
        return


def rows(table: etree._Element) -> Iterator[list[Cell]]:
    """The cells of each row, in the columns that the spans of earlier cells leave free."""
    taken: set[tuple[int, int]] = set()
    for number, row in enumerate(table.iter("tr")):
        cells, column = [], 0
        for element in (child for child in row if child.tag in CELLS):
            while (number, column) in taken:
                column += 1
            height, width = span(element, "rowspan"), span(element, "colspan")
            taken |= {(number + down, column + right) for down in range(height) for right in range(width)}
            cells.append(Cell(number, column, height, width, text(element)))
        yield cells


def span(element: etree._Element, name: str) -> int:
    value = element.get(name, "1").strip()
    return min(max(int(value), 1), SPAN_LIMIT) if value.isascii() and value.isdigit() else 1


def text(element: etree._Element) -> str:
    """The text with a space for each line break, whether the break is an element or was written in a pipe table."""
    for line_break in element.iter("br"):
        line_break.tail = f" {line_break.tail or ''}"
    return collapsed(BREAK.sub(" ", element.text_content()))


def sections(markup: str) -> list[tuple[bool, str]]:
    """The headings, and the text between them: whether it is a heading, and the text. Levels are not compared."""
    result: list[tuple[bool, str]] = []
    content: list[str] = []
    for line in [*markup.split("\n"), "# "]:
        heading = HEADING.fullmatch(line)
        if heading is None:
            content.append(line)
            continue
        result += [(False, collapsed(" ".join(content))), (True, collapsed(heading[1]))]
        content = []
    return [section for section in result if section[1]]
