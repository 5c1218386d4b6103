/* energy_meter.c - differences of energy counters, summed over the GPUs of all ranks. */
#include "src/comm/energy_meter.h"

#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/comm/comm.h"

#include <math.h>
#include <stdio.h>

/* Seconds of a reading: the shortest of a few, because other processes may interrupt one of them. */
static double seconds_of_reading(device_counter *counter)
{
    enum { TRIES = 3 };
    double least = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        const double began = clock_now();
        device_counter_joules(counter);
        least = fmin(least, clock_now() - began);
    }
    return least;
}

/* The largest number of the ranks. */
static double largest(double mine)
{
    const comm *world = comm_world();
    const int ranks = comm_size(world);
    double *all = memory_alloc((size_t)ranks * sizeof *all, "numbers of ranks"), most = mine;
    comm_gather_all(world, all, &mine, sizeof mine);
    for (int r = 0; r < ranks; r++)
        most = fmax(most, all[r]);
    memory_free(all);
    return most;
}

energy_meter energy_meter_of(const gpu_name *mine)
{
    const comm *world = comm_world();
    device_counter *counter = *mine->bus ? device_counter_of(mine->bus) : NULL;
    gpu_name *all = memory_alloc((size_t)comm_size(world) * sizeof *all, "GPUs of ranks");
    comm_gather_all(world, all, mine, sizeof *mine);
    const bool reads = gpu_is_first_here(all, comm_rank(world));
    memory_free(all);
    energy_meter m = { .counts = comm_agree(world, counter != NULL, NULL), .counter = reads ? counter : NULL };
    if (m.counts)
        m.reading = largest(m.counter ? seconds_of_reading(m.counter) : 0);
    return m;
}

energy_meter energy_meter_create(bool on_gpu)
{
    gpu_name mine = { .node = comm_node(comm_world()) };
    device_description d;
    if (!on_gpu || comm_groups() > 1)
        return (energy_meter){ .counts = false };
    if (device_describe(device_index(), &d, NULL))
        snprintf(mine.bus, sizeof mine.bus, "%s", d.bus);
    return energy_meter_of(&mine);
}

void energy_meter_begin(energy_meter *m, double earlier, double seconds)
{
    m->earlier = earlier;
    if (!m->counts)
        return;
    const double expected = comm_number(comm_world(), seconds);
    m->pauses = expected > 0 && expected < ENERGY_READINGS * m->reading;
    m->began = m->counter && !m->pauses ? device_counter_joules(m->counter) : 0;
}

/* Joules of this rank's counter since the beginning; NaN if the counter is lower now, as after a reset of the
 * driver. */
static double counted(const energy_meter *m)
{
    const double joules = m->counter ? device_counter_joules(m->counter) - m->began : 0;
    return joules >= 0 ? joules : NAN;
}

double energy_meter_joules(const energy_meter *m)
{
    const comm *world = comm_world();
    if (!m->counts || m->pauses)
        return NAN;
    const int ranks = comm_size(world);
    const double mine = counted(m);
    double *all = memory_alloc((size_t)ranks * sizeof *all, "joules of ranks"), sum = comm_number(world, m->earlier);
    comm_gather_all(world, all, &mine, sizeof mine);
    for (int r = 0; r < ranks; r++)
        sum += all[r];
    memory_free(all);
    return sum;
}
