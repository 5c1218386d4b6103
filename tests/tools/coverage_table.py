#!/usr/bin/env python3
"""coverage_table.py BUILD SOURCE - the lines that a build with gcc's counters has run, by folder.

gcov reads the counters (*.gcda) below BUILD. A line of a file that is compiled several times (kernels in float and
double, headers) counts as run if one of its copies was run.
"""
import collections
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def counters(build):
    """Pairs (file, line) -> whether it was run, with paths as gcov knows them."""
    notes = sorted(str(p.resolve()) for p in pathlib.Path(build).rglob("*.gcno"))
    lines = {}
    with tempfile.TemporaryDirectory() as folder:
        for begin in range(0, len(notes), 50):
            subprocess.run(["gcov", "--json-format", "--hash-filenames"] + notes[begin:begin + 50], cwd=folder,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            for path in pathlib.Path(folder).glob("*.gcov.json.gz"):
                with gzip.open(path, "rt") as text:
                    data = json.load(text)
                path.unlink()
                for file in data["files"]:
                    name = os.path.join(data["current_working_directory"], file["file"])
                    for line in file["lines"]:
                        at = (os.path.realpath(name), line["line_number"])
                        lines[at] = lines.get(at, False) or line["count"] > 0
    return lines


def main():
    build, source = sys.argv[1], os.path.realpath(sys.argv[2])
    table = collections.defaultdict(lambda: [0, 0, set()])
    for (path, _), run in counters(build).items():
        name = os.path.relpath(path, source)
        if name.startswith("..") or name.startswith("tests" + os.sep) or os.path.isabs(name):
            continue
        for row in (os.path.dirname(name), "all"):
            table[row][0] += 1
            table[row][1] += run
            table[row][2].add(name)
    if not table:
        sys.exit(f"{build}: no counters of gcc")
    print(f"{'folder':<24} {'files':>6} {'lines':>7} {'run':>7} {'%':>6}")
    for row in sorted(table, key=lambda r: (r == "all", r)):
        lines, run, files = table[row]
        print(f"{row:<24} {len(files):>6} {lines:>7} {run:>7} {100 * run / lines:>6.1f}")


if __name__ == "__main__":
    main()
