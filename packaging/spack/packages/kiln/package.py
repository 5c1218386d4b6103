# Copyright: the Kiln developers, GPL-3.0-or-later
"""Kiln for Spack, from the clone of Kiln in which this file lies."""

import os

from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:
    pass

CLONE = os.path.realpath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))


class Kiln(AutotoolsPackage, CudaPackage):
    """Generates gauge ensembles for lattice QCD by HMC and RHMC, on NVIDIA GPUs and on CPUs."""

    git = "file://" + CLONE

    license("GPL-3.0-or-later")

    version("main", branch="main")

    variant("mpi", default=True, description="Runs of many processes")
    variant("nccl", default=False, when="+cuda", description="NCCL of Spack, for GPUs of several machines")
    variant("lime", default=False, description="c-lime of Spack in place of the bundled implementation")
    variant("hdf5", default=True, description="HDF5, for kiln export")
    variant("python", default=False, description="The Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("gmake", type="build")
    depends_on("gsl")
    depends_on("libyaml")
    depends_on("zlib-api")
    depends_on("gmp")
    depends_on("mpfr")
    depends_on("mpi@3:", when="+mpi")
    depends_on("cuda@12.4:", when="+cuda")
    depends_on("nccl@2.14:", when="+nccl")
    depends_on("c-lime", when="+lime")
    depends_on("hdf5~mpi", when="+hdf5")
    depends_on("python@3.8:", type=("build", "run"), when="+python")
    depends_on("py-numpy", type="run", when="+python")

    conflicts("cuda_arch=none", when="+cuda", msg="Kiln needs the compute capabilities: cuda_arch=90")

    def autoreconf(self, spec, prefix):
        autoreconf = which("autoreconf")
        autoreconf("-fi")

    def configure_args(self):
        spec = self.spec
        # Spack's compiler wrapper adds the instruction set of the target.
        args = ["--with-cpu-arch=generic"]
        args.append("--with-mpi=" + (spec["mpi"].prefix if "+mpi" in spec else "no"))
        args.append("--with-lime=" + (spec["c-lime"].prefix if "+lime" in spec else "bundled"))
        args.append("--with-hdf5=" + (spec["hdf5"].prefix if "+hdf5" in spec else "no"))
        if "+cuda" in spec:
            args.append("--with-cuda=" + spec["cuda"].prefix)
            args.append("--with-cuda-arch=" + ",".join(spec.variants["cuda_arch"].value))
        else:
            args.append("--with-cuda=no")
        if "+nccl" in spec:
            args.append("--with-nccl=" + spec["nccl"].prefix)
        if "~python" in spec:
            args.append("PYTHON=:")
        return args

    def check(self):
        make("check-brief")
