"""Generated documents are deterministic, and the held-out set shares nothing with the tuning set."""

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import model
from truth import sets
from units import flow


class SetsTest(unittest.TestCase):
    def setUp(self):
        self.place = Path(self.enterContext(TemporaryDirectory()))

    def test_output_is_deterministic(self):
        for kind in sets.DESIGNS:
            made = sets.generate(kind, self.place / "one" / kind)
            again = sets.generate(kind, self.place / "two" / kind)
            self.assertEqual([path.read_bytes() for path in made], [path.read_bytes() for path in again])

    def test_no_sentence_is_in_both_sets(self):
        texts = {kind: set(self.paragraphs(kind)) for kind in sets.DESIGNS}
        self.assertTrue(all(len(found) > 50 for found in texts.values()))
        self.assertEqual(texts["tune"] & texts["kept"], set())

    def test_each_set_covers_all_features(self):
        for kind, designs in sets.DESIGNS.items():
            documents = [model.load(path.with_suffix(".json")) for path in sets.generate(kind, self.place / kind)]
            blocks = [block for document in documents for block in document.blocks]
            self.assertGreaterEqual(len(designs), 12)
            self.assertEqual({type(block) for block in blocks}, set(model.Block.__args__))
            self.assertTrue(any(document.links for document in documents))
            self.assertTrue(any(document.header and document.footer for document in documents))
            self.assertTrue(
                any(cell.rows > 1 for block in blocks if isinstance(block, model.Table) for cell in block.cells)
            )

    def test_design_names_are_unique(self):
        names = [design[0] for designs in sets.DESIGNS.values() for design in designs]
        writers = [design[-1] for designs in sets.DESIGNS.values() for design in designs]
        self.assertEqual((len(set(names)), len(set(writers))), (len(names), len(names)))

    def test_copies_have_different_text(self):
        name = sets.DESIGNS["tune"][0][0]
        sets.generate("tune", self.place, copies=2)
        one, two = (flow(model.load(self.place / f"{name}-{copy}.json")).words for copy in (1, 2))
        self.assertNotEqual(one, two)

    def paragraphs(self, kind: str) -> list[str]:
        documents = [model.load(path.with_suffix(".json")) for path in sets.generate(kind, self.place / kind)]
        return [block.text for document in documents for block in document.blocks if isinstance(block, model.Paragraph)]


if __name__ == "__main__":
    unittest.main()
