/* new_volume.h - the lattice of a new ensemble: what cannot work, what is risky, and a suggestion. */
#ifndef KILN_CLI_NEW_NEW_VOLUME_H
#define KILN_CLI_NEW_NEW_VOLUME_H

#include "src/literature/bare_choice.h"

#include <stdint.h>

/* Bounds of the warnings. */
#define PION_L_LEAST 4.0           /* m_pi L: effects of the volume on masses and decay constants are below a percent */
#define BOX_LEAST 1.5              /* fm */
#define TRANSITION 155.0           /* MeV, temperature of the transition with light quarks */
#define TRANSITION_QUENCHED 295.0  /* MeV: T_c r0 = 0.75 without quarks, r0 = 0.5 fm */
#define PLATEAU_DISTANCE 1.5       /* fm: of a plateau from open boundaries, a first guess */
#define FROZEN_SPACING 0.05        /* fm: below it the topological charge hardly changes on a torus */

enum { EXTENT_MOST = 1024, EXTENT_ABSURD = 100000000 };

/* The spatial extent in fm with m_pi L = PION_L_LEAST, and the pion mass in MeV that has it on a lattice. */
double volume_extent(double pion);
double volume_lightest_pion(const int extents[4], const bare_parameters *b);

/* The extent in t of a lattice with the spatial extent L: 2L; on anisotropic lattices as long, a multiple of 8. */
int volume_time_extent(const bare_parameters *b, int L);

/* L^3 x volume_time_extent with spatial extent `size` in fm (NAN: m_pi L >= PION_L_LEAST, and at least 2 fm), L a
 * multiple of 8 above 8, otherwise even.  False with the reason if that needs a spacing that is not known.  The lattice
 * may be too large: limits_allow. */
bool volume_suggest(int extents[4], const bare_parameters *b, double size, failure *f);

/* False with the reason for extents that are odd or out of range, or that `ranks` ranks cannot divide. */
bool volume_check(const int extents[4], int64_t ranks, const family *of, failure *f);

/* Open boundaries in time: the smallest extent in t, and the time slices of the plateau, which are PLATEAU_DISTANCE
 * from both boundaries, or a third of the extent; with quarks, also behind a source in slice PLATEAU_SOURCE. */
enum { PLATEAU_SOURCE = 1 };
int volume_open_least(const bare_parameters *b);
void volume_plateau(int *first, int *last, const int extents[4], const bare_parameters *b);

/* Append what is risky, a sentence a line. */
void volume_warn(text *warnings, const int extents[4], const bare_parameters *b);

/* m_pi L, and the spatial extent in fm (the smallest one); NAN if not known. */
double volume_pion_l(const int extents[4], const bare_parameters *b);
double volume_box(const int extents[4], const bare_parameters *b);

#endif
