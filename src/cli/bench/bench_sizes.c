/* bench_sizes.c - time to solution in double precision and with vectors and links in 16 or 20 bits, for each kind of
 * quarks, on lattices large enough that memory traffic limits the speed.
 *
 * As the tables of arXiv:0911.3191 and arXiv:2302.09224, but each row makes its own links (bench_field.c).  HISQ:
 * (K + 4 m^2) x = b, also for several b at once, which read the links together; domain-wall and clover quarks: C x = b,
 * until |b - C x| / |b| is small enough. */
#include "src/bench/method_study.h"
#include "src/cli/bench/bench_studies.h"
#include "src/io/configuration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of study_quarks. */
static const char *const quarks_names[STUDY_QUARKS] = { "hisq", "domain-wall", "clover" };

/* Rows on the same lattice are next to each other, and use the same links. */
typedef struct { study_quarks quarks; int extents[4]; solver_kind_index method; } size_row;
static const size_row rows[] = {
    { STUDY_STAGGERED, { 32, 32, 32, 32 }, SOLVER_CG },
    { STUDY_STAGGERED, { 48, 48, 48, 64 }, SOLVER_CG },
    { STUDY_DOMAIN_WALL, { 24, 24, 24, 48 }, SOLVER_CG },
    { STUDY_WILSON, { 24, 24, 24, 48 }, SOLVER_CG },
    { STUDY_WILSON, { 24, 24, 24, 48 }, SOLVER_BICGSTAB },
    { STUDY_WILSON, { 24, 24, 24, 48 }, SOLVER_BICGSTAB4 },
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Whether a row is requested.  With --lattice each kind of quarks has one row. */
static bool is_requested(const bench_solver_options *o, int row)
{
    const bool again = row > 0 && rows[row].quarks == rows[row - 1].quarks && rows[row].method == rows[row - 1].method;
    return (o->extents[0] == 0 || !again) && (o->family < 0 || o->family == (int)rows[row].quarks)
           && (o->method < 0 || o->method == (int)rows[row].method);
}

static double mass_of(const bench_solver_options *o, study_quarks quarks)
{
    return o->masses.of[o->family < 0 ? (int)quarks : 0];
}

static const stored_as inners[] = { STORED_DOUBLE, STORED_SINGLE, STORED_INT30, STORED_HALF, STORED_INT20 };
enum { INNERS_COMPARED = sizeof inners / sizeof *inners };

/* The solves of a row. */
typedef struct { staggered_links *links; solver_study *hisq; method_study *others; } size_study;

static size_study open_row(const solver_bench *b, const gauge *u, study_quarks quarks)
{
    const rng_key source = rng_key_for(1, 0, 0, RNG_TEST);
    size_study s = { .links = NULL };
    if (quarks == STUDY_STAGGERED) {
        s.links = operator_links(b->params, u);
        s.hisq = solver_study_create(s.links, u, source);
    } else {
        study_operator op = solver_bench_operator(b->o, mass_of(b->o, quarks));
        op.quarks = quarks;
        s.others = method_study_create(&(method_system){ .op = op, .u = u, .source = source });
    }
    return s;
}

static void close_row(size_study *s)
{
    method_study_free(s->others);
    solver_study_free(s->hisq);
    staggered_links_free(s->links);
}

static study_solve solve(size_study *s, const size_row *row, double mass, stored_as inner, stop_rule stop, int sources)
{
    const mixed_rule rule = mixed_rule_default();
    const double shift = 4 * mass * mass;
    if (s->others)
        return method_study_solve(s->others, row->method, inner, stop, &rule);
    if (sources > 1)
        return solver_study_mixed_sources(s->hisq, inner, shift, stop, &rule, sources);
    return inner == STORED_DOUBLE ? solver_study_double(s->hisq, shift, stop)
                                  : solver_study_mixed(s->hisq, inner, shift, stop, &rule);
}

/* The flops of an iteration on a site of the lattice that MILC counts (`nflop` of generic_ks/d_congrad5_fn_milc.c) and
 * that others quote: 16 products of a matrix and a vector, their sums, and linear algebra. */
enum { FLOPS_OF_MILC = 1187 };

/* By this count; NaN for other quarks and for links without a Naik term. */
static double gflops_of(const solver_bench *b, const gauge *u, study_quarks quarks, const study_solve *of)
{
    const bool counted = quarks == STUDY_STAGGERED && b->params->kind != STAGGERED_NAIVE;
    const double flops = FLOPS_OF_MILC * (double)lattice_volume(u->links.lattice) * of->of.solve.iterations;
    return counted ? 1e-9 * flops / of->seconds : NAN;
}

static void study_row(solver_bench *b, const gauge *u, const size_row *row)
{
    const double mass = mass_of(b->o, row->quarks);
    const extents_text extents = extents_to_text(lattice_global(u->links.lattice));
    size_study s = open_row(b, u, row->quarks);
    study_solve reference = { .seconds = NAN };
    json_text(&b->j, "quarks", quarks_names[row->quarks]);
    json_text(&b->j, "lattice", extents.s);
    json_real(&b->j, "mass", mass);
    json_text(&b->j, "method", solver_kind_names[row->method]);
    if (row->quarks == STUDY_STAGGERED)
        json_int(&b->j, "sources", b->o->sources);
    json_open(&b->j, "solves", '[');
    for (int i = 0; i < INNERS_COMPARED; i++) {
        if (!solver_bench_has(b->o, inners[i]))
            continue;
        const study_solve of = solve(&s, row, mass, inners[i], solver_bench_stop(b->o), (int)b->o->sources);
        if (isnan(reference.seconds))
            reference = of;
        const double gflops = gflops_of(b, u, row->quarks, &of);
        const double times = (double)of.of.solve.iterations / reference.of.solve.iterations;
        json_open(&b->j, NULL, '{');
        json_text(&b->j, "inner", stored_names[inners[i]]);
        solver_bench_solve_to_json(&b->j, &of);
        json_real(&b->j, "iterations_ratio", times);
        json_real(&b->j, "time_ratio", of.seconds / reference.seconds);
        if (!isnan(gflops))
            json_real(&b->j, "gflops", gflops);
        json_close(&b->j);
        char rate[24] = "-";
        if (!isnan(gflops))
            snprintf(rate, sizeof rate, "%.0f", gflops);
        text_add(&b->table, "%-11s %-12s %8g  %-9s %-7s %8d%s %7.3f %10.2e %10.4f %7.3f %8s  %s\n",
                 quarks_names[row->quarks], extents.s, mass, solver_kind_names[row->method], stored_names[inners[i]],
                 of.of.solve.iterations, of.of.solve.converged ? " " : "+", times, of.of.solve.residual, of.seconds,
                 of.seconds / reference.seconds, rate, solver_bench_failure(&of));
        text_add(&b->columns, "%s %s %g %s %s %d %.6e %d %d %.6g\n", quarks_names[row->quarks], extents.s, mass,
                 solver_kind_names[row->method], stored_names[inners[i]], of.of.solve.iterations, of.seconds,
                 of.of.solve.converged, row->quarks == STUDY_STAGGERED ? (int)b->o->sources : 1, gflops);
        solver_bench_print(b);
    }
    json_close(&b->j);
    close_row(&s);
}

/* The links of a row: those of the row before if that has the same lattice, else new ones. */
static bool links_of_row(solver_bench *b, const size_row *row, gauge **u)
{
    bench_solver_options with = *b->o;
    if (with.extents[0] == 0)
        memcpy(with.extents, row->extents, sizeof with.extents);
    if (*u && memcmp(lattice_global((*u)->links.lattice), with.extents, sizeof with.extents) == 0)
        return true;
    configuration_close(*u);
    text story = { 0 };
    *u = bench_field(&with, b->where, &b->j, &story);
    if (*u)
        text_add(&b->table, "%s: %s\n", extents_to_text(with.extents).s, text_string(&story));
    text_free(&story);
    return *u != NULL;
}

bool bench_sizes(solver_bench *b)
{
    gauge *u = NULL;
    bool ok = true;
    json_real(&b->j, "tolerance", b->o->tolerance.of[0]);
    solver_bench_wilson_to_json(&b->j, b->o);
    json_int(&b->j, "Ls", b->o->Ls);
    json_open(&b->j, "rows", '[');
    text_add(&b->table, "until the true residual is %g; Ls = %d", b->o->tolerance.of[0], (int)b->o->Ls);
    if (!b->o->wilson.given.xi_0)
        text_add(&b->table, ", c_sw = %g", b->o->wilson.c_sw);
    solver_bench_add_anisotropy(&b->table, b->o);
    text_add(&b->table, "; ratios: to the first row of a method\n"
                        "%-11s %-12s %8s  %-9s %-7s %9s %7s %10s %10s %7s %8s  %s\n", "quarks", "lattice", "mass",
             "method", "inner", "iter.", "ratio",
             "residual", "time [s]", "ratio", "Gflop/s", "ended by");
    text_add(&b->columns, "# quarks, lattice, mass, method, inner precision, iterations, seconds, converged, "
                          "sources, Gflop/s (nan: not counted)\n");
    for (int i = 0; i < ROWS && ok; i++) {
        if (!is_requested(b->o, i))
            continue;
        json_open(&b->j, NULL, '{');
        ok = links_of_row(b, &rows[i], &u);
        if (ok)
            study_row(b, u, &rows[i]);
        json_close(&b->j);
    }
    json_close(&b->j);
    configuration_close(u);
    text_add(&b->table, "\n+: not converged when stopped; Gflop/s: with %d flops a site and iteration, as MILC counts "
                        "them\n", FLOPS_OF_MILC);
    if (b->o->sources > 1)
        text_add(&b->table, "iterations and seconds are those of %d right-hand sides together\n",
                 (int)b->o->sources);
    return ok;
}
