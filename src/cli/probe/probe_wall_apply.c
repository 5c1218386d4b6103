/* probe_wall_apply.c - kiln probe wall-apply: the domain-wall operator on spinors. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/probe/probe_walls.h"
#include "src/io/file_json.h"

#include <stdio.h>

/* `out` is zero; in.even too where the operator lives on odd sites. */
typedef void apply_fn(wall_field out, const wall_links *l, const wall_matrix *m, wall_field in, wall_field room);

static void apply_d5(wall_field out, const wall_links *l, const wall_matrix *m, wall_field in, wall_field room)
{
    wall_apply(out, l, m, false, in, room);
}

static void apply_d5_dagger(wall_field out, const wall_links *l, const wall_matrix *m, wall_field in, wall_field room)
{
    wall_apply(out, l, m, true, in, room);
}

static void apply_c(wall_field out, const wall_links *l, const wall_matrix *m, wall_field in, wall_field room)
{
    wall_c(out.odd, l, m, in.odd, room.even);
}

static void apply_c_dagger(wall_field out, const wall_links *l, const wall_matrix *m, wall_field in, wall_field room)
{
    wall_c_dagger(out.odd, l, m, in.odd, room.even, room.odd);
}

static void apply_normal(wall_field out, const wall_links *l, const wall_matrix *m, wall_field in, wall_field room)
{
    vec *turned = wall_vec_create(in.odd->f.lattice, ON_ODD, in.odd->f.where, PRECISION_DOUBLE, m->weights.slices);
    wall_c(room.odd, l, m, in.odd, room.even);
    wall_c_dagger(out.odd, l, m, room.odd, room.even, turned);
    vec_free(turned);
}

static void apply_hop(wall_field out, const wall_links *l, const wall_matrix *m, wall_field in, wall_field room)
{
    (void)m, (void)room;
    wall_hop(out.even, l, false, in.odd);
    wall_hop(out.odd, l, false, in.even);
}

static const char *const operator_names[] = { "D5", "D5dag", "C", "Cdag", "normal", "hop", NULL };
static const struct { apply_fn *apply; bool on_odd; } operators[] = {
    { apply_d5, false }, { apply_d5_dagger, false }, { apply_c, true }, { apply_c_dagger, true },
    { apply_normal, true }, { apply_hop, false },
};

static const usage wall_apply_usage = {
    "probe wall-apply", "CONFIG OUT.npy", 2, 2,
    "Applies the domain-wall operator of a configuration to spinors with a fifth dimension:\n"
    "    D5 = Dw (b + c L) + 1 - L = hop Y + X, Y = b + c L, Dw = hop + 4 - M5, hop connecting even and odd sites\n"
    "    C  = 1 - K hop K hop on odd sites, K = s^-1 Y X^-1 s, s = b^1/2 where all b_s > 0, else 1; normal: C^+C\n"
    "hop alone is that of each slice.  Spinors are NumPy arrays,\n" SPINOR_SHAPE "\n"
    WALL_SITES ".\n"
    "Options are named as in the input of a monomial domain_wall.  Prints norms as JSON.",
    (const option[]){ SOURCE_OPTION,
                      WALL_OPTIONS(operator_names, "D5, its adjoint D5dag, C, Cdag, normal or hop", true),
                      PROBE_OPTIONS, { 0 } },
};

static void print_norms(const probe_options *o, const char *path, const configuration_facts *facts,
                        const wall_chosen *chosen, wall_field out, wall_field in)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    file_to_json(&j, path, &facts->info);
    wall_choice_to_json(&j, operator_names[o->walls.op], &o->walls, chosen, o->basis);
    json_real(&j, "source_norm2", wall_field_norm2(in));
    json_real(&j, "norm2", wall_field_norm2(out));
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static int apply_to_file(const probe_options *o, const operands *files, const configuration_facts *facts,
                         const wall_chosen *chosen, const gauge *u)
{
    const int slices = chosen->matrix.weights.slices;
    const field *like = &u->links;
    wall_links *links = wall_links_create(like->lattice, like->where, PRECISION_DOUBLE, chosen->boundary);
    wall_field in = wall_field_create(u, slices), out = wall_field_create(u, slices);
    wall_field room = wall_field_create(u, slices);
    failure f;
    int status = EXIT_FAILED;
    if (!wall_links_update(links, u, &f))
        log_line(LOG_ERROR, "%s: %s; " REUNITARIZE_ADVICE, files->item[0], f.why);
    else if (wall_field_read(in, o->source, o->basis)) {
        if (operators[o->walls.op].on_odd)
            vec_zero(in.even);
        operators[o->walls.op].apply(out, links, &chosen->matrix, in, room);
        status = wall_field_write(files->item[1], out, o->basis);
    }
    if (status == EXIT_OK)
        print_norms(o, files->item[0], facts, chosen, out, in);
    wall_field_free(room);
    wall_field_free(out);
    wall_field_free(in);
    wall_links_free(links);
    return status;
}

int probe_wall_apply(int argc, char **argv)
{
    probe_options o = { .walls = WALL_DEFAULTS };
    operands files;
    configuration_facts facts;
    wall_chosen chosen;
    failure f;
    int status = options_read(&wall_apply_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (!wall_choice_read(&chosen, &o.walls, &f))
        return usage_error(&wall_apply_usage, "%s", f.why);
    gauge *u = probe_open(&o, files.item[0], &facts);
    status = u ? apply_to_file(&o, &files, &facts, &chosen, u) : EXIT_FAILED;
    configuration_close(u);
    return status;
}
