"""Differences of pages, words and pixels are found, and explained only by rules that apply."""

import unittest
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from compare import Difference, compare
from expected import RULES, Result, explanation, shows_cut_cells, shows_the_name


def write(path: Path, texts: tuple[str, ...], width: int) -> Path:
    """Writes a PDF with a page for each text; readers rebuild its missing cross-reference table."""
    font = "<</Font<</F <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    pages = [f"<</Type/Page/Parent 2 0 R/Resources {font}/Contents {at + 10} 0 R>>" for at in range(3, 3 + len(texts))]
    contents = [f"BT /F 24 Tf 20 100 Td ({text}) Tj ET" for text in texts]
    kids = " ".join(f"{at} 0 R" for at in range(3, 3 + len(texts)))
    tree = f"<</Type/Pages/Count {len(texts)}/Kids[{kids}]/MediaBox[0 0 {width} 200]>>"
    objects = dict(enumerate(["<</Type/Catalog/Pages 2 0 R>>", tree, *pages], 1))
    objects |= {at: f"<</Length {len(text)}>> stream\n{text}\nendstream" for at, text in enumerate(contents, 13)}
    body = "\n".join(f"{number} 0 obj {text} endobj" for number, text in objects.items())
    path.write_text(f"%PDF-1.4\n{body}\ntrailer <</Root 1 0 R>>\n%%EOF", encoding="ascii")
    return path


class CompareTest(unittest.TestCase):
    def compare(self, *texts: str, width: int = 300) -> Difference:
        place = Path(self.enterContext(TemporaryDirectory()))
        plain = write(place / "plain.pdf", ("red lamp", "blue lamp"), 300)
        return compare(plain, write(place / "ours.pdf", texts, width))

    def test_equal_pdfs_do_not_differ(self):
        found = self.compare("red lamp", "blue lamp")
        self.assertEqual((bool(found), found.pages), (False, (2, 2)))

    def test_each_occurrence_of_a_word_counts(self):
        found = self.compare("red lamp", "blue glass glass")
        self.assertEqual((found.missing, found.added), (Counter(lamp=1), Counter(glass=2)))

    def test_pages_are_counted(self):
        self.assertEqual(self.compare("red lamp").pages, (2, 1))

    def test_the_page_with_the_most_different_pixels_is_found(self):
        found = self.compare("lamp red", "blue lamp")
        self.assertEqual((found.missing, found.page), (Counter(), 1))
        self.assertGreater(found.pixels, 0.001)

    def test_pages_of_different_size_are_not_compared(self):
        found = self.compare("red lamp", "blue lamp", width=400)
        self.assertEqual((found.resized, found.pixels), (1, 0))

    def test_divided_words_are_not_lost(self):
        self.assertFalse(Difference(missing=Counter(["lamp-shade"]), added=Counter(["lamp", "shade"])).lost)
        self.assertEqual(Difference(missing=Counter(["lamp"]), added=Counter(["lam"])).lost, Counter("p"))

    def test_only_known_differences_are_explained(self):
        def of(name: str, missing: str, added: str) -> str:
            words = Counter(missing.split()), Counter(added.split())
            return explanation(Result(Path(name), difference=Difference((1, 1), *words)))

        self.assertEqual(of("lamp.xlsx", "", "whole"), RULES[shows_cut_cells])
        self.assertEqual(of("lamp.docx", "lamp.docx", "document.docx"), RULES[shows_the_name])
        self.assertEqual({of("lamp.xlsx", "whole", ""), of("lamp.docx", "", "whole")}, {""})
        self.assertEqual({of("lamp.docx", "lamp.docx", "glass"), of("lamp.docx", "glass", "document.docx")}, {""})
        self.assertEqual(explanation(Result(Path("lamp.xlsx"), error="failed")), "")


if __name__ == "__main__":
    unittest.main()
