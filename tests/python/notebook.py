"""Runs the cells of a notebook for an ensemble, and compares what they plot with its record: notebook.py FILE FOLDER.

Matplotlib need not be there: a stand-in takes its place and notes what is plotted."""

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


def main(path, folder):
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


if __name__ == "__main__":
    main(*sys.argv[1:])
