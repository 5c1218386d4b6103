"""Means of Markov chains with errors that include autocorrelation: the Gamma method of U. Wolff, hep-lat/0306017, as
`kiln status` has it (src/measure/autocorrelation.h)."""

from dataclasses import dataclass

import numpy as np

LEAST = 10                               # values, for an autocorrelation time
WINDOW_S = 1.5
LEAST_OF_VARIANCE = 0.1                  # below, values alternate and count as independent
SIGMAS_BELOW_HALF = 3                    # of tau, from which on values are taken to be anticorrelated


@dataclass
class Mean:
    """A mean with its error; NaN: undefined.  Times in steps of the series."""
    value: float
    error: float
    tau: float                           # integrated autocorrelation time, 1/2 where values are independent
    tau_error: float
    used: int                            # values that are there

    def __post_init__(self):             # print shows 0.58 then, where NumPy 2 has np.float64(0.58)
        self.value, self.error = float(self.value), float(self.error)
        self.tau, self.tau_error = float(self.tau), float(self.tau_error)


def correlated_mean(values):
    """Mean, error and autocorrelation time of a series with equal steps.  NaN: not measured.  A few gaps remain;
    where most values are missing, as of a measurement made every fifth trajectory, the series is that of the others
    (see `series`).  tau is in steps of `values` in any case."""
    a = np.asarray(values, dtype=float)
    there = np.flatnonzero(np.isfinite(a))
    every, packed = series(there, a[there])
    m = _gamma_method(packed)
    m.tau, m.tau_error = float(m.tau * every), float(m.tau_error * every)
    return m


def _gamma_method(a):
    """Times in steps of `a`; pairs without a gap remain."""
    there = np.isfinite(a)
    n = int(there.sum())
    if n == 0:
        return Mean(np.nan, np.nan, np.nan, np.nan, 0)
    mean = a[there].mean()
    if n == 1 or a[there].min() == a[there].max():
        return Mean(mean, np.nan if n == 1 else 0.0, np.nan, np.nan, n)
    delta = a - mean
    variance = np.nanmean(delta * delta)
    if n < LEAST or len(a) < 4:
        return Mean(mean, np.sqrt(variance / (n - 1)), np.nan, np.nan, n)
    total = weighted = weights = 0.0
    window = 0
    for t in range(1, len(a) // 2 + 1):
        products = delta[:-t] * delta[t:]
        pairs = int(np.isfinite(products).sum())
        rho = np.nansum(products) / pairs / variance if pairs else 0.0
        weight = pairs * len(a) / ((len(a) - t) * n)
        total, weighted, weights, window = total + rho, weighted + weight * rho, weights + weight, t
        memory = WINDOW_S / np.log((total + 1) / total) if total > 0 else 0.0
        gain = np.exp(-t / memory) if memory > 0 else 0.0
        if memory == 0 or gain < memory / np.sqrt(t * n):
            break
    lift = (1 + 2 * weighted) / n                          # the bias of a mean that is the data's own: eq. 49
    error2 = variance * (1 + lift + 2 * (weighted + lift * weights)) / n
    tau = max(0.5 + (total + window * lift) / (1 + lift), 0.0)
    tau_error = 2 * tau * np.sqrt(max(window + 0.5 - tau, 0.0) / n)
    independent = np.sqrt(variance * (1 + lift) / n)
    error_at_half = np.sqrt(window / n)                    # eq. 42 at tau = 1/2
    if error2 * n < LEAST_OF_VARIANCE * variance:
        return Mean(mean, independent, 0.5, np.nan, n)
    if tau < 0.5 and 0.5 - tau < SIGMAS_BELOW_HALF * error_at_half:
        return Mean(mean, independent, 0.5, error_at_half, n)
    return Mean(mean, np.sqrt(error2), tau, tau_error, n)


def series(trajectories, values):
    """(step, values) of values at ascending trajectories, NaN: not measured.  Where at least half of the neighbors are
    one step apart, the largest that divides all distances, values have equal steps, and NaN stands in the gaps.  Where
    they are not, as after a change of `every` of a measurement, they stand one behind the other, and the step is their
    mean distance: the sum of the autocovariances of neighbors is what the error of the mean needs."""
    numbers, values = np.asarray(trajectories, dtype=np.int64), np.asarray(values, dtype=float)
    there = np.isfinite(values)
    numbers, values = numbers[there], values[there]
    if len(numbers) < 2:
        return 1, values
    steps = np.diff(numbers)
    every = int(np.gcd.reduce(steps))
    if 2 * int((steps == every).sum()) < len(steps):
        return float(numbers[-1] - numbers[0]) / len(steps), values
    filled = np.full((numbers[-1] - numbers[0]) // every + 1, np.nan)
    filled[(numbers - numbers[0]) // every] = values
    return every, filled
