"""Fits the weights of headings.

    python headings.py OUTPUT BENCHMARKS [OWN TRUTH]

OUTPUT and OWN hold the conversions of the documents of opendataloader-bench in BENCHMARKS and of generated documents,
whose truth is `NAME.json` in TRUTH. Prints cross-validated figures and the table of weights.
"""

import json
import sys
from functools import cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import common

import markup
import metrics

STRENGTH = 6.0
SEEDS = 6
FOLDS = 5
OWN_WEIGHT = 0.4
NAMES = [
    *("outlined", "size", "bold", "largest", "style_frequency", "unlike_above", "unlike_below", "gap_difference"),
    *("numbered", "dotted", "known", "caption", "words", "width", "digits", "no_words", "capitalized", "lower"),
    *("sentence", "foot", "entry", "monospaced"),
]
# Added to the base, in every fold too: a missed heading costs more MHS than a false one.
SHIFT = 0.3
# Features that are too rare in the documents for a fit. No document of opendataloader-bench has an outline: this weight
# decides where the other features are even. Those of entries of contents and of monospaced text were set by hand and
# compared with the outlines of manuals of TeX packages. The other weights are those of an earlier fit.
BY_HAND = {"outlined": 3.0, "dotted": 1.94, "no_words": -1.68, "entry": -3.0, "monospaced": -1.5}


def main() -> None:
    output, benchmarks, *own = map(Path, sys.argv[1:])
    documents = common.load(output, "heading")
    elements = json.loads((benchmarks / "odl/elements.json").read_text())
    for document in documents:
        label_by_place(document, elements[f"{document.name}.pdf"]["elements"])
    generated = common.load(own[0], "heading") if own else []
    for document in generated:
        label_by_text(document, json.loads((own[1] / f"{document.name}.json").read_text())["blocks"])
    candidates = [one for document in documents for page in document.candidates for one in page]
    extra = [one for document in generated for page in document.candidates for one in page]
    truths = {one.name: (benchmarks / f"odl/truth/{one.name}.md").read_text() for one in documents}
    results = [validate(documents, candidates, extra, truths, seed) for seed in range(SEEDS)]
    print("cross-validated:", summary(results))
    weights = fit(candidates + extra)
    chosen = {id(one): score for one, score in zip(candidates, weights.scores(candidates), strict=True)}
    print("on all:", summary([figures(documents, candidates, chosen, truths)]))
    print(weights.table("HEADINGS"))


def fit(candidates: list[common.Candidate]) -> common.Weights:
    weights = common.fit(candidates, NAMES, STRENGTH)
    weights.base += SHIFT
    for name, value in BY_HAND.items():
        weights.replace(name, value)
    return weights


def label_by_place(document: common.Document, elements: list[dict]) -> None:
    for number, (page, candidates) in enumerate(zip(document.pages, document.candidates, strict=True), 1):
        here = [element for element in elements if element["page"] == number]
        headings = [place(element, page) for element in here if element["category"].startswith("Heading")]
        contents = [place(element, page) for element in here if element["category"] == "Index"]
        for candidate in candidates:
            shares = [common.overlap(candidate.bounds, heading) for heading in headings]
            candidate.label = any(inside >= 0.5 for inside, _ in shares)
            # Left out: headings read together with other lines, and contents, which are decided before.
            is_merged = any(covered >= 0.5 for _, covered in shares)
            is_entry = any(common.overlap(candidate.bounds, area)[0] >= 0.5 for area in contents)
            candidate.weight = float(candidate.label or not (is_merged or is_entry))


def place(element: dict, page: dict) -> tuple[float, ...]:
    xs = [point["x"] * page["size"]["width"] for point in element["coordinates"]]
    ys = [point["y"] * page["size"]["height"] for point in element["coordinates"]]
    return min(xs), min(ys), max(xs), max(ys)


def label_by_text(document: common.Document, blocks: list[dict]) -> None:
    truth = {plain(block["text"]) for block in blocks if block["type"] == "heading"}
    for page, candidates in zip(document.pages, document.candidates, strict=True):
        texts = {common.box(block["bounds"]): plain(text_of(block)) for block in page["blocks"] if block.get("bounds")}
        for candidate in candidates:
            text = texts.get(candidate.bounds, "")
            candidate.label = any(text.endswith(heading) for heading in truth if heading) and len(text) < 200
            candidate.weight = OWN_WEIGHT


def plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def text_of(block: dict) -> str:
    match block["type"]:
        case "heading" | "paragraph" | "footnote":
            return "".join(run["text"] for run in block["runs"])
        case "list":
            items = block["items"]
            return " ".join(f"{item['marker']} {''.join(run['text'] for run in item['runs'])}" for item in items)
        case "table":
            return " ".join(text_of(inner) for cell in block["cells"] for inner in cell["blocks"])
    return ""


def validate(documents, candidates, extra, truths, seed) -> tuple[float, ...]:
    fold_of = common.folds([one.group for one in documents], FOLDS, seed)
    scores = {}
    for fold in range(FOLDS):
        training = [one for one in candidates if fold_of[one.group] != fold]
        held = [one for one in candidates if fold_of[one.group] == fold]
        weights = fit(training + extra)
        scores |= {id(one): score for one, score in zip(held, weights.scores(held), strict=True)}
    return figures(documents, candidates, scores, truths)


def figures(documents, candidates, scores, truths) -> tuple[float, ...]:
    """MHS, precision and recall."""
    counted = [one for one in candidates if one.weight]
    hits = sum(one.label and scores[id(one)] > 0 for one in counted)
    chosen = sum(scores[id(one)] > 0 for one in counted)
    values = [similarity(truths[one.name], sections(one, scores)) for one in documents]
    return metrics.mean(values), hits / max(chosen, 1), hits / max(sum(one.label for one in counted), 1)


@cache
def tree_of_truth(truth: str) -> metrics.Node:
    return metrics.section_tree(markup.with_html_tables(truth))


@cache
def similarity(truth: str, parts: tuple[tuple[bool, str], ...]) -> float | None:
    root = parent = metrics.Node("document")
    for is_heading, text in parts:
        node = metrics.Node("heading" if is_heading else "text", text)
        (root if is_heading else parent).children.append(node)
        parent = node if is_heading else parent
    return metrics.tree_similarities(tree_of_truth(truth), root, "heading", 1)[0]


def sections(document: common.Document, scores: dict[int, float]) -> tuple[tuple[bool, str], ...]:
    """The text of a document, parted by the chosen headings."""
    parts: list[tuple[bool, str]] = []
    for page, candidates in zip(document.pages, document.candidates, strict=True):
        chosen = {one.bounds for one in candidates if scores[id(one)] > 0}
        for block in [*page.get("header", []), *page["blocks"], *page.get("footer", [])]:
            text, bounds = text_of(block), common.box(block["bounds"]) if block.get("bounds") else None
            if not text.strip():
                continue
            if bounds in chosen:
                parts.append((True, text))
            elif parts and not parts[-1][0]:
                parts[-1] = (False, f"{parts[-1][1]} {text}")
            else:
                parts.append((False, text))
    return tuple(parts)


def summary(results: list[tuple[float, ...]]) -> str:
    mean, deviation = np.mean(results, axis=0), np.std(results, axis=0)
    precision, recall = mean[1:]
    return (
        f"MHS {mean[0]:.4f} (sd {deviation[0]:.4f}), precision {precision:.3f}, recall {recall:.3f}, "
        f"F1 {2 * precision * recall / (precision + recall):.3f}"
    )


if __name__ == "__main__":
    main()
