/* new_limits.c - the largest lattice of an action: the number of sites that a process can number, slices included. */
#include "src/cli/new/new_limits.h"

#include "src/cli/new/new_input.h"
#include "src/cli/new/new_volume.h"
#include "src/hmc/run_input.h"

#include <math.h>
#include <string.h>

enum { STEP = 8 };                 /* of extents that are suggested */
#define ROUNDING 1e-3              /* MeV: the suggested pion's lattice is not one step larger */

/* Whether the input passes kiln check; the faults otherwise. */
static bool passes(const int extents[4], const bare_parameters *b, fault_list *faults)
{
    run_input in;
    text yaml = { 0 };
    new_input made = { b, { 0 }, 1, 1, "limits", "kiln new" };
    memcpy(made.extents, extents, sizeof made.extents);
    new_input_add(&yaml, &made);
    const bool ok = run_input_read_text(&in, text_string(&yaml), "the input", NULL, 0, faults);
    run_input_free(&in);
    text_free(&yaml);
    return ok;
}

/* The L of a lattice L^3 x T with this T, rounded down. */
static int extent_of_time(const bare_parameters *b, int T)
{
    return (int)(T / (2 * bare_parameters_anisotropy(b)));
}

int limits_largest(const bare_parameters *b, int extent)
{
    const int longest = extent_of_time(b, EXTENT_MOST);
    const int most = extent > longest ? longest : extent - 1;
    int passing = 0, refused = most / STEP + 1;            /* in steps; what is larger than a refused one is refused */
    while (refused - passing > 1) {
        const int middle = (passing + refused) / 2, L = middle * STEP;
        fault_list faults = { 0 };
        const bool ok = passes((int[4]){ L, L, L, volume_time_extent(b, L) }, b, &faults);
        fault_list_free(&faults);
        passing = ok ? middle : passing;
        refused = ok ? refused : middle;
    }
    return passing * STEP;
}

/* "15.8 fm with m_pi L = 4.00" */
static void add_box(text *t, const int extents[4], const bare_parameters *b)
{
    text_add(t, "%.3g fm", volume_box(extents, b));
    if (!isnan(b->pion))
        text_add(t, ", m_pi L = %.2f", volume_pion_l(extents, b));
}

static const char *shape_name(const bare_parameters *b)
{
    return bare_parameters_anisotropy(b) > 1 ? "L^3 x T" : "L^3 x 2L";
}

static void refuse(const int extents[4], int largest, const bare_parameters *b, bool by_pion, failure *f)
{
    const int possible[4] = { largest, largest, largest, volume_time_extent(b, largest) };
    text t = { 0 };
    if (by_pion)
        text_add(&t, "a pion of %g MeV needs a spatial extent of %.3g fm for m_pi L = %g; ", b->pion,
                 volume_extent(b->pion), PION_L_LEAST);
    text_add(&t, "the lattice %s", extents_to_text(extents).s);
    if (!isnan(b->at.spacing)) {
        text_add(&t, " (");
        add_box(&t, extents, b);
        text_add(&t, " at a = %.4f fm)", b->at.spacing);
    }
    text_add(&t, " has %.3g sites, too many for Kiln; the largest %s of this action is %s",
             (double)extents[0] * extents[1] * extents[2] * extents[3], shape_name(b), extents_to_text(possible).s);
    if (!isnan(b->at.spacing)) {
        text_add(&t, " (");
        add_box(&t, possible, b);
        text_add(&t, ")");
    }
    text_add(&t, ": give --lattice %d,%d,%d,%d", possible[0], possible[1], possible[2], possible[3]);
    if (by_pion)
        text_add(&t, ", or a heavier pion: --pion %.0f", ceil(volume_lightest_pion(possible, b) + ROUNDING));
    fail(f, "%s", text_string(&t));
    text_free(&t);
}

/* For a pion so light that its solves need residuals below those of double precision on any lattice: the largest
 * lattice of the lightest pion of the literature decides. */
static bool refuse_pion(const int extents[4], const bare_parameters *b, failure *f)
{
    bare_parameters lightest = *b;
    const mass_point *p = &b->at.points[0];
    if (coupling_points(&b->at) == 0)
        return false;
    lightest.pion = p->pion;
    lightest.light = p->light;
    const int L = limits_largest(&lightest, extents[0]), possible[4] = { L, L, L, volume_time_extent(b, L) };
    if (L == 0 || volume_lightest_pion(possible, b) <= b->pion)
        return false;
    fail(f, "a pion of %g MeV needs a spatial extent of %.3g fm for m_pi L = %g, and solves with residuals that double "
            "precision does not have; the largest %s of this action is %s (%.3g fm): give a heavier pion, "
            "--pion %.0f", b->pion, volume_extent(b->pion), PION_L_LEAST, shape_name(b), extents_to_text(possible).s,
         volume_box(possible, b), ceil(volume_lightest_pion(possible, b) + ROUNDING));
    return true;
}

bool limits_allow(const int extents[4], const bare_parameters *b, bool by_pion, failure *f)
{
    fault_list faults = { 0 };
    if (b->open_in_time && extents[3] < volume_open_least(b))
        return fail(f, "lattice %s: open boundaries in time need %d time slices or more here",
                    extents_to_text(extents).s, volume_open_least(b));
    int longest = extent_of_time(b, extents[3]);
    for (int mu = 0; mu < 3; mu++)
        longest = extents[mu] > longest ? extents[mu] : longest;
    const bool ok = passes(extents, b, &faults);
    const int largest = ok ? 0 : limits_largest(b, longest);
    if (!ok && largest > 0)
        refuse(extents, largest, b, by_pion, f);
    else if (!ok && !(by_pion && refuse_pion(extents, b, f)))
        fail(f, "these parameters give an input with faults, which was not written: %.800s",
             text_string(&faults.lines));
    fault_list_free(&faults);
    return ok;
}
