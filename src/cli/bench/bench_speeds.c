/* bench_speeds.c - the speed of C v, and of iterations of conjugate gradients and of BiCGstab, in every precision, as a
 * function of the extent in t.
 *
 * As M. A. Clark et al., arXiv:0911.3191, Figures 2 to 5 and Table 2, for Wilson quarks, and T.-W. Chiu et al.,
 * arXiv:1101.0423, Table 1, for domain-wall quarks.  Flops are those of the products with C alone: an iteration has
 * two, and linear algebra counts as time only.  "Flops a byte of copy": of C v, in the time in which a copy moves a
 * byte. */
#include "src/bench/dirac_study.h"
#include "src/cli/bench/bench_studies.h"
#include "src/io/configuration.h"

#include <string.h>

/* Of a precision on a lattice. */
typedef struct { operator_speed c; double cg, bicgstab; } speed_row;      /* the last two: seconds of an iteration */

static speed_row measure(dirac_study *s, const bench_solver_options *o, stored_as in)
{
    const int n = (int)o->iterations;
    return (speed_row){ dirac_study_operator(s, in, (int)o->repeats),
                        dirac_study_iteration(s, SOLVER_CG, in, n), dirac_study_iteration(s, SOLVER_BICGSTAB, in, n) };
}

static double gflops(double flops, double seconds)
{
    return 1e-9 * flops / seconds;
}

static void add_row(solver_bench *b, int t, stored_as in, const speed_row *r, double copy)
{
    const double flops = r->c.work.flops, seconds = r->c.time.median;
    const double of_c = gflops(flops, seconds), of_cg = gflops(2 * flops, r->cg);
    const double of_bicgstab = gflops(2 * flops, r->bicgstab), per_byte = flops / seconds / copy;
    json_open(&b->j, NULL, '{');
    json_text(&b->j, "precision", stored_names[in]);
    json_real(&b->j, "flops", flops);
    json_real(&b->j, "bytes", r->c.work.bytes);
    json_real(&b->j, "c_seconds", seconds);
    json_real(&b->j, "c_gflops", of_c);
    json_real(&b->j, "c_flops_per_byte_of_copy", per_byte);
    json_real(&b->j, "c_bytes_per_byte_of_copy", r->c.work.bytes / seconds / copy);
    json_real(&b->j, "cg_iteration_seconds", r->cg);
    json_real(&b->j, "cg_gflops", of_cg);
    json_real(&b->j, "bicgstab_iteration_seconds", r->bicgstab);
    json_real(&b->j, "bicgstab_gflops", of_bicgstab);
    json_close(&b->j);
    text_add(&b->table, "%4d  %-7s %10.1f %9.1f %8.3f %7.2f %10.1f %9.1f %10.1f %9.1f\n", t, stored_names[in],
             1e6 * seconds, of_c, per_byte, r->c.work.bytes / seconds / copy, 1e6 * r->cg, of_cg, 1e6 * r->bicgstab,
             of_bicgstab);
    text_add(&b->columns, "%d %s %.6e %.6e %.6e %.6e %.6e\n", t, stored_names[in], of_c, per_byte, of_cg, of_bicgstab,
             seconds);
    solver_bench_print(b);
}

/* All precisions on the links u. */
static void study_links(solver_bench *b, const gauge *u, double copy, bench_curve *curves)
{
    const bench_solver_options *o = b->o;
    const int t = lattice_global(u->links.lattice)[3];
    const study_operator op = solver_bench_operator(o, o->masses.of[0]);
    study_plan p;
    study_plan_make(&p, &op);
    dirac_study *s = dirac_study_create(&p.plan, u, rng_key_for(1, 0, 0, RNG_TEST));
    json_open(&b->j, "precisions", '[');
    for (stored_as in = STORED_DOUBLE; in < SOLVER_STORAGES; in++) {
        if (!solver_bench_has(o, in))
            continue;
        const speed_row r = measure(s, o, in);
        add_row(b, t, in, &r, copy);
        solver_bench_curve_add(&curves[in], t, gflops(r.c.work.flops, r.c.time.median));
    }
    json_close(&b->j);
    dirac_study_free(s);
}

static bool study_extent(solver_bench *b, int t, double copy, bench_curve *curves)
{
    bench_solver_options with = *b->o;
    text story = { 0 };
    with.extents[3] = t;
    json_open(&b->j, NULL, '{');
    json_int(&b->j, "t", t);
    gauge *u = bench_field(&with, b->where, &b->j, &story);
    text_free(&story);
    if (u)
        study_links(b, u, copy, curves);
    json_close(&b->j);
    configuration_close(u);
    return u != NULL;
}

static void make_curves(solver_bench *b, bench_curve *curves, int count)
{
    b->picture.title = "C v";
    b->picture.x_label = "extent in t";
    b->picture.y_label = "Gflop/s";
    for (stored_as in = STORED_DOUBLE; in < SOLVER_STORAGES; in++)
        if (solver_bench_has(b->o, in))
            curves[in] = solver_bench_curve_begin(b, stored_names[in], PLOT_LINE_AND_POINTS, (int)in, count);
}

bool bench_speeds(solver_bench *b)
{
    const bench_solver_options *o = b->o;
    const number_list own = { 1, { o->extents[3] } }, *list = o->extents_t.count > 0 ? &o->extents_t : &own;
    const double copy = bench_copy_rate(b->where, 0, (int)o->repeats);
    bench_curve curves[SOLVER_STORAGES];
    bool ok = true;
    make_curves(b, curves, list->count);
    json_text(&b->j, "quarks", study_quarks_names[o->family]);
    solver_bench_wilson_to_json(&b->j, o);
    json_real(&b->j, "copy_bytes_per_second", copy);
    json_open(&b->j, "extents", '[');
    text_add(&b->table, "%s quarks on %s, %d x %d x %d x T; a copy reads and writes %.1f GB/s\n\n"
                        "%4s  %-7s %10s %9s %8s %7s %10s %9s %10s %9s\n", study_quarks_names[o->family],
             place_name(b->where), o->extents[0], o->extents[1], o->extents[2], 1e-9 * copy, "T", "", "C v [us]",
             "Gflop/s", "flops/B", "bytes/B", "CG [us]", "Gflop/s", "BiCG [us]", "Gflop/s");
    text_add(&b->columns, "# T, precision, Gflop/s of C v, flops a byte of copy, Gflop/s of conjugate gradients, of "
                          "BiCGstab, seconds of C v\n");
    for (int i = 0; i < list->count && ok; i++)
        ok = study_extent(b, (int)list->of[i], copy, curves);
    json_close(&b->j);
    text_add(&b->table, "\nflops/B, bytes/B: of C v, in the time in which a copy moves a byte; bytes: each spinor that "
                        "a hop reads\nor writes once, and links in 12 numbers; CG, BiCG: an iteration of conjugate "
                        "gradients, of BiCGstab,\nwith the flops of its two products\n");
    return ok;
}
