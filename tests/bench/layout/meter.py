"""Runs a command and writes what it cost as JSON: `meter.py FILE COMMAND…` writes `{"status", "cpu", "peak"}`.

A process begins with the memory of the one that starts it, which counts as its own: so this one is small.
"""

import json
import os
import sys

FILE, COMMAND = sys.argv[1], sys.argv[2:]

process = os.posix_spawnp(COMMAND[0], COMMAND, os.environ)
_, status, usage = os.wait4(process, 0)
with open(FILE, "w", encoding="ascii") as file:
    cost = {
        "status": os.waitstatus_to_exitcode(status),
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss * 1024,
    }
    json.dump(cost, file)
