"""The bit-parallel alignment is valid and as long as that of the textbook algorithm."""

import random
import unittest

from alignment import align


def longest(truth: list[str], output: list[str]) -> int:
    """The length of the longest common subsequence by dynamic programming."""
    row = [0] * (len(output) + 1)
    for word in truth:
        above, row = row, [0]
        for place, other in enumerate(output):
            row.append(above[place] + 1 if word == other else max(above[place + 1], row[place]))
    return row[-1]


class AlignmentTest(unittest.TestCase):
    def test_length_is_maximal(self):
        source = random.Random(1)  # noqa: S311
        for _ in range(300):
            truth, output = ([source.choice("abcdef") for _ in range(source.randrange(40))] for _ in range(2))
            pairs = align(truth, output)
            self.assertEqual(len(pairs), longest(truth, output))
            self.assertTrue(all(truth[here] == output[there] for here, there in pairs.items()))
            places = sorted(pairs.items())
            self.assertEqual([there for _, there in places], sorted({there for _, there in places}))

    def test_more_words_than_machine_word_bits(self):
        words = [str(number) for number in range(1000)]
        self.assertEqual(align(words, words), {place: place for place in range(1000)})
        self.assertEqual(len(align(words, words[500:] + words[:500])), 500)


if __name__ == "__main__":
    unittest.main()
