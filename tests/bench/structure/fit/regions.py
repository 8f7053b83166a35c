"""Fits the weights of the readings of areas with common gaps.

    python regions.py OUTPUT ICDAR BENCHMARKS [OWN TAGGED]... [--wrong]

OUTPUT and ICDAR hold the conversions of the documents of BENCHMARKS; OWN and TAGGED those of generated documents, read
without and with tags. Prints cross-validated figures and the tables of weights; with `--wrong` also the misread areas.
"""

import json
import sys
from itertools import combinations
from pathlib import Path

import common
import numpy as np
from lxml import etree

STRENGTH = 3.0
SEEDS = 6
FOLDS = 5
OWN_WEIGHT = 0.5
# Both are rarer than lines, and mixed columns are worse than parted lines.
BOOST = {"columns": 3.0, "contents": 15.0}
# Gutters of columns before are too rare in the documents for a fit, and they have no index.
BY_HAND = {"columns": {"known": 1.2, "continued": 8.0}, "contents": {}}
# How far an element reaches over a gap that it crosses; height of a paragraph that goes on in the next column. Points.
CROSSED = 6.0
TALL = 60.0
NAMES = {
    "columns": "long ran each staggered pictures numeric mixed known continued",
    "contents": "paged rows",
}


def main() -> None:
    output, icdar, benchmarks, *own = (Path(argument) for argument in sys.argv[1:] if argument != "--wrong")
    areas = []
    elements = json.loads((benchmarks / "odl/elements.json").read_text())
    for document in common.load(output, "columns"):
        areas += label(document, of_benchmark(elements[f"{document.name}.pdf"]["elements"], document.pages))
    for document in common.load(icdar, "columns"):
        regions = of_competition(next(benchmarks.rglob(f"{document.name}-reg.xml")), document.pages)
        areas += label(document, regions)
    for untagged, tagged in zip(own[::2], own[1::2], strict=True):
        read = {document.name: document for document in common.load(tagged, "columns")}
        for document in common.load(untagged, "columns"):
            document.group = document.name.rstrip("-0123456789")
            areas += [scaled(area) for area in label(document, of_blocks(read[document.name].pages))]
    report(areas)
    for kind in NAMES:
        print(fitted(areas, kind).table(kind.upper()))


def of_benchmark(elements: list[dict], pages: list[dict]) -> list[list[tuple]]:
    """The category and the box of each element, by page, in reading order."""
    found = [[] for _ in pages]
    for element in elements:
        size = pages[element["page"] - 1]["size"]
        xs = [point["x"] * size["width"] for point in element["coordinates"]]
        ys = [point["y"] * size["height"] for point in element["coordinates"]]
        found[element["page"] - 1].append((element["category"].lower(), (min(xs), min(ys), max(xs), max(ys))))
    return found


def of_competition(path: Path, pages: list[dict]) -> list[list[tuple]]:
    found = [[] for _ in pages]
    for region in etree.parse(path).iter("region"):
        box, page = region.find("bounding-box"), int(region.get("page")) - 1
        left, low, right, high = (float(box.get(side)) for side in ("x1", "y1", "x2", "y2"))
        height = pages[page]["size"]["height"]
        found[page].append(("table", (left, height - high, right, height - low)))
    return found


def of_blocks(pages: list[dict]) -> list[list[tuple]]:
    boxed = [[block for block in page["blocks"] if block.get("bounds")] for page in pages]
    return [[(block["type"], common.box(block["bounds"])) for block in blocks] for blocks in boxed]


def label(document: common.Document, truth: list[list[tuple]]) -> list[tuple]:
    """The areas whose truth is known, each with the right reading."""
    areas = []
    for candidates, elements in zip(document.candidates, truth, strict=True):
        seen = set()
        for candidate in candidates:
            # The rest of an area of lines is examined again.
            key = (candidate.bounds[3], *gaps_of(candidate))
            if key in seen:
                continue
            seen.add(key)
            candidate.weight = 0.3 + candidate.features["rows"]
            kind = reading(candidate, elements)
            if kind:
                areas.append((candidate, kind))
    return areas


def reading(area: common.Candidate, elements: list[tuple]) -> str | None:
    gaps = gaps_of(area)
    parts = [(category, clipped(box, area.bounds)) for category, box in elements]

    def is_crossing(box: tuple) -> bool:
        return any(box[0] < gap - CROSSED and box[2] > gap + CROSSED for gap in gaps)

    def is_kept(category: str, box: tuple) -> bool:
        return category == "table" or not is_crossing(box) or box[3] - box[1] < TALL

    parts = [(category, box) for category, box in parts if size(box) > 0 and is_kept(category, box)]
    total = sum(size(box) for _, box in parts)

    def share(kinds: set[str]) -> float:
        return sum(size(box) for category, box in parts if category in kinds) / max(total, 1e-6)

    tables = sum(size(box) for category, box in parts if category == "table")
    if tables > 0.5 * max(total, size(area.bounds)):
        return "lines"
    if area.features["paged"] > 0.5 and area.features["rows"] > 0.4:
        return "contents"
    if not parts or share({"figure", "chart", "image"}) > 0.85:
        return None
    if sum(size(box) for _, box in parts if is_crossing(box)) > 0.5 * total:
        return "lines"

    def column(box: tuple) -> int:
        return sum(gap < (box[0] + box[2]) / 2 for gap in gaps)

    pairs = [(one, other) for (_, one), (_, other) in combinations(parts, 2) if column(one) != column(other)]
    by_column = sum(column(one) < column(other) for one, other in pairs)
    by_line = sum(one[1] <= other[1] + 2 for one, other in pairs)
    return None if by_column == by_line else "columns" if by_column > by_line else "lines"


def gaps_of(area: common.Candidate) -> list[float]:
    return [area.features[name] for name in sorted(area.features) if name.startswith("gap ")]


def clipped(box: tuple, area: tuple) -> tuple:
    return max(box[0], area[0]), max(box[1], area[1]), min(box[2], area[2]), min(box[3], area[3])


def size(box: tuple) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def scaled(area: tuple) -> tuple:
    area[0].weight *= OWN_WEIGHT
    return area


def fitted(areas: list[tuple], kind: str) -> common.Weights:
    for candidate, truth in areas:
        candidate.label = truth == kind
    boost = BOOST.get(kind, 1.0)
    kept = [candidate.weight for candidate, _ in areas]
    for candidate, truth in areas:
        candidate.weight *= boost if truth == kind else 1.0
    weights = common.fit([candidate for candidate, _ in areas], NAMES[kind].split(), STRENGTH)
    for (candidate, _), weight in zip(areas, kept, strict=True):
        candidate.weight = weight
    for name, value in BY_HAND[kind].items():
        weights.replace(name, value)
    return weights


def report(areas: list[tuple]) -> None:
    kinds = ["lines", *NAMES]
    for seed in range(SEEDS):
        fold_of = common.folds([candidate.group for candidate, _ in areas], FOLDS, seed)
        hits = np.zeros((len(kinds), len(kinds)), int)
        for fold in range(FOLDS):
            training = [area for area in areas if fold_of[area[0].group] != fold]
            held = [area for area in areas if fold_of[area[0].group] == fold]
            candidates = [candidate for candidate, _ in held]
            scores = np.zeros((len(kinds), len(held)))
            for place, kind in enumerate(NAMES, 1):
                scores[place] = fitted(training, kind).scores(candidates)
            for (candidate, truth), column in zip(held, scores.T, strict=True):
                best = int(column.argmax())
                hits[kinds.index(truth), best] += 1
                if seed == 0 and kinds[best] != truth and "--wrong" in sys.argv:
                    print(candidate.document, candidate.bounds, truth, "read as", kinds[best], column.round(1))
        right = np.trace(hits) / hits.sum()
        found, all_of, read_as = np.diag(hits), hits.sum(1), hits.sum(0)
        each = [f"{kind} {found[k]}/{all_of[k]} (+{read_as[k] - found[k]})" for k, kind in enumerate(kinds)]
        print(f"seed {seed}: {right:.3f} right:", ", ".join(each))


if __name__ == "__main__":
    main()
