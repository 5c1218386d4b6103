import json
import os
import tempfile
import unittest

import numpy as np

from test_kiln import kiln
from kiln.checksums import digests64


def line_of(links, trajectory, **more):
    """A line as kiln measure --results writes it."""
    line = {"file": "c.%s.lime" % trajectory, "links": links, "keys": {name: "0x1" for name in more}, "bits": 64}
    if trajectory is not None:
        line["trajectory"] = trajectory
    body = json.dumps({**line, **more})[:-1].encode()
    return body + b', "digest": "0x%016x"}\n' % digests64([body])[0]


class Files(unittest.TestCase):
    def read(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.jsonl")
            with open(path, "wb") as file:
                file.writelines(lines)
            return kiln.read_results(path)


class Results(Files):
    """One configuration for each trajectory, whatever its lines are."""

    def test_rejected_trajectories_count(self):
        r = self.read(line_of("0xa", 1, rectangle=0.25), line_of("0xa", 2, rectangle=0.25),
                      line_of("0xb", 3, rectangle=0.5))
        self.assertEqual(r.damaged, [])
        self.assertEqual(r.trajectory.tolist(), [1, 2, 3])
        self.assertEqual(r["rectangle"].tolist(), [0.25, 0.25, 0.5])

    def test_lines_of_one_trajectory_are_one(self):
        r = self.read(line_of("0xa", 1, rectangle=0.25), line_of("0xb", 2, rectangle=0.5),
                      line_of("0xa", 1, charge=1.0))
        self.assertEqual(r.trajectory.tolist(), [1, 2])
        self.assertEqual(r["rectangle"].tolist(), [0.25, 0.5])
        self.assertEqual(r["charge"][0], 1.0)

    def test_a_file_without_a_number_is_that_of_its_links(self):
        for lines in ([line_of("0xa", 1, rectangle=0.25), line_of("0xa", None, charge=1.0)],
                      [line_of("0xa", None, charge=1.0), line_of("0xa", 1, rectangle=0.25)]):
            r = self.read(*lines)
            self.assertEqual(r.trajectory.tolist(), [1])
            self.assertEqual((r["rectangle"][0], r["charge"][0]), (0.25, 1.0))

    def test_files_without_numbers_count_by_their_paths(self):
        """A rejected trajectory leaves its links; lines of one path are of one configuration."""
        foreign = [line_of("0xa", None, file="/f/%d" % n, rectangle=n / 4) for n in (1, 2)]
        again = line_of("0xa", None, file="/f/2", charge=3.0)
        r = self.read(*foreign, again)
        self.assertEqual(r["rectangle"].tolist(), [0.25, 0.5])
        self.assertEqual((np.isnan(r["charge"][0]), r["charge"][1]), (True, 3.0))
        for lines in ([*foreign, line_of("0xa", 7, charge=1.0)], [line_of("0xa", 7, charge=1.0), *foreign]):
            r = self.read(*lines)
            self.assertEqual((r.trajectory.tolist(), r["charge"].tolist()), ([7], [1.0]))

    def flow(self, settings, charge):
        result = {"kind": "flow", "charge": charge, "converged": True}
        return {"flow": {**result, "settings": settings} if settings else result}

    def test_settings_are_kept_apart(self):
        for old in ("0x1", None):
            r = self.read(line_of("0xa", 1, rectangle=0.25, measurements=self.flow(old, 1.0)),
                          line_of("0xb", 2, rectangle=0.5, measurements=self.flow(old, 2.0)),
                          line_of("0xa", 1, measurements=self.flow("0x2", 3.0)))
            self.assertEqual(r["rectangle"].tolist(), [0.25, 0.5])
            self.assertEqual(r.settings("flow"), {old: 2, "0x2": 1})
            for of in (lambda: r["measurements.flow.charge"], lambda: r.results("flow"), lambda: kiln.flow_scales(r)):
                with self.assertRaisesRegex(ValueError, "with_settings"):
                    of()
            self.assertEqual(r.with_settings("flow", old)["measurements.flow.charge"].tolist(), [1.0, 2.0])
            new = r.with_settings("flow", "0x2")["measurements.flow.charge"]
            self.assertEqual((new[0], np.isnan(new[1])), (3.0, True))
            self.assertNotIn("other_settings", " ".join(r.keys()))
            self.assertEqual(r.where(lambda line: line["trajectory"] == 2)["measurements.flow.charge"].tolist(), [2.0])

    def test_settings_have_their_parameters(self):
        r = self.read(line_of("0xa", 1, measurements=self.flow("0x1", 1.0), parameters={"0x1": "t_max: 1\n"}),
                      line_of("0xb", 2, measurements=self.flow("0x3", 1.0)),
                      line_of("0xa", 1, measurements=self.flow("0x2", 3.0), parameters={"0x2": "t_max: 2\n"}))
        self.assertEqual(r.measurement_parameters("flow"), {"0x1": "t_max: 1\n", "0x2": "t_max: 2\n", "0x3": None})
        self.assertEqual(r.with_settings("flow", "0x2").measurement_parameters("flow"), {"0x2": "t_max: 2\n"})

    def test_a_measurement_that_was_made_again_counts_once(self):
        r = self.read(line_of("0xa", 1, measurements=self.flow("0x1", 1.0)),
                      line_of("0xa", 1, measurements=self.flow("0x2", 2.0)),
                      line_of("0xa", 1, measurements=self.flow("0x1", 3.0)))
        self.assertEqual(r.settings("flow"), {"0x2": 1, "0x1": 1})
        self.assertEqual(r.with_settings("flow", "0x1")["measurements.flow.charge"].tolist(), [3.0])
        self.assertEqual(r.with_settings("flow", "0x2")["measurements.flow.charge"].tolist(), [2.0])
