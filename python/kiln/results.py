"""Files of kiln measure --results: what was measured on each configuration, one JSON object a line."""

import json
import os

from . import chains
from .checksums import check_lines
from .parameters import first_difference, read_parameters
from .record import OTHERS, Record


class Results(Record):
    """Configurations with all that was measured on them: a Record whose lines have "file" and "links" too, and whose
    `trajectory` is -1 for a file without one.  Configurations of a stream are in the order of their trajectories.

        results["plaquette.average"]        a number of every configuration, NaN where it has none
        results.files                       the names of the files
        results.streams()                   the results of each independent stream, by its name

    Several streams are no series: their columns raise ValueError, and kiln.join_streams([results]) makes a record of
    them.  So do columns of configurations of one stream with different actions, as far as the folders of the
    configurations have their parameters.yaml."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._parameters = {}                               # by folder: read_parameters

    @property
    def files(self):
        return [line["file"] for line in self.lines]

    def streams(self):
        """{name: results} of each stream (chains.py): {"seed 7, stream 0": Results, ...}."""
        return {name: self._part(lines) for name, lines in chains.split(self.lines).items()}

    def measurement_parameters(self, name):
        """The parameters of the measurement `name` for each of its settings, as {digest: YAML}, that of the newest
        result last: masses, source, c_sw, ...  None for results of a version of Kiln that did not write them."""
        texts = {}
        for line in self.lines:
            texts.update(line.get("parameters") or {})
        return {digest: texts.get(digest) for digest in self.settings(name)}

    def require_one_chain(self):
        chains.require_one(self.lines)
        self.require_one_distribution()

    def require_one_distribution(self):
        """ValueError if the folders of the configurations say that their links have different distributions."""
        differs = first_difference(self.known_parameters())
        if differs:
            one, other, key, before, now = differs
            raise ValueError(
                "these configurations have different actions: %s is %s in %s, and %s in %s; select those of one, "
                "as by results.between(first, last) or results.where(lambda line: "
                "line[\"file\"].startswith(FOLDER)), or take kiln.Record(results.lines) for a history"
                % (key, before or "not given", one, now or "not given", other))

    def known_parameters(self):
        """The parameters of each folder and segment that has a configuration here, as pairs ("FOLDER from trajectory 21
        on", text of parameters.yaml); none of a folder without that file, or of configurations without a number."""
        folders, found = {}, []
        for line in self.lines:
            if chains.number_of(line) is not None:
                folders.setdefault(chains.folder_of(line), []).append(line)
        for folder, lines in folders.items():
            if folder not in self._whole._parameters:
                self._whole._parameters[folder] = read_parameters(folder)
            segments = Record(lines, parameters=self._whole._parameters[folder])
            found += [(folder + (" from trajectory %d on" % first if first else ""), text)
                      for first, text in segments.parameters_of_lines()]
        return found

    def where(self, condition):
        return self._part(filter(condition, self.lines))

    def after_thermalization(self):
        raise ValueError("results do not say which trajectories are of thermalization: select the others, as by "
                         "results.between(first, None)")

    def _part(self, lines):
        return Results(lines, self.torn, self.damaged, self._whole)


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
        both = (key in ("keys", "measurements", "parameters")
                and isinstance(merged.get(key), dict) and isinstance(value, dict))
        merged[key] = {**merged[key], **value} if both else value
    return merged


def _merge_line(found, line):
    """Merge a line into the lines of its links and boundaries, by number.  Files without a number count by their names,
    as a rejected trajectory leaves its links, unless one of these links has a number: then they are copies of it."""
    of_links, number = found.setdefault((line["links"], chains.boundary_of(line)), {}), chains.number_of(line)
    numbers = [key for key in of_links if isinstance(key, int)]
    if number is not None and not numbers:
        for name in list(of_links):
            of_links[number] = _merge(of_links.get(number, {}), of_links.pop(name))
    elif number is None:
        number = numbers[0] if numbers else os.path.basename(line["file"])
    of_links[number] = _merge(of_links.get(number, {}), line)


def read_results(path):
    """Read a file of kiln measure --results as Results.  Lines of the same links and trajectory become one; a rejected
    trajectory, with the links of the one before, counts by itself.  Results of a measurement with different settings
    are kept apart (Record.with_settings), and so are independent streams (Results.streams).  An incomplete last line is
    omitted, and `torn` is True; lines that were changed, by their digests, are omitted, and `damaged` has their
    numbers, counted from 1."""
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
    return Results([line for stream in chains.split(lines).values() for line in stream], torn=pieces[-1] != b"",
                   damaged=damaged)
