"""The sign of the Wilson kernel as a dense matrix in NumPy, on a lattice of periodic copies of a cell:
dense_sign.py FACT ARGUMENT...

On links that repeat after a cell, H = gamma5 D_w(-M0) is a dense matrix of the cell for each momentum: vectors of
momentum k get the phase exp(i k) from cell to cell.  All eigenvectors of these matrices give sign(H) v of any v."""

import itertools
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "measure"))
from propagator_facts import links_of, wilson                                    # noqa: E402

GAMMA5 = np.diag([1, 1, -1, -1])


def kernel(u, M0, boundary):
    """H on a cell, with phases of the boundary."""
    shape = u.shape[:4] + (4, 3)
    n = int(np.prod(shape))
    h = wilson(np.eye(n, dtype=complex).reshape(shape + (n,)), u, -M0, boundary)
    h = np.einsum("rs,tzyxsan->tzyxran", GAMMA5, h).reshape(n, n)
    assert np.abs(h - h.conj().T).max() < 1e-13, "H is not hermitian"
    return h


def sign_of(v, u, M0):
    """sign(H) v on 2 x 2 cells in y and x: H and v by momentum.  Also the smallest |eigenvalue|."""
    t, z, y, x = u.shape[:4]
    cells = v.reshape(t, z, 2, y // 2, 2, x // 2, 4, 3)
    cell = u[:, :, :y // 2, :x // 2]
    for ny, nx in itertools.product((0, 1), repeat=2):
        here = u[:, :, ny * y // 2:(ny + 1) * y // 2, nx * x // 2:(nx + 1) * x // 2]
        assert (here == cell).all(), "the links are no copies"
    out, least = np.zeros_like(cells), np.inf
    for ky, kx in itertools.product((1, -1), repeat=2):
        part = sum(ky ** ny * kx ** nx * cells[:, :, ny, :, nx] for ny in (0, 1) for nx in (0, 1)) / 4
        value, vector = np.linalg.eigh(kernel(cell, M0, (kx, ky, 1, -1)))
        least = min(least, np.abs(value).min())
        turned = vector @ (np.sign(value) * (vector.conj().T @ part.reshape(-1)))
        for ny, nx in itertools.product((0, 1), repeat=2):
            out[:, :, ny, :, nx] += ky ** ny * kx ** nx * turned.reshape(part.shape)
    return out.reshape(v.shape), least


def complex_array(path):
    numbers = np.load(path)
    return numbers[..., 0] + 1j * numbers[..., 1]


def write_source(path, *extents):
    """Random numbers on all sites; extents: x, y, z, t."""
    shape = tuple(int(n) for n in extents[::-1]) + (4, 3, 2)
    np.save(path, np.random.default_rng(5).normal(size=shape))


def write_dense(out, links, source, M0):
    v = complex_array(source)
    turned, least = sign_of(v, links_of(links), float(M0))
    assert np.abs(np.linalg.norm(turned) / np.linalg.norm(v) - 1) < 1e-12
    np.save(out, turned)
    print(repr(least))


def same(result, dense, tolerance):
    """|result - dense| / |dense|"""
    a, b = complex_array(result), np.load(dense)
    error = np.linalg.norm(a - b) / np.linalg.norm(b)
    print("error %.1e" % error)
    assert error < float(tolerance), error


def operator(result, source, dense, M0, mass, tolerance):
    """D(m) v from the dense sign."""
    v, M0, mass = complex_array(source), float(M0), float(mass)
    chiral = np.einsum("rs,tzyxsa->tzyxra", GAMMA5, np.load(dense))
    b = (1 - mass / (2 * M0)) * M0 * (v + chiral) + mass * v
    error = np.linalg.norm(complex_array(result) - b) / np.linalg.norm(b)
    print("error %.1e" % error)
    assert error < float(tolerance), error


def smallest(printed, least, tolerance):
    """The smallest |eigenvalue| that kiln probe prints."""
    with open(printed) as file:
        found = abs(json.load(file)["kernel"]["eigenvalues"][0])
    assert abs(found / float(least) - 1) < float(tolerance), found


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
