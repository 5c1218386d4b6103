"""The tests for what differs from a commit: make check-changed.

    changed_tests.py SOURCE [COMMIT] <tests       differences of the working tree in SOURCE from COMMIT (default:
                                                  origin/main, else the last tag), new files included
    changed_tests.py SOURCE --files FILE... <tests

Reads the names of all tests and prints those of them to run, in the same order:

    always                        the checks of the whole source, tests/check_*.sh
    a test                        that test
    another file below tests      the tests that use it, directly or through other files; if none does, its folder's
    src/X/...                     the tests of tests/X, tests elsewhere that include its header, and KEYS
    other folders, documents      see PLACES and DOCUMENTS
"""
import os
import re
import subprocess
import sys

# Beginnings of paths that are not src/X with tests in tests/X, and beginnings of the names of their tests below tests.
PLACES = {
    "src/base/": ("config/", "io/", "comm/"), "src/cli/bench/": ("bench/",), "src/literature/": ("cli/test_new",),
    "src/main.c": ("cli/",), "src/options/": ("cli/",), "src/selftest/": ("cli/",),
    "actions/": ("actions/",), "gpu/": ("gpu/", "kernels/"), "integrators/": ("integrators/",), "lime/": ("io/",),
    "yyjson/": ("config/", "io/"), "input/": ("cli/test_inputs.sh",), "python/": ("python/",),
    "validation/": ("validation/",), "share/": ("share/",), "packaging/": ("share/",), "quickstart": ("share/",),
    "m4/": ("share/",), "configure.ac": ("share/",), "Makefile.am": ("share/",),
}
DOCUMENTS = ("tests/cli/test_documents.sh", "tests/cli/test_reference.sh", "tests/python/test_site.sh",
             "tests/measure/test_result_member")
KEYS = ("tests/cli/test_reference.sh",)                      # compares the keys of the program with docs/input.md
HOUSE = re.compile(r"tests/check_[a-z_]+\.sh$")


def changed_files(source, commit):
    def git(*arguments):
        done = subprocess.run(("git", "-C", source) + arguments, capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else None

    if not commit:
        known = git("rev-parse", "--verify", "--quiet", "origin/main") is not None
        commit = "origin/main" if known else (git("describe", "--tags", "--abbrev=0") or "").strip()
    if not commit:
        sys.exit("changed_tests.py: there is neither origin/main nor a tag; give SINCE=COMMIT")
    differ = git("diff", "--name-only", "--relative", "--no-renames", commit, "--")
    new = git("ls-files", "--others", "--exclude-standard")
    if differ is None or new is None:
        sys.exit("changed_tests.py: git cannot compare with %s" % commit)
    return commit, (differ + new).splitlines()


class Uses:
    """Which files below tests name another file: a header that they include, a script that they read."""

    def __init__(self, source):
        self.texts = {}
        for folder, folders, names in os.walk(os.path.join(source, "tests")):
            folders[:] = [f for f in folders if f not in ("mutations", "corpus", "expected", "__pycache__")]
            for name in names:
                if name.endswith((".c", ".h", ".sh", ".py", ".cu")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8", errors="replace") as file:
                        self.texts[os.path.relpath(path, source)] = file.read()

    def of(self, path):
        """The files that use `path`: for files below tests also through others.  A header stands for its source."""
        found, waiting = set(), [path] if "/" in path else []
        while waiting:
            now = waiting.pop()
            names = {now, re.sub(r"\.c$", ".h", now)}
            more = {user for user, text in self.texts.items() if user not in names and any(n in text for n in names)}
            waiting += more - found if path.startswith("tests/") else []
            found |= more
        return found


def places_of(path):
    for beginning, places in PLACES.items():
        if path.startswith(beginning):
            return places
    parts = path.split("/")
    return (parts[1] + "/",) if parts[0] in ("src", "tests") and len(parts) > 2 else ()


def select(tests, files, uses):
    test_of = {t if t.endswith(".sh") else t + ".c": t for t in tests}
    chosen = {t for t in tests if HOUSE.match(t)}
    for path in files:
        if path.endswith((".md", ".svg", ".html")) or path.startswith("docs/"):
            chosen.update(DOCUMENTS)
        elif path in test_of:
            chosen.add(test_of[path])
        else:
            users = {test_of[u] for u in uses.of(path) if u in test_of}
            chosen |= users
            if not users or not path.startswith("tests/"):
                chosen.update(t for t in tests for place in places_of(path) if t.startswith("tests/" + place))
            if path.startswith(("src/", "actions/", "integrators/")):
                chosen.update(KEYS)
    return [t for t in tests if t in chosen]


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    source, tests = arguments[0], sys.stdin.read().split()
    if arguments[1:2] == ["--files"]:
        files = arguments[2:]
    else:
        commit, files = changed_files(source, "".join(arguments[1:2]))
        print("%d files differ from %s" % (len(files), commit), file=sys.stderr)
    print(" ".join(select(tests, files, Uses(source))))


main(sys.argv[1:])
