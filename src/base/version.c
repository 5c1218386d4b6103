/* version.c - facts about the build, and the versions of the libraries. */
#include "src/base/version.h"

#include "src/base/version_build.h"

#include "yyjson/yyjson.h"

#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <mpfr.h>
#include <yaml.h>
#include <zlib.h>

#define STRING_OF(x)          #x
#define NUMBER_AS_TEXT(x)    STRING_OF(x)

const char *version_program(void)
{
    return "kiln " KILN_RELEASE " (" KILN_COMMIT ")";
}

const char *version_release(void)
{
    return KILN_RELEASE;
}

const char *version_date(void)
{
    return KILN_DATE;
}

int version_vector_bits(void)
{
    return KILN_VECTOR_BITS;
}

bool version_fused(void)
{
    return KILN_FUSED;
}

const version_fact *version_build_facts(void)
{
    static const version_fact facts[] = {
        { "version", "release", KILN_RELEASE },
        { "commit", "commit", KILN_COMMIT },
        { "configure", "configured with", KILN_CONFIGURE },
        { "compiler", "compiler", KILN_COMPILER },
        { "flags", "flags", KILN_FLAGS },
        { "kernel_flags", "CPU kernels", KILN_KERNEL_FLAGS },
        { "mpi", "MPI", KILN_MPI },
        { "nccl", "NCCL", KILN_NCCL },
        { "nvcc", "nvcc", KILN_NVCC },
        { "nvcc_flags", "flags of nvcc", KILN_NVCC_FLAGS },
        { 0 }
    };
    return facts;
}

const version_fact *version_library_facts(const version_loaded *loaded)
{
    enum { FACTS = 14 };
    static _Thread_local version_fact facts[FACTS];
    static const char openmp_date[] = NUMBER_AS_TEXT(_OPENMP);
    const version_fact now[FACTS] = {
        { "lime", "LIME", KILN_LIME },
        { "yaml", "libyaml", yaml_get_version_string() },
        { "yyjson", "yyjson", YYJSON_VERSION_STRING },
        { "gsl", "GSL", gsl_version },
        { "zlib", "zlib", zlibVersion() },
        { "mpfr", "MPFR", mpfr_get_version() },
        { "hdf5", "HDF5", loaded->hdf5 },
        { "glibc", "glibc", gnu_get_libc_version() },
        { "openmp", "OpenMP", openmp_date },
        { "mpi", "loaded MPI", loaded->mpi },
        { "nccl", "loaded NCCL", loaded->nccl },
        { "cuda_runtime", "CUDA runtime", loaded->cuda_runtime },
        { "cuda_driver", "CUDA driver", loaded->cuda_driver },
        { 0 }
    };
    for (int i = 0; i < FACTS; i++)
        facts[i] = now[i];
    return facts;
}
