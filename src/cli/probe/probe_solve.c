/* probe_solve.c - kiln probe solve: a linear system with a Dirac operator.
 *
 *     M x = s on all sites:  x = M^+ y,  (K + 4m^2) y = s on even and on odd sites,  M M^+ = K + 4m^2
 *
 * so that the residual of x is that of y, without a factor 1/m. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/probe/probe.h"
#include "src/io/file_json.h"
#include "src/solvers/solver.h"

#include <stdio.h>

static const usage solve_usage = {
    "probe solve", "CONFIG OUT.npy", 2, 2,
    "Solves M x = (2m + D) x = s on all sites, or with --normal (K + 4m^2) x = s on even sites, K = -D_eo D_oe, by\n"
    "conjugate gradients from zero, in double precision.  Vectors are NumPy arrays,\n" VECTOR_SHAPE "\n"
    VECTOR_SITES ".\n"
    "Prints iterations and the true residual |s - M x| / |s| as JSON; status 1 where that is too large.",
    (const option[]){ SOURCE_OPTION,
                      { .name = "residual", .value = "R", .doc = "solve until the true residual is at most R",
                        .type = OPTION_REAL, .offset = offsetof(probe_options, residual), .required = true,
                        .min = 1e-16, .max = 1 },
                      OPERATOR_OPTIONS(probe_options, quarks, true, true), NORMAL_OPTION,
                      { .name = "max-iterations", .value = "N", .doc = "give up after N (default 100000)",
                        .type = OPTION_INT, .offset = offsetof(probe_options, max_iterations), .min = 1, .max = 1e9 },
                      PROBE_OPTIONS, { 0 } },
};

static vec *vector_like(const vec *v, parity_set on)
{
    return vec_create(v->f.lattice, on, v->f.where, v->f.precision);
}

/* (K + 4m^2) x = b on the sites of one parity; iterations are added. */
static bool solve_parity(vec *x, const staggered_links *s, const probe_options *o, const vec *b, int64_t *iterations)
{
    vec *between = vector_like(b, b->f.on == ON_EVEN ? ON_ODD : ON_EVEN);
    staggered_normal_op op = staggered_normal_operator(s, 0, between);
    cg_space *space = cg_space_create(b->f.lattice, b->f.on, b->f.where, b->f.precision);
    stop_rule stop = { o->residual, (int)o->max_iterations };
    solve_result result = cg_solve(&op.base, x, 4 * o->quarks.mass * o->quarks.mass, b, stop, space);
    *iterations += result.iterations;
    cg_space_free(space);
    vec_free(between);
    return result.converged;
}

/* The same on the sites of one parity of a vector on all; the solution is added to `sum`. */
static bool solve_half(double *sum, parity_set on, const staggered_links *s, const probe_options *o,
                       const double *source, const vec *like, int64_t *iterations)
{
    size_t reals = (size_t)lattice_volume(like->f.lattice) * VEC_REALS;
    double *numbers = memory_alloc(reals * sizeof *numbers, "half of a vector");
    vec *b = vector_like(like, on), *y = vector_like(like, on);
    vec_import(b, source);
    bool converged = solve_parity(y, s, o, b, iterations);
    vec_export(numbers, y);
    for (size_t i = 0; i < reals; i++)
        sum[i] += numbers[i];
    vec_free(b);
    vec_free(y);
    memory_free(numbers);
    return converged;
}

/* M x = b on all sites. */
static bool solve_full(vec *x, const staggered_links *s, const probe_options *o, const vec *b, int64_t *iterations)
{
    size_t bytes = (size_t)lattice_volume(b->f.lattice) * VEC_REALS * sizeof(double);
    double *source = memory_alloc(bytes, "a source"), *sum = memory_alloc(bytes, "a solution");
    vec *y = vector_like(b, ON_ALL), *hop = vector_like(b, ON_ALL);
    vec_export(source, b);
    bool converged = solve_half(sum, ON_EVEN, s, o, source, b, iterations);
    converged = solve_half(sum, ON_ODD, s, o, source, b, iterations) && converged;
    vec_import(y, sum);
    operator_apply(x, hop, s, o->quarks.mass, true, y);
    vec_free(hop);
    vec_free(y);
    memory_free(sum);
    memory_free(source);
    return converged;
}

/* |b - A x| / |b| */
static double true_residual(const vec *x, const staggered_links *s, const probe_options *o, const vec *b)
{
    vec *r = vector_like(b, b->f.on), *other = vector_like(b, o->normal ? ON_ODD : ON_ALL);
    double mass = o->quarks.mass, norm2 = vec_norm2(b);
    if (o->normal) {
        staggered_normal_op op = staggered_normal_operator(s, 0, other);
        op.base.apply(&op.base, r, 4 * mass * mass, x);
    } else
        operator_apply(r, other, s, mass, false, x);
    vec_axpy(r, -1, b);
    double residual = norm2 > 0 ? sqrt(vec_norm2(r) / norm2) : 0;
    vec_free(other);
    vec_free(r);
    return residual;
}

typedef struct { bool converged; int64_t iterations; double residual; } solution_facts;

static void print_facts(const probe_options *o, const char *path, const configuration_facts *facts,
                        const staggered_links_params *links, const solution_facts *found)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    file_to_json(&j, path, &facts->info);
    operator_to_json(&j, links, o->quarks.mass);
    json_bool(&j, "converged", found->converged);
    json_int(&j, "iterations", found->iterations);
    json_real(&j, "true_residual", found->residual);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static int solve_to_file(const probe_options *o, const operands *files, const configuration_facts *facts,
                         const staggered_links_params *params, const gauge *u)
{
    solution_facts found = { .iterations = 0 };
    vec *b = probe_vector(o->source, u, o->normal ? ON_EVEN : ON_ALL);
    if (!b)
        return EXIT_FAILED;
    vec *x = vector_like(b, b->f.on);
    staggered_links *s = operator_links(params, u);
    found.converged = o->normal ? solve_parity(x, s, o, b, &found.iterations)
                                : solve_full(x, s, o, b, &found.iterations);
    found.residual = true_residual(x, s, o, b);
    int status = probe_write_vector(files->item[1], x);
    if (status == EXIT_OK)
        print_facts(o, files->item[0], facts, params, &found);
    if (!found.converged) {
        log_line(LOG_ERROR, "the solve did not converge: after %lld iterations the true residual is %.3g, asked is "
                            "%.3g", (long long)found.iterations, found.residual, o->residual);
        status = EXIT_FAILED;
    }
    staggered_links_free(s);
    vec_free(x);
    vec_free(b);
    return status;
}

int probe_solve(int argc, char **argv)
{
    probe_options o = { .quarks = OPERATOR_DEFAULTS, .max_iterations = 100000 };
    operands files;
    configuration_facts facts;
    staggered_links_params params;
    failure f;
    int status = options_read(&solve_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (!operator_choice_links(&params, &o.quarks, &f))
        return usage_error(&solve_usage, "%s", f.why);
    gauge *u = probe_open(&o, files.item[0], &facts);
    status = u ? solve_to_file(&o, &files, &facts, &params, u) : EXIT_FAILED;
    configuration_close(u);
    return status;
}
