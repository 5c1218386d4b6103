/* probe_links.c - kiln probe links: the links of a configuration, thin or smeared for staggered quarks. */
#include "src/base/json.h"
#include "src/io/file_json.h"
#include "src/probe/probe.h"

enum { LEVEL_THIN, LEVEL_STOUT, LEVEL_FAT7, LEVEL_PROJECTED, LEVEL_FAT, LEVEL_LONG };
static const char *const levels[] = { "thin", "stout", "fat7", "projected", "fat", "long", NULL };

static const usage links_usage = {
    "probe links", "CONFIG OUT.npy", 2, 2,
    "Writes the links of a configuration as a NumPy array,\n" MATRICES_SHAPE ".\n"
    "stout: after stout smearing, which --stout-levels can also put in front of the levels below.\n"
    "Links of staggered quarks need --operator.  fat7: the links after the first smearing of hisq; projected: the\n"
    "fat7 links projected to U(3) or SU(3); both are without phases.  fat, long: the links of the operator, with\n"
    "staggered phases and boundary; long includes the coefficient of the Naik term.  Prints the parameters as JSON.",
    (const option[]){ { .name = "level", .value = "L", .doc = "which links (default thin)", .type = OPTION_CHOICE,
                        .offset = offsetof(probe_options, level), .choices = levels },
                      OPERATOR_OPTIONS(probe_options, quarks, false, false), STOUT_OPTIONS, PROBE_OPTIONS, { 0 } },
};

/* Whether the operator has such links. */
static bool check_level(int level, const staggered_links_params *p, failure *f)
{
    if ((level == LEVEL_FAT7 || level == LEVEL_PROJECTED) && !staggered_has_projection(p))
        return fail(f, "--level %s is for --operator hisq: %s makes its fat links directly from thin links",
                    levels[level], staggered_kind_names[p->kind]);
    if (level == LEVEL_LONG && staggered_second_table(p).naik == 0)
        return fail(f, "--level long: %s has no Naik term", staggered_kind_names[p->kind]);
    return true;
}

static const gauge *links_of_level(int level, const staggered_links *s)
{
    switch (level) {
    case LEVEL_FAT7:
        return staggered_v(s);
    case LEVEL_PROJECTED:
        return staggered_w(s);
    case LEVEL_FAT:
        return staggered_fat(s, 0);
    default:
        return staggered_naik(s);
    }
}

/* Whether the options name links. */
static bool check_options(staggered_links_params *params, const probe_options *o, failure *f)
{
    if (!stout_params_check(&o->stout, f))
        return false;
    if (o->level == LEVEL_STOUT && o->stout.levels == 0)
        return fail(f, "--level stout needs --stout-levels and --stout-rho");
    if (o->level == LEVEL_THIN && o->stout.levels > 0)
        return fail(f, "--stout-levels: thin links are not smeared; give --level");
    return o->level <= LEVEL_STOUT
           || (operator_choice_links(params, &o->quarks, f) && check_level(o->level, params, f));
}

static void print_facts(const probe_options *o, const char *path, const configuration_facts *facts, staggered_links *s)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    file_to_json(&j, path, &facts->info);
    json_text(&j, "level", levels[o->level]);
    stout_params_to_json(&j, &o->stout);
    if (s)
        operator_to_json(&j, staggered_links_params_of(s), o->quarks.mass);
    if (o->level == LEVEL_LONG)
        json_real(&j, "coefficient", staggered_naik_coefficient(s, 0));
    if (s && staggered_has_projection(staggered_links_params_of(s))) {
        projection_facts projection = staggered_projection_facts(s);
        json_open(&j, "projections", '{');
        json_int(&j, "svd_links", (int64_t)projection.svd_links);
        json_real(&j, "smallest_eigenvalue", projection.smallest_eigenvalue);
        json_close(&j);
    }
    json_close(&j);
    probe_print(&j);
}

static int links_on_rank(void *of)
{
    const probe_task *t = of;
    const probe_options *o = t->options;
    configuration_facts facts;
    staggered_links_params params;
    failure f;
    if (!check_options(&params, o, &f))
        return usage_error(&links_usage, "%s", f.why);
    const bool staggered = o->level > LEVEL_STOUT;
    gauge *u = probe_open(o, (configuration_request){ .hops = staggered ? GRID_HOPS_MOST : GRID_HOPS_LEAST },
                          t->files->item[0], &facts);
    if (!u)
        return EXIT_FAILED;
    if (lattice_is_open(u->links.lattice) && staggered) {
        configuration_close(u);
        return usage_error(&links_usage, "%s: the file says that its boundaries in t are open; links of staggered "
                           "quarks are smeared on periodic lattices", t->files->item[0]);
    }
    stout *smeared = stout_create(&o->stout, u);
    const gauge *links = stout_links(smeared, u);
    staggered_links *s = staggered ? operator_links(&params, links) : NULL;
    const double factor = o->level == LEVEL_LONG ? staggered_naik_coefficient(s, 0) : 1;
    const int status = probe_write_links(t->files->item[1], s ? links_of_level(o->level, s) : links, factor);
    if (o->level != LEVEL_THIN && status == EXIT_OK)
        print_facts(o, t->files->item[0], &facts, s);
    staggered_links_free(s);
    stout_free(smeared);
    configuration_close(u);
    return status;
}

int probe_links(int argc, char **argv)
{
    probe_options o = { .quarks = OPERATOR_DEFAULTS };
    operands files;
    const int status = rank_options_read(&links_usage, argc, argv, &o, &o.ranks, &files);
    return status == GO_ON ? rank_options_run(&o.ranks, links_on_rank, &(probe_task){ &o, &files }) : status;
}
