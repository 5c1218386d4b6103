/* probe_force.c - kiln probe force: the force of one monomial for given pseudofermions. */
#include "src/config/word_list.h"
#include "src/io/file_json.h"
#include "src/probe/probe_run.h"

#include <string.h>

static const usage force_usage = {
    "probe force", "CONFIG OUT.npy", 2, 2,
    "Writes the force dP/dtau of a monomial of INPUT.yaml as a NumPy array of antihermitian traceless matrices,\n"
    MATRICES_SHAPE ".\n"
    "Normalization: dU/dtau = P U, kinetic energy (1/2) sum Tr P^+P (as in MILC, CPS, Grid).  Pseudofermions are\n"
    PSEUDOFERMION_SHAPES ".\n"
    "Prints the force per link (square roots of mean and maximum of Tr F^+F) and the report of the monomial as JSON.",
    (const option[]){ INPUT_OPTION(true),
                      { .name = "monomial", .value = "NAME", .doc = "name of the monomial", .type = OPTION_TEXT,
                        .offset = offsetof(probe_options, monomial), .required = true },
                      PSEUDOFERMION_OPTION,
                      { .name = "only", .value = "N", .doc = "the force of field N alone, counted from 0; the other\n"
                        "fields are zero (default: all fields)", .type = OPTION_INT,
                        .offset = offsetof(probe_options, only), .max = 1e6 },
                      SET_OPTION(probe_options, sets), PROBE_OPTIONS, { 0 } },
};

enum { ALL_FIELDS = -1 };

static const char *term_name(const void *list, int t)
{
    const hmc *h = list;
    return t < hmc_term_count(h) ? hmc_terms(h)[t].name : NULL;
}

/* The number of the term; -1 after a message. */
static int find_term(const probe_run *r, const char *name)
{
    failure f;
    const int found = word_list_find(name, term_name, r->h, &f);
    if (found < 0)
        usage_error(&force_usage, "--monomial: %s", f.why);
    return found;
}

/* GO_ON, or EXIT_USAGE after a message. */
static int zero_other_fields(monomial *m, int64_t only)
{
    int fields = 0;
    for (field *f; (f = monomial_pseudofermion(m, fields, NULL)) != NULL; fields++)
        if (only != ALL_FIELDS && fields != only)
            field_zero(f);
    if (only >= fields)
        return usage_error(&force_usage, "--only %lld: the monomial has %s, counted from 0", (long long)only,
                           count_to_text(fields, "field").s);
    return GO_ON;
}

static void print_force(const probe_run *r, int term, const momentum *force)
{
    json j = { 0 };
    momentum_size size = momentum_measure(force);
    json_open(&j, NULL, '{');
    file_to_json(&j, r->path, &r->facts.info);
    json_text(&j, "monomial", hmc_terms(r->h)[term].name);
    json_open(&j, "force", '{');
    json_real(&j, "rms", sqrt(size.sum_norm2 / (4 * (double)lattice_volume(force->f.lattice))));
    json_real(&j, "max", sqrt(size.max_norm2));
    json_close(&j);
    probe_reports_to_json(&j, r, term, 1);
    json_close(&j);
    probe_print(&j);
}

static int force_to_file(const probe_run *r, int term, const char *path)
{
    const field *like = &r->u->links;
    momentum *force = momentum_create(like->lattice, like->where, like->precision);
    sum_array size = monomial_size_create(r->u);
    monomial_call call = { .clock = NULL };
    int status = monomial_add_force(hmc_terms(r->h)[term].m, r->u, force, 1, size.cells, &call)
                     ? probe_write_momenta(path, force)
                     : probe_run_failure(r, &(hmc_failure){ STEP_FORCE, term, call.failure });
    if (status == EXIT_OK)
        print_force(r, term, force);
    sums_free(&size);
    momentum_free(force);
    return status;
}

static int force_on_rank(void *of)
{
    const probe_task *t = of;
    const probe_options *o = t->options;
    probe_run r;
    int status = probe_run_open(&r, o, t->files->item[0]);
    if (status != GO_ON)
        return status;
    const int term = find_term(&r, o->monomial);
    status = term < 0 ? EXIT_USAGE : probe_run_prepare(&r, &force_usage, o, term, 1);
    if (status == GO_ON)
        status = zero_other_fields(hmc_terms(r.h)[term].m, o->only);
    if (status == GO_ON)
        status = force_to_file(&r, term, t->files->item[1]);
    probe_run_close(&r);
    return status;
}

int probe_force(int argc, char **argv)
{
    probe_options o = { .only = ALL_FIELDS };
    operands files;
    const int status = rank_options_read(&force_usage, argc, argv, &o, &o.ranks, &files);
    return status == GO_ON ? rank_options_run(&o.ranks, force_on_rank, &(probe_task){ &o, &files }) : status;
}
