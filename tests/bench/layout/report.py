"""The results as a Markdown table and as JSON."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from counts import Counts
from measure import EXPORTS, Result
from score import MEASURES

HEADINGS = ("tool", "set", "export", *MEASURES, "CPU s", "net CPU s", "peak MB", "failed")
# Sets that are summarized in an additional row.
ALL = "all"


def lines(results: list[Result]) -> list[list[str]]:
    """Rows of means by tool, set and export, and of all sets together. A mean omits documents without the measure."""
    return [[*group, *figures(chosen)] for group, chosen in grouped(results).items()]


def grouped(results: list[Result]) -> dict[tuple[str, str, str], list[Result]]:
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for result in results:
        for name in (result.set, ALL):
            groups.setdefault((result.tool, name, result.export), []).append(result)
    tools = list(dict.fromkeys(result.tool for result in results))
    names = [*dict.fromkeys(result.set for result in results), ALL]
    order = [(tool, name, export) for export in EXPORTS for name in names for tool in tools]
    return {group: groups[group] for group in order if group in groups}


def figures(results: list[Result]) -> list[str]:
    measures = [mean(result.score.value(measure) for result in results) for measure in MEASURES]
    costs = [mean(result.cpu for result in results), mean(result.work for result in results)]
    failed = sum(bool(result.error) for result in results)
    return [*map(formatted, measures + costs), str(peak(results)), str(failed)]


def peak(results: list[Result]) -> int:
    """Peak memory over all documents in units of 10⁶ bytes."""
    return round(max((result.peak for result in results), default=0) / 1e6)


def mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def formatted(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def table(results: list[Result]) -> str:
    """The rows as a Markdown table."""
    rows = [list(HEADINGS), *lines(results)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEADINGS))]
    rendered = [f"| {' | '.join(text.ljust(width) for text, width in zip(row, widths, strict=True))} |" for row in rows]
    rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
    return "\n".join([rendered[0], rule, *rendered[1:]])


def write(results: list[Result], versions: dict[str, str], path: Path) -> None:
    """`{"versions": …, "summary": [one object per row], "documents": [one object per tool and document]}`."""
    summary = [
        {
            **dict(zip(HEADINGS[:3], group, strict=True)),
            "documents": len(chosen),
            **{measure: mean(result.score.value(measure) for result in chosen) for measure in MEASURES},
            "pooled": {measure: pooled(chosen, measure) for measure in MEASURES},
            "cpu": mean(result.cpu for result in chosen),
            "work": mean(result.work for result in chosen),
            "peak": max(result.peak for result in chosen),
        }
        for group, chosen in grouped(results).items()
    ]
    content = {"versions": versions, "summary": summary, "documents": [document(result) for result in results]}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def pooled(results: list[Result], measure: str) -> float | None:
    """F1 over the pooled counts of all documents, so that large ones weigh more; None for other measures."""
    counts = [value for result in results if isinstance(value := getattr(result.score, measure), Counts)]
    return sum(counts, Counts(0, 0, 0)).f1


def document(result: Result) -> dict[str, Any]:
    return {
        **{name: value for name, value in vars(result).items() if name != "score"},
        "measures": {measure: result.score.value(measure) for measure in MEASURES},
        "counts": {
            measure: vars(value) for measure in MEASURES if isinstance(value := getattr(result.score, measure), Counts)
        },
    }
