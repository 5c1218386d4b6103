/* line_series.h - a file with one JSON object per line (run.jsonl, results of kiln measure) as arrays over its lines.
 *
 * A number, truth value or text at "measurements": {"flow": {"charge": 1.5}} becomes the array
 * "measurements/flow/charge"[line]; a list of numbers, such as a correlator, becomes an array [line][index].  Objects
 * in a list have their number in the name: "masses/0/pion".  Results of a measurement with one name but different
 * "settings" are different quantities; they become separate arrays "measurements/flow@0x.../charge".  A value that is
 * missing in a line is NaN in reals and empty in texts; shorter lists are filled with NaN.  A list of objects that is
 * empty in some lines, such as the swaps of tempering, has only the arrays of its objects. */
#ifndef KILN_PUBLISH_LINE_SERIES_H
#define KILN_PUBLISH_LINE_SERIES_H

#include "src/base/error.h"
#include "src/measure/result_member.h"
#include "src/publish/line_filter.h"

#include <stddef.h>
#include <stdint.h>

typedef enum { SERIES_INTEGER, SERIES_REAL, SERIES_TEXT } series_type;

typedef struct {
    char *name;
    series_type type;            /* SERIES_INTEGER: all lines have it, all values are integers or truth values (0, 1) */
    bool is_list;
    size_t width;                /* the longest list; bytes of the longest text; else 1 */
    double *real;                /* [line][width], also of integers */
    int64_t *integer;            /* SERIES_INTEGER */
    char *text;                  /* SERIES_TEXT: [line][width], filled up with zeros */
    size_t seen;                 /* lines that have it */
    bool valued;                 /* a line has a value that is neither null nor an empty list */
    const result_member *member; /* declaration of a measured result; else NULL */
    bool anisotropic;            /* such a result of an anisotropic lattice (result_unit.h) */
} series;

typedef struct {
    size_t lines;                /* that are used */
    line_filter filter;          /* what it left out */
    bool several;                /* a measurement has results with different settings */
    bool torn;                   /* an incomplete last line was left out */
    int count, capacity;
    series *item;
} line_series;

/* Read all lines; members of a line (not of objects in it) that are named in `without` (NULL at the end) are left out.
 * `rules`: of a record, whose means leave out the same lines; NULL for other files.  False with the reason.  Release in
 * either case. */
bool line_series_read(line_series *all, const char *path, const char *const *without, const continuity_rules *rules,
                      failure *f);
void line_series_free(line_series *all);

#endif
