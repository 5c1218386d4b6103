/* result_member.h - the numbers in the results of a measurement, each declared once.
 *
 * A kind of measurement has a table of its results.  This table gives the headlines of kiln status, the derived
 * quantities and figures of kiln status and the report, the units, shapes and definitions in files of kiln export, and
 * the tables of docs/observables.md.  A test compares the table with the output of `run`. */
#ifndef KILN_MEASURE_RESULT_MEMBER_H
#define KILN_MEASURE_RESULT_MEMBER_H

#include "src/base/json.h"
#include "src/base/json_read.h"
#include "src/measure/curve_scale.h"

/* ---- a curve: the member is a list y, as is the member `x` of the same result */

/* s0^power[0] s1^power[1] of the first two scales of a curve. */
typedef struct { const char *key; double power[2]; } scale_product;

/* The value `key` of a curve at the scale `scale` of an earlier curve. */
typedef struct { const char *key, *scale; } curve_value_at;

/* `scales` (ends with { 0 }, or NULL) are read off the mean of y(x) over an ensemble.  They are not averaged over
 * configurations: a mean over the configurations that reach the level would be biased.  `range`: the parameter that
 * limits x; `limit`: the largest x for the extent of a lattice, as text and as a number. */
typedef struct {
    const char *x, *range, *limit;
    double (*limit_of)(double extent);
    const curve_scale *scales;
    const scale_product *product;       /* NULL: none */
    const curve_value_at *at;           /* NULL: none */
} measured_curve;

/* ---- moments: the member is a number y, or a curve with a value `at` a scale, which then is y */

/* A function of <y> and <y^2> over the ensemble, which also sets its derivatives by both.  `extents` of the lattice are
 * in sites; xi = a_s/a_t is that of the result (result_unit.h).  With `square`, <y^2> is the mean of this member of the
 * same object instead.  The report draws the histogram of y. */
typedef double function_of_moments(double slope[2], const double mean[2], const int *extents, double xi);
typedef struct { const char *key, *unit; function_of_moments *of; const char *square; } measured_moments;

/* ---- a table: the member is a list of rows, or a list of numbers, which is a table of one column */

/* Numbers that are functions f_k of the mean of a table over an ensemble, such as the static potential of Wilson loops:
 * for each a key, its value, and df_k / d(mean of the table).  At most one `point` for each row (the report draws f(x))
 * and TABLE_OTHERS others.  `settings` are further numbers of a result; those of the newest result count.  The
 * listener is called once for each number; pointers in a number are valid only during this call. */
enum { TABLE_SETTINGS = 3, TABLE_OTHERS = 4 };
/* The fit c[0] + c[1] x + c[2]/x to points of the figure that gives a number; from = to: none. */
typedef struct { double from, to, c[3]; } table_fit;
/* mean[row columns + column]; extent: the smallest in space, 0: unknown */
typedef struct { int rows, columns, extent; const double *mean, *setting; } table_mean;
typedef struct {
    const char *key;
    double value;
    const double *gradient;
    bool point;
    double x;
    const char *why, *unit;             /* unit: as of a result_member */
    table_fit fit;
} table_number;                       /* without a value: NaN, no gradient, and why */
typedef void table_listener(void *out, const table_number *n);
typedef struct measured_table measured_table;
struct measured_table {
    const char *title, *x_label, *y_label;                      /* of the figure; units as in result_unit.h */
    const char *name;                                           /* of its points in a figure */
    const char *prefix;                                         /* for `report_numbers`: of their keys */
    int vector[3];                                              /* for `report_numbers`: from one row to the next */
    int step;                                                   /* for `report_numbers`: of times */
    /* The headline `key` of the same item is a mass of the same state, from times in this range; key NULL: none. */
    struct { const char *key; void (*range)(double *from, double *to, int rows); } plateau;
    bool many;                  /* many numbers: only in the figure, if their errors are smaller than their values, and
                                 * in `kiln status --json`, not in other lists */
    void (*read_settings)(double setting[TABLE_SETTINGS], yyjson_val *result);          /* NULL: none */
    void (*report_numbers)(const measured_table *of, const table_mean *t, table_listener *emit, void *out);
};

/* ---- members */

typedef struct {
    const char *key;                    /* a dot separates names of nested members: "along.t" */
    const char *unit;                   /* a power of the lattice spacing, as in result_unit.h; NULL: none */
    const char *shape;                  /* of a list: what its indices count, "[t]"; NULL: it is a number or a text */
    const char *doc;                    /* its definition, in Markdown */
    bool headline;                      /* kiln status shows it, if a result has it */
    bool vanishes;                      /* its mean over an ensemble in equilibrium is 0; else kiln status warns */
    bool at_end;                        /* a number with moments: the value at the end of the curves of this result */
    const measured_curve *curve;        /* NULL: none; also below */
    const measured_moments *moments;
    const measured_table *table;
    const char *first;                  /* of a table: the name of its first number, which kiln measure prints */
    const char *plane;                  /* the member x; the report draws a point (x, y) for each configuration */
} result_member;

/* A row: key, unit, shape, doc, and further members by name. */
#define MEMBER(k, u, s, d, ...) { .key = k, .unit = u, .shape = s, .doc = d, __VA_ARGS__ }

/* Members of the result, or of each item of its list `list`.  label: the keys, separated by spaces, whose numbers
 * distinguish items.  A key in brackets, "[mu]", counts only for items that the others do not distinguish; a key with
 * "=", "naik_epsilon=", is shown with its name.  page: the section of docs/observables.md with their table; NULL: the
 * section of the previous group; "": no table. */
typedef struct { const char *page, *list, *label; const result_member *members; } result_group;

/* The member of results that has the path "masses.0.condensate"; NULL if there is none. */
const result_member *result_member_find(const result_group *results, const char *path);

/* Append all members of results to the open list of `j`, as objects with list, member, unit (of isotropic lattices),
 * shape, definition: texts, or null where there is none. */
void result_members_to_json(json *j, const result_group *results);

#endif
