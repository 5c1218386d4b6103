#!/bin/sh
# libraries.sh - in a container that has /opt/kiln from build.sh: installs the libraries that Kiln loads.
set -e
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
apt-get update
xargs apt-get install --yes --no-install-recommends </opt/kiln/packages
rm -rf /var/lib/apt/lists/*
/opt/kiln/bin/kiln version
