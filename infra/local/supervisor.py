"""Runs a command and kills all its descendants when the command or the starting process ends.

Usage: supervisor.py [--remove PATH]... -- COMMAND...
The starting process keeps the supervisor's standard input open; end of file means that it has ended, even by SIGKILL.
Functions and engines start processes in their own process groups, so a signal to one group would not reach all of them.
"""

import argparse
import contextlib
import ctypes
import os
import select
import shutil
import signal
import sys
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    arguments = parse()
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    child = os.posix_spawn(arguments.command[0], arguments.command, os.environ)
    try:
        return watch(child)
    finally:
        end_descendants()
        for path in arguments.remove:
            remove(path)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--remove", type=Path, action="append", default=[])
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def watch(child: int) -> int:
    """Waits for the end of the starting process or the child; returns 1 if the child ended first."""
    ended = os.pidfd_open(child)
    while True:
        readable, _, _ = select.select([sys.stdin.fileno(), ended], [], [], 1)
        if readable:
            return 1 if ended in readable else 0
        reap_orphans(child)


def reap_orphans(child: int):
    """Reaps ended processes except the child itself, whose end is reported by its pidfd."""
    for pid in children().get(os.getpid(), []):
        if pid != child:
            os.waitpid(pid, os.WNOHANG)


def adopt_orphans():
    """Makes this process the subreaper: descendants whose parent ends become its children, so that none escapes."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_descendants():
    while True:
        for pid in descendants(os.getpid()):
            end(pid)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def end(pid: int):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    tree = children()
    found = list(tree.get(pid, []))
    for child in found:
        found.extend(tree.get(child, []))
    return found


def children() -> dict[int, list[int]]:
    """The children of every process."""
    tree = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            tree.setdefault(parent_of(int(name)), []).append(int(name))
    return tree


def parent_of(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(stat.rpartition(")")[2].split()[1])


def remove(path: Path):
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
