"""How like the truth an output is: seven measures, each of which falls when the thing that it names is damaged.

- order: 2·|LCS| / (|truth| + |output|) over the words of the body, headings and cells included, where LCS is the
  longest common subsequence. It is one less the normalised indel distance, by which opendataloader-bench measures
  reading order, over words in place of characters: words that are lost, doubled or out of place all lower it.
- paragraphs: F1 of the places between words where a paragraph, heading, item or note ends; see `boundaries.py`.
- cells, headings, items, margins: F1 of what is found exactly once where it should be: a cell's text at its row and
  column with its span, see `tables.py`; a heading's text and level; an item's text and level; header and footer.
- images, links: whether the number of images, and the targets of links and how often each occurs, are right.

A measure is None where neither truth nor output has anything to measure.
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
    """The measures of one output; shares and F1 from 0 to 1, or None."""

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
    """Compares an output with what it should be."""
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
    """Counts what is on both sides, as often as it is on both, whatever its place."""
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
