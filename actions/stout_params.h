/* stout_params.h - the input of stout links, the same for all quarks: actions and measurements. */
#ifndef KILN_ACTIONS_STOUT_PARAMS_H
#define KILN_ACTIONS_STOUT_PARAMS_H

#include "src/base/json.h"
#include "src/config/schema.h"
#include "src/io/xml_write.h"
#include "src/operators/stout.h"

extern const param_spec stout_specs[];                      /* of a stout_params */

/* A row of a table; at(stout): the offset of a stout_params. */
#define STOUT_SPEC(at)                                                                                                 \
    { .key = "stout", .type = PARAM_GROUP, .offset = at(stout), .fallback = "{}", .group = stout_specs,                \
      .doc = "stout smearing of the links of the Dirac operator, before all else; without it, thin links",             \
      .example = "{ levels: 2, rho: 0.1 }", .see = "physics.md#stout-smearing" }

/* The smearing in parameters with this table, borrowed; NULL: the table has no such key. */
const stout_params *stout_params_in(const param_spec *specs, const void *params);

/* False with the reason unless levels and rho are both 0 or both positive. */
bool stout_params_check(const stout_params *p, failure *f);

bool stout_params_same(const stout_params *a, const stout_params *b);

/* Appends the member "stout" with its members, if there is smearing. */
void stout_params_to_json(json *j, const stout_params *p);

/* "2 levels of stout smearing, rho = 0.1"; nothing without smearing. */
void stout_params_describe(text *out, const stout_params *p);

/* Writes the annotation of an element of QCDml, which has at most one, from `words` (may be NULL) and the smearing. */
void stout_params_annotate(xml_document *x, const char *words, const stout_params *p);

#endif
