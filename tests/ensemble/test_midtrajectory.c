/* test_midtrajectory.c - a trajectory that is left at every one of its steps, each time in favor of another program,
 * comes to the same bits and tells the same as one that was not; a mid-trajectory checkpoint that is damaged or
 * another's is not taken up. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/ensemble/midtrajectory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"

#include <math.h>

/* %s: folder, monomials, levels; %d: seed */
#define INPUT                                                        \
    "lattice: [4, 2, 2, 4]\n"                                        \
    "random: { seed: %d }\n"                                         \
    "monomials:\n"                                                   \
    "  - { kind: gauge, name: gauge, action: iwasaki, beta: 2.4 }\n" \
    "%s"                                                             \
    "hmc:\n"                                                         \
    "  trajectory_length: 0.4\n"                                     \
    "  trajectories: 9\n"                                            \
    "  thermalization: 1\n"                                          \
    "  levels: [ %s ]\n"                                             \
    "output: { directory: \"%s\" }\n"

#define RESIDUALS "    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }\n"
#define ERRORS "errors: { refresh: 1e-7, action: 1e-7, force: 1e-5 }"

typedef struct { const char *name, *monomials, *levels; } miniature;
static const miniature gluons = {
    "gluons", "  - { kind: gauge, name: a/b, action: wilson, beta: 0.7 }\n",
    "{ integrator: omelyan, steps: 2, monomials: [ a/b ] }, { integrator: force_gradient, steps: 1, monomials: "
    "[ gauge ] }"
};
static const miniature hisq = {
    "HISQ quarks",
    "  - kind: staggered\n"
    "    name: quarks\n"
    "    determinants:\n"
    "      - { quarks: [ { mass: 0.4, flavors: 2 }, { mass: 0.6, flavors: 1 } ], hasenbusch: [ { mass: 1 } ] }\n"
    "    measure_every: 2\n"
    "    " ERRORS "\n" RESIDUALS,
    "{ integrator: omelyan, steps: 2, monomials: [ quarks ] }, { integrator: omelyan, steps: 1, monomials: [ gauge ] }"
};
static const miniature dwf = {
    "domain-wall quarks",
    "  - kind: domain_wall\n"
    "    name: quarks\n"
    "    action: mobius\n"
    "    Ls: 4\n"
    "    determinants:\n"
    "      - { flavors: 2, mass: 0.4, hasenbusch: [ { mass: 0.8 } ], chronological: 3 }\n" RESIDUALS
    "    solver: double-single\n",
    "{ integrator: leapfrog, steps: 4, monomials: [ quarks ] }, { integrator: leapfrog, steps: 2, monomials: "
    "[ gauge ] }"
};
static const miniature single_dwf = {
    "domain-wall quarks of one flavor",
    "  - kind: domain_wall\n"
    "    name: quarks\n"
    "    action: mobius\n"
    "    Ls: 4\n"
    "    determinants:\n"
    "      - { flavors: 1, mass: 0.4, method: exact, " ERRORS " }\n"
    "      - { flavors: 1, mass: 0.5, method: rational, " ERRORS " }\n" RESIDUALS,
    "{ integrator: leapfrog, steps: 2, monomials: [ quarks, gauge ] }"
};

enum { SEED = 31, DIGEST = 77, NUMBER = 10 };             /* before every tenth trajectory spectra are measured */

static run_system program_create(const miniature *m, place where, int seed, const char *folder)
{
    return run_system_create(where, PRECISION_DOUBLE, INPUT, seed, m->monomials, m->levels, folder);
}

/* Between lattices of two programs. */
static void copy_links(gauge *to, const gauge *from)
{
    double *links = links_of(from);
    gauge_import(to, links);
    memory_free(links);
}

/* Another program of the same input, with the links and the memory of this one. */
static run_system program_after(const run_system *x, const miniature *m, place where, const char *folder)
{
    run_system y = program_create(m, where, SEED, folder);
    state_memory memory;
    copy_links(y.u, x->u);
    hmc_get_memory(x->h, &memory);
    hmc_set_memory(y.h, &memory);
    return y;
}

/* The first trajectory, so that there is a past. */
static run_system program_begun(const miniature *m, place where, const char *folder)
{
    run_system x = program_create(m, where, SEED, folder);
    json report = { 0 };
    gauge_set_random(x.u, rng_key_for(SEED, 0, 0, RNG_START_LINKS));
    hmc_outcome o = hmc_trajectory(x.h, x.u, NUMBER - 1, NULL, NULL);
    require(o.failure.step == STEP_NONE, "%s", o.failure.why.why);
    json_open(&report, NULL, '{');
    for (int t = 0; t < hmc_term_count(x.h); t++)
        monomial_report(hmc_terms(x.h)[t].m, &report);
    json_free(&report);
    return x;
}

static uint64_t digest_of_links(const gauge *u)
{
    size_t count = (size_t)lattice_volume(u->links.lattice) * GAUGE_REALS;
    double *numbers = memory_alloc(count * sizeof *numbers, "links");
    gauge_export(numbers, u);
    uint64_t digest = digest64(DIGEST64_START, numbers, count * sizeof *numbers);
    memory_free(numbers);
    return digest;
}

/* All that a trajectory comes to, in words: its outcome, what its terms report, the links. */
static json story_of(const run_system *x, const hmc_outcome *o)
{
    json j = { 0 };
    char links[32];
    snprintf(links, sizeof links, "%016" PRIx64, digest_of_links(x->u));
    json_open(&j, NULL, '{');
    json_bool(&j, "accepted", o->accepted);
    json_bool(&j, "tested", o->tested);
    json_real(&j, "dH", o->dh);
    json_real(&j, "random", o->random);
    json_real(&j, "before", o->before.total);
    json_real(&j, "after", o->after.total);
    json_real(&j, "unitarity", o->unitarity);
    json_text(&j, "links", links);
    for (int t = 0; t < hmc_term_count(x->h); t++) {
        json_open(&j, hmc_terms(x->h)[t].name, '{');
        json_real(&j, "before", o->before.term[t]);
        json_real(&j, "after", o->after.term[t]);
        json_real(&j, "rms", o->force[t].rms);
        json_real(&j, "max", o->force[t].max);
        monomial_report(hmc_terms(x->h)[t].m, &j);
        json_close(&j);
    }
    json_close(&j);
    return j;
}

/* Leaves at the next step, and keeps the mid-trajectory checkpoint. */
typedef struct { const run_system *x; const clock_tree *clock; double joules; bool kept; } leaving;
static bool keep_and_leave(void *of)
{
    leaving *w = of;
    failure why;
    const midtrajectory_label label = { NUMBER, DIGEST, 1.5, w->joules };
    w->kept = midtrajectory_write(&w->x->in->p, &label, w->x->h, w->x->u, w->clock, &why);
    if (!w->kept)
        note("%s", why.why);
    return true;
}

static midtrajectory_label label_now(void)
{
    return (midtrajectory_label){ .trajectory = NUMBER, .input_digest = DIGEST };
}

static int midtrajectories_in(const scratch *s, const char *ending)
{
    int n = 0;
    DIR *d = opendir(s->folder);
    for (struct dirent *e; (e = readdir(d));) {
        size_t length = strlen(e->d_name);
        n += strncmp(e->d_name, "midtrajectory.", 7) == 0 && length >= strlen(ending)
             && strcmp(e->d_name + length - strlen(ending), ending) == 0;
    }
    closedir(d);
    return n;
}

static void remove_midtrajectory(const scratch *s)
{
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'/midtrajectory.*", s->folder);
    require(system(command) == 0, "%s cannot be emptied", s->folder);
}

static long calls_of(const clock_tree *c, const char *timer)
{
    long calls = 0;
    for (int n = 0; n < c->count; n++)
        calls += strcmp(c->node[n].name, timer) == 0 ? c->node[n].calls : 0;
    return calls;
}

/* From program to program, each of which goes on by one step; and here and there where that is possible. */
static void left_at_every_step(const miniature *m, place where)
{
    const char *name = m->name, *here = place_name(where);
    const place other = place_is_there(PLACE_GPU) && where == PLACE_CPU ? PLACE_GPU : PLACE_CPU;
    scratch s = scratch_create();
    run_system first = program_begun(m, where, s.folder);
    run_system x = program_after(&first, m, where, s.folder), whole = program_after(&first, m, where, s.folder);
    hmc_outcome o = hmc_trajectory(whole.h, whole.u, NUMBER, NULL, NULL);
    json expected = story_of(&whole, &o);
    const uint64_t start = digest_of_links(x.u);
    clock_tree *clock = memory_alloc(sizeof *clock, "timers");
    leaving w = { .x = &x, .clock = clock, .joules = 2.5 };
    const evolve_watch watch = { keep_and_leave, &w };
    int left = 0;
    bool kept = true, resumed = true, back = true, one = true;
    o = hmc_trajectory(x.h, x.u, NUMBER, clock, &watch);
    while (o.interrupted && kept && resumed) {
        left++;
        kept = w.kept;
        back &= digest_of_links(x.u) == start;
        run_system next = program_after(&first, m, left % 2 ? other : where, s.folder);
        run_system_free(&x);
        x = next;
        midtrajectory_label label = label_now();
        resumed = midtrajectory_resume(&x.in->p, &label, x.h, x.u, clock) && label.seconds == 1.5
                  && (left % 2 ? label.joules == 2.5 : isnan(label.joules));
        w.joules = left % 2 ? NAN : 2.5;                 /* unknown on a machine without counters */
        one &= midtrajectories_in(&s, "") == 1;
        if (resumed)
            o = hmc_go_on(x.h, x.u, NUMBER, clock, &watch);
    }
    json got = story_of(&x, &o);
    fact(left >= 2 && kept && resumed, "%s, %s: a trajectory is left, and taken up by another program, %d times", name,
         here, left);
    fact(back, "%s, %s: who leaves it has the links it began with", name, here);
    fact(one, "%s, %s: of moments, the last one stays", name, here);
    fact(calls_of(clock, "prepare") == 1 && calls_of(clock, "dynamics") == 1 && clock_seconds(clock, "dynamics") > 0,
         "%s, %s: timers go on with it", name, here);
    if (!fact(strcmp(json_string(&got), json_string(&expected)) == 0,
              "%s, %s: it comes to the same links, energies, forces and reports, to the last bit", name, here)) {
        note("undisturbed: %s", json_string(&expected));
        note("left:        %s", json_string(&got));
    }
    json_free(&got);
    json_free(&expected);
    memory_free(clock);
    run_system_free(&first);
    run_system_free(&x);
    run_system_free(&whole);
    remove_midtrajectory(&s);
    scratch_remove(&s);
}

/* ---- what is not taken up */

/* Keeps the moment of a few steps on. */
typedef struct { leaving now; int steps; } later;
static bool keep_later(void *of)
{
    later *w = of;
    return --w->steps == 0 && keep_and_leave(&w->now);
}

static run_system left_within(const miniature *m, const char *folder)
{
    run_system x = program_begun(m, PLACE_CPU, folder);
    clock_tree *clock = memory_alloc(sizeof *clock, "timers");
    later w = { { &x, clock, 0, false }, 3 };
    const evolve_watch watch = { keep_later, &w };
    hmc_outcome o = hmc_trajectory(x.h, x.u, NUMBER, clock, &watch);
    require(o.interrupted && w.now.kept, "no moment could be kept");
    memory_free(clock);
    return x;
}

/* The folder of the mid-trajectory checkpoint whose name ends so. */
static bool find_midtrajectory(char path[600], const scratch *s, const char *ending)
{
    DIR *d = opendir(s->folder);
    bool found = false;
    for (struct dirent *e; !found && (e = readdir(d));) {
        size_t length = strlen(e->d_name);
        found = strncmp(e->d_name, "midtrajectory.", 7) == 0 && length >= strlen(ending)
                && strcmp(e->d_name + length - strlen(ending), ending) == 0;
        if (found)
            snprintf(path, 600, "%s/%s", s->folder, e->d_name);
    }
    closedir(d);
    return found;
}

/* One bit of a file, `part` of the way to its end. */
static void flip(const char *path, double part)
{
    blob b = blob_read(path);
    size_t at = (size_t)(part * (double)(b.n - 1));
    b.bytes[at] ^= 1;
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
}

/* Whether the mid-trajectory checkpoint is refused and set aside; then it has its name again. */
static bool refused(const scratch *s, run_system *y, midtrajectory_label label, clock_tree *clock)
{
    char path[600], aside[600];
    const uint64_t links = digest_of_links(y->u);
    if (!find_midtrajectory(path, s, ""))
        return false;
    bool ok = !midtrajectory_resume(&y->in->p, &label, y->h, y->u, clock) && clock->count == 0 && label.seconds == 0
              && digest_of_links(y->u) == links && find_midtrajectory(aside, s, ".corrupt");
    return ok && rename(aside, path) == 0;
}

static void not_resumed(const miniature *m)
{
    static const double parts[] = { 0.45, 1 };
    scratch s = scratch_create();
    run_system x = left_within(m, s.folder);
    run_system y = program_after(&x, m, PLACE_CPU, s.folder), whole = program_after(&x, m, PLACE_CPU, s.folder);
    clock_tree *clock = memory_alloc(sizeof *clock, "timers");
    char folder[600], path[1000];
    bool found = find_midtrajectory(folder, &s, "");
    int files = 0;
    DIR *d = found ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        files++;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        bool all = true;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            flip(path, parts[i]);
            all &= refused(&s, &y, label_now(), clock);
            flip(path, parts[i]);
        }
        fact(all, "%s: a moment with a bit of %s turned over is set aside, and nothing else is changed", m->name,
             e->d_name);
        blob b = blob_read(path);
        blob_write(path, b.bytes, b.n / 2);
        all = refused(&s, &y, label_now(), clock) && unlink(path) == 0;
        all = all && refused(&s, &y, label_now(), clock);
        blob_write(path, b.bytes, b.n);
        free(b.bytes);
        fact(all, "%s: so is one with half of %s, or without it", m->name, e->d_name);
    }
    if (d)
        closedir(d);
    fact(files >= 4, "%s: a moment has %d files", m->name, files);

    midtrajectory_label other = label_now();
    other.input_digest++;
    fact(refused(&s, &y, other, clock), "%s: so is one of another input", m->name);
    run_system seeded = program_create(m, PLACE_CPU, SEED + 1, s.folder);
    copy_links(seeded.u, x.u);
    fact(refused(&s, &seeded, label_now(), clock), "%s: one of another seed", m->name);
    run_system_free(&seeded);
    run_system cold = program_create(m, PLACE_CPU, SEED, s.folder);
    gauge_set_unit(cold.u);
    fact(refused(&s, &cold, label_now(), clock), "%s: one that began with other links", m->name);
    run_system_free(&cold);
    other = label_now();
    other.trajectory--;
    fact(refused(&s, &y, other, clock), "%s: one of a trajectory that does not follow", m->name);

    hmc_outcome o = hmc_trajectory(whole.h, whole.u, NUMBER, NULL, NULL), again;
    json expected = story_of(&whole, &o);
    again = hmc_trajectory(y.h, y.u, NUMBER, NULL, NULL);
    json got = story_of(&y, &again);
    fact(strcmp(json_string(&got), json_string(&expected)) == 0,
         "%s: begun anew after all that, the trajectory is the undisturbed one", m->name);
    json_free(&got);
    json_free(&expected);
    run_system_free(&y);

    y = program_after(&x, m, PLACE_CPU, s.folder);
    midtrajectory_label label = label_now();
    fact(midtrajectory_resume(&y.in->p, &label, y.h, y.u, clock), "%s: once mended, the moment is taken up", m->name);
    midtrajectory_forget(s.folder, NUMBER - 1);
    fact(midtrajectories_in(&s, "") == 1, "%s: it stays while its trajectory is not done", m->name);
    midtrajectory_forget(s.folder, NUMBER);
    fact(midtrajectories_in(&s, "") == 0, "%s: and not longer", m->name);
    memory_free(clock);
    run_system_free(&x);
    run_system_free(&y);
    run_system_free(&whole);
    remove_midtrajectory(&s);
    scratch_remove(&s);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        left_at_every_step(&gluons, where);
        left_at_every_step(&hisq, where);
        left_at_every_step(&dwf, where);
        left_at_every_step(&single_dwf, where);
    }
    not_resumed(&gluons);
    not_resumed(&dwf);
    return facts_end();
}
