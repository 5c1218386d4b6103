/* energy_meter.h - the energy that the GPUs of all ranks use in a stretch of time, such as a trajectory.
 *
 *     energy_meter m = energy_meter_create(true);
 *     energy_meter_begin(&m, 0);
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
    double began, earlier;         /* joules: of this counter at the beginning; used before it, by earlier processes */
} energy_meter;

/* For the open GPUs of the world.  It does not count without GPUs, if one of them has no counter, and if the ranks are
 * divided into groups (comm_split), because these meet only within a trajectory.  Collective. */
energy_meter energy_meter_create(bool on_gpu);

/* The same for the given GPU of each rank; bus "": none.  Collective. */
energy_meter energy_meter_of(const gpu_name *mine);

/* A stretch begins, or continues one in which earlier processes have used `earlier` joules: 0, or NaN if unknown. */
void energy_meter_begin(energy_meter *m, double earlier);

/* Joules of the stretch so far, the sum over all GPUs, `earlier` included, on every rank; NaN without counters,
 * and if one of them is lower than at the beginning: it was set back.  Collective. */
double energy_meter_joules(const energy_meter *m);

#endif
