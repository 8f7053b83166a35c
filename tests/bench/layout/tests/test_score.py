"""Each measure is 1 for the truth itself and decreases only when its property is damaged."""

import copy
import unittest
from collections.abc import Callable
from typing import Any

import model
from score import MEASURES, score

TRUTH: dict[str, Any] = {
    "blocks": [
        {"type": "heading", "level": 1, "text": "1 Care of the lamp"},
        {"type": "paragraph", "text": "The lamp is cleaned every Monday before sunrise, when the glass is cold."},
        {"type": "paragraph", "text": "Nobody climbs the stairs after dark without a second lantern."},
        {"type": "heading", "level": 2, "text": "Tools"},
        {
            "type": "list",
            "items": [
                {"level": 0, "text": "Soft cloth"},
                {"level": 1, "text": "Grey for brass"},
                {"level": 0, "text": "Clean spirit"},
            ],
        },
        {
            "type": "table",
            "rows": [["Line", "Times", ""], ["", "Early", "Late"], ["A", "07:15", "18:05"], ["B", "09:40", "21:10"]],
            "merges": [[0, 1, 0, 2], [0, 0, 1, 0]],
        },
        {"type": "image"},
        {"type": "paragraph", "text": "Write the date into the log beside the door."},
        {"type": "footnote", "text": "The log is blue."},
    ],
    "links": ["https://example.org/a", "https://example.org/b"],
    "header": "Handbook of the light",
    "footer": "Sheet {PAGE}",
}
PARAGRAPHS = (1, 2)
LIST, TABLE, IMAGE = 4, 5, 6

INVENTED = {"type": "heading", "level": 1, "text": "Write the date into the log beside the door."}

Damage = Callable[[dict[str, Any]], object]


def swap_words(document: dict[str, Any]) -> None:
    first = document["blocks"][1]["text"]
    document["blocks"][1]["text"] = " ".join(reversed(first.split()))


def lose_words(document: dict[str, Any]) -> None:
    document["blocks"][1]["text"] = document["blocks"][1]["text"].replace("before sunrise, ", "")


def double_words(document: dict[str, Any]) -> None:
    document["blocks"][7]["text"] += " Handbook of the light"


def swap_paragraphs(document: dict[str, Any]) -> None:
    blocks = document["blocks"]
    blocks[1], blocks[2] = blocks[2], blocks[1]


def glue(document: dict[str, Any]) -> None:
    second = document["blocks"].pop(2)
    document["blocks"][1]["text"] += " " + second["text"]


def split(document: dict[str, Any]) -> None:
    words = document["blocks"][1]["text"].split()
    halves = (" ".join(words[:5]), " ".join(words[5:]))
    document["blocks"][1:2] = [{"type": "paragraph", "text": half} for half in halves]


def move_cell(document: dict[str, Any]) -> None:
    rows = document["blocks"][TABLE]["rows"]
    rows[2][1], rows[2][2] = rows[2][2], rows[2][1]


def put(*path: str | int, to: object) -> Damage:
    def change(document: dict[str, Any]) -> None:
        value: Any = document
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


def flatten_table(document: dict[str, Any]) -> None:
    texts = [text for row in document["blocks"][TABLE]["rows"] for text in row if text]
    document["blocks"][TABLE : TABLE + 1] = [{"type": "paragraph", "text": text} for text in texts]


def split_table(document: dict[str, Any]) -> None:
    rows = document["blocks"][TABLE]["rows"]
    halves = [{"type": "table", "rows": rows[:2]}, {"type": "table", "rows": rows[2:]}]
    document["blocks"][TABLE : TABLE + 1] = halves


def flatten_heading(document: dict[str, Any]) -> None:
    document["blocks"][0]["type"] = "paragraph"


def flatten_list(document: dict[str, Any]) -> None:
    texts = [item["text"] for item in document["blocks"][LIST]["items"]]
    document["blocks"][LIST : LIST + 1] = [{"type": "paragraph", "text": text} for text in texts]


def invent_table(document: dict[str, Any]) -> None:
    halves = [document["blocks"].pop(1)["text"], document["blocks"].pop(1)["text"]]
    document["blocks"].insert(1, {"type": "table", "rows": [halves]})


# Damages, and the measures that they decrease; all others stay 1.
CASES: list[tuple[str, Damage, set[str]]] = [
    ("words out of place", swap_words, {"order"}),
    ("words lost", lose_words, {"order"}),
    ("words doubled", double_words, {"order"}),
    ("paragraphs in another order", swap_paragraphs, {"order", "paragraphs"}),
    ("two paragraphs glued", glue, {"paragraphs"}),
    ("a paragraph split", split, {"paragraphs"}),
    ("a cell in another column", move_cell, {"order", "cells"}),
    ("a merge lost", put("blocks", TABLE, "merges", to=[[0, 0, 1, 0]]), {"cells"}),
    ("a cell's text changed", put("blocks", TABLE, "rows", 2, 0, to="C"), {"order", "cells"}),
    ("a table as paragraphs", flatten_table, {"cells"}),
    ("a table in two", split_table, {"cells"}),
    ("paragraphs as a table", invent_table, {"cells"}),
    ("a heading's level", put("blocks", 3, "level", to=3), {"headings"}),
    ("a heading as a paragraph", flatten_heading, {"headings"}),
    ("a paragraph as a heading", put("blocks", 7, to=INVENTED), {"headings"}),
    ("an item missing", lambda document: document["blocks"][LIST]["items"].pop(), {"order", "paragraphs", "items"}),
    ("an item's level", put("blocks", LIST, "items", 1, "level", to=0), {"items"}),
    ("items as paragraphs", flatten_list, {"items"}),
    ("an image missing", lambda document: document["blocks"].pop(IMAGE), {"images"}),
    ("an image twice", lambda document: document["blocks"].append({"type": "image"}), {"images"}),
    ("a link missing", lambda document: document["links"].pop(), {"links"}),
    ("a link elsewhere", put("links", 0, to="https://example.org/c"), {"links"}),
    ("a link twice", lambda document: document["links"].append("https://example.org/a"), {"links"}),
    ("the header lost", put("header", to=None), {"margins"}),
    ("the footer changed", put("footer", to="Sheet 1"), {"margins"}),
    ("a note lost", lambda document: document["blocks"].pop(), {"margins", "order", "paragraphs"}),
]


class ScoreTest(unittest.TestCase):
    def test_truth_scores_full_marks(self):
        truth = model.from_json(TRUTH)
        result = score(truth, truth)
        self.assertEqual({measure: result.value(measure) for measure in MEASURES}, dict.fromkeys(MEASURES, 1.0))

    def test_each_damage_lowers_only_its_measures(self):
        for name, damage, fall in CASES:
            with self.subTest(name):
                document = copy.deepcopy(TRUTH)
                damage(document)
                result = score(model.from_json(TRUTH), model.from_json(document))
                fallen = {measure for measure in MEASURES if result.value(measure) < 1}
                self.assertEqual(fallen, fall)

    def test_each_measure_is_lowered_by_at_least_one_case(self):
        self.assertEqual(set().union(*(fall for _, _, fall in CASES)), set(MEASURES))

    def test_empty_output_scores_zero(self):
        result = score(model.from_json(TRUTH), model.Document())
        self.assertEqual({measure: result.value(measure) for measure in MEASURES}, dict.fromkeys(MEASURES, 0.0))

    def test_absent_properties_are_not_measured(self):
        document = model.Document([model.Paragraph("A single sentence.")])
        result = score(document, document)
        values = {measure: result.value(measure) for measure in MEASURES}
        self.assertEqual(values, {**dict.fromkeys(MEASURES), "order": 1.0})

    def test_invented_content_scores_zero(self):
        truth = model.Document([model.Paragraph("A single sentence.")])
        output = model.Document([model.table([["A single", "sentence."]]), model.Image()], ["https://example.org/"])
        result = score(truth, output)
        self.assertEqual([result.value(measure) for measure in ("order", "cells", "images", "links")], [1.0, 0, 0, 0])

    def test_repeated_content_is_counted_by_multiplicity(self):
        table, heading = model.table([["A", "B"]]), model.Heading(1, "Lamp")
        once, twice = model.Document([table, heading]), model.Document([table, heading] * 2)
        for truth, output, wanted in ((twice, once, (2, 0, 2)), (once, twice, (2, 2, 0)), (twice, twice, (4, 0, 0))):
            result = score(truth, output)
            self.assertEqual(tuple(vars(result.cells).values()), wanted)
            self.assertEqual(tuple(2 * value for value in vars(result.headings).values()), wanted)

    def test_values_match_the_formulas(self):
        truth = model.Document([model.Paragraph("one two three four"), model.Paragraph("five six")])
        output = model.Document(
            [model.Paragraph("one two"), model.Paragraph("four three"), model.Paragraph("five six")]
        )
        result = score(truth, output)
        # Five of six words are aligned on each side; one boundary is correct and one superfluous.
        self.assertAlmostEqual(result.order, 10 / 12)
        self.assertEqual(vars(result.paragraphs), {"hits": 1, "extra": 1, "missed": 0})
        self.assertAlmostEqual(result.paragraphs.f1, 2 / 3)


if __name__ == "__main__":
    unittest.main()
