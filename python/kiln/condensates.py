"""Chiral susceptibilities and the subtracted condensate of staggered quarks, of a measurement of kind condensate
(docs/observables.md, docs/conventions.md).

Everything is computed from means over configurations, in lattice units.  Errors are those of the Gamma method for the
values of the configurations linearized about the means, as in loops.py."""

from dataclasses import dataclass

import numpy as np

from .loops import function_of_means
from .statistics import Mean, correlated_mean


@dataclass
class ChiralSusceptibility:
    """d<psibar psi>/dm of n_f degenerate flavors, psibar psi summed over them; NaN where it was not measured."""
    connected: Mean                      # n_f (one flavor's)
    disconnected: Mean                   # n_f^2 (one flavor's)
    total: Mean


def _mass(record, name, mass):
    """The results for a mass in every line; None where there are none."""
    found = []
    for results in record.results(name):
        masses = (results or {}).get("masses") or []
        found.append(masses[mass] if mass < len(masses) else None)
    if all(item is None for item in found):
        raise KeyError("no line has measurements.%s.masses.%d" % (name, mass))
    if len({item["mass"] for item in found if item is not None}) > 1:
        raise ValueError("measurements.%s.masses.%d: the mass is not the same in all lines" % (name, mass))
    return found


def _number(item, key):
    number = None if item is None else item.get(key)
    return np.nan if number is None else float(number)


def chiral_susceptibility(record, volume, name="condensate", mass=0, flavors=1):
    """The susceptibility of the quark number `mass` in the list of masses, of the trajectories of `record`: leave out
    thermalization.  `volume` is the number of sites, `flavors` n_f: 2 for light quarks of 2+1 flavors.  With c the
    condensate of one flavor (HotQCD, arXiv:1111.1710):

        disconnected  n_f^2 V (<c^2> - <c>^2),  c^2 from products of different sources: at least two are needed
        connected     n_f <dc/dm>"""
    items = _mass(record, name, mass)
    c = np.array([[_number(item, "condensate"), _number(item, "condensate_squared")] for item in items])
    slope = np.array([_number(item, "susceptibility_connected") for item in items])

    def disconnected(mean):
        return flavors ** 2 * volume * (mean[1] - mean[0] ** 2)

    def of(rows, function):
        none = Mean(np.nan, np.nan, np.nan, np.nan, 0)
        return function_of_means(rows, function) if np.isfinite(rows).all(axis=1).any() else none

    return ChiralSusceptibility(of(slope[:, None], lambda mean: flavors * mean[0]), of(c, disconnected),
                                of(np.column_stack([c, slope]), lambda mean: disconnected(mean) + flavors * mean[2]))


def subtracted_condensate(record, name="condensate", light=0, strange=1, zero=None):
    """<c_l> - (m_l/m_s) <c_s>, a Mean, of the quarks number `light` and `strange` in the list of masses, which have the
    same sources.  `zero`: the same number at zero temperature, with the same bare parameters, to divide by: a number,
    or a Mean of an independent ensemble, whose error is included."""
    l, s = _mass(record, name, light), _mass(record, name, strange)
    values = [np.nan if a is None or b is None else
              _number(a, "condensate") - a["mass"] / b["mass"] * _number(b, "condensate") for a, b in zip(l, s)]
    m = correlated_mean(values)
    if zero is None:
        return m
    at_zero = zero if isinstance(zero, Mean) else Mean(float(zero), 0.0, np.nan, np.nan, 0)
    error = np.hypot(m.error / at_zero.value, m.value * at_zero.error / at_zero.value ** 2)
    return Mean(m.value / at_zero.value, float(error), m.tau, m.tau_error, m.used)
