/* new_volume.c - extents that Kiln can run, and whether hadrons fit into them. */
#include "src/cli/new/new_volume.h"

#include "src/lattice/grid.h"

#include <math.h>

#define HBAR_C 197.327             /* MeV fm */
#define BOX_USUAL 2.0              /* fm, of a suggestion */

static int smallest_spatial(const int extents[4])
{
    int least = extents[0];
    for (int mu = 1; mu < 3; mu++)
        least = extents[mu] < least ? extents[mu] : least;
    return least;
}

double volume_box(const int extents[4], const bare_parameters *b)
{
    return smallest_spatial(extents) * b->at.spacing;
}

double volume_extent(double pion)
{
    return PION_L_LEAST * HBAR_C / pion;
}

double volume_lightest_pion(const int extents[4], const bare_parameters *b)
{
    return PION_L_LEAST * HBAR_C / volume_box(extents, b);
}

double volume_pion_l(const int extents[4], const bare_parameters *b)
{
    return volume_box(extents, b) * b->pion / HBAR_C;
}

int volume_time_extent(const bare_parameters *b, int L)
{
    const double xi = bare_parameters_anisotropy(b);
    return xi > 1 ? 8 * (int)ceil(2 * xi * L / 8) : 2 * L;
}

bool volume_suggest(int extents[4], const bare_parameters *b, double size, failure *f)
{
    if (isnan(b->at.spacing))
        return fail(f, "the lattice spacing at beta %g is not known: give the extents (--lattice X,Y,Z,T)", b->at.beta);
    const double box = !isnan(size) ? size : isnan(b->pion) ? BOX_USUAL : fmax(BOX_USUAL, volume_extent(b->pion));
    const double sites = box / b->at.spacing - 1e-9;
    if (!(sites < EXTENT_ABSURD))
        return fail(f, "%g fm at a spacing of %g fm are %.3g sites in each direction", box, b->at.spacing, sites);
    const int unit = sites > 8 ? 8 : 2, L = unit * (int)ceil(sites / unit);
    for (int mu = 0; mu < 3; mu++)
        extents[mu] = L;
    extents[3] = volume_time_extent(b, L);
    return true;
}

bool volume_check(const int extents[4], int64_t ranks, const family *of, failure *f)
{
    static const char axes[] = "xyzt";
    for (int mu = 0; mu < 4; mu++) {
        if (extents[mu] < 2 || extents[mu] > EXTENT_MOST)
            return fail(f, "lattice %s: the extent in %c is outside the range from 2 to %d", extents_to_text(extents).s,
                        axes[mu], EXTENT_MOST);
        if (extents[mu] % 2 != 0)
            return fail(f, "lattice %s: the extent in %c is odd, and Kiln divides sites into even and odd ones; "
                           "take %d or %d", extents_to_text(extents).s, axes[mu], extents[mu] - 1, extents[mu] + 1);
    }
    int grid[4];
    return ranks <= 1 || grid_choose(grid, extents, (int)ranks,
                                     of->quarks == QUARKS_STAGGERED ? GRID_HOPS_MOST : GRID_HOPS_LEAST, f);
}

/* The first slice after the source whose PCAC mass has no contact terms, and the same without quarks. */
static int plateau_least(const bare_parameters *b)
{
    return b->family->quarks == QUARKS_NONE ? 1 : PLATEAU_SOURCE + 2;
}

int volume_open_least(const bare_parameters *b)
{
    return 2 * plateau_least(b) > 4 ? 2 * plateau_least(b) : 4;
}

/* In slices; infinite if the spacing is not known. */
static double plateau_distance(const bare_parameters *b)
{
    return isnan(b->at.spacing) ? INFINITY : PLATEAU_DISTANCE * bare_parameters_anisotropy(b) / b->at.spacing;
}

void volume_plateau(int *first, int *last, const int extents[4], const bare_parameters *b)
{
    const int T = extents[3];
    const double begin = fmin(ceil(plateau_distance(b)), floor(T / 3.));
    *first = (int)fmax(begin, plateau_least(b));
    *last = T - 1 - *first > *first ? T - 1 - *first : *first;
}

static void warn_open(text *warnings, const int extents[4], const bare_parameters *b)
{
    int first, last;
    volume_plateau(&first, &last, extents, b);
    if (first < plateau_distance(b) && !isnan(b->at.spacing))
        text_add(warnings, "time slices %d to %d of the plateau are less than %g fm from the open boundaries, whose "
                           "effects they may have\n", first, last, PLATEAU_DISTANCE);
}

void volume_warn(text *warnings, const int extents[4], const bare_parameters *b)
{
    const double a = b->at.spacing, box = volume_box(extents, b), pion_l = volume_pion_l(extents, b);
    const double duration = extents[3] * a / bare_parameters_anisotropy(b), temperature = HBAR_C / duration;
    const bool quenched = b->family->quarks == QUARKS_NONE;
    if (pion_l < PION_L_LEAST)
        text_add(warnings, "m_pi L = %.2f is below %g: the volume changes masses and decay constants; L = %.0f would "
                           "have %g\n", pion_l, PION_L_LEAST,
                 2 * ceil(PION_L_LEAST * HBAR_C / (b->pion * a) / 2), PION_L_LEAST);
    if (box < BOX_LEAST)
        text_add(warnings, "the box of %.2f fm is smaller than %g fm, too small for hadrons\n", box, BOX_LEAST);
    if (b->open_in_time)
        warn_open(warnings, extents, b);
    else if (temperature > (quenched ? TRANSITION_QUENCHED : TRANSITION))
        text_add(warnings, "the extent of %.2f fm in t is a temperature of %.0f MeV, above the transition: quarks are "
                           "not confined\n", duration, temperature);
    if (a < FROZEN_SPACING && !b->open_in_time)
        text_add(warnings, "at a = %.3f fm on a torus the topological charge hardly changes: expect autocorrelation "
                           "times of hundreds of trajectories and more\n", a);
}
