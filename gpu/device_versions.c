/* device_versions.c - versions of the CUDA runtime and of the driver. */
#include "gpu/device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

typedef struct { char s[16]; } version_text;

static const char *version_name(int version, version_text *v)
{
    snprintf(v->s, sizeof v->s, "%d.%d", version / 1000, version % 1000 / 10);
    return v->s;
}

const char *device_runtime_version(void)
{
    static _Thread_local version_text v;
    int version = 0;
    return cudaRuntimeGetVersion(&version) == cudaSuccess ? version_name(version, &v) : "";
}

const char *device_driver_version(void)
{
    static _Thread_local version_text v;
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess && version > 0 ? version_name(version, &v) : "";
}
