"""A seccomp filter that refuses what Lambda is reported to refuse, as a classic BPF program for x86-64.

Calls without a report are refused, too, so that nothing depends on them. Calls newer than Lambda's kernel (5.10) do not
exist.
"""

import ctypes
import errno
import json
import platform
import struct
from pathlib import Path

# The calls by error, with their numbers on x86-64. The tests of `shared/sandbox` refuse the same calls.
# A filter cannot read the flags of clone3, which are in memory; glibc falls back to `clone` if it does not exist.
REFUSED: dict[str, dict[str, int]] = json.loads(Path(__file__).with_name("refused.json").read_text())
CLONE = 56
# CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET.
NEW_NAMESPACES = 0x7E02_0000
# The first call that kernel 5.10 does not have (epoll_pwait2).
FIRST_NEWER = 441

LOAD, AND, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
KILL, ERROR, ALLOW = 0x8000_0000, 0x0005_0000, 0x7FFF_0000
# Offsets in `struct seccomp_data`.
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
X86_64 = 0xC000_003E

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2


class Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install():
    """Installs the filter in this thread. Requires CAP_SYS_ADMIN, because `no_new_privs` stays as Lambda leaves it."""
    if platform.machine() != "x86_64":
        raise NotImplementedError(f"the filter is for x86-64, not {platform.machine()}")
    instructions = program()
    libc = ctypes.CDLL(None, use_errno=True)
    code = Program(len(instructions), b"".join(struct.pack("HBBI", *instruction) for instruction in instructions))
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(code), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_SECCOMP)")


def program() -> list[tuple[int, int, int, int]]:
    """Instructions as (code, jump if true, jump if false, operand)."""
    refuse, absent = ERROR | errno.EPERM, ERROR | errno.ENOSYS
    instructions = [(LOAD, 0, 0, ARCHITECTURE), (IF_EQUAL, 1, 0, X86_64), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    for error, calls in REFUSED.items():
        for number in calls.values():
            instructions += [(IF_EQUAL, 0, 1, number), (RETURN, 0, 0, ERROR | getattr(errno, error))]
    instructions += [(IF_AT_LEAST, 0, 1, FIRST_NEWER), (RETURN, 0, 0, absent)]
    instructions += [(IF_EQUAL, 0, 4, CLONE), (LOAD, 0, 0, FIRST_ARGUMENT), (AND, 0, 0, NEW_NAMESPACES)]
    instructions += [(IF_EQUAL, 1, 0, 0), (RETURN, 0, 0, refuse), (RETURN, 0, 0, ALLOW)]
    return instructions
