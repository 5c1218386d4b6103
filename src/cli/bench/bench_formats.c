/* bench_formats.c - the error of D v in every format.
 *
 * M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224, Figure 3. */
#include "src/bench/format_errors.h"
#include "src/cli/bench/bench_studies.h"

static const stored_as kinds[] = { STORED_HALF, STORED_INT20, STORED_SINGLE, STORED_INT30 };
enum { KINDS = sizeof kinds / sizeof *kinds, PER_DECADE = 7, LEAST = 10, DECADES = 8,
       LEVELS = DECADES * PER_DECADE + 1, TABLE_FROM = 8, TABLE_TO = 3 };

static void format_to_json(json *j, stored_as kind, const format_errors *e)
{
    json_open(j, NULL, '{');
    json_text(j, "format", stored_names[kind]);
    json_real(j, "rms", e->rms);
    json_real(j, "largest", e->largest);
    json_open(j, "levels", '[');
    for (int i = 0; i < e->count; i++) {
        json_open(j, NULL, '{');
        json_real(j, "epsilon", e->level[i].epsilon);
        json_real(j, "beyond", e->level[i].beyond);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void curve_of(solver_bench *b, int n, const format_errors *e)
{
    double *x = solver_bench_numbers(b, e->count), *y = solver_bench_numbers(b, e->count);
    plot_series *c = plot_add(&b->picture, stored_names[kinds[n]], PLOT_LINE, n);
    text_add(&b->columns, "\n\n# %s: epsilon, share of the numbers of D v that are off by more\n",
             stored_names[kinds[n]]);
    for (int i = 0; i < e->count; i++) {
        x[i] = e->level[i].epsilon;
        y[i] = e->level[i].beyond;
        text_add(&b->columns, "%.6e %.6e\n", x[i], y[i]);
    }
    c->x = x;
    c->y = y;
    c->count = e->count;
}

bool bench_formats(solver_bench *b)
{
    double epsilon[LEVELS];
    for (int i = 0; i < LEVELS; i++)
        epsilon[i] = pow(10, (double)i / PER_DECADE - LEAST);
    b->picture.title = "Share of the numbers of D v that are off by more than epsilon";
    b->picture.x_label = "epsilon";
    b->picture.y_label = "share";
    b->picture.log_x = b->picture.log_y = true;
    json_open(&b->j, "formats", '[');
    for (int n = 0; n < KINDS; n++) {
        rng_key key = rng_key_for(2, 0, 0, RNG_TEST);
        const vec_storage in = solver_storages[kinds[n]];
        format_errors e = format_errors_measure(b->links, 0, in, key, epsilon, LEVELS);
        if (n == 0) {
            text_add(&b->table, "v has normal components, numbers of D v are %.3g in size\n\n", e.component_rms);
            text_add(&b->table, "%-8s %10s %10s   share off by more than", "", "rms", "largest");
            for (int k = TABLE_FROM; k >= TABLE_TO; k--)
                text_add(&b->table, "     1e-%d", k);
            text_add(&b->table, "\n");
        }
        text_add(&b->table, "%-8s %10.2e %10.2e %24s", stored_names[kinds[n]], e.rms, e.largest, "");
        for (int k = TABLE_FROM; k >= TABLE_TO; k--)
            text_add(&b->table, " %8.2g", e.level[(LEAST - k) * PER_DECADE].beyond);
        text_add(&b->table, "\n");
        format_to_json(&b->j, kinds[n], &e);
        curve_of(b, n, &e);
    }
    json_close(&b->j);
    return true;
}
