# interpreter.sh - for tests of the Python package: source it after facts.sh, in the source tree.
#
#     $no_numpy               why there is no Python with NumPy here; empty if there is one
#     use_numpy FOLDER        from now on python3 is that one; FOLDER, which is made, may then hold its name
#
# The first that has NumPy: $KILN_PYTHON, each python3 in PATH, those of the system.  The python3 that a version manager
# or a virtual environment puts first often has none.

no_numpy="there is no python3 with NumPy"
for interpreter in "$KILN_PYTHON" $(echo "$PATH:/usr/local/bin:/usr/bin" | tr ':' '\n' | sed 's|$|/python3|'); do
    if [ -x "$interpreter" ] && "$interpreter" -c 'import numpy' >/dev/null 2>&1; then
        no_numpy=
        break
    fi
done

use_numpy() {
    [ -z "$no_numpy" ] && [ "$(command -v python3)" != "$interpreter" ] || return 0
    mkdir "$1" || exit 99
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$interpreter" >"$1/python3"
    chmod +x "$1/python3"
    PATH=$1:$PATH
    export PATH
}
