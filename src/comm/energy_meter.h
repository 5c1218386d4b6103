/* energy_meter.h - the energy that the GPUs of all ranks use in a stretch of time, such as a trajectory.
 *
 *     energy_meter m = energy_meter_create(true);
 *     energy_meter_begin(&m, 0, 0);
 *     ...
 *     double joules = energy_meter_joules(&m);
 *
 * One of the ranks that share a GPU reads its counter (gpu/device_energy.h). */
#ifndef KILN_COMM_ENERGY_METER_H
#define KILN_COMM_ENERGY_METER_H

#include "gpu/device_energy.h"
#include "src/comm/gpu_of_rank.h"

typedef struct {
    bool counts;                   /* each GPU of the ranks has a counter; the same on all ranks */
    device_counter *counter;       /* that this rank reads; NULL: another rank reads it */
    double reading;                /* seconds that a reading of a counter takes: the longest of all ranks */
    bool pauses;                   /* does not count in the present stretch */
    double began;                  /* joules of the counter at the beginning of the stretch */
    double earlier;                /* joules that earlier processes used in the stretch */
} energy_meter;

/* For the GPUs that the ranks of the world have opened; nothing is to be freed.  The meter does not count if there
 * are no GPUs (on_gpu is false), if one of them has no counter, or if the ranks are divided into groups
 * (comm_split): groups communicate with each other only within a trajectory.  Collective. */
energy_meter energy_meter_create(bool on_gpu);

/* The same for the GPU that each rank passes; bus "": this rank has no GPU with a counter.  Collective. */
energy_meter energy_meter_of(const gpu_name *mine);

/* Begins a stretch.  `earlier`: joules that earlier processes used in it; 0 for a new stretch, NaN if unknown.
 * `seconds`: the expected length of the stretch (0: unknown); the value of rank 0 is used.  The meter does not count in
 * a stretch shorter than ENERGY_READINGS readings: with some drivers a reading takes milliseconds, which would be a
 * noticeable part of the time.  Collective. */
enum { ENERGY_READINGS = 100 };
void energy_meter_begin(energy_meter *m, double earlier, double seconds);

/* Joules of the stretch so far, summed over all GPUs and with `earlier`; the same on every rank.  NaN if the meter does
 * not count, or if a counter is lower than at the beginning, as after a reset of the driver.  Collective. */
double energy_meter_joules(const energy_meter *m);

#endif
