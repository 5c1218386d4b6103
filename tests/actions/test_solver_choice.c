/* test_solver_choice.c - `solver: adaptive`: a constant table, whose choice depends on lattice and residual alone,
 * and whose solves are those of the kinds it chooses, to the last bit. */
#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "src/solvers/solver_choice.h"
#include "tests/actions/staggered_input.h"
#include "tests/actions/dwf_input.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the table */

static const double all_sites[] = { 16, 256, 8192, 32768, 65536, 131072, 663552, 2097152, 1e9 };
static const double all_residuals[] = { 1e-14, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3, 0.1 };
enum { SITES = sizeof all_sites / sizeof *all_sites, RESIDUALS = sizeof all_residuals / sizeof *all_residuals };

static void table_facts(const char *name, const solver_table *table)
{
    bool is_fixed = true, is_same = true, is_reached = true;
    for (int i = 0; i < SITES * RESIDUALS; i++) {
        const solver_request d = { all_sites[i % SITES], all_residuals[i / SITES] };
        const solver_precision kind = solver_choose(SOLVER_ADAPTIVE, table, d);
        is_fixed &= kind >= SOLVER_DOUBLE && kind < SOLVER_ADAPTIVE;
        for (int k = 0; k < SOLVER_ADAPTIVE; k++)
            is_same &= solver_choose((solver_precision)k, table, d) == (solver_precision)k;
    }
    fact(is_fixed, "%s: adaptive is a fixed kind for every lattice and residual", name);
    fact(is_same, "%s: a fixed kind is never replaced", name);
    for (int i = 0; i < table->count; i++) {
        const solver_row *row = &table->row[i];
        const solver_request corner = { row->sites, row->residual };
        is_reached &= solver_choose(SOLVER_ADAPTIVE, table, corner) == row->precision;
    }
    fact(is_reached, "%s: every row is chosen at its own boundary", name);
    const solver_row *last = &table->row[table->count - 1];
    fact(last->sites == 0 && last->residual == 0, "%s: the last row holds always", name);
}

/* docs/performance.md, "The table of adaptive": seconds of a trajectory on one H200 with each fixed kind in the order
 * of solver_names (NAN: not measured), all of it and, of that, refresh, action and force. */
enum { ALL = ROLES, PARTS };
static const struct {
    const char *name;
    double sites, residual[ROLES], seconds[PARTS][SOLVER_ADAPTIVE];
} measured[] = {
    { "8^3x16", 8192, { 1e-8, 1e-8, 1e-5 },
      { { 0.0188, 0.0474, 0.0513, 0.0504, 0.0370, 0.0857, 0.0905 },
        { 0.0383, 0.0963, 0.1013, 0.1001, 0.0728, 0.1698, 0.1820 },
        { 0.1997, 0.2731, 0.2837, 0.2809, 0.3114, 0.3725, 0.3801 },
        { 0.2612, 0.4213, 0.4413, 0.4362, 0.4259, 0.6327, 0.6572 } } },
    { "16^3x32", 131072, { 1e-8, 1e-8, 1e-5 },
      { { 0.1883, 0.1670, 0.1683, 0.1664, 0.1451, 0.2126, 0.2257 },
        { 0.3569, 0.3129, 0.3170, 0.3124, 0.2749, 0.3975, 0.4219 },
        { 1.3691, 1.0037, 1.0174, 1.0118, 1.0848, 1.0132, 1.0465 },
        { 1.9596, 1.5286, 1.5482, 1.5359, 1.5504, 1.6686, 1.7392 } } },
    { "24^3x48", 663552, { 1e-8, 1e-8, 1e-5 },
      { { 0.8909, 0.6179, 0.6220, 0.6221, 0.5812, 0.7586, 0.7666 },
        { 1.6769, 1.1611, 1.1628, 1.1702, 1.1117, 1.3786, 1.4296 },
        { 2.1391, 1.3551, 1.3572, 1.3571, 1.5267, 1.2080, 1.2433 },
        { 4.8054, 3.2280, 3.2359, 3.2438, 3.3161, 3.4374, 3.5328 } } },
    { "16^3x32, mass 0.002", 131072, { 1e-9, 1e-9, 1e-5 },
      { { 0.3319, 0.5211, 0.5080, 0.5323, 0.2784, 0.8513, NAN },
        { 0.6672, 0.8421, 0.8386, 0.8488, 0.5277, 1.3914, NAN },
        { 1.1492, 0.7349, 0.7396, 0.7370, 0.7966, 0.7854, NAN },
        { 2.1669, 2.1167, 2.1050, 2.1369, 1.6218, 3.0469, NAN } } },
};

static double fastest(const double seconds[SOLVER_ADAPTIVE])
{
    double least = INFINITY;
    for (int k = 0; k < SOLVER_ADAPTIVE; k++)
        least = fmin(least, seconds[k]);
    return least;
}

static const solver_table *staggered_table(int role)
{
    return role == ROLE_REFRESH ? &staggered_refresh_table : &staggered_solver_table;
}

/* Where a trajectory takes what the best fixed kind takes, and the roles of the table what theirs do. */
static void as_measured(void)
{
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        int best = 0;
        for (int k = 0; k < SOLVER_ADAPTIVE; k++)
            best = measured[i].seconds[ALL][k] < measured[i].seconds[ALL][best] ? k : best;
        double whole = measured[i].seconds[ALL][best];
        for (int role = 0; role < ROLES; role++) {
            const double *seconds = measured[i].seconds[role];
            const solver_request d = { measured[i].sites, measured[i].residual[role] };
            const solver_precision kind = solver_choose(SOLVER_ADAPTIVE, staggered_table(role), d);
            /* A refresh may lose up to 5 % of the trajectory: it is chosen for cold starts, too. */
            const double slack = role == ROLE_REFRESH ? measured[i].seconds[ALL][best] : fastest(seconds);
            fact(seconds[kind] <= fastest(seconds) + 0.05 * slack, "%s, %s: %s takes %.4f s, the fastest kind %.4f s",
                 measured[i].name, role_names[role], solver_names[kind], seconds[kind], fastest(seconds));
            whole += seconds[kind] - seconds[best];
        }
        fact(whole <= 1.05 * fastest(measured[i].seconds[ALL]), "%s: a trajectory takes %.4f s, with %s in all roles "
             "%.4f s", measured[i].name, whole, solver_names[best], fastest(measured[i].seconds[ALL]));
    }
}

/* The same of domain-wall quarks, seconds of all roles of a monomial on 8^3x16 with 8 and 16 slices and on 16^3x32 with
 * 8: two flavors in two ratios (single systems), one flavor by rational functions (many shifts). */
static const struct { int extents[4], Ls; bool shifted; double seconds[SOLVER_ADAPTIVE]; } dwf_measured[] = {
    { { 8, 8, 8, 16 }, 8, false, { 0.2965, 0.2962, 0.2994, NAN, NAN, NAN, 0.3020 } },
    { { 8, 8, 8, 16 }, 16, false, { 0.5590, 0.4785, 0.4501, NAN, NAN, NAN, 0.4501 } },
    { { 16, 16, 16, 32 }, 8, false, { 3.6744, NAN, 1.8210, NAN, NAN, NAN, 1.8238 } },
    { { 8, 8, 8, 16 }, 8, true, { 0.3357, 0.7276, 0.7369, NAN, NAN, NAN, 1.3207 } },
    { { 8, 8, 8, 16 }, 16, true, { 0.6399, 1.0981, 1.0675, NAN, NAN, NAN, 1.7504 } },
    { { 16, 16, 16, 32 }, 8, true, { 3.7137, NAN, 3.6847, NAN, NAN, NAN, 5.5275 } },
};

static void dwf_as_measured(void)
{
    for (size_t i = 0; i < sizeof dwf_measured / sizeof *dwf_measured; i++) {
        const double *seconds = dwf_measured[i].seconds;
        const lattice_shape shape = lattice_shape_single(dwf_measured[i].extents);
        const solver_precision kind = dwf_solver_choose(SOLVER_ADAPTIVE, dwf_measured[i].shifted, &shape,
                                                    dwf_measured[i].Ls, 1e-9);
        fact(seconds[kind] <= 1.05 * fastest(seconds),
             "domain-wall quarks, %s, %.0f sites times Ls: %s takes %.4f s, the "
             "fastest kind %.4f s", dwf_measured[i].shifted ? "many shifts" : "single systems",
             solver_sites(&shape) * dwf_measured[i].Ls, solver_names[kind], seconds[kind],
             fastest(seconds));
    }
}

/* ---- what a monomial makes of it */

#define QUARKS(solver, together)                                                                            \
    "{ determinants: [{ quarks: [{ mass: 0.05, flavors: 2 }], hasenbusch: [{ mass: 0.4, fields: 2, "        \
    "residuals: { force: 1e-4 } }] }], largest_eigenvalue: 30, solver: " solver ", max_rhs: " together ", " \
    "residuals: { refresh: 1e-9, action: 1e-9, force: 1e-7 } }"

static dirac_solver_spec spec_of(const char *yaml, const int extents[4])
{
    staggered_params p = staggered_from_text(yaml);
    const lattice_shape shape = lattice_shape_single(extents);
    quark_plan plan;
    failure f;
    require(quark_plan_make(&plan, &staggered_monomial, &p, &f), "%s", f.why);
    const dirac_solver_spec spec = quark_plan_solver(&plan, &staggered_monomial, &shape);
    quark_plan_free(&plan);
    staggered_input_free(&p);
    return spec;
}

/* The one kind of all roles. */
static solver_precision kind_of_dwf(const dwf_params *p, const lattice_shape *shape)
{
    quark_plan plan;
    failure f;
    require(quark_plan_make(&plan, &dwf_monomial, p, &f), "%s", f.why);
    const dirac_solver_spec spec = quark_plan_solver(&plan, &dwf_monomial, shape);
    quark_plan_free(&plan);
    const solver_precision *of = spec.precision;
    return of[ROLE_REFRESH] == of[ROLE_FORCE] && of[ROLE_REFRESH] == of[ROLE_ACTION] ? of[ROLE_FORCE] : SOLVER_ADAPTIVE;
}

static void monomial_facts(void)
{
    static const int lattices[][4] = { { 4, 4, 4, 4 }, { 16, 16, 16, 32 }, { 24, 24, 24, 48 }, { 32, 32, 32, 64 } };
    bool same = true, turned = true, by_role = true, fixed = true;
    for (int i = 0; i < 4; i++) {
        const lattice_shape shape = lattice_shape_single(lattices[i]);
        const int *x = lattices[i], other_way[4] = { x[3], x[0], x[1], x[2] };
        const dirac_solver_spec all = spec_of(QUARKS("adaptive", "8"), x),
                                one = spec_of(QUARKS("adaptive", "1"), x),
                                moved = spec_of(QUARKS("adaptive", "8"), other_way),
                                half = spec_of(QUARKS("double-half", "8"), x);
        same &= memcmp(all.precision, one.precision, sizeof all.precision) == 0;
        turned &= memcmp(all.precision, moved.precision, sizeof all.precision) == 0;
        const double residual[ROLES] = { [ROLE_REFRESH] = 1e-9, [ROLE_ACTION] = 1e-9, [ROLE_FORCE] = 1e-7 };
        for (int role = 0; role < ROLES; role++) {
            const solver_request d = { solver_sites(&shape), residual[role] };
            by_role &= all.precision[role] == solver_choose(SOLVER_ADAPTIVE, staggered_table(role), d);
            fixed &= half.precision[role] == SOLVER_DOUBLE_HALF;
        }
    }
    staggered_params p = staggered_from_text("{ determinants: [{ quarks: [{ mass: 0.05, flavors: 2 }] }] }");
    dwf_params w = dwf_from_text("Ls: 4\ndeterminants: [{ flavors: 2, mass: 0.1 }]\n");
    fact(p.solver == SOLVER_ADAPTIVE && w.solver == SOLVER_ADAPTIVE, "an input that names no solver has adaptive");
    static const int middle[4] = { 8, 8, 8, 16 };
    const lattice_shape least = lattice_shape_single(lattices[0]), largest = lattice_shape_single(lattices[3]),
                        between = lattice_shape_single(middle);
    fact(kind_of_dwf(&w, &least) == SOLVER_DOUBLE
             && kind_of_dwf(&w, &largest) == SOLVER_DOUBLE_SINGLE_HALF,
         "domain-wall quarks: double on 4^4, half precision on 32^3x64");
    dwf_params one = dwf_from_text("Ls: 16\ndeterminants: [{ flavors: 1, mass: 0.1 }]\n");
    fact(kind_of_dwf(&one, &between) == SOLVER_DOUBLE
             && kind_of_dwf(&one, &largest) == SOLVER_DOUBLE_SINGLE_HALF,
         "one flavor by rational functions: double on 8^3x16 with 16 slices, half precision on 32^3x64");
    dwf_input_free(&one);
    w.solver = SOLVER_DOUBLE_INT20;
    fact(kind_of_dwf(&w, &largest) == SOLVER_DOUBLE_INT20, "domain-wall quarks: a fixed kind stays");
    dwf_input_free(&w);
    staggered_input_free(&p);
    fact(same, "the kinds do not depend on how many fields are solved for at once");
    fact(turned, "nor on the order of the extents");
    fact(by_role, "each role has the kind of its tightest residual");
    fact(fixed, "a fixed kind is that of all roles");
}

/* ---- solves with a kind for each role */

enum { FIELDS = 2, SHIFTS = 3 };
static const int extents[4] = { 4, 4, 4, 4 };
static const staggered_links_params links = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1 };

typedef struct { double norm2[ROLES][FIELDS][SHIFTS]; bool converged; size_t taken, planned; } solved;

static solved solve_with(const gauge *u, const solver_precision kind[ROLES])
{
    const staggered_operator_params params = { .links = links, .chain = PRECISION_DOUBLE };
    const dirac_plan plan = staggered_operator_plan(&params);
    dirac_solver_spec spec = { .systems = FIELDS, .shifted = true, .shifts = SHIFTS };
    memcpy(spec.precision, kind, sizeof spec.precision);
    vec *b = vec_create(u->links.lattice, ON_EVEN, u->links.where, PRECISION_DOUBLE);
    const memory_need planned = dirac_solver_bytes(&plan, lattice_shape_of(b->f.lattice), spec);
    solved all = { .converged = true, .planned = memory_need_sum(planned) };
    const size_t before = place_bytes_now(u->links.where);
    workspace_join(lattice_workspace(b->f.lattice, u->links.where), planned.shared);
    dirac_operator *d = plan.kind->create(&plan, u, false);
    dirac_solver *w = dirac_solver_create(d, spec);
    all.taken = place_bytes_now(u->links.where) - before;
    plan.kind->update(d, u, NULL);
    dirac_matrix *m = plan.kind->matrix(d, 0);
    vec_set_gaussian(b, rng_key_for(3, 0, 0, RNG_TEST), 0);
    for (int role = 0; role < ROLES; role++) {
        const double tolerance = role == ROLE_FORCE ? 1e-5 : 1e-9;
        const shifted system[SHIFTS] = { { 0.04, tolerance }, { 0.3, tolerance }, { 2, tolerance } };
        const dirac_goal goal = { .precision = kind[role], .max_iterations = 10000, .verify = role != ROLE_FORCE };
        vec *x[FIELDS][SHIFTS];
        dirac_shifts_task task[FIELDS];
        for (int n = 0; n < FIELDS; n++) {
            task[n] = (dirac_shifts_task){ .x = x[n], .system = system, .count = SHIFTS, .b = b };
            for (int k = 0; k < SHIFTS; k++)
                x[n][k] = dirac_solver_scratch(w, ON_EVEN, n * SHIFTS + k);
        }
        dirac_solve_shifts(w, m, task, FIELDS, &goal);
        for (int n = 0; n < FIELDS; n++) {
            all.converged &= task[n].result.converged;
            for (int k = 0; k < SHIFTS; k++)
                all.norm2[role][n][k] = vec_norm2(x[n][k]);
        }
    }
    memory_free(m);
    vec_free(b);
    dirac_solver_free(w);
    plan.kind->free(d);
    workspace_leave(lattice_workspace(u->links.lattice, u->links.where));
    return all;
}

static void mixed_roles(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double *numbers = analytic_links(extents, 0.8);
    gauge_import(u, numbers);
    memory_free(numbers);
    solved alone[SOLVER_ADAPTIVE];
    bool converged = true, apart = true;
    for (int k = 0; k < SOLVER_ADAPTIVE; k++) {
        const solver_precision kind[ROLES] = { (solver_precision)k, (solver_precision)k, (solver_precision)k };
        alone[k] = solve_with(u, kind);
        converged &= alone[k].converged;
        for (int j = 0; j < k; j++)
            apart &= memcmp(&alone[j].norm2, &alone[k].norm2, sizeof alone[k].norm2) != 0;
    }
    fact(converged, "%s: every kind converges in every role", place_name(where));
    fact(apart, "%s: no two kinds have the same numbers: they can be told apart", place_name(where));
    for (int k = 0; k < SOLVER_ADAPTIVE; k++)
        for (int step = 1; step < SOLVER_ADAPTIVE; step += 2) {
            const solver_precision kind[ROLES] = { (solver_precision)k,
                                                   (solver_precision)((k + step) % SOLVER_ADAPTIVE),
                                                   (solver_precision)((k + 2 * step) % SOLVER_ADAPTIVE) };
            const solved got = solve_with(u, kind);
            bool same = true;
            for (int role = 0; role < ROLES; role++)
                same &= memcmp(got.norm2[role], alone[kind[role]].norm2[role], sizeof got.norm2[role]) == 0;
            fact(same, "%s: %s, %s and %s in the three roles: each as alone, to the last bit", place_name(where),
                 solver_names[kind[0]], solver_names[kind[1]], solver_names[kind[2]]);
            fact(got.taken == got.planned, "they take %zu bytes, %zu were planned", got.taken, got.planned);
        }
    gauge_free(u);
    lattice_free(l);
}

/* The iterations of the last refresh decide: those of refreshes before, without a report between, do not count. */
static void last_refresh_counts(void)
{
    static const int shape[4] = { 4, 4, 4, 4 };
    lattice *l = lattice_create_single(shape);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    double *matrices = analytic_links(shape, 0.5);
    gauge_import(u, matrices);
    memory_free(matrices);
    monomial *m = quarks_made(&staggered_monomial, "determinants: [ { quarks: [ { mass: 0.5, flavors: 2 } ] } ]", u);
    monomial_call call = { .clock = NULL };
    bool done = monomial_prepare(m, u, 1, &call);
    for (int n = 0; n < 3; n++)
        done = done && monomial_refresh(m, u, key_of_fields(), &call);
    json j = { 0 };
    json_open(&j, NULL, '{');
    monomial_report(m, &j);
    json_close(&j);
    fact(done && strstr(json_string(&j), "\"refresh\": {\"solves\": 1,"), "of three refreshes one counts");
    json_free(&j);
    monomial_free(m);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    last_refresh_counts();
    table_facts("staggered", &staggered_solver_table);
    table_facts("staggered, refresh", &staggered_refresh_table);
    table_facts("domain_wall", &dwf_solver_table);
    table_facts("domain_wall, many shifts", &dwf_shifted_solver_table);
    as_measured();
    dwf_as_measured();
    monomial_facts();
    FOR_EVERY_PLACE(where)
        mixed_roles(where);
    return facts_end();
}
