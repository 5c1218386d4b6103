/* probe_run.c - the terms of an input on fields from files. */
#include "src/probe/probe_run.h"

#include "src/base/log.h"
#include "src/base/text.h"
#include "src/comm/comm.h"

#include <assert.h>
#include <string.h>

static bool same_lattice(const run_params *params, const configuration_facts *facts)
{
    if (memcmp(params->extents, facts->info.extents, sizeof params->extents) == 0)
        return true;
    log_line(LOG_ERROR, "the lattice of the configuration is %s, but that of the input is %s; change the input "
                        "with --set lattice=[...]",
             extents_to_text(facts->info.extents).s, extents_to_text(params->extents).s);
    return false;
}

static bool is_open(const run_params *params)
{
    return params->boundary.time == TIME_OPEN;
}

static bool same_boundary(const run_params *params, const gauge *u, const char *path)
{
    if (lattice_is_open(u->links.lattice) == is_open(params))
        return true;
    log_line(LOG_ERROR, "%s: the file says that its boundaries in t are open, but those of the input are periodic; "
                        "change the input with --set boundary.time=open", path);
    return false;
}

/* False after messages; then there is nothing to free. */
static bool read_input(run_input *in, const probe_options *o)
{
    const bool readable = run_options_read_input(in, o->input, &o->sets);
    if (comm_agree(comm_world(), readable, NULL))
        return true;
    if (readable)
        run_input_free(in);
    return false;
}

int probe_run_open(probe_run *r, const probe_options *o, const char *path)
{
    *r = (probe_run){ .path = path };
    if (!read_input(&r->in, o))
        return EXIT_USAGE;
    r->u = probe_open(o, (configuration_request){ .hops = run_hops(&r->in.p), .open_in_time = is_open(&r->in.p) }, path,
                      &r->facts);
    bool fits = r->u && same_lattice(&r->in.p, &r->facts) && same_boundary(&r->in.p, r->u, path);
    if (fits && o->momenta)
        r->p = probe_momenta(o->momenta, r->u);
    else if (fits)
        r->p = momentum_create(r->u->links.lattice, r->u->links.where, r->u->links.precision);
    if (r->p) {
        r->h = hmc_create(&r->in.p, r->u);
        return GO_ON;
    }
    int status = r->u && !fits ? EXIT_USAGE : EXIT_FAILED;
    probe_run_close(r);
    return status;
}

void probe_run_close(probe_run *r)
{
    hmc_free(r->h);
    momentum_free(r->p);
    configuration_close(r->u);
    run_input_free(&r->in);
}

/* Add "; quarks: pf0 pf1" for each term that has fields.  Returns the number of fields. */
static int list_fields(text *names, const probe_run *r, int first, int count)
{
    int fields = 0;
    const char *name;
    for (int t = first; t < first + count; t++) {
        const evolve_term *term = &hmc_terms(r->h)[t];
        for (int i = 0; monomial_pseudofermion(term->m, i, &name); i++, fields++) {
            if (i == 0)
                text_add(names, "; %s:", term->name);
            text_add(names, " %s", name);
        }
    }
    return fields;
}

static int check_count(const probe_run *r, const usage *words, int given, int first, int count)
{
    text names = { 0 };
    int fields = list_fields(&names, r, first, count), status = GO_ON;
    if (fields != given)
        status = usage_error(words, "--pseudofermion is given %s, but the input has %s%s",
                             count_to_text(given, "time").s, count_to_text(fields, "field").s, text_string(&names));
    text_free(&names);
    return status;
}

/* Reads color vectors or spinors; the spinors of Wilson quarks have one slice. */
static bool read_field(field *f, const char *path, int basis)
{
    assert(f->reals == VEC_REALS);
    return probe_read_quarks(&f, 1, path, f->slabs > 1 ? ARRAY_SLICES : ARRAY_COLORS, basis);
}

int probe_run_prepare(probe_run *r, const usage *words, const probe_options *o, int first, int count)
{
    int status = check_count(r, words, o->pseudofermions.count, first, count), file = 0;
    for (int t = first; t < first + count && status == GO_ON; t++) {
        monomial *m = hmc_terms(r->h)[t].m;
        monomial_call call = { .clock = NULL };
        field *f;
        for (int i = 0; status == GO_ON && (f = monomial_pseudofermion(m, i, NULL)) != NULL; i++)
            if (!read_field(f, o->pseudofermions.item[file++], o->basis))
                status = EXIT_FAILED;
        if (status == GO_ON && !monomial_prepare(m, r->u, 0, &call))
            status = probe_run_failure(r, &(hmc_failure){ STEP_PREPARE, t, call.failure });
    }
    return status;
}

void probe_energies_to_json(json *j, const probe_run *r, const hmc_energies *e, bool with_momenta, double plaquette)
{
    if (with_momenta) {
        json_real(j, "H", e->total);
        json_real(j, "kinetic", e->kinetic);
    }
    for (int t = 0; t < hmc_term_count(r->h); t++)
        json_real(j, hmc_terms(r->h)[t].name, e->term[t]);
    json_real(j, "plaquette", plaquette);
}

void probe_reports_to_json(json *j, const probe_run *r, int first, int count)
{
    json_open(j, "monomials", '{');
    for (int t = first; t < first + count; t++) {
        json_open(j, hmc_terms(r->h)[t].name, '{');
        monomial_log_warnings(hmc_terms(r->h)[t].m, hmc_terms(r->h)[t].name);
        monomial_report(hmc_terms(r->h)[t].m, j);
        json_close(j);
    }
    json_close(j);
}

int probe_run_failure(const probe_run *r, const hmc_failure *problem)
{
    log_line(LOG_ERROR, "%s: %s: %s", hmc_terms(r->h)[problem->term].name, hmc_step_names[problem->step],
             problem->why.why);
    return EXIT_FAILED;
}
