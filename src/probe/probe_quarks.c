/* probe_quarks.c - the command line of kiln probe apply and kiln probe solve, for all families of Dirac operators. */
#include "src/probe/probe_quarks.h"

#include "src/base/log.h"
#include "src/io/file_json.h"

#include <stdio.h>
#include <string.h>

static const probe_family *const families[] = { &probe_staggered, &probe_dwf, &probe_wilson, &probe_clover,
                                               &probe_doublet, &probe_overlap, NULL };

/* NAMES_MAX: values of --operator; ANY_MAX: options of all operators together. */
enum { NAMES_MAX = 16, ANY_MAX = 80, ITERATIONS = 100000 };
typedef struct { const char *name[NAMES_MAX + 1]; const probe_family *family[NAMES_MAX]; } operator_names;

static operator_names all_names(void)
{
    operator_names all = { { NULL }, { NULL } };
    int count = 0;
    for (int f = 0; families[f]; f++)
        for (int i = 0; families[f]->names[i]; i++) {
            require(count < NAMES_MAX, "probe_quarks.c: more than %d operators: raise NAMES_MAX", NAMES_MAX);
            all.family[count] = families[f];
            all.name[count++] = families[f]->names[i];
        }
    return all;
}

static const usage *usage_of(const probe_family *family, const probe_command *c)
{
    return c->solves ? family->solve_usage : family->apply_usage;
}

/* Without --operator: report an error in the other options if no operator allows them, else the missing --operator. */
static int without_operator(const probe_command *c, const option *operator_option, int argc, char **argv)
{
    option any[ANY_MAX + 1] = { *operator_option };
    const usage words = { c->name, "CONFIG OUT.npy", 0, -1, c->about, any };
    probe_options unused = { .family = 0 };
    operands files;
    int count = 1;
    for (int f = 0; families[f]; f++)
        for (const option *o = usage_of(families[f], c)->options; o->name; o++) {
            int known = 0;
            while (known < count && strcmp(any[known].name, o->name) != 0)
                known++;
            require(known < ANY_MAX, "probe_quarks.c: more than %d options: raise ANY_MAX", ANY_MAX);
            if (known == count) {
                any[count] = *o;
                any[count++].required = false;
            }
        }
    return options_read(&words, argc, argv, &unused, &files);
}

/* ---- vectors */

static probe_vector vector_create(const probe_quarks *q, const gauge *u)
{
    const field *like = &u->links;
    probe_vector v = { { NULL } };
    for (int i = 0; i < q->pieces; i++)
        v.piece[i] = vec_create_slabs(like->lattice, q->on[i], like->where, like->precision, q->slabs);
    return v;
}

static void vector_free(probe_vector v)
{
    for (int i = 0; i < PROBE_PIECES; i++)
        vec_free(v.piece[i]);
}

double probe_vector_norm2(probe_vector v)
{
    double sum = 0;
    for (int i = 0; i < PROBE_PIECES && v.piece[i]; i++)
        sum += vec_norm2(v.piece[i]);
    return sum;
}

static void fields_of(field *piece[PROBE_PIECES], probe_vector v, const probe_quarks *q)
{
    for (int i = 0; i < q->pieces; i++)
        piece[i] = &v.piece[i]->f;
}

static bool vector_read(probe_vector v, const probe_quarks *q)
{
    field *piece[PROBE_PIECES];
    fields_of(piece, v, q);
    return probe_read_quarks(piece, q->pieces, q->options->source, q->family->array, q->options->basis);
}

static int vector_write(const char *path, probe_vector v, const probe_quarks *q)
{
    field *piece[PROBE_PIECES];
    fields_of(piece, v, q);
    return probe_write_quarks(path, piece, q->pieces, q->family->array, q->options->basis);
}

/* ---- commands */

static int run_on(const probe_command *c, probe_quarks *q, const operands *files, const configuration_facts *facts,
                  const gauge *u)
{
    const stout_params *smearing = &q->options->stout;
    stout *smeared = q->family->smears ? NULL : stout_create(smearing, u);
    probe_vector in = vector_create(q, u), out = vector_create(q, u);
    int status = EXIT_FAILED;
    failure f;
    if (!q->family->open(q, stout_links(smeared, u), &f))
        log_line(LOG_ERROR, "%s: %s", files->item[0], f.why);
    else if (vector_read(in, q)) {
        json j = { 0 };
        json_open(&j, NULL, '{');
        file_to_json(&j, files->item[0], &facts->info);
        q->family->describe(&j, q);
        stout_params_to_json(&j, smearing);
        int done = c->work(&j, q, out, in);
        json_close(&j);
        status = vector_write(files->item[1], out, q);
        if (status == EXIT_OK)
            probe_print(&j);
        else
            json_free(&j);
        if (status == EXIT_OK && done != EXIT_OK)
            log_line(LOG_WARNING, "%s: written, but holds an unconverged vector", files->item[1]);
        status = status == EXIT_OK ? done : status;
    }
    vector_free(out);
    vector_free(in);
    stout_free(smeared);
    return status;
}

/* What each rank gets: an operator of a command line, and the usage that describes it. */
typedef struct {
    const probe_command *command;
    const probe_family *family;
    const usage *words;
    const probe_options *options;
    const operands *files;
} quarks_task;

static bool fits(const probe_family *family, const probe_options *o, const lattice_shape *shape, failure *f)
{
    if (family->fits)
        return family->fits(o, shape, f);
    return !shape->open_in_time || fail(f, "the file says that its boundaries in t are open; operator %s needs "
                                           "periodic ones", family->names[0]);
}

static int run_on_rank(void *of)
{
    const quarks_task *t = of;
    const char *path = t->files->item[0];
    configuration_facts facts;
    failure f;
    if (!stout_params_check(&t->options->stout, &f))
        return usage_error(t->words, "%s", f.why);
    probe_quarks *q = t->family->choose(t->options, t->command->solves, &f);
    if (!q)
        return usage_error(t->words, "%s", f.why);
    gauge *u = probe_open(t->options, (configuration_request){ .hops = t->family->hops }, path, &facts);
    int status = EXIT_FAILED;
    if (u && !fits(t->family, t->options, lattice_shape_of(u->links.lattice), &f))
        status = usage_error(t->words, "%s: %s", path, f.why);
    else if (u && !lattice_slabs_are_possible(lattice_shape_of(u->links.lattice), q->slabs, &f))
        status = usage_error(t->words, "%s: %s", path, f.why);
    else if (u) {
        q->open_in_time = lattice_is_open(u->links.lattice);
        status = run_on(t->command, q, t->files, &facts, u);
    }
    t->family->free(q);
    configuration_close(u);
    return status;
}

int probe_command_run(const probe_command *c, int argc, char **argv)
{
    const operator_names all = all_names();
    const option overview_options[] = { OPERATOR_OPTION(all.name), { 0 } };
    const usage overview = { c->name, "CONFIG OUT.npy", 2, 2, c->about, overview_options };
    probe_options o = { .max_iterations = ITERATIONS };
    operands files;
    int chosen = 0, status = options_choose(&overview, "operator", argc, argv, &chosen);
    if (status != GO_ON)
        return status;
    if (chosen < 0)
        return without_operator(c, overview_options, argc, argv);
    const probe_family *family = all.family[chosen];
    char name[64];
    usage words = *usage_of(family, c);
    snprintf(name, sizeof name, "%s --operator %s", c->name, all.name[chosen]);
    words.name = name;                                  /* errors name the --help of the operator */
    if (family->defaults)
        family->defaults(&o);
    status = rank_options_read(&words, argc, argv, &o, &o.ranks, &files);
    quarks_task task = { c, family, &words, &o, &files };
    return status == GO_ON ? rank_options_run(&o.ranks, run_on_rank, &task) : status;
}
