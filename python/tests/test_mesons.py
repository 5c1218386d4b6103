"""Tests of fits of mesons and of decay constants, on records made here."""

import json
import unittest

import numpy as np

from test_kiln import Files, kiln


class Mesons(Files):
    """C(t) = A (exp(-M t) + exp(-M (T-t))) and an alternating partner; decay constants by the relation of Gell-Mann,
    Oakes and Renner, f^2 M^2 = 4 m Sigma, where the condensate of one taste is Sigma = m sum_t C(t) / tastes."""

    TIMES = 32

    def wave(self, mass):
        t = np.arange(self.TIMES)
        return np.exp(-mass * t) + np.exp(-mass * (self.TIMES - t))

    def record_of(self, results):
        lines = [{"trajectory": n + 1, "measurements": {"mesons": result}} for n, result in enumerate(results)]
        return kiln.read_record(self.write("".join(json.dumps(line) + "\n" for line in lines).encode()))

    def staggered(self, amplitudes, mass, partner=0.0, partner_mass=1.0, **more):
        sign = (-1.0) ** np.arange(self.TIMES)
        rows = [a * self.wave(mass) + sign * partner * self.wave(partner_mass) for a in amplitudes]
        return self.record_of([dict({"kind": "staggered_mesons", "converged": True,
                                     "masses": [{"mass": 0.01, "pion": c.tolist()}, {"mass": 0.04}],
                                     "pairs": [{"quark": 0, "antiquark": 1, "pion": c.tolist()}]}, **more)
                               for c in rows])

    def test_fit(self):
        a = 2 + 0.1 * np.random.default_rng(3).normal(size=50)
        fit = kiln.fit_meson(self.staggered(a, 0.2), "mesons", first=4)
        self.assertAlmostEqual(fit.mass.value, 0.2, delta=1e-9)
        self.assertAlmostEqual(fit.mass.error, 0, delta=1e-7)            # the amplitude alone differs
        self.assertAlmostEqual(fit.amplitude.value, a.mean(), delta=1e-8)
        self.assertAlmostEqual(fit.amplitude.error, kiln.correlated_mean(a).error, delta=1e-6)
        self.assertEqual((fit.first, fit.last, fit.points, fit.amplitude.used), (4, 16, 13, 50))
        self.assertIsNone(fit.partner_mass)
        with self.assertRaisesRegex(ValueError, "needs at least 2"):
            kiln.fit_meson(self.staggered(a, 0.2), "mesons", first=16)

    def test_axial(self):
        """The axial current with a pseudoscalar source: odd in t -> T - t, 0 at t = 0 and T/2, negative between."""
        t, a = np.arange(self.TIMES), 2 + 0.1 * np.random.default_rng(3).normal(size=50)
        wave = np.exp(-0.2 * t) - np.exp(-0.2 * (self.TIMES - t))
        record = self.record_of([{"kind": "wilson", "masses": [{"axial": (-b * wave).tolist()}]} for b in a])
        fit = kiln.fit_meson(record, "mesons", "axial", first=4)
        self.assertAlmostEqual(fit.mass.value, 0.2, delta=1e-9)
        self.assertAlmostEqual(fit.amplitude.value, -a.mean(), delta=1e-8)
        self.assertAlmostEqual(fit.amplitude.error, kiln.correlated_mean(a).error, delta=1e-6)
        self.assertEqual((fit.first, fit.last), (4, 15))
        with self.assertRaisesRegex(ValueError, "all from 1 to 15"):
            kiln.fit_meson(record, "mesons", "axial", first=0)

    def open_record(self, source):
        """Time slices 0 .. 31 with 0 at both ends: exponentials on both sides of the source, the axial one odd."""
        slices = np.arange(self.TIMES)
        pion, amplitudes = np.exp(-0.3 * abs(slices - source)), 2 + 0.1 * np.random.default_rng(3).normal(size=20)
        axial = -np.sign(slices - source) * 0.5 * pion
        pion[[0, -1]] = axial[[0, -1]] = 0
        return self.record_of([{"kind": "wilson", "masses": [{"slices": {"pion": (b * pion).tolist(),
                                                                         "axial": (b * axial).tolist()}}],
                                "doublet": {"slices": {"d_s_meson": (3 * b * pion ** 2).tolist()}}}
                               for b in amplitudes]), amplitudes

    def test_slices(self):
        """Open boundaries: no state from the other side, and times from the source, on its longer side."""
        for source, far in (6, 24), (24, 23), (1, 29):
            record, a = self.open_record(source)
            for member, factor in ("slices.pion", 1), ("slices.axial", -0.5):
                fit = kiln.fit_meson(record, "mesons", member, first=2)
                self.assertAlmostEqual(fit.mass.value, 0.3, delta=1e-9)
                self.assertAlmostEqual(fit.amplitude.value, factor * a.mean(), delta=1e-8)
                self.assertEqual((fit.first, fit.last), (2, (far + 1) // 2))
            fit = kiln.fit_meson(record, "mesons", "doublet.slices.d_s_meson", first=2)
            self.assertAlmostEqual(fit.mass.value, 0.6, delta=1e-9)
            self.assertAlmostEqual(fit.amplitude.value, 3 * a.mean(), delta=1e-8)
            with self.assertRaisesRegex(ValueError, "all from 0 to %d" % far):
                kiln.fit_meson(record, "mesons", "slices.pion", last=31)
            later = kiln.fit_meson(record, "mesons", "slices.pion", source=source + 1, first=2, last=5)
            self.assertAlmostEqual(later.amplitude.value / a.mean(), np.exp(-0.3 if source < 15 else 0.3), delta=1e-8)
            mass = kiln.effective_mass(record, "mesons", "slices.pion", plateau=(source + 2, source + 4))
            self.assertAlmostEqual(mass.plateau.value, 0.3, delta=1e-9)
            mass = kiln.effective_mass(record, "mesons", "doublet.slices.d_s_meson", plateau=(source + 2, source + 4))
            self.assertAlmostEqual(mass.plateau.value, 0.6, delta=1e-9)
        with self.assertRaisesRegex(ValueError, "between 0 and 31"):
            kiln.fit_meson(record, "mesons", "slices.pion", source=31)
        with self.assertRaisesRegex(ValueError, "a pair .first, last. of time slices"):
            kiln.effective_mass(record, "mesons", "slices.pion")
        with self.assertRaisesRegex(ValueError, "leave out `source`"):
            kiln.fit_meson(self.staggered([1.0, 1.1], 0.2), "mesons", source=3)

    def test_error_of_the_mass(self):
        """Masses that differ: the error is that of the amplitudes and masses of the mean correlator."""
        masses = 0.3 + 0.001 * np.random.default_rng(4).normal(size=400)
        record = self.record_of([{"kind": "staggered_mesons", "masses": [{"mass": 1, "pion": self.wave(m).tolist()}]}
                                 for m in masses])
        fit = kiln.fit_meson(record, "mesons", first=2, last=12)
        self.assertAlmostEqual(fit.mass.value, masses.mean(), delta=1e-4)
        self.assertAlmostEqual(fit.mass.error / kiln.correlated_mean(masses).error, 1, delta=0.1)

    def test_partner(self):
        a = 2 + 0.1 * np.random.default_rng(3).normal(size=20)
        record = self.staggered(a, 0.35, -0.8, 0.6)
        fit = kiln.fit_meson(record, "mesons", first=2, partner=True)
        for found, value in ((fit.mass, 0.35), (fit.amplitude, a.mean()), (fit.partner_mass, 0.6),
                             (fit.partner_amplitude, -0.8)):
            self.assertAlmostEqual(found.value, value, delta=1e-6)
        wrong = kiln.fit_meson(record, "mesons", first=2)
        self.assertGreater(wrong.chi2, 1e3 * fit.chi2)

    def test_partner_that_dominates(self):
        """Also where the correlator changes its sign from the first time on."""
        a = 2 + 0.1 * np.random.default_rng(6).normal(size=20)
        for partner, partner_mass in (-4, 0.5), (4, 0.5), (-8, 1.2):
            record = self.staggered(a, 0.8, partner, partner_mass)
            fit = kiln.fit_meson(record, "mesons", first=1, last=9, partner=True)
            for found, value in ((fit.mass, 0.8), (fit.partner_mass, partner_mass), (fit.partner_amplitude, partner)):
                self.assertAlmostEqual(found.value / value, 1, delta=1e-5)

    def test_points_that_do_not_determine_a_fit(self):
        """A state that one time alone has: no numbers, instead of arbitrary ones."""
        short = np.full(self.TIMES, -1e-3)
        short[[4, -4]] = 1
        record = self.record_of([{"kind": "staggered_mesons", "masses": [{"mass": 1, "pion": (a * short).tolist()}]}
                                 for a in (1.0, 1.1, 0.9)])
        fit = kiln.fit_meson(record, "mesons", first=4)
        self.assertTrue(np.isnan([fit.mass.value, fit.mass.error, fit.amplitude.value]).all(), fit)
        self.assertEqual(fit.mass.used, 3)
        self.assertTrue(np.isnan(kiln.decay_constant(record, "mesons", first=4).value))

    def test_decay_constant_of_staggered_quarks(self):
        record = self.staggered([3.0] * 5, 0.05)
        f = kiln.decay_constant(record, "mesons", first=2).value
        endless = 3.0 / np.tanh(0.025)                                   # sum over all t of A exp(-M |t|)
        condensate = 0.01 * endless / 4
        self.assertAlmostEqual(f * f * 0.05 ** 2 / (4 * 0.01 * condensate), 1, delta=1e-3)
        kaon = kiln.decay_constant(record, "mesons", pair=0, first=2).value
        self.assertAlmostEqual(kaon / f, 2.5, delta=1e-9)                # (0.01 + 0.04) / (2 * 0.01)
        with self.assertRaisesRegex(ValueError, "wall of a fixed gauge"):
            kiln.decay_constant(self.staggered([3.0] * 5, 0.05, gauge_fixing={}), "mesons")

    def test_decay_constant_of_domain_wall_quarks(self):
        """Masses in a unit of 2.6 times that of the propagators; residual masses 0.003 and 0.004 in the latter."""
        noise = np.random.default_rng(5).normal(size=30)
        residual, unit, pion = (0.003, 0.004), 2.6, self.wave(0.05)
        results = [{"kind": "domain_wall",
                    "masses": [{"mass": unit * (0.01 + 0.03 * m), "pion": (a * pion).tolist(),
                                "midpoint": (a * residual[m] * pion).tolist(),
                                "residual_mass_in_time": [unit * residual[m]] * self.TIMES} for m in range(2)],
                    "pairs": [{"quark": 0, "antiquark": 1, "pion": (a * pion).tolist()}]} for a in 3 + 0.1 * noise]
        record, a = self.record_of(results), 3 + 0.1 * noise.mean()
        f = kiln.decay_constant(record, "mesons", first=2)
        condensate = 0.013 * a / np.tanh(0.025)
        self.assertAlmostEqual(f.value ** 2 * 0.05 ** 2 / (4 * 0.013 * condensate), 1, delta=1e-3)
        self.assertAlmostEqual(f.error / f.value, kiln.correlated_mean(0.1 * noise).error / a / 2, delta=1e-5)
        kaon = kiln.decay_constant(record, "mesons", pair=0, first=2)
        self.assertAlmostEqual(kaon.value / f.value, (0.013 + 0.044) / 0.026, delta=1e-9)
        for result in results:
            result["kind"] = "wilson"
        with self.assertRaisesRegex(ValueError, "renormalization constant"):
            kiln.decay_constant(self.record_of(results), "mesons")

    def test_plateau_of_the_residual_mass(self):
        """It begins at a quarter of the extent, that time included: the residual mass is the mean of midpoint/pion over
        all times at least as far from the source, of which one fourth and its mirror image have another ratio here."""
        pion, first, count = self.wave(0.05), self.TIMES // 4, self.TIMES // 2 + 1
        ratio, at = np.full(self.TIMES, 0.003), [first, self.TIMES - first]
        ratio[at] += 0.001
        ratio[:first] = ratio[1 - first:] = 1                            # nearer to the source
        results = [{"kind": "domain_wall", "masses": [{
            "mass": 0.01, "pion": (a * pion).tolist(), "midpoint": (a * ratio * pion).tolist(),
            "residual_mass_in_time": ratio.tolist()}]} for a in (3.0, 3.1, 2.9)]
        f = kiln.decay_constant(self.record_of(results), "mesons", first=2).value
        residual = 0.003 + 2 * 0.001 / count
        self.assertAlmostEqual(f / ((0.02 + 2 * residual) * np.sqrt(2 * 3.0 / 0.05 ** 3)), 1, delta=1e-9)
        later = kiln.decay_constant(self.record_of(results), "mesons", first=2, plateau=0.26).value
        self.assertAlmostEqual(later / f, (0.02 + 2 * 0.003) / (0.02 + 2 * residual), delta=1e-9)

    def test_effective_mass_with_step(self):
        record = self.staggered([1.0, 2.0], 0.2, 0.05, 0.2)              # even and odd t differ, next neighbors do not
        found = kiln.effective_mass(record, "mesons", pair=0, step=2)
        self.assertAlmostEqual(found.in_time[5].value, 0.2, delta=1e-9)
        self.assertGreater(abs(kiln.effective_mass(record, "mesons").in_time[5].value - 0.2), 0.01)


if __name__ == "__main__":
    unittest.main()
