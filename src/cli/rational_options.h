/* rational_options.h - the options of kiln rational: determinants of quarks, split into pseudofermions. */
#ifndef KILN_CLI_RATIONAL_OPTIONS_H
#define KILN_CLI_RATIONAL_OPTIONS_H

#include "actions/staggered_params.h"
#include "src/options/options.h"

enum { RATIONAL_DETERMINANTS = 32, RATIONAL_MASSES = 15 };

typedef struct {
    int quarks, masses, fields;                                   /* how many of each were given */
    quark_params quark[RATIONAL_MASSES];
    hasenbusch_params mass[RATIONAL_MASSES];
    int field[RATIONAL_MASSES + 1];                               /* equal pseudofermions of each factor */
    const char *naik_epsilon;                                     /* NULL: not given */
} determinant_option;

typedef struct {
    int count;
    determinant_option item[RATIONAL_DETERMINANTS];
    determinant_params params[RATIONAL_DETERMINANTS];
} determinant_options;

/* For OPTION_READS on determinant_options: --quarks begins a determinant, the other options belong to the last one. */
bool rational_read_quarks(const char *s, void *value, failure *f);
bool rational_read_hasenbusch(const char *s, void *value, failure *f);
bool rational_read_fields(const char *s, void *value, failure *f);
bool rational_read_epsilon(const char *s, void *value, failure *f);

/* The determinants as the monomial `staggered` has them in an input; they borrow from `all`.  False where there are
 * more numbers of --fields than factors. */
bool rational_options_determinants(param_list *determinants, determinant_options *all, failure *f);

#endif
