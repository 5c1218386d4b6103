/* stout_params.c - the input of stout links. */
#include "actions/stout_params.h"

#define AT(member) offsetof(stout_params, member)

const param_spec stout_specs[] = {
    { .key = "levels", .type = PARAM_INT, .offset = AT(levels), .fallback = "0", .min = 0, .max = STOUT_LEVELS_MAX,
      .doc = "number of times the links are smeared; 0: thin links" },
    { .key = "rho", .type = PARAM_REAL, .offset = AT(rho), .fallback = "0", .min = 0, .max = 10,
      .doc = "weight of the staples, the same in all planes; must be given if `levels` is" },
    { .key = "spatial_only", .type = PARAM_BOOL, .offset = AT(spatial_only), .fallback = "false",
      .doc = "true: links in t stay as they are, and no staple has links in t" },
    { 0 }
};

const stout_params *stout_params_in(const param_spec *specs, const void *params)
{
    for (; specs->key; specs++)
        if (specs->group == stout_specs)
            return (const stout_params *)((const char *)params + specs->offset);
    return NULL;
}

bool stout_params_check(const stout_params *p, failure *f)
{
    if (p->levels > 0 && p->rho == 0)
        return fail(f, "stout: levels is %d, but rho is 0, which smears nothing: give rho", (int)p->levels);
    if (p->levels == 0 && (p->rho != 0 || p->spatial_only))
        return fail(f, "stout: levels is 0, so that nothing is smeared: give levels");
    return true;
}

bool stout_params_same(const stout_params *a, const stout_params *b)
{
    return a->levels == b->levels && a->rho == b->rho && a->spatial_only == b->spatial_only;
}

void stout_params_to_json(json *j, const stout_params *p)
{
    if (p->levels == 0)
        return;
    json_open(j, "stout", '{');
    json_int(j, "levels", p->levels);
    json_real(j, "rho", p->rho);
    json_bool(j, "spatial_only", p->spatial_only);
    json_close(j);
}

void stout_params_describe(text *out, const stout_params *p)
{
    if (p->levels > 0)
        text_add(out, "%d level%s of %sstout smearing, rho = %.10g", (int)p->levels, p->levels > 1 ? "s" : "",
                 p->spatial_only ? "spatial " : "", p->rho);
}

void stout_params_annotate(xml_document *x, const char *words, const stout_params *p)
{
    text all = { 0 };
    if (words)
        text_add(&all, "%s", words);
    if (p->levels > 0) {
        text_add(&all, "%slinks of the quarks: ", words ? "; " : "");
        stout_params_describe(&all, p);
        text_add(&all, " (hep-lat/0311018): no element of its own in QCDml");
    }
    if (all.length > 0)
        xml_put_text(x, "annotation", text_string(&all));
    text_free(&all);
}
