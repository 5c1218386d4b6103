/* test_restart_log.c - kiln status reports how often the process of a run was killed and started again, from lines of
 * run.log, and nothing else that the log says of kills. */
#include "src/report/restart_log.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <stdio.h>
#include <string.h>

#define START "2026-11-29T10:00:00Z input one.yaml, ensemble e\n"
#define FIRST "2026-11-29T11:00:00Z warning: SIGSEGV killed the process of all 2 groups of ranks after trajectory 3: " \
    "started again from the state of trajectory 2, the run repeats trajectory 3 (restart 1; at most 3 in a row " \
    "without a new state)\n"
#define SECOND "2026-11-29T12:00:00Z warning: SIGKILL killed the process of this run after trajectory 12: started " \
    "again from step 4 of trajectory 13 (restart 2; at most 3 in a row without a new state)\n"
#define END "2026-11-29T13:00:00Z error: SIGKILL killed the process of this run: it is not started again, after 3 " \
    "restarts without a new state.  ...\n"
#define STEP "2026-11-29T12:30:00Z trajectory 13/20  accepted      dH 1.0e-01  plaquette 0.5  polyakov 0.1  1.00 s\n"

static const struct { const char *log; int64_t count; const char *last; } cases[] = {
    { START STEP, 0, "" },
    { START END, 0, "" },
    { START FIRST STEP, 1, "SIGSEGV after trajectory 3, 2026-11-29T11:00:00Z" },
    { START FIRST SECOND STEP END, 2, "SIGKILL after trajectory 12, 2026-11-29T12:00:00Z" },
    { "killed the process of\n: started again from \n warning: \n", 0, "" },
};

static void write_file(const char *path, const char *words)
{
    FILE *file = fopen(path, "w");
    require(file && fputs(words, file) >= 0 && fclose(file) == 0, "%s: cannot be written", path);
}

/* The restarts of FIRST and SECOND, or none.  They are information: a restart repeats every bit. */
static void reported(const char *folder, bool any)
{
    static const char words[] = "2 after kills of the process, which changed no bit; the last one: SIGKILL after "
                                "trajectory 12, 2026-11-29T12:00:00Z";
    static const char *const commands[] = { "status '%s'", "report '%s' --output -" };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fact(stdout_has(program_run(commands[i], folder), words) == any, "kiln %s reports %s", commands[i],
             any ? "them" : "none where there were none");
    fact(stdout_has(program_run("watch '%s' --once", folder), "restarts: 2 after kills") == any, "and kiln watch");
    fact(stdout_has(program_run("status '%s' --json", folder), any ? "\"restarts\": {\"count\": 2, \"last\": \"SIGKILL"
                    : "\"restarts\": {\"count\": 0, \"last\": null}"), "with their number for programs");
    fact(stdout_has(program_run("status '%s' --json", folder), "\"warnings\": []"), "but they are not a warning");
    fact(stdout_has(program_run("report '%s' --output -", folder), "no warnings"), "also in the verdict of a report");
}

int main(void)
{
    scratch s = scratch_create();
    restart_log l = restart_log_read(s.folder);
    fact(l.count == 0 && l.last.length == 0, "no log: no restarts");
    restart_log_free(&l);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(scratch_path(&s, "run.log"), cases[i].log);
        l = restart_log_read(s.folder);
        fact(l.count == cases[i].count && strcmp(text_string(&l.last), cases[i].last) == 0,
             "a log with %d restarts, the last one %s", (int)cases[i].count, *cases[i].last ? cases[i].last : "none");
        restart_log_free(&l);
    }
    if (program_is_there()) {
        write_file(scratch_path(&s, "run.jsonl"), "{\"trajectory\": 1, \"accepted\": true, \"thermalization\": false, "
                   "\"dH\": 0.1, \"exp_minus_dH\": 0.9, \"plaquette\": {\"average\": 0.5, \"spatial\": 0.5, "
                   "\"temporal\": 0.5}, \"seconds\": 1}\n");
        write_file(scratch_path(&s, "run.log"), START FIRST SECOND STEP);
        reported(s.folder, true);
        write_file(scratch_path(&s, "run.log"), START STEP);
        reported(s.folder, false);
    }
    scratch_remove(&s);
    return facts_end();
}
