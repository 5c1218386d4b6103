"""Numbers of an ensemble that are compared with published ones: functions of a record (python/kiln), each a kiln.Mean
in lattice units.  A row names one of them with its options (rows/NAME.json)."""

import numpy as np

import kiln
from kiln.loops import function_of_means

REWEIGHTED_WIDTH, REWEIGHTED_POINTS = 0.006, 241
BIN_TAUS, LEAST_BINS, MOST_BINS = 4, 8, 20       # of a jackknife


def plaquette(record):
    """Mean of Re Tr / 3 of all plaquettes; 1 for unit links."""
    return kiln.correlated_mean(record["plaquette.average"])


def meson_mass(record, name, member="pion", mass=0, pair=None, first=None, last=None, partner=False):
    """a M of a fit to a mean correlator (kiln.fit_meson)."""
    return kiln.fit_meson(record, name, member, mass, pair, first, last, partner).mass


def pcac_mass(record, name, mass=0, plateau=0.25):
    """Bare PCAC mass, a m, over the times that are at least plateau x extent from the source."""
    return kiln.pcac_mass(record, name, mass, plateau=plateau).plateau


def residual_mass(record, name, mass=0, plateau=0.25):
    """a m_res of domain-wall quarks: the mean over the plateau of <midpoint(t)> / <pion(t)>."""
    midpoint = kiln.correlator(record, name, "midpoint", mass)
    pion = kiln.correlator(record, name, "pion", mass)
    times = pion.shape[1]
    t = np.arange(times)
    chosen = np.minimum(t, times - t) >= plateau * times

    def ratio(mean):
        return (mean[:times] / mean[times:])[chosen].mean()
    return function_of_means(np.hstack([midpoint, pion]), ratio)


def scale(record, title, name="flow"):
    """t0/a^2 or w0/a of the flow (kiln.flow_scales): title "t0", "w0", ..."""
    return _mean_of_scale(kiln.flow_scales(record, name)[title])


def sqrt_t0(record, name="flow"):
    """sqrt(t0)/a."""
    t0 = kiln.flow_scales(record, name)["t0"]
    value = np.sqrt(t0.value)
    return kiln.Mean(value, t0.error / (2 * value), t0.tau, t0.tau_error, t0.used)


def sommer_scale(record, title, name="loops", t=None, improved=None):
    """r0/a or r1/a of the static potential (kiln.static_potential)."""
    return getattr(kiln.static_potential(record, t, name, improved), title)


def identity_deviation(record, name="identity"):
    """Mean deviation of the Schwinger-Dyson identity (kind schwinger_dyson): 0 for links distributed as exp(-S)."""
    return kiln.correlated_mean(record["measurements.%s.deviation" % name])


def polyakov_loop(record):
    """Mean of |L|, the size of the mean Polyakov loop of a configuration; 1 for unit links."""
    return kiln.correlated_mean(_size_of_loop(record))


def polyakov_susceptibility(record, space):
    """space (<|L|^2> - <|L|>^2); `space` is the number of sites of a time slice."""
    return kiln.susceptibility(_size_of_loop(record), space)


def charge_susceptibility(record, volume, name="flow"):
    """t0^2 <Q^2> / V with Q at flow time t0.  The error of t0, which comes from the same curves, is added in
    quadrature."""
    t0 = kiln.flow_scales(record, name)["t0"]
    charge = np.full(len(record), np.nan)
    for n, result in enumerate(record.results(name)):
        if result:
            if result["along"]["t"][-1] < t0.value:
                raise ValueError("the flow ends at %g, before t0 = %.4g" % (result["along"]["t"][-1], t0.value))
            charge[n] = np.interp(t0.value, result["along"]["t"], result["along"]["charge"])
    chi = kiln.susceptibility(charge, 1 / volume, connected=False)
    value = t0.value ** 2 * chi.value
    error = value * np.hypot(chi.error / chi.value, 2 * t0.error / t0.value)
    return kiln.Mean(value, error, chi.tau, chi.tau_error, chi.used)


def transition(record, volume, beta, space):
    """The coupling of the largest susceptibility of |L|, by reweighting from `beta` (A. M. Ferrenberg and R. H.
    Swendsen, Phys. Rev. Lett. 61 (1988) 2635) with S = -6 V beta P of Wilson's action; `space` is the number of sites
    of a time slice.  The error is that of a jackknife whose bins have four autocorrelation times of |L|, where that
    gives 8 to 20 bins."""
    p = record["plaquette.average"]
    loop = _size_of_loop(record)
    tau = kiln.correlated_mean(loop).tau
    there = np.isfinite(p) & np.isfinite(loop)             # not between joined streams
    p, loop = p[there], loop[there]
    shifts = np.linspace(-REWEIGHTED_WIDTH, REWEIGHTED_WIDTH, REWEIGHTED_POINTS)

    def peak(p, loop):
        weight = np.exp(np.outer(shifts, 6 * volume * (p - p.mean())))
        weight /= weight.sum(axis=1, keepdims=True)
        chi = space * (weight @ loop ** 2 - (weight @ loop) ** 2)
        top = int(np.argmax(chi))
        if top in (0, len(shifts) - 1):
            raise ValueError("the susceptibility has no peak within %g of beta %g" % (REWEIGHTED_WIDTH, beta))
        a, b, _ = np.polyfit(shifts[top - 1:top + 2], chi[top - 1:top + 2], 2)
        return beta - b / (2 * a)

    count = LEAST_BINS if np.isnan(tau) else int(np.clip(len(p) / (BIN_TAUS * tau), LEAST_BINS, MOST_BINS))
    without = [peak(np.delete(p, b), np.delete(loop, b)) for b in np.array_split(np.arange(len(p)), count)]
    error = np.sqrt((count - 1) * np.var(without))
    return kiln.Mean(peak(p, loop), error, tau, np.nan, len(p))


def _size_of_loop(record):
    return np.hypot(record["polyakov.re"], record["polyakov.im"])


def _mean_of_scale(s):
    return kiln.Mean(s.value, s.error, s.tau, s.tau_error, s.used)
