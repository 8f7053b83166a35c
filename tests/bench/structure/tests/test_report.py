"""Documents are found, converted, counted and reported, with failures as empty outputs."""

import json
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import documents
import gallery
import summary
import tools
from documents import Document

TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
TRUTH = '<document><table><cell start-row="0" start-col="0"><content>a</content></cell></table></document>'
# Ends at document `two`, and writes no output for `three`.
LIBRARY = """import pathlib, sys
for source in map(pathlib.Path, sys.argv[4:]):
    print(f"converting {source}", flush=True)
    if source.stem == "two":
        sys.exit("cause")
    if source.stem == "one":
        pathlib.Path(sys.argv[2], source.stem + sys.argv[3]).touch()
"""


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.place = Path(self.enterContext(TemporaryDirectory()))
        self.odl = [self.document("one", "# One\n\ntext\n"), self.document("two", TABLE)]
        self.icdar = [self.document("three", TRUTH)]

    def document(self, name, truth):
        pdf, path = self.place / f"{name}.pdf", self.place / f"{name}.truth"
        pdf.write_text(truth, encoding="utf-8")
        path.write_text(truth, encoding="utf-8")
        return Document(name, pdf, path, 1)

    def results(self, name, script):
        """The results of a program that gets the source as third and the target as fourth argument."""
        program = self.place / name
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        converter = tools.Converter(".md", tools.by_program(str(program), ".md"))
        return documents.convert_all(
            tools.Tool(name, "", converter, converter), self.odl, self.icdar, self.place / "outputs"
        )

    def test_a_copy_of_the_ground_truth_is_perfect(self):
        figures = summary.summarize(self.results("copy", 'cp "$3" "$4"'))
        self.assertEqual((figures["overall"], figures["falseTables"], figures["failed"]), (1, 0, 0))
        self.assertEqual((figures["headings"], figures["trueHeadings"]), (0.5, 0.5))
        self.assertGreater(figures["cpu"], 0)

    def test_failures_count_as_empty_outputs(self):
        result = self.results("broken", "echo cause; exit 3")
        figures = summary.summarize(result)
        self.assertEqual((figures["overall"], figures["f1"], figures["failed"]), (0, 0, 3))
        self.assertIn("one: status 3, printed ['cause']", result.failures())

    def test_false_tables_are_counted_by_document(self):
        result = self.results("tables", f"printf '{TABLE}' > \"$4\"".replace("\n", "\\n"))
        self.assertEqual(summary.summarize(result)["falseTables"], 1)

    def test_the_report_names_the_best_peer(self):
        results = [
            self.results("Octavo", 'cp "$3" "$4"'),
            self.results("bad", "false"),
            self.results("good", 'cp "$3" "$4"'),
        ]
        summary.write(results, {"good": "1.2"}, self.place)
        report = (self.place / "report.md").read_text(encoding="utf-8")
        self.assertRegex(report, r"\| two \|.*\| 1 \(1\) \| 0 \(0\) \| good \| 1\.000 ")
        content = json.loads((self.place / "results.json").read_text(encoding="utf-8"))
        self.assertEqual(content["versions"], {"good": "1.2"})
        self.assertEqual(len(content["documents"]["bad"]), 3)

    def test_a_library_continues_after_a_document_that_ends_its_process(self):
        script = self.place / "library.py"
        script.write_text(LIBRARY, encoding="utf-8")
        sources = [self.place / f"{name}.pdf" for name in ("two", "one", "three")]
        with mock.patch("tools.LIBRARIES", script):
            batch = tools.library("any", ".md").convert(sources, self.place / "outputs")
        self.assertEqual(batch.errors, {"two": "status 1, printed ['cause']", "three": "no output"})
        self.assertGreater(batch.cpu, 0)

    def test_results_are_shown_without_scripts(self):
        output = self.place / "result.md"
        output.write_text('<script>alert("a")</script>', encoding="utf-8")
        frame = gallery.rendered(output)
        self.assertIn("<iframe sandbox ", frame)
        self.assertNotIn("<script", frame)

    def test_documents_without_ground_truth_are_ignored(self):
        (self.place / "pdf").mkdir()
        (self.place / "pdf" / "one.pdf").touch()
        self.assertEqual(documents.find_icdar(self.place), [])
        self.assertEqual(documents.find_odl(self.place), [])


if __name__ == "__main__":
    unittest.main()
