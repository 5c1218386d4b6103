/* new_json.c - what kiln new chose, as JSON for programs. */
#include "src/cli/new/new_json.h"

#include "src/base/json.h"
#include "src/hmc/run_params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_warnings(json *j, const text *warnings)
{
    json_open(j, "warnings", '[');
    for (const char *line = text_string(warnings); *line;) {
        const size_t length = strcspn(line, "\n");
        text one = { 0 };
        text_add_bytes(&one, line, length);
        json_text(j, NULL, text_string(&one));
        text_free(&one);
        line += length + (line[length] == '\n');
    }
    json_close(j);
}

/* A number; null if it is not known or does not exist. */
static void add_if(json *j, const char *key, bool there, double value)
{
    json_real(j, key, there ? value : NAN);
}

static void add_anisotropy(json *j, const anisotropy *a)
{
    const bool there = a->xi_0 > 0;
    add_if(j, "xi_0", there, a->xi_0);
    add_if(j, "anisotropy", there, a->xi);
    add_if(j, "u_s", there, a->u_s);
    add_if(j, "u_t", there, a->u_t);
    add_if(j, "nu", there, a->nu);
    add_if(j, "c_s", there, a->c_s);
    add_if(j, "c_t", there, a->c_t);
}

/* Of Wilson quarks: the clover term, the links, and SMD. */
static void add_wilson(json *j, const bare_parameters *b)
{
    const coupling *c = &b->at;
    json_text(j, "clover", !b->family->clover ? NULL : b->family->exponential ? "exponential" : "linear");
    json_text(j, "clover_links", b->family->thin ? "thin" : NULL);
    add_if(j, "stout_levels", c->stout_levels > 0, c->stout_levels);
    add_if(j, "stout_rho", c->stout_levels > 0, c->stout_rho);
    add_if(j, "smd_gamma", c->smd_length > 0, c->smd_gamma);
    add_if(j, "smd_length", c->smd_length > 0, c->smd_length);
}

void new_json_print(const new_request *r, const bare_parameters *b, const char *path, const char *command)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "input", path);
    json_text(&j, "family", b->family->name);
    json_open(&j, "lattice", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(&j, NULL, r->extents[mu]);
    json_close(&j);
    json_text(&j, "boundary_time", time_boundary_names[r->boundary]);
    json_int(&j, "seed", r->seed);
    json_int(&j, "trajectories", r->trajectories);
    json_real(&j, "beta", b->at.beta);
    json_text(&j, "beta_convention", coupling_convention(&b->at));
    json_text(&j, "gauge_action", b->at.gauge);
    json_real(&j, "spacing_fm", b->at.spacing);
    json_real(&j, "pion_MeV", b->pion);
    json_text(&j, "quark_parameter", b->family->quarks == QUARKS_NONE ? NULL : bare_parameters_name(b->family));
    json_real(&j, "light", b->light);
    json_real(&j, "strange", b->strange);
    json_real(&j, "charm", b->charm);
    add_if(&j, "c_sw", b->at.c_sw != 0, b->at.c_sw);
    add_if(&j, "u0", b->at.u0 != 0, b->at.u0);
    add_if(&j, "kappa", b->family->twisted, b->at.kappa);
    add_if(&j, "mu_sigma", b->family->doublet, b->at.mu_sigma);
    add_if(&j, "mu_delta", b->family->doublet, b->at.mu_delta);
    add_anisotropy(&j, &b->at.aniso);
    add_wilson(&j, b);
    json_text(&j, "source", b->at.source);
    json_text(&j, "not_confirmed", b->at.unconfirmed);
    json_text(&j, "origin", text_string(&b->origin));
    add_warnings(&j, &b->warnings);
    json_text(&j, "command", command);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}
