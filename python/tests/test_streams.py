"""Tests of independent streams that are analyzed together."""

import unittest

import numpy as np

from test_kiln import kiln


def line(number, **members):
    return {"trajectory": number, "thermalization": False, **members}


class Streams(unittest.TestCase):
    """kiln.join_streams: means over all streams, errors from pairs within one."""

    @staticmethod
    def walk(rng, count, first=1):
        """Plaquettes of tau = 4.5 about 0, each second one in a measurement."""
        values, x = [], rng.normal()
        for n in range(first, first + count):
            x = 0.8 * x + 0.6 * rng.normal()
            measured = {"measurements": {"m": {"kind": "m", "settings": "0x1", "x": x}}} if n % 2 == 0 else {}
            values.append(line(n, plaquette={"average": x}, **measured))
        return kiln.Record(values)

    def test_the_order_of_streams_does_not_matter(self):
        rng = np.random.default_rng(8)
        streams = [self.walk(rng, 300), self.walk(rng, 301, 62)]
        one, other = (kiln.join_streams(order) for order in (streams, streams[::-1]))
        for column in ("plaquette.average", "measurements.m.x"):
            found, same = kiln.correlated_mean(one[column]), kiln.correlated_mean(other[column])
            each = [s[column][np.isfinite(s[column])] for s in streams]
            self.assertAlmostEqual(found.value, np.concatenate(each).mean(), 12)
            self.assertEqual(found.used, sum(map(len, each)))
            self.assertLess(abs(found.error / same.error - 1), 0.01)
            self.assertLess(abs(found.tau / same.tau - 1), 0.01)

    def test_no_pairs_are_of_two_streams(self):
        """Two streams with means far apart: neighbors where they meet would be anticorrelated or correlated."""
        rng = np.random.default_rng(9)
        lines = [[line(n + 1, plaquette={"average": side * (1 if n >= 150 else -1) + 0.01 * rng.normal()})
                  for n in range(300)] for side in (1, -1)]
        lines.append([{**one, "dH": 0.5} for one in lines[0]])      # a third stream, with the numbers of the first
        errors = [kiln.correlated_mean(kiln.join_streams([kiln.Record(lines[i]) for i in order])["plaquette.average"])
                  .error for order in ((0, 1), (0, 2), (1, 0))]
        self.assertLess(max(errors) / min(errors) - 1, 0.02)

    def test_errors_are_the_scatter_of_means(self):
        rng = np.random.default_rng(10)
        found = [kiln.correlated_mean(kiln.join_streams([self.walk(rng, 250) for _ in range(3)])["plaquette.average"])
                 for _ in range(60)]
        scatter = np.std([m.value for m in found])
        self.assertLess(abs(np.mean([m.error for m in found]) / scatter - 1), 0.4)

    def test_thermalization_and_empty_streams_are_refused(self):
        warm = kiln.Record([{**line(1), "thermalization": True}, line(2)])
        with self.assertRaisesRegex(ValueError, "stream 1 has trajectories of thermalization"):
            kiln.join_streams([kiln.Record([line(1)]), warm])
        for streams in ([], [kiln.Record([line(1)]), kiln.Record([])]):
            with self.assertRaisesRegex(ValueError, "no stream|without lines"):
                kiln.join_streams(streams)

    def test_copies_and_forks_are_refused(self):
        rng = np.random.default_rng(11)
        one, other = self.walk(rng, 40), self.walk(rng, 40)
        fork = kiln.Record(one.lines[:20] + other.lines[20:])
        for streams in ([one, one], [other, one, kiln.Record(one.lines[30:])], [one, fork]):
            with self.assertRaisesRegex(ValueError, "join_streams: streams . and . both have trajectory .* a copy or"):
                kiln.join_streams(streams)
        for wrong in (one, ["ensembles/a"]):
            with self.assertRaisesRegex(TypeError, "join_streams: expected a list of records"):
                kiln.join_streams(wrong)


if __name__ == "__main__":
    unittest.main()
