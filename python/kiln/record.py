"""The record of a run, run.jsonl: a JSON object for each trajectory, one a line."""

import difflib
import itertools
import json
import os

import numpy as np

from .chains import REPLICA, number_of
from .checksums import unchanged
from .conversion import to_gvar, to_pyerrors
from .parameters import first_difference, read_parameters, read_segments
from .status import find_member


def read_record(path):
    """Read run.jsonl.  An incomplete last line (being written, or left by a killed run) is omitted, and `torn` is True.
    Lines that were changed, by their digests, and lines that are not objects are also omitted; `damaged` has their
    numbers, counted from 1.  So are repeated lines, and lines whose input digest is not that of their segment
    (docs/conventions.md, "Lines left out"): `left_out` has their numbers.  The chain of the lines is not compared.  The
    files beside it have its `parameters`."""
    with open(path, "rb") as file:
        pieces = file.read().split(b"\n")
    directory = os.path.dirname(os.fspath(path))
    lines, damaged, left_out, segments = [], [], [], read_segments(directory)
    for number, (piece, is_whole) in enumerate(zip(pieces[:-1], unchanged(pieces[:-1])), start=1):
        try:
            line = json.loads(piece) if is_whole else None
            if not isinstance(line, dict) or not isinstance(line.get("trajectory"), int):
                raise ValueError
            if (not lines or line["trajectory"] > lines[-1]["trajectory"]) and _has_its_parameters(line, segments):
                lines.append(line)
            else:
                left_out.append(number)
        except ValueError:
            damaged.append(number)
    return Record(lines, torn=pieces[-1] != b"", damaged=damaged, left_out=left_out,
                  parameters=read_parameters(directory))


def _has_its_parameters(line, segments):
    """Whether the input digest of a line is that of its segment.  Lines of programs without chains have none."""
    known = [segment["input_digest"] for segment in segments
             if "input_digest" in segment and segment["first_trajectory"] <= line["trajectory"]]
    return "chain" not in line or not known or line.get("input_digest") == known[-1]


def results_of(line, name):
    """What the measurement `name` gave in a line of a record, a dictionary; None where it was not made or failed."""
    results = (line.get("measurements") or {}).get(name)
    return results if isinstance(results, dict) and results.get("converged", True) else None


OTHERS = "other_settings"       # member of a line of results: by name, the results with settings other than the newest


def _all_results(line, name):
    """All results of a measurement in a line, the newest last."""
    newest = (line.get("measurements") or {}).get(name)
    return (line.get(OTHERS) or {}).get(name, []) + ([newest] if isinstance(newest, dict) else [])


class Record:
    """Lines of a record (dictionaries), and columns of them as arrays.  Results of a measurement with one name and
    different settings are different quantities: columns of it raise ValueError until with_settings chooses.  So do
    columns of observables if the lines are of segments with different actions, until `between` chooses.

        record["plaquette.average"]         a number under keys within keys; NaN where a line has none; KeyError where
                                            no line of the whole record has one
        record["force.0.rms"]               a number picks an item of a list
        record.trajectory                   the numbers of the trajectories; -1 for a file of results without one
        record.parameters                   the parameters of each segment of the ensemble, oldest first: pairs of its
                                            first trajectory and the text of parameters.yaml (None: the file is not
                                            there); none in a record of other lines than those of run.jsonl
    """

    def __init__(self, lines, torn=False, damaged=(), whole=None, parameters=(), left_out=()):
        self.lines, self.torn, self.damaged, self.left_out = list(lines), torn, list(damaged), list(left_out)
        self.parameters = list(parameters)
        self._whole = self if whole is None else whole      # what this is a part of: its columns are known here too
        self._dotted = {}                                   # whether a name in a member of the lines has a dot

    def __len__(self):
        return len(self.lines)

    @property
    def trajectory(self):
        numbers = map(number_of, self.lines)
        return np.array([-1 if number is None else number for number in numbers], dtype=np.int64)

    @property
    def numbers(self):
        """Ascending numbers of the lines: those of the trajectories, or 1, 2, ... where these do not ascend."""
        known = self.trajectory
        return known if (known >= 0).all() and (np.diff(known) > 0).all() else np.arange(1, len(self) + 1)

    def require_one_chain(self):
        """ValueError if the lines are no series: Results may be of several streams."""

    def parameters_of_lines(self):
        """`parameters` of the segments that have a line here, without those whose file is missing."""
        if len(self.parameters) < 2:
            return [(first, text) for first, text in self.parameters if text is not None and self.lines]
        firsts = [first for first, _ in self.parameters]
        used = set(np.searchsorted(firsts, self.trajectory, side="right") - 1)
        return [(first, text) for i, (first, text) in enumerate(self.parameters) if text is not None and i in used]

    def require_one_distribution(self):
        """ValueError if the lines are of segments whose links have different distributions (kiln run --new-segment)."""
        differs = first_difference(self.parameters_of_lines())
        if differs:
            _, first, key, before, now = differs
            raise ValueError(
                "trajectories of this record have different actions: %s is %s, and %s from trajectory %d on; "
                "select those of one, as by record.between(%d, None) or run.segments(), or take "
                "kiln.Record(record.lines) for a history"
                % (key, before or "not given", now or "not given", first, first))

    def __getitem__(self, path):
        keys = self._keys_of(path)
        if _GROUPS.get(keys[0]) != "line":
            self.require_one_chain()
        if _GROUPS.get(keys[0]) == "observables":
            self.require_one_distribution()
        if keys[0] == "measurements" and len(keys) > 1:
            self._require_one_set(keys[1])
        found = [_number(line, keys) for line in self.lines]
        if all(number is None for number in found) and all(_number(line, keys) is None for line in self._whole.lines):
            raise KeyError(self._unknown(path))
        return np.array([np.nan if number is None else number for number in found], dtype=float)

    def _keys_of(self, path):
        """The nested keys of a column.  A key may have dots itself, as a measurement with the name "m0.1"."""
        parts = path.split(".")
        if not self._whole._has_dots(parts[0]):
            return parts
        ways = {tuple(way) for line in self._whole.lines for way in _ways(line, parts)}
        if len(ways) > 1:
            raise ValueError("%r is the name of %d columns, with the keys %s: take them from record.lines, and give "
                             "measurements names without dots"
                             % (path, len(ways), " and ".join(map(repr, sorted(map(list, ways))))))
        return list(ways.pop()) if ways else parts

    def _has_dots(self, member):
        """Whether a key in this member of a line, the name of a measurement or of a monomial, has dots."""
        if member not in self._dotted:
            inner = (line.get(member) for line in self.lines)
            names = set().union(*(value for value in inner if isinstance(value, dict)))
            self._dotted[member] = any("." in name for name in names)
        return self._dotted[member]

    def _unknown(self, path):
        known = self._whole.keys()
        near = [key for key in known if key.startswith(path + ".")] or difflib.get_close_matches(path, known)
        words = "no line has a number %r" % path
        if near:
            words += "; near to it: " + ", ".join(near)
        return words + "; known: " + (", ".join(known) if known else "none, the record has no lines")

    def settings(self, name):
        """The settings of the results of a measurement, as {digest: number of results}, that of the newest result last.
        The digest is None for results of a version of Kiln that did not write it."""
        found = {}
        for line in self.lines:
            for result in _all_results(line, name):
                digest = result.get("settings")
                found[digest] = found.pop(digest, 0) + 1
        return found

    def with_settings(self, name, settings):
        """The same lines with only those results of a measurement that have these settings."""
        return type(self)([_choose(line, name, settings) for line in self.lines], self.torn, self.damaged,
                          parameters=self.parameters, left_out=self.left_out)

    def _require_one_set(self, name):
        found = self.settings(name)
        if len(found) > 1:
            raise ValueError(
                "measurements.%s: the results have different settings, so that they are different quantities: %s; "
                "choose with record.with_settings(%r, settings), or give each settings a name of their own"
                % (name, ", ".join("%r (%d results)" % item for item in found.items()), name))

    def results(self, name):
        """The results of a measurement in every line, dictionaries; None where it was not made or failed.  ValueError
        if they have different settings, or the lines different actions."""
        self.require_one_chain()
        self.require_one_distribution()
        self._require_one_set(name)
        return [results_of(line, name) for line in self.lines]

    def to_gvar(self, values, bin_size=None):
        """The mean of a column, or of an array [trajectory, ...] such as that of kiln.correlator: kiln.to_gvar."""
        return to_gvar(self, values, bin_size)

    def to_pyerrors(self, values, ensemble="kiln", stream=None):
        """The same by kiln.to_pyerrors."""
        return to_pyerrors(self, values, ensemble, stream)

    def describe(self, path):
        """Unit, shape and definition of a column of a measurement, a Member: of "measurements.flow.charge" or
        "measurements.quarks.masses.0.condensate".  It needs the program kiln (status.py).  KeyError where there is
        none."""
        first, _, rest = path.partition(".")
        for line in self._whole.lines if first == "measurements" else []:
            names = {**(line.get("measurements") or {}), **(line.get(OTHERS) or {})}
            name = max((name for name in names if rest.startswith(name + ".")), key=len, default="")
            for result in _all_results(line, name):
                if "kind" in result:
                    return find_member(result["kind"], rest[len(name) + 1:])
        raise KeyError("no line has a measurement of the column %r" % path)

    def keys(self):
        """The names of all columns, in the order of the lines."""
        found = {}
        for line in self.lines:
            for path in _paths({key: value for key, value in line.items() if key != OTHERS}, ""):
                found[path] = None
        return list(found)

    def groups(self):
        """The columns by what they tell, as {group: {name: shape}}: "observables", numbers of the gauge field and of
        measurements; "algorithm", dH, energies, forces and solves; "cost", times, energy and traffic; "line", the
        numbers that identify the line.  A list of numbers is one name with its shape, the largest of all lines; its
        items are columns ("measurements.flow.along.t.0").  Lists that are empty in all lines, or have objects in other
        lines, have no name."""
        found = {"observables": {}, "algorithm": {}, "cost": {}, "line": {}}
        for line in self.lines:
            for key, value in line.items():
                for path, shape in _shapes(value, key) if key != OTHERS else ():
                    group = found["algorithm" if path.split(".")[-1] == "converged" else _GROUPS.get(key, "algorithm")]
                    group[path] = _largest([shape, group.get(path, ())])
        return {group: {name: shape for name, shape in names.items() if 0 not in shape}
                for group, names in found.items()}

    def observables(self):
        """The physics of the record, groups()["observables"]: {"plaquette.average": (), "measurements.flow.t0": (),
        "measurements.flow.along.charge": (31,), ...}."""
        return self.groups()["observables"]

    def where(self, condition):
        """The lines for which condition(line) holds."""
        return Record(filter(condition, self.lines), self.torn, self.damaged, self._whole, self.parameters,
                      self.left_out)

    def after_thermalization(self):
        """The trajectories with a Metropolis test."""
        return self.where(lambda line: not line["thermalization"])

    def between(self, first, last):
        """The trajectories numbered `first` to `last`, both included; None: no end."""
        def is_between(line):
            number = number_of(line)
            return number is not None and (first is None or first <= number) and (last is None or number <= last)
        return self.where(is_between)


def _choose(line, name, settings):
    """A copy of a line whose measurement `name` has these settings, or is missing."""
    chosen = [result for result in _all_results(line, name) if result.get("settings") == settings]
    measurements = {key: value for key, value in (line.get("measurements") or {}).items() if key != name}
    others = {key: value for key, value in (line.get(OTHERS) or {}).items() if key != name}
    if chosen:
        measurements[name] = chosen[-1]
    return {**line, "measurements": measurements, OTHERS: others}


def _ways(value, parts):
    """All lists of nested keys that `parts`, joined by dots, stand for, down to a number."""
    if not parts:
        return [] if isinstance(value, (dict, list)) else [[]]
    if isinstance(value, list):
        inside = parts[0].isdigit() and int(parts[0]) < len(value)
        return [[parts[0], *rest] for rest in _ways(value[int(parts[0])], parts[1:])] if inside else []
    found = []
    for n in range(1, len(parts) + 1) if isinstance(value, dict) else []:
        key = ".".join(parts[:n])
        if key in value:
            found += [[key, *rest] for rest in _ways(value[key], parts[n:])]
    return found


def _number(value, keys):
    """The number under nested keys: NaN for null, None if absent."""
    for key in keys:
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    if value is None:
        return np.nan                                      # null stands for what JSON cannot hold
    return float(value) if isinstance(value, (int, float)) else None


# Groups of the members of a line; all others are "algorithm".
_GROUPS = {
    **dict.fromkeys(("plaquette", "rectangle", "parallelogram", "polyakov", "measurements"), "observables"),
    **dict.fromkeys(("seconds", "wall_seconds", "joules", "timers", "bytes_to_device", "bytes_from_device"), "cost"),
    **dict.fromkeys(("trajectory", "thermalization", "configuration", "target", REPLICA), "line"),
}


def _largest(shapes):
    """The largest extent of these shapes in each direction."""
    return tuple(map(max, itertools.zip_longest(*shapes, fillvalue=0)))


def _shape(value):
    """Of a list of numbers or of such lists; of lists of different lengths, the largest."""
    return (len(value),) + _largest(map(_shape, value)) if isinstance(value, list) else ()


def _has(value, kinds):
    return any(_has(item, kinds) for item in value) if isinstance(value, list) else isinstance(value, kinds)


def _shapes(value, before):
    """Names and shapes of the numbers in a member of a line."""
    if isinstance(value, dict) or (isinstance(value, list) and _has(value, dict)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _shapes(inner, "%s.%s" % (before, key))
    elif value is None or (isinstance(value, list) and not _has(value, str)) or isinstance(value, (int, float)):
        yield before, _shape(value)


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
