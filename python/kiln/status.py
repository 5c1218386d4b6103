"""Numbers and definitions that the program kiln prints: kiln status --json, kiln check --results."""

import functools
import json
import os
import re
import subprocess
from dataclasses import dataclass


class ProgramError(RuntimeError):
    """The program kiln cannot be started, or refused; the text is what it said."""


def ask_program(*arguments):
    """The JSON that `kiln` prints.  The program is $KILN_PROGRAM, otherwise kiln of the PATH.  Exit status 1 with JSON
    is an answer: the folder has a fault, which is under "fault"."""
    program = os.environ.get("KILN_PROGRAM") or "kiln"
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ProgramError("%s: %s; set KILN_PROGRAM to the program" % (program, error.strerror)) from None
    try:
        return json.loads(done.stdout)
    except ValueError:
        words = "%s %s: status %d" % (program, " ".join(arguments), done.returncode)
        raise ProgramError(done.stderr.strip() or words) from None


@dataclass(frozen=True)
class Member:
    """A member of the results of measurements, as docs/observables.md has it."""
    list: str                            # the list in whose items it is: "masses"; None: it is in no list
    member: str                          # its name; a dot separates names of nested members
    unit: str                            # a power of the lattice spacing a of isotropic lattices; None: it has none
    shape: str                           # what the indices of a list count: "[t]"; None: a number or a text
    definition: str                      # Markdown


@functools.lru_cache(maxsize=None)
def _members(program):
    return {kind: tuple(Member(**one) for one in members)
            for kind, members in ask_program("check", "--results").items()}


def result_members():
    """By kind of measurement, all members of its results, a tuple of Member each."""
    return _members(os.environ.get("KILN_PROGRAM"))


def find_member(kind, path):
    """The Member of a path in a result of a measurement of this kind, such as "masses.0.condensate" or "loops.3";
    KeyError if the kind has none."""
    for one in result_members().get(kind, ()):
        rest = re.sub(r"^%s\.\d+\." % re.escape(one.list), "", path) if one.list else path
        below = one.list is None or rest != path
        if below and (rest == one.member or (one.shape and rest.startswith(one.member + "."))):
            return one
    raise KeyError("measurements of kind %s have no results %s" % (kind, path))
