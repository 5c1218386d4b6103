/* midtrajectory_parts.c - arrays, digests and names of mid-trajectory checkpoints. */
#include "src/ensemble/midtrajectory_parts.h"

#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t midtrajectory_digest_of_links(const gauge *u)
{
    const slice_source links = field_slices(&u->links);
    array_digest *digest = memory_alloc(sizeof *digest, "a digest");
    double *slice = slice_alloc(links.reals);
    array_digest_begin(digest);
    for (int t = 0; t < links.count; t++) {
        links.get(slice, links.from, t);
        array_digest_add(digest, slice, links.reals);
    }
    const uint64_t found = array_digest_end(digest);
    memory_free(slice);
    memory_free(digest);
    return found;
}

uint64_t midtrajectory_digest_of_schedule(const run_params *p)
{
    evolve_term terms[HMC_TERMS];
    schedule *s = hmc_plan(p, terms);
    uint64_t digest = DIGEST64_START;
    for (int i = 0; i < s->count; i++) {
        const md_step *step = &s->step[i];
        const double numbers[] = { step->what, step->level, step->dt, step->displacement };
        digest = digest64(digest, numbers, sizeof numbers);
    }
    schedule_free(s);
    return digest;
}

/* The size of a force has six words of 64 bits, four of its sum and two of its maximum; a double holds half of one. */
enum { SUM_WORDS = sizeof(sum_cell) / sizeof(int64_t), MAX_WORDS = sizeof(max_cell) / sizeof(int64_t) };
enum { SIZE_WORDS = SUM_WORDS + MAX_WORDS };

array_shape midtrajectory_shape_of_cells(const hmc *h)
{
    return (array_shape){ 2, { (size_t)evolver_evaluations(hmc_dynamics(h)), 2 * SIZE_WORDS } };
}

static void size_to_halves(double *halves, const sum_cell *sum, const max_cell *largest)
{
    int64_t words[SIZE_WORDS];
    memcpy(words, sum, sizeof *sum);
    memcpy(words + SUM_WORDS, largest, sizeof *largest);
    for (int i = 0; i < SIZE_WORDS; i++) {
        halves[2 * i] = (double)(words[i] >> 32);
        halves[2 * i + 1] = (double)(words[i] & 0xffffffff);
    }
}

static void size_from_halves(sum_cell *sum, max_cell *largest, const double *halves)
{
    int64_t words[SIZE_WORDS];
    for (int i = 0; i < SIZE_WORDS; i++)
        words[i] = (int64_t)((uint64_t)(int64_t)halves[2 * i] << 32 | (uint64_t)halves[2 * i + 1]);
    memcpy(sum, words, sizeof *sum);
    memcpy(largest, words + SUM_WORDS, sizeof *largest);
}

double *midtrajectory_cells(const hmc *h)
{
    const array_shape shape = midtrajectory_shape_of_cells(h);
    sum_array sizes = evolver_sizes(hmc_dynamics(h));
    double *numbers = slice_alloc(array_count(shape));
    for (size_t n = 0; n < shape.n[0]; n++)
        size_to_halves(numbers + n * shape.n[1], &sizes.cells.sum[n], &sizes.cells.largest[n]);
    sums_host_free(&sizes);
    return numbers;
}

bool midtrajectory_put_cells(const hmc *h, int64_t step, const double *numbers)
{
    const array_shape shape = midtrajectory_shape_of_cells(h);
    sum_array sizes = evolver_sizes(hmc_dynamics(h));
    for (size_t n = 0; n < shape.n[0]; n++)
        size_from_halves(&sizes.cells.sum[n], &sizes.cells.largest[n], numbers + n * shape.n[1]);
    bool ok = evolver_put(hmc_dynamics(h), step, &sizes);
    sums_host_free(&sizes);
    return ok;
}

text midtrajectory_name_of(int64_t trajectory, int64_t step)
{
    text name = { 0 };
    text_add(&name, MIDTRAJECTORY "%06" PRId64 ".%06" PRId64, trajectory, step);
    return name;
}

bool midtrajectory_is_name(midtrajectory_name *found, const char *directory, const char *entry)
{
    if (sscanf(entry, MIDTRAJECTORY "%" SCNd64 ".%" SCNd64, &found->trajectory, &found->step) != 2)
        return false;
    text name = midtrajectory_name_of(found->trajectory, found->step);
    const bool is_one = strcmp(text_string(&name), entry) == 0;
    text_free(&name);
    return is_one && snprintf(found->path, sizeof found->path, "%s/%s", directory, entry) < (int)sizeof found->path;
}
