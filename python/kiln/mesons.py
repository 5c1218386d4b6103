"""Masses, amplitudes and decay constants of mesons from mean correlators (docs/observables.md, "Masses and decay
constants").

    C(t) = A (exp(-M t) + exp(-M (T-t))) + (-1)^t B (exp(-M' t) + exp(-M' (T-t)))

with B = 0 unless a partner is asked for, which correlators of staggered quarks have. The second exponential has a
minus sign for the axial current with a pseudoscalar source ("axial"), and is absent with open boundaries in time.
Errors are those of the Gamma method for the values of the configurations linearized about the mean correlator: they
include autocorrelation. Fits weigh each time with its own error, without correlations between times; this does not
bias the numbers, and their errors are those of the ensemble."""

from dataclasses import dataclass

import numpy as np

from .correlators import correlator, correlator_from_source, image_sign, is_odd
from .loops import function_of_means
from .statistics import Mean, correlated_mean

STEPS, LEAST_GAIN = 200, 1e-15           # of a fit: iterations at most; relative change of chi^2 at the end
FAR = 50.0                               # the largest logarithm of a mass or amplitude
LEAST_SINGULAR = 1e-5                    # of the slopes by the parameters, each of norm 1: below it, two do the same
START_MASSES = np.geomspace(0.05, 3, 16)
TASTES = {"staggered_mesons": 4, "domain_wall": 1}


@dataclass
class MesonFit:
    """Numbers of a fit in lattice units, each a Mean; None: not asked for; all NaN: the points do not determine them,
    such as the mass of a state that only one time has."""
    mass: Mean
    amplitude: Mean
    partner_mass: Mean
    partner_amplitude: Mean
    first: int                           # times first .. last from the source, folded if it has an image
    last: int
    chi2: float                          # without correlations between times: no measure of the quality by itself
    points: int


@dataclass
class _Times:
    """The times of a fit, the extent T of the correlator, and the sign of its image from the other side; 0: none."""
    t: np.ndarray
    extent: int
    image: int

    def wave(self, mass):
        return np.exp(-mass * self.t) + self.image * np.exp(-mass * (self.extent - self.t))

    def slope(self, mass):
        """Derivative of the wave by the mass."""
        back = self.extent - self.t
        return -self.t * np.exp(-mass * self.t) - self.image * back * np.exp(-mass * back)


def _model(p, times):
    value = np.exp(p[1]) * times.wave(np.exp(p[0]))
    if len(p) == 4:
        value = value + (-1.0) ** times.t * p[3] * times.wave(np.exp(p[2]))
    return value


def _slopes(p, times):
    """Derivatives of the model by its parameters: log M, log A, log M', B."""
    def by_log_mass(log_mass):
        mass = np.exp(log_mass)
        return mass * times.slope(mass)
    columns = [np.exp(p[1]) * by_log_mass(p[0]), np.exp(p[1]) * times.wave(np.exp(p[0]))]
    if len(p) == 4:
        sign = (-1.0) ** times.t
        columns += [sign * p[3] * by_log_mass(p[2]), sign * times.wave(np.exp(p[2]))]
    return np.stack(columns, axis=1)


def _least_squares(c, weight, times, start):
    """Parameters of the smallest sum of squares, by Levenberg's and Marquardt's method; and that sum."""
    p, damping = np.array(start, dtype=float), 1e-3
    rest = weight * (c - _model(p, times))
    chi2 = rest @ rest
    for _ in range(STEPS):
        slopes = weight[:, None] * _slopes(p, times)
        normal, right = slopes.T @ slopes, slopes.T @ rest
        step = np.linalg.lstsq(normal + damping * np.diag(np.diag(normal) + 1e-300), right, rcond=None)[0]
        trial = p + step
        trial[:3] = np.clip(trial[:3], -FAR, FAR)
        new = weight * (c - _model(trial, times))
        if not new @ new <= chi2:
            damping *= 10
            if damping > 1e20:
                break
            continue
        gain, p, rest, chi2, damping = chi2 - new @ new, trial, new, new @ new, damping / 10
        if gain <= LEAST_GAIN * chi2 and np.abs(step).max() < 1e-12:
            break
    return p, chi2


def _start(c, weight, times, partner):
    """From the ratio of neighbors.  With a partner: the best pair of masses of a grid, with the best amplitudes."""
    t = times.t
    usable = [i for i in range(len(t) - 1) if c[i] > c[i + 1] > 0]
    mass = np.log(c[usable[0]] / c[usable[0] + 1]) if usable else 0.5
    first = abs(c[0] / times.wave(mass)[0])
    start, least = [np.log(mass), np.log(first + 1e-300)], np.inf
    if not partner:
        return start
    for one in START_MASSES:
        for other in START_MASSES:
            waves = np.stack([times.wave(one), (-1.0) ** t * times.wave(other)], axis=1)
            a, b = np.linalg.lstsq(weight[:, None] * waves, weight * c, rcond=None)[0]
            chi2 = ((weight * (waves @ (a, b) - c)) ** 2).sum()
            if chi2 < least and a > 0:
                start, least = [np.log(one), np.log(a), np.log(other), b], chi2
    return start if np.isfinite(least) else start + [np.log(mass + 0.5), 0.1 * c[0]]


class _Fit:
    """A fit of the correlator in columns 0 .. T-1 of `rows`, an array [trajectory, k], by the distance from the source.
    `sign` times it is positive; image: its sign under t -> T - t, or 0 where no state comes from the other side."""

    def __init__(self, rows, extent, first, last, partner, image=1, sign=1):
        there = np.isfinite(rows).all(axis=1)
        self.rows, self.sign = np.where(there[:, None], rows, np.nan), sign
        self.times = _Times(np.arange(first, last + 1), extent, image)
        least, (begin, end) = 4 if partner else 2, _possible(extent, image)
        if not (begin <= first and last <= end and last - first + 1 >= least):
            raise ValueError("times %d .. %d: a fit needs at least %d times, all from %d to %d"
                             % (first, last, least, begin, end))
        folded = self._at_times(self.rows)
        mean = np.nanmean(folded, axis=0)
        error = np.array([correlated_mean(one).error for one in folded.T])
        self.weight = 1 / np.where(error > 0, error, np.abs(mean) * 1e-6 + 1e-300)
        self.start = _start(mean, self.weight, self.times, partner)
        self.start, self.chi2 = _least_squares(mean, self.weight, self.times, self.start)
        self.determined = self._is_determined()

    def _at_times(self, rows):
        c, image = self.sign * rows[..., :self.times.extent], self.times.image
        if image:
            c = (c + image * np.roll(c[..., ::-1], 1, axis=-1)) / 2
        return c[..., self.times.t]

    def _is_determined(self):
        if np.abs(self.start[:3]).max() >= FAR:
            return False
        slopes = self.weight[:, None] * _slopes(self.start, self.times)
        norms = np.sqrt((slopes ** 2).sum(axis=0))
        return bool((norms > 0).all() and np.linalg.svd(slopes / norms, compute_uv=False)[-1] > LEAST_SINGULAR)

    def parameters(self, means):
        return _least_squares(self._at_times(means), self.weight, self.times, self.start)[0]

    def mean_of(self, function):
        """function(parameters, means) as a Mean."""
        if not self.determined:
            return Mean(np.nan, np.nan, np.nan, np.nan, int(np.isfinite(self.rows).all(axis=1).sum()))
        return function_of_means(self.rows, lambda means: function(self.parameters(means), means))


def _possible(extent, image):
    """The first and the last time of a fit; an odd correlator is 0 at t = 0 and T/2."""
    if image == 0:
        return 0, extent - 1
    return (0, extent // 2) if image > 0 else (1, (extent - 1) // 2)


def fit_meson(record, name, member="pion", mass=0, pair=None, first=None, last=None, partner=False, source=None):
    """A MesonFit of the correlator `member` of a mass, or of a pair of masses, in the measurement `name`, from the
    trajectories of `record`: leave out thermalization.  Times first .. last count from the source; by default those
    from T/4 to T/2 (below it for "axial", which is 0 there).  partner: with an alternating state.

    Members "slices" and "doublet.slices" (open boundaries): T is then the number of time slices on the longer side of
    the source, times are those of this side, and no state comes from the other one.  source: the time slice of the
    source of these; by default that in which the mean of "slices.pion" is largest."""
    rows = correlator_from_source(record, name, member, mass, pair, source=source)
    times, image, sign = rows.shape[1], image_sign(member), -1 if is_odd(member) else 1
    fit = _Fit(rows, times, *_range(times, first, last, image), partner, image, sign)
    t = fit.times.t
    return MesonFit(fit.mean_of(lambda p, _: np.exp(p[0])), fit.mean_of(lambda p, _: sign * np.exp(p[1])),
                    fit.mean_of(lambda p, _: np.exp(p[2])) if partner else None,
                    fit.mean_of(lambda p, _: sign * p[3]) if partner else None,
                    int(t[0]), int(t[-1]), float(fit.chi2), len(t))


def _range(times, first, last, image=1):
    return (times // 4 if first is None else first), ((times - (image < 0)) // 2 if last is None else last)


def _first_results(record, name):
    for results in record.results(name):
        if results is not None:
            return results
    raise KeyError("no line has results measurements.%s" % name)


def decay_constant(record, name, mass=0, pair=None, first=None, last=None, partner=False, plateau=0.25):
    """The decay constant f of the pion or kaon as a Mean, in lattice units and in the normalization f_pi = 131 MeV:

        f = (m + m') (2 A / (n M^3))^(1/2)

    with n = 4 tastes of staggered quarks (the Goldstone pion gamma5 x xi5), and n = 1 of domain-wall quarks, whose
    masses get the residual mass, the mean of midpoint/pion over the plateau.  Neither needs a renormalization.  The
    source must be a point or random: walls have another amplitude.  Arguments as those of fit_meson."""
    result = _first_results(record, name)
    tastes = TASTES.get(result.get("kind"))
    if tastes is None:
        raise ValueError("%s: kind %s: f needs a renormalization constant here; see docs/observables.md"
                         % (name, result.get("kind")))
    if "gauge_fixing" in result:
        raise ValueError("%s: the source is a wall of a fixed gauge, whose amplitude gives no decay constant" % name)
    quarks = [mass, mass]
    if pair is not None:
        quarks = [result["pairs"][pair][key] for key in ("quark", "antiquark")]
    pion = correlator(record, name, "pion", mass, pair)
    times = pion.shape[1]
    if tastes == 4:
        total, rows = [lambda means, m=m: result["masses"][m]["mass"] for m in quarks], pion
    else:
        total, rows = _domain_wall_masses(record, name, result, quarks, pion, plateau)
    fit = _Fit(rows, times, *_range(times, first, last), partner)
    return fit.mean_of(lambda p, means: sum(m(means) for m in total)
                       * np.sqrt(2 * np.exp(p[1] - 3 * p[0]) / tastes))


def _domain_wall_masses(record, name, result, quarks, pion, plateau):
    """Functions of the means of rows, which get the columns that they need: m + residual mass of each quark, in the
    unit of the propagators, whatever the convention of the masses is."""
    times, columns, functions = pion.shape[1], [pion], []
    distance = np.minimum(np.arange(times), times - np.arange(times))
    far = distance >= plateau * times
    for i, m in enumerate(quarks):
        of = result["masses"][m]
        if "midpoint" not in of:
            raise ValueError("%s: no midpoint correlators, hence no residual mass" % name)
        unit = of["residual_mass_in_time"][0] * of["pion"][0] / of["midpoint"][0]
        columns += [correlator(record, name, key, m) for key in ("pion", "midpoint")]
        at = (1 + 2 * i) * times

        def total(means, at=at, mass=of["mass"] / unit):
            return mass + (means[at + times:at + 2 * times] / means[at:at + times])[far].mean()
        functions.append(total)
    return functions, np.concatenate(columns, axis=1)
