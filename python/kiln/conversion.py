"""Results as objects of other packages: gvar (with lsqfit) and pyerrors.  Both packages are optional.

`values` is an array [trajectory] of a column, or [trajectory, t] of kiln.correlator, as `record` gives them; NaN: not
measured.  Rows with a NaN are left out."""

import numpy as np

from .chains import REPLICA
from .errors import optional_package
from .statistics import correlated_mean


def _columns(record, values):
    """(an array [trajectory, column], whether `values` is one column) of the name of a column or of an array."""
    record.require_one_chain()
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


def _replicas(record):
    """The number of the stream of each line of joined streams; -1 for all others."""
    return np.array([(line.get(REPLICA) or {}).get("number", -1) for line in record.lines])


def _numbers(record):
    """The number of the trajectory of each line, in its own stream."""
    return [(line.get(REPLICA) or {}).get("trajectory", number) for line, number in zip(record.lines, record.numbers)]


def _bins(rows, replicas, size):
    """Means of `size` rows in a row of one stream."""
    if size < 1:
        raise ValueError("bin_size is %s: a bin has at least one configuration" % size)
    parts = {replica: rows[replicas == replica] for replica in np.unique(replicas)}
    for replica, part in parts.items():
        if len(part) < size and len(parts) > 1:
            raise ValueError("stream %d has fewer configurations than a bin, %d of %d, and its mean would be left out: "
                             "take a smaller bin_size" % (replica, len(part), size))
    found = [part[:len(part) // size * size].reshape(-1, size, rows.shape[1]).mean(axis=1) for part in parts.values()]
    bins = np.concatenate(found)
    if len(bins) < 2:
        raise ValueError("%d configurations make fewer than two bins of %d" % (len(rows), size))
    return bins


def to_gvar(record, values, bin_size=None):
    """The means as a GVar, or an array of them, with their correlations (https://gvar.readthedocs.io).

    Without `bin_size`, errors are those of the Gamma method, which include autocorrelation, and the correlations those
    of single configurations.  With `bin_size`, errors and correlations are those of means of so many configurations in
    a row, of one stream where the record is of joined ones."""
    gvar = optional_package("gvar", "to_gvar")
    rows, single = _columns(record, values)
    there = _complete(rows)
    if bin_size is not None:
        rows = _bins(rows[there], _replicas(record)[there], bin_size)
        error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    else:
        error = np.array([correlated_mean(np.where(there, column, np.nan)).error for column in rows.T])
        rows = rows[there]
    correlation = np.atleast_2d(np.corrcoef(rows, rowvar=False)) if rows.shape[1] > 1 else np.ones((1, 1))
    means = gvar.gvar(rows.mean(axis=0), np.where(np.isfinite(correlation), correlation, 0) * np.outer(error, error))
    return means[0] if single else means


def to_pyerrors(record, values, ensemble="kiln", stream=None):
    """The means as an Obs, or a list of them, of the ensemble `ensemble` (https://fjosw.github.io/pyerrors): with the
    numbers of the trajectories as `idl`, so that pyerrors knows gaps and correlates all columns of one ensemble.
    `stream` distinguishes streams of an ensemble: the name of the replica is then "ensemble|stream".  Joined streams
    (kiln.join_streams) are the replicas "ensemble|0", "ensemble|1", ...  Call gamma_method of each for its error."""
    pyerrors = optional_package("pyerrors", "to_pyerrors")
    rows, single = _columns(record, values)
    there = _complete(rows)
    replicas = _replicas(record)
    several = (replicas >= 0).any()
    if several and stream is not None:
        raise ValueError("leave out `stream`: the record is of joined streams, each a replica of its own")
    names, parts, numbers = [], [], []
    for replica in np.unique(replicas[there]):
        of = there & (replicas == replica)
        suffix = replica if several else stream
        names.append(ensemble if suffix is None else "%s|%s" % (ensemble, suffix))
        parts.append(rows[of])
        numbers.append([int(n) for n in np.asarray(_numbers(record))[of]])
    found = [pyerrors.Obs([part[:, column] for part in parts], names, idl=numbers) for column in range(rows.shape[1])]
    return found[0] if single else found
