"""Cells of tables: F1 of the cells whose text, place and span are right, within tables that belong together."""

from collections import Counter

from counts import Counts
from model import Table
from words import plain

Key = tuple[int, int, int, int, str]


def compare_tables(truth: list[Table], output: list[Table]) -> Counts:
    """Counts cells. Tables are paired one to one, those with the most right cells first, then by common texts."""
    wanted, got = [keys(table) for table in truth], [keys(table) for table in output]
    hits = sum(likeness(wanted[here], got[there])[0] for here, there in paired(wanted, got))
    return Counts(hits, sum(map(len, got)) - hits, sum(map(len, wanted)) - hits)


def paired(wanted: list[set[Key]], got: list[set[Key]]) -> list[tuple[int, int]]:
    places = [(here, there) for here in range(len(wanted)) for there in range(len(got))]
    likest = sorted(places, key=lambda pair: likeness(wanted[pair[0]], got[pair[1]]), reverse=True)
    pairs: dict[int, int] = {}
    for here, there in likest:
        if here not in pairs and there not in pairs.values():
            pairs[here] = there
    return list(pairs.items())


def likeness(here: set[Key], there: set[Key]) -> tuple[int, int]:
    """Cells that are right, and texts in common."""
    texts = Counter(key[-1] for key in here) & Counter(key[-1] for key in there)
    return len(here & there), texts.total()


def keys(table: Table) -> set[Key]:
    return {(cell.row, cell.column, cell.rows, cell.columns, plain(cell.text)) for cell in table.cells}
