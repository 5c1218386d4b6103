/* meson_pairs.h - the list "pairs" of a measurement of quarks: mesons of two of its masses, such as kaons. */
#ifndef KILN_MEASURE_MESON_PAIRS_H
#define KILN_MEASURE_MESON_PAIRS_H

#include "src/base/json.h"
#include "src/config/schema.h"

enum { MESON_PAIRS_MAX = 32 };

/* Numbers in the list of masses. */
typedef struct { int64_t quark, antiquark; } meson_pair;

extern const param_spec meson_pair_specs[];

/* A row of a table; at(pairs): the offset of a param_list; page: where the documents explain it. */
#define MESON_PAIRS_SPEC(at, page)                                                                                     \
    { .key = "pairs", .type = PARAM_LIST, .offset = at(pairs), .fallback = "[]", .group = meson_pair_specs,            \
      .element_size = sizeof(meson_pair), .doc = "mesons of two masses, such as kaons; those of one mass need no pair",\
      .example = "[ { quark: 0, antiquark: 1 } ]", .see = page }

const meson_pair *meson_pair_at(const param_list *pairs, int index);

/* Whether each pair has two different numbers of `masses` masses, and all pairs are different.  False with the reason,
 * which names the measurement. */
bool meson_pairs_check(const param_list *pairs, int masses, const char *name, failure *f);

/* Whether a pair has this mass. */
bool meson_pairs_have(const param_list *pairs, int mass);

/* "quark", "antiquark" as members of the open object. */
void meson_pair_to_json(json *j, const meson_pair *pair);

#endif
