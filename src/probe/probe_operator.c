/* probe_operator.c - the staggered Dirac operator of a command line. */
#include "src/probe/probe_operator.h"

#include <string.h>

static bool read_epsilon(double *epsilon, const operator_choice *c, failure *f)
{
    *epsilon = 0;
    if (!c->naik_epsilon)
        return true;
    if (c->of.action != STAGGERED_HISQ)
        return fail(f, "--naik-epsilon is for --operator hisq");
    if (strcmp(c->naik_epsilon, "auto") == 0 && isnan(c->mass))
        return fail(f, "--naik-epsilon auto computes epsilon from the mass: --mass M is missing");
    return naik_epsilon_read(epsilon, c->naik_epsilon, c->mass)
           || fail(f, "--naik-epsilon: \"%s\" is neither auto nor a number between -10 and 10", c->naik_epsilon);
}

bool operator_choice_links(staggered_links_params *links, const operator_choice *c, failure *f)
{
    staggered_operator_params op;
    double epsilon;
    if (c->of.action < 0)
        return fail(f, "--operator OP is missing");
    if (c->of.action != STAGGERED_ASQTAD && c->of.u0 != 1)
        return fail(f, "--u0 is for --operator asqtad");
    if (c->of.action != STAGGERED_HISQ && c->of.projection != PROJECTION_U3)
        return fail(f, "--projection is for --operator hisq");
    if (!read_epsilon(&epsilon, c, f) || !staggered_parameters.read(&op, &c->of, f))
        return false;
    *links = op.links;
    staggered_links_add_epsilon(links, epsilon);
    return true;
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
