"""Normalization makes only equivalent texts equal."""

import unittest

from words import plain, unmarked, words


class WordsTest(unittest.TestCase):
    def test_typography_is_ignored(self):
        self.assertEqual(plain("ﬁne\u00a0 “lamp” \u2013\n it\u00ads x²"), 'fine "lamp" - its x2')
        self.assertEqual(plain("ﺍﻟﻘﺎﺭﺏ\u200f"), "القارب")
        self.assertEqual(plain("船在 傍晚。\n回到"), "船在傍晚。回到")

    def test_words_and_numbers_matter(self):
        self.assertNotEqual(plain("4.20"), plain("42.0"))
        self.assertNotEqual(plain("exam- ple"), plain("example"))
        self.assertNotEqual(plain("Lamp"), plain("lamp"))

    def test_words_exclude_surrounding_punctuation(self):
        self.assertEqual(words("“Well-known” (4.20), • \u2013 it's."), ["Well-known", "4.20", "it's"])
        self.assertEqual(words("船在 port 回。"), ["船", "在", "port", "回"])

    def test_list_markers_and_numbering_are_removed(self):
        markers = ("•", "-", "1.", "2.3", "2.3.1.", "(a)", "b)", "iv.", "3", "o")
        self.assertEqual({unmarked(f"{marker} Lamp") for marker in markers}, {"Lamp"})

    def test_marker_lookalikes_are_kept(self):
        for text in ("A lamp", "I see", "2024 was dark", "Mix. Then", "or not", "1.5", "Chapter 1: lamp"):
            self.assertEqual(unmarked(text), text)


if __name__ == "__main__":
    unittest.main()
