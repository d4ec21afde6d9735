#!/usr/bin/env python3
# dask_tally.py - counts recordings with `pktc tally` on the workers of Dask's distributed scheduler: docs/fleet.md.
# SPDX-License-Identifier: MIT
"""usage: dask_tally.py [--batch N] SCHEDULER OUTPUT 'pktc tally [options] [FILE.pkt...]' RECORDING...

SCHEDULER is an address such as tcp://10.0.0.5:8786. All workers have pktc, the schemas and the recordings under the same
names as this machine. OUTPUT is one tally, for `pktc report` and `pktc train`. The exit status is that of `pktc tally`:
3 if recordings could not be read, which OUTPUT names.
"""
import argparse
import os
import shlex
import subprocess
import sys
import tempfile

from distributed import Client

MERGED_AT_ONCE = 32
DONE, PARTLY = 0, 3  # exit statuses of pktc


def tally(command, files):
    """Returns a tally as bytes, and the files that were not counted because nothing in them tells the schema."""
    done = subprocess.run(command + files, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return (done.stdout, []) if done.returncode in (DONE, PARTLY) else (None, files)


def write_parts(parts, directory):
    """Writes the tallies of parts to files; returns their names, and what is left to count."""
    names, left = [], []
    for number, (data, uncounted) in enumerate(parts):
        left += uncounted
        if data is not None:
            names.append(os.path.join(directory, "%d.tally" % number))
            with open(names[-1], "wb") as file:
                file.write(data)
    return names, left


def merge(command, parts):
    """Adds tallies up."""
    with tempfile.TemporaryDirectory() as directory:
        names, left = write_parts(parts, directory)
        if not names:
            return None, left
        done = subprocess.run(command + names, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode not in (DONE, PARTLY):
            raise RuntimeError(done.stderr.decode(errors="replace"))
        return done.stdout, left


def groups(items, size):
    return [items[i : i + size] for i in range(0, len(items), size)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__[7:])
    parser.add_argument("--batch", type=int, default=16, help="recordings that are counted at once (default: 16)")
    for name in "scheduler", "output", "command":
        parser.add_argument(name)
    parser.add_argument("recordings", nargs="+")
    asked = parser.parse_args()
    command = shlex.split(asked.command)
    with Client(asked.scheduler) as client, tempfile.TemporaryDirectory() as directory:
        # A worker that dies has what it counted with it: the scheduler counts that again on another one.
        parts = [client.submit(tally, command, batch) for batch in groups(asked.recordings, asked.batch)]
        while len(parts) > MERGED_AT_ONCE:
            parts = [client.submit(merge, command, group) for group in groups(parts, MERGED_AT_ONCE)]
        names, left = write_parts(client.gather(parts), directory)
        # What could not be counted alone is named by the whole, or else its error is reported here.
        return subprocess.run(command + ["-o", asked.output] + names + left, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
