"""python3 -m kiln notebook [FILE]: write a copy of the notebook that plots an ensemble."""

import argparse
import os
import sys

from . import __version__


def _write_notebook(path):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "notebooks", "ensemble.ipynb")
    with open(source, "rb") as file:
        words = file.read()
    try:
        with open(path, "xb") as file:
            file.write(words)
    except OSError as error:
        print("%s: cannot be written: %s" % (path, error.strerror), file=sys.stderr)
        return 1
    print("%s: set KILN_ENSEMBLE, or `folder` in the first cell, to the folder of an ensemble" % path)
    return 0


def main():
    parser = argparse.ArgumentParser(prog="python3 -m kiln", description="Tools of the Python package of Kiln.")
    parser.add_argument("--version", action="version", version="kiln " + __version__)
    commands = parser.add_subparsers(dest="command", required=True)
    notebook = commands.add_parser("notebook", help="write a copy of the notebook that plots an ensemble")
    notebook.add_argument("file", nargs="?", default="ensemble.ipynb", help="new file (default: ensemble.ipynb)")
    return _write_notebook(parser.parse_args().file)


if __name__ == "__main__":
    sys.exit(main())
