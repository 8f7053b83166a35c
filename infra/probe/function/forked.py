"""Runs a probe in a forked process, because the kernel may kill the process or stop it."""

import errno
import json
import os
import select
import signal
from collections.abc import Callable

TIMEOUT = 5  # seconds


def forked(probe: Callable[[], object]) -> object:
    """Returns the probe's result, the name of its error (`EPERM`), `killed by SIGSYS` or `timed out`."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        os.write(sender, json.dumps(outcome(probe)).encode())
        os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, "rb") as results:
        ready, _, _ = select.select([results], [], [], TIMEOUT)
        if not ready:
            os.kill(child, signal.SIGKILL)
        result = results.read() if ready else b""
    _, code = os.waitpid(child, 0)
    if not ready:
        return "timed out"
    if result:
        return json.loads(result)
    return f"killed by {signal.Signals(os.WTERMSIG(code)).name}" if os.WIFSIGNALED(code) else "no result"


def outcome(probe: Callable[[], object]) -> object:
    try:
        return probe()
    except TimeoutError:
        return "timed out"
    except OSError as error:
        return error_name(error.errno)
    except Exception as error:
        # The probe's process must not return to the caller's code.
        return f"{type(error).__name__}: {error}"


def error_name(number: int | None) -> str:
    return errno.errorcode.get(number or 0, f"errno {number}")
