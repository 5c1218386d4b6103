"""Results as objects of other packages: gvar (with lsqfit) and pyerrors.  Both packages are optional.

`values` is an array [trajectory] of a column, or [trajectory, t] of kiln.correlator, as `record` gives them; NaN: not
measured.  Rows with a NaN are left out."""

import numpy as np

from .errors import optional_package
from .statistics import correlated_mean


def _columns(record, values):
    """(an array [trajectory, column], whether `values` is one column) of the name of a column or of an array."""
    values = record[values] if isinstance(values, str) else np.asarray(values, dtype=float)
    if values.ndim not in (1, 2) or len(values) != len(record):
        raise ValueError("an array with a row for each of the %d lines is expected, of one or two indices; found the "
                         "shape %s" % (len(record), values.shape))
    return values.reshape(len(record), -1), values.ndim == 1


def _complete(rows):
    there = np.isfinite(rows).all(axis=1)
    if there.sum() < 2:
        raise ValueError("fewer than two lines have all of these numbers")
    return there


def to_gvar(record, values, bin_size=None):
    """The means as a GVar, or an array of them, with their correlations (https://gvar.readthedocs.io).

    Without `bin_size`, errors are those of the Gamma method, which include autocorrelation, and the correlations those
    of single configurations.  With `bin_size`, errors and correlations are those of means of so many configurations in
    a row."""
    gvar = optional_package("gvar", "to_gvar")
    rows, single = _columns(record, values)
    rows = rows[_complete(rows)]
    if bin_size is not None:
        count = len(rows) // bin_size
        if count < 2:
            raise ValueError("%d configurations make fewer than two bins of %d" % (len(rows), bin_size))
        rows = rows[:count * bin_size].reshape(count, bin_size, -1).mean(axis=1)
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    if bin_size is None:
        error = np.array([correlated_mean(column).error for column in rows.T])
    correlation = np.atleast_2d(np.corrcoef(rows, rowvar=False)) if rows.shape[1] > 1 else np.ones((1, 1))
    means = gvar.gvar(rows.mean(axis=0), np.where(np.isfinite(correlation), correlation, 0) * np.outer(error, error))
    return means[0] if single else means


def to_pyerrors(record, values, ensemble="kiln", stream=None):
    """The means as an Obs, or a list of them, of the ensemble `ensemble` (https://fjosw.github.io/pyerrors): with the
    numbers of the trajectories as `idl`, so that pyerrors knows gaps and correlates all columns of one ensemble.
    `stream` distinguishes streams of an ensemble: the name of the replica is then "ensemble|stream".  Call gamma_method
    of each for its error."""
    pyerrors = optional_package("pyerrors", "to_pyerrors")
    rows, single = _columns(record, values)
    there = _complete(rows)
    name = ensemble if stream is None else "%s|%s" % (ensemble, stream)
    numbers = [int(n) for n in np.asarray(record.trajectory)[there]]
    if any(later <= earlier for earlier, later in zip(numbers, numbers[1:])):
        raise ValueError("the numbers of the trajectories do not ascend: pyerrors needs them for autocorrelations")
    found = [pyerrors.Obs([column], [name], idl=[numbers]) for column in rows[there].T]
    return found[0] if single else found
