"""The metrics of opendataloader-bench (NID, TEDS, MHS), from their published definitions.

Each is between 0 and 1, or None if the ground truth contains nothing of its kind. The variants ending in `_s` compare
reading order without tables, and tables and headings without text.
"""

from dataclasses import dataclass, field

from apted import APTED, Config
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

import markup


@dataclass(frozen=True)
class Scores:
    nid: float | None
    nid_s: float | None
    teds: float | None
    teds_s: float | None
    mhs: float | None
    mhs_s: float | None

    @property
    def overall(self) -> float | None:
        """The mean of the metrics that apply to the document."""
        return mean([self.nid, self.teds, self.mhs])


METRICS = ("overall", "nid", "nid_s", "teds", "teds_s", "mhs", "mhs_s")
LABELS = ("overall", "NID", "NID-S", "TEDS", "TEDS-S", "MHS", "MHS-S")


@dataclass(frozen=True)
class Node:
    tag: str
    text: str = ""
    spans: tuple[int, int] = (1, 1)
    children: list["Node"] = field(default_factory=list)

    @property
    def size(self) -> int:
        return 1 + sum(child.size for child in self.children)


class Costs(Config):
    """Insertion and deletion cost 1; renaming costs 1, or the normalized text distance between cells of equal spans."""

    def __init__(self, with_text: bool) -> None:
        self.with_text = with_text

    def rename(self, node1: Node, node2: Node) -> float:
        if (node1.tag, node1.spans) != (node2.tag, node2.spans):
            return 1.0
        return Levenshtein.normalized_distance(node1.text, node2.text) if self.with_text else 0.0


def mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def score(truth: str, output: str) -> Scores:
    """Compares two Markdown documents."""
    wanted, got = markup.with_html_tables(truth), markup.with_html_tables(output)
    return Scores(
        indel_similarity(wanted, got),
        indel_similarity(markup.without_tables(wanted), markup.without_tables(got)) if wanted.strip() else None,
        *tree_similarities(table_tree(wanted), table_tree(got), "table", 0),
        *tree_similarities(section_tree(wanted), section_tree(got), "heading", 1),
    )


def indel_similarity(truth: str, output: str) -> float | None:
    wanted = markup.collapsed(truth)
    return fuzz.ratio(wanted, markup.collapsed(output)) / 100 if wanted else None


def tree_similarities(truth: Node, output: Node, kind: str, root: int) -> tuple[float | None, float | None]:
    """The similarity with and without text; 0 if only the truth has a node of this kind. `root` is 1 if the published
    definition counts the root of the tree."""
    if not has(truth, kind):
        return None, None
    if not has(output, kind):
        return 0.0, 0.0
    size = max(truth.size, output.size) - 1 + root
    distances = [APTED(truth, output, Costs(with_text)).compute_edit_distance() for with_text in (True, False)]
    with_text, without_text = (max(0.0, 1 - distance / size) for distance in distances)
    return with_text, without_text


def has(tree: Node, kind: str) -> bool:
    return any(node.tag == kind for node in tree.children)


def table_tree(markup_text: str) -> Node:
    """All tables of the document in one tree: table, row, cell."""
    return Node("document", children=[table_node(rows) for rows in markup.tables(markup_text)])


def table_node(rows: list[list[markup.Cell]]) -> Node:
    cells = [[Node("cell", cell.text, (cell.height, cell.width)) for cell in row] for row in rows]
    return Node("table", children=[Node("row", children=row) for row in cells])


def section_tree(markup_text: str) -> Node:
    """The headings in one list without their levels, each with the text up to the next one as its child."""
    root = parent = Node("document")
    for is_heading, text in markup.sections(markup_text):
        node = Node("heading" if is_heading else "text", text)
        (root if is_heading else parent).children.append(node)
        parent = node if is_heading else parent
    return root
