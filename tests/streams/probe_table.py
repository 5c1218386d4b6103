"""probe_table - what compare asks of kiln probe: a row for each operator, part, solver and monomial."""

# The subcommands of kiln probe, so that renaming one is one line.
SUBCOMMANDS = {
    "links": "probe links",
    "apply": "probe apply",
    "solve": "probe solve",
    "dwf-apply": "probe apply --operator domain-wall",
    "dwf-solve": "probe solve --operator domain-wall",
    "wilson-apply": "probe apply --operator wilson",
    "wilson-solve": "probe solve --operator wilson",
    "clover-apply": "probe apply --operator clover",
    "clover-solve": "probe solve --operator clover",
    "doublet-apply": "probe apply --operator wilson-doublet",
    "doublet-solve": "probe solve --operator wilson-doublet",
    "gauge-force": "probe gauge-force",
    "force": "probe force",
    "energy": "probe energy",
    "trajectory": "probe trajectory",
    "measure": "measure --json",
}

WALLS = {
    "shamir": "--action shamir --Ls 4 --mass 0.1",
    "periodic": "--action shamir --Ls 4 --mass 0.3 --M5 1.5 --boundary 0",
    "mobius": "--action mobius --b 1.5 --c 0.5 --Ls 4 --mass 0.1",
    "borici": "--action borici --Ls 4 --mass 0.2",
    "scaled": "--action scaled_shamir --scale 2 --Ls 4 --mass 0.2",
    "optimal": "--action optimal --Ls 4 --mass 0.2 --lambda-min 0.3 --mass-convention chiu",
    "symmetric": "--action optimal_symmetric --Ls 4 --mass 0.2 --lambda-min 0.3",
}
WILSON = {"light": "--mass 0.05", "stout": "--mass 0.05 --stout-levels 2 --stout-rho 0.1",
          "periodic": "--mass 0.3 --boundary 0 --basis nonrelativistic",
          "anisotropic": "--mass 0.05 --xi-0 2.5 --nu 1.1"}
CLOVER = {"light": "--c-sw 1.5 --mass 0.05", "periodic": "--c-sw 1 --mass 0.3 --boundary 0",
          "exponential": "--c-sw 1.5 --mass -0.1 --clover exponential",
          "anisotropic": "--xi-0 2.5 --nu 1.1 --c-s 1.5 --c-t 0.9 --mass 0.05",
          "stout": "--c-sw 1 --mass 0.05 --stout-levels 2 --stout-rho 0.14 --stout-spatial-only"}
DOUBLET = {"plain": "--mass 0.05 --mu-sigma 0.2 --mu-delta 0.15",
           "clover": "--c-sw 1.5 --mass 0.05 --mu-sigma 0.2 --mu-delta -0.15 --boundary 0",
           "exponential": "--c-sw 1.5 --clover exponential --mass -0.1 --mu-sigma 0.2 --mu-delta 0.15",
           "theta": "--theta 0.4,-0.7,1.3 --mass 0.05 --mu-sigma 0.2 --mu-delta 0.15"}
WILSON_SPINORS = -1                 # slices of their sources: arrays without a fifth dimension
STAGGERED = {
    "hisq": "--operator hisq --mass 0.1 --naik-epsilon 0.05",
    "hisq-su3": "--operator hisq --mass 0.1 --projection su3 --boundary 0",
    "asqtad": "--operator asqtad --u0 0.87 --mass 0.1",
    "naive": "--operator naive --mass 0.1 --boundary 0.5",
    "naive-stout": "--operator naive --mass 0.1 --stout-levels 3 --stout-rho 0.12",
}
GAUGE = {
    "wilson": "--action wilson --beta 5.8",
    "tree": "--action symanzik_tree --beta 4.3",
    "iwasaki": "--action iwasaki --beta 2.5",
    "dbw2": "--action dbw2 --beta 0.9",
    "rectangle": "--action rectangle --c1 -0.2 --beta 3",
    "1loop": "--action symanzik_1loop --beta 6.7 --u0 0.89 --flavors 4",
}
# Of monomials of streams: name of the stream, monomial, slices of each pseudofermion (0: a color vector).
FORCES = {
    "hisq_211": ("quarks", [0] * 5),
    "hisq_2": ("quarks", [0] * 2),
    "asqtad": ("quarks", [0]),
    "naive_staggered": ("quarks", [0] * 2),
    "mobius": ("quarks", [4] * 3),
    "shamir": ("quarks", [6]),
    "exact_one_flavor": ("quarks", [1] * 2),
    "optimal": ("heavy", [4] * 2),
    "wilson_quarks": ("light", [1] * 2),
    "clover_21": ("light", [1] * 3),
    "clover_exponential": ("quarks", [1] * 2),
    "anisotropic_clover": ("light", [1] * 2),
    "doublet": ("heavy", [2] * 2),
    "doublet_clover": ("heavy", [2]),
    "doublet_theta": ("heavy", [2]),
    "doublet_ratios": ("ratios", [2] * 2),
    "doublet_modulus": ("chain", [2] * 2),
    "stout_dwf": ("quarks", [4] * 2 + [1] * 2),
    "stout_clover": ("light", [1] * 2),
    "stout_hisq": ("quarks", [0]),
}
TRAJECTORIES = {"gauge_1loop": [], "hisq_2": [0] * 2, "shamir": [6], "wilson_quarks": [1] * 3, "clover_21": [1] * 6}
MOMENTA, MOMENTA_FILE = "--action wilson --beta 1", "momenta.npy"        # a force takes the place of random ones
SOLVERS = ["double", "double-single", "double-single-half", "double-single-int20", "double-int30-int20",
           "double-int20", "double-half", "adaptive"]


def probe_table():
    """Names of probes, each with subcommand, options, source (slices) and whether it writes an array."""
    table = {"links thin": ("links", "", None, True),
             "links stout": ("links", "--level stout --stout-levels 2 --stout-rho 0.1", None, True)}
    for name, options in STAGGERED.items():
        for level in ["fat", "long"] + ["fat7", "projected"] * name.startswith("hisq"):
            if level != "long" or not name.startswith("naive"):
                table[f"links {name} {level}"] = ("links", f"--level {level} {options}", None, True)
        for way in ["", "--dagger", "--normal"]:
            table[f"apply {name} {way}"] = ("apply", f"{options} {way}", 0, True)
        for way in ["", "--normal"]:
            table[f"solve {name} {way}"] = ("solve", f"{options} {way} --residual 1e-8", 0, True)
    for name, options in WALLS.items():
        for operator in ["D5", "D5dag", "C", "Cdag", "normal"] + ["hop"] * (name in ("shamir", "periodic")):
            table[f"dwf-apply {name} {operator}"] = ("dwf-apply", f"--part {operator} {options}", 4, True)
        table[f"dwf-solve {name}"] = ("dwf-solve", f"{options} --solver adaptive --residual 1e-7", 4, True)
    for solver in SOLVERS:
        table[f"dwf-solve {solver} normal"] = (
            "dwf-solve", f"{WALLS['mobius']} --part normal --solver {solver} --residual 1e-8", 4, True)
    for name, options in WILSON.items():
        for part in ["M", "Mdag", "Mhat", "normal", "hop"]:
            table[f"wilson-apply {name} {part}"] = ("wilson-apply", f"--part {part} {options}", WILSON_SPINORS, True)
        for part, solver in [("M", "adaptive"), ("normal", "double"), ("normal", "double-single-half")]:
            table[f"wilson-solve {name} {part} {solver}"] = (
                "wilson-solve", f"--part {part} {options} --solver {solver} --residual 1e-8", WILSON_SPINORS, True)
    for name, options in CLOVER.items():
        for part in ["M", "Mdag", "Mhat", "normal", "clover"]:
            table[f"clover-apply {name} {part}"] = ("clover-apply", f"--part {part} {options}", WILSON_SPINORS, True)
        for part, solver in [("M", "adaptive"), ("normal", "double-single-half")]:
            table[f"clover-solve {name} {part} {solver}"] = (
                "clover-solve", f"--part {part} {options} --solver {solver} --residual 1e-8", WILSON_SPINORS, True)
    for name, options in DOUBLET.items():
        for part in ["M", "Mdag", "C", "Cdag", "normal"]:
            table[f"doublet-apply {name} {part}"] = ("doublet-apply", f"--part {part} {options}", 2, True)
        for part, solver in [("M", "adaptive"), ("normal", "double-single-half")]:
            table[f"doublet-solve {name} {part} {solver}"] = (
                "doublet-solve", f"--part {part} {options} --solver {solver} --residual 1e-8", 2, True)
    for name, options in GAUGE.items():
        table[f"gauge-force {name}"] = ("gauge-force", options, None, True)
        table[f"energy {name}"] = ("energy", options, None, False)
    table["measure all"] = ("measure", "", None, False)
    return table
