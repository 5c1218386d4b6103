"""Tests of the parameters of ensembles, and of streams that have different ones."""

import json
import os
import re
import tempfile
import unittest
import zlib

from test_kiln import kiln
from kiln import parameters
from kiln.results import Results

REFERENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "input.md")
TEXT = """\
lattice: [4, 4, 4, 8]
boundary:
  time: periodic
random:
  seed: 1
  stream: 0
monomials:
  - kind: gauge
    name: "gauge"
    action: wilson
    beta: 5.8
  - kind: staggered
    name: "quarks"
    action: hisq
    determinants:
      - quarks:
          - mass: 0.01
            flavors: 2
          - mass: 0.05
            flavors: 1
        hasenbusch:
          - mass: 0.2
            fields: 3
            residuals: {}
        fields: 1
      - quarks:
          - mass: 0.8
            flavors: 1
        hasenbusch: []
    solver: adaptive
    residuals:
      action: 1e-09
hmc:
  trajectory_length: 1
  levels:
    - integrator: omelyan
      steps: 3
      monomials: ["gauge", "quarks"]
  trajectories: 10
measurements: []
"""
OTHERS = (("[4, 4, 4, 8]", "[4, 4, 4, 6]", ("lattice", "[4, 4, 4, 8]", "[4, 4, 4, 6]")),
          ("periodic", "open", ("boundary.time", "periodic", "open")),
          ("5.8", "6.0", ("monomials.0.beta", "5.8", "6.0")),
          ("mass: 0.05", "mass: 0.04", ("monomials.1.determinants.0.quarks.1.mass", "0.05", "0.04")),
          ("mass: 0.8", "mass: 0.7", ("monomials.1.determinants.1.quarks.0.mass", "0.8", "0.7")),
          ("    beta: 5.8\n", "    beta: 5.8\n    xi_0: 2\n", ("monomials.0.xi_0", None, "2")))
SAME = (("seed: 1", "seed: 2"), ("mass: 0.2", "mass: 0.3"), ("fields: 3", "fields: 2"), ("adaptive", "double"),
        ("1e-09", "1e-10"), ("omelyan", "leapfrog"), ("trajectory_length: 1", "trajectory_length: 2"),
        ("trajectories: 10", "trajectories: 20"), ("measurements: []", "measurements:\n  - kind: flow\n    every: 2"))


def ensemble(directory, numbers, text, plaquette, segments=()):
    """A folder with the record of these trajectories; segments: pairs of the first trajectory and the parameters before
    it."""
    os.mkdir(directory)
    with open(os.path.join(directory, "parameters.yaml"), "w") as file:
        file.write(text)
    with open(os.path.join(directory, "segments.jsonl"), "w") as file:
        for first in [1] + [first for first, _ in segments]:
            file.write(json.dumps({"first_trajectory": first}) + "\n")
    for first, before in segments:
        with open(os.path.join(directory, "parameters.%06d.yaml" % (first - 1)), "w") as file:
            file.write(before)
    with open(os.path.join(directory, "run.jsonl"), "w") as file:
        for n in numbers:
            file.write(json.dumps({"trajectory": n, "thermalization": n < 3,
                                   "plaquette": {"average": plaquette + n}, "dH": 0.5, "seconds": 2.0,
                                   "measurements": {"m": {"kind": "flow", "settings": "0x1", "x": n},
                                                    "flow": {"kind": "flow"}}}) + "\n")
    return kiln.Ensemble(directory).record.after_thermalization()


class Parameters(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def stream(self, name, text, *more):
        return ensemble(os.path.join(self.folder.name, name), range(1, 9), text, zlib.crc32(name.encode()), *more)

    def test_the_first_key_of_the_distribution_that_differs_is_found(self):
        for old, new, expected in OTHERS:
            self.assertEqual(parameters.difference(TEXT, TEXT.replace(old, new)), expected)
        for old, new in SAME:
            self.assertIn(old, TEXT)
            self.assertIsNone(parameters.difference(TEXT, TEXT.replace(old, new)))

    def test_the_order_of_monomials_does_not_matter(self):
        head, gauge, quarks, rest = re.fullmatch(r"(.*\nmonomials:\n)(  - kind: g.*?)(  - kind: s.*)(hmc:.*)", TEXT,
                                                 re.DOTALL).groups()
        turned = head + quarks + gauge + rest
        self.assertIsNone(parameters.difference(TEXT, turned))
        self.assertEqual(parameters.difference(turned.replace("5.8", "5.9"), TEXT), ("monomials.1.beta", "5.9", "5.8"))

    def test_keys_of_the_algorithm_are_those_that_the_reference_marks(self):
        if not os.path.exists(REFERENCE):
            self.skipTest("the documents are not here")
        known, marked, block = parameters._keys(), {}, ""
        with open(REFERENCE, encoding="utf-8") as file:
            for line in file:
                heading, key = re.match(r"#+ `([^`]*)`(?: of kind `(\w+)`)?", line), re.match(r"\| `(\w+)` \|", line)
                if heading:
                    first, _, rest = heading[1].partition(".")
                    block = ".".join(filter(None, (first, heading[2], rest)))
                elif key:
                    marked[".".join(filter(None, (block, key[1])))] = bool(
                        re.search("May change when an ensemble|Results with other values may be averaged", line))
        self.assertEqual(marked, {key: row.get("may_differ", False) for key, row in known.items()})

    def test_a_key_that_an_earlier_version_did_not_write_has_its_default(self):
        for before, later, key, value in (
                ("boundary:\n  time: periodic\n", "", "boundary.time", None),
                ("    beta: 5.8\n", "    beta: 5.8\n    flavors: 0\n", "monomials.0.flavors", "3"),
                ("    action: hisq\n", "    action: hisq\n    projection: u3\n", "monomials.1.projection", "su3"),
                ("    action: hisq\n", "    action: hisq\n    stout:\n      levels: 0\n      rho: 0\n",
                 "monomials.1.stout.levels", "2"),
                ("      - quarks:\n          - mass: 0.8",
                 "      - naik_epsilon: \"0\"\n        quarks:\n          - mass: 0.8",
                 "monomials.1.determinants.1.naik_epsilon", "\"-0.1\"")):
            self.assertIn(before, TEXT)
            old, new = TEXT, TEXT.replace(before, later)
            self.assertIsNone(parameters.difference(old, new), key)
            self.assertIsNone(parameters.difference(new, old), key)
            if value:
                name = key.rpartition(".")[2]
                other = re.sub(r"(\b%s:) .*" % name, r"\1 " + value, new, count=1)
                self.assertEqual(parameters.difference(old, other), (key, None, value))
                self.assertEqual(parameters.difference(other, old), (key, value, None))
        opened = TEXT.replace("periodic", "open")
        self.assertEqual(parameters.difference(opened, TEXT.replace("boundary:\n  time: periodic\n", "")),
                         ("boundary.time", "open", None))
        # A key without a default, and one that this package does not know, count.
        for key in ("c_G: 1", "unheard_of: 0"):
            other = TEXT.replace("    beta: 5.8\n", "    beta: 5.8\n    %s\n" % key)
            self.assertEqual(parameters.difference(TEXT, other)[1:], (None, key.split()[1]))

    def test_values_by_which_earlier_versions_say_that_a_key_was_not_given(self):
        new = re.sub(r"(?s)  - kind: staggered.*hmc:", """\
  - kind: wilson
    name: "quarks"
    determinants:
      - flavors: 2
        mass: -0.1
hmc:""", TEXT)
        old = new.replace("mass: -0.1\n", "mass: -0.1\n        kappa: 0\n        heavy: -4\n        heavy_mu: 0\n")
        self.assertIsNone(parameters.difference(old, new))
        self.assertIsNone(parameters.difference(new, old))
        key = "monomials.1.determinants.0."
        for value in ("kappa: 0.13", "heavy_mu: 0"):           # in a newer file, 0 is a value where it is allowed
            given = new.replace("mass: -0.1\n", "mass: -0.1\n        %s\n" % value)
            name, _, number = value.partition(": ")
            self.assertEqual(parameters.difference(given, new), (key + name, number, None))

    def test_segments_before_and_after_an_upgrade_are_one_series(self):
        new = TEXT.replace("    action: hisq\n", "    action: hisq\n    imaginary_mu: 0\n")
        run = self.stream("run", new, [(5, TEXT)])
        self.assertEqual(len(run["plaquette.average"]), 6)
        two = self.stream("two", TEXT.replace("seed: 1", "seed: 2"))
        self.assertEqual(len(kiln.join_streams([run, two]).parameters), 1)
        other = self.stream("other", new.replace("imaginary_mu: 0", "imaginary_mu: 0.5"), [(5, TEXT)])
        with self.assertRaisesRegex(ValueError, "monomials.1.imaginary_mu is not given, and 0.5 from trajectory 5 on"):
            self.assertTrue(other["plaquette.average"])

    def test_streams_of_other_parameters_are_not_joined(self):
        first = self.stream("first", TEXT)
        same = self.stream("same", TEXT.replace("seed: 1", "seed: 2").replace("steps: 3", "steps: 4"))
        other = self.stream("other", TEXT.replace("0.05", "0.04"))
        unknown = kiln.Record(other.lines)
        self.assertEqual(len(kiln.join_streams([first, same]).parameters), 1)
        self.assertEqual(len(kiln.join_streams([first, unknown]).parameters), 1)
        words = ("stream %s are not samples of one distribution: "
                 "monomials.1.determinants.0.quarks.1.mass is 0.05 and 0.04")
        for streams, names in (([first, same, other], "0 and stream 2"), ([unknown, first, other], "1 and stream 2"),
                               ([kiln.join_streams([first, same]), other], "0 and stream 1"),
                               ([first, other.with_settings("flow", "0x1")], "0 and stream 1")):
            with self.assertRaisesRegex(ValueError, words % names):
                kiln.join_streams(streams)

    def test_parameters_are_those_of_the_segments_of_the_lines(self):
        old = TEXT.replace("5.8", "5.7")
        first, changed = self.stream("first", TEXT), self.stream("changed", TEXT, [(5, old)])
        self.assertEqual(changed.parameters, [(0, old), (5, TEXT)])
        with self.assertRaisesRegex(ValueError, "stream 0 and stream 1 are not .* 5.8 and 5.7"):
            kiln.join_streams([first, changed])
        with self.assertRaisesRegex(ValueError, "stream 0 and stream 0 from trajectory 5 on are not .* 5.7 and 5.8"):
            kiln.join_streams([changed, first])
        other = self.stream("other", TEXT.replace("stream: 0", "stream: 1"))
        joined = kiln.join_streams([other, changed.between(5, None)])
        self.assertEqual(sum("plaquette" in line for line in joined.lines), 6 + 4)

    def test_segments_with_different_actions_are_no_series(self):
        changed = self.stream("changed", TEXT.replace("5.8", "6").replace("adaptive", "double"),
                              [(4, TEXT.replace("mass: 0.2", "mass: 0.3")), (6, TEXT)])
        self.assertEqual([first for first, _ in changed.parameters_of_lines()], [0, 4, 6])
        words = (r"trajectories of this record have different actions: monomials.0.beta is 5.8, and 6 from trajectory "
                 r"6 on; select those of one, as by record.between\(6, None\) or run.segments\(\), or take "
                 r"kiln.Record\(record.lines\) for a history")
        for of in (lambda: changed["plaquette.average"], lambda: changed["measurements.m.x"],
                   lambda: changed.results("m"), lambda: kiln.flow_scales(changed),
                   lambda: changed.with_settings("m", "0x1")["plaquette.average"],
                   lambda: changed.between(5, 6)["plaquette.average"],
                   lambda: changed.to_gvar(changed["plaquette.average"])):
            with self.assertRaisesRegex(ValueError, words):
                of()
        self.assertEqual(changed["dH"].tolist(), [0.5] * 6)            # and numbers of the algorithm and of cost
        self.assertEqual(changed["seconds"].tolist(), [2.0] * 6)
        self.assertEqual(len(kiln.Record(changed.lines)["plaquette.average"]), 6)
        run = kiln.Ensemble(os.path.join(self.folder.name, "changed"))
        self.assertEqual([len(segment["record"]["plaquette.average"]) for segment in run.segments()], [3, 2, 3])
        # Those before differ in a Hasenbusch mass alone, and a segment whose file is missing is not compared.
        self.assertEqual(len(changed.between(None, 5)["plaquette.average"]), 3)
        os.remove(os.path.join(self.folder.name, "changed", "parameters.yaml"))
        self.assertEqual(len(kiln.Ensemble(run.directory).record["plaquette.average"]), 8)

    def test_streams_with_the_same_random_numbers_are_not_joined(self):
        hot = self.stream("hot", TEXT.replace("seed: 1", "seed: 7"))
        cold = self.stream("cold", TEXT.replace("seed: 1", "seed: 7"))
        words = ("join_streams: streams %d and %d both have trajectory %d of seed 7, stream 0: the same random "
                 "numbers, which correlate them even if they start from different links; generate one of them again "
                 "with --set random.stream=N and another output.directory")
        other = self.stream("other", TEXT.replace("stream: 0", "stream: 1"))
        for streams, names in (([hot, cold], (0, 1, 3)), ([other, hot.between(5, 6), cold], (1, 2, 5))):
            with self.assertRaisesRegex(ValueError, words % names):
                kiln.join_streams(streams)
        # Nothing is known of records without parameters; trajectories that were joined have numbers of their own.
        self.assertEqual(len(kiln.join_streams([hot, kiln.Record(cold.lines)]).parameters), 1)
        joined, later = kiln.join_streams([hot, other]), ensemble(
            os.path.join(self.folder.name, "later"), range(9, 40), TEXT.replace("seed: 1", "seed: 7"), 3)
        for part in (joined, joined.between(9, None)):
            self.assertEqual(len(kiln.join_streams([part, later]).parameters), 1)
        self.assertIsNone(parameters.random_numbers(TEXT.replace("  stream: 0\n", "")))

    def test_a_stream_that_continues_the_numbers_of_another_is_joined(self):
        text = TEXT.replace("seed: 1", "seed: 7")
        one = self.stream("one", text)
        later = ensemble(os.path.join(self.folder.name, "later"), range(9, 15), text, 3)
        joined = kiln.join_streams([one, later])
        self.assertEqual(sum("plaquette" in line for line in joined.lines), 6 + 6)

    def test_a_record_and_results_of_the_same_run_are_not_joined(self):
        run = self.stream("run", TEXT.replace("seed: 1", "seed: 7"))
        lines = [{"file": os.path.join(self.folder.name, "run", "c.%06d.lime" % n), "links": "0xa%d" % n,
                  "trajectory": n, "seed": "0x0000000000000007", "stream": 0} for n in (4, 6, 8)]
        with self.assertRaisesRegex(ValueError, "streams 0 and 1 both have trajectory 4 of seed 7, stream 0: the same"):
            kiln.join_streams([run, Results(lines)])
        self.assertEqual(len(kiln.join_streams([run.between(None, 3), Results(lines)]).parameters), 1)

    def test_configurations_have_the_name_of_the_ensemble(self):
        """Gauge-fixed links beside them are no further configuration of the chain."""
        names = ["c.000002.lime", "c.000010.lime"]
        others = ["landau.000010.lime", "c.checkpoint.000012.lime", "c.000010.lime.corrupt", "c.d.000004.lime"]
        for name in names + others:
            open(os.path.join(self.folder.name, name), "w").close()
        run = kiln.Ensemble(self.folder.name)
        self.assertEqual(len(run.configurations()), 4)                         # nothing says which name it is
        for name in ("c", "c.d", "c\\n"):
            with open(os.path.join(self.folder.name, "parameters.yaml"), "w") as file:
                file.write(TEXT + "output:\n  name: %s\n" % json.dumps(name))
            self.assertEqual([os.path.basename(path) for path in run.configurations()],
                             [own for own in names + others[-1:] if own.startswith(name + ".0")])
        with open(os.path.join(self.folder.name, "parameters.yaml"), "w") as file:
            file.write(TEXT + "output:\n  name: c\n")
        with open(os.path.join(self.folder.name, "segments.jsonl"), "w") as file:
            file.write("damaged\n")
        self.assertEqual(len(run.configurations()), 2)


if __name__ == "__main__":
    unittest.main()
