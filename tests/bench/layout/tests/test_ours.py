"""Octavo's conversions are run and reported, and a round trip passes only with its pages and words."""

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import convert
import memory
import roundtrip

# Copies its source and reports its arguments as warnings.
COPIES = '#!/bin/sh\ncp "$3" "$4"\nprintf \'{"pages": 3, "warnings": %s}\\n\' "$2"\n'


class OursTest(unittest.TestCase):
    def setUp(self):
        self.place = Path(self.enterContext(TemporaryDirectory()))
        self.source = self.place / "lamp.txt"
        self.source.write_text("The lamp is clean.", encoding="utf-8")

    def program(self, script: str) -> str:
        path = self.place / "program"
        path.write_text(script, encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def test_conversion_reports_its_result(self):
        made = convert.to(self.program(COPIES), self.source, self.place / "lamp.md", pages="1")
        self.assertEqual(made.path.read_text(encoding="utf-8"), "The lamp is clean.")
        self.assertEqual((made.pages, made.warnings), (3, [{"operation": "convert", "format": "md", "pages": "1"}]))
        self.assertGreater(made.peak, 0)

    def test_failed_conversion_raises_with_output(self):
        with self.assertRaisesRegex(RuntimeError, "no lamp here"):
            convert.to(self.program("#!/bin/sh\necho no lamp here; exit 1"), self.source, self.place / "lamp.md")

    def test_round_trip_requires_pages_and_words(self):
        for pages, words, lost, holds in (
            ((3, 3), 10, [], True),
            ((3, 4), 2_000, ["lamp", "glass"], True),
            ((3, 5), 10, [], False),
            ((3, 3), 1_999, ["lamp", "glass"], False),
            ((1, 1), 0, [], True),
        ):
            with self.subTest(pages=pages, words=words):
                self.assertEqual(roundtrip.RoundTrip("lamp", True, pages, words, lost, 0).holds, holds)

    def test_memory_documents_have_the_requested_pages(self):
        document = memory.document(12)
        self.assertEqual(document.count(b"/Type/Page/"), 12)
        self.assertIn(b"(Chapter 12) Tj", document)
        place = int(document.split(b"startxref\n")[1].split()[0])
        self.assertTrue(document[place:].startswith(b"xref\n0 28\n"))


if __name__ == "__main__":
    unittest.main()
