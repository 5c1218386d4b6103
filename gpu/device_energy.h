/* device_energy.h - the energy counter of a GPU.
 *
 * NVML, a library of the driver, counts the energy that a GPU has used since its driver was loaded: everything that it
 * does, for all programs, and its idle power.  The counter advances in steps of 20 to 100 ms. */
#ifndef KILN_GPU_DEVICE_ENERGY_H
#define KILN_GPU_DEVICE_ENERGY_H

/* The counter in joules of the GPU with this place on the PCI bus, as device_describe gives it: numbers of devices
 * differ between CUDA and NVML if CUDA_VISIBLE_DEVICES is set.  NaN if there is none: without NVML, on a GPU older than
 * Volta, and on one that is divided (MIG), where the counter would include the other parts.  The first call opens NVML;
 * ranks that are threads may call it at the same time. */
double device_energy(const char *bus);

#endif
