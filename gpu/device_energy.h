/* device_energy.h - the energy counter of a GPU.
 *
 * NVML, a library of the driver, counts the energy that a GPU has used since its driver was loaded: everything that it
 * does, for all programs, and its idle power.  The counter advances in steps of 20 to 100 ms. */
#ifndef KILN_GPU_DEVICE_ENERGY_H
#define KILN_GPU_DEVICE_ENERGY_H

typedef struct device_counter device_counter;

/* The counter of the GPU with this place on the PCI bus, as device_describe gives it: numbers of devices differ between
 * CUDA and NVML if CUDA_VISIBLE_DEVICES is set.  Borrowed from NVML, which the first call opens.
 *
 * NULL if there is none: without NVML, on a GPU older than Volta, and on one that is divided (MIG), where the counter
 * would include the other parts.  Ranks that are threads may call both functions at the same time. */
device_counter *device_counter_of(const char *bus);

/* Joules since the driver was loaded; NaN if the counter cannot be read. */
double device_counter_joules(device_counter *c);

#endif
