/* sdc_check.c - one evaluation of a term, or the sweeps over all links, repeated and compared bit by bit. */
#include "src/ensemble/sdc_check.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/ensemble/folder_files.h"
#include "src/ensemble/sdc_machines.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"
#include "src/lattice/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MISMATCH "sdc."

/* ---- which step and term to check */

static double draw_comparison(rng_key key, uint32_t number)
{
    philox_words w = rng_words(key, 0, number);
    return rng_uniform(w.v[0], w.v[1]);
}

sdc_check_choice sdc_check_choose(const run_params *p, const hmc *h, int64_t trajectory)
{
    enum { WHETHER, STEP, TERM, WHAT };
    const rng_key key = rng_key_for((uint64_t)p->random.seed, (uint32_t)p->random.stream, (uint64_t)trajectory,
                                    RNG_SDC_CHECK);
    const evolver *dynamics = hmc_dynamics(h);
    const int64_t points = dynamics ? evolver_points(dynamics) : 0;
    const bool sweeps = run_is_pure_gauge(p);
    if ((points == 0 && !sweeps) || !(draw_comparison(key, WHETHER) < p->sdc_check.rate))
        return (sdc_check_choice){ .step = -1 };
    if (sweeps)
        return (sdc_check_choice){ .what = SDC_CHECK_SWEEPS };
    return (sdc_check_choice){ .step = evolver_point(dynamics, (int64_t)(draw_comparison(key, STEP) * (double)points)),
                              .term = (int)(draw_comparison(key, TERM) * hmc_term_count(h)),
                              .what = draw_comparison(key, WHAT) < 0.5 ? SDC_CHECK_ACTION : SDC_CHECK_FORCE };
}

/* ---- the state of a term, saved before an evaluation and restored after it */

typedef struct { number_row progress; int count; field *kept; } term_state;

static term_state state_of(monomial *m)
{
    term_state s = { .count = 0 };
    monomial_progress(m, &s.progress);
    while (monomial_start_vector(m, s.count))
        s.count++;
    s.kept = memory_alloc((size_t)s.count * sizeof *s.kept, "start vectors put aside");
    for (int i = 0; i < s.count; i++) {
        const field *x = monomial_start_vector(m, i);
        field aside = *x;
        aside.where = PLACE_CPU;
        s.kept[i] = field_create_slabs(&aside, "a start vector put aside");
        field_copy(&s.kept[i], x);
    }
    return s;
}

static void put_back(monomial *m, term_state *s)
{
    number_row_rewind(&s->progress);
    monomial_progress(m, &s->progress);
    for (int i = 0; i < s->count; i++)
        field_copy(monomial_start_vector(m, i), &s->kept[i]);
}

static void state_free(term_state *s)
{
    number_row_free(&s->progress);
    for (int i = 0; i < s->count; i++)
        field_free(&s->kept[i]);
    memory_free(s->kept);
}

/* ---- two evaluations */

/* The size of a force: its cells, in normal form. */
typedef struct { sum_cell sum[FORCE_SUMS]; max_cell largest[FORCE_MAXIMA]; } force_cells;

/* A result: an action; a force, where it was calculated, and its size; or the links after sweeps. */
typedef struct {
    bool done;
    double action;
    field *numbers;                     /* borrowed; NULL of an action */
    force_cells size;
    failure why;
} result;

/* The force, or the action if `force` is NULL. */
static result evaluate_quantity(monomial *m, const gauge *u, momentum *force)
{
    monomial_call call = { .clock = NULL };
    result r = { .numbers = force ? &force->f : NULL };
    if (!force)
        r.done = monomial_action(&r.action, m, u, &call);
    else {
        sum_array size = monomial_size_create(u);
        r.done = monomial_add_force(m, u, force, 1, size.cells, &call);
        sums_read((sum_cells){ r.size.sum, r.size.largest }, &size);
        sums_free(&size);
    }
    r.why = call.failure;
    return r;
}

/* ---- the folder of a mismatch */

typedef struct {
    const sdc_check_choice *choice;
    int64_t trajectory;
    const char *term;
    size_t differ;
    sdc_machines machines;
} mismatch;

static const char *what_of(const sdc_check_choice *c)
{
    static const char *const names[] = { "force", "action", "sweeps" };
    return names[c->what];
}

static const char *term_of(const sdc_check_choice *c, const hmc *h)
{
    return c->what == SDC_CHECK_SWEEPS ? "links" : hmc_terms(h)[c->term].name;
}

static bool write_facts(const char *folder, const mismatch *m, const result *first, const result *second, failure *f)
{
    json j = { 0 };
    text path = path_in_folder(folder, "sdc.json");
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", m->trajectory);
    json_int(&j, "step", m->choice->step);
    json_text(&j, "term", m->term);
    json_text(&j, "what", what_of(m->choice));
    json_text(&j, "host", m->machines.host);
    json_text(&j, "device", m->machines.device);
    json_text(&j, "ranks", comm_size(comm_world()) > 1 ? m->machines.where : NULL);
    if (m->choice->what == SDC_CHECK_ACTION) {
        json_real(&j, "first", first->action);
        json_real(&j, "second", second->action);
    } else
        json_int(&j, "numbers_that_differ", (int64_t)m->differ);
    json_text(&j, "first_failure", first->done ? NULL : first->why.why);
    json_text(&j, "second_failure", second->done ? NULL : second->why.why);
    json_close(&j);
    bool ok = safe_file_write_text(text_string(&path), json_string(&j), false, f);
    json_free(&j);
    text_free(&path);
    return ok;
}

static text folder_number(const char *directory, int64_t trajectory, int n)
{
    text path = { 0 };
    text_add(&path, "%s/" MISMATCH "%06" PRId64, directory, trajectory);
    if (n > 1)
        text_add(&path, ".%d", n);
    return path;
}

int sdc_check_mismatches(const char *directory, int64_t trajectory)
{
    for (int n = 1;; n++) {
        text path = folder_number(directory, trajectory, n);
        bool is_there = disk_has_name(text_string(&path));
        text_free(&path);
        if (!is_there)
            return n - 1;
    }
}

static bool write_numbers(const char *folder, const char *name, const result *r, failure *f)
{
    if (!r->numbers)
        return true;
    const slice_source slices = field_slices(r->numbers);
    return folder_write(folder, name, &slices, array_shape_of_field(r->numbers), f);
}

static bool keep_results(text *path, const char *directory, const mismatch *m, const result *first,
                         const result *second, failure *f)
{
    text partial;
    char name[64];
    snprintf(name, sizeof name, MISMATCH "%06" PRId64, m->trajectory);
    *path = folder_number(directory, m->trajectory, sdc_check_mismatches(directory, m->trajectory) + 1);
    bool made = folder_begin(&partial, directory, name, f);
    const char *folder = text_string(&partial);
    bool ok = made && write_facts(folder, m, first, second, f)
              && write_numbers(folder, "first.npy", first, f) && write_numbers(folder, "second.npy", second, f)
              && folder_keep(directory, folder, text_string(path), f);
    if (made && !ok)
        folder_abandon(folder, f);
    text_free(&partial);
    return ok;
}

static void report_mismatch(failure *said, const char *directory, const mismatch *m, const result *first,
                            const result *second)
{
    text path;
    failure why;
    const bool kept = keep_results(&path, directory, m, first, second, &why);
    fail(said, "trajectory %" PRId64 ", step %" PRId64 ": two evaluations of the %s of %s differ, on %s: suspect "
               "the hardware; %s %s", m->trajectory, m->choice->step, what_of(m->choice), m->term,
         m->machines.where, kept ? "both are in" : "they could not be saved:", kept ? text_string(&path) : why.why);
    text_free(&path);
}

/* ---- the check */

static void disturb_result(const sdc_check_task *t, field *force_or_links, double *action)
{
    if (t->hook && t->hook->disturb)
        t->hook->disturb(t->hook->with, t->trajectory, force_or_links, action);
}

/* Both results; memory for two forces, or for links after sweeps. */
typedef struct { result r[2]; momentum *force[2]; gauge *again; } comparison;

static void ask_twice(comparison *c, const sdc_check_task *t, monomial *m, gauge *u)
{
    const field *links = &u->links;
    term_state before = state_of(m);
    for (int i = 0; i < 2; i++) {
        if (t->choice->what == SDC_CHECK_FORCE)
            c->force[i] = momentum_create(links->lattice, links->where, links->precision);
        c->r[i] = evaluate_quantity(m, u, c->force[i]);
        put_back(m, &before);
        if (i == 0) {
            disturb_result(t, c->r[0].numbers, &c->r[0].action);
            gauge_forget_derived(u);
        }
    }
    state_free(&before);
}

static void sweep_again(comparison *c, const sdc_check_task *t, hmc *h, gauge *u)
{
    c->again = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    hmc_repeat_sweeps(h, c->again, t->trajectory);
    c->r[0] = (result){ .done = true, .numbers = &u->links };
    c->r[1] = (result){ .done = true, .numbers = &c->again->links };
    disturb_result(t, &u->links, &c->r[0].action);
}

sdc_check_verdict sdc_check_compare(const run_params *p, hmc *h, gauge *u, const sdc_check_task *t, failure *said)
{
    const sdc_check_choice *c = t->choice;
    mismatch found = { .choice = c, .trajectory = t->trajectory, .term = term_of(c, h) };
    comparison both = { .again = NULL };
    const result *r = both.r;
    sdc_differences differ = { 0, 0 };
    if (c->what == SDC_CHECK_SWEEPS)
        sweep_again(&both, t, h, u);
    else
        ask_twice(&both, t, hmc_terms(h)[c->term].m, u);
    if (r[0].numbers)
        differ = sdc_count_differences(r[0].numbers, r[1].numbers);
    bool same = r[0].done == r[1].done && differ.all == 0
                && memcmp(&r[0].action, &r[1].action, sizeof r[0].action) == 0
                && memcmp(&r[0].size, &r[1].size, sizeof r[0].size) == 0;
    same = comm_agree(comm_world(), same, NULL);
    const sdc_check_verdict verdict = !r[0].done && !r[1].done ? SDC_CHECK_UNABLE
                                     : same                   ? SDC_CHECK_SAME
                                                              : SDC_CHECK_DIFFERS;
    if (verdict == SDC_CHECK_DIFFERS) {
        found.differ = differ.all;
        found.machines = sdc_machines_find(differ.mine > 0, u->links.where);
        report_mismatch(said, p->output.directory, &found, &r[0], &r[1]);
    }
    momentum_free(both.force[0]);
    momentum_free(both.force[1]);
    gauge_free(both.again);
    return verdict;
}

/* ---- the record */

void sdc_check_to_json(json *j, const run_params *p, const hmc *h, const sdc_check_choice *c, int64_t trajectory)
{
    json_open(j, NULL, '{');
    json_text(j, "term", term_of(c, h));
    json_text(j, "what", what_of(c));
    json_int(j, "step", c->step);
    json_int(j, "mismatches", sdc_check_mismatches(p->output.directory, trajectory));
    json_close(j);
}

void sdc_check_sweep(const char *directory)
{
    folders_sweep(directory, MISMATCH);
}
