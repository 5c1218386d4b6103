"""Independent streams of one ensemble, such as runs with several seeds, analyzed together."""

import math
import os

import numpy as np

from . import chains
from .parameters import difference, read_parameters
from .record import Record
from .results import Results

_OTHER = "join_streams: %s and %s are not samples of one distribution: %s is %s and %s"


def join_streams(records):
    """One Record of independent streams with the same parameters, each without thermalization:

        whole = kiln.join_streams([kiln.Ensemble(folder).record.after_thermalization() for folder in ("a", "b")])
        t0 = kiln.flow_scales(whole)["t0"]

    Files of results (kiln.read_results) count as the streams that they have: join_streams([results]).  They do not say
    which trajectories are of thermalization: leave these out by results.between(first, None).

    Means are over all trajectories.  Errors and tau come from pairs of one stream alone (replica of U. Wolff,
    hep-lat/0306017): the trajectories get new numbers, and between two streams stand empty lines, whose columns are
    NaN, as many as the longest stream has lines.  The columns "replica.number" and "replica.trajectory" have the number
    of the stream and that of the trajectory in it.  A measurement that was made every n-th trajectory keeps its steps;
    if n differs between streams, its tau is too large, but not its error.

    ValueError: no stream, an empty one, one with thermalization, which would count as a part of the ensemble, a
    trajectory that is in two streams: a copy or a fork is not independent, and errors would be too small; or parameters
    (those that record.parameters has) with another distribution of the links: another lattice, boundary or action."""
    if isinstance(records, Record) or not all(isinstance(record, Record) for record in records):
        raise TypeError("join_streams: expected a list of records, such as [kiln.Ensemble(\"a\").record."
                        "after_thermalization(), ...]")
    records = [part for record in records for part in _parts(record)]
    streams = [record.lines for record in records]
    if not streams or not all(streams):
        raise ValueError("join_streams: %s" % ("a stream without lines" if streams else "no stream"))
    for number, lines in enumerate(streams):
        if any(line.get("thermalization") for line in lines):
            raise ValueError("join_streams: stream %d has trajectories of thermalization: give "
                             "record.after_thermalization()" % number)
    known = _require_one_distribution(records)
    _require_no_copies(streams)
    return Record(_joined(streams), parameters=known[:1])


def _parts(record):
    """The streams of results, with the parameters of their folders; any other record is one stream."""
    if not isinstance(record, Results):
        return [record]
    streams = chains.split(record.lines)
    chains.require_one_configuration(streams)
    parts = []
    for lines in streams.values():
        folders = {os.path.dirname(line["file"]) for line in lines}
        numbers = Results(lines).numbers
        parts.append(Record([{**line, "trajectory": int(n)} for n, line in zip(numbers, lines)],
                            parameters=read_parameters(folders.pop()) if len(folders) == 1 else ()))
    return parts or [record]


def _joined(streams):
    longest = max(lines[-1]["trajectory"] - lines[0]["trajectory"] + 1 for lines in streams)
    spacing = math.gcd(*(_step(lines) for lines in streams if len(lines) > 1)) or 1
    step = math.lcm(spacing, *(_step(lines, name) for lines in streams for name in _names(lines)))
    joined = []
    for number, lines in enumerate(streams):
        first = lines[0]["trajectory"]
        offset = (streams[0][0]["trajectory"] - first) % spacing         # 0 where lines are one trajectory apart
        least = joined[-1]["trajectory"] + 1 + longest - first - offset if joined else 0
        shift = -(-least // step) * step + offset     # but for the offset, a multiple of all steps
        if joined:
            joined += _empty(joined[-1]["trajectory"] + 1, first + shift)
        for line in lines:
            if joined:
                joined += _empty(joined[-1]["trajectory"] + 1, line["trajectory"] + shift)
            joined.append({**line, "trajectory": line["trajectory"] + shift, "thermalization": False,
                           chains.REPLICA: {"number": number, "trajectory": line["trajectory"]}})
    return joined


def _require_one_distribution(records):
    """What is known of the parameters of the lines, as Record.parameters; lines of results have "dims" and others."""
    for key in ("dims", "boundary_time", "xi_0"):
        values = [("stream %d" % number, record.lines[0].get(key)) for number, record in enumerate(records)
                  if "links" in record.lines[0]]
        for name, value in values[1:]:
            if value != values[0][1]:
                raise ValueError(_OTHER % (values[0][0], name, key, values[0][1], value))
    known = [("stream %d from trajectory %d on" % (number, first) if first else "stream %d" % number, text)
             for number, record in enumerate(records) for first, text in _parameters_of_lines(record)]
    for name, text in known[1:]:
        differs = difference(known[0][1], text)
        if differs:
            raise ValueError(_OTHER % (known[0][0], name, differs[0],
                                       *(value or "not given" for value in differs[1:])))
    return [(0, text) for _, text in known]


def _parameters_of_lines(record):
    """Those of the segments that have a line in the record."""
    firsts = [first for first, _ in record.parameters[1:]] + [math.inf]
    return [(first, text) for (first, text), end in zip(record.parameters, firsts)
            if text is not None and any(first <= line["trajectory"] < end for line in record.lines)]


def _require_no_copies(streams):
    """Two chains of random numbers never have the same plaquette and dH, in all bits, after a trajectory, nor the same
    links."""
    first = {}
    for number, lines in enumerate(streams):
        for line in lines:
            average, links = (line.get("plaquette") or {}).get("average"), line.get("links")
            one = links or (line["trajectory"], average, line.get("dH"))
            other = first.setdefault(one, number)
            if other != number and (links or average is not None):
                raise ValueError("join_streams: streams %d and %d both have trajectory %d with %s: one is a copy or a "
                                 "fork of the other, and a trajectory counts once (kiln audit compares folders)"
                                 % (other, number, line["trajectory"],
                                    "links " + links if links else "plaquette %r" % average))


def _empty(first, end):
    return [{"trajectory": number, "thermalization": False} for number in range(first, end)]


def _names(lines):
    return {name for line in lines for name in (line.get("measurements") or {})}


def _step(lines, name=None):
    """The largest number that divides the distances of the trajectories, of those with this measurement if there is a
    name; 1 for a single one."""
    numbers = [line["trajectory"] for line in lines if name is None or name in (line.get("measurements") or {})]
    return int(np.gcd.reduce(np.diff(numbers))) if len(numbers) > 1 else 1
