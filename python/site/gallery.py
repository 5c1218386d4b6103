"""Reports of tiny runs for the site: for each family of actions, `kiln run` of an input of the sources on a small
lattice, and `kiln report` of the result.  All four take less than a minute on one core."""

import os
import subprocess
import sys
import tempfile

TITLE = "Gallery of reports"
# Name of the report, what it shows, the input, and what is set in it.
RUNS = (
    ("quenched", "No quarks: heat bath and overrelaxation, scales of the gradient flow", "quenched_8x8x8x8.yaml",
     ("lattice=[4,4,4,4]", "hmc.trajectories=100")),
    ("hisq", "2+1 flavors of HISQ quarks, RHMC with a Hasenbusch mass", "quickstart.yaml",
     ("lattice=[4,4,4,4]", "hmc.trajectories=24", "hmc.thermalization=8")),
    ("domain_wall", "Two flavors of domain-wall quarks", "dwf_4x4x4x8.yaml",
     ("lattice=[4,4,4,4]", "hmc.trajectories=14", "hmc.thermalization=4")),
    ("clover", "Two flavors of Wilson quarks with a clover term", "clover_4x4x4x4.yaml",
     ("hmc.trajectories=24", "hmc.thermalization=6")),
)


def call(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)}: status {done.returncode}\n{done.stderr.strip()}")


def command(name, settings):
    return f"kiln run input/{name}" + "".join(f" --set {setting}" for setting in settings)


def make_gallery(program, inputs, folder):
    """Write the reports into `folder`; the page that lists them, in Markdown, with links to gallery/NAME.html."""
    os.makedirs(folder)
    page = [f"# {TITLE}", "",
            "`kiln report` writes one HTML file without scripts. These reports are of runs on tiny lattices, which the",
            "build of this site has made: they show what a report has, and no physics.", ""]
    with tempfile.TemporaryDirectory() as work:
        for name, shows, file, settings in RUNS:
            ensemble = os.path.join(work, name)
            sets = [word for setting in settings for word in ("--set", setting)]
            call(program, "run", os.path.join(inputs, file), "--quiet", "--device", "cpu", *sets, "--set",
                 f"output.directory={ensemble}")
            call(program, "report", ensemble, "--output", os.path.join(folder, name + ".html"))
            page += [f"- [{shows}](gallery/{name}.html)", "", f"      {command(file, settings)}", ""]
    return "\n".join(page)
