"""t0 and w0 of mean curves, their errors, and what is missing; records are made here."""

import json
import unittest

import numpy as np

from test_kiln import Files, kiln


class Scales(Files):
    """t^2 E = s t with one s for each configuration: t0 is 0.3 / mean(s), linearly t0 - 0.3 / mean^2 (s - mean)."""

    def record_of(self, slopes, t_max, failed=()):
        t = np.arange(0, t_max + 0.1, 0.25)
        lines = [{"trajectory": n + 1, "measurements": {"smooth": {
            "kind": "flow", "t0": 0.3 / s if 0.3 / s <= t_max else None, "converged": n not in failed, "along": {
                "t": t.tolist(), "t2E_clover": (s * t).tolist(), "t2E_plaquette": (2 * s * t).tolist()}}}}
            for n, s in enumerate(slopes)]
        return kiln.read_record(self.write("".join(json.dumps(line) + "\n" for line in lines).encode()))

    def test_all_configurations_count(self):
        slopes = 0.12 + 0.05 * np.random.default_rng(3).uniform(-1, 1, 200)
        scales = kiln.flow_scales(self.record_of(slopes, 3), "smooth")
        t0, mean = scales["t0"], slopes.mean()
        self.assertGreater((slopes < 0.1).sum(), 20)                     # that do not reach 0.3 themselves
        self.assertEqual((t0.used, t0.made, t0.why), (200, 200, ""))
        self.assertAlmostEqual(t0.value, 0.3 / mean, delta=1e-12)
        self.assertAlmostEqual(scales["w0"].value, (0.3 / mean) ** 0.5, delta=1e-12)
        self.assertAlmostEqual(scales["t0_plaquette"].value, 0.15 / mean, delta=1e-12)
        linear = kiln.correlated_mean(0.3 / mean - 0.3 / mean ** 2 * (slopes - mean))
        self.assertAlmostEqual(t0.error, linear.error, delta=1e-12)
        self.assertAlmostEqual(t0.error / (0.3 / mean ** 2 * slopes.std() / 200 ** 0.5), 1, delta=0.2)

    def test_parts_of_an_anisotropic_lattice(self):
        """t^2 E_space = s t and t^2 E_time = 2 s t reach half the level of t^2 E = 3 s t."""
        record = self.record_of([0.1, 0.12, 0.14], 3)
        self.assertNotIn("w0_space", kiln.flow_scales(record, "smooth"))
        for line in record.lines:
            along = line["measurements"]["smooth"]["along"]
            space = np.array(along["t2E_clover"])
            along.update(t2E_space=space.tolist(), t2E_time=(2 * space).tolist(), t2E_clover=(3 * space).tolist())
        scales = kiln.flow_scales(record, "smooth")
        self.assertAlmostEqual(scales["w0_space"].value, (0.15 / 0.12) ** 0.5, delta=1e-12)
        self.assertAlmostEqual(scales["w0_time"].value, (0.15 / 0.24) ** 0.5, delta=1e-12)
        self.assertAlmostEqual(scales["w0"].value, (0.3 / 0.36) ** 0.5, delta=1e-12)
        for line in record.lines:
            along = line["measurements"]["smooth"]["along"]
            along["t2E_space"] = (np.array(along["t2E_space"]) / 4).tolist()
        below = kiln.flow_scales(record, "smooth")["w0_space"]
        self.assertTrue(np.isnan(below.value) and "below 0.15" in below.why, below.why)
        self.assertAlmostEqual(below.t_max, 6, delta=1e-12)              # a fifth more than 0.15 / 0.03

    def test_ratio(self):
        """t^2 E = c + s t, one c for each configuration: t0 = (0.3 - <c>)/s fluctuates, w0 = sqrt(0.3/s) does not."""
        t, offsets = np.arange(0, 4.1, 0.25), 0.02 + 0.01 * np.random.default_rng(4).uniform(-1, 1, 300)
        lines = [{"trajectory": n + 1, "measurements": {"flow": {"kind": "flow", "along": {
            "t": t.tolist(), "t2E_clover": (c + 0.1 * t).tolist(), "t2E_plaquette": (0.1 * t).tolist()}}}}
            for n, c in enumerate(offsets)]
        words = "".join(json.dumps(line) + "\n" for line in lines)
        scales = kiln.flow_scales(kiln.read_record(self.write(words.encode())))
        ratio, t0 = kiln.scale_ratio(scales), (0.3 - offsets.mean()) / 0.1
        self.assertAlmostEqual(ratio.value, np.sqrt(t0 / 3), delta=1e-12)
        self.assertAlmostEqual(ratio.error / (ratio.value * scales["t0"].error / (2 * t0)), 1, delta=1e-9)
        self.assertAlmostEqual(kiln.scale_ratio(scales, "_plaquette").value, 1, delta=1e-12)

    def test_no_value(self):
        record = self.record_of([0.1] * 20, 2)
        t0 = kiln.flow_scales(record, "smooth")["t0"]
        self.assertTrue(np.isnan(t0.value) and "t_max" in t0.why)
        self.assertAlmostEqual(t0.t_max, 3.6, delta=1e-12)               # a fifth more than 0.3 / 0.1
        with self.assertRaisesRegex(KeyError, "smooth"):
            kiln.flow_scales(record)

    def test_failed_measurements_are_counted(self):
        slopes = np.linspace(0.15, 0.25, 30)
        t0 = kiln.flow_scales(self.record_of(slopes, 3, failed=(4,)), "smooth")["t0"]
        self.assertEqual((t0.used, t0.made), (29, 30))
        self.assertAlmostEqual(t0.value, 0.3 / np.delete(slopes, 4).mean(), delta=1e-12)

    def test_lines_that_are_damaged_inside(self):
        good = {"kind": "flow", "along": {"t": [0, 1, 2, 3, 4], "t2E_clover": [0, 0.1, 0.2, 0.3, 0.4],
                                          "t2E_plaquette": [0, 0.2, 0.4, 0.6, 0.8]}}
        bad = [None, {"smooth": None}, {"smooth": dict(good, along=None)}, {"smooth": 3}]
        for times in ([0, 1, 1, 3, 4], [0, 2, 1, 3, 4], [-1, 1, 2, 3, 4], [0, 1, 1 + 1e-12, 3, 4], [0, 1, 2, 3, 1e16]):
            bad.append({"smooth": dict(good, along=dict(good["along"], t=times))})
        lines = [{"trajectory": n + 1, "measurements": found} for n, found in enumerate([{"smooth": good}] * 3 + bad)]
        record = kiln.read_record(self.write("".join(json.dumps(line) + "\n" for line in lines).encode()))
        t0 = kiln.flow_scales(record, "smooth")["t0"]
        self.assertEqual((t0.used, t0.made), (3, 3 + 6))                 # no rising times, no curve: as kiln status
        self.assertAlmostEqual(t0.value, 3, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
