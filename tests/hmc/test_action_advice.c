/* test_action_advice.c - values of the action that are allowed, but unlike what any ensemble has, are warned of. */
#include "src/hmc/run_advice.h"
#include "src/hmc/run_input.h"
#include "tests/facts.h"

#include <string.h>

static void add_line(void *out, const char *sentence)
{
    text_add(out, "%s\n", sentence);
}

static text advice_of(const char *lattice_extents, const char *gluons, const char *quarks, const char *measured)
{
    text yaml = { 0 }, lines = { 0 };
    fault_list faults = { 0 };
    run_input in;
    text_add(&yaml, "lattice: [%s]\nrandom: { seed: 1 }\noutput: { directory: nowhere }\n"
                    "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [ gauge%s ] } ] }\n"
                    "monomials:\n  - { kind: gauge, name: gauge, %s }\n", lattice_extents, *quarks ? ", quarks" : "",
             gluons);
    if (*quarks)
        text_add(&yaml, "  - { name: quarks, %s }\n", quarks);
    if (*measured)
        text_add(&yaml, "measurements: [ { %s } ]\n", measured);
    if (!run_input_read_text(&in, text_string(&yaml), "q.yaml", NULL, 0, &faults))
        text_add(&lines, "refused: %s", text_string(&faults.lines));
    else
        run_advice_add(&in.p, add_line, &lines);
    fault_list_free(&faults);
    run_input_free(&in);
    text_free(&yaml);
    return lines;
}

#define HISQ "kind: staggered, determinants: [ { quarks: [ { mass: 0.1, flavors: 2 } ] }, " \
             "{ quarks: [ { mass: 0.5, flavors: 1 } ] } ]"
#define NAIVE "kind: staggered, action: naive, determinants: [ { quarks: [ { mass: 0.1, flavors: 2 } ] } ]"
#define WILSON(more) "kind: wilson, " more "determinants: [ { mass: 0.1, hasenbusch: [ { mass: 0.4 } ] } ]"
#define ONE_LOOP "action: symanzik_1loop, u0: 0.86, beta: 6.3, "
#define PLAIN "action: wilson, beta: 5.5"
#define UNEVEN "action: wilson, beta: 5.5, xi_0: 3"

static void rows(void)
{
    static const struct { const char *extents, *gluons, *quarks, *measured, *line; } table[] = {
        { "4, 4, 4, 4", ONE_LOOP "flavors: 3", HISQ, "", "" },
        { "4, 4, 4, 4", ONE_LOOP "flavors: 4", HISQ, "",
          "monomials.0.flavors: gauge has the one-loop coefficients of 4 flavors, but the action has 3 dynamical" },
        { "4, 4, 4, 4", ONE_LOOP "flavors: 0", HISQ, "", "but the action has 3 dynamical flavors" },
        { "4, 4, 4, 4", ONE_LOOP "flavors: 2", WILSON(""), "", "" },
        { "4, 4, 4, 4", ONE_LOOP "flavors: 3", WILSON(""), "", "but the action has 2 dynamical flavors" },
        { "4, 4, 4, 4", ONE_LOOP "flavors: 4", "", "", "but the action has 0 dynamical flavors" },
        { "4, 4, 4, 4", ONE_LOOP "flavors: 0", "", "", "" },
        { "4, 4, 4, 4", PLAIN, WILSON("stout: { levels: 1, rho: 0.125 }, "), "", "" },
        { "4, 4, 4, 4", PLAIN, WILSON("stout: { levels: 1, rho: 0.13 }, "), "", "monomials.1.stout.rho: 0.13 is "
          "above 1/8" },
        { "4, 4, 4, 4", PLAIN, WILSON("stout: { levels: 1, rho: 0.16, spatial_only: true }, "), "", "" },
        { "4, 4, 4, 4", PLAIN, WILSON("stout: { levels: 1, rho: 0.17, spatial_only: true }, "), "",
          "monomials.1.stout.rho: 0.17 is above 1/6" },
        { "4, 4, 4, 4", PLAIN, "", "kind: wilson, masses: [ { mass: 0.1 } ], stout: { levels: 1, rho: 0.5 }",
          "measurements.0.stout.rho: 0.5 is above 1/8" },
        /* the flow: sqrt(8 t_max) against half of the smallest extent, in t in units of a_s */
        { "8, 8, 8, 16", PLAIN, "", "kind: flow, t_max: 2", "" },
        { "8, 8, 8, 16", PLAIN, "", "kind: flow, t_max: 2.01",
          "measurements.0.t_max: 2.01: the smoothing radius sqrt(8 t_max) = 4.01 exceeds half of the extent 8 in x, " },
        { "16, 8, 16, 4", PLAIN, "", "kind: flow, t_max: 0.6", "half of the extent 4 in t, so that" },
        { "8, 4, 8, 8", PLAIN, "", "kind: flow, t_max: 1", "of the extent 4 in y" },
        { "8, 4, 8, 8", PLAIN, "", "kind: flow, t_max: 1", "set t_max to 0.5 or less, or use a larger lattice" },
        { "8, 8, 8, 16", PLAIN, "", "kind: flow, t_max: 2, eps: 0.2, measure_every: 1", "0.eps: 0.2: the" },
        { "8, 8, 8, 16", PLAIN, "", "kind: flow, t_max: 2, eps: 0.2, measure_every: 1, tolerance: 0.001", "" },
        { "8, 8, 8, 16", PLAIN, "", "kind: flow, t_max: 2, eps: 0.05", "measurements.0.measure_every: the flow is" },
        { "8, 8, 8, 24", UNEVEN, "", "kind: flow, t_max: 2, xi: 3", "" },
        { "8, 8, 8, 24", UNEVEN, "", "kind: flow, t_max: 2, xi: 4",
          "half of the extent 24 in t, which is 6 in units of a_s (xi = 4), " },
        { "8, 8, 8, 24", UNEVEN, "", "kind: flow, t_max: 2, xi: 4", "set t_max to 1.125 or less" },
        { "4, 4, 4, 4", PLAIN, HISQ, "", "" },
        { "4, 2, 4, 4", PLAIN, HISQ, "", "monomials.1.action: the long links of hisq have three steps, but the "
          "lattice has "
                                         "extent 2 in y" },
        { "4, 4, 4, 2", PLAIN, "", "kind: condensate, masses: [ { mass: 0.1 } ]",
          "measurements.0.action: the long links of hisq have three steps, but the lattice has extent 2 in t" },
        { "4, 2, 4, 4", PLAIN, NAIVE, "", "" },
        { "4, 4, 4, 4", "action: wilson, beta: 0.9", "", "", "gauge: beta: 0.9 is outside 1 to 20" },
        { "4, 4, 4, 4", "action: iwasaki, beta: 21", "", "", "gauge: beta: 21 is outside 1 to 20" },
        { "4, 4, 4, 4", "action: iwasaki, beta: 1", "", "", "" },
        { "4, 4, 4, 4", "action: symanzik_tree, beta: 20", "", "", "" },
        { "4, 4, 4, 4", "action: dbw2, beta: 0.87", "", "", "" },
        { "4, 4, 4, 4", "action: dbw2, beta: 0.1", "", "", "gauge: beta: 0.1 is outside 0.5 to 20" },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        text lines = advice_of(table[i].extents, table[i].gluons, table[i].quarks, table[i].measured);
        const char *all = text_string(&lines);
        const bool fine = *table[i].line ? strstr(all, table[i].line) && strchr(all, '\n') == strrchr(all,
            '\n') : !*all;
        if (!fact(fine, "[%s], %s; %s; %s: %s", table[i].extents, table[i].gluons, table[i].quarks, table[i].measured,
                  *table[i].line ? table[i].line : "no warning"))
            note("%s", all);
        text_free(&lines);
    }
}

int main(void)
{
    rows();
    return facts_end();
}
