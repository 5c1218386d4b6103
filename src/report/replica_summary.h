/* replica_summary.h - swaps of parallel tempering in a record (src/hmc/tempering.h): the acceptance of each pair of
 * neighbors, and round trips.
 *
 * A round trip takes links from the first replica to the last and back. */
#ifndef KILN_REPORT_REPLICA_SUMMARY_H
#define KILN_REPORT_REPLICA_SUMMARY_H

#include "src/base/json.h"
#include "src/ensemble/segments.h"
#include "src/hmc/tempering_params.h"
#include "src/report/run_history.h"

/* replicas: 0 without tempering.  tried, accepted: swaps of replicas r and r+1.  updates, updated: of a replica, all
 * and those that were accepted. */
typedef struct {
    int replicas;
    int64_t tried[REPLICAS_MAX], accepted[REPLICAS_MAX], round_trips, updates[REPLICAS_MAX], updated[REPLICAS_MAX];
} replica_summary;

/* Over the trajectories from number `from` on, which must all have the replicas of the newest one.  Where a segment
 * with other parameters begins (segments_change_at), all links are copies of the first replica: no trip goes over
 * it. */
replica_summary replica_summary_make(const run_history *h, const segments *s, int64_t from);

/* "10, swaps accepted by pair: 0.35 0.39 ...; 2 round trips; updates accepted: 0.71 at least (replica 9)", the last
 * part if updates were rejected. */
void replica_summary_add(text *words, const replica_summary *s);
void replica_summary_to_json(const replica_summary *s, json *j);    /* member "tempering"; nothing without tempering */

#endif
