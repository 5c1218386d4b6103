/* audit.h - whether a folder holds one stream, whole: no gap, fork or repeated seed, no change that nobody wrote down.
 *
 * What is held together (chain.h, segments.h, run_state.h):
 *     segments.jsonl   names the files of parameters, and the value that the chain begins with;
 *     run.jsonl      line n has the digest of the parameters of n, and the chain of n from that of n - 1;
 *     *.lime         the state n has the same digest and chain, and its plaquette; a configuration names the links
 *                    of the one before it.
 * Read in this order, the first thing that does not fit is the fault.  Nothing is written. */
#ifndef KILN_AUDIT_AUDIT_H
#define KILN_AUDIT_AUDIT_H

#include "src/audit/audit_inside.h"
#include "src/lattice/lattice.h"

/* Look at everything; the links of files are measured at `where`.  With `gaps` a configuration that is not there is a
 * note, not a fault: what is left is checked.  Release with audit_free. */
void audit_stream(audit *a, const char *directory, bool gaps, place where);
void audit_free(audit *a);

/* Only parameters and record, without reading links. */
void audit_tables(audit *a, const char *directory);

/* Whether two streams have nothing in common that they should not: the same random numbers, or a past.  True for two
 * names of one folder, which are one stream. */
bool audit_pair(stream_fault *fault, const audit *a, const audit *b);
bool audit_same_folder(const audit *a, const audit *b);

#endif
