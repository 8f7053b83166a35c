"""Fits the weights of figure candidates: `figures.py BENCHMARKS --odl DIR --icdar DIR --plain DIR…`.

DIR holds conversions; the documents of `--plain` have no figures, such as forms.
"""

import argparse
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from common import Candidate, Document, fit, folds, load, overlap
from lxml import etree

Bounds = tuple[float, ...]
Place = tuple[str, int]
SEEDS = 4
FOLDS = 5
STRENGTHS = (0.3, 1.0, 3.0, 10.0)
NAMES = ["bends", "bars", "text", "words", "lattice", "filled", "figure", "table", "captions"]
# The figures of the competition's documents, which mark tables only, in points.
ICDAR: dict[Place, list[Bounds]] = {
    ("eu-002", 1): [(71, 385, 525, 637)],
    ("eu-005", 1): [(89, 52, 524, 328)],
    ("eu-011", 1): [(110, 162, 487, 429)],
    ("eu-011", 2): [
        (78, 180, 298, 339),
        (300, 180, 519, 339),
        (78, 361, 298, 518),
        (300, 361, 519, 518),
        (184, 540, 412, 704),
    ],
    ("eu-012", 3): [(74, 114, 520, 302)],
    ("eu-014", 1): [(63, 228, 532, 341)],
    ("eu-015", 1): [(383, 85, 745, 307)],
    ("eu-015", 2): [(442, 79, 689, 226), (442, 237, 689, 374), (443, 385, 689, 519)],
    ("eu-016", 1): [(112, 206, 475, 413)],
    ("eu-016", 2): [(86, 133, 475, 335)],
    ("eu-017", 1): [(84, 135, 511, 366)],
    ("eu-017", 3): [(115, 133, 478, 353), (101, 477, 491, 653)],
    ("eu-019", 1): [(91, 123, 499, 389), (87, 509, 458, 735)],
    ("eu-019", 2): [(108, 122, 484, 325)],
    ("eu-027", 1): [(74, 170, 520, 495)],
    ("eu-027", 2): [(74, 261, 521, 586)],
}


@dataclass
class Truth:
    """What a page shows."""

    figures: list[Bounds] = field(default_factory=list)
    tables: list[Bounds] = field(default_factory=list)


def odl(documents: list[Document], benchmarks: Path) -> dict[Place, Truth]:
    elements = json.loads((benchmarks / "odl/elements.json").read_text())
    found: dict[Place, Truth] = {}
    for document in documents:
        for element in elements[f"{document.name}.pdf"]["elements"]:
            page = element["page"]
            size = document.pages[page - 1]["size"]
            xs = [corner["x"] * size["width"] for corner in element["coordinates"]]
            ys = [corner["y"] * size["height"] for corner in element["coordinates"]]
            bounds = (min(xs), min(ys), max(xs), max(ys))
            truth = found.setdefault((document.name, page), Truth())
            if element["category"] in {"Chart", "Figure"}:
                truth.figures.append(bounds)
            elif element["category"] == "Table":
                truth.tables.append(bounds)
    return found


def icdar(documents: list[Document], benchmarks: Path) -> dict[Place, Truth]:
    found = {place: Truth(figures) for place, figures in ICDAR.items()}
    for document in documents:
        places = etree.parse(next((benchmarks / "icdar2013").rglob(f"{document.name}-reg.xml")))
        for region in places.iter("region"):
            page = int(region.get("page"))
            height = document.pages[page - 1]["size"]["height"]
            corner = {name: float(value) for name, value in region.find("bounding-box").attrib.items()}
            bounds = (corner["x1"], height - corner["y2"], corner["x2"], height - corner["y1"])
            found.setdefault((document.name, page), Truth()).tables.append(bounds)
    return found


def label(candidate: Candidate, truth: Truth) -> None:
    """One or several figures cover it and are in it, without their captions. Parts of figures are left out.

    Curves without text are pictures in any case, such as formulas and logos.
    """
    shares = [overlap(candidate.bounds, figure) for figure in truth.figures]
    touched = [whole for _, whole in shares if whole > 0.1]
    eats = any(max(overlap(candidate.bounds, other)) > 0.1 for other in truth.tables)
    covered = sum(part for part, _ in shares)
    is_silent = not candidate.features["text"] and bool(candidate.features["bends"])
    is_whole = bool(touched) and covered > 0.75 and min(touched) > 0.8
    has_caption = bool(candidate.features["captions"])
    candidate.label = not eats and not has_caption and (is_whole or is_silent)
    candidate.weight = 0.0 if covered > 0.75 and not candidate.label and not has_caption else 1.0


def chosen(candidates: Iterable[Candidate], values: Iterable[float]) -> list[Candidate]:
    """The largest ones that do not overlap, as the engine chooses."""
    found: list[Candidate] = []
    for candidate, value in sorted(zip(candidates, values, strict=True), key=lambda pair: -area(pair[0].bounds)):
        if value > 0 and not any(max(overlap(candidate.bounds, other.bounds)) > 0 for other in found):
            found.append(candidate)
    return found


def area(bounds: Bounds) -> float:
    left, top, right, bottom = bounds
    return (right - left) * (bottom - top)


def outcome(documents: list[Document], truths: dict[Place, Truth], value_of: dict[int, float]) -> tuple[int, int, int]:
    """Right, wrong and missed figures; only those with a right candidate can be missed."""
    right = wrong = missed = 0
    for document in documents:
        for page, candidates in enumerate(document.candidates, 1):
            picked = chosen(candidates, [value_of[id(candidate)] for candidate in candidates])
            right += sum(candidate.label for candidate in picked)
            wrong += sum(not candidate.label and candidate.weight > 0 for candidate in picked)
            for figure in truths.get((document.name, page), Truth()).figures:
                is_in = lambda candidate, figure=figure: overlap(candidate.bounds, figure)[1] > 0.8  # noqa: E731
                can = any(candidate.label and is_in(candidate) for candidate in candidates)
                missed += can and not any(candidate.label and is_in(candidate) for candidate in picked)
    return right, wrong, missed


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("benchmarks", type=Path)
    arguments.add_argument("--odl", type=Path, required=True)
    arguments.add_argument("--icdar", type=Path, required=True)
    arguments.add_argument("--plain", type=Path, nargs="*", default=[])
    arguments.add_argument("--names", nargs="*", default=NAMES)
    options = arguments.parse_args()
    names = options.names
    of_odl, of_icdar = load(options.odl, "figure"), load(options.icdar, "figure")
    plain = [document for directory in options.plain for document in load(directory, "figure")]
    truths = odl(of_odl, options.benchmarks) | icdar(of_icdar, options.benchmarks)
    documents = of_odl + of_icdar + plain
    for document in documents:
        for page, candidates in enumerate(document.candidates, 1):
            for candidate in candidates:
                label(candidate, truths.get((document.name, page), Truth()))
    everything = [candidate for document in documents for page in document.candidates for candidate in page]
    used = [candidate for candidate in everything if candidate.weight > 0]
    print(f"{len(used)} candidates, {sum(candidate.label for candidate in used)} right")
    for strength in STRENGTHS:
        weights = fit(used, names, strength)
        fitted = dict(zip(map(id, everything), weights.scores(everything), strict=True))
        results = np.array([cross_validate(documents, truths, names, strength, seed) for seed in range(SEEDS)])
        print(strength, "fitted", outcome(documents, truths, fitted), "held out", results.mean(axis=0).round(1))
        print(weights.table("FIGURE"))


def cross_validate(
    documents: list[Document], truths: dict[Place, Truth], names: list[str], strength: float, seed: int
) -> tuple[int, int, int]:
    fold_of = folds([document.group for document in documents], FOLDS, seed)
    value_of: dict[int, float] = {}
    for fold in range(FOLDS):
        pages = lambda document: [one for page in document.candidates for one in page]  # noqa: E731
        kept = [one for document in documents if fold_of[document.group] != fold for one in pages(document)]
        held = [one for document in documents if fold_of[document.group] == fold for one in pages(document)]
        weights = fit([one for one in kept if one.weight > 0], names, strength)
        if held:
            value_of |= dict(zip(map(id, held), weights.scores(held), strict=True))
    return outcome(documents, truths, value_of)


if __name__ == "__main__":
    main()
