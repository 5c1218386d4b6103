/* staggered_masses.c - links and masses of a measurement of staggered quarks. */
#include "src/measure/staggered_masses.h"

#include <math.h>

const param_spec staggered_mass_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = offsetof(staggered_mass, mass), .min = 0, .max = 100,
      .flags = PARAM_ABOVE_MIN, .doc = "a m, in the usual normalization (M = m + D/2)" },
    { .key = "naik_epsilon", .type = PARAM_TEXT, .offset = offsetof(staggered_mass, naik_epsilon), .fallback = "0",
      .flags = PARAM_NOT_EMPTY, .doc = "action hisq: a number, or auto: the published series in the bare mass" },
    { 0 }
};

static const staggered_mass *item_at(const staggered_quarks *q, int index)
{
    return (const staggered_mass *)q->masses.item + index;
}

double staggered_mass_at(const staggered_quarks *q, int index)
{
    return item_at(q, index)->mass;
}

/* NaN if it is neither a number nor auto. */
static double epsilon_of(const staggered_mass *m)
{
    double epsilon;
    return naik_epsilon_read(&epsilon, m->naik_epsilon, m->mass) ? epsilon : NAN;
}

/* The parameters of the operator, and in `set` the set of links of each mass; false if there are too many sets. */
static bool read_operator(staggered_operator_params *op, int set[TRACE_MASSES], const staggered_quarks *q)
{
    if (!staggered_parameters.read(op, &q->of, NULL))
        return false;
    for (int m = 0; m < q->masses.count; m++) {
        set[m] = staggered_links_add_epsilon(&op->links, epsilon_of(item_at(q, m)));
        if (set[m] < 0)
            return false;
    }
    return true;
}

int staggered_masses_at_once(const staggered_quarks *q)
{
    staggered_operator_params op;
    int set[TRACE_MASSES], count[EPSILONS_MAX] = { 0 }, most = 1;
    read_operator(&op, set, q);
    for (int m = 0; m < q->masses.count; m++)
        if (++count[set[m]] > most)
            most = count[set[m]];
    return most;
}

bool staggered_quarks_check(const staggered_quarks *q, const char *name, failure *f)
{
    staggered_operator_params op;
    int set[TRACE_MASSES];
    failure why;
    if (!stout_params_check(&q->of.stout, &why))
        return fail(f, "%s: %s", name, why.why);
    if (q->masses.count > TRACE_MASSES)
        return fail(f, "%s: %d masses, but at most %d are allowed", name, q->masses.count, TRACE_MASSES);
    for (int m = 0; m < q->masses.count; m++) {
        double epsilon = epsilon_of(item_at(q, m));
        if (isnan(epsilon))
            return fail(f, "%s: naik_epsilon: \"%s\" is neither auto nor a number between -10 and 10", name,
                        item_at(q, m)->naik_epsilon);
        if (q->of.action != STAGGERED_HISQ && epsilon != 0)
            return fail(f, "%s: naik_epsilon is allowed only with action hisq", name);
    }
    return read_operator(&op, set, q)
           || fail(f, "%s: more than %d different values of naik_epsilon", name, EPSILONS_MAX);
}

staggered_measured staggered_measured_create(const staggered_quarks *q, const gauge *u)
{
    staggered_measured m;
    read_operator(&m.op, m.set, q);
    m.stout = stout_create(&q->of.stout, u);
    m.links = staggered_links_create(&m.op.links, u);
    return m;
}

void staggered_measured_free(staggered_measured *m)
{
    staggered_links_free(m->links);
    stout_free(m->stout);
}

memory_need staggered_measured_bytes(const staggered_quarks *q, const lattice_shape *shape)
{
    staggered_operator_params op;
    int set[TRACE_MASSES];
    read_operator(&op, set, q);
    return memory_need_add(stout_bytes(&q->of.stout, shape, PRECISION_DOUBLE, false),
                           staggered_links_bytes(&op.links, shape, PRECISION_DOUBLE));
}

void staggered_measured_update(staggered_measured *m, const gauge *u)
{
    staggered_links_update(m->links, stout_links(m->stout, u));
}

staggered_terms staggered_measured_terms(const staggered_measured *m, int set)
{
    return (staggered_terms){ staggered_fat(m->links, set), staggered_naik(m->links),
                              staggered_naik_coefficient(m->links, set) };
}

static void report_mass(const quark_list *action, double mass, action_listener *emit, void *out, int index)
{
    text all = { 0 };
    for (int i = 0; i < action->count; i++)
        if (action->quark[i].flavors > 0)
            text_add(&all, "%s%.10g", all.length ? ", " : "", action->quark[i].mass);
    action_report(emit, out, (action_mismatch){ .list = "masses", .index = index, .key = "mass" },
                  "no quark of the action has the mass %.10g; its masses are %s", mass, text_string(&all));
    text_free(&all);
}

void staggered_quarks_compare(const staggered_quarks *q, bool all_masses, const param_list *monomials,
                              action_listener *emit, void *out)
{
    const quark_list action = action_quarks(monomials, "staggered");
    for (int m = 0; m < q->masses.count && action.count > 0; m++) {
        const double mass = staggered_mass_at(q, m), epsilon = epsilon_of(item_at(q, m));
        const quark_count *other = NULL;
        bool found = false;
        for (int i = 0; i < action.count; i++) {
            const quark_count *quark = &action.quark[i];
            if (quark->flavors <= 0 || !action_same_mass(quark->mass, mass))
                continue;
            found |= quark->epsilon == epsilon;
            other = quark;
        }
        if (other && !found)
            action_report(emit, out, (action_mismatch){ .list = "masses", .index = m, .key = "naik_epsilon" },
                          "quarks of mass %.10g with naik_epsilon %.10g are measured, but those of the action have "
                          "naik_epsilon %.10g; give it that of the quarks that it measures", mass, epsilon,
                          other->epsilon);
        if (!other && all_masses)
            report_mass(&action, mass, emit, out, m);
    }
}
