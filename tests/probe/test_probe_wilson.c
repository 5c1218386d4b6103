/* test_probe_wilson.c - kiln probe with Wilson quarks: numbers of another implementation and solutions, through the
 * program; and what makes no sense is refused. */
#include "tests/on_every_backend.h"
#include "tests/operators/golden_wilson.h"
#include "tests/probe/probe_spinor_files.h"

#include <stdio.h>
#include <string.h>

#define MASS "--mass 0.2"

static void golden_parts(const spinor_files *f, const golden_wilson *g)
{
    const spinor_part_numbers all[] = {
        { "M", &g->m }, { "Mdag", &g->m_dagger }, { "Mhat", &g->mhat }, { "hop", &g->hop },
    };
    spinor_golden_parts(f, g->width, g->name, all, sizeof all / sizeof *all);
}

/* The same for the operator clover; a phase in x is felt at every site, and by the hop. */
static void phases(const spinor_files *f, const double *without)
{
    double *m = spinor_result(f, "--theta 0.5,0,-1.25"), *hop = spinor_result(f, "--part hop --theta 0.5,0,-1.25");
    double *clover = spinor_result_of(f, "clover", MASS " --c-sw 0 --theta 0.5,0,-1.25");
    double *v = golden_array(SPINOR_SITES, 1), off = 0, least = INFINITY;
    for (size_t site = 0; m && hop && without && site < SPINOR_COUNT; site += SPINOR) {
        double change = 0;
        for (size_t at = site; at < site + SPINOR; at++) {
            change = worse(change, fabs(m[at] - without[at]));
            off = worse(off, fabs(m[at] - (4.2 * v[at] - hop[at] / 2)));
        }
        least = fmin(least, change);
    }
    fact(m && least > 1e-3 && least < INFINITY, "%s: phases in space are felt at every site", f->device);
    fact_close(m && hop ? off : INFINITY, 0, 1e-13, "%s: M is 4 + m and -1/2 the hop, with phases", f->device);
    fact_close(array_distance(clover, m, SPINOR_COUNT), 0, 1e-13, "%s: clover quarks have the same ones", f->device);
    memory_free(v);
    memory_free(clover);
    memory_free(hop);
    memory_free(m);
}

/* a v = share b v + (1 - share) c v */
static double off_line(const double *a, double share, const double *b, const double *c)
{
    double off = 0;
    for (size_t at = 0; a && b && c && at < SPINOR_COUNT; at++)
        off = worse(off, fabs(a[at] - share * b[at] - (1 - share) * c[at]));
    return a && b && c ? off : INFINITY;
}

/* M is a linear function of nu/xi_0, and its hops in t do not depend on it. */
static void anisotropy(const spinor_files *f, const double *m)
{
    double *unit = spinor_result(f, "--xi-0 1"), *weak = spinor_result(f, "--xi-0 4 --nu 1.2"),
           *half = spinor_result(f, "--xi-0 2.5 --nu 1.5"), *periodic = spinor_result(f, "--boundary 0"),
           *weak_periodic = spinor_result(f, "--boundary 0 --xi-0 4 --nu 1.2");
    double *clover = spinor_result_of(f, "clover", MASS " --c-sw 0 --xi-0 4 --nu 1.2"), of_time = INFINITY;
    fact(unit && m && memcmp(unit, m, SPINOR_COUNT * sizeof *m) == 0, "%s: --xi-0 1 has the same bits", f->device);
    fact_close(off_line(half, 0.4 / 0.7, weak, m), 0, 1e-13, "%s: M is linear in nu/xi_0 (0.3, 0.6, 1)", f->device);
    fact(off_line(half, 0, weak, m) > 0.1, "%s: and depends on it", f->device);
    for (size_t at = 0; weak && m && periodic && weak_periodic && at < SPINOR_COUNT; at++)
        of_time = fmax(at ? of_time : 0, fabs(weak[at] - weak_periodic[at] - (m[at] - periodic[at])));
    fact_close(of_time, 0, 1e-13, "%s: the boundary in t does not depend on nu/xi_0", f->device);
    fact_close(array_distance(clover, weak, SPINOR_COUNT), 0, 1e-13, "%s: clover quarks have the same M", f->device);
    double *const all[] = { unit, weak, half, periodic, weak_periodic, clover };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        memory_free(all[i]);
}

/* kappa = 0.1 is m = 1, with xi_0 as well. */
static void kappas(const spinor_files *f)
{
    static const struct { const char *op, *options; } cases[] = {
        { "wilson", "" }, { "wilson", "--xi-0 2.5 --nu 1.1" }, { "clover", "--c-sw 1.2" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char options[2][80];
        snprintf(options[0], sizeof options[0], "--mass 1 %s", cases[i].options);
        snprintf(options[1], sizeof options[1], "--kappa 0.1 %s", cases[i].options);
        double *by_mass = spinor_result_of(f, cases[i].op, options[0]),
               *by_kappa = spinor_result_of(f, cases[i].op, options[1]);
        fact(by_mass && by_kappa && memcmp(by_mass, by_kappa, SPINOR_COUNT * sizeof *by_mass) == 0,
             "%s: %s %s has the M of --mass 1", f->device, cases[i].op, options[1]);
        memory_free(by_kappa);
        memory_free(by_mass);
    }
    yaml_node *t = output_json(program_run("probe apply --operator wilson '%s' '%s' --source '%s' --kappa 0.1 "
                                           "--device %s", f->config, f->out, f->source, f->device));
    fact(json_number(t, "mass") == 1 && json_number(t, "kappa") == 0.1, "%s: the JSON has both", f->device);
    yaml_tree_free(t);
}

static void relations(const spinor_files *f)
{
    double *v = golden_array(SPINOR_SITES, 1), *m = spinor_result(f, "");
    spinor_relations(f, v, m);
    double *periodic = spinor_result(f, "--boundary 0"), inside = 0, at_ends = 0;
    for (size_t at = 0; m && periodic && at < SPINOR_COUNT; at++) {
        size_t t = at / SPINOR / (4 * 4 * 6);
        double *worst = t == 0 || t == 7 ? &at_ends : &inside;
        *worst = worse(*worst, fabs(m[at] - periodic[at]));
    }
    fact(at_ends > 0.1 && inside == 0, "%s: the boundary acts on the first and the last time slice alone", f->device);
    memory_free(periodic);
    phases(f, m);
    anisotropy(f, m);
    spinor_bases(f, v, m);
    memory_free(v);
    memory_free(m);
}

static void multigrid(const spinor_files *f)
{
    double iterations[2];
    for (int i = 0; i < 2; i++) {
        yaml_node *t = output_json(program_run("probe solve --operator wilson '%s' '%s' --source '%s' " MASS
                                               " --xi-0 2.5 --nu 1.1 --residual 1e-10 --device %s %s", f->config,
                                               f->out, f->source, f->device,
                                               i ? "--method multigrid --block 2,2,3,2 --vectors 6" : ""));
        iterations[i] = json_number(t, "iterations");
        fact(json_number(t, "true_residual") < 1.01e-10 && json_number(t, "nu") == 1.1 && json_number(t, "xi_0") == 2.5,
             "%s: anisotropic quarks, %s", f->device, i ? "multigrid" : "conjugate gradients");
        yaml_tree_free(t);
    }
    fact(iterations[1] < iterations[0] / 3, "multigrid takes fewer iterations (%g, %g)", iterations[0], iterations[1]);
}

static void refusals(const spinor_files *f)
{
    static const struct { const char *words, *options, *message; } wrong[] = {
        { "no mass", "", "--mass M or --kappa K is missing" },
        { "a mass twice", "--mass 0.1 --kappa 0.12", "--mass 0.1 and --kappa 0.12 both give the bare mass; give one" },
        { "no hops", "--kappa 0", "outside the range" },
        { "kappa without end", "--mass -4", "outside the range" },
        { "a part of another operator", "--mass 0.1 --part D5", "\"D5\" is not one of M, Mdag, Mhat, normal, hop" },
        { "an option of another operator", "--mass 0.1 --Ls 8", "unknown option \"--Ls\"" },
        { "phases that are too large", "--mass 0.1 --theta 0,0,3", "three phases from -2 to 2" },
        { "two phases", "--mass 0.1 --theta 0,0", "an example: 0.5,0,0" },
        { "nu without xi_0", "--mass 0.1 --nu 1.1", "but xi_0 is not" },
        { "a diagonal below 0", "--mass -2 --xi-0 3", "the diagonal of M, m + 1 + 3 nu/xi_0, is 0" },
        { "a basis that is none", "--mass 0.1 --basis dirac", "nonrelativistic" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const program_output *s = program_run("probe apply --operator wilson '%s' '%s' --source '%s' %s --device cpu",
                                              f->config,
                                    f->out, f->source, wrong[i].options);
        fact(s->status == 2 && stderr_has(s, wrong[i].message), "%s: refused, and said why", wrong[i].words);
        fact(stderr_has(s, "See kiln probe apply --operator wilson --help."), "and where the help of the operator is");
    }
    fact(stdout_has(program_run("probe apply --operator wilson --help"), "without the factor -1/2")
             && stdout_has(program_run("probe apply --operator domain-wall --help"), "with its factor -1/2"),
         "the help of both operators says which factor hop has");
    fact(stdout_has(program_run("probe solve --operator wilson --help"), "--max-iterations N      give up after N "
                            "(default 100000) [1 to 1000000000]"), "help has defaults and ranges");
    const program_output *s = program_run("probe solve --operator wilson '%s' '%s' --source '%s' " MASS " --residual "
                                          "1e-10 "
                                          "--max-iterations 5 --device cpu", f->config, f->out, f->source);
    fact(s->status == 1 && stderr_has(s, "did not converge") && stdout_has(s, "\"converged\": false"),
         "a solve that is cut short says so, and status 1");
    s = program_run("probe apply --help");
    fact(s->status == 0 && stdout_has(s, "naive, asqtad, hisq, domain-wall, wilson, clover"),
         "help names all operators");
    s = program_run("probe apply --operator=wilson --help");
    fact(s->status == 0 && stdout_has(s, "Mhat = 4 + m"), "and with an operator its formulas");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    spinor_files f = spinor_files_in(&s, "wilson", MASS);
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        for (int i = 0; i < GOLDEN_WILSONS; i++)
            golden_parts(&f, &golden_wilsons[i]);
        relations(&f);
        kappas(&f);
        spinor_solution(&f, "M", "", 1e-11);
        spinor_solution(&f, "M", "--solver double-single-half", 1e-9);
        spinor_solution(&f, "normal", "--solver adaptive", 1e-10);
        spinor_solution(&f, "M", "--method bicgstab2 --solver double-half --history", 1e-9);
        spinor_solution(&f, "normal", "--method bicgstab --updates estimate", 1e-10);
        multigrid(&f);
        f.parameters = MASS " --xi-0 2.5 --nu 1.1";
        spinor_solution(&f, "M", "--solver double-half", 1e-9);
        f.parameters = MASS;
    }
    refusals(&f);
    scratch_remove(&s);
    return facts_end();
}
