"""Observables of links [t, z, y, x, mu, row, column] in plain NumPy: for comparisons, not for speed."""

import numpy as np

AXIS = (3, 2, 1, 0)                      # of x, y, z, t in the array


def _links(links):
    u = np.asarray(links, dtype=complex)
    if u.ndim != 7 or u.shape[4:] != (4, 3, 3):
        raise ValueError("links [t, z, y, x, mu, row, column] expected, the last three 4, 3, 3; found the shape %s"
                         % (u.shape,))
    return u


def plaquette(links):
    """Mean Re Tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+ / 3 as (average, spatial, temporal)."""
    u = _links(links)
    mean = {}
    for nu in range(4):
        for mu in range(nu):
            ahead_nu = np.roll(u[..., nu, :, :], -1, AXIS[mu])
            ahead_mu = np.roll(u[..., mu, :, :], -1, AXIS[nu])
            up, down = u[..., mu, :, :] @ ahead_nu, u[..., nu, :, :] @ ahead_mu
            mean[mu, nu] = np.mean(np.sum(up * down.conj(), axis=(-2, -1)).real) / 3
    spatial = np.mean([mean[plane] for plane in mean if plane[1] < 3])
    temporal = np.mean([mean[plane] for plane in mean if plane[1] == 3])
    return (spatial + temporal) / 2, spatial, temporal


def link_trace(links):
    """Mean Re Tr U / 3."""
    return np.mean(np.trace(_links(links), axis1=-2, axis2=-1).real) / 3


def unitarity(links):
    """The largest |U^+ U - 1| and |det U - 1| of all links: the distance from SU(3)."""
    u = _links(links)
    off = np.abs(np.swapaxes(u.conj(), -2, -1) @ u - np.eye(3)).max()
    return max(off, np.abs(np.linalg.det(u) - 1).max())
