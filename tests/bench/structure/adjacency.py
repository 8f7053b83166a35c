"""Table structure by adjacency relations, as in the ICDAR 2013 table competition.

A relation joins a cell with its next non-empty neighbor to the right or below; two relations are equal if their
normalized texts and directions are.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from lxml import etree

import markup
from markup import Cell

Relation = tuple[str, str, str]
Place = tuple[int, int]
IGNORED = re.compile(r"[\W_]")


@dataclass(frozen=True)
class Agreement:
    precision: float
    recall: float


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def compare(truth: Counter[Relation], output: Counter[Relation]) -> Agreement:
    hits = (truth & output).total()
    return Agreement(hits / output.total() if output else 0.0, hits / truth.total() if truth else 0.0)


def relations(tables: Iterable[Iterable[Cell]]) -> Counter[Relation]:
    return Counter(relation for table in tables for relation in of_table(table))


def of_table(cells: Iterable[Cell]) -> list[Relation]:
    """The relations of one table. A cell with spans has a relation to each distinct neighbor."""
    grid: dict[Place, Cell] = {}
    for cell in cells:
        if normalized(cell.text):
            places = ((row, column) for row in range(cell.height) for column in range(cell.width))
            grid |= {(cell.row + row, cell.column + column): cell for row, column in places}
    pairs = [*successors(grid, "right", lambda place: place), *successors(grid, "down", lambda place: place[::-1])]
    return [(normalized(one.text), normalized(other.text), direction) for one, other, direction in dict.fromkeys(pairs)]


def successors(grid: dict[Place, Cell], direction: str, key: Callable[[Place], Place]) -> list[tuple[Cell, Cell, str]]:
    """Pairs of consecutive occupied places on each line of the grid."""
    places = sorted(grid, key=key)
    return [
        (grid[one], grid[other], direction)
        for one, other in pairwise(places)
        if key(one)[0] == key(other)[0] and grid[one] is not grid[other]
    ]


def normalized(text: str) -> str:
    return IGNORED.sub("", text).lower()


def read_truth(path: Path) -> Counter[Relation]:
    """Relations of a `-str.xml` file of the competition."""
    tables = etree.parse(path).iter("table")
    return relations([truth_cell(element) for element in table.iter("cell")] for table in tables)


def truth_cell(element: etree._Element) -> Cell:
    row, column = int(element.get("start-row", 0)), int(element.get("start-col", 0))
    last_row, last_column = int(element.get("end-row", row)), int(element.get("end-col", column))
    return Cell(row, column, last_row - row + 1, last_column - column + 1, element.findtext("content") or "")


def read_output(path: Path) -> Counter[Relation]:
    """Relations of a converter's output: Markdown, tables as lists of cells, or pages of the layout model."""
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        tables = markup.tables(markup.with_html_tables(content))
        return relations(list(chain.from_iterable(rows)) for rows in tables)
    value = json.loads(content)
    if isinstance(value, list):
        return relations([Cell(*cell) for cell in table] for table in value)
    return relations(tables_in([block for page in value["pages"] for block in page["blocks"]]))


def tables_in(blocks: list[dict]) -> list[list[Cell]]:
    """The tables among the blocks, and those nested in their cells."""
    result = []
    for entry in (block for block in blocks if block["type"] == "table"):
        result.append(
            [
                Cell(cell["row"], cell["column"], cell["rowSpan"], cell["columnSpan"], text_of(cell["blocks"]))
                for cell in entry["cells"]
            ]
        )
        result += tables_in([block for cell in entry["cells"] for block in cell["blocks"]])
    return result


def text_of(blocks: list[dict]) -> str:
    """All text of the blocks, with list markers."""
    parts = []
    for block in blocks:
        parts += [run["text"] for run in block.get("runs", ())]
        parts += [
            item.get("marker", "") + "".join(run["text"] for run in item["runs"]) for item in block.get("items", ())
        ]
        parts += [text_of(cell["blocks"]) for cell in block.get("cells", ())]
    return "".join(parts)
