/* start_links.c - cold links, hot links, or a file; then heat-bath sweeps. */
#include "src/ensemble/start_links.h"

#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/gauge/packed_links.h"
#include "src/hmc/pure_gauge.h"
#include "src/hmc/start_su3.h"
#include "src/io/configuration.h"
#include "src/lattice/rng.h"

#include <inttypes.h>

/* Compare the number that a file carries, if it has one, with start.trajectory. */
static void log_number(const links_info *info, const run_params *p)
{
    const bool numbered = info->has_state || info->label.has_sequence;
    const int64_t number = info->has_state ? info->state.trajectory : info->label.sequence;
    if (p->start.trajectory > 0 && numbered && number != p->start.trajectory)
        log_line(LOG_WARNING, "%s: has the number %" PRId64 " in its header, but start.trajectory is %" PRId64,
                 p->start.file, number, p->start.trajectory);
    else if (p->start.trajectory > 0)
        log_line(LOG_INFO, "the trajectories go on from number %" PRId64 " (start.trajectory)", p->start.trajectory);
    else if (numbered && number > 0)
        log_line(LOG_INFO, "the file has the number %" PRId64 "; the trajectories of this ensemble begin with 1, "
                           "without start.trajectory", number);
}

static bool is_copied(const run_params *p)
{
    const int *n = p->start.copies;
    return n[0] * n[1] * n[2] * n[3] > 1;
}

/* Links of a file that are kept as they are, and are in SU(3) to single precision alone. */
static bool kept_links_serve(const run_params *p, double deviation, failure *f)
{
    if (!start_su3_accepts(p, deviation, f))
        return false;
    if (start_keeps_links(p) && deviation > link_format_tolerance(PRECISION_DOUBLE))
        log_line(LOG_WARNING, "%s: the links deviate from SU(3) by %.1e, and start.reunitarize is false: measurements "
                              "of Wilson and domain-wall quarks fail on them, until an accepted trajectory is "
                              "reunitarized (hmc.reunitarize_every)", p->start.file, deviation);
    return true;
}

static bool load_file(gauge *u, const run_params *p, failure *f)
{
    configuration_facts facts;
    const links_use use = p->start.reunitarize ? LINKS_TO_PROJECT : LINKS_AS_STORED;
    if (!configuration_load_copies(u, p->start.copies, use, &facts, p->start.file, f))
        return false;
    log_line(LOG_INFO, "start from %s (%s, %d bit): plaquette %.15g, off SU(3) by %.1e", p->start.file,
             links_format_name(facts.info.format), facts.info.bits, facts.plaquette.average, facts.quality.unitarity);
    if (is_copied(p))
        log_line(LOG_INFO, "the links are %s periodic copies (x, y, z, t) of the lattice %s in the file",
                 extents_to_text(p->start.copies).s, extents_to_text(facts.info.extents).s);
    if (*facts.info.checksum)
        log_line(LOG_DETAIL, "%s: checksum %s", p->start.file, facts.info.checksum);
    log_number(&facts.info, p);
    if (!kept_links_serve(p, facts.quality.unitarity, f))
        return false;
    if (p->start.reunitarize) {
        double moved = gauge_reunitarize_change(u);
        log_line(LOG_INFO, "reunitarized: links moved by up to %.1e, plaquette %.15g", moved,
                 gauge_plaquette(u).average);
    }
    return true;
}

enum { SECONDS_BETWEEN_LINES = 10 };
typedef struct { const run_limits *limits; double said; } sweeps_watch;

/* Whether the limits allow the next start sweep; tells of the sweeps that are made. */
static bool sweeps_go_on_within(void *context, int64_t made, int64_t all)
{
    sweeps_watch *w = context;
    if (clock_now() - w->said > SECONDS_BETWEEN_LINES) {
        log_line(LOG_INFO, "%" PRId64 " of %" PRId64 " heat-bath sweeps over the start links", made, all);
        w->said = clock_now();
    }
    return !w->limits || !run_limits_reached(w->limits);
}

bool start_links_make(gauge *u, const run_params *p, const run_limits *limits, text *origin, failure *f)
{
    sweeps_watch watch = { limits, clock_now() };
    switch ((start_kind)p->start.from) {
    case START_COLD:
        gauge_set_unit(u);
        log_line(LOG_INFO, "cold start");
        text_add(origin, "a cold start");
        break;
    case START_HOT:
        gauge_set_random(u, rng_key_for((uint64_t)p->random.seed, (uint32_t)p->random.stream, 0, RNG_START_LINKS));
        log_line(LOG_INFO, "hot start");
        text_add(origin, "a hot start");
        break;
    case START_FILE:
        if (!load_file(u, p, f))
            return false;
        text_add(origin, "%s", p->start.file);
        if (is_copied(p))
            text_add(origin, " in %s periodic copies", extents_to_text(p->start.copies).s);
        break;
    }
    if (p->start.heatbath.sweeps > 0) {
        if (!pure_gauge_start(p, u, sweeps_go_on_within, &watch))
            return run_limits_fail(limits, f, "stopped in the sweeps of start.heatbath; the same command begins them "
                                              "again");
        text_add(origin, " with %s",
                 count_to_text(p->start.heatbath.sweeps + p->start.heatbath.settle, "heat-bath sweep").s);
    }
    return true;
}
