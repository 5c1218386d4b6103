"""python3 -m kiln notebook [--name NAME] [FILE]: write a copy of a notebook that plots an ensemble."""

import argparse
import os
import sys

from . import __version__


NAMES = ("ensemble", "pion_mass")


def _write_notebook(name, path):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "notebooks", name + ".ipynb")
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
    notebook = commands.add_parser("notebook", help="write a copy of a notebook that plots an ensemble")
    notebook.add_argument("--name", choices=NAMES, default=NAMES[0],
                          help="ensemble (default): its record; pion_mass: from configurations to the pion mass")
    notebook.add_argument("file", nargs="?", help="new file (default: NAME.ipynb)")
    options = parser.parse_args()
    return _write_notebook(options.name, options.file or options.name + ".ipynb")


if __name__ == "__main__":
    sys.exit(main())
