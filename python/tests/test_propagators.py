"""Tests of the reader of propagators, on files that loops over sites write here."""

import struct
import unittest
import zlib

import numpy as np

from test_kiln import Files, kiln

EXTENTS = (2, 4, 2, 6)                   # x, y, z, t


def record(name, data, flags):
    return struct.pack(">IHHQ128s", 0x456789AB, 1, flags, len(data), name.encode()) + data + b"\0" * (-len(data) % 8)


def message(texts):
    names = list(texts)
    return b"".join(record(name, texts[name] if isinstance(texts[name], bytes) else texts[name].encode() + b"\0",
                           (0x8000 if name == names[0] else 0) | (0x4000 if name == names[-1] else 0))
                    for name in names)


def field(numbers, letter, user):
    """numbers: [t, z, y, x, ...]"""
    form = {"F": ">ff", "D": ">dd"}[letter]
    data, sums, size = b"", [0, 0], 0
    for rank, site in enumerate(np.ndindex(numbers.shape[:4])):
        one = b"".join(struct.pack(form, z.real, z.imag) for z in numbers[site].reshape(-1))
        size, crc = len(one), zlib.crc32(one)
        for i, modulus in enumerate((29, 31)):
            by = rank % modulus
            sums[i] ^= (crc << by | crc >> (32 - by)) & 0xFFFFFFFF
        data += one
    return message({"scidac-private-record-xml": "<scidacRecord><recordtype>0</recordtype><precision>%s</precision>"
                    "<typesize>%d</typesize><datacount>1</datacount></scidacRecord>" % (letter, size),
                    "scidac-record-xml": user, "scidac-binary-data": data,
                    "scidac-checksum": "<scidacChecksum><suma>%x</suma><sumb>%x</sumb></scidacChecksum>" % tuple(sums)})


def written(kind, quark, source, letter="D", info="", order=range(12), tag="usqcdPropInfo"):
    x, y, z, t = EXTENTS
    out = message({"scidac-private-file-xml": "<scidacFile><spacetime>4</spacetime><dims>%d %d %d %d</dims>"
                   "<volfmt>0</volfmt></scidacFile>" % EXTENTS,
                   "scidac-file-xml": "<usqcdPropFile><version>1.0</version><type>%s</type><info>%s</info>"
                   "</usqcdPropFile>" % (kind, info)})
    scalar = source.ndim == 4
    for number, column in enumerate(order):
        spin, color = divmod(column, 3)
        if number == 0 or "Twelve" not in kind:
            one = source if scalar else source[..., spin, color]
            out += field(one[..., None] if scalar else one, letter, "<usqcdSourceInfo/>")
        out += field(quark[..., spin, color], letter, "<%s><spin>%d</spin><color>%d</color></%s>"
                     % (tag, spin, color, tag))
    return out


def numbers(*shape):
    rng = np.random.default_rng(8)
    shape = EXTENTS[::-1] + shape
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


class Propagators(Files):
    def read(self, content):
        return kiln.read_propagator(self.write(content))

    def test_types(self):
        quark, source, number = numbers(4, 3, 4, 3), numbers(4, 3, 4, 3) / 2, numbers()
        twelve = self.read(written("USQCD_DiracFermion_ScalarSource_TwelveSink", quark, number))
        pairs = self.read(written("USQCD_DiracFermion_Source_Sink_Pairs", quark, source, order=range(11, -1, -1)))
        scalar = self.read(written("USQCD_DiracFermion_ScalarSource_Sink_Pairs", quark, number, tag="usqcdInfo"))
        for p, want in ((twelve, number), (pairs, source), (scalar, number)):
            self.assertTrue((p.quark == quark).all() and (p.source == want).all())
            self.assertEqual((p.extents, p.bits, p.basis, p.description), (EXTENTS, 64, "degrand-rossi", {}))

    def test_single(self):
        quark = numbers(4, 3, 4, 3)
        p = self.read(written("USQCD_DiracFermion_ScalarSource_TwelveSink", quark, numbers(), "F"))
        self.assertEqual(p.quark.dtype, np.complex64)
        self.assertTrue((p.quark == quark.astype(np.complex64)).all())

    def test_basis(self):
        quark = numbers(4, 3, 4, 3)
        kind = "USQCD_DiracFermion_ScalarSource_TwelveSink"
        p = self.read(written(kind, quark, numbers(), info="<gammaBasis>nonrelativistic</gammaBasis>"))
        self.assertEqual(p.basis, "nonrelativistic")
        root = np.sqrt(0.5)
        turned = p.in_basis("degrand-rossi").quark
        want = root * (quark[..., 0, :, :, :] - quark[..., 2, :, :, :])              # row 2 of S quark
        want = root * (want[..., 1, :] + want[..., 3, :])                            # its column 1 with S
        self.assertTrue(np.allclose(turned[..., 2, :, 1, :], want, rtol=0, atol=1e-14))
        with self.assertRaises(ValueError):
            p.in_basis("chiral")
        with self.assertRaisesRegex(kiln.ConfigurationError, "basis is majorana"):
            self.read(written(kind, quark, numbers(), info="<gammaBasis>majorana</gammaBasis>"))

    def test_refused(self):
        kind = "USQCD_DiracFermion_ScalarSource_TwelveSink"
        content = written(kind, numbers(4, 3, 4, 3), numbers())
        for old, new, why in ((b"<color>2", b"<color>7", "color 7"),
                              (b"<color>2", b"<color>1", "two quarks from spin 0"),
                              (b"<precision>D", b"<precision>G", "neither F nor D"),
                              (b"<volfmt>0", b"<volfmt>1", "single file"), (b"Twelve", b"Eleven", "no propagator"),
                              (b"<typesize>192", b"<typesize>191", "191 a site"),
                              (b"scidac-checksum", b"scidac-checkbum", "no record scidac-checksum")):
            with self.assertRaisesRegex(kiln.ConfigurationError, why):
                self.read(content.replace(old, new))


if __name__ == "__main__":
    unittest.main()
