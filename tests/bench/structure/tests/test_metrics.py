"""The metrics have their published values on hand-made documents."""

import unittest

import markup
import metrics

DOCUMENT = "# Reports\n\nOf the lamps.\n\n## Rates\n\nPer hour.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
SPANNED = '<table><tr><td colspan="2">all</td></tr><tr><td>1</td><td>2</td></tr></table>'


class MetricsTest(unittest.TestCase):
    def test_identical_documents_score_one(self):
        scores = metrics.score(DOCUMENT, DOCUMENT)
        self.assertEqual({getattr(scores, metric) for metric in metrics.METRICS}, {1.0})

    def test_metrics_of_absent_kinds_do_not_count(self):
        scores = metrics.score("Only text.", "# Only text.\n\n| a |\n| --- |\n| b |")
        self.assertEqual((scores.teds, scores.teds_s, scores.mhs, scores.mhs_s), (None,) * 4)
        self.assertEqual(scores.overall, scores.nid)

    def test_an_empty_output_scores_zero(self):
        scores = metrics.score(DOCUMENT, "")
        self.assertEqual({getattr(scores, metric) for metric in metrics.METRICS}, {0.0})

    def test_reading_order_is_the_indel_similarity_of_the_text(self):
        # Of 9 and 9 characters, "one" and a space are deleted and inserted again.
        self.assertAlmostEqual(metrics.score("one three", "three one").nid, 1 - 8 / 18)
        self.assertEqual(metrics.score("one\n\ntwo", "one two").nid, 1)

    def test_tables_are_part_of_the_reading_order_only_without_suffix(self):
        scores = metrics.score("text\n\n<table><tr><td>1</td></tr></table>", "text")
        self.assertLess(scores.nid, 0.2)
        self.assertEqual(scores.nid_s, 1)


class TablesTest(unittest.TestCase):
    def test_a_pipe_table_equals_the_same_html_table(self):
        html = "<table><thead><tr><th>a</th><th>b &amp; c</th></tr></thead><tr><td>1</td><td>2<br>3</td></tr></table>"
        scores = metrics.score(html, "|a|b & c|\n|---|---|\n|1|2<br>3|")
        self.assertEqual((scores.teds, scores.teds_s), (1, 1))

    def test_an_empty_header_row_is_no_row(self):
        html = "<table><tr><td>1</td><td>2</td></tr></table>"
        self.assertEqual(metrics.score(html, "|  |  |\n| --- | --- |\n| 1 | 2 |").teds, 1)

    def test_merged_cells_differ_from_separate_ones(self):
        # Of 6 nodes (without the root) one cell is renamed, another is inserted.
        scores = metrics.score(SPANNED, "| all |  |\n| --- | --- |\n| 1 | 2 |")
        self.assertAlmostEqual(scores.teds, 1 - 2 / 7)
        self.assertAlmostEqual(scores.teds_s, 1 - 2 / 7)

    def test_text_of_cells_counts_by_its_edit_distance(self):
        scores = metrics.score(SPANNED, SPANNED.replace("all", "ail"))
        self.assertAlmostEqual(scores.teds, 1 - (1 / 3) / 6)
        self.assertEqual(scores.teds_s, 1)

    def test_all_tables_of_a_document_count(self):
        table = "<table><tr><td>1</td></tr></table>"
        self.assertAlmostEqual(metrics.score(f"{table}\n{table}", table).teds, 1 - 3 / 6)

    def test_escaped_pipes_do_not_separate_cells(self):
        [table] = markup.tables(markup.with_html_tables("a | b\n--- | ---\n1 \\| 2 | 3\n"))
        self.assertEqual([[cell.text for cell in row] for row in table], [["a", "b"], ["1 | 2", "3"]])

    def test_cells_below_a_row_span_keep_their_columns(self):
        [table] = markup.tables('<table><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>')
        self.assertEqual([(cell.column, cell.height) for row in table for cell in row], [(0, 2), (1, 1), (1, 1)])

    def test_text_with_pipes_is_no_table(self):
        text = "a | b\nc | d\n"
        self.assertEqual(markup.with_html_tables(text), text)


class HeadingsTest(unittest.TestCase):
    def test_levels_do_not_count(self):
        self.assertEqual(metrics.score("# One\ntext\n## Two\n", "#### One ####\ntext\n# Two\n").mhs, 1)

    def test_a_missing_heading_costs_its_node_and_the_text_between(self):
        # Root, two headings, two texts; the output has one heading, and one text of "of a", "Two" and "of b".
        scores = metrics.score("# One\nof a\n# Two\nof b", "# One\nof a\n**Two**\nof b")
        self.assertAlmostEqual(scores.mhs_s, 1 - 2 / 5)
        self.assertLess(scores.mhs, scores.mhs_s)

    def test_text_belongs_to_the_heading_before_it(self):
        # Of root, heading and text, the heading is renamed, and another one is inserted.
        scores = metrics.score("# III.\nbody", "# III.\n# Part\nbody")
        self.assertAlmostEqual(scores.mhs, 1 - 2 / 4)
        self.assertAlmostEqual(scores.mhs_s, 1 - 1 / 4)

    def test_no_heading_at_all_scores_zero(self):
        self.assertEqual(metrics.score("# One\ntext", "**One**\ntext").mhs, 0)

    def test_swapped_sections_keep_the_structure(self):
        scores = metrics.score("# One\nlamps\n# Two\nwicks", "# Two\nwicks\n# One\nlamps")
        self.assertEqual(scores.mhs_s, 1)
        self.assertLess(scores.mhs, 1)
        self.assertLess(scores.nid, 1)

    def test_white_space_in_headings_does_not_count(self):
        self.assertEqual(metrics.score("# 6.2 Waste\n", "# 6.2   Waste\n").mhs, 1)


if __name__ == "__main__":
    unittest.main()
