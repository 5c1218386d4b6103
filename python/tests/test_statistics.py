"""Tests of means of series: where a series is too short, and where its values count as equally spaced."""

import unittest

import numpy as np

from test_kiln import kiln
from kiln.statistics import series


class Lengths(unittest.TestCase):
    def test_ten_values_have_an_autocorrelation_time(self):
        """Nine have the error of independent values, the square root of their variance over 8 x 9, and no tau."""
        values = np.array([0, 1, 3, 2, 4, 6, 5, 7, 9, 8.0])
        nine, ten = kiln.correlated_mean(values[:9]), kiln.correlated_mean(values)
        self.assertTrue(np.isnan(nine.tau) and np.isnan(nine.tau_error))
        self.assertAlmostEqual(nine.error, np.sqrt(((values[:9] - values[:9].mean()) ** 2).sum() / 72), delta=1e-14)
        self.assertGreater(ten.tau, 0.5)
        self.assertGreater(ten.error, np.sqrt(values.var() / 9))
        self.assertEqual((nine.used, ten.used), (9, 10))

    def test_numbers_are_printed_as_numbers(self):
        """NumPy 2 shows its own as np.float64(4.5)."""
        every_second = np.where(np.arange(40) % 2 == 0, np.arange(40) % 7, np.nan)
        for mean in map(kiln.correlated_mean, (np.arange(10.0), every_second, [])):
            self.assertEqual({type(number) for number in (mean.value, mean.error, mean.tau, mean.tau_error)}, {float})


class Spacings(unittest.TestCase):
    """Values at equal steps with gaps, if at least half of the neighbors are one step apart."""

    def test_half_of_the_neighbors_one_step_apart(self):
        step, values = series([1, 2, 4, 5, 7], [10, 20, 40, 50, 70])                 # distances 1 2 1 2
        self.assertEqual(step, 1)
        np.testing.assert_array_equal(values, [10, 20, np.nan, 40, 50, np.nan, 70])

    def test_fewer_than_half(self):
        step, values = series([2, 4, 5, 7], [20, 40, 50, 70])                        # distances 2 1 2
        self.assertAlmostEqual(step, 5 / 3, delta=1e-15)
        np.testing.assert_array_equal(values, [20, 40, 50, 70])

    def test_a_common_divisor(self):
        step, values = series([4, 10, 16, 28], [1, 2, 3, 4])                         # distances 6 6 12
        self.assertEqual(step, 6)
        np.testing.assert_array_equal(values, [1, 2, 3, np.nan, 4])

    def test_values_that_are_missing_are_gaps(self):
        step, values = series([1, 2, 3, 4], [1, np.nan, 3, 4])                       # distances 2 1
        self.assertEqual(step, 1)
        np.testing.assert_array_equal(values, [1, np.nan, 3, 4])


if __name__ == "__main__":
    unittest.main()
