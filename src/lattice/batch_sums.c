/* batch_sums.c - cells to the host and back, and a launch that computes scalars. */
#include "src/lattice/batch_sums.h"

#include "gpu/device.h"
#include "src/lattice/kernels.h"

#include <string.h>

krylov_finish_fn krylov_curvature_finish_cpu_d, krylov_residual_finish_cpu_d, krylov_bicg_shadow_finish_cpu_d,
    krylov_bicg_gram_finish_cpu_d, krylov_bicg_cycle_finish_cpu_d;
krylov_finish_fn krylov_curvature_finish_gpu_d, krylov_residual_finish_gpu_d, krylov_bicg_shadow_finish_gpu_d,
    krylov_bicg_gram_finish_gpu_d, krylov_bicg_cycle_finish_gpu_d;

batch_words_fn batch_words_gpu, batch_finish_gpu;
static batch_words_fn *const write_words = GPU_VARIANT(batch_words_gpu);
static batch_words_fn *const finish_words = GPU_VARIANT(batch_finish_gpu);

/* Of each sum. */
#define FINISH_OF(name) { name##_cpu_d, GPU_VARIANT(name##_gpu_d) }
static const struct { krylov_finish_fn *finish[PLACES]; int sums; } sum_kinds[KRYLOV_SUM_KINDS] = {
    [KRYLOV_CURVATURE] = { FINISH_OF(krylov_curvature_finish), 1 },
    [KRYLOV_RESIDUAL] = { FINISH_OF(krylov_residual_finish), 2 },
    [BICG_SHADOW] = { FINISH_OF(krylov_bicg_shadow_finish), 3 },
    [BICG_GRAM] = { FINISH_OF(krylov_bicg_gram_finish), 2 * BICG_PRODUCTS },
    [BICG_CYCLE] = { FINISH_OF(krylov_bicg_cycle_finish), 3 },
};

int batch_sums_of(krylov_sum sum)
{
    return sum_kinds[sum].sums;
}

void batch_words_write(const batch_words_args *a)
{
    write_words(a, device_stream());
    device_check_launch("batch_words");
}

void batch_words_finish(const batch_words_args *a)
{
    finish_words(a, device_stream());
    device_check_launch("batch_finish");
}

/* The cells of a batch: those of this rank become those of all. */
static void reduce_cells(place where, krylov_sum sum, const krylov_batch *b, const comm *ranks)
{
    sum_cell cell[BATCH_MAX_RHS * BATCH_SUMS];
    const int sums = sum_kinds[sum].sums;
    const size_t bytes = (size_t)sums * sizeof *cell;
    if (comm_size(ranks) == 1)
        return;
    for (int n = 0; n < b->count; n++)
        if (where == PLACE_GPU)
            device_copy_from(&cell[n * sums], b->state->cell[b->number[n]], bytes);
        else
            memcpy(&cell[n * sums], b->state->cell[b->number[n]], bytes);
    sums_merge((sum_cells){ cell, NULL }, ranks, b->count * sums, 0);
    for (int n = 0; n < b->count; n++)
        if (where == PLACE_GPU)
            device_copy_to(b->state->cell[b->number[n]], &cell[n * sums], bytes);
        else
            memcpy(b->state->cell[b->number[n]], &cell[n * sums], bytes);
}

/* The scalars of a batch. */
static void finish(place where, krylov_sum sum, const krylov_batch *b)
{
    sum_kinds[sum].finish[where](b, device_stream());
    if (where == PLACE_GPU)
        device_check_launch("krylov_finish");
}

void batch_sum_on_host(place where, krylov_sum sum, const krylov_batch *b, const comm *ranks)
{
    reduce_cells(where, sum, b, ranks);
    finish(where, sum, b);
}
