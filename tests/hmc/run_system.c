/* run_system.c - a run in memory, and facts about its trajectories. */
#include "tests/hmc/run_system.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <string.h>

run_system run_system_create(place where, precision p, const char *input, ...)
{
    run_system s = { .in = memory_alloc(sizeof *s.in, "an input") };
    va_list arguments;
    va_start(arguments, input);
    run_from_arguments(s.in, input, arguments);
    va_end(arguments);
    const lattice_shape shape = run_shape(&s.in->p);
    s.l = lattice_create(&shape);
    s.u = gauge_create(s.l, where, p);
    s.p = momentum_create(s.l, where, p);
    gauge_set_unit(s.u);
    momentum_set_gaussian(s.p, rng_key_for(84, 0, 0, RNG_MOMENTA));      /* dH is not small by chance */
    s.h = hmc_create(&s.in->p, s.u);
    return s;
}

void run_system_free(run_system *s)
{
    hmc_free(s->h);
    momentum_free(s->p);
    gauge_free(s->u);
    lattice_free(s->l);
    run_input_free(s->in);
    memory_free(s->in);
}

hmc_outcome run_system_trajectory(run_system *s, int64_t number)
{
    hmc_outcome o = hmc_trajectory(s->h, s->u, number, NULL, NULL);
    require(o.failure.step == STEP_NONE, "%s", o.failure.why.why);
    return o;
}

double run_system_evolve(run_system *s)
{
    hmc_energies before, after;
    hmc_failure problem;
    bool done = hmc_hamiltonian(&before, s->h, s->u, s->p, NULL, &problem)
                && hmc_evolve(s->h, s->u, s->p, NULL, NULL, &problem) == EVOLVE_DONE
                && hmc_hamiltonian(&after, s->h, s->u, s->p, NULL, &problem);
    require(done, "%s", problem.why.why);
    return hmc_energy_difference(s->h, &before, &after);
}

double link_difference(const gauge *u, const double *links)
{
    double *now = links_of(u), worst = 0;
    for (size_t i = 0; i < link_numbers(u->links.lattice); i++)
        worst = worse(worst, fabs(now[i] - links[i]));
    memory_free(now);
    return worst;
}

/* With a Gaussian distribution <dH> = <dH^2> / 2, and this is where <dH> is 0.1.  The rms of dH, unlike its mean, has a
 * small statistical error in a few trajectories. */
#define RMS_LEAST 0.45

void fact_area(const char *what, run_system *s, int thermalization, int count)
{
    const char *where = place_name(s->u->links.where);
    double sum = 0, squares = 0, dh = 0, dh2 = 0, accepted = 0;
    for (int n = 1; n <= thermalization; n++)
        run_system_trajectory(s, n);
    for (int n = thermalization + 1; n <= thermalization + count; n++) {
        hmc_outcome o = run_system_trajectory(s, n);
        double e = exp(-o.dh) / count;
        sum += e;
        squares += e * e * count;
        dh += o.dh / count;
        dh2 += o.dh * o.dh / count;
        accepted += (double)o.accepted / count;
    }
    double error = sqrt((squares - sum * sum) / (count - 1));
    note("%s, %s: %d trajectories, <exp(-dH)> = %.4f +- %.4f, <dH> = %.3f, rms %.3f, acceptance %.3f", where, what,
         count, sum, error, dh, sqrt(dh2), accepted);
    fact_close(sum, 1, 4.5 * error, "%s, %s: <exp(-dH)> = 1", where, what);
    fact(error < 2 / sqrt(count) && sqrt(dh2) > RMS_LEAST, "%s, %s: with an error of %.2g, where the rms of dH is %.2g",
         where, what, error, sqrt(dh2));
}

/* What must be the same, beside the links. */
typedef struct { double dh, random; hmc_energies after; force_size force[HMC_TERMS]; } trajectory_bits;

static double *trajectories(trajectory_bits *bits, run_system s, int64_t first, int64_t last)
{
    hmc_outcome o = { .dh = NAN };
    for (int64_t n = first; n <= last; n++)
        o = run_system_trajectory(&s, n);
    *bits = (trajectory_bits){ .dh = o.dh, .random = o.random, .after = o.after };
    memcpy(bits->force, o.force, sizeof bits->force);
    double *links = links_of(s.u);
    run_system_free(&s);
    return links;
}

void fact_same_bits(const char *what, system_maker *create, const void *context, int64_t first, int64_t last)
{
    static const int threads[] = { 1, 2, 3, 7 };
    trajectory_bits want, got;
    run_system s = create(PLACE_CPU, context);
    const size_t bytes = link_numbers(s.l) * sizeof(double);
    double *expected = trajectories(&want, s, first, last);
    FOR_EVERY_PLACE(where) {
        bool same = true;
        int before = omp_get_max_threads();
        for (int n = 0; n < (where == PLACE_CPU ? 4 : 1); n++) {
            omp_set_num_threads(threads[n]);
            double *links = trajectories(&got, create(where, context), first, last);
            same &= memcmp(&got, &want, sizeof got) == 0 && memcmp(links, expected, bytes) == 0;
            memory_free(links);
        }
        omp_set_num_threads(before);
        fact(same, "%s, %s: links, dH, energies, sizes of forces have the same bits, on a CPU with 1, 2, 3 and 7 "
             "threads", place_name(where), what);
    }
    memory_free(expected);
}
