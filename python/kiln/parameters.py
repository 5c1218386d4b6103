"""The parameters of an ensemble, parameters.yaml, and those of them that decide the distribution of its links."""

import functools
import json
import os
import re

# What decides the distribution: lattice, boundaries, and the weight of the links.  All else is how links are updated,
# measured and stored: seeds, start, algorithm (hmc, heatbath, smd, tempering), measurements, output.
_BLOCKS = ("lattice", "boundary", "monomials")

# What `kiln check --reference --json` prints: by key, the default, and whether another value changes the distribution.
_KEYS = "keys.json"


@functools.lru_cache(maxsize=None)
def _keys():
    with open(os.path.join(os.path.dirname(__file__), _KEYS), encoding="utf-8") as file:
        return json.load(file)


@functools.lru_cache(maxsize=64)
def difference(one, other):
    """The first key that decides the distribution of the links and differs between two texts of parameters.yaml, and
    its values, as ("monomials.0.beta", "5.8", "6.0"); a value is None where the key was not given.  None: no key
    differs.  A key that one text does not have, as earlier versions of Kiln did not write it, has its default there.
    A monomial is compared with that of the same name, wherever it stands in the list."""
    one, other = _distribution(one), _distribution(other)
    for name in {**one, **other}:
        (path, first, usual), (path_there, second, usual_there) = (of.get(name, (None,) * 3) for of in (one, other))
        if (usual_there if first is None else first) != (usual if second is None else second):
            return path or path_there, first, second
    return None


def first_difference(known):
    """Of pairs (place, text of parameters.yaml), the first place whose links have another distribution than those of
    the first pair, as (place of the first pair, other place, key, its values at both).  None if there is none."""
    for place, text in known[1:]:
        differs = difference(known[0][1], text)
        if differs:
            return (known[0][0], place, *differs)
    return None


def random_numbers(text):
    """"seed 7, stream 0" of a text of parameters.yaml: with the number of a trajectory they select its random numbers.
    None if the text does not have them."""
    values = dict(_values(text))
    seed, stream = values.get("random.seed"), values.get("random.stream")
    return "seed %s, stream %s" % (seed, stream) if seed and stream else None


def output_name(text):
    """output.name of a text of parameters.yaml; None if the text does not have it."""
    name = dict(_values(text)).get("output.name")
    return json.loads(name) if name and name[0] == '"' else name


def read_segments(directory):
    """Stretches of a stream with constant parameters, oldest first: dictionaries as in segments.jsonl.  An ensemble
    without that file is one segment."""
    path = os.path.join(directory, "segments.jsonl")
    segments = []
    if os.path.exists(path):
        with open(path, "rb") as file:
            pieces = file.read().split(b"\n")[:-1]
        segments = [_segment(path, number, piece) for number, piece in enumerate(pieces, start=1)]
    return segments or [{"segment": 1, "first_trajectory": 1}]


def read_parameters(directory):
    """The parameters of each segment, oldest first, as pairs of its first trajectory and the text of its
    parameters.yaml; None in place of a file that is not there."""
    firsts = [segment["first_trajectory"] for segment in read_segments(directory)]
    names = ["parameters.%06d.yaml" % (first - 1) for first in firsts[1:]] + ["parameters.yaml"]
    return [(first, _read_text(os.path.join(directory, name))) for first, name in zip([0] + firsts[1:], names)]


def read_newest(directory):
    """The text of parameters.yaml, which is that of the newest segment; None if the file is not there."""
    return _read_text(os.path.join(directory, "parameters.yaml"))


def _segment(path, number, piece):
    try:
        segment = json.loads(piece)
    except ValueError as error:
        raise ValueError("%s: line %d is no JSON: %s" % (path, number, error)) from None
    if not isinstance(segment, dict) or not isinstance(segment.get("first_trajectory"), int):
        raise ValueError("%s: line %d: an object with first_trajectory expected" % (path, number))
    return segment


def _read_text(path):
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:      # paths may have any bytes
            return file.read()
    except FileNotFoundError:
        return None


def _distribution(text):
    """{key with the name of its monomial: (key, value, default)}."""
    values = _given(dict(_values(text)))
    names = {path[:-len(".name")]: value for path, value in values.items()
             if re.fullmatch(r"monomials\.\d+\.name", path)}
    found = {}
    for path, value in values.items():
        rows = _rows(path, values)
        if path.split(".")[0] in _BLOCKS and not any(row.get("may_differ") for row in rows):
            monomial = ".".join(path.split(".")[:2])
            found[names.get(monomial, monomial) + path[len(monomial):]] = path, value, rows[-1].get("default")
    return found


def _rows(path, values):
    """The rows of a key and of all keys that it is in, outermost first; {} for a key that this version does not
    know."""
    parts, names, rows = path.split("."), [], []
    for number, part in enumerate(parts, start=1):
        if part.isdigit():
            kind = values.get(".".join(parts[:number]) + ".kind")
            names += [kind] if kind else []
        else:
            names.append(part)
            rows.append(_keys().get(".".join(names), {}))
    return rows


def _given(values):
    """The values without those by which earlier versions of Kiln say that a key was not given."""
    former = {path: row for path, row in ((path, _rows(path, values)[-1]) for path in values)
              if row.get("formerly") == values[path]}
    if not any(row["only_formerly"] for row in former.values()):
        return values
    return {path: value for path, value in values.items() if path not in former}


def _values(text):
    """Pairs ("monomials.1.beta", "5.8") of YAML as Kiln writes it: blocks, with a value or an empty or flat list on
    one line."""
    above, items = [], {}                        # (indentation, key) of what a line is in; number of items of each list
    def enter(indent, key):
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, key))
        return ".".join(key for _, key in above)
    for line in text.splitlines():
        rest = line.lstrip(" ")
        while rest.startswith("- "):
            indent, rest = len(line) - len(rest), rest[2:]
            of = enter(indent, "").rpartition(".")[0]
            above[-1] = indent, str(items.get(of, 0))
            items[of] = items.get(of, 0) + 1
        key, colon, value = rest.partition(":")
        if colon and not rest.startswith("#"):
            path = enter(len(line) - len(rest), key)
            if value.strip():
                yield path, value.strip()
