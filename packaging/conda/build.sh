#!/bin/sh
# build.sh - the build of the conda package, in a copy of the source tree.
set -e
cuda=no
# shellcheck disable=SC2154  # variants.yaml
[ "$with_cuda" = no ] || cuda=yes
autoreconf -fi
mkdir build-conda
cd build-conda
../configure --prefix="$PREFIX" --with-cpu-arch=x86-64-v3 --with-mpi="$PREFIX" --with-cuda=$cuda \
    --with-cuda-arch=80,90 --with-hdf5="$PREFIX" CPPFLAGS="$CPPFLAGS -I$PREFIX/include" LDFLAGS="$LDFLAGS -L$PREFIX/lib"
make -j"$CPU_COUNT"
make install pythondir="$SP_DIR"
