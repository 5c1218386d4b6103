/* tune.c - warm up, learn, choose, prove. */
#include "src/tune/tune.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/tune_stages.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* dH of trajectories to learn from: large enough to be seen, small enough to be accepted and of leading order. */
#define DH_LEAST 0.15
#define DH_MOST 1.0
#define DH_LOST 10.0                       /* of a trajectory that is not used, not even to warm up */

/* Parts of the time that each stage may have used up at its end. */
#define THERMALIZATION_PART 0.35
#define LEARN_PART 0.65
#define PROOF_PART 0.95

/* Steps of a start that is run again are so many times fewer, and its dH at least so large: above what forces are
 * solved to. */
#define COARSER 0.66

enum { TRIES = 12, PROOF_LEAST = 4 };

bool tune_check(const run_params *p, failure *f)
{
    if (run_is_pure_gauge(p))
        return fail(f, "links are drawn one by one (quenched): there is no integrator to be tuned");
    if (run_monomial_count(p) > LAB_TERMS)
        return fail(f, "%d monomials, but at most %d can be tuned", run_monomial_count(p), LAB_TERMS);
    return true;
}

static bool run(tuning *t, const tune_setting *s, double *dh)
{
    return lab_run(t->l, s->level, s->count, dh, t->f);
}

static void set_steps(tune_setting *s, double steps)
{
    const int64_t g = tune_granularity(&s->level[0]);
    s->level[0].steps = (int64_t)fmax(1, ceil(steps / (double)g - 1e-9)) * g;
}

/* Other steps, where dH is too large or too small to learn from; whether there are any. */
static bool follow(tune_setting *s, double dh)
{
    const int64_t before = s->level[0].steps;
    if (!isfinite(dh) || fabs(dh) > DH_LOST)
        set_steps(s, 2.0 * (double)before);
    else if (fabs(dh) > 2 * DH_MOST)
        set_steps(s, 1.4 * (double)before);
    else if (fabs(dh) < DH_LEAST)
        set_steps(s, 0.7 * (double)before);
    return s->level[0].steps != before;
}

static bool thermalization(tuning *t, tune_setting *s, int64_t trajectories)
{
    int lost = 0;
    for (int64_t n = 0; n < trajectories && tune_has_time(t, THERMALIZATION_PART); ) {
        double dh;
        if (!lab_begin(t->l, t->f) || !run(t, s, &dh))
            return false;
        t->number++;
        log_progress("thermalization %" PRId64 "/%" PRId64 "  %" PRId64 " steps  dH %+.3g  plaquette %.6f", n + 1,
                     trajectories, s->level[0].steps, dh, gauge_plaquette(t->u).average);
        if (!isfinite(dh) || fabs(dh) > DH_LOST) {
            lab_return(t->l);
            if (++lost > TRIES)
                return fail(t->f, "dH stays at %g with %" PRId64 " steps: nothing can be learnt from this start", dh,
                            s->level[0].steps);
        } else {
            gauge_reunitarize(t->u);
            n++;
        }
        follow(s, dh);
        t->r->warmed_up = (int)n;
    }
    return true;
}

/* Steps with which dH is of a size to learn from, on links that are thermalised. */
static bool find_steps(tuning *t, tune_setting *s)
{
    int64_t too_few = 0;
    for (int i = 0; i < TRIES / 2; i++) {
        double dh;
        if (!lab_begin(t->l, t->f) || !run(t, s, &dh))
            return false;
        t->number++;
        log_progress("looking for steps: %" PRId64 ", dH %+.3g", s->level[0].steps, dh);
        lab_accept(t->l, dh);
        const int64_t before = s->level[0].steps;
        if (!follow(s, dh))
            return true;
        if (s->level[0].steps > before)
            too_few = before;
        if (s->level[0].steps <= too_few) {
            s->level[0].steps = before;
            return true;
        }
    }
    return true;
}

/* The start of the trajectory at hand again, with fewer steps: how dH grows. */
static bool measure_order(tuning *t, const tune_setting *s, double dh)
{
    tune_setting coarse = *s;
    tune_result *r = t->r;
    set_steps(&coarse, COARSER * (double)s->level[0].steps);
    if (coarse.level[0].steps >= s->level[0].steps)
        return true;
    lab_return(t->l);
    if (!run(t, &coarse, &r->order_dh[1]))
        return false;
    r->order_dh[0] = dh;
    r->order_steps[0] = s->level[0].steps;
    r->order_steps[1] = coarse.level[0].steps;
    r->order = log(r->order_dh[1] / dh) / log((double)s->level[0].steps / (double)coarse.level[0].steps);
    return true;
}

static brackets change_of(const brackets *from, const brackets *to, int terms)
{
    brackets b = { .d = { 0 } };
    for (int s = 0; s < terms; s++) {
        b.d[s] = to->d[s] - from->d[s];
        for (int u = 0; u < terms; u++)
            b.ff[s][u] = to->ff[s][u] - from->ff[s][u];
    }
    return b;
}

/* Sizes of the forces, at the ends of trajectories. */
typedef struct { double sum[LAB_TERMS], sum2[LAB_TERMS]; int count; } force_sums;

static void add_forces(force_sums *sums, const brackets *b, int terms)
{
    for (int s = 0; s < terms; s++) {
        sums->sum[s] += b->ff[s][s];
        sums->sum2[s] += b->ff[s][s] * b->ff[s][s];
    }
    sums->count++;
}

static void conclude_forces(tune_result *r, const force_sums *sums, double links)
{
    for (int s = 0; s < r->terms; s++) {
        const double mean = sums->sum[s] / sums->count, variance = sums->sum2[s] / sums->count - mean * mean;
        r->force[s] = (force_size){ sqrt(mean / links), sqrt(fmax(variance, 0)) / (2 * sqrt(mean * links)) };
    }
}

/* One trajectory with brackets at both ends into the model; links go on by Metropolis' test. */
static bool learn_one(tuning *t, const tune_setting *s, force_sums *sums, double *dh, bool *accepted)
{
    brackets start, end;
    if (!lab_begin(t->l, t->f) || !lab_brackets(t->l, &start, t->f) || !run(t, s, dh))
        return false;
    t->number++;
    *accepted = false;
    if (!isfinite(*dh)) {
        lab_return(t->l);
        return true;
    }
    if (!lab_brackets(t->l, &end, t->f))
        return false;
    const brackets change = change_of(&start, &end, t->model.terms);
    tune_add(&t->model, s, &change, *dh);
    if (sums) {
        add_forces(sums, &start, t->model.terms);
        add_forces(sums, &end, t->model.terms);
    }
    return true;
}

/* Measured dH over its prediction of second order: the least-squares slope, and its error from the scatter. */
static void conclude_slope(tune_result *r, const tune_model *m)
{
    double mp = 0, pp = 0, scatter = 0;
    for (int i = 0; i < m->samples; i++) {
        mp += m->sample[i].dh * m->sample[i].predicted;
        pp += m->sample[i].predicted * m->sample[i].predicted;
    }
    r->slope = mp / pp;
    for (int i = 0; i < m->samples; i++)
        scatter += pow(m->sample[i].dh - r->slope * m->sample[i].predicted, 2);
    r->slope_error = m->samples > 1 ? sqrt(scatter / (m->samples - 1) / pp) : NAN;
}

static bool learn(tuning *t, tune_setting *s)
{
    force_sums sums = { .count = 0 };
    t->r->order = NAN;
    for (int64_t n = 0; n < t->w->learn && (n < 2 || tune_has_time(t, LEARN_PART)); n++) {
        double dh;
        bool accepted;
        if (!learn_one(t, s, &sums, &dh, &accepted))
            return false;
        const tune_sample *x = &t->model.sample[t->model.samples - 1];
        log_progress("learning %" PRId64 "/%" PRId64 "  %" PRId64 " steps  dH %+.4g, %+.4g predicted", n + 1,
                     t->w->learn, s->level[0].steps, dh, isfinite(dh) ? x->predicted : NAN);
        if (n == 0 && isfinite(dh) && !measure_order(t, s, dh))
            return false;
        lab_accept(t->l, n == 0 && isfinite(t->r->order) ? t->r->order_dh[1] : dh);
    }
    if (t->model.samples < 2)
        return fail(t->f, "dH is not a number with %" PRId64 " steps: nothing can be learnt", s->level[0].steps);
    t->r->learnt = t->model.samples;
    conclude_slope(t->r, &t->model);
    conclude_forces(t->r, &sums, 4 * (double)lattice_volume(t->u->links.lattice));
    return true;
}

/* Trajectories with the setting that was chosen. */
static bool prove(tuning *t, const tune_setting *s, const tune_prediction *predicted)
{
    tune_proof *p = &t->r->proof[t->r->proofs++];
    double two = 0, four = 0, e = 0, ee = 0;
    int accepted = 0;
    *p = (tune_proof){ .setting = *s, .predicted = *predicted };
    for (int64_t n = 0; n < t->w->prove && (n < PROOF_LEAST || tune_has_time(t, PROOF_PART)); n++) {
        double dh;
        bool done;
        if (!learn_one(t, s, NULL, &dh, &done))
            return false;
        const double weight = isfinite(dh) ? exp(-dh) : 0, d = isfinite(dh) ? dh : DH_LOST;
        done = lab_accept(t->l, dh);
        accepted += done;
        two += d * d;
        four += d * d * d * d;
        e += weight;
        ee += weight * weight;
        p->trajectories++;
        log_progress("proving %" PRId64 "/%" PRId64 "  dH %+.4g  %s", n + 1, t->w->prove, dh,
                     done ? "accepted" : "rejected");
    }
    const double n = p->trajectories;
    p->variance = two / n;
    p->variance_error = sqrt(fmax(four / n - p->variance * p->variance, 2 * p->variance * p->variance) / n);
    p->accepted = accepted / n;
    p->exp_minus_dh = e / n;
    /* A few trajectories that miss the rare large ones scatter too little: at least as dH of the predicted variance. */
    p->exp_error = sqrt(fmax(ee / n - p->exp_minus_dh * p->exp_minus_dh, expm1(predicted->variance)) / n);
    tune_judge(p);
    return true;
}

static bool same_setting(const tune_setting *a, const tune_setting *b)
{
    for (int e = 0; e < a->count; e++)
        if (a->level[e].steps != b->level[e].steps || a->level[e].lambda != b->level[e].lambda)
            return false;
    return true;
}

/* A lab that has just been opened has none: then those of the model hold on. */
static lab_times times_of(const tuning *t)
{
    const lab_times measured = lab_times_of(t->l);
    return t->w->times ? *t->w->times : measured.energy > 0 ? measured : t->model.times;
}

static bool choose_and_prove(tuning *t)
{
    tune_result *r = t->r;
    for (int round = 0; round < TUNE_PROOFS; round++) {
        tune_prediction found;
        r->times = t->model.times = times_of(t);
        const tune_setting chosen = tune_find(&t->model, &r->before, t->w->target, t->w->lambdas, &found);
        const bool proven = round > 0 && same_setting(&chosen, &r->after);
        r->after = chosen;
        if (proven || t->w->prove == 0)
            break;
        if (round > 0 && !tune_has_time(t, PROOF_PART)) {
            r->in_time = false;
            break;
        }
        if (!prove(t, &r->after, &found))
            return false;
        const tune_proof *p = &r->proof[r->proofs - 1];
        t->model.times = times_of(t);
        if (p->agrees && tune_is_reached(p, t->w->target)
            && tune_predict(&t->model, &r->after).acceptance >= t->w->target)
            break;
    }
    r->times = t->model.times = times_of(t);
    r->now = tune_predict(&t->model, &r->before);
    r->then = tune_predict(&t->model, &r->after);
    r->reached = r->then.acceptance >= t->w->target
                 && (r->proofs == 0 || tune_is_reached(&r->proof[r->proofs - 1], t->w->target));
    return true;
}

static bool go(tuning *t, bool thermalised)
{
    tune_result *r = t->r;
    tune_setting s = r->before;
    if (!tune_open_lab(t) || (!thermalised && !thermalization(t, &s, t->w->thermalization)) || !find_steps(t, &s))
        return false;
    r->plaquette = gauge_plaquette(t->u).average;
    if (!learn(t, &s))
        return false;
    r->in_time = r->learnt >= t->w->learn;
    t->model.times = times_of(t);
    if (t->w->masses && !tune_masses(t))
        return false;
    if (t->w->solvers && !tune_solvers(t))
        return false;
    return choose_and_prove(t);
}

bool tune_run(tune_result *r, const tune_task *task, failure *f)
{
    evolve_term terms[HMC_TERMS];
    tuning *t = memory_alloc(sizeof *t, "tuning");
    const run_params *p = &task->in->p;
    *t = (tuning){ .r = r, .w = task->request, .source = task->source, .in = task->in, .u = task->u,
                   .memory = *task->memory, .began = clock_now(), .stop = task->stop, .f = f };
    *r = (tune_result){ .terms = run_monomial_count(p) };
    schedule_free(hmc_plan(p, terms));
    t->model.terms = r->terms;
    t->model.length = p->hmc.length;
    for (int n = 0; n < r->terms; n++) {
        t->model.level[n] = terms[n].level;
        memcpy(r->name[n], terms[n].name, sizeof r->name[n]);
    }
    r->before.count = p->hmc.levels.count;
    memcpy(r->before.level, p->hmc.levels.item, (size_t)r->before.count * sizeof *r->before.level);
    const bool done = go(t, task->thermalised);
    log_progress_end();
    r->took = clock_now() - t->began;
    lab_free(t->l);
    if (t->taken.tree)
        run_input_free(&t->taken);
    memory_free(t);
    return done;
}
