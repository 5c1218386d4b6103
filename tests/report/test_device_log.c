/* test_device_log.c - kiln status warns if the times of its means are those of several devices, by the lines of run.log
 * that name the program. */
#include "src/report/device_log.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define T "2026-11-29T10:00:00Z "
#define ON(device) T "program kiln 0.3.0 (88b2b27f) on node7, " device " on a grid of 1x1x1x1; compiler: gcc on\n"
#define STEP(n) T "trajectory " n "/20  accepted      dH 1.0e-01  plaquette 0.5  polyakov 0.1  1.00 s\n"
#define SERIAL "CPU, 1 thread, 1 rank"
#define PARALLEL "CPU, 1 thread, 2 ranks"

static const struct { const char *log, *spans; } cases[] = {
    { STEP("1") STEP("2"), "" },
    { ON(SERIAL), "" },
    { ON(SERIAL) STEP("1") STEP("2") ON(SERIAL) STEP("3"), "1 " SERIAL "." },
    { ON(SERIAL) STEP("1") STEP("2") ON(PARALLEL) STEP("3") ON(SERIAL) STEP("4"),
      "1 " SERIAL ".3 " PARALLEL ".4 " SERIAL "." },
    { ON(SERIAL) STEP("1") ON(PARALLEL) T "error: no space\n" ON(SERIAL) STEP("2"), "1 " SERIAL "." },
    { ON(SERIAL) STEP("1") STEP("2") STEP("3") ON(PARALLEL) STEP("2"), "1 " SERIAL ".2 " PARALLEL "." },
    { ON(SERIAL) STEP("1") ON(PARALLEL) STEP("2") ON(SERIAL) STEP("2"), "1 " SERIAL "." },
    { STEP("1") ON(PARALLEL) STEP("2"), "2 " PARALLEL "." },
    { ON("GPU 0, NVIDIA H200, bus 0000:1b:00.0, 16 threads, 1 rank") STEP("1")
      ON("GPU 3, NVIDIA H200, bus 0000:5a:00.0, 8 threads, 1 rank") STEP("2")
      ON("GPU 3, NVIDIA H200, bus 0000:5a:00.0, 8 threads, 2 ranks") STEP("3"),
      "1 NVIDIA H200, 1 rank.3 NVIDIA H200, 2 ranks." },
};

static void write_file(const char *path, const char *words)
{
    FILE *file = fopen(path, "w");
    require(file && fputs(words, file) >= 0 && fclose(file) == 0, "%s: cannot be written", path);
}

static void known_logs(scratch *s)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text found = { 0 };
        write_file(scratch_path(s, "run.log"), cases[i].log);
        device_log l = device_log_read(s->folder);
        for (int k = 0; k < l.count; k++)
            text_add(&found, "%" PRId64 " %s.", l.item[k].first, text_string(&l.item[k].name));
        fact(strcmp(text_string(&found), cases[i].spans) == 0, "the devices of log %zu: %s", i, text_string(&found));
        device_log_free(&l);
        text_free(&found);
    }
}

static void warnings(scratch *s)
{
    FILE *record = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 1; n <= 6; n++)
        fprintf(record, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0.1, "
                "\"exp_minus_dH\": 0.9, \"plaquette\": {\"average\": 0.5, \"spatial\": 0.5, \"temporal\": 0.5}, "
                "\"seconds\": %d}\n", n, n < 3 ? 1 : 2);
    fclose(record);
    write_file(scratch_path(s, "run.log"), ON(SERIAL) STEP("1") STEP("2") ON(PARALLEL) STEP("3"));
    static const char words[] = "the seconds of a trajectory are a mean over different devices (" SERIAL "; from "
                                "trajectory 3 on " PARALLEL "); with --from 3, the cost";
    fact(stdout_has(program_run("status '%s'", s->folder), words), "kiln status warns of two devices");
    fact(stdout_has(program_run("report '%s' --output -", s->folder), words), "and kiln report");
    fact(stdout_has(program_run("status '%s' --json", s->folder), "{\"kind\": \"devices\", \"count\": 1, \"first\": 3, "
                                "\"last\": 6, "), "and its JSON");
    fact(!stdout_has(program_run("status '%s' --from 3", s->folder), "different devices"),
         "but not of trajectories of one device");
    fact(stdout_has(program_run("status '%s' --from 2", s->folder), words), "only those of the means count");
    write_file(scratch_path(s, "run.log"), ON(SERIAL) STEP("1") ON(PARALLEL) STEP("2") ON(SERIAL) STEP("3")
               ON(PARALLEL) STEP("5"));
    fact(stdout_has(program_run("status '%s'", s->folder), "from trajectory 2 on " PARALLEL "; 2 more changes); with "
                                                           "--from 5"), "of many changes it names one");
    write_file(scratch_path(s, "run.log"), ON(SERIAL) STEP("1") STEP("2") ON(SERIAL) STEP("3"));
    fact(!stdout_has(program_run("status '%s'", s->folder), "different devices"), "nor of two runs on one");
}

int main(void)
{
    scratch s = scratch_create();
    device_log none = device_log_read(s.folder);
    fact(none.count == 0, "no log: no devices");
    known_logs(&s);
    if (program_is_there())
        warnings(&s);
    scratch_remove(&s);
    return facts_end();
}
