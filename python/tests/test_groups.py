"""Groups of the columns of a record."""

import unittest

import numpy as np

import kiln


class Groups(unittest.TestCase):
    def test_groups(self):
        """Each column belongs to one group; observables() gives the columns of physics with their shapes."""
        lines = [{"trajectory": 1, "dH": 0.5, "plaquette": {"average": 0.5}, "seconds": 2, "time": "now",
                  "force": [{"term": "gauge", "rms": 1.0}],
                  "timers": [{"name": "all", "seconds": 1.0, "children": [{"name": "part", "seconds": 0.5}]}],
                  "measurements": {"flow": {"kind": "flow", "t0": None, "along": {"t": [0, 1]}, "converged": True},
                                   "quarks": {"masses": [{"mass": 0.1, "pion": [[1, 2, 3], [4, 5, 6]]}]}}},
                 {"trajectory": 2, "measurements": {"flow": {"along": {"t": [0, 1, 2]}}},
                  "other_settings": {"flow": [{"t0": 1.0}]}},
                 {"trajectory": 3, "measurements": {"flow": {"along": {"t": [0]}}}}]
        record = kiln.Record(lines)
        self.assertEqual(record.observables(), {
            "plaquette.average": (), "measurements.flow.t0": (), "measurements.flow.along.t": (3,),
            "measurements.quarks.masses.0.mass": (), "measurements.quarks.masses.0.pion": (2, 3)})
        groups = record.groups()
        self.assertEqual(set(groups["cost"]), {"seconds", "timers.0.seconds", "timers.0.children.0.seconds"})
        self.assertEqual(set(groups["algorithm"]), {"dH", "force.0.rms", "measurements.flow.converged"})
        names = []
        for group in groups.values():
            for name, shape in group.items():
                names += [".".join([name, *map(str, index)]) for index in np.ndindex(*shape)]
        self.assertEqual(sorted(names), sorted(record.keys()))

    def test_shapes(self):
        """A shape has the largest extent of all lines and lists in each direction."""
        lines = [{"measurements": {"loops": {"w": [[1], [2, 3, 4]]}}}, {"measurements": {"loops": {"w": [[1, 2]] * 3}}}]
        self.assertEqual(kiln.Record(lines).observables(), {"measurements.loops.w": (3, 3)})

    def test_empty_lists(self):
        """A list without items has no columns, whatever other lines have."""
        record = kiln.Record([{"swaps": [], "measurements": {"loops": {"w": []}}}, {"swaps": [{"dS": 1.0}]}])
        self.assertEqual(record.observables(), {})
        self.assertEqual(record.groups()["algorithm"], {"swaps.0.dS": ()})


if __name__ == "__main__":
    unittest.main()
