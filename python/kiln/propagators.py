"""Propagators of quarks with spin in SciDAC's files (USQCD's propagator files), of Kiln and other codes."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from .configuration import _records, _text, _verified_checksum
from .errors import ConfigurationError

TYPES = ("USQCD_DiracFermion_ScalarSource_TwelveSink", "USQCD_DiracFermion_ScalarSource_Sink_Pairs",
         "USQCD_DiracFermion_Source_Sink_Pairs")
BASES = ("degrand-rossi", "nonrelativistic")
COLUMNS, SPINOR = 12, 12


@dataclass
class Propagator:
    """Quarks and metadata of a file."""
    quark: np.ndarray                    # complex, [t, z, y, x, spin, color, spin of the source, color of the source]
    source: Optional[np.ndarray]         # [t, z, y, x], or with the indices of `quark`; None: on a part of the lattice
    extents: tuple                       # x, y, z, t
    type: str                            # USQCD's, one of TYPES
    bits: int                            # 32 or 64, of the reals of the quarks
    basis: str                           # of the gamma matrices: "degrand-rossi" or "nonrelativistic"
    description: dict                    # what Kiln writes about links, operator, mass and source; of others: empty

    def in_basis(self, basis):
        """The same in another basis, S quark S: S is its own inverse (docs/conventions.md)."""
        if basis not in BASES:
            raise ValueError("the basis is %r; known are %s" % (basis, ", ".join(BASES)))
        if basis == self.basis:
            return self
        s = (np.kron(np.array([[1, 1], [1, -1]]), np.eye(2)) / np.sqrt(2)).astype(self.quark.real.dtype)

        def turned(q):
            return np.einsum("ab,tzyxbcde,df->tzyxacfe", s, q, s)
        source = turned(self.source) if self.source is not None and self.source.ndim == 8 else self.source
        return Propagator(turned(self.quark), source, self.extents, self.type, self.bits, basis, self.description)


def read_propagator(path):
    """Read and verify: structure and sizes of the file, the checksum of each field, every number finite.  Numbers keep
    their precision: complex64 from 32 bits, complex128 from 64."""
    with open(path, "rb") as file:
        content = file.read()
    records = _records(content, path)
    about = _first(records, content, "scidac-file-xml", path)
    kind = _text(about, "type") if "usqcdPropFile" in about else None
    if kind not in TYPES:
        raise ConfigurationError("%s: record scidac-file-xml: the type is %s: no propagator that this reads"
                                 % (path, kind))
    basis = _text(about, "gammaBasis") or BASES[0]
    if basis not in BASES:
        raise ConfigurationError("%s: the gamma basis is %s; known are %s" % (path, basis, ", ".join(BASES)))
    extents = _extents(_first(records, content, "scidac-private-file-xml", path), path)
    binaries = [at for at, record in enumerate(records) if record[0] == "scidac-binary-data"]
    quarks, sources, bits = {}, [], set()
    for number, at in enumerate(binaries):
        is_source = number == 0 if kind == TYPES[0] else number % 2 == 0
        reals = 2 if is_source and kind != TYPES[2] else 2 * SPINOR
        field, texts, width = _field(records, content, at, extents, reals, is_source, path)
        if is_source:
            sources.append(field)
            continue
        bits.add(width)
        column = _column(texts["scidac-record-xml"], at, path)
        if column in quarks:
            raise ConfigurationError("%s: two quarks from spin %d and color %d" % ((path,) + divmod(column, 3)))
        quarks[column] = field
    if len(quarks) != COLUMNS or len(bits) != 1 or len(sources) not in (1, COLUMNS):
        raise ConfigurationError("%s: %d quarks and %d sources; a propagator has 12 quarks of one precision"
                                 % (path, len(quarks), len(sources)))
    described = any(record[0] == "kiln-propagator" for record in records)
    lines = _first(records, content, "kiln-propagator", path).splitlines() if described else []
    description = dict(line.split(": ", 1) for line in lines if ": " in line)
    return Propagator(_columns([quarks[column] for column in range(COLUMNS)]), _source(sources, list(quarks), path),
                      extents, kind, bits.pop(), basis, description)


def _first(records, content, name, path):
    for found, start, length, _ in records:
        if found == name:
            return content[start:start + length].rstrip(b"\0").decode("utf-8", "replace")
    raise ConfigurationError("%s: record %s is missing" % (path, name))


def _extents(xml, path):
    try:
        extents = tuple(int(n) for n in _text(xml, "dims").split())
    except (AttributeError, ValueError):
        extents = ()
    if len(extents) != 4 or min(extents) < 1 or (_text(xml, "volfmt") or "0") != "0":
        raise ConfigurationError("%s: record scidac-private-file-xml: no extents of a single file" % path)
    return extents


def _integer(xml, tag, default, at, path):
    text = _text(xml, tag)
    try:
        return default if text is None and default is not None else int(text)
    except (TypeError, ValueError):
        raise ConfigurationError("%s: record %d: %s is %s, not a number" % (path, at + 1, tag, text)) from None


def _field(records, content, at, extents, reals, is_source, path):
    """The numbers of a record, the texts of its message, and its bits; no numbers of a source on a part of the
    lattice."""
    _, start, length, message = records[at]
    texts = {name: content[begin:begin + size].rstrip(b"\0").decode("utf-8", "replace")
             for name, begin, size, number in records if number == message and not name.endswith("binary-data")}
    for name in ("scidac-private-record-xml", "scidac-record-xml", "scidac-checksum"):
        if name not in texts:
            raise ConfigurationError("%s: record %d: its message has no record %s" % (path, at + 1, name))
    private = texts["scidac-private-record-xml"]
    bits = {"F": 32, "D": 64}.get(_text(private, "precision"))
    if bits is None:
        raise ConfigurationError("%s: record %d: the precision is neither F nor D" % (path, at + 1))
    if is_source and _integer(private, "recordtype", 0, at, path) != 0:
        return None, texts, bits
    site = reals * bits // 8
    needed = site * int(np.prod(extents))
    stated = _integer(private, "typesize", None, at, path) * _integer(private, "datacount", 1, at, path)
    if stated != site or length != needed:
        raise ConfigurationError("%s: record %d: %d bytes, %d a site, but %dx%dx%dx%d needs %d, %d a site"
                                 % ((path, at + 1, length, stated) + extents + (needed, site)))
    data = memoryview(content)[start:start + length]
    _verified_checksum(data, texts["scidac-checksum"], site, path, "numbers")
    x, y, z, t = extents
    numbers = np.frombuffer(data, dtype=">f%d" % (bits // 8)).astype("=f%d" % (bits // 8))
    if not np.isfinite(numbers).all():
        raise ConfigurationError("%s: record %d: a number is not finite" % (path, at + 1))
    shape = (t, z, y, x) + ((4, 3) if reals == 2 * SPINOR else ())
    return numbers.view("complex%d" % (2 * bits)).reshape(shape), texts, bits


def _column(xml, at, path):
    spin, color = (_integer(xml, tag, None, at, path) for tag in ("spin", "color"))
    if not (0 <= spin < 4 and 0 <= color < 3):
        raise ConfigurationError("%s: record %d: spin %d and color %d of the source" % (path, at + 1, spin, color))
    return 3 * spin + color


def _columns(fields):
    stacked = np.stack(fields, axis=-1)
    return stacked.reshape(stacked.shape[:-1] + (4, 3))


def _source(sources, order, path):
    """The scalar source of all columns; spinors in the order of their quarks' columns."""
    if any(source is None for source in sources):
        return None
    if sources[0].ndim == 4:
        if not all(np.array_equal(source, sources[0]) for source in sources):
            raise ConfigurationError(path + ": the 12 scalar sources differ")
        return sources[0]
    return _columns([sources[order.index(column)] for column in range(COLUMNS)])
