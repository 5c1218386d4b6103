"""Tests that need nothing but NumPy: files are made here.  python3 -m unittest discover -s python/tests"""

import json
import os
import re
import struct
import sys
import tempfile
import unittest
import zlib

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kiln  # noqa: E402

SHAPE = (3, 5, 2, 4, 4, 3, 3)             # t, z, y, x: no two alike, so that a wrong order shows


def random_links():
    rng = np.random.default_rng(5)
    u, _ = np.linalg.qr(rng.normal(size=SHAPE) + 1j * rng.normal(size=SHAPE))
    return u / np.linalg.det(u)[..., None, None] ** (1 / 3)


def record(name, data, flags=0xC000):
    return struct.pack(">IHHQ128s", 0x456789AB, 1, flags, len(data), name.encode()) + data + b"\0" * (-len(data) % 8)


def rotate(word, by):
    return (word << by | word >> (32 - by)) & 0xFFFFFFFF


def scidac_sums(data, size):
    a = b = 0
    for site in range(len(data) // size):
        crc = zlib.crc32(data[site * size:(site + 1) * size])
        a, b = a ^ rotate(crc, site % 29), b ^ rotate(crc, site % 31)
    return a, b


def lime(links, bits, ildg=True, lfn="lfn://a/b"):
    data = links.astype("c%d" % (bits // 4)).view("f%d" % (bits // 8)).astype(">f%d" % (bits // 8)).tobytes()
    t, z, y, x = links.shape[:4]
    parts = [record("scidac-private-file-xml", b"<dims>%d %d %d %d </dims>" % (x, y, z, t)),
             record("scidac-private-record-xml", b"<precision>%s</precision>" % (b"F" if bits == 32 else b"D")),
             record("scidac-record-xml", b"<usqcdInfo><plaq>0.5</plaq><linktr>-1e-3</linktr></usqcdInfo>\0")]
    if ildg:
        parts += [record("ildg-format", b"<precision>%d</precision><lx>%d</lx><ly>%d</ly><lz>%d</lz><lt>%d</lt>"
                         % (bits, x, y, z, t)), record("ildg-data-lfn", lfn.encode())]
    parts += [record("ildg-binary-data" if ildg else "scidac-binary-data", data),
              record("scidac-checksum", b"<suma>%x</suma><sumb>%x</sumb>" % scidac_sums(data, 9 * bits))]
    return b"".join(parts)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "file")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, content):
        with open(self.path, "wb") as file:
            file.write(content)
        return self.path


class Configurations(Files):
    def test_round_trip(self):
        u = random_links()
        for bits in (32, 64):
            for ildg in (True, False):
                c = kiln.read_configuration(self.write(lime(u, bits, ildg)))
                self.assertTrue((c.links == u.astype("c%d" % (bits // 4))).all())
                self.assertEqual((c.extents, c.bits, c.format), ((4, 2, 5, 3), bits, "ildg" if ildg else "scidac"))
                self.assertEqual((c.plaquette, c.link_trace, c.state), (0.5, -1e-3, None))
                self.assertEqual(c.lfn, "lfn://a/b" if ildg else None)

    def test_every_damage_is_seen(self):
        whole = lime(random_links(), 64)
        data = whole.index(b"ildg-binary-data") + 128
        for at in (data, data + 12345, data + 3 * 5 * 2 * 4 * 576 - 1):
            damaged = bytearray(whole)
            damaged[at] ^= 4
            with self.assertRaisesRegex(kiln.ConfigurationError, "checksum|finite"):
                kiln.read_configuration(self.write(bytes(damaged)))
        for size in (0, 5, 200, data + 1000, len(whole) - 8):
            with self.assertRaises(kiln.ConfigurationError):
                kiln.read_configuration(self.write(whole[:size]))
        with self.assertRaisesRegex(kiln.ConfigurationError, "contradict"):
            kiln.read_configuration(self.write(whole.replace(b"<lx>4</lx><ly>2</ly>", b"<lx>2</lx><ly>4</ly>")))
        with self.assertRaisesRegex(kiln.ConfigurationError, "needs"):
            kiln.read_configuration(self.write(whole.replace(b"<lx>4<", b"<lx>3<").replace(b"<dims>4 ", b"<dims>3 ")))

    def test_damaged_records_of_text_are_configuration_errors(self):
        whole = lime(random_links(), 64) + record("kiln-run-state", b"{ no json")
        with self.assertRaisesRegex(kiln.ConfigurationError, "kiln-run-state"):
            kiln.read_configuration(self.write(whole))
        with self.assertRaisesRegex(kiln.ConfigurationError, "scidac-checksum"):
            kiln.read_configuration(self.write(re.sub(b"<suma>.", b"<suma>x", lime(random_links(), 64))))

    def test_files_of_other_codes(self):
        u, form = random_links(), b"<precision>64</precision><lx>4</lx><ly>2</ly><lz>5</lz><lt>3</lt>"
        whole = lime(u, 64)

        def reads(content):
            c = kiln.read_configuration(self.write(content))
            return c.extents == (4, 2, 5, 3) and c.plaquette == 0.5 and (c.links == u).all()
        self.assertTrue(reads(whole.replace(struct.pack(">HH", 1, 0xC000), struct.pack(">HH", 1, 0))))
        self.assertTrue(reads(whole + b" \n\0" * 70))
        for xml in (b"<!-- <lx>8</lx> -->" + form, form.replace(b"<lx>", b'<lx unit="a > b">'),
                    form.replace(b"<lx>4<", b"<lx><![CDATA[4]]><"), b"<![CDATA[<lx>8</lx>]]>" + form,
                    form.replace(b"<lx>4<", b"<lx>4<!-- 8 --><")):
            self.assertTrue(reads(whole.replace(record("ildg-format", form), record("ildg-format", xml))))
        other = record("scidac-private-record-xml", b"<precision>F</precision>", 0x8000) \
            + record("scidac-record-xml", b"<plaq>0.75</plaq>", 0) + record("other-binary-data", b"0123456789", 0x4000)
        parts = lime(u, 64).replace(struct.pack(">HH", 1, 0xC000), struct.pack(">HH", 1, 0))
        parts = parts[:6] + b"\x80" + parts[7:]                # one message
        self.assertTrue(reads(parts + other))
        self.assertTrue(reads(other + parts))
        with self.assertRaisesRegex(kiln.ConfigurationError, "plaq is 'nan'"):
            reads(whole.replace(b"<plaq>0.5<", b"<plaq>nan<"))

    def test_links_of_another_shape(self):
        for observable in (kiln.plaquette, kiln.link_trace, kiln.unitarity):
            with self.assertRaisesRegex(ValueError, "expected"):
                observable(random_links()[0])

    def test_observables(self):
        u = random_links()
        unit = np.broadcast_to(np.eye(3), SHAPE)
        self.assertEqual(kiln.plaquette(unit), (1, 1, 1))
        self.assertEqual(kiln.link_trace(unit), 1)
        self.assertLess(kiln.unitarity(u), 1e-14)
        sums = {True: [], False: []}                       # by site: temporal, spatial
        for site in np.ndindex(SHAPE[:4]):
            for nu in range(4):
                for mu in range(nu):
                    up = u[site][mu] @ u[self.ahead(site, mu)][nu]
                    down = u[site][nu] @ u[self.ahead(site, nu)][mu]
                    sums[nu == 3].append(np.trace(up @ down.conj().T).real / 3)
        expected = np.mean(sums[False] + sums[True]), np.mean(sums[False]), np.mean(sums[True])
        np.testing.assert_allclose(kiln.plaquette(u), expected, rtol=0, atol=1e-14)

    def test_plaquettes_of_open_boundaries(self):
        """Means over active loops if the state of the file says so: no plaquette has a link behind the last slice."""
        u, state = random_links(), b'{"trajectory": 4, "boundary_time": "open"}'
        changed = u.copy()
        changed[-1, :, :, :, 3] = np.eye(3)
        for links in (u, changed):
            path = self.write(lime(links, 64) + record("kiln-run-state", state))
            c = kiln.read_configuration(path)
            self.assertTrue(c.open_in_time)
            average, spatial, temporal = kiln.plaquette(c)
            self.assertEqual(kiln.plaquette(links, open_in_time=True), (average, spatial, temporal))
            # Two slices of three have loops with t; periodic links have those of the third, too.
            periodic = kiln.plaquette(links)
            last = np.mean([np.trace(links[-1, z, y, x, mu] @ links[self.ahead((2, z, y, x), mu)][3]
                                     @ links[0, z, y, x, mu].conj().T @ links[-1, z, y, x, 3].conj().T).real / 3
                            for z, y, x in np.ndindex(SHAPE[1:4]) for mu in range(3)])
            self.assertAlmostEqual(temporal, (3 * periodic[2] - last) / 2, 13)
            self.assertAlmostEqual(spatial, periodic[1], 13)
            self.assertAlmostEqual(average, (3 * spatial + 2 * temporal) / 5, 13)
            first = first if links is changed else (average, spatial, temporal)
        np.testing.assert_allclose((average, spatial, temporal), first, rtol=0, atol=1e-15)
        self.assertFalse(kiln.read_configuration(self.write(lime(u, 64))).open_in_time)
        self.assertEqual(kiln.link_trace(c), kiln.link_trace(changed))

    @staticmethod
    def ahead(site, mu):
        site = list(site)                                  # t, z, y, x
        site[3 - mu] = (site[3 - mu] + 1) % SHAPE[3 - mu]
        return tuple(site)


class Records(Files):
    def test_columns(self):
        r = kiln.read_record(self.write(
            b'{"trajectory": 1, "thermalization": true, "a": {"b": [1.5, null]}}\n'
            b'no json\n'
            b'{"trajectory": 2, "thermalization": false, "a": {"b": [2.5]}, "c": 3}\n'
            b'{"trajectory": 3, "therm'))
        self.assertTrue(r.torn)
        self.assertEqual((len(r), r.damaged, r.trajectory.tolist()), (2, [2], [1, 2]))
        self.assertEqual(r["a.b.0"].tolist(), [1.5, 2.5])
        self.assertTrue(np.isnan(r["a.b.1"]).all() and np.isnan(r["c"][0]) and r["c"][1] == 3)
        self.assertEqual(r.after_thermalization().trajectory.tolist(), [2])
        self.assertEqual(r.between(1, 1).trajectory.tolist(), [1])
        self.assertIn("a.b.0", r.keys())

    def test_unknown_columns(self):
        r = kiln.read_record(self.write(
            b'{"trajectory": 1, "thermalization": true, "plaquette": {"average": 0.5, "spatial": null}, "time": "x"}\n'
            b'{"trajectory": 2, "thermalization": true, "plaquette": {"average": 0.5}, "c": 3}\n'))
        for path in ("plaquette.avrage", "plaquette", "plaquette.average.x", "time", "", "force.0.rms"):
            with self.assertRaises(KeyError) as caught:
                r[path]
            self.assertIn("known: trajectory, thermalization, plaquette.average, plaquette.spatial, c",
                          str(caught.exception))
        with self.assertRaisesRegex(KeyError, "near to it: plaquette.average"):
            r["plaquette.avrage"]
        self.assertTrue(np.isnan(r["plaquette.spatial"]).all())          # null in one line, not there in the other
        self.assertEqual(r.after_thermalization()["plaquette.average"].tolist(), [])  # a part knows the columns of all
        self.assertTrue(np.isnan(r.between(1, 1)["c"]).all())
        with self.assertRaises(KeyError):
            r.between(1, 1)["d"]
        with self.assertRaisesRegex(KeyError, "no lines"):
            kiln.read_record(self.write(b""))["plaquette.average"]

    def test_missing_files(self):
        missing = os.path.join(self.folder.name, "missing")
        for read in (kiln.Ensemble, kiln.read_record, kiln.read_configuration, kiln.read_array):
            with self.assertRaisesRegex(FileNotFoundError, "missing"):
                read(missing)
        with self.assertRaises(NotADirectoryError):
            kiln.Ensemble(self.write(b""))
        with self.assertRaisesRegex(FileNotFoundError, "run.jsonl"):
            kiln.Ensemble(self.folder.name).record

    def test_damaged_segments(self):
        for name, content in (("run.jsonl", b'{"trajectory": 1}\n'), ("segments.jsonl", b'{"segment": 1}\n')):
            with open(os.path.join(self.folder.name, name), "wb") as file:
                file.write(content)
        with self.assertRaisesRegex(ValueError, "segments.jsonl: line 1"):
            kiln.Ensemble(self.folder.name).segments()

    def test_names_with_dots(self):
        line = {"trajectory": 1, "measurements": {"m0.1": {"kind": "polyakov", "abs": 0.5, "correlator": [1.0, 2.0]},
                                                  "a": {"polyakov": {"re": 0.25}},
                                                  "a.polyakov": {"re": 0.25, "im": 3.0}}}
        r = kiln.read_record(self.write(json.dumps(line).encode() + b"\n"))
        for path in r.keys():
            if path != "measurements.a.polyakov.re":
                self.assertEqual(len(r[path]), 1, path)
        self.assertEqual(r["measurements.m0.1.abs"][0], 0.5)
        self.assertEqual(r["measurements.m0.1.correlator.1"][0], 2.0)
        self.assertEqual(r["measurements.a.polyakov.im"][0], 3.0)
        with self.assertRaisesRegex(ValueError, "the name of 2 columns"):
            r["measurements.a.polyakov.re"]

    def test_names_of_monomials_with_dots(self):
        line = {"trajectory": 1, "energy_before": {"g.1": 2.0}, "plaquette": {"average": 0.5}}
        r = kiln.read_record(self.write(json.dumps(line).encode() + b"\n"))
        self.assertEqual((r["energy_before.g.1"][0], r["plaquette.average"][0]), (2.0, 0.5))
        self.assertEqual(r.between(2, None)["energy_before.g.1"].size, 0)

    def test_whole(self):
        r = kiln.read_record(self.write(b'{"trajectory": 1}\n'))
        self.assertEqual((r.torn, r.damaged, r.left_out), (False, [], []))


class Correlators(Files):
    """C_PP = a cosh 2E(T/2 - t), C_AP = -b sinh 2E(T/2 - t): the PCAC mass is (b/a) sinh(2E)/2 at every t, and with c_A
    it has c_A (cosh(2E) - 1) besides; the effective mass is 2E."""

    TIMES, ENERGY = 8, 0.3

    def record_of(self, a, b, failed=()):
        # Continued to the source, so that both are periodic and the formulas hold at 0 < t < T, except near 0.
        from_middle = 2 * self.ENERGY * (self.TIMES / 2 - np.arange(self.TIMES))
        lines = [{"trajectory": n + 1 + (n > 2), "measurements": {"quarks": {
            "kind": "wilson", "converged": n not in failed, "masses": [{}, {
                "pion": (a[n] * np.cosh(from_middle)).tolist(), "axial": (-b[n] * np.sinh(from_middle)).tolist()}]}}}
            for n in range(len(a))]
        lines.insert(3, {"trajectory": 4})                               # without a measurement
        return kiln.read_record(self.write("".join(json.dumps(line) + "\n" for line in lines).encode()))

    def test_pcac_mass(self):
        noise = np.random.default_rng(5)
        a, b = 1 + 0.2 * noise.uniform(-1, 1, 100), 1.5 + 0.2 * noise.uniform(-1, 1, 100)
        unit, ratio = np.sinh(2 * self.ENERGY) / 2, b.mean() / a.mean()
        found = kiln.pcac_mass(self.record_of(a, b), "quarks", mass=1, plateau=0.3)
        linear = kiln.correlated_mean(np.insert(unit * (ratio + (b - ratio * a) / a.mean()), 3, np.nan))
        for mean in [found.plateau] + found.in_time[2:7]:
            self.assertAlmostEqual(mean.value, unit * ratio, delta=1e-12)
            self.assertAlmostEqual(mean.error, linear.error, delta=1e-12)
            self.assertEqual(mean.used, 100)
        improved = kiln.pcac_mass(self.record_of(a, b), "quarks", mass=1, c_A=-0.1, plateau=0.5)
        self.assertAlmostEqual(improved.plateau.value, unit * ratio - 0.1 * (np.cosh(2 * self.ENERGY) - 1), delta=1e-12)
        self.assertEqual(len(improved.in_time), self.TIMES)
        record = self.record_of(a, b)
        for line in record.lines[:3] + record.lines[4:]:
            line["measurements"]["quarks"]["masses"][1]["c_A"] = -0.1
        own = kiln.pcac_mass(record, "quarks", mass=1, plateau=0.5)              # as the measurement says
        self.assertEqual(own.plateau.value, improved.plateau.value)
        self.assertEqual(kiln.pcac_mass(record, "quarks", mass=1, c_A=0.0, plateau=0.3).plateau.value,
                         found.plateau.value)

    def test_effective_mass(self):
        a = np.linspace(1, 2, 20)
        found = kiln.effective_mass(self.record_of(a, a), "quarks", mass=1, plateau=0.3)
        self.assertAlmostEqual(found.plateau.value, 2 * self.ENERGY, delta=1e-12)
        self.assertAlmostEqual(found.plateau.error, 0, delta=1e-12)      # the amplitude alone differs

    def test_failed_measurements_are_left_out(self):
        a = np.linspace(1, 2, 20)
        record = self.record_of(a, 2 * a, failed=(4, 5))
        self.assertEqual(kiln.pcac_mass(record, "quarks", mass=1).plateau.used, 18)
        self.assertEqual(np.isnan(kiln.correlator(record, "quarks", "axial", 1)).all(axis=1).sum(), 3)
        for name, mass in (("quark", 1), ("quarks", 0), ("quarks", 2)):
            with self.assertRaisesRegex(KeyError, "measurements.%s.masses.%d.pion" % (name, mass)):
                kiln.pcac_mass(record, name, mass)


class Loops(Files):
    """W(r, t) = a exp(-V(r) t) with the force F = sigma + f2/r_I^2: r^2 F = level at r = sqrt((level - f2)/sigma)."""

    SIGMA, F2, R_MAX, T_MAX = 0.05, np.pi / 12, 7, 4

    def potential(self):
        distances = np.array([kiln.improved_distance(r) for r in range(2, self.R_MAX + 1)])
        return 0.4 + np.concatenate([[0], np.cumsum(self.SIGMA + self.F2 / distances ** 2)])

    def record_of(self, noise, **settings):
        """noise: [trajectory, r - 1, t - 1], relative; the second of three lines has no loops, the first has failed."""
        t = np.arange(1, self.T_MAX + 1)
        mean = 0.9 * np.exp(-self.potential()[:, None] * t)
        lines = [{"trajectory": n + 1, "measurements": {"w": {"kind": "wilson_loops", "converged": True, **settings,
                                                              "loops": (mean * (1 + e)).tolist()}}}
                 for n, e in enumerate(noise)]
        lines[0]["measurements"]["w"]["converged"] = False
        del lines[1]["measurements"]["w"]
        return kiln.read_record(self.write("".join(json.dumps(line) + "\n" for line in lines).encode()))

    def test_improved_distances(self):
        """Those of R. Sommer, hep-lat/9310022, and R. Necco and R. Sommer, hep-lat/0108008."""
        for r, published in ((2, 1.358), (3, 2.277), (4, 3.312), (5, 4.359)):
            self.assertAlmostEqual(kiln.improved_distance(r), published, delta=6e-4)

    def test_potential_and_scales(self):
        p = kiln.static_potential(self.record_of(np.zeros((20, self.R_MAX, self.T_MAX))), 2, "w", True)
        self.assertEqual(p.r.tolist(), list(range(1, self.R_MAX + 1)))
        self.assertLess(max(abs(m.value - v) for m, v in zip(p.value, self.potential())), 1e-12)
        self.assertAlmostEqual(p.r0.value, np.sqrt((1.65 - self.F2) / self.SIGMA), delta=1e-10)
        self.assertAlmostEqual(p.r1.value, np.sqrt((1.0 - self.F2) / self.SIGMA), delta=1e-10)
        self.assertEqual(p.r0.used, 18)
        p = kiln.static_potential(self.record_of(np.zeros((20, self.R_MAX, self.T_MAX)), xi=2), 2, "w", True)
        self.assertAlmostEqual(p.r0.value, np.sqrt((0.825 - self.F2) / self.SIGMA), delta=1e-10)
        with self.assertRaisesRegex(ValueError, "t = 1 ... 3"):
            kiln.static_potential(self.record_of(np.zeros((20, self.R_MAX, self.T_MAX))), 4, "w")
        with self.assertRaisesRegex(KeyError, "measurements.other.loops"):
            kiln.wilson_loops(self.record_of(np.zeros((20, self.R_MAX, self.T_MAX))), "other")

    def test_errors_are_those_of_a_jackknife(self):
        noise = 1e-3 * np.random.default_rng(5).normal(size=(400, self.R_MAX, self.T_MAX))
        record = self.record_of(noise)
        p = kiln.static_potential(record, 2, "w", True)
        loops = kiln.wilson_loops(record, "w")[2:]
        without = (loops.sum(axis=0) - loops) / (len(loops) - 1)
        v = np.log(without[:, :, 1] / without[:, :, 2])
        for r in range(self.R_MAX):
            error = np.sqrt((len(v) - 1) * v[:, r].var())
            self.assertLess(abs(p.value[r].error / error - 1), 0.15)
        self.assertGreater(p.r0.error, 0)
        self.assertLess(abs(p.r0.value - np.sqrt((1.65 - self.F2) / self.SIGMA)), 4.5 * p.r0.error)

    def test_no_scale(self):
        """A force that is too small at all distances has no r0."""
        self.SIGMA = 0.001
        p = kiln.static_potential(self.record_of(np.zeros((20, self.R_MAX, self.T_MAX))), 1, "w")
        self.assertTrue(np.isnan(p.r0.value))

    def test_susceptibilities(self):
        x = np.random.default_rng(1).normal(1.0, 0.5, 4000)
        m = kiln.susceptibility(x, 8)
        self.assertAlmostEqual(m.value, 8 * x.var(), delta=1e-12)
        self.assertLess(abs(m.error / (8 * 0.25 * np.sqrt(2 / 4000)) - 1), 0.15)
        self.assertAlmostEqual(kiln.susceptibility(x, 0.5, connected=False).value, 0.5 * (x * x).mean(), delta=1e-12)


class Arrays(Files):
    def test_complex(self):
        z = np.arange(6.0).reshape(3, 2)
        np.save(self.path + ".npy", z)
        self.assertEqual(kiln.read_array(self.path + ".npy").tolist(), [1j, 2 + 3j, 4 + 5j])
        np.save(self.path + ".npy", np.arange(3.0))
        with self.assertRaises(ValueError):
            kiln.read_array(self.path + ".npy")


if __name__ == "__main__":
    unittest.main()
