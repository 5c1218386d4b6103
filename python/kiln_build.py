"""Builds the Python package for pip, from the standard library alone (PEP 517, PEP 660): a wheel is a zip file with the
modules and three files of metadata (PEP 427)."""

import base64
import hashlib
import os
import tarfile
import zipfile

NAME = "kiln_lattice"
HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = ("kiln", os.path.join("kiln", "notebooks"))
SUFFIXES = (".py", ".ipynb")
EPOCH = (1980, 1, 1, 0, 0, 0)            # the same sources make the same wheel

METADATA = """\
Metadata-Version: 2.1
Name: kiln-lattice
Version: {version}
Summary: Reads what Kiln writes: records of runs, gauge configurations, probes
License: GPL-3.0-or-later
Requires-Python: >=3.8
Requires-Dist: numpy>=1.20
Provides-Extra: notebook
Requires-Dist: matplotlib; extra == "notebook"
Requires-Dist: notebook; extra == "notebook"
Provides-Extra: analysis
Requires-Dist: gvar; extra == "analysis"
Requires-Dist: lsqfit; extra == "analysis"
Requires-Dist: pyerrors; extra == "analysis"
"""
WHEEL = """\
Wheel-Version: 1.0
Generator: kiln_build
Root-Is-Purelib: true
Tag: py3-none-any
"""


def _read(path):
    with open(os.path.join(HERE, path), "rb") as file:
        return file.read()


def _version():
    return _read(os.path.join("kiln", "VERSION")).decode().strip()


def _sources():
    names = [os.path.join("kiln", "VERSION"), os.path.join("kiln", "keys.json")]
    for part in PARTS:
        names += [os.path.join(part, name) for name in sorted(os.listdir(os.path.join(HERE, part)))
                  if name.endswith(SUFFIXES)]
    return names


def _metadata():
    """Name and content of the files in *.dist-info, without RECORD."""
    folder = "%s-%s.dist-info" % (NAME, _version())
    return folder, {"METADATA": METADATA.format(version=_version()).encode(), "WHEEL": WHEEL.encode()}


def _write_wheel(wheel_directory, files):
    folder, metadata = _metadata()
    files.update(("%s/%s" % (folder, name), words) for name, words in metadata.items())
    record = ""
    for name, words in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(words).digest()).rstrip(b"=").decode()
        record += "%s,sha256=%s,%d\n" % (name, digest, len(words))
    files[folder + "/RECORD"] = (record + folder + "/RECORD,,\n").encode()
    wheel = "%s-%s-py3-none-any.whl" % (NAME, _version())
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, words in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, words)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, {name.replace(os.sep, "/"): _read(name) for name in _sources()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """For pip install --editable: a file that leads Python to this folder."""
    return _write_wheel(wheel_directory, {"kiln.pth": (HERE + "\n").encode()})


def build_sdist(sdist_directory, config_settings=None):
    base = "%s-%s" % (NAME, _version())
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz", dereference=True) as archive:
        for name in _sources() + ["pyproject.toml", os.path.basename(__file__)]:
            archive.add(os.path.join(HERE, name), "%s/%s" % (base, name))
        info = os.path.join(sdist_directory, "PKG-INFO")
        with open(info, "w") as file:
            file.write(METADATA.format(version=_version()))
        archive.add(info, base + "/PKG-INFO")
        os.remove(info)
    return base + ".tar.gz"
