"""Logistic regression of candidates: fitting, folds by source, and the table of weights in Rust."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np


@dataclass
class Candidate:
    """A candidate with its label; `weight` 0 leaves it out of the fit."""

    document: str
    group: str
    bounds: tuple[float, ...]
    features: dict[str, float]
    label: bool = False
    weight: float = 1.0


@dataclass
class Weights:
    """Log-odds of a candidate: `base` plus, for each feature, its weight times its distance from its center."""

    names: list[str]
    base: float
    values: np.ndarray
    centers: np.ndarray

    def scores(self, candidates: list[Candidate]) -> np.ndarray:
        return self.base + (matrix(candidates, self.names) - self.centers) @ self.values

    def replace(self, name: str, value: float) -> None:
        """Sets a weight by hand; the score of candidates without the feature stays."""
        place = self.names.index(name)
        self.base += (value - self.values[place]) * self.centers[place]
        self.values[place] = value

    def table(self, constant: str) -> str:
        """The table in Rust."""
        rows = zip(self.names, self.values, self.centers, strict=True)
        lines = "".join(f'        ("{name}", {value:.2f}, {center:.2f}),\n' for name, value, center in rows)
        return (
            f"pub(in crate::analysis) const {constant}: Weights = Weights {{\n    base: {self.base:.2f},\n"
            f"    weights: &[\n{lines}    ],\n}};"
        )


@dataclass
class Document:
    """What the engine wrote of a document: pages and their candidates of one kind."""

    name: str
    group: str
    pages: list[dict]
    candidates: list[list[Candidate]] = field(default_factory=list)


def load(directory: Path, kind: str) -> list[Document]:
    """Reads the documents `NAME.json` of a directory: conversions to JSON with `explain`."""
    return [document(path, kind) for path in sorted(directory.glob("*.json"))]


def document(path: Path, kind: str) -> Document:
    name, pages = path.stem, json.loads(path.read_text())["pages"]
    found = Document(name, source(pages), pages)
    for page in pages:
        candidates = [candidate for candidate in page.get("candidates", []) if candidate["kind"] == kind]
        found.candidates.append(
            [Candidate(name, found.group, box(item["bounds"]), dict(item["features"])) for item in candidates]
        )
    return found


def box(bounds: dict[str, float]) -> tuple[float, ...]:
    return tuple(float(np.float32(bounds[side])) for side in ("left", "top", "right", "bottom"))


def source(pages: list[dict]) -> str:
    """Pages of one book have the same width and font."""
    fonts = Counter()
    for page in pages:
        for block in page["blocks"]:
            for run in block.get("runs", []):
                fonts[run.get("font", "")] += len(run["text"])
    font = fonts.most_common(1)[0][0] if fonts else ""
    return f"{font} {pages[0]['size']['width']:.0f}" if pages else ""


def overlap(one: tuple, other: tuple) -> tuple[float, float]:
    """The shared area as a fraction of each area."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0.0) * max(height, 0.0)
    area = [max((box[2] - box[0]) * (box[3] - box[1]), 1e-6) for box in (one, other)]
    return shared / area[0], shared / area[1]


def matrix(candidates: list[Candidate], names: list[str]) -> np.ndarray:
    return np.array([[candidate.features.get(name, 0.0) for name in names] for candidate in candidates])


def fit(candidates: list[Candidate], names: list[str], strength: float) -> Weights:
    """Fits by Newton's method. The L2 penalty is of standardized features.

    The centers are halfway between the means of right and wrong candidates: near them, decisions are close, and an
    error of a weight changes least.
    """
    values = matrix(candidates, names)
    labels = np.array([candidate.label for candidate in candidates], float)
    counts = np.array([candidate.weight for candidate in candidates])
    mean = np.average(values, axis=0, weights=counts)
    deviation = np.sqrt(np.average((values - mean) ** 2, axis=0, weights=counts)) + 1e-6
    design = np.hstack([np.ones((len(values), 1)), (values - mean) / deviation])
    penalty = np.diag([0.0] + [strength] * len(names))
    weights = np.zeros(design.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (counts * (chance - labels)) + penalty @ weights
        curve = (design.T * (counts * chance * (1 - chance))) @ design + penalty
        step = np.linalg.solve(curve + 1e-9 * np.eye(len(weights)), slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    kinds = [labels == label for label in np.unique(labels)]
    centers = np.mean([np.average(values[kind], axis=0, weights=counts[kind]) for kind in kinds], axis=0)
    raw = weights[1:] / deviation
    return Weights(list(names), float(weights[0] + raw @ (centers - mean)), raw, centers)


def folds(groups: list[str], count: int, seed: int) -> dict[str, int]:
    """Assigns sources to folds at random."""
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[index]: place % count for place, index in enumerate(order)}
