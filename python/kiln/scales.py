"""t0 and w0 of an ensemble, read off the mean of t^2 E over its configurations (docs/conventions.md, "Means of a run").

    t0:  t^2 <E> = 0.3               M. Luescher, arXiv:1006.4518
    w0:  t d/dt t^2 <E> = 0.3 at t = w0^2       S. Borsanyi et al., arXiv:1203.4469

On anisotropic lattices all are in units of a_s, and w0_space and w0_time have the parts of E from planes in space and
with t, each at 0.15: they are equal where `xi` of the flow is the anisotropy of the lattice (docs/anisotropy.md)."""

from dataclasses import dataclass, field

import numpy as np

from .statistics import Mean, correlated_mean, series

LEVEL = 0.3
LARGEST, LEAST_STEP = 1e15, 1e-9         # of times and values; from one time to the next, relative
MARGIN = 1.2                             # of the t_max to ask for
# Curve, whether t times its slope is taken, the level, and the power of t that the number is.
SCALES = {"t0": ("t2E_clover", False, LEVEL, 1.0), "w0": ("t2E_clover", True, LEVEL, 0.5),
          "t0_plaquette": ("t2E_plaquette", False, LEVEL, 1.0), "w0_plaquette": ("t2E_plaquette", True, LEVEL, 0.5),
          "w0_space": ("t2E_space", True, LEVEL / 2, 0.5), "w0_time": ("t2E_time", True, LEVEL / 2, 0.5)}
ANISOTROPIC = ("w0_space", "w0_time")    # of records that have their curves


@dataclass
class Scale:
    """A scale with its error, which includes autocorrelation; NaN and the reason if the mean curve does not give it."""
    value: float
    error: float
    tau: float                           # in trajectories
    tau_error: float
    used: int                            # configurations of the mean, of
    made: int                            # those in which the flow was measured
    why: str                             # "" where there is a value
    t_max: float                         # to ask for; NaN where there is a value, or none can be told
    linear: dict = field(default_factory=dict, repr=False)      # by trajectory: values linearized about the mean curve


class _Spline:
    """Natural cubic splines through rows of y, all at the same x."""

    def __init__(self, x, y):
        self.x, self.y = x, np.atleast_2d(y)
        h = np.diff(x)
        slopes = np.diff(self.y, axis=1) / h
        matrix = np.diag((h[:-1] + h[1:]) / 3) + np.diag(h[1:-1] / 6, 1) + np.diag(h[1:-1] / 6, -1)
        self.bend = np.zeros_like(self.y)
        self.bend[:, 1:-1] = np.linalg.solve(matrix, np.diff(slopes, axis=1).T).T

    def at(self, t):
        """Value, first and second derivative of every row."""
        j = int(np.clip(np.searchsorted(self.x, t) - 1, 0, len(self.x) - 2))
        h, right, left = self.x[j + 1] - self.x[j], self.x[j + 1] - t, t - self.x[j]
        y0, y1, m0, m1 = self.y[:, j], self.y[:, j + 1], self.bend[:, j], self.bend[:, j + 1]
        value = (m0 * right ** 3 + m1 * left ** 3) / (6 * h) + (y0 / h - m0 * h / 6) * right \
            + (y1 / h - m1 * h / 6) * left
        slope = (m1 * left ** 2 - m0 * right ** 2) / (2 * h) + (y1 - y0) / h - (m1 - m0) * h / 6
        return value, slope, (m0 * right + m1 * left) / h


def _function(spline, t, log_slope):
    value, slope, bend = spline.at(t)
    return (t * slope, slope + t * bend) if log_slope else (value, slope)


def _crossing(spline, log_slope, level):
    """Where the function of the mean first reaches the level from below; NaN if it does not."""
    rows = [_function(spline, t, log_slope)[0][0] for t in spline.x]
    for i in range(1, len(rows)):
        if not (rows[i - 1] < level <= rows[i]):
            continue
        below, above = spline.x[i - 1], spline.x[i]
        for _ in range(60):
            middle = 0.5 * (below + above)
            if _function(spline, middle, log_slope)[0][0] < level:
                below = middle
            else:
                above = middle
        return above, rows
    return np.nan, rows


def _t_max_to_ask_for(t, rows, level):
    """The last quarter of the curve, continued as a straight line to the level, times 1.2; NaN if it does not rise."""
    first = min(int(np.searchsorted(t, 0.75 * t[-1])), len(t) - 3)
    t, rows = t[first:], np.asarray(rows[first:])
    off = t - t.mean()
    rise = (off * (rows - rows.mean())).sum() / (off * off).sum()
    if not rise > 0:
        return np.nan
    needed = MARGIN * max(t[-1], t.mean() + (level - rows.mean()) / rise)
    unit = 10 ** (np.floor(np.log10(needed)) - 1)
    return float(np.ceil(needed / unit - 1e-9) * unit)


def _flows(line):
    """The results of measurements of kind flow in a line, by name."""
    return {name: result for name, result in (line.get("measurements") or {}).items()
            if isinstance(result, dict) and result.get("kind") == "flow"}


def _reals(numbers):
    """A list as an array; empty if it is not a list."""
    try:
        array = np.asarray(numbers if isinstance(numbers, list) else [], dtype=float)
    except (TypeError, ValueError):
        return np.empty(0)
    return array if array.ndim == 1 else np.empty(0)


def _are_points(t, y):
    """Whether values are finite and flow times ascend: the rule of kiln status (src/report/headlines.c)."""
    finite = (np.abs(t) < LARGEST).all() and (np.abs(y) < LARGEST).all() and t[0] >= 0
    return finite and (np.diff(t) > LEAST_STEP * t[1:]).all()


def _curves(record, name, key):
    """Numbers of the trajectories in which the flow was measured; t and t^2 E of those that did not fail."""
    made, curves = [], []
    for number, line in zip(map(int, record.numbers), record.lines):
        result = _flows(line).get(name)
        if result is None:
            continue
        made.append(number)
        along = (result.get("along") or {}) if result.get("converged", True) else {}
        t, y = _reals(along.get("t")), _reals(along.get(key))
        if len(t) > 0 and len(t) == len(y) and _are_points(t, y):
            curves.append((number, t, y))
    return made, curves


def _common(curves):
    """The common flow times of all curves, and the curves at these times."""
    t = curves[0][1] if curves else np.empty(0)
    for _, other, _ in curves[1:]:
        t = t[[bool(np.isclose(other, time, rtol=1e-9, atol=0).any()) for time in t]]
    rows = [y[[int(np.argmin(np.abs(other - time))) for time in t]] for _, other, y in curves]
    return t, np.array(rows)


def _mean(curves, log_slope, level):
    """Curves, common flow times, values and spline of the mean of all configurations, if it crosses the level.
    Otherwise, if some are measured farther because t_max was raised: of the largest set of those that crosses the
    level, else of the farthest ones.  How far a configuration is measured is a setting, so this mean has no bias."""
    while True:
        t, y = _common(curves)
        mean, at, rows = None, np.nan, [0.0]
        if len(t) >= 3:
            mean = _Spline(t, y.mean(axis=0))
            at, rows = _crossing(mean, log_slope, level)
        ends = np.array([one[-1] for _, one, _ in curves])
        farther = ends > ends.min() * (1 + 1e-9) if len(ends) else ends
        if not np.isnan(at) or rows[0] >= level or not farther.any():
            return curves, t, y, mean, at, rows
        curves = [curve for curve, beyond in zip(curves, farther) if beyond]


def _digits_below(value, level):
    """Three digits, or as many as show that the value is below the level."""
    return next((w for w in ("%.*g" % (digits, value) for digits in range(3, 17)) if float(w) < level), "%.17g" % value)


def _scale(made, curves, log_slope, level, power, extent):
    curves, t, y, mean, at, rows = _mean(curves, log_slope, level)
    none = dict(value=np.nan, error=np.nan, tau=np.nan, tau_error=np.nan, used=len(curves), made=len(made))
    if len(curves) == 0:
        return Scale(**none, why="no configuration has been measured", t_max=np.nan)
    if len(t) < 3:
        return Scale(**none, why="the configurations have %d flow times in common, and a curve needs 3" % len(t),
                     t_max=np.nan)
    if np.isnan(at):
        ask = _t_max_to_ask_for(t, rows, level) if rows[0] < level else np.nan
        advice = "; set t_max to %g" % ask if np.isfinite(ask) else ""
        if extent is not None and ask > (extent / 2) ** 2 / 8:
            advice = "; it would take t_max = %g, and a lattice of extent %d holds flow times up to about %g: it is " \
                "too small for this scale" % (ask, extent, (extent / 2) ** 2 / 8)
            ask = np.nan
        why = "the mean over %d configurations stays below %g: its largest value is %s, at t = %g of %g" \
            % (len(curves), level, _digits_below(max(rows), level), t[int(np.argmax(rows))], t[-1]) \
            if rows[0] < level else "the mean begins above %g" % level
        return Scale(**none, why=why + advice, t_max=ask)
    slope = float(_function(mean, at, log_slope)[1][0])
    of_each = _function(_Spline(t, y), at, log_slope)[0]
    linear = at ** power - power * at ** (power - 1) * (of_each - level) / slope
    numbers = dict(zip((number for number, _, _ in curves), linear))
    every, values = series(made, [numbers.get(number, np.nan) for number in made])
    m = correlated_mean(values)
    return Scale(float(at ** power), float(m.error), float(m.tau * every), float(m.tau_error * every), len(curves),
                 len(made), "", np.nan, numbers)


def flow_scales(record, name="flow", extent=None):
    """t0 and w0 (clover energy), t0_plaquette and w0_plaquette, and of a flow with `xi` also w0_space and w0_time, each
    a Scale, of the trajectories of `record`: leave out thermalization,
    flow_scales(run.record.after_thermalization()).  `name` is that of the measurement in the input; `extent` the
    smallest spatial one of the lattice: t_max is then advised only where the lattice holds that flow time.

    The errors are those of the Gamma method for the values of the configurations linearized about the mean curve.  The
    columns "measurements.flow.t0" are those of single configurations: a mean of them is biased, since it leaves out the
    configurations whose own curve does not reach 0.3."""
    known = {key: None for line in record.lines for key in _flows(line)}
    if name not in known:
        raise KeyError("no line has a measurement of kind flow called %r; those of this kind are: %s"
                       % (name, ", ".join(known) or "none"))
    record.results(name)                                   # with one settings: t_max and step are the same
    scales = {}
    for title, (key, log_slope, level, power) in SCALES.items():
        made, curves = _curves(record, name, key)
        if curves or title not in ANISOTROPIC:
            scales[title] = _scale(made, curves, log_slope, level, power, extent)
    return scales


def scale_ratio(scales, energy=""):
    """sqrt(t0)/w0, a Mean, of the result of flow_scales; energy "_plaquette" takes the scales of that energy.  NaN if
    one of them has no value."""
    t0, w0 = scales["t0" + energy], scales["w0" + energy]
    if not (np.isfinite(t0.value) and np.isfinite(w0.value)):
        return Mean(np.nan, np.nan, np.nan, np.nan, 0)
    value = np.sqrt(t0.value) / w0.value
    numbers = sorted(set(t0.linear) & set(w0.linear))
    linear = [value * (1 + (t0.linear[n] - t0.value) / (2 * t0.value) - (w0.linear[n] - w0.value) / w0.value)
              for n in numbers]
    every, values = series(numbers, linear)
    m = correlated_mean(values)
    return Mean(float(value), float(m.error), float(m.tau * every), float(m.tau_error * every), len(numbers))
