#!/bin/sh
# quickstart names the packages that a machine lacks.  The machine is made of stand-ins, and nothing is installed.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
if ! [ -f quickstart ]; then
    skip "packages" "the source tree is not here"
    facts_end
fi
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" && cp quickstart "$scratch" || exit 99

# stand_in NAME COMMAND: a program of this name.
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"
}
# A machine that has everything.  autoreconf fails, which ends quickstart; apt-get notes what it was asked for.
for program in automake make gcc g++ mpicc mpirun sudo; do stand_in "$program" 'exit 0'; done
stand_in autoreconf 'exit 1'
stand_in apt-get "echo \"\$*\" >>'$scratch/asked'; exit 1"

# run_as USER-ID: what quickstart says; what it asks of apt-get is in the file asked.
run_as() {
    stand_in id "echo $1"
    rm -f "$scratch/asked"
    PATH="$scratch/bin:$PATH" "$scratch/quickstart" run 2>&1 </dev/null
}
said=$(run_as 0)
none "nothing is installed where everything is there" "$(cat "$scratch/asked" 2>/dev/null)"
holds "and the build begins" expr "$said" : '.*making configure failed'

# missing SENTENCE PACKAGE: as root, quickstart names this package and no other, and begins to install it.
missing() {
    said=$(run_as 0)
    [ "$(printf '%s\n' "$said" | sed -n 's/^missing: //p')" = "$2" ] && [ -s "$scratch/asked" ] || said="not said: $2
$said"
    none "$1" "$(printf '%s\n' "$said" | sed -n '/^not said/,$p')"
}
stand_in mpicc 'exit 1'
missing "mpicc without the headers of MPI needs their package" libopenmpi-dev
said=$(run_as 1000)
holds "who may not install learns what the build goes without" \
    expr "$said" : 'building without these, .*(HDF5) need: libopenmpi-dev'
none "and nothing is asked of apt-get" "$(cat "$scratch/asked" 2>/dev/null)"
stand_in mpicc 'exit 0'
stand_in gcc 'read -r line; case $line in *yaml.h*) exit 1; esac'
missing "a library without its header needs the package of the header" libyaml-dev
stand_in gcc 'read -r line; case $line in *hdf5/serial*) exit 1; esac'
said=$(run_as 0)
none "one header of HDF5 is enough" "$(cat "$scratch/asked" 2>/dev/null)"
facts_end
