"""The document sets: the corpus, the tuning set, and the held-out set (`kept`) with its own designs and seeds."""

import shutil
from pathlib import Path

from truth import held_out, tune, wider
from truth.prose import Prose
from truth.writer import Writer

DESIGNS = {"tune": tune.DESIGNS + wider.DESIGNS, "kept": held_out.DESIGNS}
SETS = ("corpus", *DESIGNS)


def generate(kind: str, directory: Path, copies: int = 1) -> list[Path]:
    """Writes `copies` documents of each design of `tune` or `kept`, each with its own seed, and returns them."""
    directory.mkdir(parents=True, exist_ok=True)
    made = []
    for name, language, hyphenate, theme, write in DESIGNS[kind]:
        for copy in range(1, copies + 1):
            writer = Writer(Prose(f"{kind} {name} {copy}", language, hyphenate=hyphenate), theme)
            write(writer)
            writer.save(directory, f"{name}-{copy}")
            made.append(directory / f"{name}-{copy}.docx")
    return made


def gather(corpus: Path, directory: Path) -> list[Path]:
    """Copies the corpus's documents with their truth; raises FileNotFoundError if there are none."""
    directory.mkdir(parents=True, exist_ok=True)
    for path in sorted(corpus.glob("*.docx")):
        for source in (path, path.with_suffix(".json")):
            shutil.copyfile(source, directory / source.name)
    made = sorted(directory.glob("*.docx"))
    if not made:
        raise FileNotFoundError(f"no documents in {corpus}")
    return made
