"""Paragraph boundaries: F1 of the boundaries between units, matched by word alignment.

A boundary is between two adjacent words of different units. A boundary of the output matches one of the truth if
the words before both, or the words after both, are aligned with each other; each matches once. Boundaries between cells
of the truth's tables are excluded, because the cell measure covers them.
"""

from counts import Counts
from units import Flow


def compare_boundaries(truth: Flow, output: Flow, pairs: dict[int, int]) -> Counts:
    """Counts boundaries, identified by the position of the word before them."""
    wanted = [at for at in boundaries(truth) if not same_table(truth, at, at + 1)]
    back = {there: here for here, there in pairs.items()}
    got = [at for at in boundaries(output) if not in_wanted_table(truth, output, back, at)]
    left = set(got)
    hits = 0
    for at in wanted:
        candidates = [pairs[at]] if at in pairs else []
        candidates += [pairs[at + 1] - 1] if at + 1 in pairs else []
        met = next((place for place in candidates if place in left), None)
        if met is not None:
            left.remove(met)
            hits += 1
    return Counts(hits, len(got) - hits, len(wanted) - hits)


def boundaries(flow: Flow) -> list[int]:
    return [at for at in range(len(flow.units) - 1) if flow.units[at] != flow.units[at + 1]]


def same_table(flow: Flow, before: int, after: int) -> bool:
    return flow.tables[before] is not None and flow.tables[before] == flow.tables[after]


def in_wanted_table(truth: Flow, output: Flow, back: dict[int, int], at: int) -> bool:
    """Whether this boundary of the output is between words of one table of the truth, as far as they are aligned."""
    before = next((back[place] for place in range(at, -1, -1) if place in back), None)
    after = next((back[place] for place in range(at + 1, len(output.words)) if place in back), None)
    return before is not None and after is not None and same_table(truth, before, after)
