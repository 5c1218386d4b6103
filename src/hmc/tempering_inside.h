/* tempering_inside.h - the struct tempering, for the files that are its parts. */
#ifndef KILN_HMC_TEMPERING_INSIDE_H
#define KILN_HMC_TEMPERING_INSIDE_H

#include "src/gauge/defect_loops.h"
#include "src/hmc/pure_gauge.h"
#include "src/hmc/replica_memory.h"
#include "src/hmc/tempering_handle.h"

typedef struct {
    int number;                        /* the replica in which the current links of this replica began */
    int seat;                          /* the memory of the links (replica_groups.h) */
    defect_box box;                    /* the defect; a swap exchanges it with the links */
    defect_sums loops;                 /* sums of loops of the links at the defect; valid in swaps only */
    double factor;                     /* c_r; a swap does not exchange this and the members below */
    replica_update update;
    double plaquette;                  /* after the update */
    bool tried, swapped;               /* a swap with replica r + 1 in the last trajectory */
    double ds;                         /* dS of this swap */
} replica_numbers;

struct tempering {
    const run_params *params;
    hmc_term_list *terms;
    pure_gauge *sweeps;
    replica_memory *memory;            /* of the terms; a swap exchanges it with the links */
    bool quarks;                       /* there are terms besides gauge actions */
    gauge *spare;                      /* scratch: links with the factor of the defect, or links of another group */
    bool known;                        /* the links of replicas 1, 2, ... are part of a state */
    int count;
    gauge *links[REPLICAS_MAX];        /* by seat; NULL: in another group, or `u` of the run */
    replica_numbers replica[REPLICAS_MAX];
};

/* Reset the replicas to the start of a run: replica r has its own links, in seat r, and the first defect. */
void tempering_number(tempering *t);

/* The links of a replica of this group; `u` are those of the run. */
gauge *tempering_links_of(const tempering *t, int replica, gauge *u);

/* Give this defect to the gauge actions. */
void tempering_set_defect(tempering *t, const link_defect *d);

#endif
