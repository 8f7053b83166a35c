"""Table cells: F1 of cells with the correct text, position and span, within matched tables."""

from collections import Counter

from counts import Counts
from model import Table
from words import plain

Key = tuple[int, int, int, int, str]


def compare_tables(truth: list[Table], output: list[Table]) -> Counts:
    """Counts cells. Tables are paired one to one by the number of correct cells, then of common texts."""
    wanted, got = [keys(table) for table in truth], [keys(table) for table in output]
    hits = sum(similarity(wanted[here], got[there])[0] for here, there in paired(wanted, got))
    return Counts(hits, sum(map(len, got)) - hits, sum(map(len, wanted)) - hits)


def paired(wanted: list[set[Key]], got: list[set[Key]]) -> list[tuple[int, int]]:
    places = [(here, there) for here in range(len(wanted)) for there in range(len(got))]
    most_similar = sorted(places, key=lambda pair: similarity(wanted[pair[0]], got[pair[1]]), reverse=True)
    pairs: dict[int, int] = {}
    for here, there in most_similar:
        if here not in pairs and there not in pairs.values():
            pairs[here] = there
    return list(pairs.items())


def similarity(here: set[Key], there: set[Key]) -> tuple[int, int]:
    """Number of correct cells, and of common texts."""
    texts = Counter(key[-1] for key in here) & Counter(key[-1] for key in there)
    return len(here & there), texts.total()


def keys(table: Table) -> set[Key]:
    return {(cell.row, cell.column, cell.rows, cell.columns, plain(cell.text)) for cell in table.cells}
