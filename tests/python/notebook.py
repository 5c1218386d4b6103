"""Runs the cells of a notebook for an ensemble, and compares what they plot with its record: notebook.py FILE FOLDER.

With a third argument, the notebook is that of the pion mass: `pyerrors`, where it must be installed, or `without` it.

Matplotlib need not be there: a stand-in takes its place and notes what is plotted."""

import importlib
import json
import os
import sys
import types

import numpy as np


class Axes:
    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def note(*arguments, **options):
            self.calls.append((name, arguments, options))
        return note

    def of(self, name):
        return [arguments for found, arguments, _ in self.calls if found == name]


def stand_in(figures):
    pyplot = types.ModuleType("matplotlib.pyplot")

    def subplots(rows=1, columns=1, figsize=None):
        axes = [Axes() for _ in range(rows * columns)]
        figures.append(axes)
        return object(), axes[0] if len(axes) == 1 else axes
    pyplot.subplots = subplots
    sys.modules["matplotlib"] = types.ModuleType("matplotlib")
    sys.modules["matplotlib"].pyplot = sys.modules["matplotlib.pyplot"] = pyplot


def lines_of(folder):
    with open(os.path.join(folder, "run.jsonl")) as file:
        return [json.loads(line) for line in file]


def run_cells(path, folder):
    """What the cells plot, and their names at the end."""
    with open(path) as file:
        notebook = json.load(file)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5), "another format of notebooks"
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells), "cells with equal names"
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code), "outputs are stored"
    figures, names = [], {}
    stand_in(figures)
    os.environ["KILN_ENSEMBLE"] = folder
    for cell in code:
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    return figures, names


def ensemble(path, folder):
    figures, names = run_cells(path, folder)
    lines = lines_of(folder)
    equilibrium = [line for line in lines if not line["thermalization"]]
    history, (spread, against), bins = figures[0][0], figures[1], figures[2][0]
    x, y = history.of("plot")[0][:2]
    assert list(x) == [line["trajectory"] for line in lines]
    assert list(y) == [line["plaquette"]["average"] for line in lines]
    low, high = history.of("axhspan")[0]
    mean = np.mean([line["plaquette"]["average"] for line in equilibrium])
    assert abs(0.5 * (low + high) - mean) < 1e-14 and high > low
    assert list(spread.of("hist")[0][0]) == [line["dH"] for line in equilibrium]
    assert list(against.of("plot")[0][1]) == [line["dH"] for line in equilibrium]
    sizes, errors = bins.of("plot")[0][:2]
    single = np.std([line["plaquette"]["average"] for line in equilibrium], ddof=1) / np.sqrt(len(equilibrium))
    assert sizes[0] == 1 and abs(errors[0] - single) < 1e-14, (errors[0], single)
    titles = [axes[0].of("set_title")[0][0] for axes in figures[3:]]
    assert any(title.startswith("measurements.flow.charge:") for title in titles), titles
    assert abs(names["average"] - lines[-1]["plaquette"]["average"]) < 1e-13


def pion_mass(path, folder, package):
    if package == "without":
        sys.modules["pyerrors"] = None                    # an import then fails
    else:
        importlib.import_module(package)                  # with the true Matplotlib, which it needs
    figures, names = run_cells(path, folder)
    assert (names["pyerrors"] is None) == (package == "without"), "the wrong package was used"
    left, right = figures[0]
    with open(os.path.join(folder, "pion.jsonl")) as file:
        lines = [json.loads(line) for line in file]
    begin = min(line["trajectory"] for line in lines_of(folder) if not line["thermalization"])
    lines = [line for line in lines if line["trajectory"] >= begin]
    correlators = np.array([line["measurements"]["pion"]["masses"][0]["pion"] for line in lines])
    mean = correlators.mean(axis=0)
    assert np.allclose(left.of("plot")[0][1], mean, rtol=1e-14)
    if package == "pyerrors":                             # folded about the source
        mean = (mean + np.roll(mean[::-1], 1)) / 2
    masses = np.arccosh(np.maximum((np.roll(mean, 1) + np.roll(mean, -1)) / (2 * mean), 1))
    times, values, errors = right.of("errorbar")[0][:3]
    assert len(times) >= 3 and np.allclose(values, masses[np.array(times)], rtol=1e-10), (values, masses)
    assert all(0 < error < 1 for error in errors), errors
    distance = np.minimum(np.arange(len(mean)), len(mean) - np.arange(len(mean)))
    plateau = masses[4:7] if package == "pyerrors" else masses[distance >= 4]
    low, high = right.of("axhspan")[0]
    assert abs((low + high) / 2 - plateau.mean()) < 1e-10 and 0 < high - low < 1, (low, high, plateau)


def main(path, folder, package=None):
    if package is None:
        ensemble(path, folder)
    else:
        pion_mass(path, folder, package)


if __name__ == "__main__":
    main(*sys.argv[1:])
