"""Independent streams of one ensemble, such as runs with several seeds, analyzed together."""

import math
from dataclasses import dataclass

import numpy as np

from . import chains
from .parameters import first_difference, random_numbers, read_parameters
from .record import Record
from .results import Results


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

    ValueError: no stream, an empty one, one with thermalization, which would count as a part of the ensemble; a
    trajectory that is in two streams, since a copy or a fork is not independent, and errors would be too small; a
    trajectory of two streams with the same random numbers (seed, stream and number); or parameters (those that
    record.parameters has) with another distribution of the links: another lattice, boundary or action."""
    if isinstance(records, Record) or not all(isinstance(record, Record) for record in records):
        raise TypeError("join_streams: expected a list of records, such as [kiln.Ensemble(\"a\").record."
                        "after_thermalization(), ...]")
    streams = [stream for record in records for stream in _streams(record)]
    records = [stream.record for stream in streams]
    lines_of_all = [record.lines for record in records]
    if not streams or not all(lines_of_all):
        raise ValueError("join_streams: %s" % ("a stream without lines" if streams else "no stream"))
    for number, lines in enumerate(lines_of_all):
        if any(line.get("thermalization") for line in lines):
            raise ValueError("join_streams: stream %d has trajectories of thermalization: give "
                             "record.after_thermalization()" % number)
    known = _require_one_distribution(records)
    _require_no_copies(streams)
    _require_own_random_numbers(streams)
    return Record(_joined(lines_of_all), parameters=known[:1])


@dataclass
class _Stream:
    record: Record                       # every line has a number under "trajectory"
    numbered: bool                       # whether these are numbers of trajectories; else 1, 2, ...
    random: str                          # "seed 7, stream 0" of its random numbers; None: unknown


def _stream(record, parameters, random):
    numbers = record.numbers
    numbered = bool((numbers == record.trajectory).all())
    return _Stream(Record([{**line, "trajectory": int(n)} for n, line in zip(numbers, record.lines)],
                          parameters=parameters), numbered, random if numbered else None)


def _streams(record):
    """The streams of results, with the parameters of their folders; any other record is one stream."""
    if not isinstance(record, Results):
        texts = [text for _, text in record.parameters if text is not None]
        joined = any(chains.REPLICA in line for line in record.lines)          # its numbers are not those of streams
        return [_stream(record, record.parameters, random_numbers(texts[-1]) if texts and not joined else None)]
    streams = chains.split(record.lines)
    chains.require_one_configuration(streams)
    found = []
    for lines in streams.values():
        folders, results = {chains.folder_of(line) for line in lines}, Results(lines)
        if len(folders) > 1:
            results.require_one_distribution()
        parameters = (read_parameters(folders.pop()) if len(folders) == 1
                      else [(0, text) for _, text in results.known_parameters()[:1]])
        found.append(_stream(results, parameters,
                             next(filter(None, map(chains.seed_of, lines)), None)))
    return found or [_stream(record, (), None)]


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
    of_results = [("stream %d" % number, record.lines[0]) for number, record in enumerate(records)
                  if "links" in record.lines[0]]
    for key in ("dims", "boundary_time", "xi_0"):
        values = [(name, line.get(key)) for name, line in of_results if key in line or key != "xi_0"]
        for name, value in values[1:]:
            if value != values[0][1]:
                raise ValueError(_other(values[0][0], name, key, values[0][1], value))
    known = [("stream %d from trajectory %d on" % (number, first) if first else "stream %d" % number, text)
             for number, record in enumerate(records) for first, text in record.parameters_of_lines()]
    differs = first_difference(known)
    if differs:
        raise ValueError(_other(*differs))
    return [(0, text) for _, text in known]


def _other(one, other, key, *values):
    return "join_streams: %s and %s are not samples of one distribution: %s is %s and %s" % (
        one, other, key, *("not given" if value is None else value for value in values))


def _require_no_copies(streams):
    """Two chains of random numbers never have the same plaquette and dH, in all bits, after a trajectory, nor the same
    links."""
    first = {}
    for number, stream in enumerate(streams):
        for line in stream.record.lines:
            average, links = (line.get("plaquette") or {}).get("average"), line.get("links")
            one = links or (line["trajectory"], average, line.get("dH"))
            other, before = first.setdefault(one, (number, line))
            if other != number and (links or average is not None):
                what = "trajectory %d with %s" % (line["trajectory"],
                                                  "links " + links if links else "plaquette %r" % average)
                if links and not (stream.numbered and streams[other].numbered):
                    what = "links %s, in %s and %s" % (links, before["file"], line["file"])
                raise ValueError("join_streams: streams %d and %d both have %s: one is a copy or a fork of the other, "
                                 "and a trajectory counts once (kiln audit compares folders)" % (other, number, what))


def _require_own_random_numbers(streams):
    """Seed, stream and number of a trajectory select its random numbers.  A stream that continues the numbers of
    another one (start.trajectory) has other trajectories, and is accepted."""
    first = {}
    for number, stream in enumerate(streams):
        for line in stream.record.lines if stream.random else ():
            other = first.setdefault((stream.random, line["trajectory"]), number)
            if other != number:
                raise ValueError("join_streams: streams %d and %d both have trajectory %d of %s: the same random "
                                 "numbers, which correlate them even if they start from different links; "
                                 "generate one of them again with --set random.stream=N and another output.directory"
                                 % (other, number, line["trajectory"], stream.random))


def _empty(first, end):
    return [{"trajectory": number, "thermalization": False} for number in range(first, end)]


def _names(lines):
    return {name for line in lines for name in (line.get("measurements") or {})}


def _step(lines, name=None):
    """The largest number that divides the distances of the trajectories, of those with this measurement if there is a
    name; 1 for a single one."""
    numbers = [line["trajectory"] for line in lines if name is None or name in (line.get("measurements") or {})]
    return int(np.gcd.reduce(np.diff(numbers))) if len(numbers) > 1 else 1
