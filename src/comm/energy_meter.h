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
    double reading;                /* seconds of a reading: the longest of the ranks */
    bool pauses;                   /* not in this stretch */
    double began, earlier;         /* joules: of this counter at the beginning; used before it, by earlier processes */
} energy_meter;

/* For the open GPUs of the world.  It does not count without GPUs, if one of them has no counter, and if the ranks are
 * divided into groups (comm_split), because these meet only within a trajectory.  Collective. */
energy_meter energy_meter_create(bool on_gpu);

/* The same for the given GPU of each rank; bus "": none.  Collective. */
energy_meter energy_meter_of(const gpu_name *mine);

/* A stretch begins, or continues one in which earlier processes have used `earlier` joules: 0, or NaN if unknown.  It
 * is expected to take `seconds` (those of rank 0 count; 0: not known).  If this is less than ENERGY_READINGS times a
 * reading, which takes milliseconds with some drivers, the meter does not count: readings would take a part of the
 * time.  Collective. */
enum { ENERGY_READINGS = 100 };
void energy_meter_begin(energy_meter *m, double earlier, double seconds);

/* Joules of the stretch so far, the sum over all GPUs, `earlier` included, on every rank; NaN without counters, if it
 * does not count in this stretch, and if a counter is lower than at the beginning: it was set back.  Collective. */
double energy_meter_joules(const energy_meter *m);

#endif
