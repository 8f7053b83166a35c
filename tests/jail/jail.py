"""Runs a program as Lambda runs a function, as far as this kernel can simulate it.

Usage: jail.py SPECIFICATION
The specification is a JSON file:
- `command`, `environment`
- `files`: the files of /var/task as [source, name, mode]
- `visible`: directories of this machine that the program can read, besides those of the system
- `temporaryMiB`: the size of /tmp
- `restarts`: how often the program is started again after it has ended; /tmp stays, as in Lambda

The program runs as an unprivileged user without capabilities on a read-only file system, with a private /tmp, a private
process namespace, no /dev/shm, Lambda's resource limits, and a seccomp filter (`seccomp.py`). It has the network of the
caller. Requires root, or root of a user namespace. The new root directory is mounted next to the specification.
"""

import json
import os
import resource
import signal
import sys
from pathlib import Path

import linux
import seccomp

USER, GROUP = 993, 990
OPEN_FILES = 1024
PROCESSES = 1024

SYSTEM = ("/bin", "/etc", "/lib", "/lib64", "/opt", "/sbin", "/usr", "/var/cache", "/var/lib")
DEVICES = ("full", "null", "random", "urandom", "zero")
DEVICE_LINKS = {"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}


def main(specification: dict, root: Path) -> int:
    root.mkdir()
    linux.unshare(linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWIPC)
    # The next child is process 1 of the new process namespace: when it ends, the kernel ends all others.
    child = os.fork()
    if child == 0:
        linux.die_with_parent(signal.SIGKILL)
        build(specification, str(root))
        os._exit(supervise(specification))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def build(specification: dict, root: str):
    """Mounts what the program may see below `root`, and makes that the root directory."""
    linux.mount("none", "/", flags=linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("jail", root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "mode=755")
    for path in [*SYSTEM, *specification["visible"]]:
        show(path, root)
    for path in ("dev", "home", "proc", "tmp", "var/task"):
        Path(root, path).mkdir(parents=True, exist_ok=True)
    for name in DEVICES:
        Path(root, "dev", name).touch()
        linux.mount(f"/dev/{name}", f"{root}/dev/{name}", flags=linux.MS_BIND)
    for name, target in DEVICE_LINKS.items():
        Path(root, "dev", name).symlink_to(f"/proc/self/{target}")
    for source, name, mode in specification["files"]:
        copy(Path(source), Path(root, "var/task", name), mode)
    linux.make_read_only(root)
    size = specification["temporaryMiB"]
    linux.mount("tmp", f"{root}/tmp", "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, f"mode=1777,size={size}m")  # noqa: S108
    linux.mount("proc", f"{root}/proc", "proc", linux.MS_NOSUID | linux.MS_NODEV)
    linux.change_root(root)


def show(path: str, root: str):
    """Makes a directory of this machine visible at the same path."""
    target = Path(root + path)
    if os.path.islink(path):
        target.symlink_to(os.readlink(path))
    elif os.path.isdir(path):
        target.mkdir(parents=True, exist_ok=True)
        linux.mount(path, str(target), flags=linux.MS_BIND | linux.MS_REC)


def copy(source: Path, target: Path, mode: int):
    """Copies a file of the function, which another user owns."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())
    target.chmod(mode)


def supervise(specification: dict) -> int:
    """Process 1: starts the program, collects orphans, and ends all processes when the program has ended."""
    for _ in range(specification["restarts"] + 1):
        program = os.fork()
        if program == 0:
            execute(specification)
        code = None
        while code is None:
            ended, status = os.wait()
            code = os.waitstatus_to_exitcode(status) if ended == program else None
        print(f"jail: the program ended with {code}", flush=True)
        end_others()
    return code if code >= 0 else 128 - code


def end_others():
    try:
        os.kill(-1, signal.SIGKILL)
        while True:
            os.wait()
    except (ChildProcessError, ProcessLookupError):
        return


def execute(specification: dict):
    """Drops privileges and executes the program."""
    command = specification["command"]
    os.setsid()
    os.chdir("/var/task")
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if is_known(USER):
        seccomp.install()
        os.setgroups([])
        os.setresgid(GROUP, GROUP, GROUP)
        os.setresuid(USER, USER, USER)
    else:
        linux.enter_user_namespace(USER, GROUP)
        seccomp.install()
    resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))
    os.execve(command[0], command, specification["environment"])  # noqa: S606


def is_known(user: int) -> bool:
    """Whether this user namespace has the user."""
    with open("/proc/self/uid_map") as file:
        ranges = [[int(number) for number in line.split()] for line in file]
    return any(first <= user < first + count for first, _, count in ranges)


if __name__ == "__main__":
    try:
        path = Path(sys.argv[1])
        sys.exit(main(json.loads(path.read_text()), path.with_name("root")))
    except OSError as error:
        sys.exit(f"jail: cannot be built on this machine ({error}). It needs root or user namespaces, and Linux 5.12.")
