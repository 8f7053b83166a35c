"""Similarity of an output to the ground truth: measures that decrease when the named property is damaged.

- order: 2·|LCS| / (|truth| + |output|) over the words of the body, headings and cells included, where LCS is the
  longest common subsequence. This is 1 minus the normalized indel distance that opendataloader-bench uses for reading
  order, over words instead of characters: lost, duplicated and misplaced words decrease it.
- paragraphs: F1 of the positions between words where a paragraph, heading, item or footnote ends; see `boundaries.py`.
- cells, headings, items, margins: F1 of exact matches: a cell's text at its row and column with its span, see
  `tables.py`; a heading's text and level; an item's text and level; header and footer.
- images, links: whether the number of images and the multiset of link targets are correct.

A measure is None if neither truth nor output has anything to measure.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from alignment import align
from boundaries import compare_boundaries
from counts import Counts
from model import Document, Footnote, Heading, Image, Item, Table
from tables import compare_tables
from units import flow
from words import plain, unmarked

MEASURES = ("order", "paragraphs", "cells", "headings", "items", "margins", "images", "links")


@dataclass(frozen=True)
class Score:
    """The measures of one output, 0 to 1 or None."""

    order: float | None
    paragraphs: Counts
    cells: Counts
    headings: Counts
    items: Counts
    margins: Counts
    images: bool | None
    links: bool | None

    def value(self, measure: str) -> float | None:
        """One of MEASURES as a number."""
        value = getattr(self, measure)
        if isinstance(value, Counts):
            return value.f1
        return None if value is None else float(value)


def score(truth: Document, output: Document) -> Score:
    """Compares an output with the ground truth."""
    wanted, got = flow(truth), flow(output)
    pairs = align(wanted.words, got.words)
    length = len(wanted.words) + len(got.words)
    return Score(
        order=2 * len(pairs) / length if length else None,
        paragraphs=compare_boundaries(wanted, got, pairs),
        cells=compare_tables(tables(truth), tables(output)),
        headings=compare(headings(truth), headings(output)),
        items=compare(items(truth), items(output)),
        margins=compare(margins(truth), margins(output)),
        images=equal(images(truth), images(output)),
        links=equal(sorted(truth.links), sorted(output.links)),
    )


def compare(truth: Iterable[Hashable], output: Iterable[Hashable]) -> Counts:
    """Counts the multiset intersection and differences, ignoring order."""
    wanted, got = Counter(truth), Counter(output)
    hits = (wanted & got).total()
    return Counts(hits, got.total() - hits, wanted.total() - hits)


def equal(truth: int | list[str], output: int | list[str]) -> bool | None:
    return truth == output if truth or output else None


def tables(document: Document) -> list[Table]:
    return [block for block in document.blocks if isinstance(block, Table)]


def images(document: Document) -> int:
    return sum(isinstance(block, Image) for block in document.blocks)


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, unmarked(block.text)) for block in document.blocks if isinstance(block, Heading)]


def items(document: Document) -> list[tuple[int, str]]:
    return [(block.level, unmarked(block.text)) for block in document.blocks if isinstance(block, Item)]


def margins(document: Document) -> list[tuple[str, str]]:
    notes = [("footnote", plain(block.text)) for block in document.blocks if isinstance(block, Footnote)]
    edges = [("header", plain(document.header)), ("footer", plain(document.footer))]
    return notes + [(kind, text) for kind, text in edges if text]
