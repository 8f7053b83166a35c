"""The life cycle of a local stack: emulator, deployment, accounts, stack file."""

import fcntl
import os
from contextlib import contextmanager
from pathlib import Path

import accounts
import bundle
import deploy
import stackfile
import template as sam
from emulator import Emulator, started
from failure import StackError
from trusted_host import TrustedHost

ROOT = Path(__file__).resolve().parents[2]
PDFIUM = ROOT / ".octavo" / "lib" / "libpdfium.so"
OPERATOR = "octavo-admin"
STALE_FILES = ("wire.jsonl", "functions.log", "faults.json")


@contextmanager
def running(state: Path, stack_file: Path):
    """Starts a stack with its files in `state` and yields (emulator, the stack file's content)."""
    state.mkdir(parents=True, exist_ok=True)
    with locked(state) as lock:
        for name in STALE_FILES:
            (state / name).unlink(missing_ok=True)
        template = sam.load(ROOT / "template.yaml")
        bundle.require(binaries(), {*sam.crates(template).values(), OPERATOR})
        draft = state / "stack.draft.json"
        with started(state, [stack_file, draft], lock) as emulator:
            yield emulator, bring_up(emulator, template, TrustedHost(state), draft, stack_file)


def bring_up(emulator: Emulator, template: dict, host: TrustedHost, draft: Path, stack_file: Path) -> dict:
    code = bundle.pack(binaries(), set(sam.crates(template).values()), PDFIUM)
    outputs = deploy.deploy(emulator.endpoint, code, template, parameters() | host.parameters())
    content = stackfile.describe(emulator.port, emulator.endpoint, outputs, admin(stack_file))
    content["pdfium"] = str(PDFIUM)
    content["trustedHost"] = host.describe()
    # octavo-admin needs a stack file. The final one is written only when it has the keys.
    stackfile.write(draft, content)
    content["keys"] = accounts.one_per_plan(admin(draft))
    stackfile.write(stack_file, content)
    return content


def parameters() -> dict[str, str]:
    concurrency_limit = str(max(2, os.cpu_count() or 2))
    processors = ("Office", "Pdf", "Image", "Ocr", "Web", "Pipeline")
    concurrency = {f"Process{name}Concurrency": concurrency_limit for name in processors}
    concurrency["FanoutConcurrency"] = concurrency_limit
    # Deliveries wait for receivers, not for CPU time.
    concurrency |= {"DeliverConcurrency": "16", "SlowDeliverConcurrency": "8"}
    # All clients of a local stack share one IP address, hence one rate limit.
    return {"Stage": "local", "PublicRenderPerMinute": "60"} | concurrency


def binaries() -> Path:
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    return target.resolve() / os.environ.get("OCTAVO_PROFILE", "debug")


def admin(stack_file: Path) -> list[str]:
    """The octavo-admin command for the stack of that file."""
    return [str(binaries() / OPERATOR), "--stack-file", str(stack_file)]


@contextmanager
def locked(state: Path):
    """Locks `state` for this stack; yields the lock's descriptor."""
    with (state / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StackError(
                f"a local stack is already running in {state}: stop it first, or choose another directory with --state"
            ) from error
        yield lock.fileno()
