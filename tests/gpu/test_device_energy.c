/* test_device_energy.c - energy counters of GPUs, and their sum over ranks: with a stand-in for NVML
 * (tests/gpu/nvml_stand_in.c), so that no GPU is needed. */
#include "gpu/device_energy.h"
#include "src/comm/comm.h"
#include "src/comm/energy_meter.h"
#include "tests/facts.h"
#include "tests/gpu/load_nvml_stand_in.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 4 };

/* In a process of its own, since NVML is opened once. */
static bool is_unknown_here(const char *bus)
{
    int status = 1;
    const pid_t child = fork();
    if (child == 0)
        _exit(device_counter_of(bus) != NULL);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void counters(void)
{
    device_counter *c = device_counter_of("0000:05:00.0");
    const double before = c ? device_counter_joules(c) : NAN;
    fact(c && device_counter_joules(c) - before == 5, "millijoules of the counter become joules");
    fact(!device_counter_of("0000:0b:00.0"), "a GPU that NVML does not show has no energy");
    fact(!device_counter_of("0000:08:00.0"), "a GPU without a counter has none");
    fact(!device_counter_of("0000:09:00.0"), "a GPU that is divided has none");
}

/* The GPUs of the ranks, by number and node; the energy of a stretch on each rank, which is expected to take so many
 * seconds.  `reads`: how often each rank reads the sum. */
typedef struct {
    int gpu[RANKS], node[RANKS], ranks, reads;
    double earlier, seconds, joules[RANKS];
    bool counts[RANKS];
} task;

static int measure(void *of)
{
    task *t = of;
    const int rank = comm_rank(comm_world());
    gpu_name mine = { .node = t->node[rank] };
    if (t->gpu[rank] > 0)
        snprintf(mine.bus, sizeof mine.bus, "0000:%02x:00.0", (unsigned)t->gpu[rank]);
    energy_meter m = energy_meter_of(&mine);
    comm_barrier(comm_world());                /* all ranks have tried their counters */
    energy_meter_begin(&m, t->earlier, rank == 0 ? t->seconds : 0);
    comm_barrier(comm_world());
    for (int i = 0; i < t->reads; i++)
        t->joules[rank] = energy_meter_joules(&m);
    t->counts[rank] = m.counts;
    return 0;
}

/* Joules, if all ranks have the same; else -1. */
static double joules_of(task *t)
{
    comm_run_threads(t->ranks, measure, t);
    bool same = true;
    for (int r = 1; r < t->ranks; r++)
        same = same && t->counts[r] == t->counts[0]
               && (t->joules[r] == t->joules[0] || (isnan(t->joules[r]) && isnan(t->joules[0])));
    return same ? t->joules[0] : -1;
}

static void sums(void)
{
    task one = { .gpu = { 3 }, .ranks = 1, .reads = 1 };
    fact_close(joules_of(&one), 3, 0, "one rank: the difference of two readings");
    one.reads = 4;
    fact_close(joules_of(&one), 12, 0, "the stretch goes on after a reading");
    one.earlier = 1000;
    fact_close(joules_of(&one), 1012, 0, "and includes what earlier processes used");
    one.earlier = NAN;
    fact(isnan(joules_of(&one)), "unknown energy of earlier processes makes all unknown");
    one.earlier = 0;
    one.seconds = 1e-12;
    fact(isnan(joules_of(&one)), "a stretch that takes no longer than its readings is not measured");
    task own = { .gpu = { 1, 2, 3, 4 }, .ranks = RANKS, .reads = 1 };
    fact_close(joules_of(&own), 1 + 2 + 3 + 4, 0, "GPUs of four ranks add up, on each rank");
    own.seconds = 1e-12;
    fact(isnan(joules_of(&own)), "rank 0 decides that for all");
    task shared = { .gpu = { 5, 6, 5, 5 }, .ranks = RANKS, .reads = 1 };
    fact_close(joules_of(&shared), 5 + 6, 0, "a GPU of three ranks counts once");
    task nodes = { .gpu = { 7, 0, 7 }, .node = { 0, 0, 2 }, .ranks = 3, .reads = 1 };
    fact(isnan(joules_of(&nodes)), "if one rank has no GPU, the energy is unknown");
    nodes.gpu[1] = 1;
    nodes.node[1] = 1;
    fact(joules_of(&nodes) >= 1 + 7 + 7, "GPUs in the same place of two nodes both count");
    task without = { .gpu = { 1, 8 }, .ranks = 2, .reads = 1 };
    fact(isnan(joules_of(&without)), "if one GPU has no counter, the energy is unknown");
    task back = { .gpu = { 1, 10 }, .ranks = 2, .reads = 1 };
    fact(isnan(joules_of(&back)), "if one counter went back, the energy is unknown");
    energy_meter none = energy_meter_create(false);
    energy_meter_begin(&none, 0, 0);
    fact(isnan(energy_meter_joules(&none)), "on the CPU it is unknown");
}

int main(void)
{
    scratch s = scratch_create();
    fact(is_unknown_here("ffff:ff:1f.0"), "no NVML, or no such GPU: no energy, and no message");
    if (nvml_stand_in_loads(s.folder, "energy of several GPUs")) {
        counters();
        sums();
    }
    scratch_remove(&s);
    return facts_end();
}
