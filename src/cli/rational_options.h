/* rational_options.h - the options of kiln rational: determinants of quarks, cut into pseudofermions. */
#ifndef KILN_CLI_RATIONAL_OPTIONS_H
#define KILN_CLI_RATIONAL_OPTIONS_H

#include "src/cli/options.h"
#include "src/rational/rational.h"

enum { RATIONAL_DETERMINANTS = 32, RATIONAL_MASSES = 15 };

typedef struct {
    int quarks, masses, fields;                                   /* how many of each were given */
    mass_flavors quark[RATIONAL_MASSES];
    double mass[RATIONAL_MASSES];                                 /* Hasenbusch's, ascending */
    int field[RATIONAL_MASSES + 1];                               /* equal pseudofermions of each factor */
    double naik_epsilon;
} determinant;

typedef struct { int count; determinant item[RATIONAL_DETERMINANTS]; } determinants;

/* For OPTION_READS on `determinants`: --quarks begins a determinant, the others are of the latest one. */
bool rational_read_quarks(const char *s, void *value, failure *f);
bool rational_read_hasenbusch(const char *s, void *value, failure *f);
bool rational_read_fields(const char *s, void *value, failure *f);
bool rational_read_epsilon(const char *s, void *value, failure *f);

/* The factors of a determinant, `masses` + 1 of them: det(quarks) / det(M_1)^N, det(M_1)^N / det(M_2)^N, ..., each with
 * its number of equal fields.  Returns how many quarks factor `index` has. */
int determinant_factor(mass_flavors *factor, int *roots, const determinant *d, int index);

#endif
