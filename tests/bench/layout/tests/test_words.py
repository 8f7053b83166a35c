"""Texts that a reader would call the same are equal, and no others."""

import unittest

from words import plain, unmarked, words


class WordsTest(unittest.TestCase):
    def test_looks_do_not_matter(self):
        self.assertEqual(plain("ﬁne\u00a0 “lamp” \u2013\n it\u00ads x²"), 'fine "lamp" - its x2')
        self.assertEqual(plain("ﺍﻟﻘﺎﺭﺏ\u200f"), "القارب")
        self.assertEqual(plain("船在 傍晚。\n回到"), "船在傍晚。回到")

    def test_words_and_figures_do(self):
        self.assertNotEqual(plain("4.20"), plain("42.0"))
        self.assertNotEqual(plain("exam- ple"), plain("example"))
        self.assertNotEqual(plain("Lamp"), plain("lamp"))

    def test_a_word_is_without_the_punctuation_around_it(self):
        self.assertEqual(words("“Well-known” (4.20), • \u2013 it's."), ["Well-known", "4.20", "it's"])
        self.assertEqual(words("船在 port 回。"), ["船", "在", "port", "回"])

    def test_markers_and_numbers_are_left_out(self):
        markers = ("•", "-", "1.", "2.3", "2.3.1.", "(a)", "b)", "iv.", "3", "o")
        self.assertEqual({unmarked(f"{marker} Lamp") for marker in markers}, {"Lamp"})

    def test_what_only_looks_like_a_marker_stays(self):
        for text in ("A lamp", "I see", "2024 was dark", "Mix. Then", "or not", "1.5", "Chapter 1: lamp"):
            self.assertEqual(unmarked(text), text)


if __name__ == "__main__":
    unittest.main()
