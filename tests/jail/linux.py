"""System calls that Python 3.11 does not offer: namespaces, mounts, the loopback interface."""

import ctypes
import fcntl
import os
import socket
import struct

CLONE_NEWNS = 0x2_0000
CLONE_NEWIPC = 0x800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x1000, 0x4000, 0x4_0000
MNT_DETACH = 2

SYS_PIVOT_ROOT = 155
SYS_MOUNT_SETATTR = 442
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = 0x1, 0x2

PR_SET_PDEATHSIG = 1
SIOCSIFADDR, SIOCGIFFLAGS, SIOCSIFFLAGS = 0x8916, 0x8913, 0x8914
IFF_UP = 1

LIBC = ctypes.CDLL(None, use_errno=True)


def check(result: int, call: str):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")


def unshare(flags: int):
    check(LIBC.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, data: str = ""):
    texts = [text.encode() if text else None for text in (source, target, kind)]
    check(LIBC.mount(*texts, ctypes.c_ulong(flags), data.encode()), f"mount {target}")


def make_read_only(path: str):
    """Makes a mount and all below it read-only and keeps their other flags. Requires kernel 5.12."""
    attributes = struct.pack("QQQQ", MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0, 0, 0)
    arguments = (AT_FDCWD, path.encode(), AT_RECURSIVE, attributes, len(attributes))
    check(LIBC.syscall(SYS_MOUNT_SETATTR, *arguments), f"mount_setattr {path}")


def change_root(path: str):
    """Makes `path` the root directory and removes the old one from this mount namespace."""
    os.chdir(path)
    check(LIBC.syscall(SYS_PIVOT_ROOT, b".", b"."), "pivot_root")
    check(LIBC.umount2(b".", MNT_DETACH), "umount2")
    os.chdir("/")


def enter_user_namespace(user: int, group: int):
    """Becomes `user` and `group` of a new user namespace, with all rights in it."""
    inside_of = {"uid_map": f"{user} {os.geteuid()} 1", "gid_map": f"{group} {os.getegid()} 1"}
    unshare(CLONE_NEWUSER)
    for name, text in ({"setgroups": "deny"} | inside_of).items():
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def die_with_parent(signal: int):
    check(LIBC.prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0), "prctl(PR_SET_PDEATHSIG)")


def bring_up_loopback(*addresses: str):
    """Brings up `lo` in this network namespace, with additional IPv4 addresses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for number, address in enumerate(addresses):
            packed = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(control, SIOCSIFADDR, struct.pack("16s16s8x", f"lo:{number}".encode(), packed))
        request = struct.pack("16sH22x", b"lo", 0)
        flags = struct.unpack("16xH22x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[0]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", flags | IFF_UP))
