"""Runs a command and writes its resource usage as JSON: `meter.py FILE COMMAND…` writes `{"status", "cpu", "peak"}`.

A forked process starts with its parent's memory, which counts as its own peak; therefore this script is small.
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
