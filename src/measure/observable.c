/* observable.c - the table of observables, and their output as JSON and as text. */
#include "src/measure/observable.h"

#include "src/config/word_list.h"
#include "src/gauge/gauge_observables.h"

#include <string.h>

static void plaquette(const gauge *u, double *values)
{
    plaquette_means p = gauge_plaquette(u);
    values[0] = p.average;
    values[1] = p.spatial;
    values[2] = p.temporal;
}

static void rectangle(const gauge *u, double *values)
{
    values[0] = gauge_rectangle(u);
}

static void parallelogram(const gauge *u, double *values)
{
    values[0] = gauge_parallelogram(u);
}

static void polyakov(const gauge *u, double *values)
{
    polyakov_mean p = gauge_polyakov(u, 3);
    values[0] = p.re;
    values[1] = p.im;
}

static void polyakov_directions(const gauge *u, double *values)
{
    for (int mu = 0; mu < 4; mu++) {
        polyakov_mean p = gauge_polyakov(u, mu);
        values[2 * mu] = p.re;
        values[2 * mu + 1] = p.im;
    }
}

static void link_trace(const gauge *u, double *values)
{
    values[0] = gauge_link_quality(u).link_trace;
}

static void unitarity(const gauge *u, double *values)
{
    values[0] = gauge_link_quality(u).unitarity;
}

static void energy(const gauge *u, double *values)
{
    values[0] = gauge_plaquette_energy(u);
    values[1] = gauge_field_strength(u).energy;
}

static void charge(const gauge *u, double *values)
{
    values[0] = gauge_field_strength(u).charge;
}

static const char *const plaquette_labels[] = { "average", "spatial", "temporal", NULL };
static const char *const energy_labels[] = { "plaquette", "clover", NULL };
static const char *const complex_labels[] = { "re", "im", NULL };
static const char *const direction_labels[] = { "x_re", "x_im", "y_re", "y_im", "z_re", "z_im", "t_re", "t_im", NULL };

const observable observables[] = {
    { "plaquette", "mean of Re Tr / 3 of the 1x1 loops: all, in space, with time",
      plaquette_labels, plaquette, 0 },
    { "rectangle", "mean of Re Tr / 3 of the 2x1 loops, 12 orientations", NULL, rectangle, 0 },
    { "parallelogram", "mean of Re Tr / 3 of the bent six-link loops, 16 orientations",
      NULL, parallelogram, 0 },
    { "polyakov", "mean of Tr / 3 of the lines around the lattice in t", complex_labels, polyakov, OBSERVABLE_LINE },
    { "polyakov_directions", "the same in x, y, z and t", direction_labels, polyakov_directions, OBSERVABLE_LINE },
    { "energy", "density, -Tr F F summed over planes, from plaquettes and from clover leaves",
      energy_labels, energy, OBSERVABLE_OVER_SLICES | OBSERVABLE_ISOTROPIC },
    { "charge", "topological charge from clover leaves, without gradient flow", NULL, charge, OBSERVABLE_OVER_SLICES },
    { "link_trace", "mean of Re Tr U / 3; depends on the gauge", NULL, link_trace, 0 },
    { "unitarity", "largest |(U^+U - 1)_ij| or |det U - 1|", NULL, unitarity, 0 },
    { 0 }
};
_Static_assert(sizeof observables / sizeof *observables <= sizeof(observable_set), "an observable_set is large enough");

static const char *observable_name(const void *list, int i)
{
    (void)list;
    return observables[i].name;
}

static bool select_one(observable_set *set, const char *name, failure *f)
{
    const int i = word_list_find(name, observable_name, NULL, f);
    if (i >= 0)
        set->wanted[i] = true;
    return i >= 0;
}

bool observables_select(observable_set *set, const char *names, failure *f)
{
    *set = (observable_set){ { false } };
    for (int i = 0; observables[i].name; i++)
        set->wanted[i] = names == NULL;
    bool ok = true;
    for (const char *p = names; ok && p;) {
        size_t n = strcspn(p, ",");
        text name = { 0 };
        text_add_bytes(&name, p, n);
        ok = select_one(set, text_string(&name), f);
        text_free(&name);
        p = p[n] ? p + n + 1 : NULL;
    }
    return ok;
}

bool observables_have(const observable_set *set, int flag)
{
    bool any = false;
    for (int i = 0; observables[i].name; i++)
        any = any || (set->wanted[i] && (observables[i].flags & flag));
    return any;
}

static void one_to_json(void *out, const observable *o, const double *values)
{
    json *j = out;
    if (!o->labels) {
        json_real(j, o->name, values[0]);
        return;
    }
    json_open(j, o->name, '{');
    for (int n = 0; o->labels[n]; n++)
        json_real(j, o->labels[n], values[n]);
    json_close(j);
}

static void one_to_text(void *out, const observable *o, const double *values)
{
    text_add(out, "  %-20s", o->name);
    if (!o->labels)
        text_add(out, " %.15g", values[0]);
    for (int n = 0; o->labels && o->labels[n]; n++)
        text_add(out, "%s%s %.15g", n ? "  " : " ", o->labels[n], values[n]);
    text_add(out, "\n");
}

/* Measure the selected observables in the order of the table. */
static void measure_wanted(const observable_set *set, const gauge *u,
                           void (*emit)(void *out, const observable *o, const double *values), void *out)
{
    double values[OBSERVABLE_VALUES];
    for (int i = 0; observables[i].name; i++)
        if (set->wanted[i]) {
            observables[i].measure(u, values);
            emit(out, &observables[i], values);
        }
}

void observables_to_json(json *j, const observable_set *set, const gauge *u)
{
    measure_wanted(set, u, one_to_json, j);
}

void observables_to_text(text *out, const observable_set *set, const gauge *u)
{
    measure_wanted(set, u, one_to_text, out);
}
