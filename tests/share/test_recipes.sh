#!/bin/sh
# The recipes in packaging/: what they name exists, and they know the options of configure and the packages of today.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
if ! [ -f configure.ac ] || ! [ -x configure ]; then
    skip "make install" "the source tree is not here"
    facts_end
fi

none "all scripts are shell" "$(for script in packaging/*/*.sh; do sh -n "$script" 2>&1; done)"
none "and can be executed" "$(for script in packaging/*/*.sh; do [ -x "$script" ] || echo "$script"; done)"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
./configure --help | grep -oE -e '--(with|enable)-[a-z-]+' | sort -u >"$scratch/options"
none "configure has the options that they give it" "$(
    grep -roEh -e '--(with|enable)-[a-z-]+' packaging | sort -u | grep -vx -F -f "$scratch/options")"
none "quickstart installs the packages that configure names where a library is missing" "$(
    grep -ohE 'apt-get install [^]]*' m4/*.m4 | sed 's/apt-get install//' | tr ' ' '\n' | grep -E '^[a-z0-9+-]+$' |
        sort -u | while read -r package; do
            sed -n "/^needs='/,/^'/p; /^useful='/,/^'/p" quickstart | grep -q " $package\$" || echo "$package"
        done)"
none "containers install the packages that quickstart installs" "$(
    sed -n "/^needs='/,/^'/p; /^useful='/,/^'/p" quickstart | awk 'NF == 3 { print $3 }' |
        while read -r package; do
            tr ' ' '\n' <packaging/container/build.sh | grep -qxF -e "$package" || echo "$package"
        done)"
none "what the container recipes copy and call exists" "$(
    grep -ohE 'packaging/container/[a-z.]+' packaging/container/* | sort -u | while read -r file; do
        [ -e "$file" ] || echo "$file"
    done)"
none "both containers install the same" "$(
    for words in 'CONFIGURE=.*' 'BUILD=debian:12$' 'RUN=debian:12-slim$' 'packaging/container/build.sh' \
        '/opt/kiln/libraries.sh' 'PYTHONPATH=/opt/kiln/python'; do
        for recipe in Dockerfile kiln.def; do
            grep -qE -e "$words" packaging/container/$recipe || echo "$recipe: no $words"
        done
    done
    sed -n 's/^ARG CONFIGURE="\(.*\)"/\1/p' packaging/container/Dockerfile >"$scratch/docker"
    sed -n 's/^ *CONFIGURE=//p' packaging/container/kiln.def | diff "$scratch/docker" -)"
none "the libraries of configure are those of conda" "$(
    for library in gsl yaml zlib gmp mpfr hdf5; do
        grep -qxE "    - $library( .*)?" packaging/conda/recipe.yaml || echo "$library"
    done)"
holds "the license is where conda looks for it" [ -f "$(sed -n 's/^ *license_file: *//p' packaging/conda/recipe.yaml)" ]

stand_in() { python3 -B tests/share/spack_stand_in.py "$(pwd)/packaging/spack/packages/kiln/package.py" "$@" 2>&1; }
# spack SENTENCE WANTED-LINES VARIANT...
spack() {
    sentence=$1
    wanted=$2
    shift 2
    found=$(stand_in "$@")
    none "spack, $sentence" "$(for line in $wanted; do
        echo "$found" | grep -qxF -e "$line" || { echo "no $line in:"; echo "$found"; }
    done)"
}
if command -v python3 >/dev/null 2>&1; then
    spack "plain: neither MPI nor CUDA nor HDF5" \
        "--with-mpi=no --with-cuda=no --with-lime=bundled --with-hdf5=no PYTHON=: gsl libyaml zlib-api gmp mpfr c"
    spack "with all" "--with-mpi=/of/mpi --with-cuda=/of/cuda --with-cuda-arch=80,90 --with-nccl=/of/nccl \
        --with-lime=/of/c-lime --with-hdf5=/of/hdf5 hdf5~mpi mpi@3: cuda@12.4: \
        py-numpy" +mpi +cuda cuda_arch=80,90 +nccl +lime +hdf5 +python
    found=$(stand_in | sed -n 's/^from //p')
    holds "it takes the source from the clone: $found" [ "$found" = "file://$(pwd -P)" ]
else
    skip "the recipe for Spack" "there is no python3 with venv and pip"
fi
facts_end
