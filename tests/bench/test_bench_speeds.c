/* test_bench_speeds.c - kiln bench solver: links by heat bath, domain-wall quarks, a choice of quarks, methods and
 * precisions, pictures of seconds, and speeds.  Times are nobody's facts, but numbers derived from them are. */
#include "src/io/configuration.h"
#include "src/solvers/solver_choice.h"
#include "tests/bench/study_output.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ON_CPU " --device cpu --threads 1 --json"
#define QUENCHED "--lattice 4,4,4,4 --heatbath 20 --beta 5.7"

/* At beta 5.7 the plaquette is 0.549 on large lattices (G. S. Bali and K. Schilling, Phys. Rev. D 47 (1993) 661). */
static void heatbath(void)
{
    yaml_node *t = bench_study_json("methods --masses 0.5 --method cg " QUENCHED ON_CPU);
    fact(holds(t, "links.action", "wilson") && json_number(t, "links.heatbath") == 20
         && isnan(json_number(t, "links.trajectories")), "links by heat bath have Wilson's gauge action");
    fact_close(json_number(t, "links.plaquette"), 0.549, 0.02, "they are thermalized: plaquette");
    yaml_tree_free(t);
    t = bench_study_json("methods --masses 0.5 --method cg --lattice 4,4,4,4 --heatbath 0" ON_CPU);
    fact(json_number(t, "links.plaquette") == 1 && json_number(t, "links.beta") == 6,
         "no sweeps: a cold start; beta is 6 by default");
    yaml_tree_free(t);
}

/* C of domain-wall quarks has eigenvalues on all sides of zero: conjugate gradients are the better choice. */
static void domain_wall(void)
{
    yaml_node *t = bench_study_json("methods --quarks domain-wall --Ls 4 --masses 0.1 --precisions half,double "
                                    QUENCHED ON_CPU);
    const double cg = json_number(t, "masses.0.solves.0.iterations");
    fact(holds(t, "quarks", "domain-wall") && holds(t, "masses.0.solves.0.inner", "double")
         && holds(t, "masses.0.solves.1.inner", "half") && holds(t, "masses.0.solves.2.method", "bicgstab"),
         "two precisions were asked for, and double is the first");
    fact(json_number(t, "masses.0.solves.0.true_residual") <= 1e-10
         && json_number(t, "masses.0.solves.1.true_residual") <= 1e-10, "conjugate gradients converge in both");
    fact(!(json_number(t, "masses.0.solves.2.iterations") < 0.5 * cg), "BiCGstab does not halve the iterations");
    yaml_tree_free(t);
    t = bench_study_json("masses --quarks domain-wall --Ls 4 --method cg --masses 0.1 " QUENCHED ON_CPU);
    bool fewer = true;
    for (int n = 1; n < 7; n += 2)
        fewer &= number_at(t, "masses.0.solves.%d.iterations", n)
                 < number_at(t, "masses.0.solves.%d.iterations", n + 1);
    fact(json_number(t, "masses.0.solves.0.iterations") == cg, "the system of `masses` is that of `methods`");
    fact(fewer, "domain-wall quarks: reliable updates take fewer iterations than defect correction");
    yaml_tree_free(t);
    t = bench_study_json("methods --quarks domain-wall --Ls 8 --masses 0.1 --method cg --precisions double " QUENCHED
                         ON_CPU);
    fact(json_number(t, "masses.0.solves.0.iterations") > cg, "a larger Ls has more iterations");
    yaml_tree_free(t);
}

static void sizes_of_some(void)
{
    yaml_node *t = bench_study_json("sizes --quarks wilson --method bicgstab --masses=-0.2 --precisions double,single "
                                    QUENCHED ON_CPU);
    fact(holds(t, "rows.0.quarks", "clover") && holds(t, "rows.0.method", "bicgstab")
         && json_number(t, "rows.0.mass") == -0.2 && isnan(json_number(t, "rows.1.mass")),
         "sizes of some quarks by one method: a row with the mass");
    fact(holds(t, "rows.0.solves.0.inner", "double") && holds(t, "rows.0.solves.1.inner", "single")
         && isnan(json_number(t, "rows.0.solves.2.iterations"))
         && json_number(t, "rows.0.solves.1.residual") <= 1e-10, "solved in the precisions asked for");
    fact_close(json_number(t, "rows.0.solves.1.time_ratio"), json_number(t, "rows.0.solves.1.seconds")
               / json_number(t, "rows.0.solves.0.seconds"), 1e-12, "the ratio of times is to double");
    yaml_tree_free(t);
    t = bench_study_json("sizes --quarks staggered --masses 0.1 --precisions double " QUENCHED ON_CPU);
    fact(holds(t, "rows.0.quarks", "hisq") && isnan(json_number(t, "rows.1.mass")), "HISQ alone");
    yaml_tree_free(t);
}

/* Flops of C v of Wilson quarks on odd sites: two hops and an axpy. */
enum { FLOPS_OF_SITE = 2 * 1320 + 48, PRECISIONS_ASKED = 2, EXTENTS = 2 };

static void speeds(void)
{
    static const double extents[EXTENTS] = { 4, 8 };
    yaml_node *t = bench_study_json("speeds --lattice 4,4,4,2 --extents-t 4,8 --precisions double,half --repeat 3 "
                                    "--iterations 4" ON_CPU);
    const double copy = json_number(t, "copy_bytes_per_second");
    bool derived = copy > 0, right = true, named = holds(t, "quarks", "wilson");
    for (int i = 0; i < EXTENTS; i++)
        for (int p = 0; p < PRECISIONS_ASKED; p++) {
            char name[64];
            snprintf(name, sizeof name, "extents.%d.precisions.%d.precision", i, p);
            const double flops = number_at(t, "extents.%d.precisions.%d.flops", i, p);
            const double rate = flops / number_at(t, "extents.%d.precisions.%d.c_seconds", i, p);
            const double cg = number_at(t, "extents.%d.precisions.%d.cg_iteration_seconds", i, p);
            named &= holds(t, name, p == 0 ? "double" : "half") && number_at(t, "extents.%d.t", i) == extents[i];
            right &= flops == 32 * extents[i] * FLOPS_OF_SITE;
            derived &= fabs(number_at(t, "extents.%d.precisions.%d.c_gflops", i, p) / (1e-9 * rate) - 1) < 1e-9
                       && fabs(number_at(t, "extents.%d.precisions.%d.c_flops_per_byte_of_copy", i, p)
                               / (rate / copy) - 1) < 1e-9
                       && fabs(number_at(t, "extents.%d.precisions.%d.cg_gflops", i, p) / (2e-9 * flops / cg) - 1)
                          < 1e-9
                       && !isnan(number_at(t, "extents.%d.precisions.%d.bicgstab_iteration_seconds", i, p));
        }
    fact(named && isnan(number_at(t, "extents.%d.t", EXTENTS))
         && isnan(number_at(t, "extents.0.precisions.%d.flops", PRECISIONS_ASKED)),
         "speeds has the extents and precisions asked for");
    fact(right, "C v of Wilson quarks has %d flops a site", FLOPS_OF_SITE);
    fact(derived, "rates are flops, in units of the copy, or of two products an iteration, per measured time");
    const double bytes = json_number(t, "extents.0.precisions.0.bytes");
    fact(json_number(t, "extents.1.precisions.0.bytes") == 2 * bytes
         && json_number(t, "extents.0.precisions.1.bytes") < bytes / 2, "bytes grow with T, and with the precision");
    yaml_tree_free(t);
    t = bench_study_json("speeds --quarks domain-wall --Ls 4 --lattice 4,4,4,2 --precisions single --repeat 2 "
                         "--iterations 3" ON_CPU);
    fact(holds(t, "quarks", "domain-wall") && json_number(t, "extents.0.t") == 2
         && json_number(t, "extents.0.precisions.0.flops") > 4 * 64 * FLOPS_OF_SITE, "so has domain-wall quarks");
    yaml_tree_free(t);
}

/* The file has the word in it. */
static bool has_word(const char *path, const char *word)
{
    char content[65536];
    FILE *f = fopen(path, "r");
    const size_t n = f ? fread(content, 1, sizeof content - 1, f) : 0;
    if (f)
        fclose(f);
    content[n] = 0;
    return strstr(content, word) != NULL;
}

static void pictures(void)
{
    scratch s = scratch_create();
    static const char *const studies[] = { "methods", "masses" };
    for (int n = 0; n < 2; n++) {
        char svg[640];
        snprintf(svg, sizeof svg, "%s", scratch_path(&s, studies[n]));
        program_run("bench solver %s --quarks wilson --masses=0.1,0.2 --plot seconds --svg '%s' " QUENCHED ON_CPU,
                    studies[n], svg);
        fact(has_word(svg, ">seconds<") && has_word(svg, n ? ">double<" : ">cg<"),
             "--plot seconds: the picture of %s has the time to solution", studies[n]);
        program_run("bench solver %s --quarks wilson --masses=0.1,0.2 --svg '%s' " QUENCHED ON_CPU, studies[n], svg);
        fact(has_word(svg, ">iterations") && !has_word(svg, ">seconds<"), "else iterations");
    }
    scratch_remove(&s);
}

/* Whether the explanation of an option begins with the study, "masses, methods: ..." or "all but sizes: ...", or with
 * none. */
static bool is_of_study(const char *explanation, const char *study)
{
    static const char *const studies[] = { "history", "multishift", "masses", "formats", "methods", "sizes", "speeds",
                                           "sign" };
    const bool but = strncmp(explanation, "all but ", 8) == 0;
    const char *at = explanation + (but ? 8 : 0);
    bool named = false, any = false;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
            const size_t length = strlen(studies[i]);
            if (strncmp(at, studies[i], length) != 0 || (at[length] != ',' && at[length] != ':'))
                continue;
            any = true;
            named |= strcmp(studies[i], study) == 0;
            more = at[length] == ',';
            at += length + 2;
            break;
        }
    }
    return !any || named != but;
}

/* What --help says of an option is true: a study refuses those, and only those, that begin with other studies. */
static void studies_of_options(void)
{
    static const char *const given[] = {
        "config /dev/null", "operator hisq", "mass 0.1", "naik-epsilon 0.1", "projection su3", "u0 0.9", "boundary 0",
        "tolerance 1e-3", "max-iterations 9", "flavors 1", "poles 5", "masses 0.1", "kappas 0.12", "quarks wilson",
        "c-sw 0", "xi-0 2", "nu 1", "c-s 1", "c-t 1", "Ls 8", "method cg", "block 2,2,2,2", "vectors 12",
        "setup-iterations 9", "setup-passes 1", "pre-smooth 1", "post-smooth 1", "smoother-precision half",
        "coarse-residual 0.1", "coarse-iterations 9", "precisions half", "delta 0.1", "inner 0.1", "extents-t 4",
        "iterations 9", "repeat 9", "sources 2", "modes 8", "accuracy 1e-3", "plot seconds", "out x", "svg x",
        "lattice 4,4,4,4", "beta 5", "trajectories 1", "heatbath 1", "json", "device cpu", "threads 1",
    };
    static const char *const studies[] = { "history", "multishift", "masses", "formats", "methods", "sizes", "speeds",
                                           "sign" };
    enum { COLUMN = 26 };
    char help[16384];
    int options = 0;
    snprintf(help, sizeof help, "%s", text_string(&program_run("bench solver --help")->out));
    for (const char *at = help; (at = strstr(at, "\n  --")); at++)
        options++;
    fact(options == sizeof given / sizeof *given + 1, "all options are tried (%d, with --help)", options);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char name[64];
        snprintf(name, sizeof name, "\n  --%.*s ", (int)strcspn(given[i], " "), given[i]);
        const char *line = strstr(help, name), *explanation = line ? line + 1 + COLUMN : "";
        bool agrees = line != NULL;
        for (size_t n = 0; n < sizeof studies / sizeof *studies; n++) {
            /* two origins of the links end a study whose options are its own */
            const char *links = strncmp(given[i], "lattice", 7) == 0 ? "" : "--lattice 4,4,4,4 ";
            const char *sweeps = strncmp(given[i], "heatbath", 8) == 0 ? "" : "--heatbath 1 ";
            const char *steps = strncmp(given[i], "trajectories", 12) == 0 ? "" : "--trajectories 1 ";
            const program_output *s = program_run("bench solver %s %s%s%s--%s", studies[n], links, sweeps, steps,
                                                  given[i]);
            const bool accepted = stderr_has(s, "give either");
            if (s->status != 2 || accepted != is_of_study(explanation, studies[n])) {
                agrees = false;
                note("%s --%s: status %d, %s", studies[n], given[i], s->status, text_string(&s->err));
            }
        }
        fact(agrees, "the studies of --%s are those of its help", given[i]);
    }
}

/* kappa = 0.125 is the mass 0. */
static void kappas(void)
{
    yaml_node *t[2];
    for (int i = 0; i < 2; i++) {
        char words[256];
        snprintf(words, sizeof words, "methods --quarks wilson --method cg --precisions double --%s --lattice 4,4,4,4 "
                                      "--heatbath 2" ON_CPU, i ? "kappas 0.1,0.125" : "masses 1,0");
        t[i] = bench_study_json(words);
    }
    fact(json_number(t[0], "masses.1.mass") == 0 && json_number(t[1], "masses.1.mass") == 0
             && json_number(t[1], "masses.0.mass") == 1, "--kappas are masses");
    fact(json_number(t[0], "masses.1.solves.0.true_residual") == json_number(t[1], "masses.1.solves.0.true_residual"),
         "with the same solves");
    yaml_tree_free(t[0]);
    yaml_tree_free(t[1]);
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --masses 0.1 --kappas 0.12", 2, "give one of them");
    bench_refused("methods --lattice 4,4,4,4 --kappas 0.12", 2, "--kappas needs --quarks wilson");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --kappas 20", 2, "at most 10");
}

static void refusals(void)
{
    bench_refused("sizes --quarks staggered --c-sw 1", 2, "--c-sw needs --quarks wilson");
    bench_refused("speeds --lattice 4,4,4,4 --quarks domain-wall --c-sw 1", 2, "--c-sw needs --quarks wilson");
    bench_refused("sizes --quarks wilson --Ls 8", 2, "--Ls needs --quarks domain-wall");
    bench_refused("speeds --lattice 4,4,4,4 --Ls 8", 2, "--Ls needs --quarks domain-wall");
    bench_refused("formats --lattice 4,4,4,4 --quarks wilson --mass 0.1", 2, "takes --masses, not --mass");
    bench_refused("methods --lattice 4,4,4,4 --heatbath 5 --trajectories 5", 2, "either --trajectories or --heatbath");
    bench_refused("methods --config /dev/null --heatbath 5", 2, "--heatbath need --lattice");
    bench_refused("methods --lattice 4,4,4,4 --precisions double,quad", 2, "not a list of double, single, int30");
    bench_refused("masses --lattice 4,4,4,4 --precisions double", 2, "bench solver methods, sizes, speeds and memory");
    bench_refused("methods --lattice 4,4,4,4 --Ls 8", 2, "--Ls needs --quarks domain-wall");
    bench_refused("methods --lattice 4,4,4,4 --quarks domain-wall --masses=-0.1", 2, "domain-wall quarks are above 0");
    bench_refused("sizes --quarks wilson --masses 0.1,0.2", 2, "bench solver sizes needs 1 --masses");
    bench_refused("formats --lattice 4,4,4,4 --plot seconds", 2, "bench solver masses and methods");
    bench_refused("methods --lattice 4,4,4,4 --extents-t 4", 2, "bench solver speeds");
    bench_refused("speeds --lattice 4,4,4,4 --extents-t 3", 2, "even numbers");
    bench_refused("speeds --lattice 4,4,4,4 --quarks staggered", 2, "kiln bench kernels has staggered quarks");
    bench_refused("speeds", 2, "needs --lattice");
    bench_refused("speeds --lattice 4,4,4,4 --tolerance 1e-3", 2, "may be used only with");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    heatbath();
    domain_wall();
    sizes_of_some();
    speeds();
    pictures();
    studies_of_options();
    kappas();
    refusals();
    return facts_end();
}
