#!/bin/sh
# The Python package as pip installs it, offline: the files of the sources and no others, and the notebook, which runs.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/python/interpreter.sh
sources=$(pwd)/python
notebook=$(pwd)/tests/python/notebook.py
version=$(cat python/kiln/VERSION)
if ! command -v python3 >/dev/null 2>&1; then
    skip "pip installs the Python package" "there is no python3 with venv and pip"
    facts_end
fi
. ./tests/ensemble/stream.sh
use_numpy "$scratch/python"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

wheel() {       # FOLDER: builds a wheel there; its path
    mkdir "$1" && (cd "$sources" && python3 -c "
import sys
import kiln_build
print(sys.argv[1] + '/' + kiln_build.build_wheel(sys.argv[1]))" "$scratch/$1")
}
first=$(wheel one 2>said) || cat said
holds "the wheel has the version of Kiln: ${first##*/}" [ "${first##*/}" = "kiln_lattice-$version-py3-none-any.whl" ]
holds "the same sources make the same wheel" cmp "$first" "$(wheel two)"
python3 -m zipfile -e "$first" unpacked
none "it has each module and notebook of the sources, unchanged, and nothing else" "$(
    (cd unpacked && find . -type f ! -path './kiln_lattice-*' | sort) >found
    (cd "$sources" && find kiln \( -name '*.py' -o -name '*.ipynb' -o -name VERSION -o -name keys.json \) \
        ! -path '*/__pycache__/*' |
        sed 's|^|./|' | sort) >wanted
    diff wanted found
    while read -r name; do cmp "$sources/$name" "unpacked/$name"; done <found)"
none "RECORD has the digest of each file" "$(python3 -c "
import base64, csv, hashlib, os
with open('unpacked/kiln_lattice-$version.dist-info/RECORD') as file:
    record = {name: digest for name, digest, size in csv.reader(file)}
for folder, _, names in os.walk('unpacked'):
    for name in names:
        path = os.path.relpath(os.path.join(folder, name), 'unpacked')
        with open(os.path.join('unpacked', path), 'rb') as file:
            digest = base64.urlsafe_b64encode(hashlib.sha256(file.read()).digest()).rstrip(b'=').decode()
        if name != 'RECORD' and record.get(path) != 'sha256=' + digest:
            print(path)" 2>&1)"

# In a virtual environment that sees the NumPy of this machine, if there is one.
if python3 -m venv --system-site-packages environment >said 2>&1; then
    offline() { environment/bin/python3 -m pip install --no-index --quiet --disable-pip-version-check "$@"; }
    holds "pip installs it without the network" offline --no-deps "$sources"
    holds "and without build isolation" offline --no-deps --no-build-isolation --force-reinstall "$sources"
    holds "pip knows the version" sh -c \
        "environment/bin/python3 -m pip show kiln-lattice 2>/dev/null | grep -qx 'Version: $version'"
    python=environment/bin/python3
    # A python3 that is itself one of a virtual environment hides its NumPy.
    "$python" -c 'import numpy' 2>/dev/null ||
        PYTHONPATH=$(python3 -c 'import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))' 2>/dev/null)
    export PYTHONPATH
else
    skip "pip installs it" "there is no python3 with venv and pip"
    PYTHONPATH=$scratch/unpacked
    export PYTHONPATH
    python=python3
fi
if "$python" -c 'import numpy' >/dev/null 2>&1; then
    run flowing --set hmc.trajectories=16 --set 'measurements=[
        {kind: flow, t_max: 0.6, eps: 0.05, measure_every: 1}]' || { cat said; exit 99; }
    holds "the package names its version" [ "$("$python" -c 'import kiln; print(kiln.__version__)')" = "$version" ]
    holds "it writes the notebook" "$python" -m kiln notebook copy.ipynb
    holds "which is that of the sources" cmp copy.ipynb "$sources/kiln/notebooks/ensemble.ipynb"
    holds "and does not overwrite one: status 1" sh -c "\"$python\" -m kiln notebook copy.ipynb 2>said; [ \$? = 1 ]"
    holds "the notebook plots what the record has" "$python" "$notebook" copy.ipynb flowing

    # From configurations to the pion mass, on ten quenched configurations 4^3x16.
    holds "it writes the notebook of the pion mass" "$python" -m kiln notebook --name pion_mass
    run quenched --set 'lattice=[4,4,4,16]' --set 'monomials=[{kind: gauge, action: wilson, beta: 5.8}]' \
        --set hmc.trajectories=12 --set output.configuration_every=1 || { cat said; exit 99; }
    holds "that notebook plots the effective masses of the measured correlators" \
        "$python" "$notebook" pion_mass.ipynb quenched without
    with_pyerrors="the same by pyerrors"
    if "$python" -c 'import pyerrors' >/dev/null 2>&1; then
        holds "$with_pyerrors" "$python" "$notebook" pion_mass.ipynb quenched pyerrors
    else
        skip "$with_pyerrors" "there is no Python package pyerrors"
    fi
else
    skip "the notebook plots what the record has" "$no_numpy"
fi
facts_end
