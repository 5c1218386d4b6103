#!/usr/bin/env python3
"""draw_input.py SEED - print an input of kiln run on a tiny lattice, drawn at random from the features of Kiln.

    python3 tests/fuzz/draw_input.py 5 >run.yaml

The same seed gives the same input.  A term of the action, an algorithm and measurements are drawn independently, so
that features meet which no other test brings together; tests/fuzz/test_crossings.sh says what must hold for each
input.  Some crossings have no meaning: kiln check refuses them.  Masses are large and lattices tiny, so that a stream
of three trajectories takes about a second; residuals are small.
"""
import json
import random
import sys

SOLVERS = ["double", "double-single", "double-single-half", "double-single-int20", "double-int20", "double-half",
           "adaptive"]
SCHEMES = ["leapfrog", "omelyan", "omelyan_position", "4mn4fp", "force_gradient"]
BETA = {"wilson": 5.8, "symanzik_tree": 4.5, "iwasaki": 2.4, "dbw2": 1}
LATTICES = [[2, 2, 2, 8], [2, 2, 4, 4], [4, 2, 2, 4], [2, 4, 2, 4], [2, 2, 2, 4], [2, 8, 2, 2]]
RESIDUALS = {"refresh": 1e-11, "action": 1e-11, "force": 1e-9}


class Draw:
    """One input: `random` decides, `open` and `xi_0` are properties of the lattice that all parts share."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.lattice = list(self.one_of(LATTICES))
        self.open = self.lattice[3] > 4 and self.maybe(0.3)
        self.xi_0 = None if self.open or self.maybe(0.8) else 2.5

    def maybe(self, probability):
        return self.random.random() < probability

    def one_of(self, values):
        return self.random.choice(values)

    def mass(self):
        return round(self.random.uniform(0.2, 0.6), 3)

    # ---- terms of the action

    def gauge(self):
        action = self.one_of(["wilson", "symanzik_tree", "iwasaki"] if self.xi_0 else list(BETA))
        term = {"kind": "gauge", "action": action, "beta": BETA[action]}
        if self.xi_0:
            term["xi_0"] = self.xi_0
        if self.open and self.maybe(0.5):
            term["c_G"] = 1.2
        return term

    def stout(self, of):
        if self.maybe(0.3):
            of["stout"] = {"levels": self.one_of([1, 2]), "rho": 0.1, "spatial_only": self.maybe(0.3)}

    def wilson_links(self, of):
        """Keys of Wilson quarks that monomials and measurements share."""
        self.stout(of)
        if self.xi_0:
            of.update(xi_0=self.xi_0, nu=1.1)
            if self.maybe(0.5):
                of.update(c_s=1.2, c_t=0.8)
        elif self.maybe(0.7):
            of["c_sw"] = self.one_of([1, 1.5])
            if "stout" in of and self.maybe(0.5):
                of["clover_links"] = "thin"
        if self.maybe(0.3):
            of["clover"] = "exponential"
        if self.maybe(0.3):
            of["boundary"] = 0
        if self.maybe(0.3):
            of["theta"] = self.one_of([[0.5, 0, 0], [0.3, -0.7, 1.1]])
        if self.open and "clover" not in of:
            of["c_F"] = 1.3

    def two_flavors(self):
        mass = self.mass()
        one = {"flavors": 2, "mass": mass}
        if self.maybe(0.3):
            one["mu"] = 0.1
        if self.maybe(0.3):
            one["rho"] = 0.1
        if self.maybe(0.5):
            one["hasenbusch"] = self.one_of([[{"mass": mass + 0.5}], [{"mu": 0.4}], [{"rho": 0.4}],
                                             [{"rho": 0.3}, {"mass": mass + 0.6}]])
        if self.maybe(0.3):
            one["chronological"] = self.one_of([1, 3])
        return one

    def wilson(self):
        term = {"kind": "wilson", "method": self.one_of(["cg", "bicgstab", "bicgstab4", "multigrid"])}
        self.wilson_links(term)
        if term["method"] == "multigrid":
            term["multigrid"] = {"vectors": 6, "setup_iterations": 10}
        elif self.maybe(0.5):
            term["even_odd"] = "symmetric"
        one_flavor = {"flavors": 1, "mass": self.mass(), "fields": self.one_of([1, 2])}
        term["determinants"] = [self.two_flavors() if self.maybe(0.7) else one_flavor]
        return term

    def wilson_doublet(self):
        term = {"kind": "wilson_doublet", "mass": self.mass(), "mu_sigma": 0.3, "mu_delta": self.one_of([0.2, -0.1])}
        self.stout(term)
        if self.maybe(0.6):
            term["c_sw"] = 1.2
        if self.maybe(0.3):
            term["hasenbusch"] = [{"mu_sigma": 0.7}]
        return term

    def domain_wall(self):
        term = {"kind": "domain_wall", "Ls": 4, "action": self.one_of(["shamir", "mobius", "optimal_symmetric"])}
        if term["action"] == "optimal_symmetric":
            term["lambda_min"] = 0.3
        self.stout(term)
        one = {"flavors": 2, "mass": self.mass()}
        if self.maybe(0.4):
            one = {"flavors": 1, "mass": self.mass(), "method": self.one_of(["rational", "exact"])}
        elif self.maybe(0.5):
            one.update(hasenbusch=[{"mass": one["mass"] + 0.3}], chronological=self.one_of([0, 2]))
        term["determinants"] = [one]
        return term

    def staggered(self):
        term = {"kind": "staggered", "action": self.one_of(["naive", "asqtad", "hisq"])}
        mass = self.mass()
        one = {"quarks": [{"mass": mass, "flavors": self.one_of([1, 2, 3])}], "fields": self.one_of([1, 1, 2])}
        if self.maybe(0.4):
            one["hasenbusch"] = [{"mass": mass + 0.8, "fields": self.one_of([1, 2])}]
        if self.maybe(0.3):
            term["imaginary_mu"] = 0.3
        self.stout(term)
        term.update(determinants=[one], max_rhs=self.one_of([1, 8]), measure_every=self.one_of([1, 2, 10]))
        return term

    def quarks(self):
        kinds = [self.wilson, self.wilson, self.wilson_doublet, self.domain_wall, self.staggered]
        if self.xi_0:
            kinds = [self.wilson]
        elif self.open:
            kinds = [self.wilson, self.wilson_doublet]
        term = self.one_of(kinds)()
        term.update(name="quarks", residuals=RESIDUALS, solver=self.one_of(SOLVERS),
                    residual_norm=self.one_of(["two", "two", "uniform"]))
        return term

    # ---- measurements

    def flow(self):
        m = {"t_max": 0.2, "eps": 0.05, "measure_every": 2}
        if self.xi_0:
            m["xi"] = self.xi_0
        if self.open:
            m.update(plateau_first=2, plateau_last=self.lattice[3] - 3)
        return m

    def wilson_quarks(self):
        m = {"masses": [{"mass": 0.4, "mu": self.one_of([0, 0.2])}, {"mass": 0.7}], "random_sources": 1,
             "pairs": [{"quark": 0, "antiquark": 1}], "bilinears": self.one_of(["none", "all"]),
             "solver": self.one_of(SOLVERS)}
        self.wilson_links(m)
        if self.open:
            m.update(random_sources=0, source=[0, 0, 0, 1], plateau_first=3, plateau_last=self.lattice[3] - 2)
        elif self.maybe(0.4):
            m["modes"] = {"count": 2, "deflate": True}
        return m

    def staggered_mesons(self):
        return {"action": self.one_of(["naive", "hisq"]), "masses": [{"mass": 0.3}], "source": [1, 0, 1, 1],
                "source_type": self.one_of(["point", "z2_wall", "z2_corners"])}

    def measurement(self, name):
        kinds = {"flow": self.flow, "wilson": self.wilson_quarks}
        if not self.open:
            kinds["polyakov"] = dict
            kinds["wilson_loops"] = lambda: {"time_links": self.one_of(["thin", "hyp2"]), "ape_levels": 2,
                                             **({"xi": self.xi_0} if self.xi_0 else {})}
        if not self.open and not self.xi_0:
            kinds["staggered_mesons"] = self.staggered_mesons
            kinds["condensate"] = lambda: {"action": "asqtad", "masses": [{"mass": 0.3}], "sources": 1}
            kinds["domain_wall"] = lambda: {"Ls": 4, "masses": [{"mass": 0.3}], "random_sources": 1}
        kind = self.one_of(sorted(kinds))
        return {"kind": kind, "name": name, **kinds[kind]()}

    # ---- the whole

    def levels(self, terms):
        steps = [{"integrator": self.one_of(SCHEMES), "steps": self.one_of([1, 2]), "monomials": [term]}
                 for term in terms]
        if len(terms) > 1 and self.maybe(0.3):
            steps = [{"integrator": "leapfrog", "steps": 2, "monomials": terms}]
        return steps

    def input(self):
        terms = [self.gauge()] + ([self.quarks()] if self.maybe(0.85) else [])
        measurements = [self.measurement("m%d" % n) for n in range(self.one_of([0, 1, 2]))]
        out = {"lattice": self.lattice, "random": {"seed": self.seed},
               "start": {"from": self.one_of(["hot", "cold"])}, "monomials": terms,
               "hmc": {"trajectory_length": 0.2, "trajectories": 3, "thermalization": self.one_of([0, 1]),
                       "reunitarize_every": self.one_of([1, 2]),
                       "levels": self.levels(["quarks", "gauge"][2 - len(terms):])},
               "output": {"directory": "unnamed", "name": "c", "configuration_every": 1,
                          "checkpoint_every": self.one_of([1, 2])}}
        if self.open:
            out["boundary"] = {"time": "open"}
        if measurements:
            out["measurements"] = measurements
        algorithm = self.one_of(["hmc", "smd", "smd"] if self.open else ["hmc", "smd", "tempering"])
        if algorithm == "smd":
            out["smd"] = {"gamma": self.one_of([0.5, 3])}
        elif algorithm == "tempering":
            out["tempering"] = {"replicas": 2, "defect": {"direction": self.one_of("xyzt"), "size": 1},
                                "swap_every": self.one_of([1, 2])}
        return out


if __name__ == "__main__":
    print(json.dumps(Draw(int(sys.argv[1])).input(), indent=1))
