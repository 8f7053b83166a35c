"""Random sentences from a seed, with enough different words that no two passages are equal."""

import json
import random
from pathlib import Path

LISTS = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
WORDS = {language: words.split() for language, words in LISTS.items()}
SOFT_HYPHEN = "\u00ad"
FULL_STOP = {"zh": "。", "ja": "。"}
UNSPACED = ("zh", "ja")


class Prose:
    """Draws random words of a language; `hyphenate` adds soft hyphens at the marked positions (`light|house`)."""

    def __init__(self, seed: str, language: str, *, hyphenate: bool = False):
        self.random = random.Random(seed)  # noqa: S311 # a document is no secret
        self.language = language
        self.between = SOFT_HYPHEN if hyphenate else ""
        self.space = "" if language in UNSPACED else " "

    def word(self) -> str:
        """A word, or occasionally a unique number."""
        if self.random.random() < 0.07:
            return str(self.random.randrange(100, 10_000))
        return self.random.choice(WORDS[self.language]).replace("|", self.between)

    def title(self, least: int = 2, most: int = 5) -> str:
        words = [self.plain_word() for _ in range(self.random.randint(least, most))]
        return upper(self.space.join(words))

    def plain_word(self) -> str:
        return self.random.choice(WORDS[self.language]).replace("|", "")

    def sentence(self, least: int = 6, most: int = 14) -> str:
        words = [self.word() for _ in range(self.random.randint(least, most))]
        return upper(self.space.join(words)) + FULL_STOP.get(self.language, ".")

    def text(self, least: int = 2, most: int = 5) -> str:
        return self.space.join(self.sentence() for _ in range(self.random.randint(least, most)))

    def amount(self) -> str:
        return f"{self.random.randrange(1, 2000)}.{self.random.randrange(100):02}"

    def rows(self, count: int, columns: int, header: bool = True) -> list[list[str]]:
        """Rows of a short text and amounts, below a header row."""
        head = [[self.title(1, 2) for _ in range(columns)]] if header else []
        return head + [[self.title(1, 3), *(self.amount() for _ in range(columns - 1))] for _ in range(count)]


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]
