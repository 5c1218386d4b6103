/* test_solver_memory.c - the memory of solvers as kiln bench solver memory counts it: what they allocate, and numbers
 * of vectors from the algorithms, as in section 5.3 of M. A. Clark et al., arXiv:0911.3191. */
#include "src/base/memory.h"
#include "src/bench/study_plan.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_operator.h"
#include "src/solvers/dirac_solver.h"
#include "src/solvers/multigrid/multigrid.h"
#include "src/solvers/solver_kinds.h"
#include "tests/bench/study_output.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const int extents[4] = { 4, 4, 8, 8 };
enum { SITES = 4 * 4 * 8 * 8, LS = 4 };

/* Of three complex numbers: 48 bytes, 24, six of 30 bits in 24, six of 20 or 16 bits with an exponent in 16. */
static const size_t color_bytes[SOLVER_STORAGES] = { 48, 24, 24, 16, 16 };

typedef enum { STAGGERED, DOMAIN_WALL, WILSON, CLOVER, QUARKS } quarks;
static const char *const names[QUARKS] = { "staggered", "domain-wall", "Wilson", "clover" };
static const int colors[QUARKS] = { 1, 4 * LS, 4, 4 };      /* color vectors of a site */

typedef struct { staggered_operator_params staggered; study_plan others; dirac_plan plan; } operator_of;

static void make_plan(operator_of *o, quarks of)
{
    if (of == STAGGERED) {
        o->staggered = (staggered_operator_params){
            .links = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1 }, .chain = PRECISION_DOUBLE };
        o->plan = staggered_operator_plan(&o->staggered);
        return;
    }
    const study_operator op = { .quarks = of == DOMAIN_WALL ? STUDY_DOMAIN_WALL : STUDY_WILSON, .mass = 0.2, .Ls = LS,
                                .wilson = { .c_sw = of == CLOVER, .boundary = 1 } };
    study_plan_make(&o->others, &op);
    o->plan = o->others.plan;
}

static dirac_solver_spec spec_of(solver_kind_index method, solver_precision in)
{
    dirac_solver_spec spec = dirac_solver_spec_of(in, 1);
    spec.kind = solver_kinds[method];
    spec.settings.multigrid = multigrid_defaults();
    spec.settings.multigrid.vectors = 12;
    spec.settings.multigrid.setup_iterations = 4;
    return spec;
}

static bool is_there(const dirac_plan *plan, const dirac_solver_spec *spec, const lattice_shape *shape)
{
    return (!spec->kind->square || plan->kind->square)
           && linear_solver_is_possible(spec->kind, &spec->settings, plan, shape, NULL);
}

/* ---- numbers of vectors, of one system */

/* Conjugate gradients keep a true residual and the best solution in double, beside 2 vectors in which C works.  In
 * another storage they have those 2, residual and A p, a ring of 8 directions and a vector for step groups.
 * BiCGstab(l) has l + 1 powers of two vectors and the shadow residual, and in half 2 for terms of x; its solver keeps
 * 6 vectors more for C^+C.  Multigrid keeps 10 directions, their images and a residual more. */
static void numbers_of_vectors(void)
{
    static const struct {
        quarks of;
        solver_kind_index method;
        solver_precision in;
        int kept, own[SOLVER_STORAGES], in_memory[SOLVER_STORAGES];
    } rows[] = {
        { WILSON, SOLVER_CG, SOLVER_DOUBLE, 4, { 1 }, { 1 } },
        { WILSON, SOLVER_CG, SOLVER_DOUBLE_SINGLE, 4, { 1, 13 }, { 1, 13 } },
        { WILSON, SOLVER_CG, SOLVER_DOUBLE_HALF, 4, { 1, 0, 0, 0, 13 }, { 1, 0, 0, 0, 13 } },
        { WILSON, SOLVER_CG, SOLVER_DOUBLE_INT30_INT20, 4, { 1, 0, 13, 13 }, { 1, 0, 13, 13 } },
        { WILSON, SOLVER_BICGSTAB, SOLVER_DOUBLE, 10, { 5 }, { 5 } },
        { WILSON, SOLVER_BICGSTAB, SOLVER_DOUBLE_SINGLE, 10, { 0, 7 }, { 1, 13 } },
        { WILSON, SOLVER_BICGSTAB, SOLVER_DOUBLE_HALF, 10, { 0, 0, 0, 0, 9 }, { 1, 0, 0, 0, 13 } },
        { WILSON, SOLVER_BICGSTAB2, SOLVER_DOUBLE_INT20, 10, { 0, 0, 0, 9 }, { 1, 0, 0, 13 } },
        { WILSON, SOLVER_BICGSTAB4, SOLVER_DOUBLE_HALF, 10, { 0, 0, 0, 0, 15 }, { 1, 0, 0, 0, 15 } },
        { CLOVER, SOLVER_BICGSTAB4, SOLVER_DOUBLE, 10, { 11 }, { 11 } },
        { CLOVER, SOLVER_MULTIGRID, SOLVER_DOUBLE_SINGLE, 31, { 0, 4, 0, 0, 2 }, { 1, 13, 0, 0, 13 } },
        { STAGGERED, SOLVER_CG, SOLVER_DOUBLE_HALF, 3, { 1, 0, 0, 0, 12 }, { 1, 0, 0, 0, 12 } },
    };
    const lattice_shape shape = lattice_shape_single(extents);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        operator_of o;
        make_plan(&o, rows[i].of);
        const dirac_solver_spec spec = spec_of(rows[i].method, rows[i].in);
        const dirac_solver_vectors v = dirac_solver_vectors_of(&o.plan, spec);
        const size_t color = (size_t)colors[rows[i].of] * SITES / 2;
        bool same = v.kept == rows[i].kept;
        size_t most = 0;
        for (int in = 0; in < SOLVER_STORAGES; in++) {
            same &= v.own[in] == rows[i].own[in] && v.working[in] == rows[i].in_memory[in];
            const size_t bytes = (size_t)rows[i].in_memory[in] * color_bytes[in] * color;
            most = bytes > most ? bytes : most;
        }
        const char *name = names[rows[i].of], *method = solver_kind_names[rows[i].method];
        const char *in = solver_names[rows[i].in];
        if (!fact(same, "%s, %s, %s: as many vectors as the algorithm needs", name, method, in))
            note("kept %d, own %d %d %d %d %d, in memory %d %d %d %d %d", v.kept, v.own[0], v.own[1], v.own[2],
                 v.own[3], v.own[4], v.working[0], v.working[1], v.working[2], v.working[3], v.working[4]);
        const size_t bytes = dirac_solver_memory_of(&o.plan, &shape, spec).vectors.shared;
        const size_t expected = (size_t)rows[i].kept * color_bytes[STORED_DOUBLE] * color + most;
        fact(bytes == expected, "%s, %s, %s: and their bytes (%zu, %zu)", name, method, in, bytes, expected);
    }
}

/* ---- memory that is allocated */

/* Bytes of the workspace and besides; the workspace is smaller by `less` than it is counted. */
typedef struct { size_t workspace, besides; } taken;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static taken create_and_free(const dirac_plan *plan, const gauge *u, const dirac_solver_spec *spec, size_t less)
{
    workspace *ws = lattice_workspace(u->links.lattice, u->links.where);
    const dirac_solver_memory m = dirac_solver_memory_of(plan, lattice_shape_of(u->links.lattice), *spec);
    const size_t before = place_bytes_now(u->links.where);
    workspace_join(ws, larger(m.vectors.shared, m.links.shared) - less);
    dirac_operator *d = dirac_create(plan, u, false);
    dirac_solver *w = dirac_solver_create(d, *spec);
    const taken t = { ws->bytes, place_bytes_now(u->links.where) - before - ws->bytes };
    dirac_solver_free(w);
    dirac_free(d);
    workspace_leave(ws);
    return t;
}

/* In half, terms of x take one and a half vectors, and are counted as two.  BiCGstab(4) needs more of them than
 * conjugate gradients do. */
static bool is_rounded_up(solver_kind_index method, solver_precision in)
{
    return method == SOLVER_BICGSTAB4 && in == SOLVER_DOUBLE_HALF;
}

static void allocated(const gauge *u)
{
    const lattice_shape *shape = lattice_shape_of(u->links.lattice);
    const char *where = place_name(u->links.where);
    for (quarks of = STAGGERED; of < QUARKS; of++) {
        operator_of o;
        make_plan(&o, of);
        for (solver_kind_index method = SOLVER_CG; method < SOLVER_KINDS; method++)
            for (solver_precision in = SOLVER_DOUBLE; in < SOLVER_ADAPTIVE; in++) {
                const dirac_solver_spec spec = spec_of(method, in);
                if (!is_there(&o.plan, &spec, shape))
                    continue;
                const dirac_solver_memory m = dirac_solver_memory_of(&o.plan, shape, spec);
                const taken t = create_and_free(&o.plan, u, &spec, 0),
                            less = create_and_free(&o.plan, u, &spec, MEMORY_ALIGNMENT);
                const size_t besides = m.links.lasting + m.links.cells + m.vectors.cells;
                fact(t.besides == besides, "%s, %s, %s, %s: besides the vectors it takes the memory that is counted "
                     "(%zu, %zu)", where, names[of], solver_kind_names[method], solver_names[in], t.besides, besides);
                if (m.vectors.shared > m.links.shared && !is_rounded_up(method, in))
                    fact(less.besides > t.besides, "and the vectors need all of their memory");
            }
    }
}

/* The hierarchy is made by the first solve.  With a twisted mass it has coarse operators of M and of M^+.  Not all that
 * is counted exists at the same time: scratch of the set-up is freed before the last fields are created. */
static void multigrid_allocated(const gauge *u)
{
    clover_operator_params twisted = { .boundary.t = -1, .c_sw = 1 };
    clover_operator_add_twisted(&twisted, 0.2, 0.1);
    const dirac_plan plan = clover_operator_plan(&twisted);
    const dirac_solver_spec spec = spec_of(SOLVER_MULTIGRID, SOLVER_DOUBLE_SINGLE);
    const dirac_solver_memory m = dirac_solver_memory_of(&plan, lattice_shape_of(u->links.lattice), spec);
    failure why;
    dirac_operator *d = dirac_create(&plan, u, false);
    dirac_solver *w = dirac_solver_create(d, spec);
    require(dirac_update(d, u, &why), "%s", why.why);
    dirac_matrix *c = d->kind->matrix(d, 0);
    vec *x = dirac_vec_create(d, d->kind->home, dirac_full_storage(d)), *b = vec_create_like(x);
    vec_set_gaussian(b, rng_key_for(5, 0, 0, RNG_TEST), 0);
    const dirac_goal goal = { .precision = SOLVER_DOUBLE_SINGLE, .residual = 1e-6, .max_iterations = 1000 };
    const size_t before = place_bytes_now(u->links.where);
    const dirac_solved solved = dirac_solve_square(w, c, false, (dirac_task){ .x = x, .b = b }, &goal);
    const size_t made = place_bytes_peak(u->links.where) - before;
    fact(solved.converged && !solved.fallback, "%s: a solve by multigrid", place_name(u->links.where));
    fact(made <= m.method.lasting && (double)made > 0.95 * (double)m.method.lasting,
         "%s: its set-up takes no more than the memory that is counted, and hardly less (%zu, %zu)",
         place_name(u->links.where), made, m.method.lasting);
    vec_free(b);
    vec_free(x);
    memory_free(c);
    dirac_solver_free(w);
    dirac_free(d);
}

/* ---- the command */

#define LATTICE "--lattice 4,4,8,8 --device cpu --json"

static void command(void)
{
    const size_t vector = 4 * color_bytes[STORED_DOUBLE] * SITES / 2, half = 4 * color_bytes[STORED_HALF] * SITES / 2;
    yaml_node *t = bench_study_json("memory --quarks wilson --c-sw 1 " LATTICE);
    int rows = 0;
    bool adds_up = true;
    for (double all; !isnan(all = number_at(t, "rows.%d.bytes", rows)); rows++) {
        const double parts = number_at(t, "rows.%d.vectors_bytes", rows) + number_at(t, "rows.%d.method_bytes", rows)
                             + number_at(t, "rows.%d.links_bytes", rows) + number_at(t, "rows.%d.other_bytes", rows);
        adds_up &= all == parts && number_at(t, "rows.%d.other_bytes", rows) >= 0
                   && fabs(number_at(t, "rows.%d.bytes_per_site", rows) - all / SITES) < 1e-6;
    }
    fact(rows == SOLVER_KINDS * SOLVER_ADAPTIVE, "clover quarks: a row for each method and precision (%d)", rows);
    fact(adds_up, "the parts of a row add up");
    fact_close(json_number(t, "vector_bytes.double"), (double)vector, 0, "bytes of a vector in double");
    fact_close(json_number(t, "vector_bytes.half"), (double)half, 0, "and in half");
    const int at = SOLVER_DOUBLE_HALF;
    fact(holds(t, "rows.6.method", "cg") && holds(t, "rows.6.precision", "double-half")
             && number_at(t, "rows.%d.kept_vectors", at) == 4 && number_at(t, "rows.%d.working_vectors.half", at) == 13,
         "conjugate gradients keep 4 vectors in double, and have 13 in half");
    fact_close(number_at(t, "rows.%d.vectors_bytes", at), (double)(4 * vector + 13 * half), 0, "their bytes");
    fact_close(number_at(t, "rows.%d.method_vectors.half", SOLVER_ADAPTIVE + at), 9, 0, "BiCGstab has 9 of its own");
    fact(number_at(t, "rows.%d.method_bytes", 4 * SOLVER_ADAPTIVE) > 24 * (double)vector
             && number_at(t, "rows.%d.method_bytes", 0) == 0, "multigrid has near-null vectors, and it alone");
    yaml_tree_free(t);
    t = bench_study_json("memory --quarks wilson --method multigrid --vectors 12 --precisions double,single " LATTICE);
    fact(holds(t, "rows.1.precision", "double-single") && isnan(json_number(t, "rows.2.bytes")),
         "--method and --precisions select rows; Wilson quarks have multigrid without a clover term, too");
    yaml_tree_free(t);
    t = bench_study_json("memory " LATTICE);
    fact(number_at(t, "rows.%d.kept_vectors", at) == 3 && isnan(number_at(t, "rows.%d.bytes", SOLVER_ADAPTIVE)),
         "staggered quarks have conjugate gradients alone");
    fact(isnan(json_number(t, "c_sw")), "and no c_sw");
    yaml_tree_free(t);
    const program_output *what = program_run("bench solver memory --quarks wilson --lattice 2,2,2,2 --device cpu");
    fact(what->status == 0 && stdout_has(what, "multigrid not possible: "),
         "why there is no multigrid is in the table");
    bench_refused("memory --quarks wilson --lattice 4,4,4,6 --block 4,4,4,4", 2, "--block: blocks of 4x4x4x4");
    bench_refused("memory", 2, "needs --lattice X,Y,Z,T");
    bench_refused("memory --config /dev/null", 2, "--config may be used only with");
    bench_refused("memory --lattice 4,4,4,4 --heatbath 3", 2, "--heatbath may be used only with");
    bench_refused("memory --lattice 4,4,4,4 --masses 0.1", 2, "--masses may be used only with");
    bench_refused("memory --lattice 4,4,4,4 --svg x.svg", 2, "--svg may be used only with");
    bench_refused("memory --lattice 4,4,4,4 --method multigrid", 2, "memory --quarks wilson");
}

int main(void)
{
    numbers_of_vectors();
    if (program_is_there())
        command();
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single(extents);
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
        allocated(u);
        multigrid_allocated(u);
        gauge_free(u);
        lattice_free(l);
    }
    return facts_end();
}
