/* nvml_stand_in.c - a library with those functions of NVML that Kiln uses (gpu/device_energy.c), for tests.
 *
 * The GPU at "0000:0N:00.0" has counted N joules more at each reading of its counter; N = 8 has no counter, N = 9 is
 * divided, and the counter of N = 10 has gone back at every reading. */
#include <stdio.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, WITHOUT_COUNTER = 8, DIVIDED = 9, BACKWARDS = 10, GPUS = 11 };

static struct { int number; unsigned long long readings; } gpu[GPUS];
static int begun;

int nvmlInit_v2(void)
{
    begun++;
    return SUCCESS;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    int number;
    if (begun != 1 || sscanf(bus, "0000:%x:00.0", (unsigned *)&number) != 1 || number < 0 || number >= GPUS)
        return NOT_FOUND;
    gpu[number].number = number;
    *device = &gpu[number];
    return SUCCESS;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    const int number = *(int *)device;
    if (number == WITHOUT_COUNTER)
        return NOT_SUPPORTED;
    *millijoules = 1000ull * (unsigned)number * __atomic_add_fetch(&gpu[number].readings, 1, __ATOMIC_SEQ_CST);
    if (number == BACKWARDS)
        *millijoules = 1000000 - *millijoules;
    return SUCCESS;
}

int nvmlDeviceGetMigMode(void *device, unsigned *present, unsigned *pending)
{
    *present = *pending = *(int *)device == DIVIDED;
    return SUCCESS;
}
