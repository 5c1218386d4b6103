"""A reader of propagators that is written from the description of the format alone, and what it finds in Kiln's files:
propagator_facts.py FACT ARGUMENT...

    LIME            header of 144 bytes, big endian: magic 0x456789ab, version 1, flags, length, type; data, padded to 8
    QIO             messages of scidac-private-record-xml, scidac-record-xml, scidac-binary-data, scidac-checksum
    USQCD           usqcdPropFile, usqcdSourceInfo, usqcdPropInfo; spinors [spin][color][re, im], sites x fastest
    checksum        crc32 of the bytes of each site, rotated left by its rank mod 29 and mod 31, exclusive or of all

No code of Kiln is used, but for the fact that compares its Python package."""

import json
import re
import struct
import sys
import zlib

import numpy as np

# Gamma matrices of DeGrand and Rossi as in Chroma and QDP: x, y, z, t.
I = 1j
GAMMA = np.array([[[0, 0, 0, I], [0, 0, I, 0], [0, -I, 0, 0], [-I, 0, 0, 0]],
                  [[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]],
                  [[0, 0, I, 0], [0, 0, 0, -I], [-I, 0, 0, 0], [0, I, 0, 0]],
                  [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]])


def messages(path):
    """[{type: bytes}] of all LIME messages."""
    with open(path, "rb") as file:
        content = file.read()
    at, found = 0, []
    while at < len(content):
        magic, version, flags, length = struct.unpack_from(">IHHQ", content, at)
        assert magic == 0x456789ab and version == 1, at
        name = content[at + 16:at + 144].split(b"\0")[0].decode()
        if flags & 0x8000:
            found.append({})
        assert name not in found[-1], name
        found[-1][name] = content[at + 144:at + 144 + length]
        at += 144 + (length + 7) // 8 * 8
    assert at == len(content) and flags & 0x4000
    return found


def tag(xml, name):
    return re.search("<%s>([^<]*)</%s>" % (name, name), xml.rstrip(b"\0").decode()).group(1)


def checksums(data, size):
    """Both sums of numbers with so many bytes a site."""
    sums = [0, 0]
    for site in range(len(data) // size):
        crc = zlib.crc32(data[site * size:(site + 1) * size])
        for i, modulus in enumerate((29, 31)):
            by = site % modulus
            sums[i] ^= (crc << by | crc >> (32 - by)) & 0xffffffff
    return sums


def numbers(message, extents):
    """The numbers of a message [t, z, y, x, index], after a check of size and checksum; and the precision."""
    private = message["scidac-private-record-xml"]
    data, letter = message["scidac-binary-data"], tag(private, "precision")
    size = int(tag(private, "typesize")) * int(tag(private, "datacount"))
    assert tag(private, "recordtype") == "0" and len(data) == size * np.prod(extents), (len(data), size)
    sums = checksums(data, size)
    stated = [int(tag(message["scidac-checksum"], name), 16) for name in ("suma", "sumb")]
    assert sums == stated, (sums, stated)
    reals = np.frombuffer(data, dtype={"F": ">f4", "D": ">f8"}[letter]).astype(float)
    x, y, z, t = extents
    kind = tag(private, "datatype")
    assert kind.startswith("USQCD_%s3_" % letter), kind
    return (reals[0::2] + 1j * reals[1::2]).reshape(t, z, y, x, -1), kind, letter


class Propagator:
    """quark, source: [t, z, y, x, spin, color, spin of the source, color of the source]."""

    def __init__(self, path):
        head, *fields = messages(path)
        assert set(fields[-1]) == {"kiln-propagator"}
        self.description = dict(line.split(": ", 1) for line in fields.pop()["kiln-propagator"].rstrip(b"\0")
                                .decode().splitlines())
        self.type = tag(head["scidac-file-xml"], "type")
        assert "<usqcdPropFile>" in head["scidac-file-xml"].decode()
        self.extents = tuple(int(n) for n in tag(head["scidac-private-file-xml"], "dims").split())
        assert tag(head["scidac-private-file-xml"], "volfmt") == "0"
        assert tag(head["scidac-file-xml"], "gammaBasis") == "degrand-rossi"
        x, y, z, t = self.extents
        self.quark = np.zeros((t, z, y, x, 4, 3, 4, 3), complex)
        self.source = np.zeros_like(self.quark)
        self.letters = set()
        scalar = self.type == "USQCD_DiracFermion_ScalarSource_TwelveSink"
        assert scalar or self.type == "USQCD_DiracFermion_Source_Sink_Pairs", self.type
        assert len(fields) == (13 if scalar else 24), len(fields)
        for number, field in enumerate(fields):
            values, kind, letter = numbers(field, self.extents)
            self.letters.add(letter)
            xml = field["scidac-record-xml"]
            if scalar and number == 0:
                assert b"usqcdSourceInfo" in xml and kind.endswith("Complex") and values.shape[-1] == 1
                for spin in range(4):
                    for color in range(3):
                        self.source[..., spin, color, spin, color] = values[..., 0]
                continue
            column = number - 1 if scalar else number // 2
            is_source = not scalar and number % 2 == 0
            assert (b"usqcdSourceInfo" if is_source else b"usqcdPropInfo") in xml
            assert kind.endswith("DiracFermion") and values.shape[-1] == 12
            spin, color = int(tag(xml, "spin")), int(tag(xml, "color"))
            assert (spin, color) == divmod(column, 3), (spin, color, column)
            to = self.source if is_source else self.quark
            to[..., spin, color] = values.reshape(t, z, y, x, 4, 3)


def links_of(path):
    records = {name: data for message in messages(path) for name, data in message.items()}
    x, y, z, t = (int(tag(records["ildg-format"], name)) for name in ("lx", "ly", "lz", "lt"))
    assert tag(records["ildg-format"], "precision") == "64"
    reals = np.frombuffer(records["ildg-binary-data"], dtype=">f8").astype(float)
    return (reals[0::2] + 1j * reals[1::2]).reshape(t, z, y, x, 4, 3, 3)


def wilson(q, u, mass, boundary=(1, 1, 1, -1)):
    """M q, by default antiperiodic in t; axes of q: t, z, y, x, spin, color, ...; boundary: in x, y, z, t"""
    out = (4 + mass) * q
    for mu in range(4):
        axis = 3 - mu
        link = u[..., mu, :, :]
        ahead = np.roll(q, -1, axis)
        behind = np.roll(np.einsum("tzyxba,tzyxsb...->tzyxsa...", link.conj(), q), 1, axis)
        ahead[(slice(None),) * axis + (-1,)] *= boundary[mu]
        behind[(slice(None),) * axis + (0,)] *= boundary[mu]
        ahead = np.einsum("tzyxab,tzyxsb...->tzyxsa...", link, ahead)
        for sign, hop in ((-1, ahead), (1, behind)):
            out = out - np.einsum("rs,tzyxsa...->tzyxra...", np.eye(4) + sign * GAMMA[mu], hop) / 2
    return out


def dirac_equation(path, links, mass, tolerance):
    """Every number of quark and source solves M q = eta."""
    p = Propagator(path)
    worst = np.abs(wilson(p.quark, links_of(links), float(mass)) - p.source).max()
    assert p.source.any() and worst < float(tolerance), worst


def point_source(path, x, y, z, t):
    p = Propagator(path)
    want = np.zeros_like(p.source)
    want[int(t), int(z), int(y), int(x)] = np.einsum("st,ab->satb", np.eye(4), np.eye(3))
    assert p.type.endswith("TwelveSink") and (p.source == want).all()


def precision(path, letter):
    assert Propagator(path).letters == {letter}


def rounded(path, exact):
    """The numbers of a file with 32 bits are those of the other one, rounded."""
    a, b = Propagator(path), Propagator(exact)
    assert (a.quark == b.quark.astype(np.complex64)).all() and (a.source == b.source.astype(np.complex64)).all()


def pion(path, results, name, mass, tolerance):
    """sum of |q|^2 on each time slice, from the source on."""
    p = Propagator(path)
    with open(results) as file:
        told = json.load(file)["measurements"][name]["masses"][int(mass)]["pion"]
    start = json.loads(p.description["source"])[3]
    found = np.roll((np.abs(p.quark) ** 2).sum(axis=(1, 2, 3, 4, 5, 6, 7)), -start)
    assert np.allclose(found, told, rtol=float(tolerance), atol=0), (found, told)


def package(path):
    """The Python package reads the same numbers."""
    import kiln
    a, b = Propagator(path), kiln.read_propagator(path)
    assert (a.quark == b.quark).all() and b.extents == a.extents and b.type == a.type
    assert b.bits == {"F": 32, "D": 64}[a.letters.pop()] and b.description == a.description
    source = b.source if b.source.ndim == 8 else np.einsum("tzyx,sr,ab->tzyxsarb", b.source, np.eye(4), np.eye(3))
    assert (a.source == source).all()
    turned = b.in_basis("nonrelativistic")
    s = np.kron([[1, 1], [1, -1]], np.eye(2)) / np.sqrt(2)
    gamma_t = s @ GAMMA[3] @ s
    assert np.allclose(gamma_t, np.diag([1, 1, -1, -1]))
    assert np.allclose(turned.quark, np.einsum("ab,tzyxbcde,df->tzyxacfe", s, a.quark, s), rtol=0, atol=1e-6)
    again = turned.in_basis("degrand-rossi").quark
    assert np.abs(again - b.quark).max() < (1e-14 if b.bits == 64 else 1e-6) * np.abs(b.quark).max()


def refused(path, words):
    import kiln
    try:
        kiln.read_propagator(path)
    except kiln.ConfigurationError as error:
        assert words in str(error), error
    else:
        raise AssertionError("%s is read" % path)


def same_results(first, second, *without):
    """All results but these members are equal, bit by bit."""
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(one) for key, one in value.items() if key not in without}
        return [strip(one) for one in value] if isinstance(value, list) else value
    trees = []
    for path in (first, second):
        with open(path) as file:
            trees.append(strip(json.load(file)["measurements"]))
    assert trees[0] == trees[1] and trees[0], trees


def flip(path, out, part):
    """A copy with one bit changed in the middle of the numbers of the last quark, or that ends there."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    at = content.rindex(b"scidac-binary-data") + 5000
    content[at] ^= 1
    with open(out, "wb") as file:
        file.write(content if part == "flip" else content[:at])


def without_quark(path, out):
    """A copy without the message of the last quark."""
    with open(path, "rb") as file:
        content = file.read()
    begin = content.rindex(b"scidac-private-record-xml") - 16
    end = content.rindex(b"kiln-propagator") - 16
    with open(out, "wb") as file:
        file.write(content[:begin] + content[end:])


def replaced(path, out, old, new):
    """A copy in which a text of the same length stands for another one."""
    with open(path, "rb") as file:
        content = file.read()
    assert len(old) == len(new) and old.encode() in content, old
    with open(out, "wb") as file:
        file.write(content.replace(old.encode(), new.encode()))


def scalar_pairs(path, out, last):
    """A file of type ScalarSource_Sink_Pairs with the numbers of one of type ScalarSource_TwelveSink.  If the `last`
    source is "another", it is that of the neighboring site."""
    head, source, *quarks, description = messages(path)
    assert len(quarks) == 12
    head["scidac-file-xml"] = head["scidac-file-xml"].replace(b"ScalarSource_TwelveSink", b"ScalarSource_Sink_Pairs")
    sources = [source] * 12
    if last == "another":
        data = source["scidac-binary-data"]
        moved = data[16:] + data[:16]
        xml = source["scidac-checksum"]
        for name, value in zip((b"suma", b"sumb"), checksums(moved, 16)):
            xml = re.sub(b"<%s>[^<]*<" % name, b"<%s>%x<" % (name, value), xml)
        sources[-1] = dict(source, **{"scidac-binary-data": moved, "scidac-checksum": xml})
    with open(out, "wb") as file:
        for message in [head, *(part for pair in zip(sources, quarks) for part in pair), description]:
            for number, (name, data) in enumerate(message.items()):
                flags = (number == 0) << 15 | (number == len(message) - 1) << 14
                file.write(struct.pack(">IHHQ128s", 0x456789ab, 1, flags, len(data), name.encode()))
                file.write(data + bytes(-len(data) % 8))


def same_numbers(first, second):
    """The Python package reads the same quarks and sources from both files."""
    import kiln
    a, b = kiln.read_propagator(first), kiln.read_propagator(second)
    assert (a.quark == b.quark).all() and (a.source == b.source).all() and a.type != b.type


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
