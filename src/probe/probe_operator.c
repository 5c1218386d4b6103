/* probe_operator.c - the staggered Dirac operator of a command line. */
#include "src/probe/probe_operator.h"

#include <string.h>

static bool read_epsilon(double *epsilon, const operator_choice *c, failure *f)
{
    *epsilon = 0;
    if (!c->naik_epsilon)
        return true;
    if (c->kind != STAGGERED_HISQ)
        return fail(f, "--naik-epsilon is for --operator hisq");
    if (strcmp(c->naik_epsilon, "auto") == 0 && isnan(c->mass))
        return fail(f, "--naik-epsilon auto computes epsilon from the mass: --mass M is missing");
    return naik_epsilon_read(epsilon, c->naik_epsilon, c->mass)
           || fail(f, "--naik-epsilon: \"%s\" is neither auto nor a number between -10 and 10", c->naik_epsilon);
}

bool operator_choice_links(staggered_links_params *links, const operator_choice *c, failure *f)
{
    if (c->kind < 0)
        return fail(f, "--operator OP is missing");
    *links = (staggered_links_params){ .kind = (staggered_kind)c->kind, .u0 = c->u0, .boundary = c->boundary,
                                       .projection = (projection_group)c->projection, .epsilons = 1 };
    if (c->kind != STAGGERED_ASQTAD && c->u0 != 1)
        return fail(f, "--u0 is for --operator asqtad");
    if (c->kind != STAGGERED_HISQ && c->projection != PROJECTION_U3)
        return fail(f, "--projection is for --operator hisq");
    return read_epsilon(&links->epsilon[0], c, f);
}

staggered_links *operator_links(const staggered_links_params *params, const gauge *u)
{
    staggered_links *s = staggered_links_create(params, u);
    staggered_links_update(s, u);
    return s;
}

void operator_to_json(json *j, const staggered_links_params *links, double mass)
{
    json_text(j, "operator", staggered_kind_names[links->kind]);
    if (links->kind == STAGGERED_HISQ) {
        json_real(j, "naik_epsilon", links->epsilon[0]);
        json_text(j, "projection", projection_names[links->projection]);
    }
    if (links->kind == STAGGERED_ASQTAD)
        json_real(j, "u0", links->u0);
    json_real(j, "boundary", links->boundary);
    if (!isnan(mass))
        json_real(j, "mass", mass);
}

void operator_apply(vec *out, vec *hop, const staggered_links *s, double mass, bool dagger, const vec *in)
{
    double sign = dagger ? -1 : 1;                  /* D is antihermitian */
    staggered_hop(hop, s, 0, in);
    vec_combine(out, 2 * mass, in, &sign, &hop, 1);
}
