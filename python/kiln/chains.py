"""The Markov chains of a file of results: which of its lines are of one stream, and in which order."""

import os
import re

REPLICA = "replica"        # member of a line of joined streams (streams.py): "number" of its stream, "trajectory" in it
NO_NUMBER = "files without the number of a trajectory"


def number_of(line):
    """The number of the trajectory; None for files of other codes.  That of NERSC archives does not count, as some
    programs write the same number everywhere."""
    return line.get("trajectory")


def boundary_of(line):
    """The boundaries in t with which the links were measured.  A file that does not say which it has, such as a NERSC
    archive, has those of the input: means of loops differ."""
    return line.get("boundary_time", "periodic")


def split(lines):
    """{name: lines} of each stream, in the order of its trajectories.  Seed and stream of the run that wrote a
    configuration tell its stream.  Lines without them, of other codes or earlier programs, belong to the stream of
    their folder.  Files without a number say nothing about their stream: they are one, in the order of the lines,
    or, in one folder, in that of the numbers in their names if nothing else differs in these.
    Lattices of different extents, or with different boundaries, are different streams."""
    seeds, found = _seeds_of_folders(lines), {}
    for line in lines:
        found.setdefault((_name(line, seeds), tuple(line.get("dims") or ()), boundary_of(line)), []).append(line)
    extents, boundaries = ({key[i] for key in found} for i in (1, 2))
    return {name + (", " + "x".join(map(str, dims)) if len(extents) > 1 and dims else "")
            + (", %s in t" % boundary if len(boundaries) > 1 else ""):
            _by_names(of) if name == NO_NUMBER else sorted(of, key=number_of)
            for (name, dims, boundary), of in found.items()}


def _by_names(lines):
    """Lines of files "l.20", "l.100", ... of one folder in the order of these numbers: a shell gives l.100 before
    l.20."""
    if len({os.path.dirname(line["file"]) for line in lines}) > 1:
        return lines
    parts = [re.fullmatch(r"(.*?)(\d+)(\D*)", os.path.basename(line["file"]), re.DOTALL) for line in lines]
    if not all(parts) or len({part.group(1, 3) for part in parts}) > 1:
        return lines
    numbers = [int(part.group(2)) for part in parts]
    order = sorted(range(len(lines)), key=numbers.__getitem__)
    return [lines[i] for i in order] if len(set(numbers)) == len(numbers) else lines


def require_one_configuration(streams):
    """ValueError if a trajectory of a stream has two configurations: of different ensembles.  streams: as of split."""
    for name, lines in streams.items():
        for one, other in zip(lines, lines[1:]):
            if number_of(one) is not None and number_of(one) == number_of(other):
                raise ValueError("trajectory %d of %s has two configurations with different links, %s and %s: files of "
                                 "different ensembles, or a file that was changed; select those of one ensemble, as by "
                                 "results.where(lambda line: line[\"file\"].startswith(FOLDER))"
                                 % (number_of(one), name, one["file"], other["file"]))


def require_one(lines):
    """ValueError if lines are of several streams."""
    streams = split(lines)
    require_one_configuration(streams)
    if len(streams) > 1:
        raise ValueError("these results are of %d streams, which are independent chains (%s): kiln.join_streams"
                         "([results]) has means over all of them, with errors from pairs of one stream, "
                         "results.streams() has each" % (len(streams), _text(streams)))


def _name(line, seeds):
    if number_of(line) is None:
        return NO_NUMBER
    folder = folder_of(line)
    of_folder = seeds.get(folder, ())
    return seed_of(line) or (of_folder[0] if len(of_folder) == 1 else "folder " + folder)


def folder_of(line):
    """The folder of the configuration, "run" also where the line has "./run"."""
    return os.path.dirname(os.path.normpath(line["file"]))


def seed_of(line):
    """"seed 7, stream 0", of the run that wrote the configuration; None if the line does not say."""
    of, random = line, line.get("random") or {}
    if "seed" not in line and line.get("trajectory") is not None and "links" not in random:
        of = random                                        # of earlier programs; else the seed may be of an input
    return "seed %d, stream %d" % (int(of["seed"], 16), of["stream"]) if "seed" in of else None


def _seeds_of_folders(lines):
    """By folder, the names of the seeds of its lines."""
    found = {}
    for line in lines:
        name = seed_of(line)
        names = found.setdefault(folder_of(line), [])
        if name and name not in names:
            names.append(name)
    return found


def _text(streams, most=6):
    parts = ["%s: %d lines" % (name, len(lines)) for name, lines in streams.items()]
    return "; ".join(parts[:most] + ["..."] * (len(parts) > most))
