"""Tests of to_gvar, to_pyerrors and fit_states.  Where gvar, lsqfit or pyerrors are not installed, a small module in
its place records the arguments of the conversion: the numbers are then tested, but not the package."""

import importlib.util
import json
import sys
import types
import unittest
from unittest import mock

import numpy as np

from test_kiln import Files, kiln

TIMES = 24


def installed(*names):
    return all(importlib.util.find_spec(name) for name in names)


class Correlators(Files):
    ENERGIES, AMPLITUDES = (0.4, 0.9), (2.0, 0.7)
    SOURCE = 5                                   # of time slices between open boundaries

    def record(self, count=80, periodic=True, gaps=()):
        """Means that are exact, with noise that is correlated in t; trajectories 5, 10, ..."""
        t, rng = np.arange(TIMES), np.random.default_rng(3)
        exact = sum(a * (np.exp(-e * t) + periodic * np.exp(-e * (TIMES - t)))
                    for a, e in zip(self.AMPLITUDES, self.ENERGIES))
        odd = -sum(a * (np.exp(-e * t) - np.exp(-e * (TIMES - t))) for a, e in zip(self.AMPLITUDES, self.ENERGIES))
        ends = sum(a * np.exp(-e * abs(t - self.SOURCE)) for a, e in zip(self.AMPLITUDES, self.ENERGIES))
        ends[[0, -1]] = 0
        noise = rng.normal(size=(count, TIMES + 8))
        noise = sum(noise[:, k:k + TIMES] for k in range(8)) * 1e-3
        noise -= noise.mean(axis=0)
        lines = []
        for n in range(count):
            c = (exact * (1 + noise[n])).tolist()
            sinh, edges = (odd * (1 + noise[n])).tolist(), (ends * (1 + noise[n])).tolist()
            result = {"kind": "wilson", "masses": [{"pion": c, "nucleon": c, "axial": sinh, "slices": {"pion": edges},
                                                    "pion_momenta": [c, [1.0] * TIMES],
                                                    "smeared": {"pion": c}}],
                      "pairs": [{"xi": [2 * one ** 2 for one in c], "bilinears": {"axial_x_momenta": [c]}}],
                      "doublet": {"d_s_meson": c, "slices": {"d_s_meson": edges[::-1], "heavy_heavy": [[edges]],
                                                             "d_s_meson_momenta": [edges[::-1]],
                                                             "smeared": {"d_s_meson": edges}}}}
            made = {} if n in gaps else {"wilson": result}
            lines.append(json.dumps({"trajectory": 5 * n + 5, "x": float(noise[n, 0]), "measurements": made}))
        return kiln.read_record(self.write("\n".join(lines).encode() + b"\n")), exact

    def test_nested_members(self):
        record, exact = self.record()
        pion = kiln.correlator(record, "wilson", "pion")
        self.assertTrue((kiln.correlator(record, "wilson", "smeared.pion") == pion).all())
        self.assertTrue((kiln.correlator(record, "wilson", "pion", momentum=0) == pion).all())
        self.assertTrue((kiln.correlator(record, "wilson", "pion", momentum=1) == 1).all())
        with self.assertRaises(KeyError):
            kiln.correlator(record, "wilson", "pion", momentum=2)
        with self.assertRaises(KeyError):
            kiln.correlator(record, "wilson", "smeared.nucleon")
        masses = kiln.baryon_mass(record).in_time
        for t in range(TIMES // 4):
            self.assertAlmostEqual(masses[t].value, np.log(exact[t] / exact[t + 1]), delta=1e-12)
        axial = kiln.correlator(record, "wilson", "bilinears.axial_x", pair=0, momentum=0)
        self.assertTrue((axial == pion).all())
        of_pair = kiln.baryon_mass(record, member="xi", pair=0).in_time
        mean = (2 * pion ** 2).mean(axis=0)
        for t in range(TIMES // 4):
            self.assertAlmostEqual(of_pair[t].value, np.log(mean[t] / mean[t + 1]), delta=1e-12)

    def test_missing_packages(self):
        record, _ = self.record(12)
        with mock.patch.dict(sys.modules, {"gvar": None, "lsqfit": None, "pyerrors": None}):
            with self.assertRaisesRegex(kiln.MissingPackage, "to_gvar needs the Python package gvar.*pip install gvar"):
                record.to_gvar("x")
            with self.assertRaisesRegex(ImportError, "to_pyerrors needs the Python package pyerrors"):
                record.to_pyerrors("x")
            with self.assertRaisesRegex(ImportError, "fit_states needs the Python package lsqfit"):
                kiln.fit_states(record)

    def test_arguments_of_gvar(self):
        record, exact = self.record()
        fake = types.SimpleNamespace(gvar=lambda *arguments: np.array(list(zip(*arguments)), dtype=object))
        with mock.patch.dict(sys.modules, {"gvar": fake}):
            found = record.to_gvar(kiln.correlator(record, "wilson", "pion"))
            binned = record.to_gvar("x", bin_size=8)
        for t in range(TIMES):
            mean, covariances = found[t]
            error = kiln.correlated_mean(kiln.correlator(record, "wilson", "pion")[:, t]).error
            self.assertAlmostEqual(mean, exact[t], delta=1e-13)
            self.assertAlmostEqual(covariances[t] / error ** 2, 1, delta=1e-12)
        self.assertGreater(found[3][1][4], 0.5 * found[3][1][3] * exact[4] / exact[3])
        bins = record["x"].reshape(10, 8).mean(axis=1)
        self.assertAlmostEqual(binned[1][0] ** 0.5, bins.std(ddof=1) / 10 ** 0.5, delta=1e-15)

    def test_arguments_of_pyerrors(self):
        record, _ = self.record(20, gaps=(4, 5))
        calls = []
        fake = types.SimpleNamespace(Obs=lambda samples, names, idl: calls.append((samples, names, idl)))
        pion = kiln.correlator(record, "wilson", "pion")
        there = [n for n in range(20) if n not in (4, 5)]
        with mock.patch.dict(sys.modules, {"pyerrors": fake}):
            record.to_pyerrors(pion, "A654", "r1")
            record.to_pyerrors("x")
        self.assertEqual(len(calls), TIMES + 1)
        for t in range(TIMES):
            self.assertTrue((calls[t][0][0] == pion[there, t]).all())
            self.assertEqual(calls[t][1:], (["A654|r1"], [[5 * n + 5 for n in there]]))
        self.assertEqual(calls[TIMES][1], ["kiln"])
        with self.assertRaisesRegex(ValueError, "a row for each of the 20 lines"):
            with mock.patch.dict(sys.modules, {"pyerrors": fake}):
                record.to_pyerrors(pion[:5])

    def model(self, member, **arguments):
        """Mean, times and start of fit_states, and its model at the exact amplitudes and energies."""
        record, found = self.record(40)[0], {}

        def take(record, c, t, wave, start, prior, svdcut, ensemble):
            found.update(c=np.nanmean(c, axis=0)[t], t=t, start=start, wave=wave)
        with mock.patch.object(kiln.states, "_by_lsqfit", take):
            kiln.fit_states(record, member=member, **arguments)
        gaps = np.diff(np.concatenate([[0], self.ENERGIES]))
        sign = -1 if member == "axial" else 1
        return found, found["wave"](np, sign * np.array(self.AMPLITUDES), gaps, found["t"])

    def test_models(self):
        """Without a package: the model at the exact parameters is the mean, and the search begins near them."""
        for member, last in ("pion", 12), ("axial", 11), ("slices.pion", 9), ("doublet.d_s_meson", 12), \
                ("doublet.slices.smeared.d_s_meson", 9):
            found, model = self.model(member)
            self.assertTrue(np.allclose(found["c"], model, rtol=1e-12, atol=0), member)
            self.assertEqual((found["t"][0], found["t"][-1]), (1, last))
            self.assertAlmostEqual(found["start"][1][0], self.ENERGIES[0], delta=0.03)
            self.assertAlmostEqual(abs(found["start"][0][0]), self.AMPLITUDES[0], delta=0.2)
        found, model = self.model("slices.pion", source=self.SOURCE, first=3, last=8)
        self.assertTrue(np.allclose(found["c"], model, rtol=1e-12, atol=0))
        with self.assertRaisesRegex(ValueError, "no state comes from the other side"):
            self.model("slices.pion", periodic=True)

    def test_doublet_slices(self):
        """Members of the doublet are of no mass; the source is that of the pion unless it is given, and the longer side
        may be the earlier one."""
        far = {"source": TIMES - 1 - self.SOURCE}
        for momentum in None, 0:
            found, model = self.model("doublet.slices.d_s_meson", momentum=momentum, **far)
            self.assertTrue(np.allclose(found["c"], model, rtol=1e-12, atol=0))
            self.assertEqual((found["t"][0], found["t"][-1]), (1, 9))
            self.assertAlmostEqual(found["start"][1][0], self.ENERGIES[0], delta=0.03)
        found, model = self.model("doublet.slices.d_s_meson")
        self.assertFalse(np.allclose(found["c"], model, rtol=0.1, atol=0))        # from the slice of the pion's source
        for arguments, fault in ({"periodic": True}, "no state comes"), ({"pair": 0}, "leave out `pair`"):
            with self.assertRaisesRegex(ValueError, fault):
                self.model("doublet.slices.smeared.d_s_meson", **arguments)
        with self.assertRaisesRegex(ValueError, "a matrix of operators"):
            self.model("doublet.slices.heavy_heavy")
        with self.assertRaisesRegex(KeyError, "no line has a list measurements.wilson.doublet.slices.kaon"):
            self.model("doublet.slices.kaon")

    @unittest.skipUnless(installed("gvar", "lsqfit"), "gvar and lsqfit are not installed")
    def test_lsqfit(self):
        for member, periodic in (("pion", True), ("nucleon", False), ("smeared.pion", True)):
            record, _ = self.record(400, periodic)
            fit = kiln.fit_states(record, member=member, first=1, last=10, svdcut=1e-10)
            for energy, amplitude, e, a in zip(fit.energies, fit.amplitudes, self.ENERGIES, self.AMPLITUDES):
                self.assertAlmostEqual(energy.mean, e, delta=1e-5)
                self.assertAlmostEqual(amplitude.mean, a, delta=1e-4)
                self.assertGreater(energy.sdev, 0)
            self.assertLess(fit.chi2, 1e-3)                          # the noise has no mean
            self.assertEqual((fit.dof, fit.first, fit.last), (6, 1, 10))
        for member, sign in ("axial", -1), ("slices.pion", 1), ("doublet.slices.smeared.d_s_meson", 1):
            fit = kiln.fit_states(self.record(400)[0], member=member, first=1, last=10, svdcut=1e-10)
            for energy, amplitude, e, a in zip(fit.energies, fit.amplitudes, self.ENERGIES, self.AMPLITUDES):
                self.assertAlmostEqual(energy.mean, e, delta=1e-5)
                self.assertAlmostEqual(amplitude.mean, sign * a, delta=1e-4)
        import gvar
        prior = {"a": gvar.gvar(["1(3)", "1(3)"]), "log(dE)": gvar.log(gvar.gvar(["0.5(3)", "0.5(3)"]))}
        fit = kiln.fit_states(record, first=3, last=5, prior=prior)
        self.assertAlmostEqual(fit.energies[0].mean, 0.4, delta=0.02)

    @unittest.skipUnless(installed("gvar"), "gvar is not installed")
    def test_gvar(self):
        import gvar
        record, exact = self.record()
        pion = kiln.correlator(record, "wilson", "pion")
        found, one = record.to_gvar(pion), record.to_gvar("x")
        self.assertAlmostEqual(one.sdev, kiln.correlated_mean(record["x"]).error, delta=1e-15)
        self.assertTrue(np.allclose(gvar.mean(found), exact, rtol=1e-12))
        self.assertTrue(np.allclose(gvar.evalcorr(found), np.corrcoef(pion, rowvar=False), atol=1e-10))

    @unittest.skipUnless(installed("pyerrors"), "pyerrors is not installed")
    def test_pyerrors(self):
        for member, periodic in (("pion", True), ("nucleon", False)):
            record, exact = self.record(400, periodic)
            found = record.to_pyerrors(kiln.correlator(record, "wilson", member))
            self.assertTrue(np.allclose([one.value for one in found], exact, rtol=1e-12))
            fit = kiln.fit_states(record, member=member, first=1, last=8, package="pyerrors")
            for energy, amplitude, e, a in zip(fit.energies, fit.amplitudes, self.ENERGIES, self.AMPLITUDES):
                self.assertAlmostEqual(energy.value, e, delta=1e-4)
                self.assertAlmostEqual(amplitude.value, a, delta=1e-3)
                self.assertGreater(energy.dvalue, 0)
            self.assertEqual((fit.dof, fit.first, fit.last), (4, 1, 8))
        with self.assertRaisesRegex(ValueError, "of lsqfit"):
            kiln.fit_states(record, package="pyerrors", svdcut=1e-3)

    def test_too_few_times(self):
        record, _ = self.record(12)
        with self.assertRaisesRegex(ValueError, "needs 6 times"):
            kiln.fit_states(record, states=3, first=2, last=6)
        with self.assertRaisesRegex(ValueError, "known are lsqfit and pyerrors"):
            kiln.fit_states(record, package="minuit")


if __name__ == "__main__":
    unittest.main()
