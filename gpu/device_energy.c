/* device_energy.c - the energy counter of a GPU by NVML, opened at run time: the program starts without it. */
#include "gpu/device_energy.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* The functions of NVML in use, where a device_counter is a device; each returns 0 for success. */
typedef struct {
    int (*init)(void);
    int (*device_at)(const char *bus, device_counter **device);
    int (*energy)(device_counter *device, unsigned long long *millijoules);
    int (*mig_mode)(device_counter *device, unsigned *present, unsigned *pending);     /* NULL in old drivers */
} library;

#define NVML_LIBRARY "libnvidia-ml.so.1"
#define JOULES_PER_MILLIJOULE 1e-3

static struct { bool usable; library functions; } nvml_of_process;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void)
{
    static const struct { const char *name; size_t at; bool needed; } functions[] = {
        { "nvmlInit_v2", offsetof(library, init), true },
        { "nvmlDeviceGetHandleByPciBusId_v2", offsetof(library, device_at), true },
        { "nvmlDeviceGetTotalEnergyConsumption", offsetof(library, energy), true },
        { "nvmlDeviceGetMigMode", offsetof(library, mig_mode), false },
    };
    library *l = &nvml_of_process.functions;
    void *file = dlopen(NVML_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool complete = file != NULL;
    for (size_t i = 0; complete && i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(file, functions[i].name);
        *(void **)((char *)l + functions[i].at) = found;
        complete = found || !functions[i].needed;
    }
    nvml_of_process.usable = complete && l->init() == 0;
}

static bool is_divided(const library *l, device_counter *c)
{
    unsigned present = 0, pending = 0;
    return l->mig_mode && l->mig_mode(c, &present, &pending) == 0 && present != 0;
}

device_counter *device_counter_of(const char *bus)
{
    const library *l = &nvml_of_process.functions;
    device_counter *c = NULL;
    pthread_once(&once, open_library);
    return nvml_of_process.usable && l->device_at(bus, &c) == 0 && !is_divided(l, c)
           && isfinite(device_counter_joules(c)) ? c : NULL;
}

double device_counter_joules(device_counter *c)
{
    unsigned long long millijoules;
    return nvml_of_process.functions.energy(c, &millijoules) == 0 ? JOULES_PER_MILLIJOULE * (double)millijoules : NAN;
}
