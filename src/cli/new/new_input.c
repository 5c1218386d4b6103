/* new_input.c - the parts of an input that all families have; and the comments at its head. */
#include "src/cli/new/new_input.h"

#include "src/cli/new/new_input_quarks.h"
#include "src/cli/new/new_volume.h"
#include "src/measure/flow_reach.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { HEAD_COLUMNS = 112 };

/* Heat-bath sweeps at the start: long distances with a pure gauge action, then the plaquette. */
enum { START_SWEEPS = 300, START_SETTLE = 5, START_SWEEPS_ALONE = 40 };

/* Append a paragraph of comments, broken into lines. */
static void add_paragraph(text *t, const char *words)
{
    size_t column = 0;
    for (const char *w = words; *w;) {
        w += strspn(w, " \n");
        const size_t length = strcspn(w, " \n");
        if (length == 0)
            break;
        if (column == 0 || column + 1 + length > HEAD_COLUMNS) {
            text_add(t, "%s# %.*s", column ? "\n" : "", (int)length, w);
            column = length;
        } else {
            text_add(t, " %.*s", (int)length, w);
            column += 1 + length;
        }
        w += length;
    }
    text_add(t, "\n");
}

static void add_head(text *t, const new_input *in)
{
    const bare_parameters *b = in->b;
    text words = { 0 };
    text_add(&words, "%c%s, on %s.", b->family->summary[0] >= 'a' ? b->family->summary[0] - 'a' + 'A'
                                                                  : b->family->summary[0],
             b->family->summary + 1, extents_to_text(in->extents).s);
    if (!isnan(b->at.spacing))
        text_add(&words, "  Lattice spacing about %.4f fm%s, box %.2f fm.", b->at.spacing,
                 b->at.aniso.xi_0 > 0 ? " in space" : "", volume_box(in->extents, b));
    if (b->at.aniso.xi_0 > 0)
        text_add(&words, "  In t it is smaller by a_s/a_t = %g.", b->at.aniso.xi);
    if (!isnan(b->pion))
        text_add(&words, "  Pion about %.0f MeV", b->pion);
    if (!isnan(volume_pion_l(in->extents, b)))
        text_add(&words, ", m_pi L = %.1f", volume_pion_l(in->extents, b));
    text_add(&words, isnan(b->pion) ? "" : ".");
    add_paragraph(t, text_string(&words));
    add_paragraph(t, text_string(&b->origin));
    if (b->family->quarks != QUARKS_NONE)
        add_paragraph(t, "Steps and intermediate masses are first guesses: kiln tune measures better ones.");
    text_clear(&words);
    text_add(&words, "%s", text_string(&b->warnings));
    for (char *line = strtok(words.s, "\n"); line; line = strtok(NULL, "\n")) {
        text warning = { 0 };
        text_add(&warning, "Warning: %s.", line);
        add_paragraph(t, text_string(&warning));
        text_free(&warning);
    }
    text_add(t, "# Written by: %s\n", in->command);   /* one line, to be copied */
    text_free(&words);
}

/* Pure gauge of about the same spacing, for the first sweeps; 0: not known. */
static double start_beta(const coupling *c)
{
    double least, most;
    coupling pure;
    if (strcmp(c->gauge, "wilson") != 0)
        return c->start_beta;
    fit_spacing(&quenched_fit, &least, &most);
    if (!(c->spacing >= least && c->spacing <= most))
        return 0;
    fit_at_spacing(&pure, &quenched_fit, c->spacing);
    return round(100 * pure.beta) / 100;
}

static void add_start(text *t, const new_input *in)
{
    const double beta = in->b->family->quarks == QUARKS_NONE ? 0 : start_beta(&in->b->at);
    new_input_line(t, NULL, "start:");
    new_input_line(t, "random links", "  from: hot");
    new_input_line(t, NULL, "  heatbath:");
    if (beta > 0) {
        new_input_line(t, "of the gauge action alone,", "    sweeps: %d", START_SWEEPS);
        new_input_line(t, "with about the lattice spacing of the ensemble, to relax long distances,", "    beta: %g",
                       beta);
        new_input_line(t, "then sweeps with the beta of the action, to relax the plaquette", "    settle: %d",
                       START_SETTLE);
    } else {
        new_input_line(t, "of the gauge action, before the first trajectory", "    sweeps: %d", START_SWEEPS_ALONE);
    }
}

static void add_gauge(text *t, const new_input *in)
{
    const coupling *c = &in->b->at;
    const bool one_loop = strcmp(c->gauge, "symanzik_1loop") == 0;
    text unit = { 0 };
    text_add(&unit, "%s", coupling_convention_of_input(c));
    if (c->input_factor > 0)
        text_add(&unit, "; of the source: %g (%s)", c->beta, coupling_convention(c));
    new_input_line(t, "the terms of the action", "monomials:");
    new_input_line(t, NULL, "  - kind: gauge");
    new_input_line(t, NULL, "    name: gauge");
    new_input_line(t, NULL, "    action: %s", c->gauge);
    new_input_line(t, text_string(&unit), "    beta: %.8g", coupling_beta_of_input(c));
    text_free(&unit);
    if (c->aniso.xi_0 > 0) {
        new_input_line(t, "bare anisotropy; a_s/a_t is measured", "    xi_0: %g", c->aniso.xi_0);
        new_input_line(t, "tadpole factor in space: the fourth root of its plaquette", "    u_s: %.7g", c->aniso.u_s);
        new_input_line(t, NULL, "    u_t: %g", c->aniso.u_t);
    }
    if (in->b->open_in_time)
        new_input_line(t, "of loops at the boundaries: the value at tree level", "    c_G: 1");
    if (one_loop) {
        new_input_line(t, "tadpole factor: the fourth root of the plaquette", "    u0: %.6g", c->u0);
        new_input_line(t, "in the one-loop coefficients", "    flavors: %d", in->b->family->flavors);
    }
}

/* The largest flow time that w0 needs (w0 = 0.172 fm) with room to spare, but no radius sqrt(8 t) above L / 2. */
static double flow_time(const new_input *in)
{
    const double w0 = 0.172, a = in->b->at.spacing;
    const double most = flow_limit(fmin(in->extents[0], in->extents[3] / bare_parameters_anisotropy(in->b)));
    const double needed = isnan(a) ? 4 : ceil(1.5 * pow(w0 / a, 2));
    return fmin(needed, most > 1 ? floor(most) : floor(100 * most) / 100);
}

static void add_trajectories(text *t, const new_input *in)
{
    const coupling *c = &in->b->at;
    const bool pure = in->b->family->quarks == QUARKS_NONE;
    const int settled = new_input_interval(in, 50);
    if (c->smd_length > 0) {
        text_add(t, "\nsmd:\n");
        new_input_line(t, "between short trajectories, momenta and pseudofermions are refreshed in part only",
                       "  gamma: %.6g", c->smd_gamma);
    }
    text_add(t, "\nhmc:\n");
    if (!pure) {
        new_input_line(t, "in the unit dU/dtau = P U (MILC, CPS, Grid)", "  trajectory_length: %.6g%s",
                       c->smd_length > 0 ? c->smd_length : 1, c->smd_length > 0 ? "" : ".0");
        new_input_add_levels(t, in);
    }
    new_input_line(t, "of the whole ensemble", "  trajectories: %" PRId64, in->trajectories);
    new_input_line(t, pure ? "excluded from the means" : "accepted unconditionally", "  thermalization: %" PRId64,
                   in->trajectories < 2 * settled ? in->trajectories / 2 : settled);
}

void new_input_add(text *t, const new_input *in)
{
    const bool pure = in->b->family->quarks == QUARKS_NONE;
    add_head(t, in);
    new_input_line(t, "extents x, y, z, t: even", "lattice: [%d, %d, %d, %d]", in->extents[0], in->extents[1],
                   in->extents[2], in->extents[3]);
    if (in->b->open_in_time)
        new_input_line(t, "of the links; topological charge flows through the ends", "boundary: { time: open }");
    text_add(t, "\nrandom:\n");
    new_input_line(t, "determines all random numbers", "  seed: %" PRId64, in->seed);
    text_add(t, "\n");
    add_start(t, in);
    text_add(t, "\n");
    add_gauge(t, in);
    if (pure) {
        text_add(t, "\nheatbath:\n");
        new_input_line(t, "of heat bath, in place of a trajectory,", "  sweeps: 1");
        new_input_line(t, "sweeps of overrelaxation after each", "  overrelaxation: 4");
    } else {
        new_input_add_monomials(t, in);
    }
    add_trajectories(t, in);
    text_add(t, "\nmeasurements:\n");
    new_input_line(t, NULL, "  - kind: flow");
    new_input_line(t, "scales t0 and w0, topological charge", "    name: flow");
    new_input_line(t, "trajectories", "    every: %d", new_input_interval(in, 10));
    if (in->b->at.aniso.xi_0 > 0)
        new_input_line(t, "a_s/a_t of the source: if it is that of your links, w0_space and w0_time agree",
                       "    xi: %g", in->b->at.aniso.xi);
    new_input_line(t, in->b->at.aniso.xi_0 > 0 ? "in a_s^2" : "in a^2", "    t_max: %g", flow_time(in));
    if (in->b->open_in_time)
        new_input_add_plateau(t, in, "time slices far from the boundaries: a first guess, see slices.t2E_clover");
    if (!pure)
        new_input_add_measurements(t, in);
    text_add(t, "\noutput:\n");
    new_input_line(t, "relative to the folder of this file", "  directory: ensembles/%s", in->name);
    new_input_line(t, "of the files: NAME.000010.lime", "  name: %.*s", (int)strcspn(in->b->family->name, "-"),
                   in->b->family->name);
    new_input_line(t, "kept", "  configuration_every: %d", new_input_interval(in, 10));
    new_input_line(t, "the two newest are kept", "  checkpoint_every: %d", new_input_interval(in, 5));
}
