/* probe_apply.c - kiln probe apply: a Dirac operator on a vector. */
#include "src/base/json.h"
#include "src/cli/probe/probe.h"
#include "src/io/file_json.h"

#include <stdio.h>

static const usage apply_usage = {
    "probe apply", "CONFIG OUT.npy", 2, 2,
    "Applies the staggered Dirac operator of a configuration to a vector:\n"
    "    M v = (2m + D) v on all sites, or with --normal (K + 4m^2) v on even sites, K = -D_eo D_oe.\n"
    "D has no factor 1/2; --mass 0 gives D and K themselves.  Vectors are NumPy arrays,\n" VECTOR_SHAPE "\n"
    VECTOR_SITES ".\n"
    "Prints their norms as JSON.",
    (const option[]){ SOURCE_OPTION, OPERATOR_OPTIONS(probe_options, quarks, true, true),
                      { .name = "dagger", .doc = "the adjoint (2m - D)", .type = OPTION_FLAG,
                        .offset = offsetof(probe_options, dagger) },
                      NORMAL_OPTION, PROBE_OPTIONS, { 0 } },
};

static void apply_normal(vec *out, const staggered_links *s, double mass, const vec *in)
{
    vec *between = vec_create(in->f.lattice, ON_ODD, in->f.where, in->f.precision);
    staggered_normal_op op = staggered_normal_operator(s, 0, between);
    op.base.apply(&op.base, out, 4 * mass * mass, in);
    vec_free(between);
}

static void print_norms(const probe_options *o, const char *path, const configuration_facts *facts,
                        const staggered_links_params *links, const vec *out, const vec *in)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    file_to_json(&j, path, &facts->info);
    operator_to_json(&j, links, o->quarks.mass);
    json_real(&j, "source_norm2", vec_norm2(in));
    json_real(&j, "norm2", vec_norm2(out));
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static int apply_to_file(const probe_options *o, const operands *files, const configuration_facts *facts,
                         const staggered_links_params *params, const gauge *u)
{
    const field *like = &u->links;
    parity_set on = o->normal ? ON_EVEN : ON_ALL;
    vec *in = probe_vector(o->source, u, on);
    if (!in)
        return EXIT_FAILED;
    vec *out = vec_create(like->lattice, on, like->where, like->precision);
    vec *hop = vec_create(like->lattice, on, like->where, like->precision);
    staggered_links *s = operator_links(params, u);
    if (o->normal)
        apply_normal(out, s, o->quarks.mass, in);
    else
        operator_apply(out, hop, s, o->quarks.mass, o->dagger, in);
    int status = probe_write_vector(files->item[1], out);
    if (status == EXIT_OK)
        print_norms(o, files->item[0], facts, params, out, in);
    staggered_links_free(s);
    vec_free(hop);
    vec_free(out);
    vec_free(in);
    return status;
}

int probe_apply(int argc, char **argv)
{
    probe_options o = { .quarks = OPERATOR_DEFAULTS };
    operands files;
    configuration_facts facts;
    staggered_links_params params;
    failure f;
    int status = options_read(&apply_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (!operator_choice_links(&params, &o.quarks, &f))
        return usage_error(&apply_usage, "%s", f.why);
    if (o.dagger && o.normal)
        return usage_error(&apply_usage, "--dagger goes without --normal: K + 4m^2 is its own adjoint");
    gauge *u = probe_open(&o, files.item[0], &facts);
    status = u ? apply_to_file(&o, &files, &facts, &params, u) : EXIT_FAILED;
    configuration_close(u);
    return status;
}
