/* tempering_params.c - the table of the input for parallel tempering. */
#include "src/hmc/tempering_params.h"

static const char *const direction_names[] = { "x", "y", "z", "t", NULL };

/* A smaller factor has practically the effect of 0.  Restoring the links from links times a small factor loses
 * digits. */
#define FACTOR_LEAST 1e-3

static const param_spec factor_specs[] = {
    { .key = "c", .type = PARAM_REAL, .offset = offsetof(tempering_factor_params, c), .min = 0, .max = 1,
      .doc = "factor of the links of the defect: 1 periodic, 0 open" },
    { 0 }
};

#define DEFECT(member) (offsetof(tempering_params, defect.member) - offsetof(tempering_params, defect))

static const param_spec defect_specs[] = {
    { .key = "direction", .type = PARAM_CHOICE, .offset = DEFECT(direction), .fallback = "x",
      .choices = direction_names, .doc = "direction of the links that cross the defect" },
    { .key = "size", .type = PARAM_INT, .offset = DEFECT(size), .fallback = "2", .min = 1,
      .max = 1024,
      .doc = "side of the cube of sites, in the slice perpendicular to `direction`" },
    { 0 }
};

/* Without `replicas`, the other keys would have no effect: they are faults. */
#define OF_REPLICAS .choice = "replicas"

const param_spec tempering_specs[] = {
    { .key = "replicas", .type = PARAM_INT, .offset = offsetof(tempering_params, replicas),
      .given = offsetof(tempering_params, replicas_given), .min = 2, .max = REPLICAS_MAX, .flags = PARAM_OPTIONAL,
      .doc = "number of replicas of the gauge field; without it there is no tempering, and no other key of it" },
    { .key = "factors", .type = PARAM_LIST, .offset = offsetof(tempering_params, factors), .fallback = "[]",
      OF_REPLICAS, .group = factor_specs, .element_size = sizeof(tempering_factor_params),
      .doc = "the factor of each replica, from 1 down; without it equal steps from 1 to 0",
      .example = "[ { c: 1 }, { c: 0.6 }, { c: 0.3 }, { c: 0 } ]", .see = "tempering.md#choose-the-factors" },
    { .key = "defect", .type = PARAM_GROUP, .offset = offsetof(tempering_params, defect), .fallback = "{}",
      OF_REPLICAS, .group = defect_specs, .doc = "links with a factor in the loops of the action",
      .example = "{ direction: x, size: 2 }", .see = "tempering.md" },
    { .key = "swap_every", .type = PARAM_INT, .offset = offsetof(tempering_params, swap_every), .fallback = "1",
      OF_REPLICAS, .min = 1, .max = 1000000, .doc = "number of trajectories between two rounds of swaps" },
    { .key = "translate", .type = PARAM_BOOL, .offset = offsetof(tempering_params, translate), .fallback = "true",
      OF_REPLICAS,
      .doc = "move the defect to a random place of the periodic replica after each trajectory, which is a random "
             "translation of its links" },
    { 0 }
};

static const tempering_factor_params *factors_of(const tempering_params *p)
{
    return p->factors.item;
}

double tempering_factor(const tempering_params *p, int replica)
{
    const int last = (int)p->replicas - 1;
    return p->factors.count ? factors_of(p)[replica].c : (double)(last - replica) / last;
}

static bool check_factors(const tempering_params *p, failure *f)
{
    const tempering_factor_params *factor = factors_of(p);
    const int count = p->factors.count;
    if (count == 0)
        return true;
    if (count != p->replicas)
        return fail(f, "factors: a list of %d, but there are %d replicas", count, (int)p->replicas);
    if (factor[0].c != 1)
        return fail(f, "factors: the first is %g, but the first replica is periodic, with the factor 1", factor[0].c);
    for (int r = 1; r < count; r++) {
        if (!(factor[r].c < factor[r - 1].c))
            return fail(f, "factors: %g follows %g, but factors must decrease", factor[r].c, factor[r - 1].c);
        if (factor[r].c > 0 && factor[r].c < FACTOR_LEAST)
            return fail(f, "factors: %g is neither 0 nor at least %g", factor[r].c, FACTOR_LEAST);
    }
    return true;
}

bool tempering_params_check(const tempering_params *p, const int extents[4], failure *f)
{
    const defect_box box = tempering_first_box(p, extents);
    failure why;
    return check_factors(p, f) && (defect_is_possible(&box, extents, &why) || fail(f, "defect: %s", why.why));
}

defect_box tempering_first_box(const tempering_params *p, const int extents[4])
{
    defect_box box = { .direction = p->defect.direction, .size = (int)p->defect.size };
    box.corner[box.direction] = extents[box.direction] - 1;
    return box;
}
