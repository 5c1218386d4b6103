/* dwf_embed.h - conversions between spinors in four dimensions and domain-wall quarks, for the exact one-flavor action
 * and for measurements.
 *
 * A spinor in four dimensions has one slice.  Chirality 0 is P+ (spins 0, 1), whose modes are on the last slice;
 * chirality 1 is P-, whose modes are on the first slice. */
#ifndef KILN_OPERATORS_DWF_EMBED_H
#define KILN_OPERATORS_DWF_EMBED_H

#include "src/lattice/vec.h"

/* One chirality of `four` on all slices:
 *     chirality 0:  five_s <- (-ratio)^s P+ four;   chirality 1:  five_s <- (-ratio)^(Ls-1-s) P- four
 * The factor is 1 at the wall where the other chirality has its modes. */
void dwf_embed(vec *five, int chirality, double ratio, const vec *four);

/* The same chirality at its wall: four <- P+ five_(Ls-1), or P- five_0 */
void dwf_at_wall(vec *four, int chirality, const vec *five);

/* Quarks in four dimensions at the walls: five_0 <- P+ four, five_(Ls-1) <- P- four, else 0;
 * four <- P+ five_(Ls-1) + P- five_0;  in the middle, for even Ls: four <- P+ five_(Ls/2-1) + P- five_(Ls/2) */
void dwf_source(vec *five, const vec *four);
void dwf_quark(vec *four, const vec *five);
void dwf_midpoint(vec *four, const vec *five);

/* One chirality, or both (BOTH_CHIRALITIES), of `four` on one slice: five_slice <- P four, else 0; `five` may have one
 * slice */
enum { BOTH_CHIRALITIES = 2 };
void dwf_set_slice(vec *five, int slice, int chirality, const vec *four);

/* out_s <- gamma5 in_(Ls-1-s) */
void dwf_reflect(vec *out, const vec *in);

#endif
