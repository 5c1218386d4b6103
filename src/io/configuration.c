/* configuration.c - between gauge fields and files, with every number checked that can be. */
#include "src/io/configuration.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/io/links_target.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double *configuration_read(const char *path, links_info *info, failure *f)
{
    failure why;
    double *links = links_read(path, info, f);
    if (!links)
        return NULL;
    const lattice_shape shape = lattice_shape_single(info->extents);
    if (lattice_shape_is_possible(&shape, &why))
        return links;
    memory_free(links);
    fail(f, "%s: %s", path, why.why);
    return NULL;
}

void configuration_import(gauge *u, configuration_facts *facts, const links_info *info, const double *links)
{
    assert(u->links.precision == PRECISION_DOUBLE);
    gauge_import(u, links);
    *facts = (configuration_facts){ .info = *info,
                                    .plaquette = gauge_plaquette(u),
                                    .quality = gauge_link_quality(u),
                                    .digest = links_digest(links, info->extents) };
}

/* How far a mean (plaquette, link trace) may be from what the metadata say.
 *   32 bits    other codes, and the state of a run, measure before they round the links, or sum in single precision
 *   Kiln's     all digits of exact sums of the very links; another CPU or a GPU may round its products otherwise
 *   others'    64 bits, but many a code prints seven digits */
#define STATED_TOLERANCE_32 1e-5
#define STATED_TOLERANCE_KILN 1e-12
#define STATED_TOLERANCE_64 1e-6

static double stated_tolerance(const links_info *info)
{
    return info->bits == 32 ? STATED_TOLERANCE_32 : info->has_state ? STATED_TOLERANCE_KILN : STATED_TOLERANCE_64;
}

static bool is_unitary(const configuration_facts *facts, const double *links, const char *path, failure *f)
{
    double tolerance = facts->info.bits == 32 ? LINKS_TOLERANCE_32 : LINKS_TOLERANCE_64;
    return links_check(links, facts->info.extents, tolerance, path, f);
}

static bool agrees(const char *what, double stated, double measured, const configuration_facts *facts,
                   const char *path, failure *f)
{
    double tolerance = stated_tolerance(&facts->info);
    return fabs(stated - measured) <= tolerance
           || fail(f, "%s: the metadata say %s %.12g, but the links have %.12g; a difference of %.3g is allowed", path,
                   what, stated, measured, tolerance);
}

static bool plaquette_agrees(const configuration_facts *facts, const double *links, const char *path, failure *f)
{
    (void)links;
    double measured = facts->plaquette.average;
    return (!facts->info.has_plaquette || agrees("plaquette", facts->info.plaquette, measured, facts, path, f))
           && (!facts->info.has_state
               || agrees("plaquette (run state)", facts->info.state.plaquette, measured, facts, path, f));
}

static bool link_trace_agrees(const configuration_facts *facts, const double *links, const char *path, failure *f)
{
    (void)links;
    return !facts->info.has_link_trace
           || agrees("link trace", facts->info.link_trace, facts->quality.link_trace, facts, path, f);
}

const configuration_check configuration_checks[] = {
    { "unitarity", is_unitary },
    { "plaquette", plaquette_agrees },
    { "link_trace", link_trace_agrees },
    { 0 }
};

static bool import_checked(gauge *u, configuration_facts *facts, const links_info *info, const double *links,
                           const char *path, failure *f)
{
    configuration_import(u, facts, info, links);
    for (const configuration_check *c = configuration_checks; c->name; c++)
        if (!c->holds(facts, links, path, f))
            return false;
    return true;
}

double *configuration_read_checked(const char *path, configuration_facts *facts, failure *f)
{
    links_info info;
    double *links = configuration_read(path, &info, f);
    if (!links)
        return NULL;
    gauge *u = gauge_create(lattice_create_single(info.extents), PLACE_CPU, PRECISION_DOUBLE);
    bool ok = import_checked(u, facts, &info, links, path, f);
    configuration_close(u);
    if (ok)
        return links;
    memory_free(links);
    return NULL;
}

bool configuration_load(gauge *u, configuration_facts *facts, const char *path, failure *f)
{
    const int *global = lattice_global(u->links.lattice);
    links_info info;
    double *links = configuration_read(path, &info, f);
    if (!links)
        return false;
    bool ok = memcmp(info.extents, global, sizeof info.extents) == 0
              || fail(f, "%s: its lattice is %s, but %s is wanted", path, extents_to_text(info.extents).s,
                      extents_to_text(global).s);
    ok = ok && import_checked(u, facts, &info, links, path, f);
    memory_free(links);
    return ok;
}

gauge *configuration_open(place where, configuration_facts *facts, const char *path, failure *f)
{
    links_info info;
    double *links = configuration_read(path, &info, f);
    if (!links)
        return NULL;
    gauge *u = gauge_create(lattice_create_single(info.extents), where, PRECISION_DOUBLE);
    if (!import_checked(u, facts, &info, links, path, f)) {
        configuration_close(u);
        u = NULL;
    }
    memory_free(links);
    return u;
}

void configuration_close(gauge *u)
{
    if (!u)
        return;
    lattice *l = u->links.lattice;
    gauge_free(u);
    lattice_free(l);
}

double configuration_reunitarize(gauge *u)
{
    size_t n = links_count(lattice_global(u->links.lattice));
    double *before = memory_alloc(n * sizeof *before, "links as they were"), moved = 0;
    double *after = memory_alloc(n * sizeof *after, "links as they are");
    gauge_export(before, u);
    gauge_reunitarize(u);
    gauge_export(after, u);
    for (size_t i = 0; i < n; i++)
        moved = fmax(moved, fabs(after[i] - before[i]));
    memory_free(before);
    memory_free(after);
    return moved;
}

/* Of a mean plaquette: GPU and CPU agree to the last bit on a CPU with fused multiply-add, to rounding on others. */
#define PLAQUETTE_ROUNDING 1e-13

/* The plaquette of links in memory, on the CPU. */
static double plaquette_of(const double *links, lattice *l)
{
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gauge_import(u, links);
    double plaquette = gauge_plaquette(u).average;
    gauge_free(u);
    return plaquette;
}

void configuration_measure_stored(links_info *info, const double *links)
{
    const links_layout layout = { .bits = info->bits, .rows = info->rows };
    const size_t reals = links_count(info->extents), site = 72;
    double *stored = memory_alloc(reals * sizeof *stored, "links as a file holds them");
    for (size_t i = 0; i < reals; i += site)
        links_as_stored(stored + i, links + i, &layout);
    gauge *u = gauge_create(lattice_create_single(info->extents), PLACE_CPU, PRECISION_DOUBLE);
    gauge_import(u, stored);
    info->has_plaquette = info->has_link_trace = true;
    info->plaquette = gauge_plaquette(u).average;
    info->link_trace = gauge_link_quality(u).link_trace;
    configuration_close(u);
    memory_free(stored);
}

bool configuration_save(const gauge *u, const char *path, const configuration_label *label, links_info *written,
                        failure *f)
{
    assert(u->links.precision == PRECISION_DOUBLE);
    lattice *l = u->links.lattice;
    links_info info = { .bits = label->bits,
                        .rows = 3,
                        .has_plaquette = true,
                        .plaquette = gauge_plaquette(u).average,
                        .has_link_trace = true,
                        .link_trace = gauge_link_quality(u).link_trace,
                        .has_state = label->state != NULL };
    memcpy(info.extents, lattice_global(l), sizeof info.extents);
    if (label->state)
        info.state = *label->state;
    if (label->lfn)
        snprintf(info.lfn, sizeof info.lfn, "%s", label->lfn);

    double *links = memory_alloc(links_count(info.extents) * sizeof *links, "links on their way to a file");
    gauge_export(links, u);
    double again = plaquette_of(links, l);
    bool ok = fabs(again - info.plaquette) <= PLAQUETTE_ROUNDING
              || fail(f, "%s: not written: the plaquette is %.17g where the links live, but %.17g after copying them",
                      path, info.plaquette, again);
    if (ok && info.bits == 32)
        configuration_measure_stored(&info, links);
    ok = ok && links_write_ildg(path, links, &info, label->replace, f);
    memory_free(links);
    if (ok && written)
        *written = info;
    return ok;
}
