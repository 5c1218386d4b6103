/* test_probe_wilson.c - kiln probe with Wilson quarks: numbers of another implementation and solutions, through the
 * program; and what makes no sense is refused. */
#include "tests/analytic_field.h"
#include "tests/cli/probe/probe_arrays.h"
#include "tests/cli/program.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/on_every_backend.h"
#include "tests/operators/golden_wilson.h"

#include <stdio.h>
#include <string.h>

/* The field of the golden numbers. */
static const int n[4] = { 4, 4, 6, 8 };
enum { SITES = 4 * 4 * 6 * 8, SPINOR = 24, COUNT = SITES * SPINOR };

#define MASS "--mass 0.2"

typedef struct { char config[600], source[600], out[600]; const char *device; } files;

static void write_config(const char *path, double width)
{
    failure f;
    links_info info = { .bits = 64 };
    double *links = analytic_links(n, width);
    memcpy(info.extents, n, sizeof info.extents);
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
    memory_free(links);
}

/* What kiln probe COMMAND makes of the source with these options; memory_free. */
static double *result_of(const files *f, const char *command, const char *options)
{
    int status = program_run("probe %s --operator wilson '%s' '%s' --source '%s' %s --device %s", command, f->config,
                             f->out, f->source, options, f->device)->status;
    fact(status == 0, "%s: probe %s --operator wilson %s", f->device, command, options);
    return array_read(f->out, SPINORS, n);
}

static bool is_odd(size_t at)
{
    size_t x = at / SPINOR;
    return (x % 4 + x / 4 % 4 + x / 16 % 6 + x / 96) % 2 == 1;
}

static void golden_parts(const files *f, const golden_wilson *g)
{
    const struct { const char *part; const golden_numbers *want; } all[] = {
        { "M", &g->m }, { "Mdag", &g->m_dagger }, { "Mhat", &g->mhat }, { "hop", &g->hop },
    };
    double *v = golden_array(SITES, 1);
    write_config(f->config, g->width);
    array_write(f->source, v, SPINORS, n);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char options[100], name[100];
        snprintf(options, sizeof options, MASS " --part %s", all[i].part);
        snprintf(name, sizeof name, "%s, %s", g->name, all[i].part);
        double *out = result_of(f, "apply", options);
        golden_compare_array(out, v, COUNT, all[i].want, f->device, name);
        memory_free(out);
    }
    memory_free(v);
}

static double product(const double *a, const double *b)
{
    double sum = a && b ? 0 : NAN;
    for (size_t i = 0; a && b && i < COUNT; i++)
        sum += a[i] * b[i];
    return sum;
}

static void relations(const files *f)
{
    double *v = golden_array(SITES, 1), *m = result_of(f, "apply", MASS), *mhat, *normal, *rotated, *back;
    mhat = result_of(f, "apply", MASS " --part Mhat");
    normal = result_of(f, "apply", MASS " --part normal");
    fact_close(product(v, normal) / product(mhat, mhat), 1, 1e-13, "%s: <v, normal v> = |Mhat v|^2 on odd sites",
               f->device);
    double on_even = 0;
    for (size_t at = 0; normal && mhat && at < COUNT; at++)
        on_even = fmax(on_even, is_odd(at) ? 0 : fabs(normal[at]) + fabs(mhat[at]));
    fact(on_even == 0, "%s: Mhat and normal are zero on even sites", f->device);
    double *named = result_of(f, "apply", MASS " --part M");
    fact(array_distance(m, named, COUNT) == 0, "%s: M is what is applied where no part is named", f->device);
    memory_free(named);
    double *periodic = result_of(f, "apply", MASS " --boundary 0"), inside = 0, at_ends = 0;
    for (size_t at = 0; m && periodic && at < COUNT; at++) {
        size_t t = at / SPINOR / (4 * 4 * 6);
        double *worst = t == 0 || t == 7 ? &at_ends : &inside;
        *worst = fmax(*worst, fabs(m[at] - periodic[at]));
    }
    fact(at_ends > 0.1 && inside == 0, "%s: the boundary acts on the first and the last time slice alone", f->device);
    memory_free(periodic);
    double *source = spinors_turned(v, COUNT);
    array_write(f->source, source, SPINORS, n);
    rotated = result_of(f, "apply", MASS " --basis nonrelativistic");
    back = spinors_turned(rotated, COUNT);
    fact_close(array_distance(back, m, COUNT), 0, 1e-13, "%s: in the non-relativistic basis S M psi comes from S psi",
               f->device);
    array_write(f->source, v, SPINORS, n);
    double *const made[] = { v, m, mhat, normal, rotated, back, source };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        memory_free(made[i]);
}

/* The solution of M x = v, or of the normal equations, and what the operator makes of it. */
static void solution(files *f, const char *part, const char *more, double residual)
{
    char options[200], path[600];
    double *v = array_read(f->source, SPINORS, n), rest = 0, size = 0;
    yaml_node *tree = said_json(program_run("probe solve --operator wilson '%s' '%s' --source '%s' " MASS
                                            " --part %s %s --residual %g --device %s", f->config, f->out, f->source,
                                            part, more, residual, f->device));
    fact(json_number(tree, "true_residual") <= 1.01 * residual && json_number(tree, "iterations") > 10,
         "%s: %s x = v, %s: a small residual after iterations", f->device, part, more);
    yaml_tree_free(tree);
    snprintf(options, sizeof options, MASS " --part %s", part);
    strcpy(path, f->source);
    strcpy(f->source, f->out);                                 /* the solution is the source now */
    double *back = result_of(f, "apply", options);
    strcpy(f->source, path);
    for (size_t at = 0; back && v && at < COUNT; at++)
        if (strcmp(part, "M") == 0 || is_odd(at)) {
            rest += (back[at] - v[at]) * (back[at] - v[at]);
            size += v[at] * v[at];
        }
    fact(back && sqrt(rest / size) <= 1.02 * residual, "%s: and %s gives v back, %s", f->device, part, more);
    memory_free(back);
    memory_free(v);
}

static void refusals(const files *f)
{
    static const struct { const char *words, *options, *message; } wrong[] = {
        { "no mass", "", "--mass M is missing" },
        { "kappa without end", "--mass -4", "outside the range" },
        { "a part of another operator", "--mass 0.1 --part D5", "\"D5\" is not one of M, Mdag, Mhat, normal, hop" },
        { "an option of another operator", "--mass 0.1 --Ls 8", "unknown option \"--Ls\"" },
        { "a basis that is none", "--mass 0.1 --basis dirac", "nonrelativistic" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const said *s = program_run("probe apply --operator wilson '%s' '%s' --source '%s' %s --device cpu", f->config,
                                    f->out, f->source, wrong[i].options);
        fact(s->status == 2 && says(s, wrong[i].message), "%s: refused, and said why", wrong[i].words);
        fact(says(s, "See kiln probe apply --operator wilson --help."), "and where the help of the operator is");
    }
    fact(prints(program_run("probe apply --operator wilson --help"), "without the factor -1/2")
             && prints(program_run("probe apply --operator domain-wall --help"), "with its factor -1/2"),
         "the help of both operators says which factor hop has");
    fact(prints(program_run("probe solve --operator wilson --help"), "--max-iterations N      give up after N "
                            "(default 100000) [1 to 1000000000]"), "help has defaults and ranges");
    const said *s = program_run("probe solve --operator wilson '%s' '%s' --source '%s' " MASS " --residual 1e-10 "
                                "--max-iterations 5 --device cpu", f->config, f->out, f->source);
    fact(s->status == 1 && says(s, "did not converge") && prints(s, "\"converged\": false"),
         "a solve that is cut short says so, and status 1");
    s = program_run("probe apply --help");
    fact(s->status == 0 && prints(s, "naive, asqtad, hisq, domain-wall, wilson"), "help names all operators");
    s = program_run("probe apply --operator=wilson --help");
    fact(s->status == 0 && prints(s, "Mhat = 4 + m"), "and with an operator its formulas");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    files f;
    strcpy(f.config, scratch_path(&s, "config.lime"));
    strcpy(f.source, scratch_path(&s, "source.npy"));
    strcpy(f.out, scratch_path(&s, "out.npy"));
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        for (int i = 0; i < GOLDEN_WILSONS; i++)
            golden_parts(&f, &golden_wilsons[i]);
        relations(&f);
        solution(&f, "M", "", 1e-11);
        solution(&f, "M", "--solver double-single-half", 1e-9);
        solution(&f, "normal", "--solver adaptive", 1e-10);
    }
    refusals(&f);
    scratch_remove(&s);
    return facts_end();
}
