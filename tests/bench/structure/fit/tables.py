"""Fits the weights of table candidates: `tables.py BENCHMARKS --odl DIR --icdar DIR --own TAGGED UNTAGGED`.

DIR holds conversions. TAGGED is the same for own documents with tags, whose tables are
the truth of the reading without tags.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from common import Candidate, Document, Weights, fit, folds, load
from lxml import etree, html

UNUSED = {"row_count", "column_count"}
SEEDS = 4
FOLDS = 5
# A missed table costs more than a false one.
RIGHT = 4.0
# The fit gives columns of amounts no weight: the tables of the documents that have them are found by other features.
# They have no index.
BY_HAND = {"amounts": 1.5, "continued": -6.0}
# Advantage of an e-fold area among overlapping candidates.
LARGER = 0.5


@dataclass
class Truth:
    bounds: tuple[float, ...]
    rows: int
    columns: int


def odl(documents: list[Document], benchmarks: Path) -> dict[tuple[str, int], list[Truth]]:
    elements = json.loads((benchmarks / "odl/elements.json").read_text())
    found = {}
    for document in documents:
        for element in elements[f"{document.name}.pdf"]["elements"]:
            if element["category"] == "Table":
                size = document.pages[element["page"] - 1]["size"]
                xs = [corner["x"] * size["width"] for corner in element["coordinates"]]
                ys = [corner["y"] * size["height"] for corner in element["coordinates"]]
                rows = html.fragment_fromstring(f"<table>{element['content']['html']}</table>").xpath(".//tr")
                columns = max((sum(int(cell.get("colspan", 1)) for cell in row) for row in rows), default=0)
                truth = Truth((min(xs), min(ys), max(xs), max(ys)), len(rows), columns)
                found.setdefault((document.name, element["page"]), []).append(truth)
    return found


def icdar(documents: list[Document], benchmarks: Path) -> dict[tuple[str, int], list[Truth]]:
    found = {}
    for document in documents:
        structure = etree.parse(next((benchmarks / "icdar2013").rglob(f"{document.name}-str.xml")))
        places = etree.parse(next((benchmarks / "icdar2013").rglob(f"{document.name}-reg.xml")))
        shapes = {element.get("id"): list(element.iter("cell")) for element in structure.iter("table")}
        for element in places.iter("table"):
            cells = shapes.get(element.get("id"), [])
            most = lambda name, cells=cells: max(  # noqa: E731
                (int(cell.get(f"end-{name}") or cell.get(f"start-{name}")) for cell in cells), default=0
            )
            for region in element.iter("region"):
                page = int(region.get("page"))
                height = document.pages[page - 1]["size"]["height"]
                corner = {name: float(value) for name, value in region.find("bounding-box").attrib.items()}
                bounds = (corner["x1"], height - corner["y2"], corner["x2"], height - corner["y1"])
                found.setdefault((document.name, page), []).append(Truth(bounds, most("row") + 1, most("col") + 1))
    return found


def own(tagged: list[Document]) -> dict[tuple[str, int], list[Truth]]:
    found = {}

    def note(key: tuple[str, int], blocks: list[dict]) -> None:
        for block in blocks:
            if block["type"] == "table" and block.get("bounds"):
                bounds = tuple(block["bounds"][side] for side in ("left", "top", "right", "bottom"))
                found.setdefault(key, []).append(Truth(bounds, block["rows"], len(block["widths"])))
            for cell in block.get("cells", []):
                note(key, cell["blocks"])

    for document in tagged:
        for page in document.pages:
            note((document.name, page["number"]), page["blocks"])
    return found


def quality(candidate: Candidate, truth: Truth) -> float:
    """Overlap times agreement of rows and columns."""
    one, other = candidate.bounds, truth.bounds
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0.0) * max(height, 0.0)
    area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - shared
    ratio = lambda one, other: min(one, other) / max(one, other, 1)  # noqa: E731
    rows = ratio(candidate.features["row_count"], truth.rows)
    columns = ratio(candidate.features["column_count"], truth.columns)
    return shared / max(area, 1.0) * (0.2 + 0.8 * rows * columns**2)


def label(documents: list[Document], truths: dict[tuple[str, int], list[Truth]]) -> tuple[list[Candidate], list[float]]:
    """The best candidates of each true table are right; worse ones of the same table are wrong."""
    found, missed = [], []
    for document in documents:
        # Reading order has candidates of tables of its own.
        document.candidates = [[c for c in page if "row_count" in c.features] for page in document.candidates]
        for number, candidates in enumerate(document.candidates, 1):
            best = {}
            for truth in truths.get((document.name, number), []):
                values = [quality(candidate, truth) for candidate in candidates]
                missed.append(max(values, default=0.0))
                for candidate, value in zip(candidates, values, strict=True):
                    share, near = best.get(id(candidate), (0.0, 0.0))
                    best[id(candidate)] = (max(share, value / max(*values, 1e-9)), max(near, value))
            for candidate in candidates:
                share, value = best.get(id(candidate), (0.0, 0.0))
                candidate.label = value > 0.3 and share > 0.97
                candidate.quality = value
                candidate.weight = RIGHT if candidate.label else 1.0 if value < 0.15 else 0.5 if share < 0.85 else 0.0
                found.append(candidate)
    return found, missed


def chosen(candidates: list[Candidate], values: np.ndarray) -> list[bool]:
    """The arbiter: the best that do not overlap."""
    kept, result = [], [False] * len(candidates)
    area = [(c.bounds[2] - c.bounds[0]) * (c.bounds[3] - c.bounds[1]) for c in candidates]
    for index in np.argsort(-values - LARGER * np.log(np.maximum(area, 1.0))):
        box = candidates[index].bounds
        apart = all(
            min(box[2], other[2]) - max(box[0], other[0]) < 2 or min(box[3], other[3]) - max(box[1], other[1]) < 2
            for other in kept
        )
        if values[index] > 0 and apart:
            kept.append(box)
            result[index] = True
    return result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("--odl", type=Path)
    parser.add_argument("--icdar", type=Path)
    parser.add_argument("--own", type=Path, nargs=2, action="append", default=[])
    parser.add_argument("--strength", type=float, default=40.0)
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--per", action="store_true")
    arguments = parser.parse_args()
    sets = []
    if arguments.odl:
        documents = load(arguments.odl, "table")
        sets.append(("odl", documents, odl(documents, arguments.benchmarks)))
    if arguments.icdar:
        documents = load(arguments.icdar, "table")
        sets.append(("icdar", documents, icdar(documents, arguments.benchmarks)))
    for tagged, untagged in arguments.own:
        sets.append(("own", load(untagged, "table"), own(load(tagged, "table"))))
    data, pages = [], []
    for name, documents, truths in sets:
        found, best = label(documents, truths)
        right = sum(candidate.label for candidate in found)
        print(f"{name}: {len(found)} candidates, {right} right; generators reach {np.mean(best):.3f} of {len(best)}")
        for candidate in found:
            candidate.weight *= {"own": 0.5}.get(name, 1.0)
            candidate.group = f"{name} {candidate.group if name == 'odl' else candidate.document}"
        data += found
        for document in documents:
            pages += [(name, document.name, number, page) for number, page in enumerate(document.candidates, 1)]
        if arguments.per:
            for (document, page), tables in sorted(truths.items()):
                candidates = next((d.candidates for d in documents if d.name == document), [])
                here = candidates[page - 1] if page <= len(candidates) else []
                values = [max((quality(c, t) for c in here), default=0.0) for t in tables]
                if values and min(values) < 0.8:
                    print("   ", document, page, [round(v, 2) for v in values], [(t.rows, t.columns) for t in tables])
    names = [name for name in data[0].features if name not in UNUSED | set(arguments.without)]
    used = [candidate for candidate in data if candidate.weight > 0]
    outcomes = []
    for seed in range(SEEDS):
        place = folds([candidate.group for candidate in data], FOLDS, seed)
        held = {}
        for fold in range(FOLDS):
            weights = fitted([c for c in used if place[c.group] != fold], names, arguments.strength)
            test = [c for c in data if place[c.group] == fold]
            held.update({id(c): v for c, v in zip(test, weights.scores(test), strict=True)} if test else {})
        outcomes.append(outcome(pages, held))
    print("cross-validated:", outcome_text(outcomes))
    weights = fitted(used, names, arguments.strength)
    held = {id(c): v for c, v in zip(data, weights.scores(data), strict=True)}
    print("fitted on all:", outcome_text([outcome(pages, held, arguments.per)]))
    print(weights.table("TABLE"))


def fitted(candidates: list[Candidate], names: list[str], strength: float) -> Weights:
    weights = fit(candidates, names, strength)
    for name in BY_HAND.keys() & set(names):
        weights.replace(name, BY_HAND[name])
    return weights


def outcome(pages: list, held: dict[int, float], per: bool = False) -> dict[str, list[float]]:
    """By set: tables found right, wrong choices, and sum of quality."""
    result = {}
    for name, document, number, page in pages:
        if not page:
            continue
        right, false, value = result.get(name, (0, 0, 0.0))
        picks = chosen(page, np.array([held[id(candidate)] for candidate in page]))
        for candidate, pick in zip(page, picks, strict=True):
            right += pick and candidate.quality > 0.3
            false += pick and candidate.quality <= 0.3
            value += candidate.quality * pick
            if per and pick and candidate.quality <= 0.3:
                print("    false", name, document, number, candidate.bounds)
        result[name] = (right, false, value)
    return result


def outcome_text(outcomes: list[dict]) -> str:
    parts = []
    for name in outcomes[0]:
        right, false, value = np.mean([outcome[name] for outcome in outcomes], axis=0)
        parts.append(f"{name} right {right:.1f} false {false:.1f} quality {value:.2f}")
    return "; ".join(parts)


if __name__ == "__main__":
    main()
