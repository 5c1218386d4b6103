"""Observables of links [t, z, y, x, mu, row, column] in plain NumPy: for comparisons, not for speed."""

import numpy as np

AXIS = (3, 2, 1, 0)                      # of x, y, z, t in the array


def _links(of):
    u = np.asarray(getattr(of, "links", of), dtype=complex)
    if u.ndim != 7 or u.shape[4:] != (4, 3, 3):
        raise ValueError("links [t, z, y, x, mu, row, column] expected, the last three 4, 3, 3; found the shape %s"
                         % (u.shape,))
    return u


def plaquette(of, open_in_time=None):
    """Mean Re Tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+ / 3 of links or of a Configuration, as (average, spatial,
    temporal).  With open boundaries in time the means are over active loops, as in the record of a run: over those
    without a link from the last time slice to the first.  open_in_time: by default, what the state of a Configuration
    says; links alone are periodic."""
    u = _links(of)
    if open_in_time is None:
        open_in_time = getattr(of, "open_in_time", False)
    loops = {False: [], True: []}                          # in space, and with t
    for nu in range(4):
        for mu in range(nu):
            ahead_nu = np.roll(u[..., nu, :, :], -1, AXIS[mu])
            ahead_mu = np.roll(u[..., mu, :, :], -1, AXIS[nu])
            up, down = u[..., mu, :, :] @ ahead_nu, u[..., nu, :, :] @ ahead_mu
            trace = np.sum(up * down.conj(), axis=(-2, -1)).real / 3
            loops[nu == 3].append(trace[:-1] if open_in_time and nu == 3 else trace)
    spatial, temporal = np.array(loops[False]), np.array(loops[True])
    average = (spatial.sum() + temporal.sum()) / (spatial.size + temporal.size)
    return average, spatial.mean(), temporal.mean()


def link_trace(of):
    """Mean Re Tr U / 3 of links or of a Configuration."""
    return np.mean(np.trace(_links(of), axis1=-2, axis2=-1).real) / 3


def unitarity(of):
    """The largest |U^+ U - 1| and |det U - 1| of all links: the distance from SU(3)."""
    u = _links(of)
    off = np.abs(np.swapaxes(u.conj(), -2, -1) @ u - np.eye(3)).max()
    return max(off, np.abs(np.linalg.det(u) - 1).max())
