"""Conversions by Octavo, with the executable `convert-fixture`."""

import json
from dataclasses import dataclass
from pathlib import Path

import child
import measure

WITHIN = 1200.0  # seconds


@dataclass(frozen=True)
class Converted:
    """A converted file: page count, warning codes, CPU seconds, and peak resident bytes of any process."""

    path: Path
    pages: int
    warnings: list[dict]
    cpu: float
    peak: int


def to(program: str, source: Path, target: Path, **options: object) -> Converted:
    """Converts to the format of the target's suffix. Raises RuntimeError with the program's output on failure."""
    step = {"operation": "convert", "format": target.suffix[1:], **options}
    with measure.scratch() as place, measure.scratch() as job:
        finished = child.run([program, job, json.dumps([step]), str(source), str(target)], Path(place), WITHIN)
    if not finished.succeeded:
        raise RuntimeError(f"{source} to {target}: {finished.output.strip()}")
    report = json.loads(finished.output.splitlines()[-1])
    return Converted(target, report["pages"], report["warnings"], finished.cpu, finished.peak)
