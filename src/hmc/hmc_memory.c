/* hmc_memory.c - the memory of a run, computed before anything is allocated. */
#include "src/hmc/hmc.h"

#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/halo/exchange.h"
#include "src/hmc/pure_gauge.h"
#include "src/hmc/replica_groups.h"
#include "src/hmc/smd.h"
#include "src/hmc/tempering.h"
#include "src/io/configuration.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the objects that the SDC check compares: links after sweeps, or two forces. */
static size_t sdc_check_bytes(const run_params *p, const lattice_shape *shape)
{
    return run_is_pure_gauge(p) ? field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS)
                              : 2 * momentum_bytes(shape, PRECISION_DOUBLE);
}

/* Host memory in which the SDC check saves the start vectors of one term, to restore them after an evaluation: that of
 * the term with the most. */
static size_t put_aside_bytes(const run_params *p, const lattice_shape *shape)
{
    size_t most = 0;
    for (int t = 0; t < run_monomial_count(p) && !run_is_pure_gauge(p); t++) {
        const size_t kept = monomial_start_vector_bytes(run_monomial_kind(p, t), run_monomial_params(p, t), shape);
        most = kept > most ? kept : most;
    }
    return most;
}

static memory_need need_of(const run_params *p, int term, const lattice_shape *shape)
{
    return monomial_need(run_monomial_kind(p, term), run_monomial_params(p, term), shape);
}

size_t hmc_workspace_bytes(const run_params *p)
{
    const lattice_shape shape = run_shape(p);
    memory_need all = measurements_bytes(run_measurements(p), &shape);
    for (int t = 0; t < run_monomial_count(p); t++)
        all = memory_need_add(all, need_of(p, t, &shape));
    return all.shared;
}

/* Bytes of packed ghosts of one field, because fields are sent one after the other: of links, with the ghosts of all
 * levels, or of vectors. */
static size_t sent_bytes(const lattice_shape *shape, memory_need monomials, memory_need measuring)
{
    const size_t links = field_exchange_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS, 1, 2, GHOST_LEVELS - 1);
    const size_t vectors = memory_need_add(monomials, measuring).sent;
    return links > vectors ? links : vectors;
}

int hmc_memory(const run_params *p, place where, memory_item items[HMC_MEMORY_ITEMS])
{
    const lattice_shape shape = run_shape(p);
    const size_t links = field_bytes(&shape, PRECISION_DOUBLE, GAUGE_REALS);
    const memory_need measuring = measurements_bytes(run_measurements(p), &shape);
    memory_need monomials = { 0 };
    evolve_term terms[HMC_TERMS];
    schedule *s = hmc_plan(p, terms);
    for (int t = 0; t < run_monomial_count(p); t++)
        monomials = memory_need_add(monomials, need_of(p, t, &shape));
    int n = 0;
    items[n++] = (memory_item){ "links", links, false };
    if (run_keeps_links(p))
        items[n++] = (memory_item){ run_is_pure_gauge(p) ? "links kept for sdc_check" : "links kept for a rejection",
                                    links, false };
    items[n++] = (memory_item){ "momenta", momentum_bytes(&shape, PRECISION_DOUBLE), false };
    items[n++] = (memory_item){ "monomials", monomials.lasting + monomials.cells, false };
    items[n++] = (memory_item){ "workspace", hmc_workspace_bytes(p), false };
    size_t updates = evolver_bytes(s, terms, run_monomial_count(p), &shape) + pure_gauge_bytes(p);
    items[n++] = (memory_item){ "integrator", updates, false };
    items[n++] = (memory_item){ "measurements", measuring.lasting + measuring.cells, false };
    items[n++] = (memory_item){ "tables of the lattice", lattice_table_bytes(&shape), false };
    const size_t sent = sent_bytes(&shape, monomials, measuring);
    if (sent > 0)
        items[n++] = (memory_item){ "staging of ghosts", sent, false };
    if (p->sdc_check.rate > 0)
        items[n++] = (memory_item){ "sdc_check", sdc_check_bytes(p, &shape), false };
    if (run_is_smd(p))
        items[n++] = (memory_item){ "fields at the start of SMD", smd_bytes(p, &shape), false };
    if (run_is_tempered(p))
        items[n++] = (memory_item){ "replicas of the links", tempering_bytes(p, &shape), false };
    items[n++] = (memory_item){ "slices of files", configuration_bytes(&shape), true };
    const size_t between = replica_groups_host_bytes(where, &shape);
    if (between > 0)
        items[n++] = (memory_item){ "links between groups", between, true };
    const size_t aside = p->sdc_check.rate > 0 ? put_aside_bytes(p, &shape) : 0;
    if (aside > 0)
        items[n++] = (memory_item){ "start vectors put aside", aside, true };
    schedule_free(s);
    return n;
}

/* The available memory of the host, from /proc/meminfo; 0 on systems without this file. */
static size_t host_bytes_available(void)
{
    size_t kib = 0;
    char line[128];
    FILE *stream = fopen("/proc/meminfo", "r");
    while (stream && kib == 0 && fgets(line, sizeof line, stream))
        sscanf(line, "MemAvailable: %zu kB", &kib);
    if (stream)
        fclose(stream);
    return 1024 * kib;
}

/* The number of ranks that are threads of this process and share its memory. */
static int count_sharers(void)
{
    const comm *world = comm_whole();
    return strcmp(comm_kind(world), "threads") == 0 ? comm_size(world) : 1;
}

/* Whether the items in host memory (on_host) and the other items (on_device) fit into `available` bytes (0: unknown),
 * which all ranks in this process share. */
static bool fits_in(const run_params *p, place where, bool on_host, bool on_device, size_t available,
                    const char *memory, failure *f)
{
    memory_item items[HMC_MEMORY_ITEMS];
    int count = hmc_memory(p, where, items);
    const int sharers = count_sharers();
    size_t sum = 0;
    text list = { 0 };
    for (int i = 0; i < count; i++) {
        if (items[i].host ? !on_host : !on_device)
            continue;
        text_add(&list, "%s%s%s %s", sum ? ", " : "", items[i].what, items[i].host ? " (host)" : "",
                 bytes_to_text((double)items[i].bytes).s);
        sum += items[i].bytes;
    }
    bool fits = available == 0 || sum <= available / (size_t)sharers
                || fail(f, "a lattice of %s needs %s %s%s, but %s are free: %s", extents_to_text(p->extents).s,
                        bytes_to_text((double)sum).s, memory, sharers > 1 ? " for each rank" : "",
                        bytes_to_text((double)available).s, text_string(&list));
    text_free(&list);
    return fits;
}

size_t hmc_memory_available(place where)
{
    device_description gpu = { .free_bytes = 0 };
    if (where != PLACE_GPU)
        return host_bytes_available();
    device_describe(device_index(), &gpu, NULL);
    return gpu.free_bytes;
}

size_t hmc_memory_needed(const run_params *p, place where, bool device, bool host)
{
    memory_item items[HMC_MEMORY_ITEMS];
    int count = hmc_memory(p, where, items);
    size_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += (items[i].host ? host : device) ? items[i].bytes : 0;
    return sum;
}

bool hmc_memory_fits(const run_params *p, place where, failure *f)
{
    if (where != PLACE_GPU)
        return fits_in(p, where, true, true, hmc_memory_available(PLACE_CPU), "of memory", f);
    return fits_in(p, where, false, true, hmc_memory_available(PLACE_GPU), "on the GPU", f)
           && fits_in(p, where, true, false, hmc_memory_available(PLACE_CPU), "of memory", f);
}
