"""Links in the binary formats of MILC (version 5), of NERSC archives, and of openQCD's exported configurations.

The readers verify what a file has: its size, its checksum (openQCD: none), every number finite, and that the links
give the plaquette and link trace of its header."""

import struct

import numpy as np

from .errors import ConfigurationError
from .observables import link_trace, plaquette

MILC_MAGIC, MILC_HEADER = 20103, 96
OPENQCD_HEADER, OPENQCD_DIRECTIONS = 24, (3, 0, 1, 2)         # t, x, y, z in Kiln's numbering
NERSC_BEGINS = b"BEGIN_HEADER"
LARGEST_EXTENT = 1024
ROUNDING = {32: 1e-5, 64: 1e-8}                               # of plaquette and link trace in a header


def format_of(content):
    """"milc", "nersc", "openqcd" or None, from the first bytes of a file."""
    if content.startswith(NERSC_BEGINS):
        return "nersc"
    if len(content) >= MILC_HEADER and MILC_MAGIC in (_magic(content, "<"), _magic(content, ">")):
        return "milc"
    if len(content) >= OPENQCD_HEADER:
        *extents, loop = struct.unpack("<4id", content[:OPENQCD_HEADER])
        if all(1 <= n <= LARGEST_EXTENT for n in extents) and abs(loop) <= 3 * (1 + 1e-6):
            return "openqcd"
    return None


def _magic(content, order):
    return struct.unpack(order + "I", content[:4])[0]


def _require_size(data, extents, site_bytes, path):
    if min(extents) < 1:
        raise ConfigurationError("%s: header: extents %s make no lattice" % (path, tuple(extents)))
    needed = int(np.prod([int(n) for n in extents])) * site_bytes
    if len(data) != needed:
        raise ConfigurationError("%s: links: %d bytes, but %dx%dx%dx%d needs %d"
                                 % ((path, len(data)) + tuple(extents) + (needed,)))


def _reals(data, dtype, path):
    reals = np.frombuffer(data, dtype=dtype).astype(np.dtype(dtype).newbyteorder("="))
    if not np.isfinite(reals).all():
        raise ConfigurationError("%s: a link is not finite" % path)
    return reals


def _complex(reals, shape):
    return reals.view("complex%d" % (16 * reals.dtype.itemsize)).reshape(shape)


def _verify_means(links, bits, stated, path):
    """stated: the plaquette and link trace of a header, or None."""
    means = ("plaquette", stated[0], lambda u: plaquette(u)[0]), ("link trace", stated[1], link_trace)
    for name, number, function in means:
        if number is None:
            continue
        found = function(links)
        if not abs(found - number) <= ROUNDING[bits]:
            raise ConfigurationError("%s: header: says %s %.10g, but the links give %.10g"
                                     % (path, name, number, found))


# ---- MILC: links in single precision, site after site

def read_milc(content, path):
    """Links, extents, bits, the two checksums."""
    order = "<" if _magic(content, "<") == MILC_MAGIC else ">"
    extents = struct.unpack(order + "4i", content[4:20])
    site_order, *stated = struct.unpack(order + "3I", content[84:MILC_HEADER])
    if site_order != 0:
        raise ConfigurationError("%s: header: order of sites %d; this reads 0 (lexicographic) only"
                                 % (path, site_order))
    data = content[MILC_HEADER:]
    _require_size(data, extents, 4 * 72, path)
    found = _milc_sums(np.frombuffer(data, dtype=order + "u4").astype(np.uint64))
    if list(found) != stated:
        raise ConfigurationError("%s: header: says checksums %x %x, but the links give %x %x"
                                 % ((path,) + tuple(stated) + found))
    x, y, z, t = extents
    return _complex(_reals(data, order + "f4", path), (t, z, y, x, 4, 3, 3)), extents, 32, found


def _milc_sums(words):
    """Exclusive or of the words, word k rotated left by k mod 29 and k mod 31."""
    k, found = np.arange(len(words), dtype=np.uint64), []
    for modulus in (29, 31):
        turn = k % np.uint64(modulus)
        turned = (words << turn | words >> (np.uint64(32) - turn)) & np.uint64(0xFFFFFFFF)
        found.append(int(np.bitwise_xor.reduce(turned)))
    return tuple(found)


# ---- NERSC: a header of text; two rows of a link or three

NERSC_ROWS = {"4D_SU3_GAUGE": 2, "4D_SU3_GAUGE_3X3": 3}


def read_nersc(content, path):
    """Links, extents, bits, (checksum,), plaquette, link trace; None where the header has none."""
    header, start = _nersc_header(content, path)
    try:
        extents = tuple(int(header["DIMENSION_%d" % (mu + 1)]) for mu in range(4))
        rows = NERSC_ROWS[header["DATATYPE"].upper()]
        checksum = int(header["CHECKSUM"], 16)
        stated = [float(header[key]) if key in header else None for key in ("PLAQUETTE", "LINK_TRACE")]
    except (KeyError, ValueError) as error:
        raise ConfigurationError("%s: header: missing or unreadable: %s" % (path, error)) from None
    for mu in range(4):
        boundary = header.get("BOUNDARY_%d" % (mu + 1), "")
        if boundary.upper() not in ("", "PERIODIC", "ANTIPERIODIC"):
            raise ConfigurationError("%s: header: BOUNDARY_%d %s; this reads periodic links only"
                                     % (path, mu + 1, boundary))
    data = content[start:]
    bits, order = _nersc_reals(header, data, extents, rows, checksum, path)
    _require_size(data, extents, 4 * rows * 6 * bits // 8, path)
    found = _nersc_sum(data, order)
    if found != checksum:
        raise ConfigurationError("%s: header: says CHECKSUM %x, but the links give %x" % (path, checksum, found))
    x, y, z, t = extents
    links = _complex(_reals(data, "%sf%d" % (order, bits // 8), path), (t, z, y, x, 4, rows, 3))
    if rows == 2:
        third = np.cross(links[..., 0, :], links[..., 1, :]).conj()
        links = np.concatenate([links, third[..., None, :]], axis=-2)
    _verify_means(links, bits, stated, path)
    return links, extents, bits, (found,), stated[0], stated[1]


def _nersc_header(content, path):
    """The keys and where the links start."""
    at, keys = 0, {}
    for line in content[:65536].split(b"\n"):
        at += len(line) + 1
        text = line.decode("latin-1").strip()
        if text == "END_HEADER":
            return keys, at
        key, equals, value = (part.strip() for part in text.partition("="))
        if equals:
            if key in keys:
                raise ConfigurationError("%s: header: %s is repeated" % (path, key))
            keys[key] = value
    raise ConfigurationError("%s: header: no line END_HEADER" % path)


def _nersc_sum(data, order):
    return int(np.frombuffer(data, dtype=order + "u4").sum(dtype=np.uint64)) & 0xFFFFFFFF


def _nersc_reals(header, data, extents, rows, checksum, path):
    """Bits and byte order.  Without FLOATING_POINT, as MILC writes archives, the size tells the bits; where the name
    has no order it is big endian, unless only little endian gives the checksum."""
    name = header.get("FLOATING_POINT")
    if name is None:
        name = "IEEE64" if len(data) == int(np.prod([int(n) for n in extents])) * 4 * rows * 48 else "IEEE32"
    for bits in (32, 64):
        for order, suffix in ((">", "BIG"), ("<", "LITTLE")):
            if name == "IEEE%d%s" % (bits, suffix):
                return bits, order
        if name == "IEEE%d" % bits:
            little = len(data) % 4 == 0 and _nersc_sum(data, ">") != checksum == _nersc_sum(data, "<")
            return bits, "<" if little else ">"
    raise ConfigurationError("%s: header: FLOATING_POINT %s is not supported" % (path, name))


# ---- openQCD: eight links with each odd site

def read_openqcd(content, path):
    """Links, extents, bits, plaquette."""
    *found, loop = struct.unpack("<4id", content[:OPENQCD_HEADER])
    t, x, y, z = found
    data = content[OPENQCD_HEADER:]
    _require_size(data, (x, y, z, t), 4 * 18 * 8, path)
    if any(n % 2 for n in found):
        raise ConfigurationError("%s: header: extents %s; openQCD has even extents only" % (path, (x, y, z, t)))
    file = _complex(_reals(data, "<f8", path), (-1, 4, 2, 3, 3))
    links = np.empty((t, z, y, x, 4, 3, 3), dtype=file.dtype)
    sites = np.indices((t, x, y, z)).reshape(4, -1)                  # the order of the file
    odd = sites[:, sites.sum(axis=0) % 2 == 1]
    for axis, mu in enumerate(OPENQCD_DIRECTIONS):
        before = odd.copy()
        before[axis] = (before[axis] - 1) % found[axis]
        for place, at in ((0, odd), (1, before)):
            links[at[0], at[3], at[2], at[1], mu] = file[:, axis, place]
    _verify_means(links, 64, (loop / 3, None), path)
    return links, (x, y, z, t), 64, loop / 3
