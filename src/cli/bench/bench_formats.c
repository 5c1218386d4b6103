/* bench_formats.c - the error of one application of the operator in every format, and by the storage of the links.
 *
 * Staggered quarks: D v, as M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224, Figure 3.
 * Other quarks: C v on odd sites, as M. A. Clark et al., arXiv:0911.3191, Figure 6. */
#include "src/bench/dirac_errors.h"
#include "src/bench/link_errors.h"
#include "src/cli/bench/bench_studies.h"

/* links: the format in which Wilson links are stored before the operator stores them in its own; LINK_NATIVE: none.
 * The staggered operator reads all numbers of long links.  is_read: the hop of Wilson quarks without a clover term
 * reads links in this format itself. */
typedef struct { const char *name; stored_as stored, computed; link_format links; bool is_read; } format_row;

#define IN(format) STORED_##format, STORED_##format
static const format_row staggered_rows[] = {
    { "half", IN(HALF), LINK_NATIVE, false },
    { "int20", IN(INT20), LINK_NATIVE, false },
    { "single", IN(SINGLE), LINK_NATIVE, false },
    { "int30", IN(INT30), LINK_NATIVE, false },
    { "int30-fp32", STORED_INT30, STORED_SINGLE, LINK_NATIVE, false },
};
static const format_row c_rows[] = {
    { "half", IN(HALF), LINK_NATIVE, false },
    { "half-links16", IN(HALF), LINK_FIXED16_13, false },
    { "half-links8", IN(HALF), LINK_8, false },
    { "int20", IN(INT20), LINK_NATIVE, false },
    { "int20-links16", IN(INT20), LINK_FIXED16_13, false },
    { "int20-links8", IN(INT20), LINK_8, false },
    { "single", IN(SINGLE), LINK_NATIVE, false },
    { "single-links8", IN(SINGLE), LINK_8, false },
    { "single-reads8", IN(SINGLE), LINK_8, true },
    { "single-reads18", IN(SINGLE), LINK_NATIVE, true },
    { "int30-fp32", STORED_INT30, STORED_SINGLE, LINK_NATIVE, false },
    { "int30", IN(INT30), LINK_NATIVE, false },
    { "int30-links8", IN(INT30), LINK_8, false },
    { "double-links8", IN(DOUBLE), LINK_8, false },
    { "double-reads8", IN(DOUBLE), LINK_8, true },
    { "double-reads18", IN(DOUBLE), LINK_NATIVE, true },
};
#define COUNT(rows) (int)(sizeof rows / sizeof *rows)

enum { TABLE_FROM = 8, TABLE_TO = 3 };

/* epsilon from 1e-`least` on, in steps; with links in double precision from below its rounding on. */
typedef struct { int least, decades, per_decade; } error_levels_of;
static const error_levels_of staggered_levels = { 10, 8, 7 }, c_levels = { 17, 15, 4 };

static const char *arithmetic_of(const format_row *row)
{
    return solver_storages[row->computed].precision == PRECISION_DOUBLE ? "double" : "single";
}

static void format_to_json(json *j, const format_row *row, const format_errors *e)
{
    json_open(j, NULL, '{');
    json_text(j, "name", row->name);
    json_text(j, "format", stored_names[row->stored]);
    json_text(j, "arithmetic", arithmetic_of(row));
    json_text(j, "links", row->links == LINK_NATIVE ? NULL : link_format_names[row->links]);
    if (row->is_read)
        json_int(j, "numbers_read", LINK_NUMBERS(row->links));
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

/* Storages have colors; lines are dashed if links or arithmetic are not those of the storage. */
static void curve_of(solver_bench *b, const format_row *row, const format_errors *e)
{
    double *x = solver_bench_numbers(b, e->count), *y = solver_bench_numbers(b, e->count);
    const bool is_plain = row->links == LINK_NATIVE && row->stored == row->computed && !row->is_read;
    const int color = STORED_HALF - (int)row->stored;
    plot_series *c = plot_add(&b->picture, row->name, is_plain ? PLOT_LINE : PLOT_DASHES, color);
    text_add(&b->columns, "\n\n# %s: epsilon, share of the numbers of the result that are off by more\n", row->name);
    for (int i = 0; i < e->count; i++) {
        x[i] = e->level[i].epsilon;
        y[i] = e->level[i].beyond;
        text_add(&b->columns, "%.6e %.6e\n", x[i], y[i]);
    }
    c->x = x;
    c->y = y;
    c->count = e->count;
}

static void add_head(solver_bench *b, const format_errors *e)
{
    text_add(&b->table, "v has normal components, numbers of %s are %.3g in size\n\n",
             b->o->family != STUDY_STAGGERED ? "C v" : "D v", e->component_rms);
    text_add(&b->table, "%-14s %10s %10s   share off by more than", "", "rms", "largest");
    for (int k = TABLE_FROM; k >= TABLE_TO; k--)
        text_add(&b->table, "     1e-%d", k);
    text_add(&b->table, "\n");
}

static format_errors measure(const solver_bench *b, const format_row *row, const double *epsilon, int count)
{
    const bench_solver_options *o = b->o;
    const format_pair in = { solver_storages[row->stored], solver_storages[row->computed] };
    const rng_key key = rng_key_for(2, 0, 0, RNG_TEST);
    if (o->family == STUDY_STAGGERED)
        return format_errors_measure(&(staggered_errors_of){ b->links, 0, NAIK_IN_18, key }, in, epsilon, count);
    const study_operator of = solver_bench_operator(o, o->masses.of[0]);
    study_plan p;
    study_plan_make(&p, &of);
    if (row->is_read)
        return link_errors_measure(&(link_errors_of){ b->u, of.mass, key }, in.computed.precision, row->links, epsilon,
                                   count);
    return dirac_errors_measure(&(dirac_errors_of){ &p.plan, b->u, key }, in, row->links, epsilon, count);
}

/* Wilson quarks without a clover term or a twisted mass. */
static bool hop_is_alone(const bench_solver_options *o)
{
    const study_operator of = solver_bench_operator(o, o->masses.of[0]);
    study_plan p;
    if (o->family != STUDY_WILSON)
        return false;
    study_plan_make(&p, &of);
    return p.clover.plain;
}

bool bench_formats(solver_bench *b)
{
    const bool has_c = b->o->family != STUDY_STAGGERED;
    const format_row *rows = has_c ? c_rows : staggered_rows;
    const int count = has_c ? COUNT(c_rows) : COUNT(staggered_rows);
    const error_levels_of *l = has_c ? &c_levels : &staggered_levels;
    double epsilon[ERROR_LEVELS_MAX];
    const int levels = l->decades * l->per_decade + 1;
    for (int i = 0; i < levels; i++)
        epsilon[i] = pow(10, (double)i / l->per_decade - l->least);
    b->picture.title = has_c ? "Share of the numbers of C v that are off by more than epsilon"
                                 : "Share of the numbers of D v that are off by more than epsilon";
    b->picture.x_label = "epsilon";
    b->picture.y_label = "share";
    b->picture.log_x = b->picture.log_y = true;
    json_text(&b->j, "quarks", study_quarks_names[b->o->family]);
    json_open(&b->j, "formats", '[');
    for (int n = 0; n < count; n++) {
        if (rows[n].is_read && !hop_is_alone(b->o))
            continue;
        const format_errors e = measure(b, &rows[n], epsilon, levels);
        if (n == 0)
            add_head(b, &e);
        text_add(&b->table, "%-14s %10.2e %10.2e %24s", rows[n].name, e.rms, e.largest, "");
        for (int k = TABLE_FROM; k >= TABLE_TO; k--)
            text_add(&b->table, " %8.2g", e.level[(l->least - k) * l->per_decade].beyond);
        text_add(&b->table, "\n");
        format_to_json(&b->j, &rows[n], &e);
        curve_of(b, &rows[n], &e);
    }
    json_close(&b->j);
    text_add(&b->table, "\nint30-fp32: stored in int30, computed in single precision%s\n",
             has_c ? "; operators read links in 12 numbers,\nWilson quarks with half and int20 of 16 bits, with int30 "
                     "of 32; links8: that have been in 8\nnumbers, links16: in 12 numbers of 16 bits; made unitary "
                     "again; reads8, reads18: the hop\nof Wilson quarks reads 8 or all 18 numbers"
                   : "");
    return true;
}
