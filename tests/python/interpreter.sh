# interpreter.sh - source it: $numpy_python is an interpreter of Python 3 that has NumPy, empty where there is none.
#
# The first python3 on the path may be one without NumPy, of pyenv or of a virtual environment, where that of the system
# has it. $PYTHON names one that is asked first.
numpy_python=
for candidate in "${PYTHON-}" python3 /usr/bin/python3 /usr/local/bin/python3 python3.14 python3.13 python3.12 \
    python3.11 python3.10 python3.9 python3.8; do
    if [ -n "$candidate" ] && "$candidate" -c 'import sys, numpy; sys.exit(sys.version_info < (3, 8))' >/dev/null 2>&1
    then
        numpy_python=$candidate
        break
    fi
done
