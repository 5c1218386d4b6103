"""What the Python package reads of Kiln's own files, one function a fact: reader.py FACT ARGUMENT..."""

import json
import os
import sys
from unittest import mock

import numpy as np

import kiln

# Sums of Kiln are exact, those of NumPy are rounded.
ROUNDING = 1e-13


def plaquettes(directory):
    run = kiln.Ensemble(directory)
    assert len(run.configurations()) == 5, run.configurations()
    for path in run.configurations():
        c = kiln.read_configuration(path)
        line = run.record.between(c.state["trajectory"], c.state["trajectory"])
        for found, key in zip(kiln.plaquette(c), ("average", "spatial", "temporal")):
            assert abs(found - line["plaquette." + key][0]) < ROUNDING, (path, key, found)
        assert abs(kiln.link_trace(c.links) - c.link_trace) < ROUNDING, path
        assert c.plaquette == line["plaquette.average"][0], path
        assert kiln.unitarity(c.links) < 1e-13, path


def open_plaquettes(directory):
    """With open boundaries in time, those of active loops."""
    run, stored = kiln.Ensemble(directory), 0
    for c in map(kiln.read_configuration, run.configurations()):
        line = run.record.between(c.state["trajectory"], c.state["trajectory"])
        for found, key in zip(kiln.plaquette(c), ("average", "spatial", "temporal")):
            assert abs(found - line["plaquette." + key][0]) < ROUNDING, (key, found)
        assert abs(kiln.plaquette(c.links)[0] - c.plaquette) < ROUNDING, c.plaquette
        assert abs(c.plaquette - line["plaquette.average"][0]) > 1e-3, c.plaquette
        stored += 1
    assert stored > 0


def doublet_slices(directory):
    """D_s of time slices, by its name: from the source, slice 3, on its longer side; it is heavier than the pion."""
    record, name = kiln.Ensemble(directory).record, "doublet.slices.d_s_meson"
    numbers = np.array([of["doublet"]["slices"]["d_s_meson"] for of in record.results("kaon")])
    assert numbers.shape == (3, 12) and (numbers[:, [0, 11]] == 0).all(), numbers
    assert (kiln.correlator(record, "kaon", name) == numbers).all()
    taken = {}
    with mock.patch.object(kiln.states, "_by_lsqfit", lambda record, c, *more: taken.update(c=c)):
        kiln.fit_states(record, "kaon", name, states=1)
    assert (taken["c"] == numbers[:, 3:11]).all(), taken
    pion, d_s = (kiln.fit_meson(record, "kaon", member, first=2, last=6).mass.value for member in ("slices.pion", name))
    assert 0 < pion < d_s, (pion, d_s)


def record(directory):
    run = kiln.Ensemble(directory)
    assert run.record.trajectory.tolist() == list(range(1, 11)), run.record.trajectory
    assert len(run.record.after_thermalization()) == 8
    assert not run.record.torn and not run.record.damaged
    assert [len(s["record"]) for s in run.segments()] == [6, 4]
    assert run.segments()[1]["reason"] == "finer"
    assert np.allclose(run.record["exp_minus_dH"], np.exp(-run.record["dH"]))


def scales(directory, status, extent=None):
    """The same as kiln status --json, for a curve that crosses and for one that does not."""
    record = kiln.Ensemble(directory).record.after_thermalization()
    with open(status) as file:
        measurements = json.load(file)["measurements"]
    verdicts = set()
    for name in ("flow", "short"):
        of_name = kiln.flow_scales(record, name, extent and int(extent))
        assert {"%s.%s" % (name, title) for title in of_name} == {
            title for title, told in measurements.items() if title.startswith(name + ".") and "needed" in told}
        for title, scale in of_name.items():
            told = measurements["%s.%s" % (name, title)]
            verdicts.add(told["value"] is None)
            assert (scale.used, scale.made) == (told["used"], told["made"]), (name, title)
            for key, number in (("value", scale.value), ("error", scale.error), ("tau", scale.tau),
                                ("tau_error", scale.tau_error)):
                other = np.nan if told[key] is None else told[key]
                assert np.isclose(number, other, rtol=1e-9, equal_nan=True), (name, title, key, number, other)
            other = told["needed"]["t_max"]
            assert np.isclose(scale.t_max, np.nan if other is None else other, equal_nan=True), (name, title, other)
            assert (scale.why == "") == (told["why"] is None), (name, title)
    assert verdicts == {True, False}


def status(directory, told):
    """Ensemble.status is kiln status --json; numbers that the package computes from means are the same."""
    run = kiln.Ensemble(directory)
    with open(told) as file:
        assert run.status()["measurements"] == json.load(file)["measurements"]
    later = run.status(start=9)
    assert later["from"] == 9 and run.status()["from"] != 9
    record = run.record.between(9, None)
    charge = kiln.susceptibility(record["measurements.flow.charge"], 1 / (4 * 4 * 4 * 6), connected=False)
    ratio = kiln.scale_ratio(kiln.flow_scales(record, "flow"))
    compared = [("susceptibility", charge), ("sqrt_t0_over_w0", ratio), ("charge", kiln.correlated_mean(
        record["measurements.flow.charge"]))]
    for key, number in compared:
        of_status = later["measurements"]["flow." + key]
        for found, other in (number.value, of_status["value"]), (number.error, of_status["error"]):
            assert np.isclose(found, np.nan if other is None else other, rtol=1e-9, equal_nan=True), (key, found, other)
    assert np.isfinite(charge.value) and np.isfinite(ratio.value), (charge, ratio)
    units = {key: later["measurements"]["flow." + key]["unit"] for key in ("t0", "w0", "charge")}
    assert units == {"t0": "a\u00b2", "w0": "a", "charge": None}, units


def described(directory, loops, mesons):
    """Units and definitions of columns are those of docs/observables.md, by the tables of the program."""
    columns = 0
    for folder in (directory, loops):
        record = kiln.Ensemble(folder).record
        for path in (key for key in record.keys() if key.startswith("measurements.") and "converged" not in key):
            columns += 1
            member = record.describe(path)
            assert member.definition and member in kiln.result_members()[_kind(record, path)], path
    assert columns > 50, columns
    flow = kiln.Ensemble(directory).record.describe("measurements.flow.along.t2E_clover.3")
    assert (flow.member, flow.unit, flow.shape) == ("along.t2E_clover", None, "[t]"), flow
    assert kiln.Ensemble(directory).record.describe("measurements.flow.t0").unit == "a\u00b2"
    record = kiln.Ensemble(mesons).record
    pion = record.describe("measurements.staggered_mesons.masses.0.pion.3")
    assert (pion.list, pion.member, pion.shape) == ("masses", "pion", "[t]"), pion
    assert record.describe("measurements.wilson.masses.0.mu").unit == "1/a"
    for wrong in "plaquette.average", "measurements.flow.none", "measurements.none.charge", "measurements.flow":
        try:
            kiln.Ensemble(directory).record.describe(wrong)
        except KeyError:
            continue
        raise AssertionError(wrong)


def _kind(record, path):
    name = path.split(".")[1]
    return next(line["measurements"][name]["kind"] for line in record.lines if name in line.get("measurements", {}))


def program(directory):
    """status() says why, if there is no program or if it fails."""
    for command, expected in (("/nonexistent/kiln", "KILN_PROGRAM"), ("false", "status 1")):
        os.environ["KILN_PROGRAM"] = command
        try:
            kiln.Ensemble(directory).status()
        except kiln.ProgramError as error:
            assert expected in str(error), error
            continue
        raise AssertionError(command)


def results(path, ensemble):
    """A file of kiln measure --results, written in several goes: one line for each configuration, in their order."""
    record, all = kiln.Ensemble(ensemble).record, kiln.read_results(path)
    assert not all.torn and not all.damaged
    assert all.trajectory.tolist() == [2, 4, 6, 8, 10], all.trajectory
    assert [os.path.basename(name) for name in all.files][0] == "c.000002.lime", all.files
    for n, plaquette, made in zip(all.trajectory, all["plaquette.average"], all["measurements.flow.charge"]):
        assert plaquette == record.between(n, n)["plaquette.average"][0], n
        assert np.isfinite(made), n
    assert set(all.lines[0]["keys"]) >= {"plaquette", "rectangle", "flow"}, all.lines[0]["keys"]
    assert len(all.where(lambda line: line["trajectory"] > 4)) == 3
    assert list(all.streams()) == ["seed 11, stream 0"], all.streams()
    with open(path, "rb") as file:
        text = file.read()
    with open("changed.jsonl", "wb") as file:
        file.write(text.replace(b'"average": 0.', b'"average": 1.', 1) + b'{"file": "torn')
    changed = kiln.read_results("changed.jsonl")
    assert changed.torn and changed.damaged == [1], changed.damaged
    assert np.isnan(changed["plaquette.average"]).sum() == 1


def several_streams(path, *ensembles):
    """Results of several streams, joined: mean and error are those of their joined records."""
    results, streams = kiln.read_results(path), [kiln.Ensemble(folder).record for folder in ensembles]
    assert len(results.streams()) == len(streams), results.streams()
    try:
        results["plaquette.average"]
        raise AssertionError("a series of several streams")
    except ValueError as error:
        assert "kiln.join_streams([results])" in str(error), error
    numbers = results.trajectory
    stored = kiln.join_streams([of.where(lambda line: line["trajectory"] in numbers and line["trajectory"] > 2)
                                for of in streams])
    joined = kiln.join_streams([results.between(3, None)])
    one, other = (kiln.correlated_mean(of["plaquette.average"]) for of in (stored, joined))
    assert (one.value, one.error, one.used) == (other.value, other.error, (numbers > 2).sum()), (one, other)


def write_loops(directory):
    """Wilson loops of three measurements: midpoint, tree-level distance, and loops too short for r0."""
    os.mkdir(directory)
    g = np.random.default_rng(8)
    kinds = {"plain": (9, {}), "tree": (9, {"t_potential": 2, "distance": "wilson"}), "short": (3, {"t_potential": 1})}
    t = np.arange(1, 6)
    with open(os.path.join(directory, "run.jsonl"), "w") as file:
        for n in range(1, 201):
            made = {}
            for name, (r_max, settings) in kinds.items():
                r = np.arange(1, r_max + 1)
                v = 0.6 - 0.3 / r + 0.055 * r
                loops = 0.8 * np.exp(-v[:, None] * t) * (1 + 0.004 * g.normal(size=(r_max, 5)))
                made[name] = {"kind": "wilson_loops", "loops": loops.tolist(), **settings}
            file.write(json.dumps({
                "trajectory": n, "accepted": True, "thermalization": n < 10, "dH": 0, "exp_minus_dH": 1,
                "plaquette": {"average": 0.5}, "seconds": 1, "measurements": made}) + "\n")


def potential(directory, status):
    """V(r), r0 and r1 are those of kiln status --json."""
    record = kiln.Ensemble(directory).record.after_thermalization()
    with open(status) as file:
        measurements = json.load(file)["measurements"]
    for name, r_max in ("plain", 9), ("tree", 9), ("short", 3):
        p = kiln.static_potential(record, name=name)
        numbers = {"V(%d)" % r: v for r, v in zip(p.r, p.value)}
        numbers.update(r0=p.r0, r1=p.r1)
        assert len(numbers) == r_max + 2
        for key, number in numbers.items():
            told = measurements["%s.%s" % (name, key)]
            for found, other in (number.value, told["value"]), (number.error, told["error"]):
                other = np.nan if other is None else other
                assert np.isclose(found, other, rtol=1e-7, equal_nan=True), (name, key, found, other)
        assert np.isfinite(p.r0.value) == (name != "short"), (name, p.r0)
    plain, tree = (measurements[name + ".r0"]["value"] for name in ("plain", "tree"))
    assert 1e-3 < abs(plain - tree) < 0.5, (plain, tree)


MESONS = {"staggered_mesons": ("(0.02)", 2), "wilson": ("(0.15,0.01)", 1)}      # label of the mass, step of the pair


def write_mesons(directory):
    """Correlators of a mass and of a pair, noisy at the end; some configurations have none."""
    os.mkdir(directory)
    g, t = np.random.default_rng(9), np.arange(16)
    with open(os.path.join(directory, "run.jsonl"), "w") as file:
        for n in range(1, 201):
            made = {}
            for kind in MESONS:
                pion, kaon = (np.cosh(m * (8 - t)) / np.cosh(8 * m) * (1 + 0.02 * g.normal(size=16))
                              + 0.01 * g.normal(size=16) for m in (0.4, 0.9))
                mass = {"mass": 0.02, "kappa": 0.15, "mu": 0.01, "pion": pion.tolist()}
                made[kind] = {"kind": kind, "masses": [mass],
                              "pairs": [{"quark": 0, "antiquark": 1, "pion": kaon.tolist()}]}
            file.write(json.dumps({
                "trajectory": n, "accepted": True, "thermalization": n < 10, "dH": 0, "exp_minus_dH": 1,
                "plaquette": {"average": 0.5}, "seconds": 1, "measurements": made if n % 7 else {}}) + "\n")


def effective_masses(directory, status):
    """m(t) of masses and pairs are those of kiln status --json, which has no other ones."""
    record = kiln.Ensemble(directory).record.after_thermalization()
    with open(status) as file:
        measurements = json.load(file)["measurements"]
    found = {}
    for kind, (label, step) in MESONS.items():
        for which, options in (label, {"mass": 0}), ("(0,1)", {"pair": 0, "step": step}):
            in_time = kiln.effective_mass(record, kind, **options).in_time
            found.update({"%s.pion_m_eff(%d)%s" % (kind, t, which): m for t, m in enumerate(in_time)})
    found = {title: m for title, m in found.items() if np.isfinite(m.value)}
    assert 30 < len(found) < 60, len(found)
    assert set(found) == {title for title in measurements if "m_eff" in title}
    for title, m in found.items():
        told = measurements[title]
        assert np.allclose((m.value, m.error), (told["value"], told["error"]), rtol=1e-7, atol=0), (title, m, told)


SPACINGS = {"every5": (5, 5), "every3then2": (3, 2)}


def write_spaced(directory):
    """Measurements of the plaquette, a chain with rho(t) = 0.9^t, every few trajectories, then every few others."""
    os.mkdir(directory)
    noise, now, count = np.random.default_rng(3).normal(size=6001), 0.0, 6000
    with open(os.path.join(directory, "run.jsonl"), "w") as file:
        for n in range(1, count + 1):
            now = 0.9 * now + noise[n]
            made = {name: {"kind": "flow", "charge": now} for name, every in SPACINGS.items()
                    if n % every[2 * n > count] == 0}
            file.write(json.dumps({"trajectory": n, "accepted": True, "thermalization": False, "dH": 0,
                                   "exp_minus_dH": 1, "plaquette": {"average": now}, "seconds": 1,
                                   "measurements": made}) + "\n")


def spaced(directory, status):
    """Error and tau of columns with many gaps: those of kiln status, and about those of all trajectories."""
    record = kiln.read_record(os.path.join(directory, "run.jsonl"))
    with open(status) as file:
        measurements = json.load(file)["measurements"]
    dense = kiln.correlated_mean(record["plaquette.average"])
    for name in SPACINGS:
        m = kiln.correlated_mean(record["measurements.%s.charge" % name])
        told = measurements["%s.charge" % name]
        for key, number in (("value", m.value), ("error", m.error), ("tau", m.tau), ("tau_error", m.tau_error)):
            assert np.isclose(number, told[key], rtol=1e-9), (name, key, number, told[key])
        assert abs(m.error / dense.error - 1) < 0.25 and abs(m.tau / dense.tau - 1) < 0.4, (name, m, dense)


def write_raised(directory):
    """Flows whose t_max was raised on the way: one to where the mean crosses the level, one not so far."""
    os.mkdir(directory)
    slopes = 0.12 + 0.02 * np.random.default_rng(4).normal(size=61)
    with open(os.path.join(directory, "run.jsonl"), "w") as file:
        for n in range(1, 61):
            made = {}
            for name, raised in (("flow", 3), ("short", 2)):
                t = np.arange(0, (1 if n <= 30 else raised) + 0.01, 0.25)
                made[name] = {"kind": "flow", "along": {"t": t.tolist(), "t2E_clover": (slopes[n] * t).tolist(),
                                                        "t2E_plaquette": (1.2 * slopes[n] * t).tolist()}}
            file.write(json.dumps({"trajectory": n, "accepted": True, "thermalization": False, "dH": 0,
                                   "exp_minus_dH": 1, "plaquette": {"average": 0.5}, "seconds": 1,
                                   "measurements": made}) + "\n")


def joined(one, other):
    """Streams that Kiln made with another beta are not joined; segments with another number of steps are."""
    streams = [kiln.Ensemble(folder).record.after_thermalization() for folder in (one, other)]
    assert [first for first, _ in streams[0].parameters] == [0, 7]
    kiln.join_streams(streams[:1])
    try:
        kiln.join_streams(streams)
    except ValueError as error:
        assert str(error).endswith("distribution: monomials.0.beta is 4.5 and 3.6"), error
        return
    raise AssertionError("two values of beta")


def torn(directory):
    path = os.path.join(directory, "run.jsonl")
    whole = kiln.read_record(path)
    with open(path, "rb") as file:
        content = file.read()
    with open("torn.jsonl", "wb") as file:
        file.write(content[:-100])
    cut = kiln.read_record("torn.jsonl")
    assert cut.torn and cut.lines == whole.lines[:-1] and not cut.damaged


def left_out(directory):
    record, status = kiln.Ensemble(directory).record, kiln.Ensemble(directory).status()
    mean = kiln.correlated_mean(record.after_thermalization()["plaquette.average"])
    assert (record.left_out, status["left_out_lines"]) == (list(range(11, 20)), 9), record.left_out
    assert np.isclose(mean.value, status["plaquette"]["value"], rtol=1e-12) and mean.used == 8, mean


def same_links(one, other, bits):
    a, b = kiln.read_configuration(one), kiln.read_configuration(other)
    assert b.bits == int(bits) and (a.links.astype(b.links.dtype) == b.links).all()
    assert b.extents == (4, 4, 4, 6)


def same_rows(one, other):
    a, b = kiln.read_configuration(one), kiln.read_configuration(other)
    rounded = a.links.astype(b.links.dtype)
    assert b.bits == 32 and b.extents == (4, 4, 4, 6) and b.format == "nersc"
    assert (rounded[..., :2, :] == b.links[..., :2, :]).all() and np.abs(rounded - b.links).max() < 1e-6
    assert abs(kiln.plaquette(a.links)[0] - b.plaquette) < 1e-6


def flipped_at_end(path):
    with open(path, "rb") as file:
        content = bytearray(file.read())
    content[-3] ^= 1
    with open("flipped.links", "wb") as file:
        file.write(content)
    try:
        kiln.read_configuration("flipped.links")
    except kiln.ConfigurationError:
        return
    raise AssertionError(path)


def probe(configuration, links, force):
    u = kiln.read_array(links)
    assert (u == kiln.read_configuration(configuration).links).all()
    f = kiln.read_array(force)
    assert f.shape == u.shape
    assert np.abs(f + f.conj().swapaxes(-1, -2)).max() < ROUNDING
    assert np.abs(np.trace(f, axis1=-2, axis2=-1)).max() < ROUNDING


def flipped(path):
    with open(path, "rb") as file:
        content = bytearray(file.read())
    data = content.index(b"ildg-binary-data") + 128
    for at in (data, data + 100001, data + 4 * 4 * 4 * 6 * 576 - 1):
        content[at] ^= 1
        with open("flipped.lime", "wb") as file:
            file.write(content)
        try:
            kiln.read_configuration("flipped.lime")
        except kiln.ConfigurationError:
            content[at] ^= 1
            continue
        raise AssertionError("byte %d" % at)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
