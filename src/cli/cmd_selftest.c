/* cmd_selftest.c - kiln selftest: tests of this program on this machine and device. */
#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/cli/subcommands.h"
#include "src/options/device_choice.h"
#include "src/selftest/selftest.h"

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
    selftest_run(&t, PLACE_CPU);
    if (where == PLACE_GPU)
        selftest_run(&t, PLACE_GPU);
    else
        selftest_report_skipped(&t);
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
