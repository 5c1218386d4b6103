/* run_view.h - all that `kiln status`, `kiln watch` and `kiln report` show of an ensemble. */
#ifndef KILN_REPORT_RUN_VIEW_H
#define KILN_REPORT_RUN_VIEW_H

#include "src/base/json.h"
#include "src/ensemble/stream_fault.h"
#include "src/report/run_warnings.h"

typedef struct {
    const char *directory;         /* borrowed */
    run_history history;
    run_summary summary;
    run_folder folder;
    run_warnings warnings;
    /* Device hours for each unit of molecular dynamics time in accepted trajectories; for each independent
     * configuration: 2 tau of what is slowest.  NaN where that is not known. */
    double hours_per_unit, hours_per_independent;
    /* By the last run_view_check: parameters or record are not what was written. */
    bool faulty;
    stream_fault fault;
} run_view;

/* Begin with { 0 }; a second call reads what is new.  Means are of the trajectories from `from` on; <= 0: all but the
 * thermalization.  A folder with parameters and no record yet is an ensemble without trajectories.  False with the
 * reason where there is none. */
bool run_view_read(run_view *v, const char *directory, int64_t from, failure *f);
/* Hold parameters and record to what kiln audit demands of them, without reading links: it reads the whole record.  A
 * record without any chain cannot be checked. */
void run_view_check(run_view *v);
/* "run.jsonl: line 5: a line that was changed; ...": for the top of a page; "" without a fault. */
text run_view_fault_text(const run_view *v);
/* Only whether a process works there, when the record is as it was. */
void run_view_look_again(run_view *v);
void run_view_free(run_view *v);

/* What `kiln status` prints; the members of the object that `kiln status --json` writes. */
void run_view_print(const run_view *v);
void run_view_to_json(const run_view *v, json *j);

/* The last trajectory of a segment so far, one less than its first if it has none; what segments.jsonl says of why it
 * began, and of what is other than before, a line each ("" for nothing). */
int64_t segment_end(const run_view *v, int index);
typedef struct { text reason, changes; } segment_texts;
segment_texts segment_texts_of(const run_view *v, int index);
void segment_texts_free(segment_texts *w);

/* How many trajectories the ensemble is to have: by its newest line, else by its parameters (hmc.trajectories may
 * change without a new segment); 0 where nothing tells. */
int64_t run_view_target(const run_view *v);
/* "500 of 500", "40, 28 more than the 12 of hmc.trajectories" */
void run_view_add_progress(text *out, const run_view *v);

/* "0.55947 +- 0.00042": digits as the error has them; "0.5 (one value)", "none". */
void run_view_add_estimate(text *out, const correlated_mean *m);
/* The same of a quantity; "none: t_max 5.2 needed" where the mean of a curve does not give one. */
void run_view_add_quantity_estimate(text *out, const quantity *q);
/* How many values are in a mean: "44", "10 of 44" where some are missing. */
void run_view_add_values(text *out, const quantity *q);
/* "4.2 +- 0.9", "> 4.2" where the series is too short to tell, "-" where it has none */
void run_view_add_tau(text *out, const correlated_mean *m);
/* "12.5 s", "3 min 20 s", "2 h 5 min", "3 d 4 h" */
void run_view_add_duration(text *out, double seconds);

#endif
