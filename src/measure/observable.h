/* observable.h - observables of a gauge field, by name.
 *
 * An observable is a few named numbers; each has a function and a line of the table in observable.c. */
#ifndef KILN_MEASURE_OBSERVABLE_H
#define KILN_MEASURE_OBSERVABLE_H

#include "src/base/json.h"
#include "src/gauge/gauge.h"

enum { OBSERVABLE_VALUES = 8 };

/* Flags of an observable.  With open boundaries in time: OVER_SLICES is a mean or sum over all time slices, so it has
 * boundary effects; LINE is a line in t, which is 0; others are means of active loops or links.  ISOTROPIC: adds planes
 * in space and planes with t with the same weight. */
enum { OBSERVABLE_OVER_SLICES = 1, OBSERVABLE_LINE = 2, OBSERVABLE_ISOTROPIC = 4 };
#define OBSERVABLES_OVER_SLICES "energy and charge average over time slices"
#define OBSERVABLES_ISOTROPIC "energy adds planes in space and with t as on an isotropic lattice"

typedef struct {
    const char *name, *doc;
    const char *const *labels;          /* of its numbers, NULL at the end; NULL: one number without a label */
    void (*measure)(const gauge *u, double *values);
    int flags;
} observable;

extern const observable observables[];      /* ends with { 0 } */

/* The observables named in "plaquette,polyakov", in the order of the table; all for NULL.  False with
 * a suggestion if a name is unknown. */
typedef struct { bool wanted[32]; } observable_set;
bool observables_select(observable_set *set, const char *names, failure *f);

/* Whether one of the set has the flag. */
bool observables_have(const observable_set *set, int flag);

/* Measure and append `"name": number` or `"name": { "label": number, ... }` */
void observables_to_json(json *j, const observable_set *set, const gauge *u);

/* Measure and append a readable line for each. */
void observables_to_text(text *out, const observable_set *set, const gauge *u);

#endif
