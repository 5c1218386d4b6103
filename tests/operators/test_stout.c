/* test_stout.c - stout links and their chain rule, with a gauge action of the smeared links as S. */
#include "actions/gauge_action.h"
#include "gpu/device.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"
#include "src/operators/stout.h"
#include "tests/actions/derivative.h"
#include "tests/actions/monomial_facts.h"
#include "tests/analytic_field.h"
#include "tests/exact_su3.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/lattice/grid_digests.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"

#include <stdio.h>
#include <string.h>

static const gauge_params action = { .action = 1, .beta = 4.2 };
static const stout_params smearings[] = {
    { 1, 0.1, false }, { 2, 0.12, false }, { 3, 0.1, false }, { 2, 0.14, true }, { 1, 1.5, false },
};
enum { SMEARINGS = sizeof smearings / sizeof *smearings };

/* ---- a gauge action of smeared links, as a monomial */

typedef struct { monomial base, *of_smeared; stout *s; } smeared_action;

static bool value(double *v, monomial *m, const gauge *u, monomial_call *c)
{
    smeared_action *a = m->data;
    return monomial_action(v, a->of_smeared, stout_links(a->s, u), c);
}

static bool add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c)
{
    smeared_action *a = m->data;
    const gauge *links = stout_links(a->s, u);
    if (!a->s)
        return monomial_add_force(a->of_smeared, links, p, weight, size, c);
    const stout_smeared_force f = stout_force_begin(a->s);
    const bool added = monomial_add_force(a->of_smeared, links, f.force, 1, f.size, c);
    stout_force_chain(a->s, u);
    stout_force_add(a->s, p, weight, size);
    return added;
}

static void release(monomial *m)
{
    smeared_action *a = m->data;
    stout_free(a->s);
    monomial_free(a->of_smeared);
    memory_free(a);
}

static monomial *smeared(const stout_params *params, const gauge *u)
{
    static const monomial_kind kind = { .action = value, .add_force = add_force, .free = release };
    smeared_action *a = memory_alloc(sizeof *a, "an action of smeared links");
    a->base = (monomial){ &kind, a };
    a->of_smeared = monomial_create(&gauge_monomial, &action, u);
    a->s = stout_create(params, u);
    return &a->base;
}

/* ---- the links */

static int neighbor(const int n[4], int site, int mu, int hop)
{
    int stride = 1;
    for (int i = 0; i < mu; i++)
        stride *= n[i];
    const int c = site / stride % n[mu];
    return site + ((c + hop + n[mu]) % n[mu] - c) * stride;
}

/* Does the plaquette with this lowest site use an inactive link of open boundaries? */
static bool is_absent(const lattice *l, int lowest, int mu, int nu)
{
    const int *n = lattice_global(l);
    return lattice_is_open(l) && (mu == 3 || nu == 3) && lowest / (n[0] * n[1] * n[2]) == n[3] - 1;
}

/* exp([C U^+]_TA) U in long double, as the formula has it. */
static matrix3 exact_link(const double *u, const lattice *l, const stout_params *p, int site, int mu)
{
    const int *n = lattice_global(l);
    const int axes = p->spatial_only ? 3 : 4;
    matrix3 c = { { { 0 } } }, here = matrix3_load(u + 18 * (4 * site + mu));
    for (int nu = 0; nu < axes && mu < axes; nu++) {
        if (nu == mu)
            continue;
        const int up = neighbor(n, site, nu, 1), down = neighbor(n, site, nu, -1), ahead = neighbor(n, site, mu, 1);
        const int corner = neighbor(n, down, mu, 1);
        matrix3 a = matrix3_load(u + 18 * (4 * site + nu)), b = matrix3_load(u + 18 * (4 * up + mu));
        matrix3 d = matrix3_dagger(matrix3_load(u + 18 * (4 * ahead + nu)));
        c = matrix3_add(c, is_absent(l, site, mu, nu) ? 0 : p->rho, matrix3_mul(matrix3_mul(a, b), d));
        a = matrix3_dagger(matrix3_load(u + 18 * (4 * down + nu)));
        b = matrix3_load(u + 18 * (4 * down + mu));
        d = matrix3_load(u + 18 * (4 * corner + nu));
        c = matrix3_add(c, is_absent(l, down, mu, nu) ? 0 : p->rho, matrix3_mul(matrix3_mul(a, b), d));
    }
    const matrix3 iq = matrix3_algebra_part(matrix3_mul(c, matrix3_dagger(here)));
    return matrix3_mul(matrix3_exp(iq), here);
}

static double *exact_links(const double *u, const lattice *l, const stout_params *p)
{
    double *in = links_sum(l, u, 0, u), *out = links_sum(l, u, 0, u);
    for (int level = 0; level < p->levels; level++) {
        for (int link = 0; link < 4 * (int)lattice_volume(l); link++)
            matrix3_store(out + 18 * link, exact_link(in, l, p, link / 4, link % 4));
        memcpy(in, out, link_numbers(l) * sizeof *in);
    }
    memory_free(in);
    return out;
}

static void links_facts(const stout_params *params, const gauge *u, const double *links, const char *name)
{
    lattice *l = u->links.lattice;
    gauge *single = links_on(l, u->links.where, PRECISION_SINGLE, links);
    double *want = exact_links(links, l, params);
    stout *s = stout_create(params, u), *rough = stout_create(params, single);
    const gauge *smeared_links = stout_links(s, u);
    fact_close(gauge_apart(smeared_links, want), 0, 2e-14, "%s: the links of the formula", name);
    fact_close(gauge_apart(stout_links(rough, single), want), 0, 1e-5, "%s: in single precision", name);
    fact_close(gauge_link_quality(smeared_links).unitarity, 0, 1e-14, "%s: they are in SU(3)", name);
    if (params->rho < 1)
        fact(gauge_plaquette(smeared_links).spatial > gauge_plaquette(u).spatial, "%s: they are smoother", name);
    stout_free(rough);
    stout_free(s);
    gauge_free(single);
    memory_free(want);
}

/* With open boundaries inactive links stay unit matrices, and have no force. */
static void inactive_facts(const gauge *u, const momentum *f, const stout_params *params, const char *name)
{
    lattice *l = u->links.lattice;
    const size_t count = link_numbers(l), slice = count / (size_t)lattice_global(l)[3];
    stout *s = stout_create(params, u);
    double *links = links_of(stout_links(s, u)), *force = memory_alloc(count * sizeof *force, "a force"), off = 0;
    momentum_export(force, f);
    for (size_t i = count - slice; i < count; i++)
        if (i / 18 % 4 == 3)
            off += fabs(force[i]) + fabs(links[i] - (i % 18 % 8 == 0 && i % 2 == 0));
    fact(off == 0, "%s: inactive links stay unit matrices without a force", name);
    memory_free(force);
    memory_free(links);
    stout_free(s);
}

/* Spatial smearing reads and changes no link in t: spatial links do not depend on them. */
static void spatial_facts(const gauge *u, const double *links, const char *name)
{
    lattice *l = u->links.lattice;
    stout *s = stout_create(&(stout_params){ 2, 0.14, true }, u);
    double *other = links_sum(l, links, 0, links), *first = links_of(stout_links(s, u));
    bool kept = true, same = true;
    for (size_t link = 3; link < link_numbers(l) / 18; link += 4) {
        kept &= memcmp(first + 18 * link, links + 18 * link, 18 * sizeof *first) == 0;
        memcpy(other + 18 * link, links + 18 * (link - 1), 18 * sizeof *other);
    }
    gauge *changed = links_on(l, u->links.where, PRECISION_DOUBLE, other);
    double *second = links_of(stout_links(s, changed));
    for (size_t link = 0; link < link_numbers(l) / 18; link++)
        same &= link % 4 == 3 || memcmp(first + 18 * link, second + 18 * link, 18 * sizeof *first) == 0;
    fact(kept, "%s: spatial smearing keeps the links in t, bit for bit", name);
    fact(same, "%s: and does not read them", name);
    memory_free(second);
    gauge_free(changed);
    memory_free(first);
    memory_free(other);
    stout_free(s);
}

/* rho = 0, and no levels, are the thin links: links, action and force, bit for bit. */
static void identity_facts(const gauge *u, const double *links, const char *name)
{
    static const stout_params none[] = { { 0, 0.1, false }, { 3, 0, false }, { 2, 0, true } };
    size_t bytes;
    monomial *thin = monomial_create(&gauge_monomial, &action, u);
    double *want = monomial_numbers(&bytes, thin, u);
    for (size_t n = 0; n < sizeof none / sizeof *none; n++) {
        stout *s = stout_create(&none[n], u);
        double *same = links_of(stout_links(s, u));
        fact(memcmp(same, links, link_numbers(u->links.lattice) * sizeof *same) == 0,
             "%s: %d levels with rho = %g do nothing to the links", name, (int)none[n].levels, none[n].rho);
        memory_free(same);
        stout_free(s);
        monomial *m = smeared(&none[n], u);
        double *got = monomial_numbers(&bytes, m, u);
        fact(memcmp(got, want, bytes) == 0, "%s: nor to the action and its force", name);
        memory_free(got);
        monomial_free(m);
    }
    memory_free(want);
    monomial_free(thin);
}

/* Links are made once for a version of the thin links. */
static void version_facts(const gauge *u, const char *name)
{
    gauge *v = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    stout *s = stout_create(&smearings[1], u);
    gauge_copy(v, u);
    const gauge *links = stout_links(s, v);
    const uint64_t version = links->version;
    fact(stout_links(s, v) == links && links->version == version, "%s: the same links keep their version", name);
    double *before = links_of(links);
    gauge_set_random(v, rng_key_for(5, 0, 0, RNG_START_LINKS));
    fact(stout_links(s, v)->version != version, "%s: others get a new one", name);
    fact_close(gauge_apart(stout_links(s, u), before), 0, 0, "%s: and the first ones come back", name);
    memory_free(before);
    stout_free(s);
    gauge_free(v);
}

/* ---- the force */

static void force_facts(const stout_params *params, const gauge *u, const double *links, const char *name)
{
    lattice *l = u->links.lattice;
    momentum *p = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    momentum *rough = momentum_create(l, u->links.where, PRECISION_SINGLE);
    momentum *f = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, rng_key_for(61, 0, 0, RNG_MOMENTA));
    monomial *m = smeared(params, u);
    derivative_facts(m, u, p, (lattice_is_open(l) ? 0.6 : 1) * (params->rho > 1 ? 0.02 : 0.06), 2e-9, name);
    weight_facts(m, u, p, name);
    sum_array size = monomial_size_create(u);
    sum_cell sum;
    max_cell largest;
    monomial_add_force(m, u, f, 1, size.cells, &(monomial_call){ .clock = NULL });
    sums_read((sum_cells){ &sum, &largest }, &size);
    const momentum_size measured = momentum_measure(f);
    if (lattice_is_open(l))
        inactive_facts(u, f, params, name);
    fact_close(sum_cell_value(&sum, SUM_BOUND) / measured.sum_norm2, 1, 1e-14, "%s: sum of Tr F^+F", name);
    fact_close(max_cell_value(&largest) / measured.max_norm2, 1, 1e-14, "%s: the largest Tr F^+F of a link", name);
    gauge *single = links_on(l, u->links.where, PRECISION_SINGLE, links);
    monomial *n = smeared(params, single);
    force_of(rough, n, single, 1);
    momentum *wide = momentum_create(l, u->links.where, PRECISION_DOUBLE);
    field_convert(&wide->f, &rough->f);
    fact_close(force_distance(wide, f), 0, params->rho > 1 ? 1e-4 : 1e-5, "%s: the force in single precision", name);
    gauge_turn_facts(m, u, params->rho > 1 ? 1e-12 : 1e-13, name);
    momentum_free(wide);
    monomial_free(n);
    gauge_free(single);
    sums_free(&size);
    monomial_free(m);
    momentum_free(f);
    momentum_free(rough);
    momentum_free(p);
}

/* Unit links are a fixed point with Q = 0; links in an abelian subgroup with two equal phases have Q with equal
 * eigenvalues everywhere.  The differences around them must still be the force. */
static void degenerate_facts(lattice *l, place where, const char *name)
{
    const int *n = lattice_global(l);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, rng_key_for(62, 0, 0, RNG_MOMENTA));
    double *links = analytic_links(n, 0);
    for (size_t link = 0; link < link_numbers(l) / 18; link++) {
        const double phase[3] = { 0.3 * (double)(link % 7), 0.3 * (double)(link % 7), -0.6 * (double)(link % 7) };
        memset(links + 18 * link, 0, 18 * sizeof *links);
        for (int i = 0; i < 3; i++) {
            links[18 * link + (size_t)(8 * i)] = cos(phase[i]);
            links[18 * link + (size_t)(8 * i) + 1] = sin(phase[i]);
        }
    }
    gauge_import(u, links);
    monomial *m = smeared(&smearings[2], u);
    derivative_facts(m, u, p, 0.06, 1e-8, name);
    gauge_set_unit(u);
    momentum *f = momentum_create(l, where, PRECISION_DOUBLE);
    force_of(f, m, u, 1);
    fact(momentum_measure(f).max_norm2 == 0, "%s: unit links have no force", name);
    momentum_free(f);
    monomial_free(m);
    memory_free(links);
    momentum_free(p);
    gauge_free(u);
}

static size_t bytes_now(place where) { return where == PLACE_GPU ? device_bytes_now() : place_bytes_now(where); }

static void memory_facts(const stout_params *params, const gauge *u, const char *name)
{
    const field *f = &u->links;
    const lattice_shape *shape = lattice_shape_of(f->lattice);
    const memory_need links = stout_bytes(params, shape, f->precision, false);
    const memory_need all = stout_bytes(params, shape, f->precision, true);
    const size_t before = bytes_now(f->where);
    stout *s = stout_create(params, u);
    fact_close((double)(bytes_now(f->where) - before), (double)memory_need_sum(links), 0, "%s: memory", name);
    stout_force_reserve(s, 0);
    fact_close((double)(bytes_now(f->where) - before), (double)memory_need_sum(all), 0, "%s: with a force", name);
    stout_free(s);
    fact_close((double)(bytes_now(f->where) - before), 0, 0, "%s: which is returned", name);
}

/* ---- the same bits everywhere */

/* Links, action and force of all smearings, in both precisions. */
static uint64_t digest_on(lattice *l, place where, uint64_t digest)
{
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p = (precision)(p + 1)) {
        gauge *u = gauge_create(l, where, p);
        gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
        for (int n = 0; n < SMEARINGS; n++) {
            smeared_action *a = smeared(&smearings[n], u)->data;
            momentum *f = momentum_create(l, where, p);
            double *links = links_of(stout_links(a->s, u)), s = action_of(&a->base, u);
            force_of(f, &a->base, u, 1);
            double *m = memory_alloc(link_numbers(l) * sizeof *m, "a force");
            momentum_export(m, f);
            digest = digest64(digest64(digest64(digest, links, link_numbers(l) * sizeof *links), &s, sizeof s), m,
                              link_numbers(l) * sizeof *m);
            memory_free(m);
            memory_free(links);
            momentum_free(f);
            monomial_free(&a->base);
        }
        gauge_free(u);
    }
    return digest;
}

/* The same with periodic and with open boundaries. */
static uint64_t digest_all(lattice *l, place where)
{
    lattice_shape shape = *lattice_shape_of(l);
    shape.open_in_time = true;
    lattice *open = lattice_create(&shape);
    const uint64_t digest = digest_on(open, where, digest_on(l, where, DIGEST64_START));
    lattice_free(open);
    return digest;
}

int main(void)
{
    static const struct { int extents[4]; bool open; } lattices[] = {
        { { 4, 2, 4, 6 }, false }, { { 2, 2, 2, 2 }, false }, { { 4, 2, 4, 6 }, true }, { { 4, 2, 2, 4 }, true },
    };
    for (size_t i = 0; i < sizeof lattices / sizeof *lattices; i++) {
        lattice_shape shape = lattice_shape_single(lattices[i].extents);
        shape.open_in_time = lattices[i].open;
        lattice *l = lattice_create(&shape);
        FOR_EVERY_PLACE(where) {
            double *all = analytic_links(lattices[i].extents, 1.5);
            gauge *u = links_on(l, where, PRECISION_DOUBLE, all);
            double *links = links_of(u);                  /* inactive ones are unit matrices */
            char name[96];
            for (int n = 0; n < SMEARINGS; n++) {
                snprintf(name, sizeof name, "%s, %s, extents %d..., %d levels, rho %g%s", place_name(where),
                         lattices[i].open ? "open" : "periodic", lattices[i].extents[0], (int)smearings[n].levels,
                         smearings[n].rho, smearings[n].spatial_only ? ", spatial" : "");
                links_facts(&smearings[n], u, links, name);
                force_facts(&smearings[n], u, links, name);
                memory_facts(&smearings[n], u, name);
            }
            snprintf(name, sizeof name, "%s, %s, extents %d...", place_name(where),
                     lattices[i].open ? "open" : "periodic", lattices[i].extents[0]);
            spatial_facts(u, links, name);
            identity_facts(u, links, name);
            version_facts(u, name);
            degenerate_facts(l, where, name);
            if (i == 0)
                same_on_grids(where, (const int[]){ 4, 4, 4, 8 }, digest_all, "links, action and force");
            memory_free(links);
            memory_free(all);
            gauge_free(u);
        }
        lattice_free(l);
    }
    return facts_end();
}
