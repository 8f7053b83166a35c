"""Tries system calls and reports `ok` or the error of each. Numbers are those of x86-64 and arm64."""

import ctypes
import fcntl
import os
import platform
import resource
import signal
import socket
import struct
import tempfile
import time
from collections.abc import Callable, Iterable

from forked import error_name, forked

LIBC = ctypes.CDLL(None, use_errno=True)

# Numbers on x86-64 and arm64; calls since kernel 5.0 have the same number everywhere.
NUMBERS = {
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clone": (56, 220),
    "fallocate": (285, 47),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "mount": (165, 40),
    "name_to_handle_at": (303, 264),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "prctl": (157, 167),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "seccomp": (317, 277),
    "setns": (308, 268),
    "shmget": (29, 194),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "clone3": (435, 435),
    "close_range": (436, 436),
    "epoll_pwait2": (441, 441),
    "io_uring_setup": (425, 425),
    "landlock_create_ruleset": (444, 444),
    "memfd_secret": (447, 447),
    "mount_setattr": (442, 442),
    "openat2": (437, 437),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
}
MACHINES = {"x86_64": 0, "aarch64": 1}

# A filter that permits everything: `return SECCOMP_RET_ALLOW`.
ALLOW_ALL = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000))


class FilterProgram(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


PROGRAM = FilterProgram(1, ctypes.cast(ALLOW_ALL, ctypes.c_void_p).value)
TEXT = ctypes.create_string_buffer(b"probe", 64)
RESULT = ctypes.create_string_buffer(64)

SECCOMP_SET_MODE_FILTER = 1
SECCOMP_GET_ACTION_AVAIL = 2
LANDLOCK_CREATE_RULESET_VERSION = 1
PTRACE_TRACEME = 0
PTRACE_ATTACH = 16
SET_NO_NEW_PRIVS = 38
CLONE_PARENT = 0x8000
NAMESPACES = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000}

# Options of prctl with arguments that the kernel accepts.
PRCTL = {
    "PR_SET_PDEATHSIG": (1, signal.SIGKILL),
    "PR_GET_PDEATHSIG": (2, ctypes.addressof(RESULT)),
    "PR_GET_DUMPABLE": (3,),
    "PR_SET_DUMPABLE": (4, 0),
    "PR_GET_KEEPCAPS": (7,),
    "PR_SET_KEEPCAPS": (8, 0),
    "PR_SET_NAME": (15, ctypes.addressof(TEXT)),
    "PR_GET_NAME": (16, ctypes.addressof(RESULT)),
    "PR_GET_SECCOMP": (21,),
    "PR_SET_SECCOMP": (22, 2, ctypes.addressof(PROGRAM)),
    "PR_CAPBSET_READ": (23, 0),
    "PR_CAPBSET_DROP": (24, 0),
    "PR_GET_SECUREBITS": (27,),
    "PR_SET_TIMERSLACK": (29, 50_000),
    "PR_GET_TIMERSLACK": (30,),
    "PR_SET_CHILD_SUBREAPER": (36, 1),
    "PR_SET_NO_NEW_PRIVS": (SET_NO_NEW_PRIVS, 1),
    "PR_GET_NO_NEW_PRIVS": (39,),
    "PR_SET_THP_DISABLE": (41, 0),
    "PR_CAP_AMBIENT": (47, 4),
    "PR_SET_PTRACER": (0x59616D61, os.getpid()),
}


def report() -> dict:
    """Every system call with its result."""
    calls = {name: forked(probe) for name, probe in PROBES.items()}
    options = {name: forked(lambda arguments=arguments: call("prctl", *arguments)) for name, arguments in PRCTL.items()}
    return calls | {"prctl": options}


def call(name: str, *arguments: object) -> str:
    """Calls and returns `ok` or the name of the error."""
    result, error = raw(name, *arguments)
    return "ok" if result >= 0 else error_name(error)


def raw(name: str, *arguments: object) -> tuple[int, int]:
    """Calls and returns (result, errno). Missing arguments are zero."""
    number = NUMBERS[name][MACHINES[platform.machine()]]
    filled = [*arguments, *[0] * (6 - len(arguments))]
    values = [ctypes.c_long(value) if isinstance(value, int) else value for value in filled]
    ctypes.set_errno(0)
    return LIBC.syscall(ctypes.c_long(number), *values), ctypes.get_errno()


def filter_after_no_new_privs() -> str:
    """A seccomp filter as programs install it; without `PR_SET_NO_NEW_PRIVS` the kernel itself answers EACCES."""
    raw("prctl", SET_NO_NEW_PRIVS, 1)
    return call("seccomp", SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(PROGRAM))


def landlock_abi() -> int | str:
    """Landlock's version if the kernel has it."""
    result, error = raw("landlock_create_ruleset", None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    return result if result >= 0 else error_name(error)


def attach() -> str:
    """Attaches to a child as a debugger."""
    child = os.fork()
    if child == 0:
        signal.pause()
    try:
        return call("ptrace", PTRACE_ATTACH, child)
    finally:
        os.kill(child, signal.SIGKILL)


def preallocate() -> str:
    """Reserves space in a file of /tmp."""
    with tempfile.TemporaryFile() as file:
        return call("fallocate", file.fileno(), 0, 0, 4096)


def read_own_memory() -> str:
    target = ctypes.create_string_buffer(8)
    vectors = [struct.pack("PN", ctypes.addressof(buffer), 5) for buffer in (target, TEXT)]
    return call("process_vm_readv", os.getpid(), vectors[0], 1, vectors[1], 1)


def open_at() -> str:
    how = struct.pack("QQQ", os.O_RDONLY, 0, 0)
    return call("openat2", -100, b"/", how, len(how))


def copy_descriptor() -> str:
    """Copies a descriptor from a process by its pidfd."""
    pidfd, error = raw("pidfd_open", os.getpid())
    return call("pidfd_getfd", pidfd, 0) if pidfd >= 0 else f"pidfd_open: {error_name(error)}"


def wait_for_events() -> str:
    poll = LIBC.epoll_create1(0)
    return call("epoll_pwait2", poll, RESULT, 1, struct.pack("qq", 0, 0))


def set_attributes() -> str:
    """Mode, owner, times and an extended attribute of a file in /tmp."""
    with tempfile.NamedTemporaryFile() as file:
        steps: Iterable[tuple[str, Callable[[], None]]] = (
            ("chmod", lambda: os.chmod(file.name, 0o600)),
            ("chown", lambda: os.chown(file.name, os.getuid(), os.getgid())),
            ("utimensat", lambda: os.utime(file.name, (0, 0))),
            ("setxattr", lambda: os.setxattr(file.name, "user.probe", b"x")),
        )
        results = []
        for name, step in steps:
            try:
                step()
                results.append(f"{name} ok")
            except OSError as error:
                results.append(f"{name} {error_name(error.errno)}")
    return ", ".join(results)


def fork_sibling() -> object:
    """Forks a child of this process in another child, as zygotes of the sandbox do."""
    sibling = forked(clone_with_parent)
    if not isinstance(sibling, int):
        return sibling
    os.waitpid(sibling, 0)
    return "ok"


def clone_with_parent() -> int | str:
    result, error = raw("clone", CLONE_PARENT | signal.SIGCHLD)
    if result == 0:
        os._exit(0)
    return result if result > 0 else error_name(error)


def lead_group() -> str:
    os.setpgid(0, 0)
    return "ok"


def end_on_hangup() -> object:
    """Ends a process group by closing a pipe, as the sandbox ends children with their parent."""
    result = forked(hang_up)
    return "ok" if result == "killed by SIGKILL" else result


def hang_up() -> str:
    os.setpgid(0, 0)
    receiver, sender = os.pipe()
    fcntl.fcntl(receiver, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(receiver, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(receiver, fcntl.F_SETFL, os.O_ASYNC)
    os.close(sender)
    time.sleep(1)
    return "no signal"


def set_limit_of_parent() -> str:
    """Sets a limit of the parent to its present value: a document's process could lower the limits of others."""
    parent = os.getppid()
    resource.prlimit(parent, resource.RLIMIT_NOFILE, resource.prlimit(parent, resource.RLIMIT_NOFILE))
    return "ok"


def open_socket(family: int, kind: int, protocol: int = 0) -> str:
    socket.socket(family, kind, protocol).close()
    return "ok"


def set_uid() -> str:
    os.setreuid(-1, 0)
    return "ok"


def lower_limit() -> str:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    return "ok"


PROBES: dict[str, Callable[[], object]] = {
    "bpf": lambda: call("bpf", 0, 0, 0),
    "chroot": lambda: call("chroot", b"/"),
    "clone with CLONE_PARENT": fork_sibling,
    # Zero arguments are invalid: EINVAL if the call exists and is permitted.
    "clone3": lambda: call("clone3", 0, 0),
    "close_range": lambda: call("close_range", 1000, 1001, 0),
    "epoll_pwait2": wait_for_events,
    "fallocate": preallocate,
    "fcntl F_SETSIG": end_on_hangup,
    "file attributes": set_attributes,
    "io_uring_setup": lambda: call("io_uring_setup", 1, ctypes.create_string_buffer(256)),
    "keyctl": lambda: call("keyctl", 0, -3, 0),
    "kill": lambda: os.kill(os.getpid(), 0) or "ok",
    "landlock_create_ruleset": landlock_abi,
    "memfd_create": lambda: call("memfd_create", b"probe", 0),
    "memfd_secret": lambda: call("memfd_secret", 0),
    # A file system that does not exist, because as root with all rights the call would have an effect.
    "mount": lambda: call("mount", b"none", b"/", b"none", 0, 0),
    "mount_setattr": lambda: call("mount_setattr", -100, b"/", 0, ctypes.create_string_buffer(32), 32),
    "name_to_handle_at": lambda: call("name_to_handle_at", -100, b"/", RESULT, RESULT, 0),
    "openat2": open_at,
    "perf_event_open": lambda: call("perf_event_open", ctypes.create_string_buffer(128), 0, -1, -1, 0),
    "personality": lambda: call("personality", 0xFFFFFFFF),
    "pidfd_getfd": copy_descriptor,
    "pidfd_open": lambda: call("pidfd_open", os.getpid(), 0),
    "prlimit of the parent": set_limit_of_parent,
    "process_vm_readv": read_own_memory,
    "ptrace attach": attach,
    "ptrace traceme": lambda: call("ptrace", PTRACE_TRACEME),
    "seccomp filter": lambda: call("seccomp", SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(PROGRAM)),
    "seccomp filter after no_new_privs": filter_after_no_new_privs,
    "seccomp query": lambda: call("seccomp", SECCOMP_GET_ACTION_AVAIL, 0, struct.pack("I", 0x7FFF0000)),
    "setns": lambda: call("setns", os.open("/proc/self/ns/net", os.O_RDONLY), 0),
    "setpgid": lead_group,
    "setrlimit": lower_limit,
    "setreuid": set_uid,
    "shmget": lambda: call("shmget", 0, 4096, 0o600),
    "socket AF_INET raw": lambda: open_socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "socket AF_NETLINK": lambda: open_socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "socket AF_UNIX": lambda: open_socket(socket.AF_UNIX, socket.SOCK_STREAM),
    "socket AF_VSOCK": lambda: open_socket(socket.AF_VSOCK, socket.SOCK_STREAM),
    "userfaultfd": lambda: call("userfaultfd", 0),
    **{f"unshare {name}": (lambda flag=flag: call("unshare", flag)) for name, flag in NAMESPACES.items()},
}
