/* dwf_walls.c - quarks in four dimensions from domain-wall quarks. */
#include "src/measure/dwf_walls.h"

#include "src/operators/dwf_embed.h"

#include <math.h>

/* Tolerance for weights that are symmetric between the walls. */
#define SYMMETRY 1e-12

bool dwf_ward_identity_holds(const dwf_weights *w)
{
    bool same = w->Ls % 2 == 0;
    for (int s = 0; s < w->Ls; s++) {
        const int mirrored = w->Ls - 1 - s;
        same &= fabs(w->b[s] - w->b[mirrored]) <= SYMMETRY * fabs(w->b[s]);
        same &= fabs(w->c[s] - w->c[mirrored]) <= SYMMETRY * fabs(w->c[s]);
    }
    return same;
}

static fifth_table diagonal(const dwf_weights *w, double constant, double of_c)
{
    fifth_table t = fifth_one(w->Ls, 1);
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < w->Ls; s++)
            t.d[c][s] = constant + of_c * w->c[s];
    return t;
}

/* w - c Dw w, Dw = -S/2 + (4 - M5) */
static void set_source(const dirac_operator *d, spinor_field source, const spinor_field scratch[WALLS_FIELDS])
{
    const spinor_field walls = scratch[WALLS_FREE], right = scratch[WALLS_RIGHT], local = scratch[WALLS_PSI];
    const dwf_weights *w = &dwf_operator_params_of(d)->weights;
    const hop_links *links = hop_operator_links(d);
    const fifth_table here = diagonal(w, 1, w->M5 - 4), hop = diagonal(w, 0, 0.5);
    dwf_source(walls.even, source.even);
    dwf_source(walls.odd, source.odd);
    dwf_fifth(local.even, &here, walls.even);
    dwf_fifth(local.odd, &here, walls.odd);
    dwf_hop_with(right.even, links, &(dwf_hop_terms){ .k = &hop, .in = walls.odd, .a = 1, .y = local.even });
    dwf_hop_with(right.odd, links, &(dwf_hop_terms){ .k = &hop, .in = walls.even, .a = 1, .y = local.odd });
}

static void get_quark(const quark_line *line, const dirac_operator *d, spinor_field psi)
{
    dwf_quark(line->quark.even, psi.even);
    dwf_quark(line->quark.odd, psi.odd);
    if (dwf_operator_params_of(d)->weights.Ls % 2 == 0) {
        dwf_midpoint(line->midpoint.even, psi.even);
        dwf_midpoint(line->midpoint.odd, psi.odd);
    }
}

const quark_walls dwf_walls = { set_source, get_quark };
