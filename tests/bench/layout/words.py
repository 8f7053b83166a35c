"""Normalization of texts for comparison."""

import re
import unicodedata

# Chinese and Japanese have no spaces: each character counts as a word.
SINGLE = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
WORD = re.compile(rf"[{SINGLE}]|[^\s{SINGLE}]+")
BESIDE_SINGLE = re.compile(rf"(?<=[{SINGLE}、。])\s+|\s+(?=[{SINGLE}、。])")
# Markers before items and headings that come from numbering: bullets, "1.", "2.3", "(a)", "iv)".
MARKER = re.compile(
    r"^(?:[^\w\s(]{1,2}|o|\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})[.)]|\d{1,3}(?:\.\d{1,3})+[.)]?|\d{1,2})\s+", re.IGNORECASE
)
# Single quotes, double quotes, hyphens and dashes.
LOOKALIKES = {
    **dict.fromkeys((0x2018, 0x2019, 0x201A), "'"),
    **dict.fromkeys((0x201C, 0x201D, 0x201E), '"'),
    **dict.fromkeys(range(0x2010, 0x2016), "-"),
}


def plain(text: str) -> str:
    """The text in NFKC with single spaces, ASCII quotes and dashes, and no invisible characters."""
    text = unicodedata.normalize("NFKC", text).translate(LOOKALIKES)
    text = "".join(character for character in text if unicodedata.category(character) not in ("Cf", "Co"))
    return BESIDE_SINGLE.sub("", " ".join(text.split()))


def unmarked(text: str) -> str:
    """The normalized text of an item or heading without its marker or number, which may be text or automatic."""
    return MARKER.sub("", plain(text))


def words(text: str) -> list[str]:
    """The words of a text without surrounding punctuation; words without letters and digits are dropped."""
    return [word for found in WORD.findall(plain(text)) if (word := bare(found))]


def bare(word: str) -> str:
    start, end = 0, len(word)
    while start < end and not is_word_character(word[start]):
        start += 1
    while end > start and not is_word_character(word[end - 1]):
        end -= 1
    return word[start:end]


def is_word_character(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"
