"""Correlators of Wilson quarks with open boundaries in time, from the solutions of kiln probe, against a record.

    python3 open_mesons.py source COLUMN FILE         column 3 spin + color of a point source at (1, 2, 3, 2)
    python3 open_mesons.py compare RECORD SOLUTIONS   the differences that are too large, in words"""

import json
import sys

import numpy as np

import kiln

EXTENTS, POINT = (8, 4, 4, 4), (2, 3, 2, 1)               # t, z, y, x
PLATEAU = (4, 5)
GAMMA_T = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]])      # DeGrand and Rossi


def write_source(column, path):
    source = np.zeros(EXTENTS + (4, 3, 2))
    source[POINT + (column // 3, column % 3, 0)] = 1
    np.save(path, source)


def complain_if_off(what, found, expected, allowed=1e-11):
    off = np.nanmax(np.abs(np.asarray(found, dtype=float) - expected)) / np.nanmax(np.abs(expected))
    if not off < allowed:
        print("%s is off by %.2g" % (what, off))


def compare(record, solutions):
    pion, axial = np.zeros(EXTENTS[0]), np.zeros(EXTENTS[0])
    for path in solutions:
        q = np.load(path)
        q = q[..., 0] + 1j * q[..., 1]
        pion += (np.abs(q) ** 2).sum(axis=(1, 2, 3, 4, 5))
        axial -= np.einsum("tzyxsc,sr,tzyxrc->t", q.conj(), GAMMA_T, q).real
    with open(record) as file:
        mass = json.loads(file.readlines()[-1])["measurements"]["quarks"]["masses"][0]
    slices = mass["slices"]
    complain_if_off("pion", slices["pion"], pion)
    complain_if_off("axial", slices["axial"], axial)
    complain_if_off("bilinears.pseudoscalar", slices["bilinears"]["pseudoscalar"], pion)
    pcac = (axial[2:] - axial[:-2]) / (4 * pion[1:-1])
    complain_if_off("pcac_mass of slices", slices["pcac_mass"][1:-1], pcac)
    complain_if_off("pcac_mass", [mass["pcac_mass"]], np.array([pcac[PLATEAU[0] - 1:PLATEAU[1]].mean()]))
    if slices["pion"][0] != 0 or slices["pion"][-1] != 0 or slices["pcac_mass"][0] is not None:
        print("the first and the last slice are not empty")
    if "pion" in mass or "pion_mass" in mass or "vector_mass" in slices:
        print("there are numbers for periodic boundaries")
    last = kiln.read_record(record).between(2, 2)
    complain_if_off("kiln.pcac_mass", [kiln.pcac_mass(last, "quarks", plateau=PLATEAU).plateau.value],
               np.array([mass["pcac_mass"]]))


if sys.argv[1] == "source":
    write_source(int(sys.argv[2]), sys.argv[3])
else:
    compare(sys.argv[2], sys.argv[3:])
