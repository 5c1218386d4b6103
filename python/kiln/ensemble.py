"""The folder of an ensemble."""

import errno
import os
import re

from .parameters import output_name, read_newest, read_segments
from .record import read_record
from .status import ask_program


class Ensemble:
    """A folder written by kiln run: `record` (read at the first access), segments, configurations.  A missing folder
    raises FileNotFoundError, a path to something else NotADirectoryError."""

    def __init__(self, directory):
        self.directory = os.fspath(directory)
        if not os.path.isdir(self.directory):
            code = errno.ENOTDIR if os.path.exists(self.directory) else errno.ENOENT
            raise OSError(code, os.strerror(code), self.directory)      # the subclass that belongs to the code
        self._record = None

    @property
    def record(self):
        if self._record is None:
            self._record = read_record(os.path.join(self.directory, "run.jsonl"))
        return self._record

    def status(self, start=None):
        """What kiln status --json prints, a dictionary; means begin with trajectory `start` (None: after
        thermalization).  Under "measurements" are all measured numbers and those derived from ensemble means, such as
        "flow.t0", each with value, error, tau and unit.  It needs the program kiln (status.py)."""
        options = [] if start is None else ["--from", str(start)]
        return ask_program("status", self.directory, "--json", *options)

    def segments(self):
        """Stretches of a stream with constant parameters, oldest first: dictionaries as in segments.jsonl, and under
        "record" their part of the record.  An ensemble without that file is one segment."""
        segments = read_segments(self.directory)
        for i, segment in enumerate(segments):
            first = segment["first_trajectory"] if i > 0 else 0
            last = segments[i + 1]["first_trajectory"] - 1 if i + 1 < len(segments) else None
            segment["record"] = self.record.between(first, last)
        return segments

    def configurations(self):
        """Paths of the stored configurations, oldest first, without checkpoints: the files NAME.NNNNNN.lime with the
        output.name of parameters.yaml.  Without that file, of all names.  kiln.read_configuration reads any file."""
        found, own = [], self._output_name()
        for name in os.listdir(self.directory):
            match = re.fullmatch(r"(.+)\.(\d{6,10})\.lime", name)
            if match and not match.group(1).endswith(".checkpoint") and own in (None, match.group(1)):
                found.append((int(match.group(2)), os.path.join(self.directory, name)))
        return [path for _, path in sorted(found)]

    def _output_name(self):
        text = read_newest(self.directory)
        return output_name(text) if text is not None else None
