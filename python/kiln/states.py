"""Correlated fits of several states to correlators, by lsqfit or pyerrors, which are optional packages.

    C(t) = sum over k of a_k [exp(-E_k t) + sign exp(-E_k (T - t))]

The second term is that of mesons, with sign = 1, or -1 for the axial current with a pseudoscalar source ("axial").
Baryons have states of the other parity there, and none in the fit; and with open boundaries in time there is none."""

from dataclasses import dataclass

import numpy as np

from .conversion import to_gvar, to_pyerrors
from .correlators import correlator_from_source, image_sign, is_of_slices
from .errors import optional_package

BARYONS = ("nucleon", "delta", "sigma", "xi", "lambda")


@dataclass
class StatesFit:
    """Energies, ascending, and amplitudes: GVars of lsqfit, or Obs of pyerrors.  `fit` is the object of the package."""
    energies: list
    amplitudes: list
    chi2: float
    dof: int
    first: int
    last: int
    fit: object


def fit_states(record, name="wilson", member="pion", mass=0, pair=None, momentum=None, states=2, first=1, last=None,
               periodic=None, prior=None, start=None, package="lsqfit", svdcut=None, ensemble="kiln", source=None):
    """A correlated fit to the mean of kiln.correlator(record, name, member, mass, pair, momentum) at times `first` to
    `last` from the source, both included; by default up to T/2 for mesons (below it for "axial", which is 0 there) and
    T/3 for baryons.  periodic: whether states come from the other side of the lattice, too; by default for all members
    but those of baryons and of time slices.

    Members "slices" and "doublet.slices" (open boundaries): times are those of the longer side of the source, by
    default up to half of it; its last ones are close to the boundary.  source: the time slice of the source of these;
    by default that in which the mean of "slices.pion" is largest.

    package: "lsqfit" (errors of the data as kiln.to_gvar) or "pyerrors" (as kiln.to_pyerrors, of `ensemble`).  prior:
    of lsqfit, a dictionary with GVars "a" and "log(dE)", arrays of `states` numbers: amplitudes, and the logarithms of
    E_0, E_1 - E_0, ...  start: (amplitudes, energies) from which the search begins; by default, they come from the
    effective mass.  svdcut: of lsqfit."""
    c = correlator_from_source(record, name, member, mass, pair, momentum, source)
    times, sign = c.shape[1], image_sign(member)
    if periodic is None:
        periodic = sign != 0 and member.split(".")[-1].split("_")[0] not in BARYONS
    if periodic and sign == 0:
        raise ValueError("%s: open boundaries in time: no state comes from the other side" % member)
    if last is None:
        last = times // 2 if is_of_slices(member) else (times - (sign < 0)) // 2 if periodic else times // 3
    if not 0 <= first <= last < times or last - first + 1 < (1 if prior else 2 * states):
        raise ValueError("times %d to %d do not determine %d states: a fit without prior needs %d times"
                         % (first, last, states, 2 * states))
    t = np.arange(first, last + 1)
    wave = _Waves(times, sign if periodic else 0, states)
    if start is None:
        start = _start(np.nanmean(c, axis=0), t, wave)
    by = {"lsqfit": _by_lsqfit, "pyerrors": _by_pyerrors}
    if package not in by:
        raise ValueError("package is %r; known are lsqfit and pyerrors" % (package,))
    return by[package](record, c, t, wave, start, prior, svdcut, ensemble)


class _Waves:
    """The model, with the functions of a module (numpy, gvar, autograd)."""

    def __init__(self, times, image, states):
        self.times, self.image, self.states = times, image, states      # image: sign of the second term; 0: none

    def __call__(self, module, amplitudes, gaps, t):
        total, energy = 0, 0
        for k in range(self.states):
            energy = energy + gaps[k]
            total = total + amplitudes[k] * self.one(module, energy, t)
        return total

    def one(self, module, energy, t):
        wave = module.exp(-energy * t)
        return wave + self.image * module.exp(-energy * (self.times - t)) if self.image else wave


def _start(mean, t, wave):
    """The first state from the last times, the second from what is left at the first ones, further ones with equal
    gaps."""
    with np.errstate(all="ignore"):
        at = t[-1] - 1
        around = (mean[at - 1] + mean[(at + 1) % len(mean)]) / (2 * mean[at])
        lowest = np.arccosh(around) if wave.image else np.log(mean[at] / mean[at + 1])
        lowest = lowest if np.isfinite(lowest) and lowest > 0 else 0.5
        energies, amplitudes = [lowest], [mean[at] / wave.one(np, lowest, at)]
        left = mean[t] - amplitudes[0] * wave.one(np, lowest, t)
        gap = np.log(left[0] / left[1]) - lowest if len(t) > 1 else 0.5
    gap = gap if np.isfinite(gap) and gap > 0.1 else 0.5
    for k in range(1, wave.states):
        energies.append(lowest + k * gap)
        amplitudes.append(left[0] / wave.one(np, energies[1], t[0]) / k)
    return np.array(amplitudes), np.array(energies)


def _gaps(energies):
    return np.diff(np.concatenate([[0.0], np.asarray(energies, dtype=float)]))


def _by_lsqfit(record, c, t, wave, start, prior, svdcut, ensemble):
    lsqfit, gvar = (optional_package(package, "fit_states") for package in ("lsqfit", "gvar"))
    data = to_gvar(record, c[:, t])
    first_guess = {"a": np.asarray(start[0], dtype=float), "log(dE)": np.log(_gaps(start[1]))}

    def model(x, p):
        return wave(gvar, p["a"], p["dE"], x)
    options = {} if svdcut is None else {"svdcut": svdcut}
    fit = lsqfit.nonlinear_fit(data=(t, data), fcn=model, prior=prior, p0=first_guess, **options)
    energies = list(np.cumsum(fit.p["dE"]))
    return StatesFit(energies, list(fit.p["a"]), float(fit.chi2), int(fit.dof), int(t[0]), int(t[-1]), fit)


def _by_pyerrors(record, c, t, wave, start, prior, svdcut, ensemble):
    pyerrors = optional_package("pyerrors", "fit_states with package=\"pyerrors\"")
    module = optional_package("autograd.numpy", "fit_states with package=\"pyerrors\"")
    if prior is not None or svdcut is not None:
        raise ValueError("prior and svdcut are of lsqfit: leave them out for pyerrors")
    data = to_pyerrors(record, c[:, t], ensemble)
    for one in data:
        one.gamma_method()
    n = wave.states

    def model(p, x):
        return wave(module, p[:n], [module.exp(p[n + k]) for k in range(n)], x)
    guess = list(np.asarray(start[0], dtype=float)) + list(np.log(_gaps(start[1])))
    fit = pyerrors.fits.least_squares(t, data, model, correlated_fit=True, initial_guess=guess, silent=True)
    fit.gamma_method()
    energies, total = [], 0
    for k in range(n):
        total = total + np.exp(fit.fit_parameters[n + k])
        energies.append(total)
    for one in energies:
        one.gamma_method()
    return StatesFit(energies, list(fit.fit_parameters[:n]), float(fit.chisquare), int(fit.dof), int(t[0]), int(t[-1]),
                     fit)
