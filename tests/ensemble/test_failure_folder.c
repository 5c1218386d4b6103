/* test_failure_folder.c - a monomial that cannot go on: told where and why, kept, repeated; and numbers that a monomial
 * keeps between trajectories, which states on disk carry.
 *
 * The monomial is a gauge action with a field and a memory added, which fails where it is told to. */
#include "actions/gauge_action.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/ensemble/failure_folder.h"
#include "src/io/configuration.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"

#include <math.h>

/* %s: folder, integrator */
#define INPUT                                                                 \
    "lattice: [4, 4, 2, 4]\n"                                                 \
    "random: { seed: 77, stream: 5 }\n"                                       \
    "monomials:\n"                                                            \
    "  - { kind: gauge, name: quiet, action: wilson, beta: 0.5 }\n"           \
    "  - { kind: gauge, name: toy/1, action: wilson, beta: 5 }\n"             \
    "hmc:\n"                                                                  \
    "  trajectory_length: 0.5\n"                                              \
    "  trajectories: 1\n"                                                     \
    "  levels: [ { integrator: %s, steps: 3, monomials: [quiet, toy/1] } ]\n" \
    "output: { directory: \"%s\" }\n"
enum { TOY = 1 };

typedef struct {
    void *action;                       /* what a gauge action has here */
    hmc_step fails;                     /* where, */
    int calls;                          /* after so many calls that succeed */
    field phi[2];
    double memory[2];                   /* the last trajectory prepared for, and a number that history has made */
} toy;

static monomial action_of(const monomial *m)
{
    return (monomial){ &gauge_monomial, ((toy *)m->data)->action };
}

static bool toy_goes_on(monomial *m, hmc_step step, monomial_call *c)
{
    toy *t = m->data;
    return t->fails != step || t->calls-- > 0 || fail(&c->failure, "no luck with the %s", hmc_step_names[step]);
}

static bool toy_prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c)
{
    toy *t = m->data;
    t->memory[0] = (double)number;
    t->memory[1] = sqrt(t->memory[1] + gauge_plaquette(u).average);
    return toy_goes_on(m, STEP_PREPARE, c);
}

static bool toy_refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c)
{
    toy *t = m->data;
    momentum *p = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    momentum_set_gaussian(p, key);
    field_copy(&t->phi[0], &p->f);
    momentum_axpy(p, t->memory[1], p);
    field_copy(&t->phi[1], &p->f);
    momentum_free(p);
    return toy_goes_on(m, STEP_REFRESH, c);
}

static bool toy_action(double *value, monomial *m, const gauge *u, monomial_call *c)
{
    monomial inner = action_of(m);
    return gauge_monomial.action(value, &inner, u, c) && toy_goes_on(m, STEP_ACTION, c);
}

static bool toy_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c)
{
    monomial inner = action_of(m);
    return toy_goes_on(m, STEP_FORCE, c) && gauge_monomial.add_force(&inner, u, p, weight, size, c);
}

static int toy_get_memory(const monomial *m, double values[MONOMIAL_MEMORY])
{
    memcpy(values, ((toy *)m->data)->memory, sizeof ((toy *)m->data)->memory);
    return 2;
}

static void toy_set_memory(monomial *m, const double *values, int count)
{
    memcpy(((toy *)m->data)->memory, values, (size_t)count * sizeof *values);
}

static field *toy_field(monomial *m, int index, const char **name)
{
    if (index == 0 && name)
        *name = "phi";
    return index < 2 ? &((toy *)m->data)->phi[index] : NULL;
}

static void toy_report(monomial *m, json *j)
{
    json_real(j, "number", ((toy *)m->data)->memory[1]);
}

static void toy_warn(monomial *m, text *lines)
{
    (void)m;
    text_add(lines, "a number\n");
}

static void toy_free(monomial *m)
{
    toy *t = m->data;
    monomial inner = action_of(m);
    field_free(&t->phi[0]);
    field_free(&t->phi[1]);
    memory_free(t);
    gauge_monomial.free(&inner);
}

static const monomial_kind toy_monomial = { .free = toy_free, .refresh = toy_refresh, .action = toy_action,
                                            .add_force = toy_force, .prepare = toy_prepare,
                                                .get_memory = toy_get_memory,
                                            .set_memory = toy_set_memory, .report = toy_report, .warn = toy_warn,
                                                .pseudofermion_at = toy_field };

typedef struct { scratch s; run_system r; toy *t; } setup;

/* The second gauge action of the input becomes the toy. */
static setup setup_create(place where, const char *integrator)
{
    setup x = { .s = scratch_create() };
    x.r = run_system_create(where, PRECISION_DOUBLE, INPUT, integrator, x.s.folder);
    gauge_set_random(x.r.u, rng_key_for(77, 0, 0, RNG_START_LINKS));
    monomial *m = hmc_terms(x.r.h)[TOY].m;
    x.t = memory_alloc(sizeof *x.t, "a toy");
    *x.t = (toy){ .action = m->data, .memory = { 0, 0.3 } };
    for (int i = 0; i < 2; i++)
        x.t->phi[i] = field_create(x.r.l, where, PRECISION_DOUBLE, MOMENTUM_REALS, "a toy's field");
    *m = (monomial){ &toy_monomial, x.t };
    return x;
}

static void setup_free(setup *x)
{
    run_system_free(&x->r);
    scratch_remove(&x->s);
}

static bool same_fields(const field *a, const field *b)
{
    size_t bytes = (size_t)lattice_volume(a->lattice) * (size_t)a->reals * sizeof(double);
    double *left = memory_alloc(bytes, "a field"), *right = memory_alloc(bytes, "a field");
    field_export(left, a);
    field_export(right, b);
    bool same = a->reals == b->reals && memcmp(left, right, bytes) == 0;
    memory_free(left);
    memory_free(right);
    return same;
}

static bool is_there(const char *folder, const char *name)
{
    struct stat there;
    text path = { 0 };
    text_add(&path, "%s/%s", folder, name);
    bool found = stat(text_string(&path), &there) == 0;
    text_free(&path);
    return found;
}

static void remove_all(const char *folder)
{
    scratch inner;
    snprintf(inner.folder, sizeof inner.folder, "%s", folder);
    scratch_remove(&inner);
}

/* A fresh program, as far as a test can have one: other links, other fields, no memory. */
static void replay_elsewhere(const setup *x, place where, const char *folder, const hmc_failure *problem)
{
    failure_folder_facts facts;
    failure why;
    const char *step = hmc_step_names[problem->step], *here = place_name(where);
    setup y = setup_create(where, "omelyan");
    int term = -1;
    momentum *p = momentum_create(y.r.l, where, PRECISION_DOUBLE);
    gauge_set_unit(y.r.u);
    bool ok = failure_folder_read(&facts, folder, &why)
        && (term = failure_folder_term(y.r.h, &facts, folder, &why)) >= 0
              && failure_folder_load(y.r.u, p, y.r.h, &facts, folder, &why);
    fact(ok, "%s, %s: what was kept can be read%s%s", here, step, ok ? "" : ": ", ok ? "" : why.why);
    fact(facts.step == problem->step && facts.trajectory == 4 && facts.seed == 77 && facts.stream == 5 && term == TOY
         && strcmp(facts.reason.why, problem->why.why) == 0, "%s, %s: it tells where, when and why", here, step);
    momentum *there = hmc_momenta(x->r.h);
    fact(same_fields(&y.r.u->links, &x->r.u->links) && facts.has_momenta == (there != NULL)
         && (!there || same_fields(&p->f, &there->f)), "%s, %s: links and momenta are those of the moment", here, step);
    bool loaded = problem->step == STEP_ACTION || problem->step == STEP_FORCE;
    fact(!loaded || (same_fields(&y.t->phi[0], &x->t->phi[0]) && same_fields(&y.t->phi[1], &x->t->phi[1])),
         "%s, %s: so are the fields, where the step needs them", here, step);
    fact(memcmp(y.t->memory, x->t->memory, sizeof y.t->memory) == 0, "%s, %s: and the memory, to the last bit", here,
         step);

    hmc_failure again;
    y.t->fails = problem->step;
    fact(!hmc_repeat(y.r.h, facts.step, term, y.r.u, facts.trajectory, &again) && again.step == problem->step
         && again.term == TOY && strcmp(again.why.why, problem->why.why) == 0,
         "%s, %s: the step fails again, for the same reason", here, step);
    y.t->fails = STEP_NONE;
    fact(hmc_repeat(y.r.h, facts.step, term, y.r.u, facts.trajectory, &again), "%s, %s: and succeeds once it can", here,
         step);
    fact(problem->step != STEP_REFRESH || same_fields(&y.t->phi[0], &x->t->phi[0]),
         "%s, %s: with the random numbers of that trajectory", here, step);
    momentum_free(p);
    setup_free(&y);
}

static void fail_at(hmc_step step, int calls, const char *integrator, place where)
{
    setup x = setup_create(where, integrator);
    gauge *before = gauge_create(x.r.l, where, PRECISION_DOUBLE);
    const char *name = hmc_step_names[step], *here = place_name(where);
    failure why;
    double memory[2];
    hmc_trajectory(x.r.h, x.r.u, 3, NULL, NULL);
    gauge_copy(before, x.r.u);
    memcpy(memory, x.t->memory, sizeof memory);
    x.t->fails = step;
    x.t->calls = calls;
    hmc_outcome o = hmc_trajectory(x.r.h, x.r.u, 4, NULL, NULL);
    fact(o.failure.step == step && o.failure.term == TOY && strstr(o.failure.why.why, "no luck") && !o.interrupted,
         "%s, %s: the outcome says which term could not go on, where, and why", here, name);
    fact((hmc_momenta(x.r.h) != NULL) == (step != STEP_PREPARE), "%s, %s: momenta exist from the refresh on", here,
         name);

    fact(step != STEP_PREPARE || memcmp(memory, x.t->memory, sizeof memory) == 0,
         "%s, %s: preparing in vain leaves the memory as it was", here, name);

    text first, second;
    const failure_scene scene = { .params = &x.r.in->p, .h = x.r.h, .u = x.r.u, .trajectory = 4,
                                  .failure = &o.failure };
    require(log_open_file(scratch_path(&x.s, "log"), &why), "%s", why.why);
    bool ok = failure_folder_write(&first, &scene, &why);
    log_close_file();
    blob said = blob_read(scratch_path(&x.s, "log"));
    said.bytes[said.n] = 0;
    fact(strstr((const char *)said.bytes, "warning: trajectory 4, toy/1: a number\n"),
         "%s, %s: a warning of its solves names the trajectory", here, name);
    free(said.bytes);
    remove(x.s.path);
    fact(ok && strstr(text_string(&first), "/failure.000004"), "%s, %s: it is kept in failure.000004%s%s", here, name,
         ok ? "" : ": ", ok ? "" : why.why);
    fact(is_there(text_string(&first), "parameters.yaml") && is_there(text_string(&first), "links.npy")
         && is_there(text_string(&first), "toy%2F1.phi.npy") && is_there(text_string(&first), "toy%2F1.1.npy")
         && is_there(text_string(&first), "momenta.npy") == (step != STEP_PREPARE),
         "%s, %s: with parameters, links, fields, and momenta if there are any", here, name);
    ok = failure_folder_write(&second, &scene, &why);
    fact(ok && strstr(text_string(&second), "/failure.000004.2") && scratch_count(&x.s) == 2,
         "%s, %s: a second time under a new name, and nothing half written remains", here, name);
    FOR_EVERY_PLACE(there)
        replay_elsewhere(&x, there, text_string(&second), &o.failure);

    hmc_restore(x.r.h, x.r.u);
    fact(same_fields(&before->links, &x.r.u->links) && memcmp(memory, x.t->memory, sizeof memory) == 0,
         "%s, %s: links and memory go back to the start of the trajectory", here, name);
    fact(before->version == x.r.u->version, "%s, %s: so does the version of the links", here, name);
    remove_all(text_string(&first));
    remove_all(text_string(&second));
    text_free(&first);
    text_free(&second);
    gauge_free(before);
    setup_free(&x);
}

/* A force-gradient step, here the second step with a force, takes two: of the links, and of displaced ones. */
static void links_of_the_force(place where)
{
    setup x = setup_create(where, "force_gradient"), y = setup_create(where, "force_gradient");
    x.t->fails = y.t->fails = STEP_FORCE;
    x.t->calls = 1;
    y.t->calls = 2;
    hmc_outcome o = hmc_trajectory(x.r.h, x.r.u, 4, NULL, NULL);
    hmc_outcome displaced = hmc_trajectory(y.r.h, y.r.u, 4, NULL, NULL);
    fact(o.failure.step == STEP_FORCE && displaced.failure.step == STEP_FORCE
         && !same_fields(&x.r.u->links, &y.r.u->links), "%s: the links that are kept are those whose force was wanted",
         place_name(where));
    setup_free(&x);
    setup_free(&y);
}

static bool leave_at_once(void *of)
{
    (void)of;
    return true;
}

static void interruption(place where)
{
    setup x = setup_create(where, "omelyan");
    const evolve_watch watch = { leave_at_once, NULL };
    double memory[2];
    memcpy(memory, x.t->memory, sizeof memory);
    hmc_outcome o = hmc_trajectory(x.r.h, x.r.u, 4, NULL, &watch);
    fact(o.interrupted && memcmp(memory, x.t->memory, sizeof memory) == 0,
         "%s: a trajectory that is asked to stop leaves the memory as it was", place_name(where));
    setup_free(&x);
}

/* Two trajectories in one go, and one, a state on disk, a fresh program, the other. */
static void continuation(place where)
{
    setup whole = setup_create(where, "omelyan"), first = setup_create(where, "omelyan");
    setup second = setup_create(where, "omelyan");
    configuration_facts facts;
    failure why;
    run_state state = { .trajectory = 4, .version = "a test" };
    hmc_trajectory(whole.r.h, whole.r.u, 4, NULL, NULL);
    hmc_trajectory(whole.r.h, whole.r.u, 5, NULL, NULL);

    hmc_trajectory(first.r.h, first.r.u, 4, NULL, NULL);
    hmc_get_memory(first.r.h, &state.memory);
    state.plaquette = gauge_plaquette(first.r.u).average;
    const char *path = scratch_path(&first.s, "state.lime");
    configuration_label label = { .state = &state, .bits = 64 };
    bool ok = configuration_save(first.r.u, path, &label, NULL, &why)
              && configuration_load(second.r.u, LINKS_AS_STORED, &facts, path, &why);
    require(ok, "%s", why.why);
    hmc_set_memory(second.r.h, &(state_memory){ .count = 0 });
    fact(second.t->memory[1] == 0.3, "%s: a state without memory does not ask a monomial to remember",
         place_name(where));
    hmc_set_memory(second.r.h, &facts.info.state.memory);
    hmc_trajectory(second.r.h, second.r.u, 5, NULL, NULL);
    fact(same_fields(&whole.r.u->links, &second.r.u->links) && same_fields(&whole.t->phi[1], &second.t->phi[1])
         && memcmp(whole.t->memory, second.t->memory, sizeof whole.t->memory) == 0,
         "%s: continued from a state, links, fields and memory are those of the uninterrupted stream",
         place_name(where));
    setup_free(&whole);
    setup_free(&first);
    setup_free(&second);
}

/* Whatever is missing or changed: refused with a sentence, never read as something else. */
static void damage(void)
{
    setup x = setup_create(PLACE_CPU, "omelyan");
    static const char *const files[] = { "failure.json", "links.npy", "toy%2F1.phi.npy" };
    failure why;
    text folder;
    x.t->fails = STEP_FORCE;
    hmc_outcome o = hmc_trajectory(x.r.h, x.r.u, 4, NULL, NULL);
    const failure_scene scene = { .params = &x.r.in->p, .h = x.r.h, .u = x.r.u, .trajectory = 4,
                                  .failure = &o.failure };
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        failure_folder_facts facts;
        require(failure_folder_write(&folder, &scene, &why), "%s", why.why);
        text path = { 0 };
        text_add(&path, "%s/%s", text_string(&folder), files[i]);
        require(truncate(text_string(&path), 40) == 0, "%s: cannot be cut", text_string(&path));
        bool read = failure_folder_read(&facts, text_string(&folder), &why)
                    && failure_folder_term(x.r.h, &facts, text_string(&folder), &why) >= 0
                    && failure_folder_load(x.r.u, NULL, x.r.h, &facts, text_string(&folder), &why);
        fact(!read && strstr(why.why, files[i]), "a damaged %s is refused: %s", files[i], read ? "no" : why.why);
        text_free(&path);
        remove_all(text_string(&folder));
        text_free(&folder);
    }
    failure_folder_facts facts;
    fact(!failure_folder_read(&facts, x.s.folder, &why) && strstr(why.why, "expected a folder failure.NNNNNN of an"),
         "the folder of an ensemble is not that of a failure: %s", why.why);
    char partial[700];
    snprintf(partial, sizeof partial, "%s/failure.000009.partial-1", x.s.folder);
    require(mkdir(partial, 0777) == 0, "%s: cannot be created", partial);
    failure_folder_sweep(x.s.folder);
    fact(scratch_count(&x.s) == 0, "what a process that was killed has left is swept away");
    setup_free(&x);
}

int main(void)
{
    static const hmc_step steps[] = { STEP_PREPARE, STEP_REFRESH, STEP_ACTION, STEP_FORCE };
    FOR_EVERY_PLACE(where) {
        for (int i = 0; i < 4; i++)
            fail_at(steps[i], 0, "omelyan", where);
        fail_at(STEP_ACTION, 1, "omelyan", where);           /* at the end of the dynamics */
        fail_at(STEP_FORCE, 2, "omelyan", where);
        links_of_the_force(where);
        interruption(where);
        continuation(where);
    }
    damage();
    return facts_end();
}
