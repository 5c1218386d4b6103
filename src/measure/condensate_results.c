/* condensate_results.c - the values of all sources, and their means in the record. */
#include "src/measure/condensate_results.h"

#include "src/base/memory.h"
#include "src/measure/quark_sources.h"

#include <math.h>

/* pbp is (1/V) Tr M^-1 = 2 c. */
typedef enum { PBP_EVEN, PBP_ODD, PBP, CONNECTED, SUBTRACTED, DENSITY, VALUES } source_value;

struct condensate_results {
    const condensate_params *params;
    int strange;                            /* index of its mass; -1: none */
    double *value[TRACE_MASSES][VALUES];    /* of each source */
    double residual[TRACE_MASSES];          /* the largest of all sources */
};

condensate_results *condensate_results_create(const condensate_params *p)
{
    condensate_results *r = memory_alloc(sizeof *r, "results of a measurement of the condensate");
    r->params = p;
    r->strange = condensate_strange(p);
    for (int m = 0; m < p->quarks.masses.count; m++)
        for (int v = 0; v < VALUES; v++)
            r->value[m][v] = memory_alloc((size_t)p->sources * sizeof(double), "results of sources");
    return r;
}

void condensate_results_free(condensate_results *r)
{
    if (!r)
        return;
    for (int m = 0; m < r->params->quarks.masses.count; m++)
        for (int v = 0; v < VALUES; v++)
            memory_free(r->value[m][v]);
    memory_free(r);
}

void condensate_results_begin(condensate_results *r)
{
    for (int m = 0; m < TRACE_MASSES; m++)
        r->residual[m] = 0;
}

void condensate_results_set(condensate_results *r, int mass, int source, const quark_trace *t)
{
    double **const value = r->value[mass];
    value[PBP_EVEN][source] = t->parity[0].re;
    value[PBP_ODD][source] = t->parity[1].re;
    value[PBP][source] = (t->parity[0].re + t->parity[1].re) / 2;
    value[CONNECTED][source] = -t->square;
    value[DENSITY][source] = t->current / 4;
    r->residual[mass] = fmax(r->residual[mass], t->residual);
}

/* The mean of the products of different values; NaN for a single one. */
static double mean_square(const double *value, int count)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        sum += value[i];
        squares += value[i] * value[i];
    }
    return count > 1 ? (sum * sum - squares) / ((double)count * (count - 1)) : NAN;
}

/* Subtracts source by source, because both masses have the same noise. */
static void subtract(condensate_results *r, int mass)
{
    const double ratio = staggered_mass_at(&r->params->quarks, mass) / r->params->strange;
    for (int i = 0; i < (int)r->params->sources; i++)
        r->value[mass][SUBTRACTED][i] = (r->value[mass][PBP][i] - ratio * r->value[r->strange][PBP][i]) / 2;
}

static void mass_to_json(json *j, const condensate_results *r, int m, double epsilon)
{
    const int sources = (int)r->params->sources;
    const double mass = staggered_mass_at(&r->params->quarks, m);
    double *const *value = r->value[m];
    const source_mean pbp = source_mean_of(value[PBP], sources);
    json_open(j, NULL, '{');
    json_real(j, "mass", mass);
    json_real(j, "naik_epsilon", epsilon);
    json_real(j, "condensate", pbp.value / 2);
    json_real(j, "condensate_error", pbp.error / 2);
    json_real(j, "condensate_squared", mean_square(value[PBP], sources) / 4);
    if (r->strange >= 0 && mass < r->params->strange)
        source_mean_to_json(j, "subtracted", value[SUBTRACTED], sources, false);
    source_mean_to_json(j, "susceptibility_connected", value[CONNECTED], sources, true);
    if (r->params->number_density)
        source_mean_to_json(j, "number_density", value[DENSITY], sources, true);
    json_real(j, "pbp", pbp.value);
    json_real(j, "pbp_error", pbp.error);
    json_real(j, "pbp_even", source_mean_of(value[PBP_EVEN], sources).value);
    json_real(j, "pbp_odd", source_mean_of(value[PBP_ODD], sources).value);
    json_reals(j, "pbp_sources", value[PBP], sources);
    json_real(j, "residual", r->residual[m]);
    json_close(j);
}

void condensate_results_to_json(json *j, condensate_results *r, const double *epsilon, const int *set)
{
    json_open(j, "masses", '[');
    for (int m = 0; r->strange >= 0 && m < r->params->quarks.masses.count; m++)
        subtract(r, m);
    for (int m = 0; m < r->params->quarks.masses.count; m++)
        mass_to_json(j, r, m, epsilon[set[m]]);
    json_close(j);
}
