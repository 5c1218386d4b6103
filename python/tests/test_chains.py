"""Tests of results of several streams in one file: no series of independent chains has errors of a single one."""

import itertools
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy as np

from test_kiln import kiln
from test_results import Files as ResultsFiles, line_of


def stream(name, numbers, values, seed=None, folder=None, **more):
    """Lines of results of a stream, by seed or folder."""
    of_run = {"seed": "0x%016x" % seed, "stream": 0} if seed is not None else {}
    return [line_of("0x%s%d" % (name, n), n, file="%s/c.%06d.lime" % (folder or "/" + name, n), x=float(value),
                    **{"measurements": {"m": {"kind": "m", "settings": "0x1", "x": float(value)}}, **of_run, **more})
            for n, value in zip(numbers, values)]


def walk(rng, count):
    """Values of tau = 9.5."""
    values = [rng.normal()]
    while len(values) < count:
        values.append(0.9 * values[-1] + 0.436 * rng.normal())
    return np.array(values)


def mixed(*streams):
    return [line for lines in itertools.zip_longest(*streams) for line in lines if line]


class Chains(ResultsFiles):
    def setUp(self):
        rng = np.random.default_rng(6)
        self.values = [walk(rng, 200), walk(rng, 230)]
        self.both = mixed(*(stream("ab"[i], range(1, 1 + len(values)), values, seed=i + 1)
                            for i, values in enumerate(self.values)))

    def test_several_streams_are_no_series(self):
        r = self.read(*self.both)
        self.assertEqual({name: len(of) for name, of in r.streams().items()},
                         {"seed 1, stream 0": 200, "seed 2, stream 0": 230})
        for of in (lambda: r["x"], lambda: r.results("m"), lambda: r["measurements.m.x"],
                   lambda: r.with_settings("m", "0x1")["x"], lambda: kiln.effective_mass(r, "m")):
            with self.assertRaisesRegex(ValueError, r"of 2 streams.*\(seed 1, stream 0: 200 lines; seed 2, stream 0: "
                                                    r"230 lines\): kiln.join_streams\(\[results\]\) has"):
                of()
        for package, of in (("gvar", r.to_gvar), ("pyerrors", r.to_pyerrors)):
            with mock.patch.dict(sys.modules, {package: types.SimpleNamespace()}):
                with self.assertRaisesRegex(ValueError, "of 2 streams"):
                    of(np.ones(len(r)))
        self.assertEqual(r.trajectory.tolist(), [*range(1, 201), *range(1, 231)])
        for i, of in enumerate(r.streams().values()):
            self.assertEqual(of["x"].tolist(), self.values[i].tolist())
            folder = ("/a/", "/b/")[i]
            self.assertEqual(r.where(lambda line: line["file"].startswith(folder))["x"].tolist(),
                             self.values[i].tolist())

    def test_joined_results_are_joined_streams(self):
        records = [kiln.Record([{"trajectory": n, "thermalization": False, "plaquette": {"average": x}, "x": x}
                                for n, x in enumerate(values, start=1)]) for values in self.values]
        expected = kiln.correlated_mean(kiln.join_streams(records)["x"])
        self.assertGreater(expected.tau, 4)
        alone = [self.read(*(line for line in self.both if b'"/%s/' % name in line)) for name in (b"a", b"b")]
        for results in ([self.read(*self.both)], alone):
            joined = kiln.join_streams(results)
            self.assertEqual(kiln.correlated_mean(joined["x"]), expected)
            there = np.isfinite(joined["replica.number"])
            self.assertEqual(joined["replica.trajectory"][there].tolist(), [*range(1, 201), *range(1, 231)])
            self.assertEqual(len(joined.after_thermalization()), len(joined))

    def test_streams_of_programs_that_wrote_no_seeds_are_those_of_folders(self):
        a, b = (stream(name, (1, 2, 3), (1, 2, 3)) for name in "ab")
        r = self.read(*a, *b)
        self.assertEqual({name: of.trajectory.tolist() for name, of in r.streams().items()},
                         {"folder /a": [1, 2, 3], "folder /b": [1, 2, 3]})
        later = stream("a", (4,), (4,), seed=7)
        self.assertEqual({name: len(of) for name, of in self.read(*later, *a, *b).streams().items()},
                         {"seed 7, stream 0": 4, "folder /b": 3})

    def test_random_numbers_of_earlier_programs_name_the_stream(self):
        random = {"seed": "0x0000000000000007", "stream": 2, "trajectory": 1}
        a, b = (stream(name, (n,), (n,), random=more) for name, n, more in (("a", 1, random), ("b", 1, {})))
        copied = stream("c", (2,), (2,), random={**random, "links": "0xc2"})
        self.assertEqual(list(self.read(*a, *b, *copied).streams()), ["seed 7, stream 2", "folder /b", "folder /c"])

    def test_numbers_of_archives_do_not_count(self):
        """Some programs write the same one everywhere: each file counts, also with the links of another."""
        def archives(folder):
            return [line_of("0xa%d" % x, None, file="/%s/%d" % (folder, n), sequence=1, x=float(x))
                    for n, x in enumerate((2, 1, 1, 3))]
        r = self.read(*archives("a"))
        self.assertEqual(list(r.streams()), ["files without the number of a trajectory"])
        self.assertEqual((r["x"].tolist(), r.trajectory.tolist()), ([2, 1, 1, 3], [-1] * 4))
        self.assertEqual(self.read(*archives("a"), *archives("b"))["x"].tolist(), [2, 1, 1, 3])     # moved

    def test_one_stream_in_several_folders(self):
        r = self.read(*stream("a", (3, 4), (3, 4), seed=7, folder="/new"), *stream("b", (1, 2), (1, 2), seed=7))
        self.assertEqual(r["x"].tolist(), [1, 2, 3, 4])

    def test_a_trajectory_with_two_configurations_is_refused(self):
        r = self.read(*stream("a", (1, 2, 3), (1, 2, 3), seed=7), *stream("b", (3, 4), (3, 4), seed=7))
        for of in (lambda: r["x"], lambda: kiln.join_streams([r]), lambda: r.streams()["seed 7, stream 0"]["x"]):
            with self.assertRaisesRegex(ValueError, "trajectory 3 of seed 7, stream 0 has two configurations .* "
                                                    "/a/c.000003.lime and /b/c.000003.lime"):
                of()
        self.assertEqual(r.where(lambda line: line["file"].startswith("/b/"))["x"].tolist(), [3, 4])

    def test_files_without_a_number_are_in_the_order_of_the_lines(self):
        foreign = [line_of("0xc%d" % i, None, x=float(i), file="/%d/c" % i,
                           random={"seed": "0x1", "stream": 0, "trajectory": 0, "links": "0xc%d" % i})
                   for i in (4, 2, 9)]
        r = self.read(*foreign)
        self.assertEqual((r["x"].tolist(), r.trajectory.tolist()), ([4, 2, 9], [-1, -1, -1]))
        joined = kiln.join_streams([r, self.read(*stream("a", range(1, 4), (1, 2, 3), seed=1))])
        self.assertEqual(joined["x"][np.isfinite(joined["x"])].tolist(), [4, 2, 9, 1, 2, 3])
        with self.assertRaisesRegex(ValueError, "files without the number of a trajectory: 3 lines; seed 1, stream 0"):
            self.read(*foreign, *stream("a", range(1, 4), (1, 2, 3), seed=1))["x"]
        self.assertEqual(len(r.between(0, None)), 0)
        with self.assertRaisesRegex(ValueError, r"results.between\(first, None\)"):
            r.after_thermalization()

    def test_numbers_in_names_are_an_order(self):
        """As a shell lists them, l.100 comes before l.20: a series in this order has the tau of no chain."""
        def files(*names):
            return self.read(*(line_of("0xc%d" % i, None, x=float(i), file="/f/" + name)
                               for i, name in enumerate(names)))["x"].tolist()
        self.assertEqual(files("l.100", "l.1000", "l.20"), [2, 0, 1])
        self.assertEqual(files("l16.b.020", "l16.b.100", "l16.b.3"), [2, 0, 1])
        self.assertEqual(files("c9n1", "c10n1", "c2n1"), [0, 1, 2])            # more than the last number differs
        self.assertEqual(files("a.2", "b.1"), [0, 1])
        self.assertEqual(files("second", "first"), [0, 1])
        self.assertEqual(files("g/l.2", "h/l.2", "g/l.1"), [0, 1, 2])          # of two streams, perhaps
        self.assertEqual(files("g/l.2", "h/l.3", "g/l.1"), [0, 1, 2])

    def test_scales_of_files_without_a_number(self):
        t = [0.1 * i for i in range(1, 21)]
        flow = {"kind": "flow", "settings": "0x1", "converged": True, "along": {"t": t, "t2E_clover": t}}
        r = self.read(*(line_of("0xc%d" % i, None, measurements={"flow": flow}) for i in range(12)))
        t0 = kiln.flow_scales(r)["t0"]
        self.assertAlmostEqual(t0.value, 0.3, 6)
        self.assertEqual(len(t0.linear), 12)

    def test_other_lattices_and_copies_are_not_joined(self):
        for more, words in (({"dims": [4, 4, 4, 8]}, r"dims is \[4, 4, 4, 4\] and \[4, 4, 4, 8\]"),
                            ({"dims": [4, 4, 4, 4], "boundary_time": "open"}, "boundary_time is not given and open")):
            r = self.read(*stream("a", (1, 2), (1, 2), seed=1, dims=[4, 4, 4, 4]),
                          *stream("b", (1, 2), (1, 2), seed=2, **more))
            with self.assertRaisesRegex(ValueError, "stream 0 and stream 1 are not samples of one distribution: "
                                                    + words):
                kiln.join_streams([r])
        r = self.read(*stream("a", (1, 2), (1, 2), seed=1, dims=[4, 4, 4, 4]),
                      *stream("b", (1, 2), (1, 2), seed=1, dims=[6, 4, 4, 4]))
        self.assertEqual(list(r.streams()), ["seed 1, stream 0, 4x4x4x4", "seed 1, stream 0, 6x4x4x4"])
        one = self.read(*stream("a", (1, 2), (1, 2), seed=1))
        with self.assertRaisesRegex(ValueError, "streams 0 and 1 both have trajectory 1 with links 0xa1: one is a"):
            kiln.join_streams([one, one])

    def test_anisotropies_count_where_both_are_known(self):
        """Configurations did not always have that of their action."""
        for one, other, refused in ((3.0, 2.0, True), (3.0, 3.0, False), (3.0, None, False), (None, 3.0, False)):
            r = self.read(*(line for name, seed, xi in (("a", 1, one), ("b", 2, other))
                            for line in stream(name, (1, 2), (1, 2), seed=seed, **({"xi_0": xi} if xi else {}))))
            if refused:
                with self.assertRaisesRegex(ValueError, "are not samples of one distribution: xi_0 is 3.0 and 2.0"):
                    kiln.join_streams([r])
            else:
                self.assertEqual(np.isfinite(kiln.join_streams([r])["x"]).sum(), 4)

    def test_copies_of_files_without_a_number_are_named(self):
        def foreign(folder, *names):
            return self.read(*(line_of("0xc%d" % n, None, x=float(n), file="/%s/c%d" % (folder, n)) for n in names))
        with self.assertRaisesRegex(ValueError, "streams 0 and 1 both have links 0xc9, in /f/c9 and /g/c9: one is a "
                                                "copy or a fork of the other"):
            kiln.join_streams([foreign("f", 4, 2, 9), foreign("g", 9, 5)])
        numbered = self.read(*stream("c", (9,), (9,), seed=1))
        for streams, files in (([foreign("f", 4, 9), numbered], "/f/c9 and /c/c.000009.lime"),
                               ([numbered, foreign("f", 4, 9)], "/c/c.000009.lime and /f/c9")):
            with self.assertRaisesRegex(ValueError, "both have links 0xc9, in %s: one is a copy" % files):
                kiln.join_streams(streams)

    def test_invented_numbers_select_no_random_numbers(self):
        known = {"seed": "0x%016x" % 7, "stream": 0}
        one, other = (self.read(*(line_of("0x%s%d" % (name, n), None, x=float(n), file="/%s/%d" % (name, n), **known)
                                  for n in (1, 2))) for name in "ab")
        self.assertEqual(np.isfinite(kiln.join_streams([one, other])["x"]).sum(), 4)

    def test_results_in_two_files_with_the_same_random_numbers_are_not_joined(self):
        """Hot and cold starts with one seed: no file shows that the other one is there."""
        hot, cold, later = (self.read(*stream(name, numbers, (1, 2), seed=7))
                            for name, numbers in (("h", (1, 2)), ("c", (2, 3)), ("l", (3, 4))))
        with self.assertRaisesRegex(ValueError, "streams 0 and 1 both have trajectory 2 of seed 7, stream 0: the same"):
            kiln.join_streams([hot, cold])
        self.assertEqual(np.isfinite(kiln.join_streams([hot, later])["x"]).sum(), 4)

    def test_a_folder_has_one_name(self):
        for first, second in (("run", "./run"), ("/a/run", "/a//b/../run")):
            r = self.read(*stream("a", (1, 3), (1, 3), folder=first), *stream("b", (2,), (2,), folder=second))
            self.assertEqual(r["x"].tolist(), [1, 2, 3])

    def test_lines_as_one_series(self):
        """kiln.Record(results.lines): numbers 1, 2, ... where those of the lines do not ascend, or are missing."""
        t = [0.1 * i for i in range(1, 21)]
        flows = [{"flow": {"kind": "flow", "settings": "0x1", "converged": True, "along": {
            "t": t, "t2E_clover": [(0.9 + 0.2 * i) * x for x in t]}}} for i in range(2)]
        two = self.read(*(line for i, name in enumerate("ab") for line in stream(
            name, (1, 2, 3), (1, 2, 3), folder="/" + name, measurements=flows[i])))
        missing = self.read(*(line_of("0xc%d" % i, None, measurements=flows[i // 3]) for i in range(6)))
        for lines, trajectories in ((two.lines, [1, 2, 3, 1, 2, 3]), (missing.lines, [-1] * 6),
                                    (two.lines[:3] + missing.lines[3:], [1, 2, 3, -1, -1, -1]),
                                    (missing.lines[:1] + two.lines[3:], [-1, 1, 2, 3])):
            series, count = kiln.Record(lines), len(lines)
            self.assertEqual(series.trajectory.tolist(), trajectories)
            self.assertEqual(series.numbers.tolist(), [*range(1, count + 1)])
            t0 = kiln.flow_scales(series)["t0"]
            self.assertEqual((t0.used, len(t0.linear)), (count, count))
            self.assertEqual(len(series.between(2, None)), sum(n >= 2 for n in trajectories))
            joined = kiln.join_streams([series, self.read(*stream("d", (1, 2), (1, 2), seed=1))])
            self.assertEqual(np.isfinite(joined["replica.number"]).sum(), count + 2)
        self.assertEqual(kiln.Record(two.lines[:3]).numbers.tolist(), [1, 2, 3])
        archives = kiln.Record([{"file": "a", "sequence": n} for n in (10, 20)])
        self.assertEqual(archives.numbers.tolist(), [1, 2])

    def test_parameters_of_the_folders_count(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = []
            for name, beta in (("a", 5.8), ("b", 6.0)):
                os.mkdir(os.path.join(folder, name))
                with open(os.path.join(folder, name, "parameters.yaml"), "w") as file:
                    file.write("monomials:\n  - kind: gauge\n    name: \"gauge\"\n    beta: %g\n" % beta)
                lines += stream(name, (1,), (1,), folder=os.path.join(folder, name))
                lines += stream(name, (2,), (2,), folder=os.path.join(folder, ".", name))      # the same folder
            with self.assertRaisesRegex(ValueError, "monomials.0.beta is 5.8 and 6"):
                kiln.join_streams([self.read(*lines)])

    def test_one_stream_with_two_actions_is_no_series(self):
        """Another beta with the same seed and other numbers, in another folder or in a later segment."""
        def write(path, beta):
            with open(path, "w") as file:
                file.write("monomials:\n  - kind: gauge\n    name: \"gauge\"\n    beta: %g\n" % beta)
        with tempfile.TemporaryDirectory() as top:
            a, b, c = (os.path.join(top, name) for name in "abc")
            for folder, beta in ((a, 5.8), (b, 6.0), (c, 6.0)):
                os.mkdir(folder)
                write(os.path.join(folder, "parameters.yaml"), beta)
            write(os.path.join(c, "parameters.000002.yaml"), 5.8)
            with open(os.path.join(c, "segments.jsonl"), "w") as file:
                file.write("".join('{"segment": %d, "first_trajectory": %d}\n' % (n, 2 * n - 1) for n in (1, 2)))
            two = [*stream("a", (1, 2), (1, 2), seed=7, folder=a), *stream("b", (3, 4), (3, 4), seed=7, folder=b)]
            for lines in (two, stream("c", (1, 2, 3, 4), (1, 2, 3, 4), seed=7, folder=c)):
                r = self.read(*lines)
                for of in (lambda: r["x"], lambda: r.results("m"), lambda: r["measurements.m.x"],
                           lambda: r.with_settings("m", "0x1")["x"], lambda: kiln.join_streams([r])):
                    with self.assertRaisesRegex(ValueError, "monomials.0.beta is 5.8 .*and 6"):
                        of()
                self.assertEqual(r.between(1, 2)["x"].tolist(), [1, 2])
                self.assertEqual(r.between(3, None)["measurements.m.x"].tolist(), [3, 4])
                self.assertEqual(kiln.Record(r.lines)["x"].tolist(), [1, 2, 3, 4])
            same = self.read(*two[:2], *stream("c", (4,), (4,), seed=7, folder=c))
            with self.assertRaisesRegex(ValueError, "5.8 in %s, and 6 in %s from trajectory 3 on" % (a, c)):
                same["x"]
            os.remove(os.path.join(b, "parameters.yaml"))                      # then nothing is known of it
            self.assertEqual(self.read(*two)["x"].tolist(), [1, 2, 3, 4])

    def test_boundaries_of_a_file_that_does_not_say_are_kept_apart(self):
        """An archive of an open stream was measured as periodic: it is no copy of the configuration."""
        archive = line_of("0xa2", None, file="/n/2", x=7.0)
        of_run = stream("a", (1, 2), (1, 2), seed=1, boundary_time="open")
        for lines in ((archive, *of_run), (*of_run, archive)):
            r = self.read(*lines)
            self.assertEqual(sorted(r.streams()), ["files without the number of a trajectory, periodic in t",
                                                   "seed 1, stream 0, open in t"])
            self.assertEqual(r.streams()["seed 1, stream 0, open in t"]["x"].tolist(), [1, 2])
            with self.assertRaisesRegex(ValueError, "of 2 streams"):
                r["x"]
        known = line_of("0xa2", None, file="/n/2", boundary_time="open", y=7.0)
        self.assertEqual(self.read(known, *of_run)["y"][1], 7)

    def test_lines_in_larger_steps_keep_them(self):
        """Streams stored every tenth trajectory from different first ones: neighbors stay ten apart, with gaps."""
        a, b = self.values[0][:40], self.values[1][:40]
        r = self.read(*stream("a", range(10, 410, 10), a, seed=1, measurements={}),
                      *stream("b", range(3, 403, 10), b, seed=2, measurements={}))
        joined = kiln.join_streams([r])
        numbers = joined.trajectory[np.isfinite(joined["x"])]
        self.assertEqual(set(np.diff(numbers) % 10), {0})
        self.assertGreater(numbers[40] - numbers[39], 390)
        close = kiln.join_streams([self.read(*stream("a", range(1, 41), a, seed=1),
                                             *stream("b", range(1, 41), b, seed=2))])
        self.assertAlmostEqual(kiln.correlated_mean(joined["x"]).error / kiln.correlated_mean(close["x"]).error, 1, 3)


class OtherPackages(unittest.TestCase):
    """to_gvar and to_pyerrors of joined streams: pairs and bins of one stream, each a replica."""

    def setUp(self):
        rng = np.random.default_rng(7)
        # Means far apart: a pair or a bin of both streams would be seen.
        self.values = [5 + 0.1 * walk(rng, 63), -5 + 0.1 * walk(rng, 55)]
        self.joined = kiln.join_streams([kiln.Record(
            [{"trajectory": n, "thermalization": False, "x": x} for n, x in enumerate(values, start=11)])
            for values in self.values])

    def test_gvar(self):
        fake = types.SimpleNamespace(gvar=lambda means, covariance: list(zip(means, covariance)))
        with mock.patch.dict(sys.modules, {"gvar": fake}):
            (mean, variance), (of_bins, variance_of_bins) = (self.joined.to_gvar("x", bin_size=size)
                                                            for size in (None, 10))
        expected = kiln.correlated_mean(self.joined["x"])
        self.assertAlmostEqual(mean, expected.value, 12)
        self.assertAlmostEqual(variance[0] ** 0.5, expected.error, 12)
        bins = np.concatenate([values[:len(values) // 10 * 10].reshape(-1, 10).mean(axis=1) for values in self.values])
        self.assertAlmostEqual(of_bins, bins.mean(), 12)
        self.assertAlmostEqual(variance_of_bins[0] ** 0.5, bins.std(ddof=1) / len(bins) ** 0.5, 12)

    def test_bins_of_a_stream_that_has_none(self):
        fake = types.SimpleNamespace(gvar=lambda means, covariance: list(zip(means, covariance)))
        parts = [self.joined.where(lambda line: (line.get("replica") or {}).get("number") == n) for n in (0, 1)]
        with mock.patch.dict(sys.modules, {"gvar": fake}):
            with self.assertRaisesRegex(ValueError, "stream 1 has fewer configurations than a bin, 55 of 60"):
                self.joined.to_gvar("x", bin_size=60)
            with self.assertRaisesRegex(ValueError, "63 configurations make fewer than two bins of 64"):
                parts[0].to_gvar("x", bin_size=64)
            for size in (0, -1):
                with self.assertRaisesRegex(ValueError, "bin_size is %d: a bin has at least one" % size):
                    parts[0].to_gvar("x", bin_size=size)

    def test_pyerrors(self):
        calls = []
        fake = types.SimpleNamespace(Obs=lambda samples, names, idl: calls.append((samples, names, idl)))
        with mock.patch.dict(sys.modules, {"pyerrors": fake}):
            self.joined.to_pyerrors("x", "A654")
            with self.assertRaisesRegex(ValueError, "leave out `stream`"):
                self.joined.to_pyerrors("x", "A654", "r1")
        (samples, names, idl), = calls
        self.assertEqual(names, ["A654|0", "A654|1"])
        self.assertEqual(idl, [list(range(11, 74)), list(range(11, 66))])
        for found, values in zip(samples, self.values):
            self.assertTrue((found == values).all())


if __name__ == "__main__":
    unittest.main()
