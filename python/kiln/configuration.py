"""Gauge configurations of Kiln and other codes, in LIME files (ILDG, SciDAC) and the formats of MILC, NERSC archives
and openQCD; the readers verify them."""

import json
import re
import struct
import zlib
from dataclasses import dataclass
from typing import Optional

import numpy as np

from .archives import format_of, read_milc, read_nersc, read_openqcd
from .errors import ConfigurationError

HEADER = struct.Struct(">IHHQ128s")
MAGIC = 0x456789AB
MESSAGE_BEGINS, MESSAGE_ENDS = 0x8000, 0x4000


@dataclass
class Configuration:
    """Links and metadata of a file; None for absent metadata."""
    links: np.ndarray                    # complex, [t, z, y, x, mu, row, column]
    extents: tuple                       # x, y, z, t
    format: str                          # "ildg", "scidac", "milc", "nersc" or "openqcd"
    bits: int                            # 32 or 64, of the reals in the file
    checksum: Optional[tuple]            # SciDAC's or MILC's two, that of NERSC; verified
    plaquette: Optional[float]           # as stated by the file: of all links; kiln.plaquette measures
    link_trace: Optional[float]
    lfn: Optional[str]                   # logical file name
    state: Optional[dict]                # Kiln's kiln-run-state: trajectory, seed, ...

    @property
    def open_in_time(self):
        """Whether the file says that its boundaries in time are open, as Kiln's own files do."""
        return isinstance(self.state, dict) and self.state.get("boundary_time") == "open"


def read_configuration(path):
    """Read and verify: structure and size of the file, its checksum, every number finite; for NERSC and openQCD also
    the plaquette (and link trace) of the header.  Links keep their precision: complex64 from 32 bits, complex128 from
    64.  The first bytes tell the format."""
    with open(path, "rb") as file:
        content = file.read()
    archive = format_of(content)
    if archive:
        return _archive(archive, content, path)
    records = _records(content, path)
    names = [record[0].lower() for record in records]
    kinds = [name for name in ("ildg-binary-data", "scidac-binary-data") if name in names]
    if not kinds:
        raise ConfigurationError("%s: no record ildg-binary-data or scidac-binary-data" % path)
    if names.count(kinds[0]) > 1:
        raise ConfigurationError("%s: several records %s; this reads files with one configuration" % (path, kinds[0]))
    binary = names.index(kinds[0])
    texts = _texts(records, binary, content)
    extents, bits = _layout(texts, kinds[0], path)
    _, start, length, _ = records[binary]
    data = memoryview(content)[start:start + length]
    needed = int(np.prod(extents)) * 72 * bits // 8
    if length != needed:
        raise ConfigurationError("%s: record %s: %d bytes, but %dx%dx%dx%d in %d bits needs %d"
                                 % ((path, kinds[0], length) + extents + (bits, needed)))
    checksum = _verified_checksum(data, texts.get("scidac-checksum"), 72 * bits // 8, path)
    links = _links(data, extents, bits, path)
    about = texts.get("scidac-record-xml", "")
    lfn = texts["ildg-data-lfn"].strip() if "ildg-data-lfn" in texts else None
    try:
        state = json.loads(texts["kiln-run-state"]) if "kiln-run-state" in texts else None
    except ValueError as error:
        raise ConfigurationError("%s: record kiln-run-state: no JSON (%s)" % (path, error)) from None
    return Configuration(links, extents, kinds[0].split("-")[0], bits, checksum, _real(about, "plaq", path),
                         _real(about, "linktr", path), lfn, state)


def _archive(archive, content, path):
    """A file that is not LIME."""
    if archive == "milc":
        return Configuration(*_with_format(read_milc(content, path), archive), None, None, None, None)
    if archive == "nersc":
        *read, about_plaquette, about_trace = read_nersc(content, path)
        return Configuration(*_with_format(read, archive), about_plaquette, about_trace, None, None)
    links, extents, bits, about_plaquette = read_openqcd(content, path)
    return Configuration(links, extents, archive, bits, None, about_plaquette, None, None, None)


def _with_format(read, archive):
    links, extents, bits, checksum = read
    return links, extents, archive, bits, checksum


def _records(content, path):
    """(type, start of the data, length, number of the message) of all records; they must fill the whole file, but for
    white space and zero bytes at its end."""
    records, at, message, is_open = [], 0, 0, True
    while at < len(content) and not (records and not content[at:].strip(b"\0 \t\r\n")):
        if len(content) - at < HEADER.size:
            raise ConfigurationError("%s: truncated: %d bytes after the last complete record"
                                     % (path, len(content) - at))
        magic, _, flags, length, name = HEADER.unpack_from(content, at)
        if magic != MAGIC:
            raise ConfigurationError("%s: no LIME record begins at byte %d, where one should" % (path, at))
        name = name.split(b"\0")[0].decode("ascii", "replace")
        start = at + HEADER.size
        at = start + (length + 7) // 8 * 8
        if at > len(content):
            raise ConfigurationError("%s: record %s: %d bytes and padding, but only %d are left in the file"
                                     % (path, name, length, len(content) - start))
        message += bool(records) and (not is_open or bool(flags & MESSAGE_BEGINS))
        is_open = not flags & MESSAGE_ENDS
        records.append((name, start, length, message))
    return records


def _texts(records, binary, content):
    """For each type the record that describes the data of record `binary`: one of the same message, else the
    nearest one of another message, if that has no binary data of its own."""
    message = records[binary][3]
    others = {number for name, _, _, number in records if name.lower().endswith("binary-data")} - {message}
    best = {}
    for at, (name, start, length, number) in enumerate(records):
        if name.lower().endswith("binary-data") or number in others:
            continue
        rank = (number != message, abs(at - binary))
        if name.lower() not in best or rank < best[name.lower()][0]:
            best[name.lower()] = (rank, content[start:start + length].rstrip(b"\0").decode("utf-8", "replace"))
    return {name: text for name, (_, text) in best.items()}


_MARKUP = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def _text(xml, tag):
    """The text of the first element `tag` that has only text, as the program reads it (src/io/xml.h)."""
    sections = []

    def keep(section):
        sections.append(section.group(1))
        return "\0%d\0" % (len(sections) - 1)
    plain = _MARKUP.sub("", _CDATA.sub(keep, xml))
    attributes = r"(?:\s(?:[^>\"']|\"[^\"]*\"|'[^']*')*)?"
    for found in re.finditer(r"<(?:[\w.-]+:)?%s%s(?<!/)>([^<]*)</(?:[\w.-]+:)?%s\s*>" % (tag, attributes, tag), plain):
        return re.sub("\0(\\d+)\0", lambda number: sections[int(number.group(1))], found.group(1)).strip()
    return None


def _real(xml, tag, path):
    """None where it is absent."""
    text = _text(xml, tag)
    try:
        number = float(text) if text else None
    except ValueError:
        number = np.nan
    if number is not None and not np.isfinite(number):
        raise ConfigurationError("%s: record scidac-record-xml: %s is %r, not a number" % (path, tag, text))
    return number


def _layout(texts, kind, path):
    """Extents and bits, on which all descriptions must agree."""
    found = set()
    try:
        if "ildg-format" in texts:
            xml = texts["ildg-format"]
            found.add((tuple(int(_text(xml, tag)) for tag in ("lx", "ly", "lz", "lt")), int(_text(xml, "precision"))))
        if "scidac-private-file-xml" in texts and "scidac-private-record-xml" in texts:
            extents = tuple(int(n) for n in _text(texts["scidac-private-file-xml"], "dims").split())
            found.add((extents, {"F": 32, "D": 64}[_text(texts["scidac-private-record-xml"], "precision")]))
    except (TypeError, ValueError, KeyError) as error:
        raise ConfigurationError("%s: extents or precision cannot be read (%s)" % (path, error)) from None
    if len(found) != 1 or (kind == "ildg-binary-data" and "ildg-format" not in texts):
        raise ConfigurationError("%s: %s" % (path, "its records contradict each other: %s" % sorted(found) if found
                                             else "no record says extents and precision"))
    extents, bits = found.pop()
    if len(extents) != 4 or min(extents) < 1 or bits not in (32, 64):
        raise ConfigurationError("%s: extents %s and %d bits make no configuration" % (path, extents, bits))
    return extents, bits


def _links(data, extents, bits, path):
    x, y, z, t = extents
    reals = np.frombuffer(data, dtype=">f%d" % (bits // 8)).astype("=f%d" % (bits // 8))
    if not np.isfinite(reals).all():
        raise ConfigurationError("%s: a link is not finite" % path)
    return reals.view("complex%d" % (2 * bits)).reshape(t, z, y, x, 4, 3, 3)


def _verified_checksum(data, xml, size, path, what="links"):
    """SciDAC: crc32 of each site's bytes, rotated left by its rank mod 29 and mod 31, combined by exclusive or."""
    if xml is None:
        return None
    try:
        stated = tuple(int(_text(xml, tag) or "-1", 16) for tag in ("suma", "sumb"))      # -1: no sum is
    except ValueError as error:
        raise ConfigurationError("%s: record scidac-checksum: %s" % (path, error)) from None
    sites = len(data) // size
    crcs = np.fromiter((zlib.crc32(data[site * size:(site + 1) * size]) for site in range(sites)), np.uint64, sites)
    ranks, found = np.arange(sites, dtype=np.uint64), []
    for modulus in (29, 31):
        turn = ranks % np.uint64(modulus)
        turned = (crcs << turn | crcs >> (np.uint64(32) - turn)) & np.uint64(0xFFFFFFFF)
        found.append(int(np.bitwise_xor.reduce(turned)) if sites else 0)
    if tuple(found) != stated:
        raise ConfigurationError("%s: record scidac-checksum: says %x %x, but the %s give %x %x"
                                 % ((path,) + stated + (what,) + tuple(found)))
    return stated
