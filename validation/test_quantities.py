"""Quantities of records that are written by hand, whose numbers are known."""

import contextlib
import io
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile
import unittest
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "python"), HERE]

import kiln                                                                   # noqa: E402
import quantities                                                             # noqa: E402


def load_reproduce():
    loader = importlib.machinery.SourceFileLoader("reproduce", os.path.join(HERE, "reproduce"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("reproduce", loader))
    loader.exec_module(module)
    return module


def line(number, **members):
    return {"trajectory": number, "thermalization": False, "wall_seconds": 36.0, "time": "2026-11-28T00:00:00Z",
            **members}


class Transition(unittest.TestCase):
    """Two phases of equal width: reweighting by d changes the logarithm of the ratio of their weights by 6 V d dP."""

    def test_the_peak_is_where_both_phases_are_equally_likely(self):
        rng = np.random.default_rng(1)
        volume, gap, cold = 4 * 16 ** 3, 2e-3, 0.3
        count = 20000
        hot = rng.random(count) >= cold
        p = 0.55 + gap * hot + rng.normal(0, 3e-4, count)
        found = quantities.transition(kiln.Record(
            [line(n + 1, plaquette={"average": float(p[n])}, polyakov={"re": 0.0, "im": 0.1 + 0.2 * float(hot[n])})
             for n in range(count)]), volume=volume, beta=5.69, space=16 ** 3)
        expected = 5.69 + np.log(cold / (1 - cold)) / (6 * volume * gap)
        self.assertLess(abs(found.value - expected), 5 * found.error)
        self.assertLess(found.error, 1e-4)
        self.assertGreater(abs(expected - 5.69), 10 * found.error)

    def test_two_streams_have_the_peak_of_all_their_values(self):
        def stream(seed):
            rng = np.random.default_rng(seed)
            hot = rng.random(500) < 0.5
            return kiln.Record([line(n + 1, plaquette={"average": 0.55 + 2e-3 * float(h)},
                                     polyakov={"re": 0.0, "im": 0.1 + 0.2 * float(h)}, dH=float(seed))
                                for n, h in enumerate(hot)])
        streams = [stream(6), stream(7)]
        one = kiln.Record([{**each, "trajectory": n} for n, each in enumerate(sum((s.lines for s in streams), []))])
        peak, peak_of_one = (quantities.transition(record, volume=16 ** 4, beta=5.69, space=16 ** 3).value
                             for record in (kiln.join_streams(streams), one))
        self.assertAlmostEqual(peak, peak_of_one, 12)

    def test_a_coupling_far_from_the_peak_is_refused(self):
        rng = np.random.default_rng(2)
        hot = rng.random(2000) < 0.05
        with self.assertRaisesRegex(ValueError, "no peak"):
            quantities.transition(kiln.Record(
                [line(n + 1, plaquette={"average": 0.55 + 1e-5 * float(hot[n])},
                      polyakov={"re": 0.0, "im": 0.1 + 0.2 * float(hot[n])}) for n in range(2000)]),
                volume=1000, beta=5.69, space=250)


class Polyakov(unittest.TestCase):
    """|L| is uniform between 0.1 and 0.3, and its phase is one of the three sectors, so that <L> is close to 0."""

    def test_mean_and_susceptibility_are_those_of_the_size(self):
        rng = np.random.default_rng(5)
        lines = []
        for n in range(4000):
            size, phase = rng.uniform(0.1, 0.3), 2 * np.pi * rng.integers(3) / 3
            lines.append(line(n + 1, polyakov={"re": size * np.cos(phase), "im": size * np.sin(phase)}))
        record = kiln.Record(lines)
        loop = quantities.polyakov_loop(record)
        self.assertLess(abs(loop.value - 0.2), 4 * loop.error)
        self.assertLess(abs(loop.error / (0.2 / np.sqrt(12 * 4000)) - 1), 0.1)
        chi = quantities.polyakov_susceptibility(record, space=18 ** 3)
        self.assertLess(abs(chi.value - 18 ** 3 * 0.2 ** 2 / 12), 4 * chi.error)
        self.assertLess(chi.error / chi.value, 0.02)


class Identity(unittest.TestCase):
    def test_the_deviation_is_the_mean_of_the_measurements_of_that_name(self):
        rng = np.random.default_rng(6)
        values = rng.normal(0.002, 0.001, 400)
        record = kiln.Record([line(n + 1, measurements={"sd": {"kind": "schwinger_dyson", "settings": "0x1",
                                                               "deviation": value, "gauge": 47.0}})
                              for n, value in enumerate(values)])
        found = quantities.identity_deviation(record, "sd")
        self.assertAlmostEqual(found.value, np.mean(values), 15)
        self.assertLess(abs(found.error / 5e-5 - 1), 0.3)
        with self.assertRaises(KeyError):
            quantities.identity_deviation(record)


class Correlators(unittest.TestCase):
    def test_residual_mass_is_the_ratio_of_the_means(self):
        rng = np.random.default_rng(3)
        lines = []
        for n in range(200):
            size = 1 + 0.1 * rng.normal()
            pion = [size * (1 + t) for t in range(8)]
            midpoint = [(0.01 if t in (3, 4, 5) else 0.5) * size * (1 + t) for t in range(8)]
            lines.append(line(n + 1, measurements={"q": {"kind": "domain_wall", "settings": "0x1",
                                                         "masses": [{"pion": pion, "midpoint": midpoint}]}}))
        found = quantities.residual_mass(kiln.Record(lines), "q", plateau=0.375)
        self.assertAlmostEqual(found.value, 0.01, 12)
        self.assertLess(found.error, 1e-12)


class Charge(unittest.TestCase):
    def test_the_charge_is_taken_at_t0(self):
        rng = np.random.default_rng(4)
        t = [0.1 * i for i in range(41)]
        curve = [0.15 * x for x in t]                      # 0.3 at t = 2
        lines, squares = [], []
        for n in range(400):
            q = float(rng.normal())
            squares.append((2 * q) ** 2)
            along = {"t": t, "t2E_clover": curve, "t2E_plaquette": curve, "charge": [q * x for x in t]}
            lines.append(line(n + 1, measurements={"flow": {"kind": "flow", "settings": "0x1", "along": along}}))
        found = quantities.charge_susceptibility(kiln.Record(lines), volume=16 ** 4)
        expected = 4 * np.mean(squares) / 16 ** 4
        self.assertLess(abs(found.value / expected - 1), 1e-6)
        self.assertLess(abs(found.error / expected - np.sqrt(2 / 400)), 0.03)


class Command(unittest.TestCase):
    def test_errors_have_two_digits(self):
        reproduce = load_reproduce()
        self.assertEqual(reproduce.with_error(5.692512, 0.000213), "5.69251(21)")
        self.assertEqual(reproduce.with_error(0.29712, 0.002), "0.2971(20)")
        self.assertEqual(reproduce.with_error(123.4, 20), "123(20)")

    def write_row(self, reproduce, folder):
        """A row `a` with parameters of one line: lattice, seed."""
        os.mkdir(os.path.join(folder, "rows"))
        reproduce.HERE = reproduce.ENSEMBLES = reproduce.records.HERE = folder
        reproduce.records.echo_of = lambda text, what: dict(zip(
            ("lattice", "random"), ("%s: %s\n" % pair for pair in zip(("lattice", "random"), text.split()))))
        row = {"place": 1, "ensemble": "test", "quantities": [
            {"quantity": "plaquette", "function": "plaquette", "options": {}, "value": 0.5, "error": 0.01,
             "source": "nowhere"}]}
        with open(os.path.join(folder, "rows", "a.json"), "w") as file:
            json.dump(row, file)
        with open(os.path.join(folder, "rows", "a.yaml"), "w") as file:
            file.write("8 seed_1")

    def write_run(self, folder, numbers, parameters="8 seed_1", commit="abc"):
        """An ensemble with the plaquettes 0.50 and 0.52 in turns; its record."""
        os.mkdir(folder)
        with open(os.path.join(folder, "parameters.yaml"), "w") as file:
            file.write(parameters)
        with open(folder + ".programs.jsonl", "w") as file:
            file.write(json.dumps({"commit": commit, "devices": [{"name": "A GPU"}]}) + "\n")
        path = os.path.join(folder, "run.jsonl")
        with open(path, "w") as file:
            for n in numbers:
                file.write(json.dumps(line(n, plaquette={"average": 0.51 + 0.01 * (-1) ** n}, timers={"all": 1.0},
                                           dH=zlib.crc32(folder.encode()) / 2 ** 32)) + "\n")
        return path

    def compared(self, reproduce, paths):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            reproduce.compare("a", paths)
        return reproduce.read_json(reproduce.result_path("a")), said.getvalue()

    def test_records_are_merged_and_compared(self):
        reproduce = load_reproduce()
        with tempfile.TemporaryDirectory() as folder:
            self.write_row(reproduce, folder)
            paths = [self.write_run(os.path.join(folder, name), numbers, commit=commit) for name, numbers, commit in (
                ("first", range(1, 31), "abc"), ("second", range(31, 61), "def"))]
            result, said = self.compared(reproduce, paths)
            self.assertEqual((result["trajectories"], result["streams"]), (60, [60]))
            self.assertAlmostEqual(result["hours"], 0.6)
            self.assertEqual((result["commit"], result["device"]), ("abc, def", "A GPU"))
            self.assertAlmostEqual(result["quantities"][0]["value"], 0.51)
            self.assertEqual(len(set(result["record_sha256"])), 2)
            self.assertIn("combined errors: reproduced", said)
            self.assertIn("| test (`a`) | plaquette | 0.500(10), nowhere | 0.5100", reproduce.table())
            result, said = self.compared(reproduce, paths[:1])
            self.assertIn("too few values (30 of 50)", said)
            agrees = {"value": 1, "error": 1, "published": 1, "published_error": 0, "used": 60, "tau": 2}
            self.assertEqual(reproduce.verdict({**agrees, "trajectories": 100}), "reproduced")
            self.assertEqual(reproduce.verdict({**agrees, "trajectories": 99}), "reproduced, by a series of 49 tau")
            other = self.write_run(os.path.join(folder, "other"), range(1, 31), "4 seed_1")
            with self.assertRaisesRegex(reproduce.Wrong, "lattice differs .*: it has 4, the row 8"):
                reproduce.compare("a", [other])
            with self.assertRaisesRegex(reproduce.Wrong, "lattice differs"):
                reproduce.compare("a", [os.path.join(folder, "other")])

    def test_algorithm_and_length_may_be_others_than_those_of_the_row(self):
        reproduce = load_reproduce()
        words = ("lattice: [4, 4, 4, 4]\n", "hmc:\n  trajectory_length: %d\n  trajectories: %d\n  thermalization: %d\n",
                 "monomials:\n  - kind: gauge\n    name: \"gauge\"\n    beta: %g\n", "measurements:\n  - kind: flow\n")
        with tempfile.TemporaryDirectory() as folder:
            self.write_row(reproduce, folder)
            asked = dict(zip(("lattice", "hmc", "monomials"), (words[0], words[1] % (1, 2, 1), words[2] % 5.8)))
            asked["measurements"] = "measurements:\n  - kind: flow\n    every: 2\n    t_max: 3\n"
            reproduce.records.echo_of = lambda text, what: asked
            for change, refused in (({"hmc": words[1] % (2, 9, 0)}, None), ({"measurements": words[3]}, "measurements"),
                                    ({"measurements": asked["measurements"].replace(": 2", ": 10")}, None),
                                    ({"measurements": asked["measurements"].replace(": 3", ": 4")}, "measurements"),
                                    ({"monomials": words[2] % 5.9}, "monomials.0.beta .* it has 5.9, the row 5.8")):
                source = reproduce.records.Source("a", [], "", [], "")
                source.blocks = {**asked, **change}
                with self.assertRaisesRegex(reproduce.Wrong, refused) if refused else contextlib.nullcontext():
                    reproduce.require_parameters("a", [source])

    def test_segments_of_other_distributions_are_refused(self):
        reproduce = load_reproduce()
        with tempfile.TemporaryDirectory() as folder:
            path = self.write_run(os.path.join(folder, "a"), range(1, 5), "lattice: 8\nhmc: 2")
            with open(os.path.join(folder, "a", "segments.jsonl"), "w") as file:
                file.write('{"first_trajectory": 1}\n{"first_trajectory": 3}\n')
            for before, refused in (("lattice: 8\nhmc: 1", None),
                                    ("lattice: 4\n", "its segments .*: lattice is 4, from trajectory 3 on 8")):
                with open(os.path.join(folder, "a", "parameters.000002.yaml"), "w") as file:
                    file.write(before)
                with self.assertRaisesRegex(reproduce.Wrong, refused) if refused else contextlib.nullcontext():
                    reproduce.records.read_source(path)

    def test_other_random_numbers_are_another_stream_and_records_are_kept(self):
        reproduce = load_reproduce()
        with tempfile.TemporaryDirectory() as folder:
            self.write_row(reproduce, folder)
            self.write_run(os.path.join(folder, "a"), range(1, 31))
            self.write_run(os.path.join(folder, "a.1"), range(1, 41), "8 seed_2")
            result, _ = self.compared(reproduce, [])
            self.assertEqual((result["trajectories"], result["streams"]), (70, [30, 40]))
            with contextlib.redirect_stdout(io.StringIO()):
                for name in ("a", "a.1", "a"):
                    reproduce.keep("a", [os.path.join(folder, name)])
            self.assertEqual(sorted(os.listdir(os.path.join(folder, "streams"))), ["a.0.jsonl.xz", "a.1.jsonl.xz"])
            kept = reproduce.records.read_source(os.path.join(folder, "streams", "a.0.jsonl.xz"))
            self.assertEqual([key in kept.lines[0] for key in ("plaquette", "timers")], [True, False])
            self.assertEqual(len(kept.lines), 30)
            reproduce.ENSEMBLES = os.path.join(folder, "nowhere")
            again, _ = self.compared(reproduce, [])
            self.assertEqual(again, result)
            short = self.write_run(os.path.join(folder, "short"), range(1, 11))
            with self.assertRaisesRegex(reproduce.Wrong, "a.0.jsonl.xz has 20 trajectories that .* lacks, such as 11"):
                reproduce.keep("a", [short])
            reproduce.ENSEMBLES = os.path.join(folder, "elsewhere")
            os.mkdir(reproduce.ENSEMBLES)
            self.write_run(os.path.join(reproduce.ENSEMBLES, "a"), range(1, 11))
            with self.assertRaisesRegex(reproduce.Wrong, "differ from trajectory 1 on: they are two chains; name"):
                reproduce.compare("a", [])
            here, kept = os.path.join(reproduce.ENSEMBLES, "a"), reproduce.records.kept_paths("a")[0]
            with self.assertRaisesRegex(reproduce.Wrong, "differ from trajectory 1 on: they are two chains; name"):
                reproduce.compare("a", [kept, here])
            self.assertEqual(self.compared(reproduce, [here])[0]["streams"], [10])
            os.remove(os.path.join(folder, "streams", "a.0.jsonl.xz"))
            third = self.write_run(os.path.join(folder, "third"), range(1, 11), "8 seed_3")
            with contextlib.redirect_stdout(io.StringIO()):
                reproduce.keep("a", [third])
            self.assertEqual([len(records.lines) for records in map(reproduce.records.read_source,
                                                                    reproduce.records.kept_paths("a"))], [10, 40])
            with open(os.path.join(folder, "streams", "a.2.jsonl.xz"), "w") as file:
                file.write("no archive")
            with self.assertRaisesRegex(reproduce.Wrong, "a.2.jsonl.xz: no file of reproduce keep"):
                reproduce.compare("a", [])


if __name__ == "__main__":
    unittest.main()
