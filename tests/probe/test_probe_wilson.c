/* test_probe_wilson.c - kiln probe with Wilson quarks: numbers of another implementation and solutions, through the
 * program; and what makes no sense is refused. */
#include "tests/on_every_backend.h"
#include "tests/operators/golden_wilson.h"
#include "tests/probe/probe_spinor_files.h"

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
            change = fmax(change, fabs(m[at] - without[at]));
            off = fmax(off, fabs(m[at] - (4.2 * v[at] - hop[at] / 2)));
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

static void relations(const spinor_files *f)
{
    double *v = golden_array(SPINOR_SITES, 1), *m = spinor_result(f, "");
    spinor_relations(f, v, m);
    double *periodic = spinor_result(f, "--boundary 0"), inside = 0, at_ends = 0;
    for (size_t at = 0; m && periodic && at < SPINOR_COUNT; at++) {
        size_t t = at / SPINOR / (4 * 4 * 6);
        double *worst = t == 0 || t == 7 ? &at_ends : &inside;
        *worst = fmax(*worst, fabs(m[at] - periodic[at]));
    }
    fact(at_ends > 0.1 && inside == 0, "%s: the boundary acts on the first and the last time slice alone", f->device);
    memory_free(periodic);
    phases(f, m);
    spinor_bases(f, v, m);
    memory_free(v);
    memory_free(m);
}

static void refusals(const spinor_files *f)
{
    static const struct { const char *words, *options, *message; } wrong[] = {
        { "no mass", "", "--mass M is missing" },
        { "kappa without end", "--mass -4", "outside the range" },
        { "a part of another operator", "--mass 0.1 --part D5", "\"D5\" is not one of M, Mdag, Mhat, normal, hop" },
        { "an option of another operator", "--mass 0.1 --Ls 8", "unknown option \"--Ls\"" },
        { "phases that are too large", "--mass 0.1 --theta 0,0,3", "three phases from -2 to 2" },
        { "two phases", "--mass 0.1 --theta 0,0", "an example: 0.5,0,0" },
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
        spinor_solution(&f, "M", "", 1e-11);
        spinor_solution(&f, "M", "--solver double-single-half", 1e-9);
        spinor_solution(&f, "normal", "--solver adaptive", 1e-10);
        spinor_solution(&f, "M", "--method bicgstab2 --solver double-half --history", 1e-9);
        spinor_solution(&f, "normal", "--method bicgstab --updates estimate", 1e-10);
    }
    refusals(&f);
    scratch_remove(&s);
    return facts_end();
}
