/* quark_smearing.c - Gaussian smearing of quarks in space, step by step. */
#include "src/measure/quark_smearing.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/spatial_hop_args.h"
#include "src/lattice/kernels.h"
#include "src/operators/ape.h"
#include "src/operators/stout.h"

#include <assert.h>

MAP_KERNEL(spatial_hop);

enum { NEIGHBORS = 6, STEPS_MAX = 10000, APE_LEVELS_MAX = 1000 };

/* A step has the eigenvalues 1 - 12 w^2/4n to 1; beyond this share of a neighbor it amplifies the shortest waves. */
#define SHARE_MAX (1.0 / NEIGHBORS)

struct quark_smearing {
    const quark_smearing_params *params;
    gauge *ape, *ape_scratch;               /* NULL: not by APE */
    stout *stout;                           /* NULL: not stout */
    const gauge *links;                     /* borrowed; NULL: none yet */
    spinor_field scratch;
};

static double share_of(const quark_smearing_params *p)
{
    return p->width * p->width / (4 * (double)p->steps);
}

static stout_params stout_of(const quark_smearing_params *p)
{
    return (stout_params){ .levels = p->links == SMEARING_STOUT ? p->levels : 0, .rho = p->rho, .spatial_only = true };
}

static bool check_links(const quark_smearing_params *p, const char *name, failure *f)
{
    if (p->links == SMEARING_THIN)
        return true;
    if (p->levels < 1)
        return fail(f, "%s: smearing: smeared links need levels of at least 1", name);
    if (p->links == SMEARING_STOUT && p->levels > STOUT_LEVELS_MAX)
        return fail(f, "%s: smearing: %d levels of stout smearing, but at most %d are allowed", name, (int)p->levels,
                    STOUT_LEVELS_MAX);
    return p->links == SMEARING_APE || p->rho > 0 || fail(f, "%s: smearing: stout links need rho", name);
}

bool quark_smearing_check(const quark_smearing_params *p, const meson_source_params *sources, const char *name,
                          failure *f)
{
    if (p->steps == 0)
        return (p->width == 0 && p->links == SMEARING_THIN)
               || fail(f, "%s: smearing: steps is 0, so that nothing is smeared: give steps", name);
    if (p->width == 0)
        return fail(f, "%s: smearing: give the width", name);
    if (!(share_of(p) < SHARE_MAX))
        return fail(f, "%s: smearing: width^2 must be below 2/3 of the steps, or the shortest waves grow: for width %g "
                       "use more than %g steps", name, p->width, p->width * p->width / (4 * SHARE_MAX));
    if (!p->source && !p->sink)
        return fail(f, "%s: smearing: neither source nor sink is smeared", name);
    if (p->source && meson_source_needs_gauge(sources))
        return fail(f, "%s: a wall of Coulomb's gauge is not smeared: use another source_type, or smearing with "
                       "source: false", name);
    return check_links(p, name, f);
}

bool quark_smearing_at_source(const quark_smearing_params *p)
{
    return p->steps > 0 && p->source;
}

bool quark_smearing_at_sink(const quark_smearing_params *p)
{
    return p->steps > 0 && p->sink;
}

quark_smearing *quark_smearing_create(const quark_smearing_params *p, const gauge *u)
{
    const field *f = &u->links;
    if (p->steps == 0)
        return NULL;
    quark_smearing *s = memory_alloc(sizeof *s, "smearing of quarks");
    const stout_params of_links = stout_of(p);
    s->params = p;
    if (p->links == SMEARING_APE) {
        s->ape = gauge_create(f->lattice, f->where, f->precision);
        s->ape_scratch = gauge_create(f->lattice, f->where, f->precision);
    }
    s->stout = stout_create(&of_links, u);
    s->scratch = spinor_field_create(u, 1);
    return s;
}

void quark_smearing_free(quark_smearing *s)
{
    if (!s)
        return;
    spinor_field_free(s->scratch);
    stout_free(s->stout);
    if (s->ape) {
        gauge_free(s->ape_scratch);
        gauge_free(s->ape);
    }
    memory_free(s);
}

memory_need quark_smearing_bytes(const quark_smearing_params *p, const lattice_shape *shape)
{
    const stout_params of_links = stout_of(p);
    if (p->steps == 0)
        return (memory_need){ 0 };
    memory_need need = stout_bytes(&of_links, shape, PRECISION_DOUBLE, false);
    need.lasting += 2 * SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    if (p->links == SMEARING_APE)
        need.lasting += 2 * field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS);
    return need;
}

void quark_smearing_update(quark_smearing *s, const gauge *u)
{
    if (!s)
        return;
    s->links = s->ape ? s->ape : stout_links(s->stout, u);
    if (s->ape) {
        gauge_copy(s->ape, u);
        ape_smear(s->ape, s->ape_scratch, &(ape_params){ s->params->levels, s->params->alpha });
    }
}

/* out <- a step on the sites of one parity */
static void step(const quark_smearing *s, vec *out, const vec *here, const vec *in)
{
    const field *f = &out->f;
    const double share = share_of(s->params);
    const spatial_hop_args args = { .l = lattice_on(f->lattice, f->where), .u = gauge_view_of(s->links),
                                    .out = vec_view(out), .here = vec_view(here), .in = vec_view(in),
                                    .rest = 1 - NEIGHBORS * share, .share = share };
    field_exchange(&in->f, GHOSTS_NEAR);
    run_map(&spatial_hop, f->where, f->precision, &args, lattice_range(f->lattice, f->on));
}

static void smear_slice(const quark_smearing *s, spinor_field psi)
{
    spinor_field from = psi, to = s->scratch;
    for (int64_t n = 0; n < s->params->steps; n++) {
        step(s, to.even, from.even, from.odd);
        step(s, to.odd, from.odd, from.even);
        const spinor_field last = from;
        from = to;
        to = last;
    }
    if (from.even != psi.even) {
        vec_copy(psi.even, from.even);
        vec_copy(psi.odd, from.odd);
    }
}

void quark_smearing_apply(quark_smearing *s, spinor_field psi)
{
    if (!s)
        return;
    assert(s->links && psi.even->format == VECTOR_NATIVE);
    gauge_exchange(s->links, GHOSTS_NEAR);
    for (int slice = 0; slice < psi.even->f.slabs / SLAB_GROUP; slice++) {
        vec even = vec_slice(psi.even, slice), odd = vec_slice(psi.odd, slice);
        smear_slice(s, (spinor_field){ &even, &odd });
    }
}

/* ---- input */

static const char *const links_names[] = { "thin", "ape", "stout", NULL };

#define AT(member) offsetof(quark_smearing_params, member)

const param_spec quark_smearing_specs[] = {
    { .key = "steps", .type = PARAM_INT, .offset = AT(steps), .fallback = "0", .min = 0, .max = STEPS_MAX,
      .doc = "number n of steps 1 + (w^2 / 4n) Laplace; 0: no smearing" },
    { .key = "width", .type = PARAM_REAL, .offset = AT(width), .fallback = "0", .min = 0, .max = 1000,
      .doc = "width w in lattice units, exp(-|x|^2 / w^2); must be given if `steps` is; w^2 must be below 2n/3" },
    { .key = "source", .type = PARAM_BOOL, .offset = AT(source), .fallback = "true",
      .doc = "smear the source, for all results of its columns" },
    { .key = "sink", .type = PARAM_BOOL, .offset = AT(sink), .fallback = "true",
      .doc = "measure correlators with smeared sinks besides those with local sinks" },
    { .key = "links", .type = PARAM_CHOICE, .offset = AT(links), .fallback = "thin", .choices = links_names,
      .doc = "links of the Laplace operator: those of the configuration, or with APE or stout smearing in space" },
    { .key = "levels", .type = PARAM_INT, .offset = AT(levels), .fallback = "0", .min = 0, .max = APE_LEVELS_MAX,
      .choice = "links", .chosen = "ape stout", .doc = "number of times the links are smeared" },
    { .key = "alpha", .type = PARAM_REAL, .offset = AT(alpha), .fallback = "0.5", .min = 0, .max = 1,
      .choice = "links", .chosen = "ape", .doc = "share alpha of the staples in a level of APE smearing" },
    { .key = "rho", .type = PARAM_REAL, .offset = AT(rho), .fallback = "0", .min = 0, .max = 10, .choice = "links",
      .chosen = "stout", .doc = "weight of the staples in a level of stout smearing; must be given" },
    { 0 }
};
