/* probe_wall_solve.c - kiln probe wall-solve: a linear system with the domain-wall operator.
 *
 * D5 x = v goes through C^+C x' = C^+ rhs (operators/domain_wall.h), whose residual is not that of x: it is asked to be
 * ten times smaller, and what is left of v is solved for again where that does not do. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/probe/probe_walls.h"
#include "src/io/file_json.h"

#include <stdio.h>

enum { SOLVE_D5, SOLVE_NORMAL };
static const char *const system_names[] = { "D5", "normal", NULL };

static const usage wall_solve_usage = {
    "probe wall-solve", "CONFIG OUT.npy", 2, 2,
    "Solves D5 x = v on all sites, or with --operator normal C^+C x = v on odd sites, by conjugate gradients of C^+C\n"
    "from zero; kiln probe wall-apply --help has the operators.  Spinors are NumPy arrays,\n" SPINOR_SHAPE "\n"
    WALL_SITES ".\n"
    "Prints iterations and the true residual |v - D5 x| / |v| as JSON; status 1 where that is too large.",
    (const option[]){ SOURCE_OPTION,
                      { .name = "residual", .value = "R", .doc = "solve until the true residual is at most R",
                        .type = OPTION_REAL, .offset = offsetof(probe_options, residual), .required = true,
                        .min = 1e-15, .max = 1 },
                      { .name = "solver", .value = "S", .doc = "precisions, as in an input (default double)",
                        .type = OPTION_CHOICE, .offset = offsetof(probe_options, walls.solver),
                        .choices = solver_names },
                      { .name = "max-iterations", .value = "N", .doc = "give up after N (default 100000)",
                        .type = OPTION_INT, .offset = offsetof(probe_options, max_iterations), .min = 1, .max = 1e9 },
                      WALL_OPTIONS(system_names, "D5 (default) or normal", false), PROBE_OPTIONS, { 0 } },
};

/* Solves of what is left, at most; residuals of C^+C that they are asked for, in units of what x still misses. */
enum { ROUNDS = 10 };
#define IN_UNITS_OF_MISSING 0.1
#define SMALLEST_RESIDUAL 1e-15

/* Scratch vectors of the solver. */
enum { FREE, RIGHT, SOLUTION, FREE_TOO };

typedef struct {
    const probe_options *o;
    const wall_matrix *m;
    dirac_operator *d;
    dirac_solver *solver;
    solver_kind kind;
    wall_field v, x;
    int64_t iterations;
    int solves;
    double residual;                               /* the true one */
} wall_system;

static vec *odd(const wall_system *s, int i)
{
    return dirac_solver_scratch(s->solver, ON_ODD, i);
}

static vec *even(const wall_system *s, int i)
{
    return dirac_solver_scratch(s->solver, ON_EVEN, i);
}

/* SOLUTION <- A^-1 b; false where there is no use in going on. */
static bool solve(wall_system *s, const vec *b, double residual)
{
    const dirac_goal goal = { .kind = s->kind, .residual = fmax(residual, SMALLEST_RESIDUAL),
                              .max_iterations = (int)(s->o->max_iterations - s->iterations) };
    vec *x = odd(s, SOLUTION);
    vec_zero(x);
    dirac_solved solved = dirac_solve(s->solver, dwf_operator_matrix(s->m), x, b, &goal);
    s->iterations += solved.iterations;
    s->solves++;
    return solved.converged && s->iterations < s->o->max_iterations;
}

/* x <- x + D5^-1 r, roughly; r <- v - D5 x */
static bool improve(wall_system *s, wall_field r, wall_field step, wall_field image)
{
    const wall_links *links = dwf_operator_links(s->d);
    wall_prepare(odd(s, RIGHT), links, s->m, r, even(s, FREE));
    wall_c_dagger(odd(s, FREE), links, s->m, odd(s, RIGHT), even(s, FREE), odd(s, FREE_TOO));
    bool fine = solve(s, odd(s, FREE), IN_UNITS_OF_MISSING * s->o->residual / s->residual);
    wall_reconstruct(step, links, s->m, r, odd(s, SOLUTION), even(s, FREE));
    wall_field_axpy(s->x, 1, step);
    wall_apply(image, links, s->m, false, s->x, step);
    vec_copy(r.even, s->v.even);
    vec_copy(r.odd, s->v.odd);
    wall_field_axpy(r, -1, image);
    return fine;
}

static void solve_d5(wall_system *s, const gauge *u)
{
    const int slices = s->m->weights.slices;
    const double norm2 = wall_field_norm2(s->v);
    wall_field r = wall_field_create(u, slices), step = wall_field_create(u, slices);
    wall_field image = wall_field_create(u, slices);
    bool fine = true;
    vec_copy(r.even, s->v.even);
    vec_copy(r.odd, s->v.odd);
    s->residual = norm2 > 0 ? 1 : 0;
    while (fine && s->residual > s->o->residual && s->solves < ROUNDS) {
        fine = improve(s, r, step, image);
        s->residual = sqrt(wall_field_norm2(r) / norm2);
    }
    wall_field_free(image);
    wall_field_free(step);
    wall_field_free(r);
}

/* v - A x with A of its own, not the solver's word. */
static void solve_normal(wall_system *s)
{
    const wall_links *links = dwf_operator_links(s->d);
    const double norm2 = vec_norm2(s->v.odd);
    s->residual = norm2 > 0 ? 1 : 0;
    if (norm2 == 0)
        return;
    solve(s, s->v.odd, s->o->residual);
    vec_copy(s->x.odd, odd(s, SOLUTION));
    wall_c(odd(s, FREE), links, s->m, s->x.odd, even(s, FREE));
    wall_c_dagger(odd(s, RIGHT), links, s->m, odd(s, FREE), even(s, FREE), odd(s, FREE_TOO));
    vec_axpy(odd(s, RIGHT), -1, s->v.odd);
    s->residual = sqrt(vec_norm2(odd(s, RIGHT)) / norm2);
}

static void print_facts(const wall_system *s, bool converged, const char *path, const configuration_facts *facts,
                        const wall_chosen *chosen)
{
    const wall_choice *c = &s->o->walls;
    json j = { 0 };
    json_open(&j, NULL, '{');
    file_to_json(&j, path, &facts->info);
    wall_choice_to_json(&j, system_names[c->op], c, chosen, s->o->basis);
    json_text(&j, "solver", solver_names[s->kind]);
    json_bool(&j, "converged", converged);
    json_int(&j, "solves", s->solves);
    json_int(&j, "iterations", s->iterations);
    json_real(&j, "true_residual", s->residual);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

/* How far a residual that conjugate gradients have reached may lie above it when it is computed by other sums. */
#define SAME_RESIDUAL 1.01

static int solve_to_file(wall_system *s, const operands *files, const configuration_facts *facts,
                         const wall_chosen *chosen, const gauge *u)
{
    if (s->o->walls.op == SOLVE_NORMAL)
        solve_normal(s);
    else
        solve_d5(s, u);
    const bool converged = s->residual <= SAME_RESIDUAL * s->o->residual;
    int status = wall_field_write(files->item[1], s->x, s->o->basis);
    if (status == EXIT_OK)
        print_facts(s, converged, files->item[0], facts, chosen);
    if (converged)
        return status;
    log_line(LOG_ERROR, "the solve did not converge: after %lld iterations the true residual is %.3g, asked is %.3g",
             (long long)s->iterations, s->residual, s->o->residual);
    return EXIT_FAILED;
}

static int solve_on(const probe_options *o, const operands *files, const configuration_facts *facts,
                    const wall_chosen *chosen, const gauge *u)
{
    const int slices = chosen->matrix.weights.slices;
    const dwf_operator_params params = { chosen->matrix.weights, chosen->boundary };
    const dirac_plan plan = dwf_operator_plan(&params);
    wall_system s = { .o = o, .m = &chosen->matrix, .v = wall_field_create(u, slices),
                      .x = wall_field_create(u, slices),
                      .kind = wall_solver_choose((solver_kind)o->walls.solver, false,
                                                 lattice_shape_of(u->links.lattice), slices, o->residual) };
    s.d = plan.kind->create(&plan, u, false);
    s.solver = dirac_solver_create(s.d, dirac_solver_size_of(s.kind, 1));
    failure f;
    int status = EXIT_FAILED;
    if (!s.d->kind->update(s.d, u, &f))
        log_line(LOG_ERROR, "%s: %s; " REUNITARIZE_ADVICE, files->item[0], f.why);
    else if (wall_field_read(s.v, o->source, o->basis))
        status = solve_to_file(&s, files, facts, chosen, u);
    dirac_solver_free(s.solver);
    s.d->kind->free(s.d);
    wall_field_free(s.x);
    wall_field_free(s.v);
    return status;
}

int probe_wall_solve(int argc, char **argv)
{
    probe_options o = { .walls = WALL_DEFAULTS, .max_iterations = 100000 };
    operands files;
    configuration_facts facts;
    wall_chosen chosen;
    failure f;
    int status = options_read(&wall_solve_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (!wall_choice_read(&chosen, &o.walls, &f))
        return usage_error(&wall_solve_usage, "%s", f.why);
    gauge *u = probe_open(&o, files.item[0], &facts);
    status = u ? solve_on(&o, &files, &facts, &chosen, u) : EXIT_FAILED;
    configuration_close(u);
    return status;
}
