"""Hits and misses, and the F1 that follows from them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """What is right, what the output has too much, and what of the truth it lacks."""

    hits: int
    extra: int
    missed: int

    @property
    def f1(self) -> float | None:
        """2·hits / (2·hits + extra + missed), or None where there is nothing on either side."""
        total = 2 * self.hits + self.extra + self.missed
        return 2 * self.hits / total if total else None

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.hits + other.hits, self.extra + other.extra, self.missed + other.missed)
