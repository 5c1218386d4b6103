/* test_configuration.c - gauge fields into files and back: every bit, and every number that must agree. */
#include "src/base/memory.h"
#include "src/io/configuration.h"
#include "src/lattice/grid.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/gauge/golden_numbers.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const int extents[4] = { 4, 4, 6, 8 };

static gauge *analytic(lattice *l, place where)
{
    double *links = analytic_links(extents, golden_fields[0].width);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, links);
    memory_free(links);
    return u;
}

static double distance(const gauge *a, const gauge *b)
{
    size_t n = links_count(extents);
    double *x = memory_alloc(n * sizeof *x, "links"), *y = memory_alloc(n * sizeof *y, "links");
    gauge_export(x, a);
    gauge_export(y, b);
    double d = largest_difference(x, y, n);
    memory_free(x);
    memory_free(y);
    return d;
}

static void round_trip(scratch *s, lattice *l, place where)
{
    failure f;
    links_info written;
    configuration_facts facts;
    const char *path = scratch_path(s, "cfg.000012.lime"), *name = place_name(where);
    gauge *u = analytic(l, where), *v = gauge_create(l, where, PRECISION_DOUBLE);
    run_state state = { .trajectory = 12, .seed = 7, .stream = 3, .input_digest = 5, .parent_digest = 6,
                        .plaquette = gauge_plaquette(u).average, .version = "a test" };
    configuration_label label = { .state = &state, .lfn = "lfn://test/12", .bits = 64 };

    fact(configuration_save(u, path, &label, &written, &f), "%s: a field is saved", name);
    fact(configuration_load(v, LINKS_AS_STORED, &facts, path, &f), "%s: and loaded", name);
    fact(distance(u, v) == 0, "%s: every bit of it", name);
    fact(facts.info.has_state && facts.info.state.trajectory == 12 && facts.info.state.stream == 3,
         "%s: with the state", name);
    fact(strcmp(facts.info.lfn, label.lfn) == 0 && strcmp(facts.info.checksum, written.checksum) == 0,
         "%s: its name and its checksum", name);
    fact(facts.info.plaquette == gauge_plaquette(u).average && facts.plaquette.average == facts.info.plaquette,
         "%s: and its plaquette", name);
    fact(!configuration_save(u, path, &label, NULL, &f) && strstr(f.why, path), "%s: it is not overwritten", name);
    label.replace = true;
    fact(configuration_save(u, path, &label, NULL, &f), "%s: but where that is asked for", name);

    gauge *opened = configuration_open(where, &facts, path, &f);
    fact(opened && distance(u, opened) == 0, "%s: the file brings its own lattice", name);
    configuration_close(opened);

    label.bits = 32;
    fact(configuration_save(u, path, &label, NULL, &f) && configuration_load(v, LINKS_AS_STORED, &facts, path, &f),
         "%s: the same in single precision", name);
    fact(facts.quality.unitarity > 1e-9 && distance(u, v) < 1e-7, "%s: rounded", name);
    fact(fabs(facts.info.plaquette - facts.plaquette.average) < 1e-14
             && fabs(facts.info.link_trace - facts.quality.link_trace) < 1e-14,
         "%s: with plaquette and link trace of the rounded links, not of those before", name);
    double moved = gauge_reunitarize_change(v);
    fact(moved > 1e-9 && moved < 1e-6 && gauge_link_quality(v).unitarity < 1e-14,
         "%s: reunitarizing moves the links a little (%.2g), and then they are in SU(3)", name, moved);
    unlink(path);
    gauge_free(u);
    gauge_free(v);
}

/* What a file that is not believed says of itself. */
static void refused(scratch *s, lattice *l, const char *why, const links_info *message, double factor)
{
    failure f = { .why = "" };
    configuration_facts facts;
    const char *path = scratch_path(s, "lie.lime");
    double *links = analytic_links(extents, golden_fields[0].width);
    links_info info = *message;
    memcpy(info.extents, extents, sizeof extents);
    for (int i = 0; i < 18; i++)
        links[18 * 1001 + i] *= factor;
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
    memory_free(links);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    fact(!configuration_load(u, LINKS_AS_STORED, &facts, path, &f)
             && strstr(f.why, why) && strstr(f.why, path), "refused: %s", why);
    gauge_free(u);
}

static void refusals(scratch *s, lattice *l)
{
    const golden_field *g = &golden_fields[0];
    links_info good = { .bits = 64, .has_plaquette = true, .plaquette = g->plaquette, .has_link_trace = true,
                        .link_trace = g->link_trace, .has_state = true,
                        .state = { .plaquette = g->plaquette, .version = "a test" } };
    links_info plaquette = good, trace = good, state = good, foreign = good;
    plaquette.plaquette += 1e-11;
    trace.link_trace -= 1e-11;
    state.state.plaquette += 1e-11;
    foreign.has_state = false;
    foreign.plaquette += 2e-6;
    refused(s, l, "off SU(3) by", &good, 1 + 1e-9);
    refused(s, l, "plaquette", &plaquette, 1);
    refused(s, l, "link trace", &trace, 1);
    refused(s, l, "run state", &state, 1);
    refused(s, l, "plaquette", &foreign, 1);
}

static void wrong_lattice(scratch *s, lattice *l)
{
    failure f = { .why = "" };
    configuration_facts facts;
    int small[4] = { 4, 4, 4, 4 };
    const char *path = scratch_path(s, "small.lime");
    lattice *other = lattice_create_single(small);
    gauge *u = gauge_create(other, PLACE_CPU, PRECISION_DOUBLE), *v = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    configuration_label label = { .bits = 64 };
    gauge_set_unit(u);
    fact(configuration_save(u, path, &label, NULL, &f), "a unit field is saved");
    fact(!configuration_load(v, LINKS_AS_STORED, &facts, path, &f)
             && strstr(f.why, "4x4x4x4") && strstr(f.why, "4x4x6x8"),
         "refused: a file of another lattice");
    fact(!configuration_load(v, LINKS_AS_STORED, &facts, "/nowhere/x.lime", &f) && strstr(f.why, "/nowhere/x.lime"),
         "refused: a file that is not there");
    label.replace = true;
    fact(!configuration_save(u, "/nowhere/x.lime", &label, NULL, &f) && strstr(f.why, "/nowhere"),
         "not written: a file in a folder that is not there");
    gauge_free(u);
    gauge_free(v);
    lattice_free(other);
}

/* ---- periodic copies of a smaller lattice */

static size_t site_of(int x, int y, int z, int t, const int extents_of[4])
{
    return (size_t)(((t % extents_of[3] * extents_of[2] + z % extents_of[2]) * extents_of[1] + y % extents_of[1])
                    * extents_of[0] + x % extents_of[0]);
}

/* Sites of `u` whose links are not those of `small` at the site modulo its extents. */
static int wrong_copies(const gauge *u, const double *small, const int small_extents[4])
{
    double *links = memory_alloc(links_count(extents) * sizeof *links, "links");
    int wrong = 0;
    gauge_export(links, u);
    for (int t = 0; t < extents[3]; t++)
        for (int z = 0; z < extents[2]; z++)
            for (int y = 0; y < extents[1]; y++)
                for (int x = 0; x < extents[0]; x++)
                    wrong += memcmp(links + LINKS_SITE_REALS * site_of(x, y, z, t, extents),
                                    small + LINKS_SITE_REALS * site_of(x, y, z, t, small_extents),
                                    LINKS_SITE_REALS * sizeof *links) != 0;
    memory_free(links);
    return wrong;
}

static void copies(scratch *s, lattice *l, place where)
{
    failure f = { .why = "" };
    configuration_facts facts;
    const int small_extents[4] = { 2, 4, 2, 4 }, times[4] = { 2, 1, 3, 2 }, others[4] = { 2, 1, 2, 3 };
    const char *path = scratch_path(s, "copied.lime"), *name = place_name(where);
    double *small = analytic_links(small_extents, golden_fields[0].width);
    lattice *of_small = lattice_create_single(small_extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *v = gauge_create(of_small, where, PRECISION_DOUBLE);
    configuration_label label = { .bits = 64 };
    gauge_import(v, small);
    fact(configuration_save(v, path, &label, NULL, &f)
             && configuration_load_copies(u, times, LINKS_AS_STORED, &facts, path, &f),
         "%s: copies of a smaller lattice are loaded", name);
    fact(wrong_copies(u, small, small_extents) == 0, "%s: each link is that of the file at the site modulo its extents",
         name);
    fact(facts.digest == configuration_digest(v, 64)
             && fabs(gauge_plaquette(u).average - gauge_plaquette(v).average) < 1e-15,
         "%s: with the digest and the plaquette of the file", name);
    fact(!configuration_load_copies(u, others, LINKS_AS_STORED, &facts, path, &f) && strstr(f.why, path)
             && strstr(f.why, "2x4x2x4, in 2x1x2x3 copies (x, y, z, t), gives 4x4x4x12, but 4x4x6x8 is wanted"),
         "%s: refused: copies that give another lattice", name);
    unlink(path);
    memory_free(small);
    gauge_free(u);
    gauge_free(v);
    lattice_free(of_small);
}

/* ---- ranks */

enum { RANKS = 4, BLOCK_SITES = 4 * 4 * 6 * 8 / RANKS };

typedef struct { const char *path; const gauge *whole; bool refused, block, same; } opening;

/* What a rank gets of the file, on the grid that is wanted. */
static int open_block(void *of)
{
    opening *o = (opening *)of + comm_rank(comm_world());
    failure f;
    configuration_facts facts;
    grid_want((const int[4]){ 1, 1, 1, RANKS });
    gauge *u = configuration_open_for(PLACE_CPU, (configuration_request){ .hops = GRID_HOPS_MOST },
                                      &facts, o->path, &f);
    o->refused = !u && strstr(f.why, o->path) && strstr(f.why, "grid 1x1x1x4");
    configuration_close(u);
    grid_want((const int[4]){ 1, 2, 1, 2 });
    u = configuration_open(PLACE_CPU, &facts, o->path, &f);
    const lattice_shape *shape = u ? lattice_shape_of(u->links.lattice) : NULL;
    o->block = shape && lattice_local_sites(shape) == BLOCK_SITES && !lattice_is_whole(u->links.lattice);
    o->same = u && distance(o->whole, u) == 0 && facts.plaquette.average == gauge_plaquette(u).average;
    configuration_close(u);
    return 0;
}

static void blocks(scratch *s, lattice *l)
{
    failure f;
    opening of[RANKS];
    const char *path = scratch_path(s, "blocks.lime");
    configuration_label label = { .bits = 64 };
    gauge *u = analytic(l, PLACE_CPU);
    bool saved = configuration_save(u, path, &label, NULL, &f), refused = true, block = true, same = true;
    for (int r = 0; r < RANKS; r++)
        of[r] = (opening){ .path = path, .whole = u };
    comm_run_threads(RANKS, open_block, of);
    for (int r = 0; r < RANKS; r++) {
        refused = refused && of[r].refused;
        block = block && of[r].block;
        same = same && of[r].same;
    }
    fact(saved && block, "each of 4 ranks gets its block of a file, not the whole lattice");
    fact(same, "together they have every bit of it, and its plaquette");
    fact(refused, "all refuse a grid whose blocks are smaller than kernels reach, with the name of the file");
    unlink(path);
    gauge_free(u);
}

int main(void)
{
    scratch s = scratch_create();
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where)
        round_trip(&s, l, where);
    FOR_EVERY_PLACE(where)
        copies(&s, l, where);
    refusals(&s, l);
    wrong_lattice(&s, l);
    blocks(&s, l);
    fact(scratch_count(&s) == 2, "no temporary file is left behind");
    lattice_free(l);
    scratch_remove(&s);
    return facts_end();
}
