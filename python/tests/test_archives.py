"""Tests of readers of MILC, NERSC and openQCD, on files that loops over single sites and links write here."""

import struct
import unittest

import numpy as np

from test_kiln import Files, kiln, random_links, rotate


def even_links():
    """Extents x, y, z, t = 4, 6, 2, 8."""
    rng = np.random.default_rng(6)
    shape = (8, 2, 6, 4, 4, 3, 3)
    u, _ = np.linalg.qr(rng.normal(size=shape) + 1j * rng.normal(size=shape))
    return u / np.linalg.det(u)[..., None, None] ** (1 / 3)


def sites(links):
    """(t, z, y, x), x fastest."""
    t, z, y, x = links.shape[:4]
    return [(i, j, k, n) for i in range(t) for j in range(z) for k in range(y) for n in range(x)]


def packed(matrix, form):
    return b"".join(struct.pack(form, part) for number in matrix.reshape(-1) for part in (number.real, number.imag))


def milc(links, order="<"):
    data = b"".join(packed(links[site][mu], order + "f") for site in sites(links) for mu in range(4))
    sums = [0, 0]
    for k, (word,) in enumerate(struct.iter_unpack(order + "I", data)):
        sums = [sums[0] ^ rotate(word, k % 29), sums[1] ^ rotate(word, k % 31)]
    t, z, y, x = links.shape[:4]
    return struct.pack(order + "5i", 20103, x, y, z, t) + b"a time".ljust(64, b"\0") \
        + struct.pack(order + "3I", 0, *sums) + data


def nersc(links, rows=3, point="IEEE64BIG", form=">d", change=()):
    data = b"".join(packed(links[site][mu][:rows], form) for site in sites(links) for mu in range(4))
    total = sum(word for (word,) in struct.iter_unpack(form[0] + "I", data)) % 2 ** 32
    t, z, y, x = links.shape[:4]
    header = {"HDR_VERSION": "1.0", "DATATYPE": "4D_SU3_GAUGE" + ("_3x3" if rows == 3 else ""), "DIMENSION_1": x,
              "DIMENSION_2": y, "DIMENSION_3": z, "DIMENSION_4": t, "CHECKSUM": "%x" % total,
              "LINK_TRACE": "%.12g" % kiln.link_trace(links), "PLAQUETTE": "%.12g" % kiln.plaquette(links)[0],
              "BOUNDARY_4": "ANTIPERIODIC", "FLOATING_POINT": point}
    header.update(change)
    lines = ["%s = %s" % item for item in header.items() if item[1] is not None]
    return ("BEGIN_HEADER\n" + "\n".join(lines) + "\nEND_HEADER\n").encode() + data


def openqcd(links, loop=None):
    n = links.shape
    data, mus = b"", (3, 0, 1, 2)
    axis = {3: 0, 2: 1, 1: 2, 0: 3}                              # of direction mu in (t, z, y, x)
    for t in range(n[0]):
        for x in range(n[3]):
            for y in range(n[2]):
                for z in range(n[1]):
                    if (t + x + y + z) % 2 == 0:
                        continue
                    site = (t, z, y, x)
                    for mu in mus:
                        behind = list(site)
                        behind[axis[mu]] = (behind[axis[mu]] - 1) % n[axis[mu]]
                        data += packed(links[site][mu], "<d") + packed(links[tuple(behind)][mu], "<d")
    loop = 3 * kiln.plaquette(links)[0] if loop is None else loop
    return struct.pack("<4id", n[0], n[3], n[2], n[1], loop) + data


class Archives(Files):
    def refused(self, content, why):
        with self.assertRaisesRegex(kiln.ConfigurationError, why):
            kiln.read_configuration(self.write(content))

    def test_milc(self):
        u = random_links()
        for order in "<>":
            c = kiln.read_configuration(self.write(milc(u, order)))
            self.assertTrue((c.links == u.astype("c8")).all())
            self.assertEqual((c.extents, c.bits, c.format, c.plaquette), ((4, 2, 5, 3), 32, "milc", None))
        content = milc(u)
        self.refused(content[:-1], "bytes, but 4x2x5x3 needs")
        self.refused(content[:-8] + bytes([content[-8] ^ 1]) + content[-7:], "says checksums")
        self.refused(content[:84] + struct.pack("<I", 1) + content[88:], "order of sites 1")

    def test_nersc(self):
        u = random_links()
        for rows in (2, 3):
            for point, form in (("IEEE64BIG", ">d"), ("IEEE64LITTLE", "<d"), ("IEEE64", "<d"), ("IEEE32BIG", ">f"),
                                ("IEEE32", ">f"), (None, ">f"), (None, ">d")):
                c = kiln.read_configuration(self.write(nersc(u, rows, point, form)))
                bits = 64 if form[1] == "d" else 32
                off = np.abs(c.links - u).max()
                self.assertTrue(off == 0 if (rows, bits) == (3, 64) else off < (1e-14 if bits == 64 else 1e-6), off)
                self.assertEqual((c.extents, c.bits, c.format), ((4, 2, 5, 3), bits, "nersc"))
                self.assertAlmostEqual(c.plaquette, kiln.plaquette(u)[0], delta=1e-11)
        self.refused(nersc(u, change={"CHECKSUM": "0"}), "says CHECKSUM 0")
        self.refused(nersc(u, change={"PLAQUETTE": "0.7"}), "says plaquette 0.7")
        self.refused(nersc(u, change={"LINK_TRACE": "0.7"}), "says link trace 0.7")
        self.refused(nersc(u, change={"BOUNDARY_1": "GPARITY"}), "periodic links only")
        self.refused(nersc(u, change={"DATATYPE": "4D_SU2_GAUGE"}), "missing or unreadable")
        self.refused(nersc(u, change={"DIMENSION_4": None}), "DIMENSION_4")
        self.refused(nersc(u, change={"FLOATING_POINT": "IEEE16"}), "IEEE16 is not supported")
        self.refused(nersc(u)[:-1], "bytes, but 4x2x5x3 needs")
        self.refused(b"BEGIN_HEADER\nDATATYPE = x\n", "no line END_HEADER")

    def test_openqcd(self):
        u = even_links()
        c = kiln.read_configuration(self.write(openqcd(u)))
        self.assertTrue((c.links == u).all())
        self.assertEqual((c.extents, c.bits, c.format, c.checksum), ((4, 6, 2, 8), 64, "openqcd", None))
        self.assertAlmostEqual(c.plaquette, kiln.plaquette(u)[0], delta=1e-14)
        self.refused(openqcd(u, 0.6), "says plaquette 0.2")
        self.refused(openqcd(u)[:-8], "bytes, but 4x6x2x8 needs")

    def test_not_finite(self):
        u = even_links()
        u[1, 0, 3, 2, 1, 0, 0] = np.nan
        self.refused(openqcd(u, 0.1), "not finite")
        self.refused(milc(u), "not finite")


if __name__ == "__main__":
    unittest.main()
