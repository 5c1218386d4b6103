"""Records of the rows of validation/: of an ensemble, FOLDER/run.jsonl, or kept in streams/ROW.N.jsonl.xz.

The first line of a kept file is {"parameters": text of parameters.yaml, "programs": lines of kiln version --json,
"record_sha256": of run.jsonl}; the others are lines of the record with the members in KEPT alone."""

import functools
import glob
import hashlib
import itertools
import json
import lzma
import os
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = ("trajectory", "accepted", "thermalization", "dH", "exp_minus_dH", "plaquette", "rectangle", "parallelogram",
        "polyakov", "measurements", "time", "wall_seconds")


class Wrong(Exception):
    """What the user can mend."""


def program():
    name = os.environ.get("KILN", "kiln")
    if not shutil.which(name):
        raise Wrong("there is no program %s: name it by $KILN, or put kiln into PATH" % name)
    return name


def echo_of(text, what):
    """The top-level blocks of an input with all defaults, as kiln check prints them: {key: text}."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        said = subprocess.run([program(), "check", file.name], capture_output=True, text=True)
    if said.returncode:
        raise Wrong("kiln check refuses the parameters of %s: %s" % (what, said.stderr.strip()))
    blocks, key = {}, None
    for line in said.stdout.split("\n"):
        if line[:1].isalpha() and ":" in line:
            key = line.split(":")[0]
        if key:
            blocks[key] = blocks.get(key, "") + line.rstrip() + "\n"
    return blocks


def text_of(blocks):
    """The whole input, with all defaults, from the blocks that echo_of returned."""
    return "".join(blocks.values())


class Source:
    """What a record tells of its run: `lines`, the text of `parameters` and its `blocks` (echo_of), `programs` and
    `sha256` of run.jsonl."""

    def __init__(self, path, lines, parameters, programs, sha256):
        self.path, self.lines, self.parameters = path, lines, parameters
        self.programs, self.sha256 = programs, sha256

    @functools.cached_property
    def blocks(self):
        return echo_of(self.parameters, self.path)

    @property
    def random(self):
        """Seed and stream of the random numbers, as text: what tells streams apart."""
        return self.blocks.get("random")


def programs_path(folder):
    """The file beside an ensemble with a line for each `run`: kiln version --json."""
    return folder + ".programs.jsonl"


def read_source(path):
    """Of a kept file, of a record run.jsonl, or of the folder of an ensemble."""
    path = os.path.join(path, "run.jsonl") if os.path.isdir(path) else path
    if not os.path.exists(path):
        raise Wrong("there is no record %s: make it with reproduce run" % path)
    return _read_kept(path) if path.endswith(".xz") else _read_run(path)


def _read_run(path):
    import kiln
    folder = os.path.dirname(os.path.abspath(path))
    record = kiln.read_record(path)
    if record.damaged:
        raise Wrong("%s: line %s is damaged" % (path, record.damaged[0]))
    require_one_distribution(path, record)
    if not os.path.exists(programs_path(folder)):
        raise Wrong("%s is missing: make the ensemble with reproduce run" % programs_path(folder))
    with open(path, "rb") as file:
        sha256 = hashlib.sha256(file.read()).hexdigest()
    with open(os.path.join(folder, "parameters.yaml")) as file:
        text = file.read()
    with open(programs_path(folder)) as file:
        programs = [json.loads(line) for line in file]
    return Source(path, record.lines, text, programs, sha256)


def require_one_distribution(path, record):
    """All segments of a run are samples of the links with the same distribution."""
    from kiln import parameters
    known = [(first, text) for first, text in record.parameters if text is not None]
    for first, text in known[1:]:
        differs = parameters.difference(known[0][1], text)
        if differs:
            raise Wrong("%s: its segments are not samples of one distribution: %s is %s, from trajectory %d on %s"
                        % (path, differs[0], differs[1] or "not given", first, differs[2] or "not given"))


def _read_kept(path):
    try:
        with lzma.open(path, "rt") as file:
            head, *lines = map(json.loads, file)
        return Source(path, lines, head["parameters"], head["programs"], head["record_sha256"])
    except (lzma.LZMAError, EOFError, ValueError, KeyError) as error:
        raise Wrong("%s: no file of reproduce keep: %s" % (path, error))


def kept_paths(name):
    """The kept streams of a row, by their numbers."""
    found = glob.glob(os.path.join(HERE, "streams", glob.escape(name) + ".*.jsonl.xz"))
    return sorted(found, key=lambda path: (len(path), path))


def _numbers(source):
    return {line["trajectory"] for line in source.lines}


def keep(name, source):
    """Write a source to streams/NAME.N.jsonl.xz: over the file of the same stream, if the source has all its
    trajectories, else with the least free number.  The path."""
    path = next((p for p in kept_paths(name) if read_source(p).random == source.random), None)
    if path:
        lost = _numbers(read_source(path)) - _numbers(source)
        if lost:
            raise Wrong("%s has %d trajectories that %s lacks, such as %d; to replace it all the same, remove it first"
                        % (path, len(lost), source.path, min(lost)))
    else:
        path = next(p for p in (os.path.join(HERE, "streams", "%s.%d.jsonl.xz" % (name, number))
                                for number in itertools.count()) if not os.path.exists(p))
    head = {"parameters": source.parameters, "programs": source.programs, "record_sha256": source.sha256}
    lines = [head] + [{key: line[key] for key in KEPT if key in line} for line in source.lines]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with lzma.open(path + ".new", "wt", preset=9) as file:
        file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    os.replace(path + ".new", path)
    return path
