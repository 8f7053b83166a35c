"""The longest common subsequence of two sequences of words: exact, and the same from either side."""


def align(truth: list[str], output: list[str]) -> dict[int, int]:
    """Places in `truth` to places in `output`, rising in both, as many as there can be.

    Bit-parallel [Hyyrö 2004]: a row of the table of lengths is one number with a zero bit where the length grows, so
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
    """For each number of first words of `truth`, the bits of `output` that add nothing to the common length."""
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
