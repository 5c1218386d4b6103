/* probe_walls.c - the domain-wall operator of a command line, and its spinors. */
#include "src/cli/probe/probe_walls.h"

#include "src/base/memory.h"

/* Options that belong to some of the actions, and what they are where they are not given: as in an input. */
#define OF(kind) (1u << (kind))
static const struct { const char *name; size_t at; double otherwise; unsigned kinds; } owned[] = {
    { "b", offsetof(wall_choice, b), 1.5, OF(WALL_MOBIUS) },
    { "c", offsetof(wall_choice, c), 0.5, OF(WALL_MOBIUS) },
    { "scale", offsetof(wall_choice, scale), 2, OF(WALL_SCALED_SHAMIR) },
    { "lambda-min", offsetof(wall_choice, lambda_min), 0.05, OF(WALL_OPTIMAL) | OF(WALL_OPTIMAL_SYMMETRIC) },
    { "lambda-max", offsetof(wall_choice, lambda_max), 6.2, OF(WALL_OPTIMAL) | OF(WALL_OPTIMAL_SYMMETRIC) },
};

static bool settle(wall_choice *c, failure *f)
{
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        double *value = (double *)((char *)c + owned[i].at);
        if (isnan(*value))
            *value = owned[i].otherwise;
        else if (!(owned[i].kinds & OF(c->action)))
            return fail(f, "--%s is not for --action %s", owned[i].name, wall_kind_names[c->action]);
    }
    return true;
}

bool wall_choice_read(wall_chosen *chosen, const wall_choice *given, failure *f)
{
    wall_choice c = *given;
    wall_weights weights;
    failure why;
    if (!settle(&c, f))
        return false;
    const wall_weights_params params = { .kind = c.action, .slices = (int)c.slices, .height = c.height, .b = c.b,
                                         .c = c.c, .scale = c.scale, .lambda_min = c.lambda_min,
                                         .lambda_max = c.lambda_max };
    const wall_params convention = { .mass_convention = c.mass_convention, .height = c.height };
    if (!wall_weights_make(&weights, &params, &why))
        return fail(f, "--action %s: %s", wall_kind_names[c.action], why.why);
    chosen->matrix = wall_matrix_of(&weights, wall_mass_of(c.mass, &convention), (fifth_corner){ 0 });
    chosen->boundary = c.boundary ? -1 : 1;
    return true;
}

static void weights_to_json(json *j, const char *key, const double *w, int slices)
{
    json_open(j, key, '[');
    for (int s = 0; s < slices; s++)
        json_real(j, NULL, w[s]);
    json_close(j);
}

void wall_choice_to_json(json *j, const char *op, const wall_choice *c, const wall_chosen *chosen, int basis)
{
    const wall_weights *w = &chosen->matrix.weights;
    json_text(j, "operator", op);
    json_text(j, "action", wall_kind_names[c->action]);
    json_int(j, "slices", w->slices);
    json_real(j, "height", w->height);
    weights_to_json(j, "b", w->b, w->slices);
    weights_to_json(j, "c", w->c, w->slices);
    json_real(j, "mass", c->mass);
    json_text(j, "mass_convention", wall_conventions[c->mass_convention]);
    json_real(j, "boundary", (double)c->boundary);
    json_text(j, "basis", gamma_basis_names[basis]);
}

/* ---- spinors */

bool wall_field_read(wall_field to, const char *path, int basis)
{
    double *numbers = probe_spinor_numbers(path, to.odd->f.lattice, to.odd->f.slabs / SLAB_GROUP, basis);
    if (!numbers)
        return false;
    vec_import(to.even, numbers);
    vec_import(to.odd, numbers);
    memory_free(numbers);
    return true;
}

int wall_field_write(const char *path, wall_field from, int basis)
{
    const lattice *l = from.odd->f.lattice;
    const int slices = from.odd->f.slabs / SLAB_GROUP;
    size_t count = (size_t)lattice_volume(l) * (size_t)from.odd->f.slabs * VEC_REALS;
    double *numbers = memory_alloc(count * sizeof *numbers, "spinors on their way to a file");
    double *odd = memory_alloc(count * sizeof *odd, "spinors on their way to a file");
    vec_export(numbers, from.even);
    vec_export(odd, from.odd);
    for (size_t i = 0; i < count; i++)
        numbers[i] += odd[i];
    int status = probe_write_spinor_numbers(path, numbers, l, slices, basis);
    memory_free(odd);
    memory_free(numbers);
    return status;
}
