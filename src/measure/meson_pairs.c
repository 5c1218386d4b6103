/* meson_pairs.c - the list "pairs" of a measurement of quarks. */
#include "src/measure/meson_pairs.h"

const param_spec meson_pair_specs[] = {
    { .key = "quark", .type = PARAM_INT, .offset = offsetof(meson_pair, quark), .min = 0, .max = 15,
      .doc = "number of its mass in the list of masses, counted from 0" },
    { .key = "antiquark", .type = PARAM_INT, .offset = offsetof(meson_pair, antiquark), .min = 0, .max = 15,
      .doc = "the same of the antiquark" },
    { 0 }
};

const meson_pair *meson_pair_at(const param_list *pairs, int index)
{
    return (const meson_pair *)pairs->item + index;
}

static bool are_same(const meson_pair *a, const meson_pair *b)
{
    return (a->quark == b->quark && a->antiquark == b->antiquark)
           || (a->quark == b->antiquark && a->antiquark == b->quark);
}

bool meson_pairs_check(const param_list *pairs, int masses, const char *name, failure *f)
{
    if (pairs->count > MESON_PAIRS_MAX)
        return fail(f, "%s: %d pairs, but at most %d are allowed", name, pairs->count, MESON_PAIRS_MAX);
    for (int i = 0; i < pairs->count; i++) {
        const meson_pair *one = meson_pair_at(pairs, i);
        const int64_t last = one->quark > one->antiquark ? one->quark : one->antiquark;
        if (last >= masses)
            return fail(f, "%s: pairs.%d: there is no mass number %lld; the last of the list of masses is %d", name, i,
                        (long long)last, masses - 1);
        if (one->quark == one->antiquark)
            return fail(f, "%s: pairs.%d: both quarks are mass number %lld: the mesons of one mass need no pair", name,
                        i, (long long)one->quark);
        for (int k = 0; k < i; k++)
            if (are_same(one, meson_pair_at(pairs, k)))
                return fail(f, "%s: pairs.%d: has the same quarks as pairs.%d, and the same correlators", name, i, k);
    }
    return true;
}

bool meson_pairs_have(const param_list *pairs, int mass)
{
    for (int i = 0; i < pairs->count; i++)
        if (meson_pair_at(pairs, i)->quark == mass || meson_pair_at(pairs, i)->antiquark == mass)
            return true;
    return false;
}

void meson_pair_to_json(json *j, const meson_pair *pair)
{
    json_int(j, "quark", pair->quark);
    json_int(j, "antiquark", pair->antiquark);
}
