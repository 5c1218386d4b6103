"""Arrays that kiln probe writes and reads: float64 in NumPy's format, complex numbers as [re, im] at the end."""

import numpy as np


def read_array(path):
    """The array, complex where its last index is [re, im]: links, forces and momenta [t, z, y, x, mu, row, column],
    staggered vectors [t, z, y, x, color], Wilson spinors [t, z, y, x, spin, color], domain-wall spinors
    [s, t, z, y, x, spin, color]."""
    array = np.load(path, allow_pickle=False)
    if array.dtype != np.float64 or array.ndim == 0 or array.shape[-1] != 2:
        raise ValueError("%s: %s of shape %s is no array of kiln probe: float64 [..., re, im] is"
                         % (path, array.dtype, array.shape))
    return np.ascontiguousarray(array).view(np.complex128)[..., 0]
