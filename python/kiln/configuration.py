"""Gauge configurations in LIME files (ILDG, SciDAC) of Kiln and other codes; the reader verifies them."""

import json
import re
import struct
import zlib
from dataclasses import dataclass
from typing import Optional

import numpy as np

HEADER = struct.Struct(">IHHQ128s")
MAGIC = 0x456789AB


class ConfigurationError(Exception):
    """Why a file is rejected: file, record, what was expected, what was found."""


@dataclass
class Configuration:
    """Links and metadata of a file; None for absent metadata."""
    links: np.ndarray                    # complex, [t, z, y, x, mu, row, column]
    extents: tuple                       # x, y, z, t
    format: str                          # "ildg" or "scidac"
    bits: int                            # 32 or 64, of the reals in the file
    checksum: Optional[tuple]            # SciDAC's two, verified
    plaquette: Optional[float]           # as stated by the file; kiln.plaquette(links) measures
    link_trace: Optional[float]
    lfn: Optional[str]                   # logical file name
    state: Optional[dict]                # Kiln's kiln-run-state: trajectory, seed, ...


def read_configuration(path):
    """Read and verify: structure and size of the file, SciDAC's checksum, every number finite.  Links keep their
    precision: complex64 from 32 bits, complex128 from 64."""
    with open(path, "rb") as file:
        content = file.read()
    records = _records(content, path)
    names = [name for name, _, _ in records]
    kinds = [name for name in ("ildg-binary-data", "scidac-binary-data") if name in names]
    if not kinds:
        raise ConfigurationError("%s: no record ildg-binary-data or scidac-binary-data" % path)
    binary = names.index(kinds[0])
    texts = {name: content[start:start + length].rstrip(b"\0").decode("utf-8", "replace")
             for name, start, length in reversed(records) if not name.endswith("binary-data")}
    extents, bits = _layout(texts, kinds[0], path)
    _, start, length = records[binary]
    data = memoryview(content)[start:start + length]
    needed = int(np.prod(extents)) * 72 * bits // 8
    if length != needed:
        raise ConfigurationError("%s: record %s: %d bytes, but %dx%dx%dx%d in %d bits needs %d"
                                 % ((path, kinds[0], length) + extents + (bits, needed)))
    checksum = _verified_checksum(data, texts.get("scidac-checksum"), 72 * bits // 8, path)
    links = _links(data, extents, bits, path)
    about = texts.get("scidac-record-xml", "")
    lfn = next((text.strip() for name, text in texts.items() if name.lower() == "ildg-data-lfn"), None)
    try:
        state = json.loads(texts["kiln-run-state"]) if "kiln-run-state" in texts else None
    except ValueError as error:
        raise ConfigurationError("%s: record kiln-run-state: no JSON (%s)" % (path, error)) from None
    return Configuration(links, extents, kinds[0].split("-")[0], bits, checksum, _real(about, "plaq"),
                         _real(about, "linktr"), lfn, state)


def _records(content, path):
    """(type, start of the data, length) of all records; they must fill the whole file."""
    records, at = [], 0
    while at < len(content):
        if len(content) - at < HEADER.size:
            raise ConfigurationError("%s: truncated: %d bytes after the last complete record"
                                     % (path, len(content) - at))
        magic, _, _, length, name = HEADER.unpack_from(content, at)
        if magic != MAGIC:
            raise ConfigurationError("%s: no LIME record begins at byte %d, where one should" % (path, at))
        name = name.split(b"\0")[0].decode("ascii", "replace")
        start = at + HEADER.size
        at = start + (length + 7) // 8 * 8
        if at > len(content):
            raise ConfigurationError("%s: record %s: %d bytes and padding, but only %d are left in the file"
                                     % (path, name, length, len(content) - start))
        records.append((name, start, length))
    return records


def _text(xml, tag):
    found = re.search(r"<(?:\w+:)?%s(?:\s[^>]*)?>\s*([^<]*?)\s*</" % tag, xml)
    return found.group(1) if found else None


def _real(xml, tag):
    try:
        return float(_text(xml, tag))
    except (TypeError, ValueError):
        return None


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


def _verified_checksum(data, xml, size, path):
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
        raise ConfigurationError("%s: record scidac-checksum: says %x %x, but the links give %x %x"
                                 % ((path,) + stated + tuple(found)))
    return stated
