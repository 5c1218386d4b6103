/* test_bench_solver.c - kiln bench solver: every study at a small size ends well, and what it says is true of any
 * solver in mixed precision; times are nobody's facts. */
#include "src/base/memory.h"
#include "src/io/configuration.h"
#include "src/lattice/rng.h"
#include "src/solvers/solver_choice.h"
#include "tests/bench/study_output.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD "--lattice 4,4,4,8 --trajectories 5 --device cpu --json"

enum { DOUBLE, NAIVE, HIGH_SOLUTION, REPROJECTION, STABILIZED, INT20, SOLVES };

static void history(void)
{
    yaml_node *t = bench_study_json("history --mass 0.2 --tolerance 1e-9 " FIELD);
    double exact = json_number(t, "reference.iterations");
    fact_close(number_at(t, "solves.%d.iterations", DOUBLE), exact, 2,
               "the history in double is that of plain conjugate gradients");
    for (int n = STABILIZED; n < SOLVES; n++)
        fact_close(number_at(t, "solves.%d.iterations", n) / exact, 1, 0.05,
                   "quarks are heavy: stabilized solver %d takes as many iterations as double", n);
    for (int n = 0; n < SOLVES; n++) {
        int iterated = 0, seen = 0;
        double iterations = number_at(t, "solves.%d.iterations", n), residual = number_at(t, "solves.%d.residual", n);
        while (!isnan(number_at(t, "solves.%d.iterated.%d", n, iterated)))
            iterated++;
        while (!isnan(number_at(t, "solves.%d.true.%d.residual", n, seen)))
            seen++;
        fact(residual <= 1e-9 && iterated == iterations, "solver %d converges, and has a residual of every step", n);
        fact(seen > 0 && number_at(t, "solves.%d.true.%d.residual", n, seen - 1) == residual
             && number_at(t, "solves.%d.true.%d.iteration", n, seen - 1) == iterations,
             "its last true residual is that of its solution");
    }
    yaml_tree_free(t);

    t = bench_study_json("history --lattice 6,6,6,6 --beta 2 --trajectories 10 --mass 0.02 --device cpu --json");
    exact = json_number(t, "reference.iterations");
    double naive = number_at(t, "solves.%d.iterations", NAIVE);
    double stable = number_at(t, "solves.%d.iterations", STABILIZED);
    fact(number_at(t, "solves.%d.residual", STABILIZED) <= 1e-10 && exact > 1000 && stable < 1.1 * exact,
         "quarks are light: stabilized, half precision does as double does (%g, %g iterations)", stable, exact);
    fact(naive > 1.5 * exact, "but not with reliable updates alone (%g)", naive);
    yaml_tree_free(t);
}

enum { IN_DOUBLE, SINGLE_HALF, INT30_INT20, INT20_ALONE, HALF_ALONE, KINDS };

static void multishift(void)
{
    yaml_node *t = bench_study_json("multishift --mass 0.02 --poles 7 --tolerance 1e-6,1e-8,1e-10 " FIELD);
    bool reached = true, finer = true;
    for (int k = 0; k < 7; k++) {
        double tolerance = number_at(t, "shifts.%d.tolerance", k);
        fact(tolerance == (k == 0 ? 1e-6 : k == 1 ? 1e-8 : 1e-10), "shift %d has its tolerance", k);
        for (int n = 0; n < KINDS; n++)
            reached &= number_at(t, "solvers.%d.shifts.%d.residual", n, k) <= tolerance;
        if (k > 1)
            finer &= number_at(t, "solvers.%d.shifts.%d.krylov_residual", INT30_INT20, k)
                     < 0.5 * number_at(t, "solvers.%d.shifts.%d.krylov_residual", SINGLE_HALF, k);
    }
    fact(reached, "all solvers bring all shifts to their tolerances");
    fact(finer, "30 bits leave smaller residuals than single precision does");
    fact(isnan(json_number(t, "shifts.7.pole")), "there are as many shifts as poles were asked for");
    double total[KINDS];
    for (int n = 0; n < KINDS; n++) {
        total[n] = number_at(t, "solvers.%d.krylov_iterations", n);
        for (int k = 0; k < 7; k++)
            total[n] += number_at(t, "solvers.%d.shifts.%d.refine_iterations", n, k);
        fact(total[n] == number_at(t, "solvers.%d.total_iterations", n), "solver %d: iterations add up", n);
    }
    fact(total[INT30_INT20] < total[SINGLE_HALF] && total[SINGLE_HALF] < total[INT20_ALONE],
         "so that fewer iterations are left to do, and more with less than single (%g, %g, %g)", total[INT30_INT20],
         total[SINGLE_HALF], total[INT20_ALONE]);
    yaml_tree_free(t);
}

static void masses(void)
{
    yaml_node *t = bench_study_json("masses --masses 0.2,0.05 --inner 0.1 " FIELD);
    for (int m = 0; m < 2; m++)
        for (int n = 1; n < 7; n += 2) {
            char path[64];
            snprintf(path, sizeof path, "masses.%d.solves.%d.method", m, n + 1);
            double updates = number_at(t, "masses.%d.solves.%d.iterations", m, n);
            double correction = number_at(t, "masses.%d.solves.%d.iterations", m, n + 1);
            fact(holds(t, path, "defect correction") && number_at(t, "masses.%d.solves.%d.residual", m, n + 1) <= 1e-10,
                 "mass %d: defect correction converges", m);
            fact(updates < correction, "mass %d, precision %d: but reliable updates forget no directions (%g, %g)", m,
                 n / 2, updates, correction);
        }
    fact(isnan(json_number(t, "masses.2.mass")), "there are as many masses as were asked for");
    yaml_tree_free(t);
}

/* Wilson quarks near their critical mass by BiCGstab, as in Tables 4 and 5 of arXiv:0911.3191. */
static void wilson_masses(void)
{
    enum { NUMBERS = 2, ROWS = 2 * NUMBERS, LIGHT = 1 };
    yaml_node *t = bench_study_json("masses --quarks wilson --c-sw 1 --masses=0.3,-0.3 --beta 5 --delta 0.1,0.001 "
                         "--inner 0.1,0.001 " FIELD);
    bool converged = true, fewer = true, same = true, restarts_cost = true;
    for (int mass = 0; mass < 2; mass++)
        for (int inner = 0; inner < 3; inner++) {
            const int at = 1 + inner * ROWS;
            double exact = number_at(t, "masses.%d.solves.0.iterations", mass), n[ROWS], residuals[ROWS];
            for (int k = 0; k < ROWS; k++) {
                n[k] = number_at(t, "masses.%d.solves.%d.iterations", mass, at + k);
                residuals[k] = number_at(t, "masses.%d.solves.%d.residuals_in_double", mass, at + k);
                converged &= number_at(t, "masses.%d.solves.%d.residual", mass, at + k) <= 1e-10;
                same &= mass == LIGHT || fabs(n[k] - exact) <= 0.15 * exact + 1;
            }
            fewer &= residuals[1] < residuals[0] && residuals[3] < residuals[2];
            restarts_cost &= mass != LIGHT || n[2] > 1.2 * n[0];
        }
    fact(converged, "Wilson quarks by BiCGstab: every solve has the residual that was asked for");
    fact(same, "heavy Wilson quarks: all precisions and both methods take about as many iterations as double");
    fact(fewer, "the smaller delta or the inner residual, the fewer residuals in double precision");
    fact(restarts_cost, "light Wilson quarks: defect correction takes more iterations than reliable updates");
    fact_close(number_at(t, "masses.1.solves.1.delta"), 0.1, 0, "a row has its delta");
    fact_close(number_at(t, "masses.1.solves.4.inner_tolerance"), 0.001, 0, "and its inner residual");
    yaml_tree_free(t);
    t = bench_study_json("masses --quarks wilson --method cg --masses 0.1 " FIELD);
    const double exact = json_number(t, "masses.0.solves.0.iterations");
    fact(json_number(t, "masses.0.solves.0.residual") <= 1e-10 && json_number(t, "masses.0.solves.1.residual") <= 1e-10
         && json_number(t, "masses.0.solves.1.iterations") <= 1.2 * exact,
         "Wilson quarks by conjugate gradients: residuals are those of C x = b, in half precision, too");
    yaml_tree_free(t);
}

/* Solves of a mass by a method, in so many kinds from the first one on. */
static void converge(const yaml_node *t, int first, int kinds, const char *method)
{
    for (int n = first; n < first + kinds; n++) {
        char path[64];
        snprintf(path, sizeof path, "masses.0.solves.%d.method", n);
        fact(holds(t, path, method) && number_at(t, "masses.0.solves.%d.true_residual", n) <= 1.01e-9,
             "%s, precision %d: converges", method, n - first);
        fact(number_at(t, "masses.0.solves.%d.iterations", n)
                 <= 1.5 * number_at(t, "masses.0.solves.%d.iterations", first) + 4,
             "and in lower precision there are not many more iterations than in double");
    }
}

static void methods(void)
{
    static const char *const names[] = { "cg", "bicgstab", "bicgstab2", "bicgstab4" };
    yaml_node *t = bench_study_json("methods --quarks wilson --c-sw 0.5 --masses 0.1 --tolerance 1e-9 " FIELD);
    for (int method = 0; method < 4; method++)
        converge(t, SOLVER_STORAGES * method, SOLVER_STORAGES, names[method]);
    const double cg = json_number(t, "masses.0.solves.0.iterations");
    fact(2 * number_at(t, "masses.0.solves.%d.iterations", SOLVER_STORAGES) < cg,
         "BiCGstab takes less than half the iterations of conjugate gradients for Wilson quarks");
    const int multigrid = 4 * SOLVER_STORAGES;
    converge(t, multigrid, 1, "multigrid");
    fact(number_at(t, "masses.0.solves.%d.setup_seconds", multigrid) > 0
             && isnan(number_at(t, "masses.0.solves.%d.iterations", multigrid + 1)),
         "multigrid has one row, in single precision, and tells the time of its set-up");
    fact(json_number(t, "multigrid.vectors") == 24 && json_number(t, "multigrid.block.3") == 4
         && holds(t, "multigrid.smoother_precision", "single"), "the report has the settings of multigrid");
    fact(number_at(t, "masses.0.solves.%d.iterations", multigrid)
             < number_at(t, "masses.0.solves.%d.iterations", SOLVER_STORAGES),
         "and takes fewer iterations than BiCGstab");
    fact_close(json_number(t, "masses.0.kappa"), 1 / 8.2, 1e-12, "kappa is that of the mass");
    yaml_tree_free(t);
    t = bench_study_json("methods --masses 0.3 --tolerance 1e-9 " FIELD);
    converge(t, 0, 1, names[0]);
    for (int method = 2; method < 4; method++)
        converge(t, 1 + SOLVER_STORAGES * (method - 1), SOLVER_STORAGES, names[method]);
    yaml_tree_free(t);
    t = bench_study_json("methods --masses 0.3 --method bicgstab4 --tolerance 1e-9 " FIELD);
    converge(t, 0, SOLVER_STORAGES, names[3]);
    fact(isnan(number_at(t, "masses.0.solves.%d.iterations", SOLVER_STORAGES)), "--method: no other one is there");
    yaml_tree_free(t);
}

/* Iterations and residual of conjugate gradients, iterations of multigrid, and the plaquette of the links. */
typedef struct { double cg, residual, multigrid, plaquette; } anisotropic_numbers;

static anisotropic_numbers numbers_of(const char *options)
{
    static const char *const methods[] = { "cg", "multigrid" };
    anisotropic_numbers n = { 0 };
    for (int i = 0; i < 2; i++) {
        char words[400];
        snprintf(words, sizeof words, "methods --quarks wilson --masses 0.05 --tolerance 1e-9 --precisions %s --method "
                                      "%s --heatbath 4 --lattice 4,4,4,8 --device cpu --json %s",
                 i ? "single" : "double", methods[i], options);
        yaml_node *t = bench_study_json(words);
        converge(t, 0, 1, methods[i]);
        *(i ? &n.multigrid : &n.cg) = json_number(t, "masses.0.solves.0.iterations");
        n.residual = i ? n.residual : json_number(t, "masses.0.solves.0.true_residual");
        n.plaquette = json_number(t, "links.plaquette");
        yaml_tree_free(t);
    }
    return n;
}

static void anisotropic_quarks(void)
{
    const anisotropic_numbers isotropic = numbers_of(""), unit = numbers_of("--xi-0 1"), fine = numbers_of("--xi-0 3"),
                              other = numbers_of("--xi-0 3 --nu 3"),
                              clover = numbers_of("--xi-0 3 --c-s 1.5 --c-t 0.8");
    fact(unit.residual == isotropic.residual && unit.plaquette == isotropic.plaquette, "--xi-0 1 is no anisotropy");
    fact(fine.plaquette != isotropic.plaquette && other.plaquette == fine.plaquette,
         "--xi-0 is that of the links, too");
    fact(other.residual != fine.residual, "--nu is of the quarks alone");
    fact(clover.plaquette == fine.plaquette && clover.residual != fine.residual && clover.multigrid < clover.cg / 2,
         "so are --c-s and --c-t (%g, %g iterations)", clover.cg, clover.multigrid);
    fact(fine.multigrid < fine.cg / 2 && isotropic.multigrid < isotropic.cg / 2,
         "multigrid without a clover term takes fewer iterations (%g, %g)", fine.multigrid, isotropic.multigrid);
}

static void formats(void)
{
    yaml_node *t = bench_study_json("formats " FIELD);
    enum { HALF, INT20_FORMAT, SINGLE_FORMAT, INT30_FORMAT, IN_SINGLE, FORMATS };
    double rms[FORMATS];
    for (int n = 0; n < FORMATS; n++) {
        double share = 1;
        bool falls = true;
        rms[n] = number_at(t, "formats.%d.rms", n);
        for (int i = 0; !isnan(number_at(t, "formats.%d.levels.%d.beyond", n, i)); i++) {
            double next = number_at(t, "formats.%d.levels.%d.beyond", n, i);
            falls &= next <= share;
            share = next;
        }
        fact(falls && share == 0, "format %d: fewer and fewer numbers are off by more, in the end none", n);
    }
    fact(rms[INT20_FORMAT] < rms[HALF] && rms[SINGLE_FORMAT] < rms[INT20_FORMAT] / 20
         && rms[INT30_FORMAT] < rms[SINGLE_FORMAT] / 20, "more bits, smaller errors (%.1e, %.1e, %.1e, %.1e)", rms[0],
         rms[1], rms[2], rms[3]);
    yaml_tree_free(t);
}

static void wilson_formats(void)
{
    enum { HALF, SINGLE_ROW = 6, INT30_ROW = 9, IN_SINGLE = 8, ROWS = 12 };
    yaml_node *t = bench_study_json("formats --quarks wilson --c-sw 1 --masses=-0.1 " FIELD);
    double rms[ROWS + 1];
    for (int n = 0; n <= ROWS; n++)
        rms[n] = number_at(t, "formats.%d.rms", n);
    fact(isnan(rms[ROWS]) && rms[ROWS - 1] > 0 && rms[ROWS - 1] < 1e-14,
         "a row for each storage and links, the last of links in 8 numbers in double (%.1e)", rms[ROWS - 1]);
    fact(holds(t, "formats.0.name", "half") && holds(t, "formats.6.name", "single")
         && holds(t, "formats.8.name", "int30-fp32") && holds(t, "formats.9.name", "int30"), "rows have their names");
    fact(rms[SINGLE_ROW] < rms[HALF] / 50 && rms[INT30_ROW] < rms[SINGLE_ROW] / 10
         && fabs(rms[IN_SINGLE] / rms[SINGLE_ROW] - 1) < 0.05,
         "more bits, smaller errors (%.1e, %.1e, %.1e), but not of 30 bits computed in single precision (%.1e)",
         rms[HALF], rms[SINGLE_ROW], rms[INT30_ROW], rms[IN_SINGLE]);
    yaml_tree_free(t);
}

static void sizes(void)
{
    static const char *const quarks[] = { "hisq", "domain-wall", "clover", "clover", "clover" };
    static const double masses_of[] = { 0.02, 0.05, -0.2, -0.2, -0.2 };
    enum { ROWS = 5, INNERS_COMPARED = 3 };
    yaml_node *t = bench_study_json("sizes --masses 0.02,0.05,-0.2 " FIELD);
    bool converged = true, named = isnan(number_at(t, "rows.%d.mass", ROWS)), few = true;
    for (int row = 0; row < ROWS; row++) {
        char path[32];
        snprintf(path, sizeof path, "rows.%d.quarks", row);
        named &= holds(t, path, quarks[row]) && number_at(t, "rows.%d.mass", row) == masses_of[row];
        for (int i = 0; i < INNERS_COMPARED; i++) {
            converged &= number_at(t, "rows.%d.solves.%d.residual", row, i) <= 1e-10;
            few &= number_at(t, "rows.%d.solves.%d.iterations_ratio", row, i) < 1.1;
        }
    }
    fact(named, "a row for each kind of quarks and method, with its mass");
    fact(converged, "every solve has the residual that was asked for");
    fact(few, "heavy quarks: 16 and 20 bits take about as many iterations as double");
    fact(json_number(t, "rows.0.links.beta") == 4.5 && isnan(json_number(t, "rows.1.links.beta")),
         "all rows of a lattice have the same links");
    fact(2 * json_number(t, "rows.3.solves.0.iterations") < json_number(t, "rows.2.solves.0.iterations") + 1,
         "clover quarks: BiCGstab takes less than half the iterations of conjugate gradients");
    yaml_tree_free(t);
}

static bool begins_and_ends(const char *path, const char *begin, const char *end)
{
    blob all = blob_read(path);
    size_t last = strlen(end);
    bool ok = all.n > last && strncmp((char *)all.bytes, begin, strlen(begin)) == 0
              && memcmp(all.bytes + all.n - last, end, last) == 0;
    free(all.bytes);
    return ok;
}

static void files(scratch *s)
{
    static const int extents[4] = { 4, 4, 2, 4 };
    failure f;
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    bool saved = configuration_save(u, scratch_path(s, "links.ildg"), &(configuration_label){ .bits = 64 }, NULL, &f);
    require(saved, "%s", f.why);
    char svg[640], columns[640];
    snprintf(svg, sizeof svg, "%s", scratch_path(s, "plot.svg"));
    snprintf(columns, sizeof columns, "%s", scratch_path(s, "columns.txt"));
    for (int n = 0; n < 2; n++) {
        const program_output *what = program_run("bench solver history --config '%s' --mass 0.5 --operator naive "
                                                 "--svg '%s' --out '%s'", scratch_path(s, "links.ildg"), svg, columns);
        fact(what->status == 0 && stdout_has(what, "naive, mass 0.5") && stdout_has(what, "double-int20, stabilized"),
             "%s", n ? "it may be asked again: plots are replaced" : "the links of a configuration may be asked about");
    }
    fact(begins_and_ends(svg, "<svg xmlns", "</svg>\n"), "the plot is a whole SVG picture");
    fact(begins_and_ends(columns, "# kiln bench solver history: lattice 4x4x2x4", "\n"),
         "the curves are there as columns");
    const program_output *what = program_run("bench solver history --lattice 4,4,2,4 --device cpu --out '%s'", svg);
    fact(what->status == 1 && stderr_has(what, "does not overwrite") && begins_and_ends(svg, "<svg xmlns", "</svg>\n"),
         "columns do not take the place of a file that is something else");
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    history();
    multishift();
    masses();
    wilson_masses();
    methods();
    formats();
    anisotropic_quarks();
    wilson_formats();
    sizes();
    files(&s);
    scratch_remove(&s);
    bench_refused("", 2, "kiln bench solver --help");
    bench_refused("bicgstab --lattice 4,4,4,4", 2, "not one of history, multishift, masses, formats, methods, sizes");
    bench_refused("history", 2, "for the links");
    bench_refused("history --lattice 4,4,4,4 --config /dev/null", 2, "either --config FILE or --lattice X,Y,Z,T");
    bench_refused("history --lattice 4,4,4,3", 2, "3");
    bench_refused("history --config /dev/null --beta 5", 2, "--heatbath need --lattice");
    bench_refused("history --lattice 4,4,4,4 --poles 5", 2, "--poles may be used only with bench solver multishift");
    bench_refused("multishift --lattice 4,4,4,4 --masses 0.1", 2, "--masses may be used only with bench solver masses");
    bench_refused("masses --lattice 4,4,4,4 --mass 0.1", 2, "takes --masses, not --mass");
    bench_refused("methods --lattice 4,4,4,4 --masses=-0.1", 2, "masses of staggered and domain-wall quarks");
    bench_refused("methods --lattice 4,4,4,4 --method multigrid", 2, "bench solver methods --quarks wilson");
    bench_refused("methods --lattice 4,4,4,4 --vectors 24", 2, "--vectors, a setting of multigrid, is for");
    bench_refused("sizes --lattice 4,4,4,4 --quarks wilson --block 2,2,2,2", 2, "only with bench solver masses");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --method cg --setup-passes 1", 2, "but --method is cg");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --method multigrid --precisions double", 2,
                  "single precision, which is not among");
    bench_refused("methods --lattice 4,4,4,4 --heatbath 0 --quarks wilson --method multigrid --vectors 7", 2,
                  "--vectors: 7 near-null vectors");
    bench_refused("methods --config /dev/null --quarks wilson --vectors 7", 2, "--vectors: 7 near-null vectors");
    bench_refused("methods --lattice 4,4,4,4 --heatbath 0 --masses 0.5 --quarks wilson --block 2,3,2,2", 2,
                  "--block: blocks of 2x3x2x2 do not cut lattice 4x4x4x4");
    bench_refused("methods --lattice 2,2,2,2 --heatbath 0 --quarks wilson --method multigrid", 2,
                  "multigrid is not possible: blocks of 1x1x1x1");
    bench_refused("methods --lattice 4,4,4,4 --xi-0 2", 2, "--xi-0 needs --quarks wilson");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --nu 2", 2, "but xi_0 is not");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --xi-0 2 --c-sw 1", 2, "the coefficients c_s and c_t");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --c-s 1 --c-t 1", 2, "but xi_0 is not");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --xi-0 3 --masses=-2", 2, "the diagonal of M");
    bench_refused("methods --lattice 4,4,4,4 --c-sw 1", 2, "--c-sw needs --quarks wilson");
    bench_refused("history --lattice 4,4,4,4 --quarks wilson", 2, "only with bench solver masses, formats, methods");
    bench_refused("sizes --config /dev/null", 2, "--config may be used only with bench solver history");
    bench_refused("sizes --masses 0.1", 2, "of HISQ, domain-wall and clover quarks");
    bench_refused("formats --lattice 4,4,4,4 --masses 0.1", 2, "staggered quarks takes --mass, not --masses");
    bench_refused("masses --lattice 4,4,4,4 --method cg", 2, "--method needs --quarks wilson");
    bench_refused("masses --lattice 4,4,4,4 --delta 2", 2, "numbers from 1e-12 to 0.9");
    bench_refused("methods --lattice 4,4,4,4 --delta 0.1", 2, "--delta may be used only with bench solver masses");
    bench_refused("masses --lattice 4,4,4,4 --masses 0.1,,0.2", 2, "not a list of at most");
    bench_refused("history --lattice 4,4,4,4 --tolerance 1e-3,1e-4", 2, "only bench solver multishift");
    bench_refused("formats --lattice 4,4,4,4 --tolerance 1e-3", 2, "may be used only with");
    bench_refused("history --lattice 4,4,4,4 --operator asqtad --naik-epsilon 0.1", 2, "--naik-epsilon is for");
    bench_refused("history --config nowhere.lat --device cpu", 2, "nowhere.lat");
    bench_refused("history --lattice 4,4,4,4 --trajectories 0 --mass 0.01 --max-iterations 1 --device cpu", 1,
            "conjugate gradients in double precision did not converge");
    return facts_end();
}
