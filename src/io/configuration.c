/* configuration.c - read, check and write gauge fields. */
#include "src/io/configuration.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/gauge/stored_means.h"
#include "src/lattice/grid.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reading */

static double su3_tolerance(int bits)
{
    return bits == 32 ? LINKS_TOLERANCE_32 : LINKS_TOLERANCE_64;
}

/* A time slice of the copies in space: site x of `large` has the links of site x modulo `extents` of `small`. */
static void copy_in_space(double *large, const double *small, const int extents[4], const int copies[4])
{
    const size_t line = (size_t)extents[0];
    for (int z = 0; z < copies[2] * extents[2]; z++)
        for (int y = 0; y < copies[1] * extents[1]; y++)
            for (int c = 0; c < copies[0]; c++, large += line * LINKS_SITE_REALS) {
                const size_t at = (size_t)(z % extents[2] * extents[1] + y % extents[1]) * line;
                memcpy(large, small + at * LINKS_SITE_REALS, line * LINKS_SITE_REALS * sizeof *large);
            }
}

/* Open boundaries in t: the inactive links of the last slice become unit matrices (openQCD has zeros there). */
static void set_inactive(double *slice, const int extents[4])
{
    const size_t sites = links_slice_reals(extents) / LINKS_SITE_REALS;
    for (size_t x = 0; x < sites; x++) {
        double *link = slice + x * LINKS_SITE_REALS + 3 * LINKS_MATRIX_REALS;
        memset(link, 0, LINKS_MATRIX_REALS * sizeof *link);
        for (int i = 0; i < 3; i++)
            link[8 * i] = 1;
    }
}

/* All slices of a file into u, with its digest and the first link off SU(3). */
static bool read_slices(gauge *u, const int copies[4], configuration_facts *facts, links_file *file, const char *path,
                        failure *f)
{
    const links_info *info = &facts->info;
    const slice_sink links = gauge_slice_sink(u);
    const size_t reals = links_slice_reals(info->extents);
    const bool is_larger = reals != links.reals;
    double *slice = slice_alloc(reals), *larger = is_larger ? slice_alloc(links.reals) : slice;
    bool ok = true;
    facts->digest = DIGEST64_START;
    facts->off_su3.why[0] = '\0';
    for (int t = 0; t < info->extents[3] && (ok = links_file_next_slice(file, slice, f)); t++) {
        facts->digest = links_digest(facts->digest, slice, info->extents);
        const bool last = t == info->extents[3] - 1;
        facts->zero_ends = last && links_have_zero_ends(slice, info->extents);
        if (facts->ends_replaced && last && copies[3] == 1)
            set_inactive(slice, info->extents);
        if (!facts->off_su3.why[0])
            links_check(slice, info->extents, t, su3_tolerance(info->bits), path, &facts->off_su3);
        if (is_larger)
            copy_in_space(larger, slice, info->extents, copies);
        for (int c = 0; c < copies[3]; c++)
            links.set(links.to, c * info->extents[3] + t, larger);
    }
    if (is_larger)
        memory_free(larger);
    memory_free(slice);
    return ok;
}

static const int one_copy[4] = { 1, 1, 1, 1 };

static bool read_and_measure(gauge *u, const int copies[4], configuration_facts *facts, links_file *file,
                             const char *path, failure *f)
{
    assert(u->links.precision == PRECISION_DOUBLE);
    facts->ends_replaced = lattice_is_open(u->links.lattice)
                           && !(facts->info.has_state && facts->info.state.open_in_time);
    if (!read_slices(u, copies, facts, file, path, f))
        return false;
    facts->plaquette = gauge_plaquette(u);
    facts->plaquette_of_all = gauge_plaquette_of_all(u).average;
    facts->quality = gauge_link_quality(u);
    return true;
}

/* The block of this rank, for a lattice with the extents of a file.  False with the reason. */
static bool find_shape(lattice_shape *shape, const links_info *info, const configuration_request *request, failure *f)
{
    if (!grid_is_possible_here(info->extents, request->hops, f))
        return false;
    *shape = grid_shape_here(info->extents, request->hops);
    shape->open_in_time = request->open_in_time || (info->has_state && info->state.open_in_time);
    return lattice_shape_is_possible(shape, f);
}

static gauge *read_links(place where, configuration_request request, configuration_facts *facts, const char *path,
                         failure *f)
{
    failure why;
    links_file *file = links_file_open(path, &facts->info, f);
    if (!file)
        return NULL;
    lattice_shape shape;
    gauge *u = NULL;
    bool ok = find_shape(&shape, &facts->info, &request, &why) || fail(f, "%s: %s", path, why.why);
    if (ok) {
        u = gauge_create(lattice_create(&shape), where, PRECISION_DOUBLE);
        ok = read_and_measure(u, one_copy, facts, file, path, f);
    }
    links_file_close(file);
    const bool again = ok && request.open_if_zero_ends && facts->zero_ends && !facts->info.has_state
                       && !lattice_is_open(u->links.lattice);
    if (ok && !again)
        return u;
    configuration_close(u);
    request.open_in_time = true;
    return again ? read_links(where, request, facts, path, f) : NULL;
}

gauge *configuration_read(place where, configuration_facts *facts, const char *path, failure *f)
{
    const configuration_request request = { .hops = GRID_HOPS_LEAST, .open_if_zero_ends = true };
    return read_links(where, request, facts, path, f);
}

void configuration_close(gauge *u)
{
    if (!u)
        return;
    lattice *l = u->links.lattice;
    gauge_free(u);
    lattice_free(l);
}

/* ---- checking */

/* How far a mean (plaquette, link trace) may be from what the metadata say.
 *   32 bits    other codes, and the run state, measure before the links are rounded, or sum in single precision
 *   Kiln's     exact sums over the stored links; another CPU or a GPU may round products differently
 *   openQCD    a mean in double precision, summed in another order
 *   others     64 bits, but many codes print seven digits only */
#define STATED_TOLERANCE_32 1e-5
#define STATED_TOLERANCE_KILN 1e-12
#define STATED_TOLERANCE_OPENQCD 1e-11
#define STATED_TOLERANCE_64 1e-6

/* Whether a file of 64 bits has links that are in SU(3) only to single precision. */
static bool is_single_in_64_bits(const configuration_facts *facts)
{
    return facts->off_su3.why[0] && facts->info.bits == 64 && facts->quality.unitarity <= LINKS_TOLERANCE_32;
}

static double stated_tolerance(const links_info *info, bool is_single)
{
    if (info->format == FORMAT_OPENQCD)
        return STATED_TOLERANCE_OPENQCD;
    return info->bits == 32 || is_single ? STATED_TOLERANCE_32
         : info->has_state ? STATED_TOLERANCE_KILN : STATED_TOLERANCE_64;
}

static bool is_unitary(const configuration_facts *facts, const char *path, failure *f)
{
    (void)path;                         /* the reason begins with it */
    if (is_single_in_64_bits(facts))
        return fail(f, "%s; all links are in SU(3) to single precision: kiln run projects them (start.reunitarize), "
                       "and so do kiln convert and kiln probe with --reunitarize", facts->off_su3.why);
    return !facts->off_su3.why[0] || fail(f, "%s", facts->off_su3.why);
}

static bool agrees(const char *what, double stated, double measured, const configuration_facts *facts,
                   const char *path, failure *f)
{
    double tolerance = stated_tolerance(&facts->info, is_single_in_64_bits(facts));
    return fabs(stated - measured) <= tolerance
           || fail(f, "%s: the metadata say %s %.12g, but the links have %.12g; a difference of %.3g is allowed", path,
                   what, stated, measured, tolerance);
}

double configuration_openqcd_plaquette(const configuration_facts *facts)
{
    const double T = facts->info.extents[3];
    return facts->plaquette.average * (2 * T - 1) / (2 * T);
}

static bool plaquette_agrees(const configuration_facts *facts, const char *path, failure *f)
{
    const double of_all = facts->plaquette_of_all, active = facts->plaquette.average;
    if (facts->ends_replaced)
        return facts->info.format != FORMAT_OPENQCD || !facts->zero_ends || !facts->info.has_plaquette
               || agrees("plaquette", facts->info.plaquette, configuration_openqcd_plaquette(facts), facts, path, f);
    return (!facts->info.has_plaquette || agrees("plaquette", facts->info.plaquette, of_all, facts, path, f))
           && (!facts->info.has_state
               || agrees("plaquette (run state)", facts->info.state.plaquette, active, facts, path, f));
}

static bool link_trace_agrees(const configuration_facts *facts, const char *path, failure *f)
{
    return !facts->info.has_link_trace || facts->ends_replaced
           || agrees("link trace", facts->info.link_trace, facts->quality.link_trace, facts, path, f);
}

const configuration_check configuration_checks[] = {
    { "unitarity", is_unitary },
    { "plaquette", plaquette_agrees },
    { "link_trace", link_trace_agrees },
    { 0 }
};

static bool check_all(const configuration_facts *facts, links_use use, const char *path, failure *f)
{
    for (const configuration_check *c = configuration_checks; c->name; c++)
        if (!(c->holds == is_unitary && use == LINKS_TO_PROJECT && is_single_in_64_bits(facts))
            && !c->holds(facts, path, f))
            return false;
    return true;
}

double configuration_project(gauge *u, configuration_facts *facts)
{
    const double change = gauge_reunitarize_change(u);
    facts->plaquette = gauge_plaquette(u);
    facts->plaquette_of_all = gauge_plaquette_of_all(u).average;
    facts->quality = gauge_link_quality(u);
    return change;
}

gauge *configuration_open_for(place where, configuration_request request, configuration_facts *facts, const char *path,
                              failure *f)
{
    gauge *u = read_links(where, request, facts, path, f);
    if (!u || comm_agree(comm_world(), check_all(facts, request.use, path, f), f))
        return u;
    configuration_close(u);
    return NULL;
}

gauge *configuration_open(place where, configuration_facts *facts, const char *path, failure *f)
{
    return configuration_open_for(where, (configuration_request){ .hops = GRID_HOPS_LEAST }, facts, path, f);
}

bool configuration_fills(const int extents[4], const int copies[4], const int wanted[4], const char *path, failure *f)
{
    int filled[4];
    for (int mu = 0; mu < 4; mu++)
        filled[mu] = copies[mu] * extents[mu];
    if (memcmp(filled, wanted, sizeof filled) == 0)
        return true;
    if (memcmp(copies, one_copy, sizeof one_copy) == 0)
        return fail(f, "%s: its lattice is %s, but %s is wanted", path, extents_to_text(extents).s,
                    extents_to_text(wanted).s);
    return fail(f, "%s: its lattice %s, in %s copies (x, y, z, t), gives %s, but %s is wanted", path,
                extents_to_text(extents).s, extents_to_text(copies).s, extents_to_text(filled).s,
                extents_to_text(wanted).s);
}

/* A stream with open boundaries can start from the links of any file; a periodic stream cannot start from open ones. */
static bool boundaries_fit(const links_info *info, const gauge *u, const char *path, failure *f)
{
    const bool is_open = info->has_state && info->state.open_in_time;
    return !is_open || lattice_is_open(u->links.lattice)
           || fail(f, "%s: the file says that its boundaries in t are open, but boundary.time is periodic; set "
                      "boundary.time to open", path);
}

bool configuration_load_copies(gauge *u, const int copies[4], links_use use, configuration_facts *facts,
                               const char *path, failure *f)
{
    links_file *file = links_file_open(path, &facts->info, f);
    if (!file)
        return false;
    bool ok = configuration_fills(facts->info.extents, copies, lattice_global(u->links.lattice), path, f)
              && boundaries_fit(&facts->info, u, path, f)
              && read_and_measure(u, copies, facts, file, path, f);
    links_file_close(file);
    return comm_agree(comm_world(), ok && check_all(facts, use, path, f), f);
}

bool configuration_load(gauge *u, links_use use, configuration_facts *facts, const char *path, failure *f)
{
    return configuration_load_copies(u, one_copy, use, facts, path, f);
}

/* ---- writing */

/* Allowed difference of the mean plaquette between GPU and CPU.  They agree in all bits if the CPU has fused
 * multiply-adds, else up to rounding. */
#define PLAQUETTE_ROUNDING 1e-13

static stored_means means_as_stored(const gauge *u, int bits, int rows)
{
    const links_layout layout = { .bits = bits, .rows = rows };
    return gauge_stored_means(u, links_store, &layout);
}

void configuration_measure_stored(links_info *info, const gauge *u)
{
    const stored_means m = means_as_stored(u, info->bits, info->rows);
    info->has_plaquette = info->has_link_trace = true;
    info->plaquette = m.plaquette;
    info->link_trace = m.link_trace;
}

bool configuration_save(const gauge *u, const char *path, const configuration_label *label, links_info *written,
                        failure *f)
{
    assert(u->links.precision == PRECISION_DOUBLE);
    links_info info = { .format = FORMAT_ILDG,
                        .bits = label->bits,
                        .rows = 3,
                        .has_plaquette = true,
                        .plaquette = gauge_plaquette_of_all(u).average,
                        .has_link_trace = true,
                        .link_trace = gauge_link_quality(u).link_trace,
                        .has_state = label->state != NULL };
    memcpy(info.extents, lattice_global(u->links.lattice), sizeof info.extents);
    if (label->state)
        info.state = *label->state;
    if (label->lfn)
        snprintf(info.lfn, sizeof info.lfn, "%s", label->lfn);

    const double again = means_as_stored(u, 64, 3).plaquette;
    if (!(fabs(again - info.plaquette) <= PLAQUETTE_ROUNDING))
        return fail(f, "%s: not written: the plaquette is %.17g at the place of the links, but %.17g on the CPU",
                    path, info.plaquette, again);
    if (info.bits == 32)
        configuration_measure_stored(&info, u);
    const slice_source links = field_slices(&u->links);
    bool ok = links_write(path, &links, &info, label->replace, NULL, f);
    if (ok && written)
        *written = info;
    return ok;
}

/* ---- digests, and comparison with an existing file */

uint64_t configuration_digest(const gauge *u, int bits)
{
    const links_layout layout = { .bits = bits, .rows = 3 };
    const slice_source links = field_slices(&u->links);
    double *slice = slice_alloc(links.reals);
    uint64_t digest = DIGEST64_START;
    for (int t = 0; t < links.count; t++) {
        links.get(slice, links.from, t);
        links_store(slice, links.reals / LINKS_SITE_REALS, &layout);
        digest = links_digest(digest, slice, lattice_global(u->links.lattice));
    }
    memory_free(slice);
    return digest;
}

static bool same_numbers(const double *a, const double *b, size_t count)
{
    size_t i = 0;
    while (i < count && a[i] == b[i])
        i++;
    return i == count;
}

bool configuration_compare(bool *same, uint64_t *digest, links_file *file, const links_info *info, const gauge *u,
                           failure *f)
{
    const links_layout layout = { .bits = info->bits, .rows = 3 };
    const slice_source links = field_slices(&u->links);
    const size_t reals = links_slice_reals(info->extents);
    double *there = slice_alloc(reals), *here = slice_alloc(links.reals);
    bool ok = true;
    *same = memcmp(info->extents, lattice_global(u->links.lattice), sizeof info->extents) == 0;
    *digest = DIGEST64_START;
    for (int t = 0; t < info->extents[3] && (ok = links_file_next_slice(file, there, f)); t++) {
        *digest = links_digest(*digest, there, info->extents);
        if (!*same)
            continue;
        links.get(here, links.from, t);
        links_store(here, reals / LINKS_SITE_REALS, &layout);
        *same = same_numbers(there, here, reals);
    }
    memory_free(here);
    memory_free(there);
    return ok;
}

size_t configuration_bytes(const lattice_shape *shape)
{
    const size_t file = links_file_bytes(shape->global) + FIELD_STAGING_BYTES, means = stored_means_bytes(shape);
    return file > means ? file : means;
}
