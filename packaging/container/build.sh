#!/bin/sh
# build.sh [CONFIGURE-OPTION...] - in a container of Debian or Ubuntu, in the source tree: installs what the build
# needs, builds Kiln and installs it in /opt/kiln, with libraries.sh and the list of packages that this needs.
set -e
prefix=/opt/kiln
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND

apt-get update
apt-get install --yes --no-install-recommends autoconf automake make gcc g++ git libc6-dev libgsl-dev libyaml-dev \
    zlib1g-dev libmpfr-dev libopenmpi-dev openmpi-bin libhdf5-dev python3

autoreconf -fi
mkdir -p build-container
cd build-container
../configure --prefix=$prefix "$@"
make -j"$(nproc)"
make install pythondir=$prefix/python

# The packages that hold the libraries which the program loads.
{
    echo openmpi-bin
    echo python3-numpy
    ldd $prefix/bin/kiln | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
        dpkg -S "*/${library##*/}" | sed 's/:.*//'
    done
} | sort -u >$prefix/packages
cp ../packaging/container/libraries.sh $prefix/
