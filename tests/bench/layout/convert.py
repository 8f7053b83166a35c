"""Our own conversions, by the executable `convert-fixture`."""

import json
from dataclasses import dataclass
from pathlib import Path

import child
import measure

WITHIN = 1200.0  # seconds


@dataclass(frozen=True)
class Made:
    """A file that was made: its pages, its warnings' codes, CPU seconds, and the most resident bytes of any process."""

    path: Path
    pages: int
    warnings: list[str]
    cpu: float
    peak: int


def to(program: str, source: Path, target: Path, **options: object) -> Made:
    """Converts to the format of the target's ending; RuntimeError with what was said where that fails."""
    step = {"operation": "convert", "format": target.suffix[1:], **options}
    with measure.scratch() as place, measure.scratch() as job:
        ended = child.run([program, job, json.dumps([step]), str(source), str(target)], Path(place), WITHIN)
    if not ended.well:
        raise RuntimeError(f"{source} to {target}: {ended.said.strip()}")
    told = json.loads(ended.said.splitlines()[-1])
    return Made(target, told["pages"], told["warnings"], ended.cpu, ended.peak)
