/* tempering_inside.h - the struct tempering, for the files that are its parts. */
#ifndef KILN_HMC_TEMPERING_INSIDE_H
#define KILN_HMC_TEMPERING_INSIDE_H

#include "src/gauge/defect_loops.h"
#include "src/hmc/pure_gauge.h"
#include "src/hmc/replica_memory.h"
#include "src/hmc/tempering_handle.h"

typedef struct {
    int number;                        /* of the links: the replica that they began in */
    int seat;                          /* where they are (replica_groups.h) */
    defect_box box;                    /* belongs to the links, too */
    defect_sums loops;                 /* of the links at the box; valid in swaps only */
    double factor;                     /* c_r; this and all members below belong to the replica, not to its links */
    replica_update update;
    double plaquette;                  /* after the update */
    bool tried, swapped;               /* with the next replica, in the last trajectory */
    double ds;
} replica_numbers;

struct tempering {
    const run_params *params;
    hmc_term_list *terms;
    pure_gauge *sweeps;
    replica_memory *memory;            /* of the terms; goes with the links */
    bool quarks;                       /* there are terms beside gauge actions */
    gauge *spare;                      /* for weighted links, and for swaps */
    bool known;                        /* the links of replicas from 1 on are part of a state */
    int count;
    gauge *links[REPLICAS_MAX];        /* by seat; NULL: of another group, or the links of the run */
    replica_numbers replica[REPLICAS_MAX];
};

/* Every replica has its first links, in their first place. */
void tempering_number(tempering *t);

/* The links of a replica of this group; `u` are those of the run. */
gauge *tempering_links_of(const tempering *t, int replica, gauge *u);

/* The gauge actions get this defect. */
void tempering_set_defect(tempering *t, const link_defect *d);

#endif
