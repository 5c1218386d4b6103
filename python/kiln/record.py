"""The record of a run, run.jsonl: a JSON object for each trajectory, one a line."""

import json

import numpy as np


def read_record(path):
    """Read run.jsonl.  A last line without its end is being written, or was when the writer was killed: it is left out
    and `torn` is True.  Lines that are no objects are left out too; `damaged` has their numbers, counted from 1."""
    with open(path, "rb") as file:
        pieces = file.read().split(b"\n")
    lines, damaged = [], []
    for number, piece in enumerate(pieces[:-1], start=1):
        try:
            line = json.loads(piece)
            if not isinstance(line, dict) or not isinstance(line.get("trajectory"), int):
                raise ValueError
            lines.append(line)
        except ValueError:
            damaged.append(number)
    return Record(lines, torn=pieces[-1] != b"", damaged=damaged)


class Record:
    """Lines of a record (dictionaries), and columns of them as arrays.

        record["plaquette.average"]         a number under keys within keys; NaN where a line has none
        record["force.0.rms"]               a number picks an item of a list
        record.trajectory                   the numbers of the trajectories
    """

    def __init__(self, lines, torn=False, damaged=()):
        self.lines, self.torn, self.damaged = list(lines), torn, list(damaged)

    def __len__(self):
        return len(self.lines)

    @property
    def trajectory(self):
        return np.array([line["trajectory"] for line in self.lines], dtype=np.int64)

    def __getitem__(self, path):
        keys = path.split(".")
        return np.array([_number(line, keys) for line in self.lines], dtype=float)

    def keys(self):
        """The columns that there are, in the order in which lines have them."""
        found = {}
        for line in self.lines:
            for path in _paths(line, ""):
                found[path] = None
        return list(found)

    def where(self, condition):
        """The lines for which condition(line) holds."""
        return Record(filter(condition, self.lines), self.torn, self.damaged)

    def after_warm_up(self):
        """The trajectories with a Metropolis test."""
        return self.where(lambda line: not line["thermalization"])

    def between(self, first, last):
        """The trajectories numbered `first` to `last`, both included; None: no end."""
        return self.where(lambda line: first <= line["trajectory"] and (last is None or line["trajectory"] <= last))


def _number(value, keys):
    for key in keys:
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return np.nan
    return float(value) if isinstance(value, (int, float)) else np.nan      # null stands for what JSON cannot hold


def _paths(value, before):
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    else:
        if value is None or isinstance(value, (int, float)):
            yield before
        return
    for key, inner in items:
        yield from _paths(inner, "%s.%s" % (before, key) if before else str(key))
