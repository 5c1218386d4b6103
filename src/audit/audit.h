/* audit.h - check that a folder holds one complete stream: no gap, fork or repeated seed, no unrecorded change.
 *
 * An audit compares (chain.h, segments.h, run_state.h):
 *     segments.jsonl   has the digests of the parameter files, and the first value of the chain;
 *     run.jsonl        line n has the digest of the parameters of n, and the chain of n from that of n - 1;
 *     *.lime           the state n has the same digest and chain, and its plaquette; a configuration names the links
 *                      of the one before it.
 * It reads in this order, and counts all faults; it stores the first 50.  It does not report faults that follow from an
 * earlier one: it compares states only with lines before the first faulty one.  Without parameters it reads nothing
 * else.  It writes nothing. */
#ifndef KILN_AUDIT_AUDIT_H
#define KILN_AUDIT_AUDIT_H

#include "src/audit/audit_inside.h"
#include "src/lattice/lattice.h"

/* Check everything; the links of files are measured at `where`.  With `gaps`, a missing configuration is a note instead
 * of a fault, and the others are checked.  Release with audit_free. */
void audit_stream(audit *a, const char *directory, bool gaps, place where);
void audit_free(audit *a);

/* Only parameters and record, without reading links.  `lines`: all lines of the record, already read; NULL: the audit
 * reads them. */
void audit_tables(audit *a, const char *directory, const record_lines *lines);

/* Whether two streams are independent: different random numbers, no common trajectories.  True for two names of one
 * folder, which are one stream. */
bool audit_pair(stream_fault *fault, const audit *a, const audit *b);
bool audit_same_folder(const audit *a, const audit *b);

#endif
