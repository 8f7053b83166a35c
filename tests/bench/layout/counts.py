"""Hits and misses, and their F1 score."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """Correct, superfluous and missing items of an output."""

    hits: int
    extra: int
    missed: int

    @property
    def f1(self) -> float | None:
        """2·hits / (2·hits + extra + missed), or None if both sides are empty."""
        total = 2 * self.hits + self.extra + self.missed
        return 2 * self.hits / total if total else None

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.hits + other.hits, self.extra + other.extra, self.missed + other.missed)
