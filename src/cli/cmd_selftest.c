/* cmd_selftest.c - kiln selftest: tests of this program on this machine and device. */
#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/cli/device_choice.h"
#include "src/cli/selftest/selftest.h"
#include "src/cli/subcommands.h"

#include <stdio.h>

typedef struct {
    bool json;
    device_choice device;
} selftest_options;

static const usage selftest_usage = {
    .name = "selftest", .operands = "",
    .about = "Tests facts that hold for any correct program, on the CPU and on the chosen device: published random\n"
             "numbers, sums independent of their order, gauge invariance, forces against finite differences,\n"
             "reversibility, dH as a power of the step size, staggered, domain-wall and Wilson quarks against dense\n"
             "linear algebra, solves in mixed precision against double, and equal bits on GPU and CPU.\n"
             "Exit status 1 if a test fails.",
    .options = (const option[]){ JSON_OPTION(selftest_options, json), DEVICE_OPTIONS(selftest_options, device), { 0 } },
};

static const struct { const char *name; selftest_part *run; bool on[PLACES]; } parts[] = {
    { "random numbers", selftest_random, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "sums", selftest_sums, { [PLACE_CPU] = true } },
    { "gauge invariance", selftest_gauge, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "forces", selftest_force, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "dynamics", selftest_dynamics, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "quarks", selftest_quarks, { [PLACE_CPU] = true, [PLACE_GPU] = true } },
    { "backends", selftest_same_as_cpu, { [PLACE_GPU] = true } },
};
enum { PARTS = sizeof parts / sizeof *parts };

static void run_parts(selftest *t, place where)
{
    t->where = where;
    for (int i = 0; i < PARTS; i++) {
        if (!parts[i].on[where])
            continue;
        log_progress("%s: %s", place_name(where), parts[i].name);
        parts[i].run(t);
    }
    log_progress_end();
}

/* The parts that need a GPU. */
static void tell_parts_without_gpu(const selftest *t)
{
    for (int i = 0; i < PARTS; i++)
        if (!parts[i].on[PLACE_CPU] && !t->as_json)
            printf("%s: skipped: no GPU\n", parts[i].name);
}

int cmd_selftest(int argc, char **argv)
{
    selftest_options o = { 0 };
    selftest t = { 0 };
    operands none;
    place where;
    failure f;
    int status = options_read(&selftest_usage, argc, argv, &o, &none);
    if (status != GO_ON)
        return status;
    if (!device_choice_open(&o.device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    double began = clock_now();
    t.as_json = o.json;
    json_open(&t.j, NULL, '{');
    json_open(&t.j, "facts", '[');
    run_parts(&t, PLACE_CPU);
    if (where == PLACE_GPU)
        run_parts(&t, PLACE_GPU);
    else
        tell_parts_without_gpu(&t);
    json_close(&t.j);
    json_int(&t.j, "passed", t.passed);
    json_int(&t.j, "failed", t.failed);
    json_real(&t.j, "seconds", clock_now() - began);
    json_close(&t.j);
    if (t.as_json)
        puts(json_string(&t.j));
    else
        printf("%d passed, %d failed, in %.1f s\n", t.passed, t.failed, clock_now() - began);
    json_free(&t.j);
    return t.failed ? EXIT_FAILED : EXIT_OK;
}
