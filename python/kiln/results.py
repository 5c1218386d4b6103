"""Files of kiln measure --results: what was measured on each configuration, one JSON object a line."""

import json

import numpy as np

from .checksums import check_lines
from .record import OTHERS, Record


class Results(Record):
    """Configurations with all that was measured on them: a Record whose lines have "file" and "links" too, and whose
    `trajectory` is -1 for a file without one.  Configurations of an ensemble are in the order of their trajectories.

        results["plaquette.average"]        a number of every configuration, NaN where it has none
        results.files                       the names of the files
    """

    @property
    def files(self):
        return [line["file"] for line in self.lines]

    @property
    def trajectory(self):
        return np.array([-1 if line.get("trajectory") is None else line["trajectory"] for line in self.lines],
                        dtype=np.int64)

    def where(self, condition):
        return Results(filter(condition, self.lines), self.torn, self.damaged, self._whole)


def _set_aside(older, newer):
    """Results of measurements that a newer line has with other settings, by name, each settings once."""
    others = {name: list(results) for name, results in (older.get(OTHERS) or {}).items()}
    before, now = older.get("measurements") or {}, newer.get("measurements") or {}
    for name, result in now.items():
        settings = result.get("settings")
        kept = others.get(name, []) + [before[name]] if name in before else others.get(name, [])
        kept = [one for one in kept if one.get("settings") != settings]
        if kept:
            others[name] = kept
        else:
            others.pop(name, None)
    return others


def _merge(older, newer):
    """What lines of the same configuration have together; the newer one counts where both have a member.  Results with
    other settings are set aside."""
    merged = {**older, OTHERS: _set_aside(older, newer)}
    for key, value in newer.items():
        both = key in ("keys", "measurements") and isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = {**merged[key], **value} if both else value
    return merged


def _merge_line(found, line):
    """Merge a line into the lines of its links, by number: a file without a number counts for one that has."""
    of_links, number = found.setdefault(line["links"], {}), line.get("trajectory")
    if None in of_links and number is not None:
        of_links[number] = of_links.pop(None)
    elif number is None and of_links:
        number = next(iter(of_links))
    of_links[number] = _merge(of_links.get(number, {}), line)


def read_results(path):
    """Read a file of kiln measure --results as Results.  Lines of the same links and trajectory become one; a rejected
    trajectory, with the links of the one before, counts by itself.  Results of a measurement with different settings
    are kept apart (Record.with_settings).  An incomplete last line is omitted, and `torn` is True; lines that were
    changed, by their digests, are omitted, and `damaged` has their numbers, counted from 1."""
    with open(path, "rb") as file:
        pieces = file.read().split(b"\n")
    found, damaged = {}, []
    for number, (piece, holds) in enumerate(zip(pieces[:-1], check_lines(pieces[:-1])), start=1):
        try:
            line = json.loads(piece) if holds else None
        except ValueError:
            line = None
        if isinstance(line, dict) and isinstance(line.get("links"), str) and isinstance(line.get("file"), str):
            _merge_line(found, line)
        else:
            damaged.append(number)
    lines = [line for same_links in found.values() for line in same_links.values()]
    if all(isinstance(line.get("trajectory"), int) for line in lines):
        lines.sort(key=lambda line: line["trajectory"])
    return Results(lines, torn=pieces[-1] != b"", damaged=damaged)
