"""Where paragraphs end: F1 of the boundaries between units, carried over by the alignment of the words.

A boundary lies between two neighbouring words of different units. One of the output meets one of the truth if the words
before both are aligned with each other, or the words after both; each is met once. Boundaries between cells of the
truth's tables are left to the measure of cells, however the output writes them.
"""

from counts import Counts
from units import Flow


def compare_boundaries(truth: Flow, output: Flow, pairs: dict[int, int]) -> Counts:
    """Counts boundaries; a boundary is named by the place of the word before it."""
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
    """Does this boundary of the output lie between words of one table of the truth, as far as its words are known?"""
    before = next((back[place] for place in range(at, -1, -1) if place in back), None)
    after = next((back[place] for place in range(at + 1, len(output.words)) if place in back), None)
    return before is not None and after is not None and same_table(truth, before, after)
