"""Susceptibilities and subtracted condensates of records made here; run with test_kiln.py."""

import json
import unittest

import numpy as np

from test_kiln import Files, kiln


class Condensates(Files):
    """Sources have noise of their own; the condensate of each configuration fluctuates too."""

    MASSES, SOURCES, COUNT = (0.01, 0.2), 3, 4000

    def of_different_sources(self, c):
        return np.mean([a * b for i, a in enumerate(c) for k, b in enumerate(c) if i != k])

    def record_of(self, without=()):
        random = np.random.default_rng(8)
        self.true = np.array([0.02, 0.1]) + 0.004 * random.normal(size=(self.COUNT, 2))
        noise = 0.01 * random.normal(size=(self.COUNT, self.SOURCES, 1)) * np.array([1.0, 0.5])
        self.of_sources = self.true[:, None, :] + noise
        self.slope = -0.3 + 0.1 * random.normal(size=self.COUNT)
        lines = []
        for n in range(self.COUNT):
            masses = [{"mass": mass, "condensate": self.of_sources[n, :, m].mean(),
                       "condensate_squared": self.of_different_sources(self.of_sources[n, :, m]),
                       "susceptibility_connected": self.slope[n]} for m, mass in enumerate(self.MASSES)]
            for item in masses:
                for key in without:
                    del item[key]
            lines.append({"trajectory": n + 1, "measurements": {"q": {"kind": "condensate", "converged": n != 5,
                                                                      "masses": masses}}})
        return kiln.read_record(self.write("".join(json.dumps(line) + "\n" for line in lines).encode()))

    def test_susceptibility_has_no_bias_of_the_noise(self):
        record, volume = self.record_of(), 100.0
        chi = kiln.chiral_susceptibility(record, volume, "q", 0)
        spread = 0.004 ** 2 * volume
        self.assertLess(abs(chi.disconnected.value - spread), 4 * chi.disconnected.error)
        of_the_means = volume * self.of_sources[:, :, 0].mean(axis=1).var()
        self.assertGreater(of_the_means, spread + 10 * chi.disconnected.error)
        self.assertEqual(chi.disconnected.used, self.COUNT - 1)
        two = kiln.chiral_susceptibility(record, volume, "q", 0, flavors=2)
        self.assertAlmostEqual(two.disconnected.value, 4 * chi.disconnected.value, delta=1e-12)
        self.assertAlmostEqual(two.connected.value, 2 * np.delete(self.slope, 5).mean(), delta=1e-12)
        self.assertAlmostEqual(two.total.value, two.connected.value + two.disconnected.value, delta=1e-12)

    def test_error_is_that_of_a_jackknife(self):
        chi = kiln.chiral_susceptibility(self.record_of(), 100.0, "q", 1)
        c = np.delete(self.of_sources[:, :, 1], 5, axis=0)
        pairs = (c.sum(axis=1) ** 2 - (c * c).sum(axis=1)) / (self.SOURCES * (self.SOURCES - 1))
        n, mean = len(c), c.mean(axis=1)
        of = 100 * ((pairs.sum() - pairs) / (n - 1) - ((mean.sum() - mean) / (n - 1)) ** 2)
        self.assertLess(abs(chi.disconnected.error / np.sqrt((n - 1) * of.var()) - 1), 0.15)

    def test_records_without_the_connected_part(self):
        chi = kiln.chiral_susceptibility(self.record_of(without=["susceptibility_connected"]), 100.0, "q")
        self.assertTrue(np.isnan(chi.connected.value) and np.isnan(chi.total.value))
        self.assertGreater(chi.disconnected.value, 0)

    def test_subtracted(self):
        record = self.record_of()
        c = np.delete(self.of_sources, 5, axis=0).mean(axis=1)
        values = c[:, 0] - 0.01 / 0.2 * c[:, 1]
        hot = kiln.subtracted_condensate(record, "q")
        self.assertAlmostEqual(hot.value, values.mean(), delta=1e-13)
        self.assertLess(abs(hot.error / (values.std() / np.sqrt(len(values))) - 1), 0.15)
        ratio = kiln.subtracted_condensate(record, "q", zero=kiln.Mean(0.1, 0.002, 0.5, 0.1, 100))
        self.assertAlmostEqual(ratio.value, hot.value / 0.1, delta=1e-13)
        self.assertAlmostEqual(ratio.error, np.hypot(hot.error / 0.1, hot.value * 0.002 / 0.01), delta=1e-13)
        self.assertAlmostEqual(kiln.subtracted_condensate(record, "q", zero=0.1).error, hot.error / 0.1, delta=1e-13)
        with self.assertRaisesRegex(KeyError, "measurements.q.masses.2"):
            kiln.subtracted_condensate(record, "q", strange=2)


if __name__ == "__main__":
    unittest.main()
