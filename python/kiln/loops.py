"""Wilson loops and the static potential, correlators of Polyakov loops, susceptibilities (docs/observables.md).

Everything is computed from means over configurations.  Errors are those of the Gamma method for the values of the
configurations linearized about the means, as in correlators.py."""

from dataclasses import dataclass

import numpy as np

from .statistics import Mean, correlated_mean

# r^2 F(r) at r0 (R. Sommer, hep-lat/9310022) and at r1 (C. Bernard et al., hep-lat/0002028)
R0_FORCE, R1_FORCE = 1.65, 1.0
STEP = 1e-5                              # of numerical derivatives by means, relative
POTENTIAL_TIME = 3                       # of records that do not say
MOMENTA = 512                            # points of each component in the integral of the lattice propagator


@dataclass
class Potential:
    """V(r) = log [<W(r, t)> / <W(r, t+1)>] in units of 1/a at r = 1 ... (in units of a); r0 and r1 in units of a.  Each
    number is a Mean; NaN where the loops are not positive or the force does not cross."""
    r: np.ndarray
    value: list
    r0: Mean
    r1: Mean


def _rows(record, name, member):
    """An array [trajectory, ...] of a list in the results of a measurement; NaN where it was not made or failed."""
    found = []
    for results in record.results(name):
        rows = (results or {}).get(member)
        found.append(np.array(rows, dtype=float) if isinstance(rows, list) else None)
    shapes = {rows.shape for rows in found if rows is not None}
    if len(shapes) != 1:
        raise KeyError("no line has a list measurements.%s.%s" % (name, member) if not shapes
                       else "the lists measurements.%s.%s have different lengths" % (name, member))
    none = np.full(shapes.pop(), np.nan)
    return np.array([none if rows is None else rows for rows in found])


def wilson_loops(record, name="wilson_loops"):
    """W(r, t) of every line of the record: an array [trajectory, r - 1, t - 1]."""
    return _rows(record, name, "loops")


def polyakov_correlator(record, name="polyakov"):
    """C(r) of every line of the record: an array [trajectory, r]."""
    return _rows(record, name, "correlator")


def function_of_means(rows, function):
    """function(mean of the rows) as a Mean; rows is an array [trajectory, k], function takes k numbers and returns
    one."""
    there = np.isfinite(rows).all(axis=1)
    mean = rows[there].mean(axis=0)
    value = function(mean)
    gradient = np.empty_like(mean)
    for k in range(len(mean)):
        step = np.zeros_like(mean)
        step[k] = STEP * max(abs(mean[k]), 1e-30)
        gradient[k] = (function(mean + step) - function(mean - step)) / (2 * step[k])
    m = correlated_mean(np.where(there, value + (rows - mean) @ gradient, np.nan))
    return Mean(float(value), float(m.error), float(m.tau), float(m.tau_error), int(there.sum()))


def improved_distance(r):
    """The distance r_I at which the force V(r) - V(r-1) on an axis has the tree-level value 1/(4 pi r_I^2):
        1/(4 pi r_I^2) = G(r-1) - G(r),   G: the propagator of the lattice in three dimensions
    (R. Sommer, hep-lat/9310022).  It holds for the Wilson gauge action and unsmeared lines in time."""
    k = 2 * np.pi * (np.arange(MOMENTA) + 0.5) / MOMENTA
    square = 4 * np.sin(k / 2) ** 2
    cosh = 1 + (square[:, None] + square[None, :]) / 2
    energy = np.arccosh(cosh)
    difference = np.exp(-energy * (r - 1)) * (1 - np.exp(-energy)) / (2 * np.sinh(energy))
    return float(1 / np.sqrt(4 * np.pi * difference.mean()))


def _scale_of(potential, distances, level):
    """Where r^2 F(r) = level: F = f1 + f2/r^2 through the two neighbors that bracket it; NaN if none do."""
    force = np.diff(potential)
    square = distances ** 2 * force
    for i in range(1, len(square)):
        if square[i - 1] < level <= square[i]:
            a, b = distances[i - 1] ** -2.0, distances[i] ** -2.0
            f2 = (force[i - 1] - force[i]) / (a - b)
            f1 = force[i] - f2 * b
            return np.sqrt((level - f2) / f1)
    return np.nan


def _newest(record, name, member, otherwise):
    """A member of the newest results of a measurement that have loops."""
    for results in reversed(record.results(name)):
        if results is not None and isinstance(results.get("loops"), list):
            return results.get(member, otherwise)
    return otherwise


def static_potential(record, t=None, name="wilson_loops", improved=None):
    """The potential from the mean loops at times t and t + 1, and r0 and r1, of the trajectories of `record`: leave out
    thermalization.  The force is that between neighbors r - 1 and r, at the distance improved_distance(r) if
    `improved`, else at r - 1/2.  None: as the measurement says (t_potential, distance), as in kiln status.  On
    anisotropic lattices, where the measurement has the key xi, all numbers are in units of a_s."""
    loops = wilson_loops(record, name)
    r_max, t_max = loops.shape[1:]
    t = t or _newest(record, name, "t_potential", 0) or min(POTENTIAL_TIME, t_max - 1)
    if improved is None:
        improved = _newest(record, name, "distance", "midpoint") == "wilson"
    if not 1 <= t < t_max:
        raise ValueError("t is %d, but loops up to t_max = %d give potentials for t = 1 ... %d" % (t, t_max, t_max - 1))
    xi = _newest(record, name, "xi", 1)
    rows = np.concatenate([loops[:, :, t - 1], loops[:, :, t]], axis=1)
    r = np.arange(1, r_max + 1)
    distances = np.array([improved_distance(n) if improved else n - 0.5 for n in r[1:]])

    def potential(mean):
        with np.errstate(invalid="ignore", divide="ignore"):
            return xi * np.log(mean[:r_max] / mean[r_max:])

    values = [function_of_means(rows, lambda mean, n=n: potential(mean)[n]) for n in range(r_max)]
    r0, r1 = (function_of_means(rows, lambda mean, level=level: _scale_of(potential(mean), distances, level))
              for level in (R0_FORCE, R1_FORCE))
    return Potential(r, values, r0, r1)


def susceptibility(values, volume=1.0, connected=True):
    """volume (<x^2> - <x>^2), or volume <x^2> if not `connected`, of a column, as a Mean: of |L| with the volume of
    space; of Q, not connected, with volume = 1/V, on anisotropic lattices xi/(number of
    sites) in units of a_s^-4."""
    x = np.asarray(values, dtype=float)
    square = 1.0 if connected else 0.0
    return function_of_means(np.stack([x, x * x], axis=1), lambda m: volume * (m[1] - square * m[0] ** 2))
