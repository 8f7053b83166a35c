"""The sets of documents: those of the corpus, those to tune on, and those kept apart by their designs and seeds."""

import shutil
from pathlib import Path

from truth import kept, tune, wider
from truth.prose import Prose
from truth.writer import Writer

DESIGNS = {"tune": tune.DESIGNS + wider.DESIGNS, "kept": kept.DESIGNS}
SETS = ("corpus", *DESIGNS)


def generate(kind: str, directory: Path, copies: int = 1) -> list[Path]:
    """Writes each design of `tune` or `kept` as often, each from a seed of its own, and returns the documents."""
    directory.mkdir(parents=True, exist_ok=True)
    made = []
    for name, language, hyphenate, look, write in DESIGNS[kind]:
        for copy in range(1, copies + 1):
            writer = Writer(Prose(f"{kind} {name} {copy}", language, hyphenate=hyphenate), look)
            write(writer)
            writer.save(directory, f"{name}-{copy}")
            made.append(directory / f"{name}-{copy}.docx")
    return made


def gather(corpus: Path, directory: Path) -> list[Path]:
    """Copies the corpus's documents with their truth; FileNotFoundError where there are none."""
    directory.mkdir(parents=True, exist_ok=True)
    for path in sorted(corpus.glob("*.docx")):
        for source in (path, path.with_suffix(".json")):
            shutil.copyfile(source, directory / source.name)
    made = sorted(directory.glob("*.docx"))
    if not made:
        raise FileNotFoundError(f"no documents in {corpus}")
    return made
