"""Adjacency relations are counted as in the ICDAR 2013 table competition, from every form of output."""

import json
import unittest
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import adjacency
import libraries
from markup import Cell

TRUTH = """<document><table id="1"><region>
<cell start-row="0" start-col="0" end-col="1"><content>Both</content></cell>
<cell start-row="1" start-col="0"><content>1,5</content></cell>
<cell start-row="1" start-col="1"><content>B-2</content></cell>
</region></table></document>"""
RELATIONS = Counter([("both", "15", "down"), ("both", "b2", "down"), ("15", "b2", "right")])


class AdjacencyTest(unittest.TestCase):
    def setUp(self):
        self.place = Path(self.enterContext(TemporaryDirectory()))

    def written(self, name, content):
        path = self.place / name
        path.write_text(content, encoding="utf-8")
        return path

    def test_a_merged_cell_has_a_relation_to_each_neighbor(self):
        self.assertEqual(adjacency.read_truth(self.written("a-str.xml", TRUTH)), RELATIONS)

    def test_empty_cells_are_skipped(self):
        texts = [["a", "", "c"], ["", "-", ""], ["g", "", ""]]
        cells = [Cell(row, column, 1, 1, text) for row, line in enumerate(texts) for column, text in enumerate(line)]
        self.assertEqual(adjacency.relations([cells]), Counter([("a", "c", "right"), ("a", "g", "down")]))

    def test_cells_that_span_several_lines_are_neighbors_once(self):
        cells = [Cell(0, 0, 2, 1, "a"), Cell(0, 1, 2, 1, "b")]
        self.assertEqual(adjacency.relations([cells]), Counter([("a", "b", "right")]))

    def test_equal_relations_count_as_often_as_they_occur(self):
        table = [Cell(0, 0, 1, 1, "x"), Cell(0, 1, 1, 1, "x"), Cell(0, 2, 1, 1, "x")]
        self.assertEqual(adjacency.relations([table]), Counter({("x", "x", "right"): 2}))

    def test_precision_and_recall(self):
        output = Counter([("both", "15", "down"), ("15", "b2", "down")])
        agreement = adjacency.compare(RELATIONS, output)
        self.assertEqual((agreement.precision, agreement.recall), (1 / 2, 1 / 3))
        nothing = adjacency.compare(RELATIONS, Counter())
        self.assertEqual((nothing.precision, nothing.recall), (0, 0))
        self.assertEqual((adjacency.f1(0, 0), adjacency.f1(1, 0.5)), (0, 2 / 3))

    def test_tables_of_markdown(self):
        html = '<table><tr><td colspan="2">both</td></tr><tr><td>1.5</td><td>B2</td></tr></table>'
        self.assertEqual(adjacency.read_output(self.written("a.md", f"Text.\n\n{html}\n")), RELATIONS)
        pipes = adjacency.read_output(self.written("b.md", "| both |  |\n|---|---|\n| 15 | B2 |\n"))
        self.assertEqual(pipes, RELATIONS - Counter([("both", "b2", "down")]))

    def test_tables_of_libraries(self):
        cells = [[0, 0, 1, 2, "Both"], [1, 0, 1, 1, "15"], [1, 1, 1, 1, "b2"]]
        self.assertEqual(adjacency.read_output(self.written("a.json", json.dumps([cells]))), RELATIONS)

    def test_tables_of_pages_in_the_layout_model(self):
        cells = [page_cell(0, 0, 2, "Both"), page_cell(1, 0, 1, "15"), page_cell(1, 1, 1, "b2")]
        pages = {"pages": [{"blocks": [{"type": "paragraph", "runs": []}, {"type": "table", "cells": cells}]}]}
        self.assertEqual(adjacency.read_output(self.written("a.json", json.dumps(pages))), RELATIONS)

    def test_spans_of_libraries_come_from_the_edges_of_cells(self):
        table = Table([[(0, 0, 20, 5), None], [(0, 5, 10, 9), (10, 5, 20, 9)]], [["Both", None], ["15", "b2"]])
        self.assertEqual(adjacency.relations([[Cell(*cell) for cell in libraries.grid(table)]]), RELATIONS)


class Row:
    def __init__(self, cells):
        self.cells = cells


class Table:
    """A table as pdfplumber and PyMuPDF return it."""

    def __init__(self, boxes, texts):
        self.rows = [Row(cells) for cells in boxes]
        self.texts = texts

    def extract(self):
        return self.texts


def page_cell(row, column, width, text):
    blocks = [{"type": "paragraph", "runs": [{"text": text}]}]
    return {"row": row, "column": column, "rowSpan": 1, "columnSpan": width, "blocks": blocks}


if __name__ == "__main__":
    unittest.main()
