/* schwinger_dyson.c - forces of all monomials with new pseudofermions, and the loops that the gauge action counts. */
#include "src/measure/schwinger_dyson.h"

#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/gauge/momentum.h"
#include "src/lattice/rng.h"

typedef struct { measurement base; const char *name; const param_list *monomials; } schwinger_dyson;

static const kind_item *item_at(const param_list *monomials, int index)
{
    return (const kind_item *)monomials->item + index;
}

static const monomial_kind *kind_at(const param_list *monomials, int index)
{
    return monomial_kind_at(item_at(monomials, index)->kind);
}

rng_key schwinger_dyson_key(rng_key key, int term)
{
    key.high[1] += (uint32_t)term;
    return key;
}

/* ---- the loops */

/* 8 sum of n w Re Tr W / 3, of links and of unit links. */
typedef struct { double here, unit; } loop_total;

static void add_kind(loop_total *total, int links, double weight, double count, double deficit)
{
    total->here += 8 * links * weight * (count - deficit);
    total->unit += 8 * links * weight * count;
}

static loop_total loops_of(const param_list *monomials, const gauge *u)
{
    const bool open = lattice_is_open(u->links.lattice);
    loop_total total = { 0, 0 };
    for (int t = 0; t < monomials->count; t++) {
        const monomial_kind *kind = kind_at(monomials, t);
        if (!kind->link_weights)
            continue;
        const loop_weights w = kind->link_weights(item_at(monomials, t)->params, NULL, open);
        const loop_sums d = gauge_weighted_loops(u, &w.by_time, w.rectangle != 0, w.parallelogram != 0);
        const loop_sums n = gauge_loop_counts(u->links.lattice, &w.by_time);
        add_kind(&total, 4, w.plaquette, n.plaquette, d.plaquette);
        add_kind(&total, 6, w.rectangle, n.rectangle, d.rectangle);
        add_kind(&total, 6, w.parallelogram, n.parallelogram, d.parallelogram);
    }
    return total;
}

/* ---- the forces */

/* F_g and F_q. */
typedef struct { momentum *gauge, *quarks; sum_array size; } force_pair;

static bool add_force(force_pair *forces, monomial *m, const gauge *u, rng_key key, monomial_call *call)
{
    momentum *to = m->kind->link_weights ? forces->gauge : forces->quarks;
    return monomial_prepare(m, u, rng_key_trajectory(key), call) && monomial_refresh(m, u, key, call)
           && monomial_add_force(m, u, to, 1, forces->size.cells, call);
}

/* One monomial at a time, so that their memory is not needed at once. */
static bool add_forces(force_pair *forces, const schwinger_dyson *s, const gauge *u, rng_key key, clock_tree *clock,
                       failure *f)
{
    for (int t = 0; t < s->monomials->count; t++) {
        const void *params = item_at(s->monomials, t)->params;
        const char *name = *(char *const *)params;
        monomial_call call = { .clock = clock, .unchecked = true };
        clock_begin(clock, name);
        monomial *m = monomial_create(kind_at(s->monomials, t), params, u);
        const bool done = add_force(forces, m, u, schwinger_dyson_key(key, t), &call);
        text where = { 0 };
        text_add(&where, "measurement %s, %s", s->name, name);
        monomial_log_warnings(m, text_string(&where));
        text_free(&where);
        monomial_free(m);
        clock_end(clock);
        if (!done)
            return fail(f, "force of %s: %s", name, call.failure.why);
    }
    return true;
}

/* Sums over links of Tr F_g^+F_g and Tr F_q^+F_g; adds F_g to F_q. */
typedef struct { double gauge, quarks; } force_products;

static force_products products_of(force_pair *forces)
{
    const double of_gauge = momentum_measure(forces->gauge).sum_norm2;
    const double of_quarks = momentum_measure(forces->quarks).sum_norm2;
    momentum_axpy(forces->quarks, 1, forces->gauge);
    return (force_products){ of_gauge, (momentum_measure(forces->quarks).sum_norm2 - of_gauge - of_quarks) / 2 };
}

static momentum *zero_momentum(const gauge *u)
{
    momentum *p = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    momentum_zero(p);
    return p;
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    const schwinger_dyson *s = m->data;
    force_pair forces = { zero_momentum(u), zero_momentum(u), monomial_size_create(u) };
    const bool done = add_forces(&forces, s, u, key, clock, f);
    if (done) {
        const double links = 4 * (double)lattice_volume(u->links.lattice);
        const force_products p = products_of(&forces);
        const loop_total loops = loops_of(s->monomials, u);
        json_real(j, "gauge", p.gauge / links);
        json_real(j, "quarks", p.quarks / links);
        json_real(j, "loops", loops.here / links);
        json_real(j, "deviation", (p.gauge + p.quarks - loops.here) / loops.unit);
    }
    sums_free(&forces.size);
    momentum_free(forces.quarks);
    momentum_free(forces.gauge);
    return done;
}

/* ---- the kind */

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    (void)params;
    (void)shape;
    (void)f;
    return true;
}

static bool takes_action(const void *params, const param_list *monomials, const lattice_shape *shape, failure *f)
{
    const char *name = ((const measurement_params *)params)->name;
    bool loops = false, rectangles = false;
    for (int t = 0; t < monomials->count; t++) {
        const monomial_kind *kind = kind_at(monomials, t);
        loops = loops || kind->link_weights;
        rectangles = rectangles || (kind->link_weights && kind->link_weights(item_at(monomials, t)->params, NULL,
                                                                             shape->open_in_time).rectangle != 0);
    }
    if (!loops)
        return fail(f, "%s: measurements of kind schwinger_dyson compare forces with loops of a gauge action, but the "
                       "input has no monomial of kind gauge: add the action of the ensemble", name);
    for (int mu = 0; mu < 4 && rectangles; mu++)
        if (shape->global[mu] < 4)
            return fail(f, "%s: a 2x1 rectangle of the gauge action contains a link twice where an extent of the "
                           "lattice is 2: with this action, measurements of kind schwinger_dyson need extents of 4 "
                           "or more", name);
    return true;
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    (void)u;
    schwinger_dyson *s = memory_alloc(sizeof *s, "a measurement of the Schwinger-Dyson identity");
    s->base = (measurement){ &schwinger_dyson_measurement, s };
    s->name = ((const measurement_params *)params)->name;
    return &s->base;
}

static void set_action(measurement *m, const param_list *monomials)
{
    ((schwinger_dyson *)m->data)->monomials = monomials;
}

static void free_measurement(measurement *m)
{
    memory_free(m->data);
}

static memory_need count_bytes(const param_list *monomials, const lattice_shape *shape)
{
    memory_need most = { 0 };
    for (int t = 0; t < monomials->count; t++) {
        memory_need one = monomial_need(kind_at(monomials, t), item_at(monomials, t)->params, shape);
        one.lasting += one.cells;                /* of one monomial at a time */
        one.cells = 0;
        most = memory_need_either(most, one);
    }
    const memory_need forces = { .lasting = 2 * momentum_bytes(shape, PRECISION_DOUBLE),
                                 .cells = sums_bytes(FORCE_SUMS, FORCE_MAXIMA) };
    return memory_need_add(most, forces);
}

static const param_spec specs[] = { MEASUREMENT_SPECS("schwinger_dyson"), { 0 } };

static const result_member members[] = {
    MEMBER("deviation", NULL, NULL, "(`gauge` + `quarks` - `loops`) divided by `loops` of unit links; its mean over "
           "the ensemble is 0", .headline = true, .vanishes = true),
    MEMBER("gauge", NULL, NULL, "Tr F_g^+F_g, mean over links"),
    MEMBER("quarks", NULL, NULL, "Tr F_q^+F_g with new pseudofermions, mean over links"),
    MEMBER("loops", NULL, NULL, "8 times the sum over loops of n w Re Tr W / 3, divided by the number of links"),
    { 0 }
};
static const result_group results[] = { { "Schwinger-Dyson identity", NULL, NULL, members }, { 0 } };

const measurement_kind schwinger_dyson_measurement = {
    .input = { .name = "schwinger_dyson",
               .doc = "Schwinger-Dyson identity: compares forces with closed loops, to test whether the links have the "
                      "weight exp(-S)",
               .params = specs,
               .example = "every: 10",
               .see = "observables.md#schwinger-dyson-identity",
               .size = sizeof(measurement_params) },
    .open_in_time = true,
    .takes_anisotropy = measurement_of_loops,
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .takes_action = takes_action,
    .set_action = set_action,
    .action_bytes = count_bytes,
};
