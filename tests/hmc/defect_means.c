/* defect_means.c - plaquettes near a defect. */
#include "tests/hmc/defect_means.h"

#include "tests/facts.h"

#include <math.h>

#define ERRORS_ALLOWED 4.5

static const char *const ring_names[DEFECT_RINGS] = { "at the defect", "beside it", "elsewhere" };

double defect_action(const gauge_params *p, const gauge *u, const defect_box *box, double c)
{
    monomial *m = monomial_create(&gauge_monomial, p, u);
    gauge *memory = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    monomial_call call = { .clock = NULL };
    double s = 0;
    gauge_monomial.set_defect(m, &(link_defect){ *box, c }, memory);
    monomial_action(&s, m, u, &call);
    gauge_free(memory);
    monomial_free(m);
    return s;
}

void defect_means_add(defect_means *m, defect_scale s, int block, const gauge *u, const defect_box *box, double share)
{
    const gauge_params wilson = { .action = 0, .beta = s.beta };
    defect_box slice = *box;
    slice.size = s.around;
    const double all = defect_action(&wilson, u, box, 1), at = defect_action(&wilson, u, box, 0),
                 off = defect_action(&wilson, u, &slice, 0);
    m->ring[0][block] += share * (at - all);                       /* beta sum of Re Tr / 3 of the plaquettes without */
    m->ring[1][block] += share * (off - at);                       /* the factor */
    m->ring[2][block] += share * off;
}

void defect_means_estimate(double *mean, double *error, const double block[DEFECT_BLOCKS])
{
    double sum = 0, squares = 0;
    for (int b = 0; b < DEFECT_BLOCKS; b++)
        sum += block[b] / DEFECT_BLOCKS;
    for (int b = 0; b < DEFECT_BLOCKS; b++)
        squares += (block[b] - sum) * (block[b] - sum) / (DEFECT_BLOCKS * (DEFECT_BLOCKS - 1));
    *mean = sum;
    *error = sqrt(squares);
}

void defect_means_same(const defect_means *a, const defect_means *b, const char *sentence)
{
    for (int r = 0; r < DEFECT_RINGS; r++) {
        double mean_a, error_a, mean_b, error_b;
        defect_means_estimate(&mean_a, &error_a, a->ring[r]);
        defect_means_estimate(&mean_b, &error_b, b->ring[r]);
        fact_close(mean_a, mean_b, ERRORS_ALLOWED * hypot(error_a, error_b), "%s, plaquettes %s", sentence,
                   ring_names[r]);
    }
}
