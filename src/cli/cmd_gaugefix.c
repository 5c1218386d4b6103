/* cmd_gaugefix.c - kiln gaugefix: the links of a configuration in Landau's or Coulomb's gauge. */
#include "src/base/log.h"
#include "src/cli/subcommands.h"
#include "src/io/configuration.h"
#include "src/io/safe_file.h"
#include "src/lattice/rng.h"
#include "src/measure/fixed_gauge.h"
#include "src/options/device_choice.h"
#include "src/options/rank_options.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct {
    gauge_fixing_params fixing;
    int64_t seed, precision;
    bool json;
    device_choice device;
    rank_options ranks;
} gaugefix_options;

enum { NO_SEED = -1 };
#define SEED_MOST 9007199254740992.0   /* 2^53 */

static const usage gaugefix_usage = {
    .name = "gaugefix", .operands = "IN OUT", .least = 2, .most = 2,
    .about =
        "Brings the links of the configuration IN, in any format, to Landau's or Coulomb's gauge by overrelaxation,\n"
        "and writes them to the new ILDG file OUT.  IN must pass kiln verify.  Kiln writes OUT only if the search\n"
        "reaches the quality; otherwise the exit status is 1.  Links of 32 bits that become 64 are first projected to\n"
        "SU(3).  OUT holds no state of a run: a run cannot continue from it.\n"
        "docs/observables.md defines the functional F and the quality theta.",
    .options = (const option[]){
        { .name = "gauge", .value = "GAUGE", .doc = "landau (all directions) or coulomb (those of space)",
          .type = OPTION_CHOICE, .offset = offsetof(gaugefix_options, fixing.condition), .required = true,
          .choices = gauge_condition_names },
        { .name = "quality", .value = "THETA", .doc = "the search ends where theta, in Coulomb's gauge the\n"
                                                      "largest theta of a time slice, is below this (default: 1e-14)",
          .type = OPTION_REAL, .offset = offsetof(gaugefix_options, fixing.quality), .min = 1e-30, .max = 1 },
        { .name = "overrelaxation", .value = "OMEGA", .doc = "1 (none) to 1.99 (default: 1.7)",
          .type = OPTION_REAL, .offset = offsetof(gaugefix_options, fixing.overrelaxation), .min = 1, .max = 1.99 },
        { .name = "sweeps", .value = "N", .doc = "the largest number of sweeps (default: 20000)",
          .type = OPTION_INT, .offset = offsetof(gaugefix_options, fixing.sweeps), .min = 1, .max = 1e7 },
        { .name = "seed", .value = "SEED", .doc = "begin with a random rotation of this seed, for another Gribov\n"
                                                  "copy (default: begin with the links as they are)",
          .type = OPTION_INT, .offset = offsetof(gaugefix_options, seed), .min = 0, .max = SEED_MOST },
        { .name = "precision", .value = "BITS", .doc = "32 or 64 (default: as IN)",
          .type = OPTION_INT, .offset = offsetof(gaugefix_options, precision), .min = 32, .max = 64,
          .choices = option_bits },
        JSON_OPTION(gaugefix_options, json),
        DEVICE_OPTIONS(gaugefix_options, device),
        RANK_OPTIONS(gaugefix_options, ranks, device),
        { 0 }
    },
};

static gauge_rotation *first_rotation(const gauge *u, int64_t seed)
{
    lattice *l = u->links.lattice;
    if (seed == NO_SEED)
        return gauge_rotation_create_unit(l, u->links.where, u->links.precision);
    return gauge_rotation_create(l, u->links.where, u->links.precision,
                                 rng_key_for((uint64_t)seed, 0, 0, RNG_GAUGE_ROTATION));
}

/* `to` is NULL if no file was written. */
static void print_json(const char *from, const char *to, const gaugefix_options *o, const gauge_fixing_result *r)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "from", from);
    json_text(&j, "to", to);
    json_text(&j, "gauge", gauge_condition_names[o->fixing.condition]);
    gauge_fixing_to_json(&j, r, (gauge_condition)o->fixing.condition);
    json_bool(&j, "converged", r->converged);
    json_close(&j);
    fprintf(result_stream(), "%s\n", json_string(&j));
    json_free(&j);
}

static void print_text(const char *to, const gaugefix_options *o, const gauge_fixing_result *r)
{
    FILE *out = result_stream();
    fprintf(out, "%s:\n  functional   %.15g\n  theta        %.3g, ", to, r->functional, r->theta);
    if (o->fixing.condition == GAUGE_COULOMB)
        fprintf(out, "largest of a time slice %.3g, ", r->theta_slice);
    fprintf(out, "largest of a site %.3g\n  sweeps       %" PRId64 "\n", r->theta_largest, r->sweeps);
}

static bool fix_and_save(gauge *u, gauge_fixing_result *r, const char *to, const gaugefix_options *o, int bits,
                         failure *f)
{
    gauge_rotation *g = first_rotation(u, o->seed);
    *r = gauge_fixing_search(g, u, &o->fixing);
    bool ok = gauge_fixing_check(r, &o->fixing, f);
    if (ok) {
        gauge_rotate(u, g);
        ok = configuration_save(u, to, &(configuration_label){ .bits = bits }, NULL, f);
    }
    gauge_rotation_free(g);
    return ok;
}

/* Whether the metadata of the file allow to fix the gauge of its links; false with the reason. */
static bool can_be_fixed(const gauge *u, const links_info *info, const gaugefix_options *o, const char *from,
                         failure *f)
{
    if (lattice_is_open(u->links.lattice))
        return fail(f, "%s: the file says that its boundaries in t are open; gauges are fixed on periodic lattices",
                    from);
    if (info->has_state && info->state.xi_0 != 0 && o->fixing.condition == GAUGE_LANDAU)
        return fail(f, "%s: the file says that its action is anisotropic, with xi_0: %g; Landau's gauge needs an "
                       "isotropic action; use --gauge coulomb", from, info->state.xi_0);
    return true;
}

/* What each rank gets. */
typedef struct { const gaugefix_options *options; const operands *files; } gaugefix_task;

static int fix_on_rank(void *of)
{
    const gaugefix_task *t = of;
    const gaugefix_options *o = t->options;
    const char *from = t->files->item[0], *to = t->files->item[1];
    configuration_facts facts;
    gauge_fixing_result r = { .sweeps = 0 };
    place where;
    failure f;
    /* A search may take hours: first check whether its result can be written. */
    gauge *u = safe_file_can_create(to, &f) && device_choice_open(&o->device, &where, &f)
               ? configuration_open(where, &facts, from, &f) : NULL;
    if (u && !can_be_fixed(u, &facts.info, o, from, &f)) {
        configuration_close(u);
        u = NULL;
    }
    const int bits = o->precision ? (int)o->precision : u ? facts.info.bits : 0;
    if (u && bits > facts.info.bits)
        log_line(LOG_INFO, "%s: its links of %d bits are projected to SU(3); the largest change of a real number is "
                           "%.3g", from, facts.info.bits, configuration_project(u, &facts));
    const bool ok = u && fix_and_save(u, &r, to, o, bits, &f);
    if (!ok)
        log_line(LOG_ERROR, "%s", f.why);
    if (u && o->json)
        print_json(from, ok ? to : NULL, o, &r);
    else if (ok)
        print_text(to, o, &r);
    configuration_close(u);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int cmd_gaugefix(int argc, char **argv)
{
    gaugefix_options o = { .fixing = { GAUGE_LANDAU, GAUGE_FIXING_QUALITY, GAUGE_FIXING_OVERRELAXATION,
                                       GAUGE_FIXING_SWEEPS }, .seed = NO_SEED };
    operands files;
    int status = rank_options_read(&gaugefix_usage, argc, argv, &o, &o.ranks, &files);
    if (status == GO_ON && o.precision != 0 && o.precision != 32 && o.precision != 64)
        status = usage_error(&gaugefix_usage, "--precision must be 32 or 64");
    gaugefix_task task = { &o, &files };
    return status == GO_ON ? rank_options_run(&o.ranks, fix_on_rank, &task) : status;
}
