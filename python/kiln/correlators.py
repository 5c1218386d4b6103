"""Masses of an ensemble from its mean correlators: the PCAC mass and effective masses (docs/observables.md).

Ratios of correlators of single configurations, such as the columns "measurements.quarks.masses.0.pcac_mass", have a
bias; ratios of means have none but that of a finite ensemble.  Errors are those of the Gamma method for the values of
the configurations linearized about the mean correlators."""

from dataclasses import dataclass

import numpy as np

from .statistics import Mean, correlated_mean


@dataclass
class MassInTime:
    """A mass at each distance t from the source, and its mean over a plateau in t, each a Mean."""
    in_time: list
    plateau: Mean


def correlator(record, name, member, mass=0, pair=None, momentum=None):
    """An array [trajectory, t] of a list of numbers in the results of the measurement `name`: `member`, such as "pion",
    "axial" or "smeared.nucleon", of mass number `mass`, or of pair number `pair` if that is given.  Members "doublet",
    such as "doublet.d_s_meson", are of the measurement itself: of neither a mass nor a pair.  With `momentum`, a number
    in the list `momenta` of the input, it is a list of the member with "_momenta" behind its name.  Rows are NaN where
    the measurement was not made or failed."""
    if momentum is not None:
        member += "_momenta"
    keys = _keys(member, mass, pair)
    rows = [_row(results, keys, momentum) for results in record.results(name)]
    times = {len(row) for row in rows if row is not None}
    if len(times) != 1:
        path = ".".join(["measurements", name, *map(str, keys)])
        raise KeyError("no line has a list " + path if not times else "the lists %s have different lengths" % path)
    none = [np.nan] * times.pop()
    return np.array([none if row is None else row for row in rows], dtype=float)


def is_of_slices(member):
    """Whether `member` is a list of time slices, of open boundaries in time, in place of times from the source."""
    return member.split(".")[1 if _is_of_doublet(member) else 0] == "slices"


def _is_of_doublet(member):
    return member.startswith("doublet.")


def image_sign(member):
    """s of C(T - t) = s C(t): -1 of "axial", whose source is the pseudoscalar; 1 of other mesons, whose operators at
    source and sink are the same; 0 of "slices" and "doublet.slices", to which no state comes from the other side."""
    if is_of_slices(member):
        return 0
    return -1 if is_odd(member) else 1


def is_odd(member):
    """Whether reflection of time at the source changes the sign of a correlator; "axial" is negative after it."""
    return member.split(".")[-1] == "axial"


def correlator_from_source(record, name, member, mass=0, pair=None, momentum=None, source=None):
    """The array of kiln.correlator by the distance t >= 0 from the source.  Members "slices" and "doublet.slices"
    become the longer side of the source, without the slice at the end, which is 0; if that is the earlier side, an odd
    correlator ("axial") changes its sign.  source: the time slice; by default that in which the mean of "slices.pion"
    of the mass or pair is largest."""
    c = correlator(record, name, member, mass, pair, momentum)
    if c.ndim != 2:
        raise ValueError("%s: a matrix of operators, not the correlator of one" % member)
    if not is_of_slices(member):
        if source is not None:
            raise ValueError("%s: leave out `source`, which only members slices have: times count from the source here"
                             % member)
        return c
    end = c.shape[1] - 1
    if source is None:
        source = int(np.nanargmax(np.nanmean(correlator(record, name, "slices.pion", mass, pair), axis=0)))
    if not 0 < source < end:
        raise ValueError("source: time slice %d; it must be between 0 and %d, the first and the last slice"
                         % (source, end))
    if end - source >= source:
        return c[:, source:end]
    return (-1 if is_odd(member) else 1) * c[:, source:0:-1]


def _keys(member, mass, pair):
    """The keys and indices of a member in the results of a measurement."""
    keys = member.split(".")
    if not _is_of_doublet(member):
        return ["masses", mass, *keys] if pair is None else ["pairs", pair, *keys]
    if pair is not None:
        raise ValueError("%s: of the doublet, not of a pair of masses: leave out `pair`" % member)
    return keys


def _row(results, keys, momentum=None):
    numbers = results or {}
    for key in keys if momentum is None else [*keys, momentum]:
        if isinstance(numbers, list) and not isinstance(key, str):
            numbers = numbers[key] if key < len(numbers) else None
        else:
            numbers = numbers.get(key) if isinstance(numbers, dict) else None
    return numbers if isinstance(numbers, list) else None


def _over_plateau(values, plateau):
    """plateau: the least distance from the source in units of T, or a pair of time slices."""
    if np.ndim(plateau) == 1:
        return values[:, plateau[0]:plateau[1] + 1].mean(axis=1)
    times = values.shape[1]
    distance = np.minimum(np.arange(times), times - np.arange(times))
    return values[:, distance >= plateau * times].mean(axis=1)


def _masses(values, plateau):
    return MassInTime([correlated_mean(one) for one in values.T], correlated_mean(_over_plateau(values, plateau)))


def _c_A_of(record, name, mass):
    """The c_A of the newest results of a measurement; 0 where a version of Kiln did not write it."""
    for results in reversed(record.results(name)):
        if results is not None:
            return results["masses"][mass].get("c_A", 0.0)
    return 0.0


def pcac_mass(record, name="wilson", mass=0, c_A=None, plateau=0.25):
    """The bare PCAC mass of mass number `mass` in the measurement `name` of kind wilson, a MassInTime, from the mean
    correlators of the trajectories of `record`: leave out thermalization.  c_A is the coefficient of the improved axial
    current, by default that of the measurement; the plateau has the times whose distance from the source is at least
    plateau * T.  With open boundaries in time the plateau is a pair (first, last) of time slices, and the mass is that
    of each slice."""
    slices = np.ndim(plateau) == 1
    members = ("slices.pion", "slices.axial") if slices else ("pion", "axial")
    pion, axial = (correlator(record, name, member, mass) for member in members)
    if slices and not 0 < plateau[0] <= plateau[1] < pion.shape[1] - 1:
        raise ValueError("plateau: time slices %d to %d; they must be between 0 and %d, the first and the last slice"
                         % (plateau[0], plateau[1], pion.shape[1] - 1))
    c_A = _c_A_of(record, name, mass) if c_A is None else c_A
    slope = (np.roll(axial, -1, axis=1) - np.roll(axial, 1, axis=1)) / 2
    slope += c_A * (np.roll(pion, -1, axis=1) - 2 * pion + np.roll(pion, 1, axis=1))
    below = 2 * np.nanmean(pion, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nanmean(slope, axis=0) / below
        values = mean + (slope - 2 * mean * pion) / below
    return _masses(values, plateau)


def effective_mass(record, name="wilson", member="pion", mass=0, plateau=0.25, pair=None, step=1):
    """arccosh [(C(t-s) + C(t+s)) / (2 C(t))] / s of a mean correlator that is periodic in t, a MassInTime: the mass of
    the state, where there is only one.  NaN where the correlator is not that of a positive mass.  s is `step`; 2 for
    correlators of staggered quarks with an alternating partner: even and odd t then have masses of their own, which
    approach each other where the partner has died out.  Of members "slices" (open boundaries) the plateau is a pair
    (first, last) of time slices, and the mass is that of each slice."""
    c = correlator(record, name, member, mass, pair)
    if is_of_slices(member) != (np.ndim(plateau) == 1):
        raise ValueError("plateau of %s: give %s" % (member, "a pair (first, last) of time slices"
                                                     if is_of_slices(member) else "a part of T"))
    around, below = np.roll(c, -step, axis=1) + np.roll(c, step, axis=1), 2 * np.nanmean(c, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        x = np.nanmean(around, axis=0) / below
        mean, slope = np.arccosh(x) / step, 1 / np.sqrt(x * x - 1) / step
        values = mean + slope * (around - 2 * x * c) / below
    return _masses(values, plateau)


def baryon_mass(record, name="wilson", member="nucleon", mass=0, plateau=0.125, momentum=None, pair=None):
    """log [C(t) / C(t+1)] of a mean correlator of a baryon, a MassInTime: the mass of the lowest state of its parity,
    far from the source and from the states of the other parity, which come from the other side.  NaN where the
    correlator is not positive.  With `pair`, of that pair of masses ("sigma", "xi", "lambda").  The plateau has the
    times from plateau * T to T/4, as `nucleon_mass`."""
    c = correlator(record, name, member, mass, pair, momentum)
    times = c.shape[1]
    here, next_one = c[:, :-1], c[:, 1:]
    mean, later = np.nanmean(here, axis=0), np.nanmean(next_one, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where((mean > 0) & (later > 0), np.log(mean / later), np.nan)
    values = values + (here - mean) / mean - (next_one - later) / later
    first = max(int(plateau * times), 1)
    return MassInTime([correlated_mean(one) for one in values.T],
                      correlated_mean(values[:, first:max(times // 4, first + 1)].mean(axis=1)))
