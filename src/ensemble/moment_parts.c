/* moment_parts.c - arrays, digests and names of moments. */
#include "src/ensemble/moment_parts.h"

#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Block by block, so that processors share the work. */
uint64_t moment_digest_of_numbers(const double *x, size_t count)
{
    enum { BLOCK = 1 << 14 };
    const size_t blocks = (count + BLOCK - 1) / BLOCK;
    uint64_t *of_block = memory_alloc((blocks + 1) * sizeof *of_block, "digests"), all;
#pragma omp parallel for
    for (size_t b = 0; b < blocks; b++) {
        size_t n = b + 1 < blocks ? BLOCK : count - b * BLOCK;
        of_block[b] = digest64(DIGEST64_START, x + b * BLOCK, n * sizeof *x);
    }
    all = digest64(DIGEST64_START, of_block, blocks * sizeof *of_block);
    memory_free(of_block);
    return all;
}

uint64_t moment_digest_of_links(const gauge *u)
{
    const array_shape shape = shape_of_links(u->links.lattice);
    double *numbers = numbers_for(shape);
    gauge_export(numbers, u);
    uint64_t digest = moment_digest_of_numbers(numbers, shape_count(shape));
    memory_free(numbers);
    return digest;
}

uint64_t moment_digest_of_schedule(const run_params *p)
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

bool moment_visit_fields(hmc *h, moment_visit *visit, void *with)
{
    bool ok = visit(with, "momenta.npy", &hmc_momenta(h)->f);
    for (int t = 0; t < hmc_term_count(h); t++) {
        const evolve_term *term = &hmc_terms(h)[t];
        const char *what = NULL;
        field *x;
        for (int i = 0; ok && (x = monomial_field(term->m, i, &what)); i++, what = NULL) {
            text name = field_file_name(term->name, i, what);
            ok = visit(with, text_string(&name), x);
            text_free(&name);
        }
        for (int i = 0; ok && (x = monomial_kept(term->m, i)); i++) {
            char kept[32];
            snprintf(kept, sizeof kept, "kept%d", i);
            text name = field_file_name(term->name, i, kept);
            ok = visit(with, text_string(&name), x);
            text_free(&name);
        }
    }
    return ok;
}

/* A cell has four words of 64 bits; a double holds half of one. */
enum { CELL_HALVES = 2 * sizeof(sum_cell) / sizeof(int64_t) };

array_shape moment_shape_of_cells(const hmc *h)
{
    return (array_shape){ 2, { (size_t)evolver_cells(hmc_dynamics(h)), CELL_HALVES } };
}

double *moment_cells(const hmc *h)
{
    const array_shape shape = moment_shape_of_cells(h);
    int64_t *words = memory_alloc(shape.n[0] * sizeof(sum_cell), "sizes of forces");
    double *numbers = numbers_for(shape);
    evolver_sizes((sum_cell *)words, hmc_dynamics(h));
    for (size_t i = 0; i < shape_count(shape); i += 2) {
        numbers[i] = (double)(words[i / 2] >> 32);
        numbers[i + 1] = (double)(words[i / 2] & 0xffffffff);
    }
    memory_free(words);
    return numbers;
}

bool moment_put_cells(const hmc *h, int64_t step, const double *numbers)
{
    const array_shape shape = moment_shape_of_cells(h);
    int64_t *words = memory_alloc(shape.n[0] * sizeof(sum_cell), "sizes of forces");
    for (size_t i = 0; i < shape_count(shape); i += 2)
        words[i / 2] = (int64_t)((uint64_t)(int64_t)numbers[i] << 32 | (uint64_t)numbers[i + 1]);
    bool ok = evolver_put(hmc_dynamics(h), step, (const sum_cell *)words);
    memory_free(words);
    return ok;
}

text moment_name_of(int64_t trajectory, int64_t step)
{
    text name = { 0 };
    text_add(&name, MOMENT "%06" PRId64 ".%06" PRId64, trajectory, step);
    return name;
}

bool moment_next(moment_name *found, DIR *folder, const char *directory)
{
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (sscanf(entry->d_name, MOMENT "%" SCNd64 ".%" SCNd64, &found->trajectory, &found->step) != 2)
            continue;
        text name = moment_name_of(found->trajectory, found->step);
        bool is_one = strcmp(text_string(&name), entry->d_name) == 0;
        text_free(&name);
        if (is_one && snprintf(found->path, sizeof found->path, "%s/%s", directory, entry->d_name)
                      < (int)sizeof found->path)
            return true;
    }
    return false;
}
