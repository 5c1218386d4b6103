/* mean_scale.h - a derived quantity of a run, with its values linearized about the means, by line of the record. */
#ifndef KILN_REPORT_MEAN_SCALE_H
#define KILN_REPORT_MEAN_SCALE_H

#include "src/report/run_history.h"

typedef struct {
    /* Values linearized about the mean, by line of the record; its title is for example "flow.t0".  All NaN if the mean
     * curve has no such number. */
    history_column series;
    double value;
    double x;                      /* of the mean curve at the level, or of a point; NaN without a value, or for
                                    * other numbers */
    const measured_table *table;   /* the point (x, value) of a figure; NULL: no point */
    table_fit fit;                 /* in the figure of the table `curve` */
    const char *unit;              /* as in measure/result_unit.h */
    const char *curve;             /* `name` of its history_curve, the same pointer; NULL: not of a table */
    int64_t used, made;            /* configurations in the mean; all configurations, including failed measurements */
    int64_t shorter;               /* configurations left out because they were measured less far */
    text selection;                /* "those measured up to t = 0.7"; "" if all configurations are used */
    text why;                      /* why there is no value; "" if there is one */
    const char *range;             /* the parameter to raise to `needed_x` (NaN if unknown), for example "t_max"; or
                                    * NULL */
    double needed_x;
} mean_scale;

#endif
