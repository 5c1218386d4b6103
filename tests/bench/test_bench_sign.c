/* test_bench_sign.c - kiln bench solver sign: both approximations of the sign function are the same function, and what
 * is derived from times is right; kiln bench solver sizes --sources: right-hand sides solved together. */
#include "tests/bench/study_output.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>

#define LINKS " --heatbath 10 --beta 6 --device cpu --threads 1 --json"

/* Flops of H^2 v on half of the sites: four hops with an axpy each. */
enum { FLOPS = 4 * (1320 + 48), SITES = 4 * 4 * 4 * 4 };

static bool is_derived(double derived, double from)
{
    return fabs(derived / from - 1) < 1e-9;
}

/* Of each number of modes, a row for each approximation, in double and in single precision. */
static void sign(void)
{
    enum { DOUBLE, SINGLE, CHEBYSHEV, SINGLE_CHEBYSHEV, MORE, ROWS = 2 * MORE };
    yaml_node *t = bench_study_json("sign --lattice 4,4,4,4 --modes 1,8 --accuracy 1e-9" LINKS);
    const double copy = json_number(t, "copy_bytes_per_second");
    bool named = isnan(number_at(t, "rows.%d.seconds", ROWS)), derived = copy > 0, once = true, close = true;
    bool fewer = true;
    double products[ROWS], lower[ROWS];
    for (int row = 0; row < ROWS; row++) {
        char method[32], in[32];
        snprintf(method, sizeof method, "rows.%d.sign", row);
        snprintf(in, sizeof in, "rows.%d.precision", row);
        const double rate = 1e-9 * FLOPS * SITES / 2;
        const double gflops = number_at(t, "rows.%d.gflops", row);
        const double accuracy = number_at(t, "rows.%d.accuracy", row), off = number_at(t, "rows.%d.difference", row);
        products[row] = number_at(t, "rows.%d.products", row);
        lower[row] = number_at(t, "rows.%d.lower", row);
        named &= holds(t, method, row / 2 % 2 ? "chebyshev" : "zolotarev") && number_at(t, "rows.%d.modes", row) > 0
                 && holds(t, in, row % 2 ? "single" : "double");
        once &= number_at(t, "rows.%d.lanczos.seconds", row) == number_at(t, "rows.%d.lanczos.seconds", row / 4 * 4);
        close &= row % 2 ? accuracy > 1e-7 && off <= accuracy && off > 1e-8
                         : accuracy == 1e-9 && off <= 2e-9 && (row % MORE == DOUBLE) == (off == 0);
        fewer &= row % 2 == 0 || products[row] < products[row - 1];
        derived &= is_derived(gflops, rate * products[row] / number_at(t, "rows.%d.seconds", row))
                   && is_derived(number_at(t, "rows.%d.flops_per_byte_of_copy", row), 1e9 * gflops / copy)
                   && is_derived(number_at(t, "rows.%d.lanczos.gflops", row),
                                 rate * number_at(t, "rows.%d.lanczos.products", row)
                                     / number_at(t, "rows.%d.lanczos.seconds", row));
    }
    fact(named, "sign has four rows for each number of modes");
    fact(once, "the modes are searched once for all of them");
    fact(derived, "rates are %d flops for a product with H^2 and a site of a parity, per measured time", FLOPS);
    fact(close, "all signs of a vector are the same, within their accuracies");
    fact(fewer, "the lower accuracy of single precision takes fewer products");
    fact(json_number(t, "largest_difference") == fmax(number_at(t, "rows.%d.difference", CHEBYSHEV),
                                                      number_at(t, "rows.%d.difference", MORE + CHEBYSHEV)),
         "the largest difference is that of signs in double precision");
    fact(lower[DOUBLE] == lower[SINGLE_CHEBYSHEV] && lower[MORE] > lower[DOUBLE] && products[MORE] < products[DOUBLE]
         && products[MORE + CHEBYSHEV] < products[CHEBYSHEV], "more modes leave fewer products with H^2");
    fact(products[CHEBYSHEV] == json_number(t, "rows.2.degree"), "Clenshaw's recursion has as many as its degree");
    yaml_tree_free(t);
    t = bench_study_json("sign --lattice 4,4,4,4 --modes 1 --accuracy 1e-3" LINKS);
    fact(json_number(t, "rows.2.degree") < products[CHEBYSHEV] && json_number(t, "rows.0.poles") > 0
         && json_number(t, "largest_difference") > 2e-9, "less accuracy has a lower degree, and is less accurate");
    yaml_tree_free(t);
}

/* The flops that MILC counts for an iteration on a site: 16 products, 15 sums, and 41 of linear algebra. */
enum { FLOPS_OF_MILC = 16 * 66 + 15 * 6 + 41 };

static void sources(void)
{
    enum { BATCHES = 3 };
    static const int count[BATCHES] = { 1, 2, 9 };      /* 9: more than one batch */
    double iterations[BATCHES];
    bool accurate = true, derived = true, alike = true;
    for (int i = 0; i < BATCHES; i++) {
        char words[200];
        snprintf(words, sizeof words, "sizes --quarks staggered --masses 0.1 --precisions half --tolerance 1e-8 "
                                      "--lattice 4,4,4,4 --sources %d" LINKS, count[i]);
        yaml_node *t = bench_study_json(words);
        const double residual = json_number(t, "rows.0.solves.0.residual");
        iterations[i] = json_number(t, "rows.0.solves.0.iterations");
        accurate &= residual > 0 && residual <= 1e-8 && json_number(t, "rows.0.sources") == count[i];
        derived &= is_derived(json_number(t, "rows.0.solves.0.gflops"), 1e-9 * FLOPS_OF_MILC * SITES * iterations[i]
                              / json_number(t, "rows.0.solves.0.seconds"));
        alike &= fabs(iterations[i] / count[i] / iterations[0] - 1) < 0.1;
        yaml_tree_free(t);
    }
    fact(accurate, "every right-hand side of --sources has the residual that was asked for");
    fact(alike && iterations[1] > iterations[0] && iterations[2] > iterations[1],
         "iterations are those of all: each takes about as many as one alone (%g, %g, %g)", iterations[0],
         iterations[1], iterations[2]);
    fact(derived, "Gflop/s have %d flops a site and iteration", FLOPS_OF_MILC);
    yaml_node *t = bench_study_json("sizes --quarks staggered --operator naive --masses 0.1 --precisions half "
                                    "--lattice 4,4,4,4" LINKS);
    fact(isnan(json_number(t, "rows.0.solves.0.gflops")), "but not without a Naik term, which has fewer");
    yaml_tree_free(t);
}

#define NARROW "bench solver sizes --lattice 4,4,4,4 --precisions half --tolerance 1e-8 --heatbath 10 --beta 6 " \
               "--device cpu --threads 1 "

/* Of the row of a file of columns that begins with this word. */
static bool row_of(const char *path, const char *word, int *sources, double *gflops, double *from)
{
    char line[400];
    int iterations, read = 0;
    double seconds;
    FILE *file = fopen(path, "r");
    while (file && read != 4 && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0)
            read = sscanf(line, "%*s %*s %*s %*s %*s %d %lf %*d %d %lf", &iterations, &seconds, sources, gflops);
    if (file)
        fclose(file);
    *from = read == 4 ? 1e-9 * FLOPS_OF_MILC * SITES * iterations / seconds : NAN;
    return read == 4;
}

static void columns(void)
{
    scratch s = scratch_create();
    int sources;
    double gflops, from;
    program_run(NARROW "--quarks staggered --masses 0.1 --sources 2 --out '%s'", scratch_path(&s, "hisq"));
    fact(row_of(scratch_path(&s, "hisq"), "hisq ", &sources, &gflops, &from) && sources == 2
             && fabs(gflops / from - 1) < 1e-5, "columns have the right-hand sides and Gflop/s");
    const program_output *answer = program_run(NARROW "--quarks wilson --masses 0.1 --method cg --out '%s'",
                                               scratch_path(&s, "clover"));
    fact(answer->status == 0 && stdout_has(answer, "       -  ") && !stdout_has(answer, "nan"),
         "where flops are not counted, the table has a dash");
    fact(row_of(scratch_path(&s, "clover"), "clover ", &sources, &gflops, &from) && sources == 1 && isnan(gflops),
         "and the columns have nan");
    scratch_remove(&s);
}

static void refusals(void)
{
    bench_refused("sign", 2, "for the links");
    bench_refused("sign --lattice 4,4,4,4 --modes 0", 2, "not a list of at most");
    bench_refused("sign --lattice 4,4,4,4 --modes 2.5", 2, "integers from 1 to 256");
    bench_refused("sign --lattice 4,4,4,4 --tolerance 1e-3", 2, "--tolerance may be used only with");
    bench_refused("sign --lattice 4,4,4,4 --mass 0.1", 2, "--mass may be used only with");
    bench_refused("sign --lattice 4,4,4,4 --boundary 0", 2, "--boundary may be used only with");
    bench_refused("sign --lattice 4,4,4,4 --operator naive", 2, "--operator may be used only with");
    bench_refused("sign --lattice 4,4,4,4 --u0 0.9", 2, "--u0 may be used only with");
    bench_refused("speeds --lattice 4,4,4,4 --naik-epsilon 0.1", 2, "--naik-epsilon may be used only with");
    bench_refused("methods --lattice 4,4,4,4 --quarks wilson --projection su3", 2, "--projection is for staggered");
    bench_refused("sign --lattice 4,4,4,4 --masses 0.1", 2, "may be used only with");
    bench_refused("speeds --lattice 4,4,4,4 --modes 8", 2, "--modes may be used only with bench solver sign");
    bench_refused("sign --lattice 2,2,2,2 --modes 256 --device cpu", 1, "too few sites for 256 modes");
    bench_refused("sizes --sources 2", 2, "--sources needs --quarks staggered");
    bench_refused("sizes --quarks staggered --precisions double,half --sources 2", 2, "without double");
    bench_refused("methods --lattice 4,4,4,4 --sources 2", 2, "--sources may be used only with bench solver sizes");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    sign();
    sources();
    columns();
    refusals();
    return facts_end();
}
