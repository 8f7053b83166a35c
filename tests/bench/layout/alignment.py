"""Longest common subsequence of two word sequences: exact and symmetric."""


def align(truth: list[str], output: list[str]) -> dict[int, int]:
    """Maps positions in `truth` to positions in `output`, increasing in both; the mapping has the maximum length.

    Bit-parallel [Hyyrö 2004]: a row of the length table is one integer with a zero bit where the length increases, so
    that thousands of words take milliseconds.
    """
    rows = growth(truth, output)
    pairs: dict[int, int] = {}
    at, other = len(truth), len(output)
    while at and other:
        bit = 1 << (other - 1)
        if rows[at] & bit:
            other -= 1
        elif not rows[at - 1] & bit:
            at -= 1
        else:
            at, other = at - 1, other - 1
            pairs[at] = other
    return pairs


def growth(truth: list[str], output: list[str]) -> list[int]:
    """For each prefix of `truth`, the bits of `output` where the common length does not increase."""
    places: dict[str, int] = {}
    for place, word in enumerate(output):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(output)) - 1
    rows = [full]
    for word in truth:
        row = rows[-1]
        common = row & places.get(word, 0)
        rows.append(((row + common) | (row - common)) & full)
    return rows
