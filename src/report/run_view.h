/* run_view.h - the data of an ensemble that `kiln status`, `kiln watch` and `kiln report` show. */
#ifndef KILN_REPORT_RUN_VIEW_H
#define KILN_REPORT_RUN_VIEW_H

#include "src/base/json.h"
#include "src/ensemble/stream_fault.h"
#include "src/report/run_warnings.h"

typedef struct {
    const char *directory;         /* borrowed */
    const char *command;           /* of the advice when the folder is no ensemble: "status" */
    run_history history;
    record_lines lines;            /* for run_view_check; empty if run_view_read has read only new lines */
    run_summary summary;
    run_folder folder;
    run_warnings warnings;
    /* Device hours per accepted unit of molecular dynamics time, and per independent configuration (2 tau of the
     * slowest quantity).  NaN if unknown. */
    double hours_per_unit, hours_per_independent;
    /* Result of the last run_view_check: parameters or record were changed after they were written. */
    bool faulty;
    stream_fault fault;
} run_view;

/* Read the ensemble in `directory`; begin with a view of zeros and the `command`.  Further calls read only new lines.
 * Means begin with trajectory `from`; <= 0: after the thermalization.  A folder with parameters and no record is an
 * ensemble without trajectories.  False with the reason if there is no ensemble. */
bool run_view_read(run_view *v, const char *directory, int64_t from, failure *f);
/* Do the checks of kiln audit that need only parameters and record, not the links.  Reads the whole record, unless
 * run_view_read has just done so.  A record without any chain cannot be checked. */
void run_view_check(run_view *v);
/* "run.jsonl: line 5: a changed line; ...": for the top of a page; "" without a fault. */
text run_view_fault_text(const run_view *v);

/* The first trajectory of the means that has the replicas of the newest one: the others have other swaps. */
int64_t run_view_first_of_replicas(const run_view *v);
/* Update only the information whether a process is active in the folder, for an unchanged record. */
void run_view_check_lock(run_view *v);
void run_view_free(run_view *v);

/* Print the page of `kiln status`, with means in the format of run_view_add_concise if `concise` is set; write the
 * members of the object of `kiln status --json`. */
void run_view_print(const run_view *v, bool concise);
void run_view_to_json(const run_view *v, json *j);

/* The last trajectory of a segment so far; without one, the number before the first. */
int64_t segment_end(const run_view *v, int index);
/* The reason of a segment and the changes of its parameters, one per line, from segments.jsonl ("" if none). */
typedef struct { text reason, changes; } segment_texts;
segment_texts segment_texts_of(const run_view *v, int index);
void segment_texts_free(segment_texts *w);

/* The requested number of trajectories: from the newest line of the record, else from the parameters (hmc.trajectories
 * may change without a new segment); 0 if unknown. */
int64_t run_view_target(const run_view *v);
/* The number of trajectories from the start to the last one in the record. */
int64_t run_view_done(const run_view *v);
/* "500 of 500", "40, 28 more than the 12 of hmc.trajectories", "3 of 300 (numbers 1201 to 1203)" */
void run_view_add_progress(text *out, const run_view *v);
/* ", trajectory 4 interrupted at step 12" if the next trajectory has a mid-trajectory checkpoint */
void run_view_add_midtrajectory(text *out, const run_view *v);

/* ", 5 of them without a state (16 to 20), which the next run generates again": a run that was killed, or that could
 * not write a state, leaves lines of the record beyond its newest state. */
void run_view_add_unsaved(text *out, const run_view *v);
/* The number of these lines: 0 while a process is active, and without any state. */
int64_t run_view_unsaved(const run_view *v);

/* "running", "failed" or "idle" */
const char *run_view_state(const run_view *v);
/* How the last process was lost (lost_process.h) or failed (failed_run.h), with `between` between the sentences. */
void run_view_add_last_process(text *out, const run_view *v, const char *between);

/* "2 after kills of the process, which changed no bit; the last one: SIGKILL after trajectory 12, 2026-..."; nothing if
 * there were none.  No warning: a restart repeats every bit. */
void run_view_add_restarts(text *out, const run_view *v);

/* "0.55947 +- 0.00042": as many digits as the error justifies; "(1.2345 +- 0.0067)e-05"; "0.5 (one value)", "none". */
void run_view_add_estimate(text *out, const correlated_mean *m);
/* The same as "0.55947(42)": the error in units of the last digit; with a decimal point in the error: "12.3(1.5)". */
void run_view_add_concise(text *out, const correlated_mean *m);
/* One of these for a quantity; "none: t_max 5.2 needed" if the mean of a curve does not give one. */
typedef void estimate_writer(text *out, const correlated_mean *m);
void run_view_add_quantity_estimate(text *out, const quantity *q, estimate_writer *add);
/* The number of values in a mean: "44", "10 of 44" if some are missing. */
void run_view_add_values(text *out, const quantity *q);
/* "4.2 +- 0.9", "> 4.2" if the series is too short, "-" if there is no tau */
void run_view_add_tau(text *out, const correlated_mean *m);
/* "5.251 +- 0.003 MJ per trajectory"; with " (too short)" or " (short)" behind it for such a series. */
void run_view_add_mean_energy(text *out, const correlated_mean *joules);
/* After the mean energy of a trajectory: ", 0.394 kWh in trajectories"; "... in 30 of 50 trajectories" if the others
 * lack it. */
void run_view_add_energy(text *out, const run_summary *s);
/* "more than 12.3 kJ per independent configuration (2 tau of flow.E)", with this sign for tau; nothing if unknown. */
void run_view_add_independent_energy(text *out, const run_summary *s, const char *tau);
/* "12.5 s", "3 min 20 s", "2 h 5 min", "3 d 4 h" */
void run_view_add_duration(text *out, double seconds);

#endif
