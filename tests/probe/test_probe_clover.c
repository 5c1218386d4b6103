/* test_probe_clover.c - kiln probe with Wilson quarks that have a clover term: numbers of another implementation,
 * relations with plain Wilson quarks, solutions, through the program; and what makes no sense is refused. */
#include "tests/on_every_backend.h"
#include "tests/operators/golden_clover.h"
#include "tests/probe/probe_spinor_files.h"

#define CLOVER "--mass 0.2 --c-sw 1.2"

static void golden_parts(const spinor_files *f, const golden_clover *g)
{
    const spinor_part_numbers all[] = { { "M", &g->m }, { "Mdag", &g->m_dagger }, { "Mhat", &g->mhat } };
    spinor_golden_parts(f, g->width, g->name, all, sizeof all / sizeof *all);
}

static double largest_of(const double *m, const double *term, const double *hop)
{
    double largest = m && term && hop ? 0 : INFINITY;
    for (size_t at = 0; m && term && hop && at < SPINOR_COUNT; at++)
        largest = worse(largest, fabs(m[at] - (term[at] - hop[at] / 2)));
    return largest;
}

static void relations(const spinor_files *f)
{
    double *v = golden_array(SPINOR_SITES, 1), *m = spinor_result(f, ""), *term = spinor_result(f, "--part clover");
    spinor_relations(f, v, m);
    double *hop = spinor_result_of(f, "wilson", "--mass 0.2 --part hop");
    fact_close(largest_of(m, term, hop), 0, 1e-13, "%s: M is the clover part and -1/2 the hop of Wilson quarks",
               f->device);
    double outside = 0;
    for (size_t at = 0; v && term && at < SPINOR_COUNT; at++)
        outside = worse(outside, fabs(term[at] - 4.2 * v[at]));
    fact(outside > 0.1, "%s: which is not 4 + m", f->device);
    double *periodic = spinor_result(f, "--part clover --boundary 0");
    fact(array_distance(term, periodic, SPINOR_COUNT) == 0, "%s: the clover part does not know the boundary",
         f->device);
    double *without = spinor_result_of(f, "clover", "--mass 0.2 --c-sw 0"),
           *wilson = spinor_result_of(f, "wilson", "--mass 0.2");
    fact_close(array_distance(without, wilson, SPINOR_COUNT), 0, 1e-13, "%s: c_sw = 0 gives M of Wilson quarks",
               f->device);
    double *heavy = spinor_result_of(f, "clover", "--mass 1.2 --c-sw 1.2 --part clover"), off = 0;
    for (size_t at = 0; heavy && term && at < SPINOR_COUNT; at++)
        off = worse(off, fabs(heavy[at] - term[at] - v[at]));
    fact_close(heavy ? off : INFINITY, 0, 1e-13, "%s: the mass is in the clover part", f->device);
    spinor_bases(f, v, m);
    double *const made[] = { v, m, term, hop, periodic, without, wilson, heavy };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        memory_free(made[i]);
}

/* The largest difference of the clover parts of both forms for a coefficient. */
static double forms_apart(const spinor_files *f, const char *linear)
{
    char options[128];
    snprintf(options, sizeof options, "%s --clover exponential", linear);
    double *a = spinor_result_of(f, "clover", linear), *b = spinor_result_of(f, "clover", options);
    const double apart = array_distance(a, b, SPINOR_COUNT);
    memory_free(b);
    memory_free(a);
    return apart;
}

/* T of an exponential differs from the linear one in second order of c_sw. */
static void exponential(const spinor_files *f)
{
    const double one = forms_apart(f, "--mass 0.2 --part clover --c-sw 0.01"),
                 two = forms_apart(f, "--mass 0.2 --part clover --c-sw 0.02");
    fact(one > 1e-7, "%s: the exponential clover term is another one (%.2g)", f->device, one);
    fact_close(two / one, 4, 0.1, "%s: in second order of its coefficient", f->device);
}

/* The largest difference of i mu gamma5 v and a - b, on odd sites with rho besides. */
static double off_twist(const double *a, const double *b, const double *v, double mu, double rho)
{
    double largest = a && b && v ? 0 : INFINITY;
    for (size_t at = 0; a && b && v && at < SPINOR_COUNT; at++) {
        const double sign = at / 6 % 4 < 2 ? 1 : -1, turned = at % 2 == 0 ? -v[at + 1] : v[at - 1];
        const double twist = mu + (spinor_is_odd(at) ? rho : 0);
        largest = worse(largest, fabs(a[at] - b[at] - sign * twist * turned));
    }
    return largest;
}

static void twisted(const spinor_files *f)
{
    double *v = golden_array(SPINOR_SITES, 1), *m = spinor_result(f, "");
    double *both = spinor_result(f, "--mu 0.3 --rho 0.1"), *term = spinor_result(f, "--part clover"),
           *turned = spinor_result(f, "--part clover --mu 0.3 --rho 0.1"),
           *wilson = spinor_result_of(f, "wilson", "--mass 0.2"),
           *plain = spinor_result_of(f, "clover", "--mass 0.2 --c-sw 0 --mu -0.3");
    fact_close(off_twist(both, m, v, 0.3, 0.1), 0, 1e-13, "%s: M with i mu gamma5, and rho on odd sites", f->device);
    fact_close(off_twist(turned, term, v, 0.3, 0), 0, 1e-13, "%s: the clover part has mu only", f->device);
    fact_close(off_twist(plain, wilson, v, -0.3, 0), 0, 1e-13, "%s: twisted mass of Wilson quarks", f->device);
    double *const made[] = { v, m, both, term, turned, wilson, plain };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        memory_free(made[i]);
    spinor_files with = *f;
    with.parameters = CLOVER " --mu 0.3 --rho 0.1";
    spinor_solution(&with, "M", "--solver double-single-half", 1e-9);
    spinor_solution(&with, "M", "--method bicgstab2", 1e-9);
    with.parameters = CLOVER " --mu -0.2 --clover exponential";
    spinor_solution(&with, "normal", "--solver double-int30-int20", 1e-10);
    with.parameters = "--mass -0.1 --c-sw 0 --mu 0.1";
    spinor_solution(&with, "M", "", 1e-11);
}

/* The largest |a - (c1 b1 + c2 b2 + (1 - c1 - c2) b0)| */
static double off_plane(const double *a, double c1, const double *b1, double c2, const double *b2, const double *b0)
{
    double off = a && b1 && b2 && b0 ? 0 : INFINITY;
    for (size_t at = 0; off < INFINITY && at < SPINOR_COUNT; at++)
        off = worse(off, fabs(a[at] - (c1 * b1[at] + c2 * b2[at] + (1 - c1 - c2) * b0[at])));
    return off;
}

/* T is linear in c_s/xi_0 and c_t; with c_s = xi_0 c_t it has the clover term of c_sw = c_t. */
static void anisotropy(const spinor_files *f)
{
#define TERM "--mass 0.2 --part clover --xi-0 4 --nu 4 "
    double *none = spinor_result_of(f, "clover", TERM "--c-s 0 --c-t 0"),
           *space = spinor_result_of(f, "clover", TERM "--c-s 1 --c-t 0"),
           *time = spinor_result_of(f, "clover", TERM "--c-s 0 --c-t 1"),
           *both = spinor_result_of(f, "clover", TERM "--c-s 1.6 --c-t 0.9"),
           *equal = spinor_result_of(f, "clover", TERM "--c-s 4.8 --c-t 1.2"),
           *isotropic = spinor_result(f, "--part clover");
    fact_close(off_plane(both, 1.6, space, 0.9, time, none), 0, 1e-13, "%s: T is linear in c_s and c_t", f->device);
    fact(array_distance(space, none, SPINOR_COUNT) > 0.01 && array_distance(time, none, SPINOR_COUNT) > 0.01,
         "%s: and depends on both", f->device);
    fact_close(array_distance(equal, isotropic, SPINOR_COUNT), 0, 1e-13, "%s: c_s/xi_0 = c_t is c_sw", f->device);
    double *const made[] = { none, space, time, both, equal, isotropic };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        memory_free(made[i]);
    spinor_files with = *f;
    with.parameters = "--mass 0.2 --xi-0 3.5 --nu 1.1 --c-s 1.6 --c-t 0.9";
    spinor_solution(&with, "M", "--solver double-single-half", 1e-9);
    with.parameters = "--mass 0.2 --xi-0 3.5 --nu 1.1 --c-s 1.6 --c-t 0.9 --clover exponential --even-odd symmetric";
    spinor_solution(&with, "M", "", 1e-10);
}

static void refusals(const spinor_files *f)
{
    static const struct { const char *words, *options, *message; } wrong[] = {
        { "no mass", "--c-sw 1", "--mass M or --kappa K is missing" },
        { "no coefficient", "--mass 0.1", "--c-sw C is missing" },
        { "a coefficient below zero", "--mass 0.1 --c-sw -1", "outside the range" },
        { "kappa without end", "--mass -4 --c-sw 1", "outside the range" },
        { "an unknown form", "--mass 0.1 --c-sw 1 --clover cubic", "\"cubic\" is not one of linear, exponential" },
        { "a part of another operator", "--mass 0.1 --c-sw 1 --part D5",
          "\"D5\" is not one of M, Mdag, Mhat, normal, clover" },
        { "c_sw beside c_s and c_t", "--mass 0.1 --c-sw 1 --xi-0 2 --c-s 1 --c-t 1", "remove c_sw" },
        { "c_sw beside xi_0", "--mass 0.1 --c-sw 1 --xi-0 2", "coefficients c_s and c_t; give both in place of c_sw" },
        { "c_s without xi_0", "--mass 0.1 --c-sw 0 --c-s 1 --c-t 1", "but xi_0 is not; give c_sw in place of them" },
        { "c_s alone", "--mass 0.1 --xi-0 2 --c-s 1", "c_s is given, but c_t is not" },
        { "c_t alone", "--mass 0.1 --xi-0 2 --c-t 1", "c_t is given, but c_s is not" },
        { "two coefficients of an isotropic lattice", "--mass 0.1 --xi-0 1 --c-s 1 --c-t 1.1", "both are c_sw" },
        { "an option of another operator", "--mass 0.1 --c-sw 1 --Ls 8", "unknown option \"--Ls\"" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const program_output *s = program_run("probe apply --operator clover '%s' '%s' --source '%s' %s --device cpu",
                                              f->config,
                                    f->out, f->source, wrong[i].options);
        fact(s->status == 2 && stderr_has(s, wrong[i].message), "%s: refused, and said why", wrong[i].words);
        fact(stderr_has(s, "See kiln probe apply --operator clover --help."), "and where the help of the operator is");
    }
    const program_output *s = program_run("probe apply --operator wilson '%s' '%s' --source '%s' --mass 1 --c-sw 1 "
                                          "--device cpu",
                                          f->config, f->out, f->source);
    fact(s->status == 2 && stderr_has(s, "unknown option \"--c-sw\""), "Wilson quarks have no --c-sw");
    s = program_run("probe apply --operator clover --help");
    fact(s->status == 0 && stdout_has(s, "F_mu,nu = (Q_mu,nu - Q_mu,nu^+) / 8, with its trace")
             && stdout_has(s, "Nucl. Phys. B 259 (1985) 572"), "help has the formulas of the term, and their source");
    s = program_run("probe apply --operator clover '%s' '%s' --source '%s' " CLOVER " --device cpu", f->config, f->out,
                    f->source);
    fact(stdout_has(s, "\"operator\": \"clover\", \"part\": \"M\"") && stdout_has(s, "\"c_sw\": 1.2")
             && stdout_has(s, "\"mu\": 0"),
         "the printed JSON has operator, part, c_sw and mu");
    s = program_run("probe apply --operator clover '%s' '%s' --source '%s' --mass 0.2 --xi-0 3.5 --c-s 1.6 --c-t 0.9 "
                    "--device cpu", f->config, f->out, f->source);
    fact(stdout_has(s, "\"xi_0\": 3.5, \"nu\": 1,") && stdout_has(s, "\"c_s\": 1.6") && stdout_has(s, "\"c_t\": 0.9")
             && !stdout_has(s, "c_sw"), "or c_s and c_t in place of c_sw");
    s = program_run("probe solve --operator clover '%s' '%s' --source '%s' " CLOVER " --residual 1e-10 "
                    "--max-iterations 5 --device cpu", f->config, f->out, f->source);
    fact(s->status == 1 && stderr_has(s, "did not converge") && stdout_has(s, "\"converged\": false"),
         "a solve that is cut short says so, and status 1");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    spinor_files f = spinor_files_in(&s, "clover", CLOVER);
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        for (int i = 0; i < GOLDEN_CLOVERS; i++)
            golden_parts(&f, &golden_clovers[i]);
        relations(&f);
        exponential(&f);
        twisted(&f);
        anisotropy(&f);
        spinor_solution(&f, "M", "", 1e-11);
        spinor_solution(&f, "M", "--solver double-single-half", 1e-9);
        spinor_solution(&f, "M", "--solver double-int30-int20", 1e-10);
        spinor_solution(&f, "normal", "--solver double-single", 1e-10);
        spinor_solution(&f, "normal", "--solver adaptive", 1e-10);
    }
    refusals(&f);
    scratch_remove(&s);
    return facts_end();
}
