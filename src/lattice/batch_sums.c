/* batch_sums.c - adds the cells of a batch over ranks on the host, and launches the kernels that compute scalars. */
#include "src/lattice/batch_sums.h"

#include "gpu/device.h"
#include "src/lattice/kernels.h"

#include <string.h>

#define DECLARE(name, sums, finish) krylov_finish_fn krylov_##finish##_cpu_d, krylov_##finish##_gpu_d;
FOR_KRYLOV_SUMS(DECLARE)

batch_words_fn batch_words_gpu, batch_finish_gpu;
static batch_words_fn *const write_words = GPU_VARIANT(batch_words_gpu);
static batch_words_fn *const finish_words = GPU_VARIANT(batch_finish_gpu);

#define KIND(name, of_system, finish) \
    [name] = { { krylov_##finish##_cpu_d, GPU_VARIANT(krylov_##finish##_gpu_d) }, of_system },
static const struct { krylov_finish_fn *finish[PLACES]; int sums; } sum_kinds[KRYLOV_SUM_KINDS] = {
    FOR_KRYLOV_SUMS(KIND)
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

/* Replaces the cells of this rank by the sums over all ranks. */
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

/* Computes the scalars of a batch from its cells. */
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
