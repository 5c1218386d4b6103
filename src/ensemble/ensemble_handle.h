/* ensemble_handle.h - the type of an open ensemble (ensemble.h); ensemble_inside.h has its members. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_HANDLE_H
#define KILN_ENSEMBLE_ENSEMBLE_HANDLE_H

typedef struct ensemble ensemble;

#endif
